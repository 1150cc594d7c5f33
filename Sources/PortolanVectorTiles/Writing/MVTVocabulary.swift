import PortolanProtobuf

/// The keys and values of the attributes of a layer, each once, for all tiles of the layer.
///
/// Texts are compared byte by byte.
package struct MVTVocabulary: Sendable {
    /// The keys.
    package private(set) var keys: [String] = []
    /// The values as encoded messages.
    private(set) var values: [[UInt8]] = []
    private var keyNumbers: [[UInt8]: UInt32] = [:]
    private var valueNumbers: [[UInt8]: UInt32] = [:]

    /// Creates an empty vocabulary.
    package init() {}

    /// About how many bytes it takes.
    package var byteCount: Int { 200 * keys.count + values.reduce(0) { $0 + 2 * $1.count + 128 } }

    /// Returns the number of a key, which is added if necessary.
    package mutating func key(_ name: String) -> UInt32 {
        let bytes = Array(name.utf8)
        if let known = keyNumbers[bytes] { return known }
        let number = UInt32(keys.count)
        keyNumbers[bytes] = number
        keys.append(name)
        return number
    }

    /// Returns the number of a value, which is added if necessary, or `nil` for lists and maps, which the format does
    /// not have.
    package mutating func value(_ value: VectorTileValue) -> UInt32? {
        var writer = WireWriter()
        switch value {
        case .string(let text): writer.write(1, text)
        case .float(let number): writer.write(2, number)
        case .double(let number): writer.write(3, number)
        case .int(let number):
            if number < 0 { writer.write(6, zigzag: number) } else { writer.write(5, UInt64(number)) }
        case .uint(let number): writer.write(5, number)
        case .bool(let flag): writer.write(7, flag)
        case .list, .map: return nil
        }
        let bytes = writer.bytes
        if let known = valueNumbers[bytes] { return known }
        let number = UInt32(values.count)
        valueNumbers[bytes] = number
        values.append(bytes)
        return number
    }
}
