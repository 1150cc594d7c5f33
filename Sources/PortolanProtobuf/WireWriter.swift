/// Writes the wire format of Protocol Buffers; `nil` values are omitted.
package struct WireWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ number: Int, _ value: UInt64?) {
        guard let value else { return }
        tag(number, 0)
        varint(value)
    }

    /// Writes a whole number; what is negative takes ten bytes, as in the format.
    package mutating func write(_ number: Int, _ value: Int?) {
        write(number, value.map { UInt64(bitPattern: Int64($0)) })
    }

    package mutating func write(_ number: Int, _ value: Bool?) { write(number, value.map { $0 ? 1 : 0 } as UInt64?) }

    package mutating func write<Value: RawRepresentable<Int>>(_ number: Int, _ value: Value?) {
        write(number, value?.rawValue)
    }

    package mutating func write(_ number: Int, _ value: Float?) {
        guard let value else { return }
        tag(number, 5)
        for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(shift))) }
    }

    package mutating func write(_ number: Int, _ value: Double?) {
        guard let value else { return }
        tag(number, 1)
        for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(8 * byte))) }
    }

    package mutating func write(_ number: Int, _ value: String?) {
        guard let value else { return }
        tag(number, 2)
        varint(UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    package mutating func write(_ number: Int, bytes value: [UInt8]?) {
        guard let value else { return }
        tag(number, 2)
        varint(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    package mutating func write(_ number: Int, _ message: (some WireMessage)?) {
        guard let message else { return }
        var inner = WireWriter()
        message.write(to: &inner)
        tag(number, 2)
        varint(UInt64(inner.bytes.count))
        bytes.append(contentsOf: inner.bytes)
    }

    package mutating func write(_ number: Int, _ messages: [some WireMessage]) {
        for message in messages { write(number, message) }
    }

    /// Writes bytes: a message that is already encoded, or a packed list.
    package mutating func write(_ number: Int, bytes content: some Collection<UInt8>) {
        tag(number, 2)
        varint(UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    /// Writes a whole number in the zigzag form, in which small negative numbers are short.
    package mutating func write(_ number: Int, zigzag value: Int64) {
        write(number, UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    private mutating func tag(_ number: Int, _ kind: UInt64) { varint(UInt64(number) << 3 | kind) }

    private mutating func varint(_ value: UInt64) { bytes.appendVarint(value) }
}

extension [UInt8] {
    /// Appends a number of variable length, the low bits first.
    @inlinable package mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
