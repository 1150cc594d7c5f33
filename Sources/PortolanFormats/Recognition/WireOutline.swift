import PortolanFeatures

/// What the fields of a message of Protocol Buffers show of its kind.
enum WireOutline {
    /// More fields are not looked at, nor those of longer documents to the end.
    private static let mostFields = 1000

    /// The kind of a message; `nil` for bytes that are none.
    static func kind(of bytes: [UInt8]) -> FileKind? {
        var reader = Reader(bytes: bytes[...])
        guard let first = reader.next() else { return nil }
        // The header (1) of GTFS Realtime begins with its version (1), as "2.0"; a tile has layers (3) alone.
        if first.number == 1, let header = first.content, header.count >= 5, header.first == 0x0A,
            header.dropFirst(2).first.map({ (0x30...0x39).contains($0) }) == true,
            header.dropFirst(3).first == UInt8(ascii: ".")
        {
            return .gtfsRealtime
        }
        var numbers: Set<Int> = [first.number], isTile = isLayer(first), count = 1
        while !reader.bytes.isEmpty {
            guard count < mostFields else { break }
            guard let field = reader.next() else { return nil }
            numbers.insert(field.number)
            isTile = isTile && isLayer(field)
            count += 1
        }
        if isTile { return .vectorTile }
        return numbers.max().map { $0 <= 1000 } == true && count > 1 ? .protobuf : nil
    }

    /// Whether a field is a layer of a tile, which has a name (1), features (2) and a version (15).
    private static func isLayer(_ field: Field) -> Bool {
        guard field.number == 3, let content = field.content else { return false }
        var reader = Reader(bytes: content), numbers: Set<Int> = []
        while !reader.bytes.isEmpty {
            guard let inner = reader.next() else { return false }
            numbers.insert(inner.number)
        }
        return numbers.contains(1) && numbers.isSubset(of: [1, 2, 3, 4, 5, 15])
    }

    private struct Field {
        let number: Int
        /// The bytes of a field that has some.
        let content: ArraySlice<UInt8>?
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func next() -> Field? {
            guard let tag = varint(), tag >> 3 > 0, tag >> 3 <= 1 << 28 else { return nil }
            let number = Int(tag >> 3)
            switch tag & 7 {
            case 0: return varint().map { _ in Field(number: number, content: nil) }
            case 1: return skip(8) ? Field(number: number, content: nil) : nil
            case 5: return skip(4) ? Field(number: number, content: nil) : nil
            case 2:
                guard let length = varint(), length <= UInt64(bytes.count) else { return nil }
                defer { bytes = bytes.dropFirst(Int(length)) }
                return Field(number: number, content: bytes.prefix(Int(length)))
            default: return nil
            }
        }

        private mutating func skip(_ count: Int) -> Bool {
            guard bytes.count >= count else { return false }
            bytes = bytes.dropFirst(count)
            return true
        }

        private mutating func varint() -> UInt64? {
            var value: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 7) {
                guard let byte = bytes.popFirst() else { return nil }
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
            }
            return nil
        }
    }
}
