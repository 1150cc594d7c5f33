/// Reads structures in the compact protocol of Apache Thrift, which Parquet uses for its footer and page headers.
///
/// Source: *Thrift compact protocol encoding*.
struct ThriftReader {
    /// The types of fields.
    enum FieldType: UInt8 {
        case isTrue = 1
        case isFalse, byte, int16, int32, int64, double, binary, list, set, map, structure
    }

    private let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int
    private var depth = 0

    /// The structures within structures that a reader follows.
    private static let maximumDepth = 24

    init(_ bytes: [UInt8], range: Range<Int>? = nil) {
        self.bytes = bytes
        position = range?.lowerBound ?? 0
        end = range?.upperBound ?? bytes.count
    }

    /// Reads a structure.
    ///
    /// - Parameter body: receives the number and type of each field, and reads its value. It returns `false` for a
    ///   field that it has not read, which is then skipped.
    mutating func structure(
        _ body: (inout ThriftReader, Int, FieldType) throws(ParquetFault) -> Bool
    ) throws(ParquetFault) {
        guard depth < Self.maximumDepth else { throw .malformed("structures are nested too deeply") }
        depth += 1
        var number = 0
        while true {
            let header = try uint8()
            if header == 0 { break }
            guard let type = FieldType(rawValue: header & 15) else { throw .malformed("unknown type of field") }
            let step = Int(header >> 4)
            number = step == 0 ? try integer(.int16) : number + step
            if try !body(&self, number, type) { try skip(type) }
        }
        depth -= 1
    }

    /// Reads a list of structures.
    mutating func structures(
        _ type: FieldType, _ body: (inout ThriftReader, Int, FieldType) throws(ParquetFault) -> Bool,
        ended: () throws(ParquetFault) -> Void
    ) throws(ParquetFault) {
        let (count, element) = try listHeader(type)
        guard element == .structure || count == 0 else { throw .malformed("expected a list of structures") }
        for _ in 0..<count {
            try structure(body)
            try ended()
        }
    }

    /// Reads a list of texts.
    mutating func texts(_ type: FieldType) throws(ParquetFault) -> [String] {
        let (count, element) = try listHeader(type)
        guard element == .binary || count == 0 else { throw .malformed("expected a list of texts") }
        var texts: [String] = []
        for _ in 0..<count { texts.append(try text(.binary)) }
        return texts
    }

    /// Reads an integer of any size.
    mutating func integer(_ type: FieldType) throws(ParquetFault) -> Int {
        switch type {
        case .byte: return Int(Int8(bitPattern: try uint8()))
        case .int16, .int32, .int64:
            let value = try varint()
            return Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1)
        default: throw .malformed("expected an integer")
        }
    }

    /// Reads an integer that must not be negative.
    mutating func count(_ type: FieldType) throws(ParquetFault) -> Int {
        let value = try integer(type)
        guard value >= 0 else { throw .malformed("negative number of bytes or values") }
        return value
    }

    /// Returns a truth value, which the type of its field holds.
    func bool(_ type: FieldType) throws(ParquetFault) -> Bool {
        guard type == .isTrue || type == .isFalse else { throw .malformed("expected a truth value") }
        return type == .isTrue
    }

    /// Reads a number of eight bytes.
    mutating func double(_ type: FieldType) throws(ParquetFault) -> Double {
        guard type == .double else { throw .malformed("expected a number") }
        return Double(bitPattern: try data(8).enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * $1.offset) })
    }

    mutating func binary(_ type: FieldType) throws(ParquetFault) -> ArraySlice<UInt8> {
        guard type == .binary else { throw .malformed("expected bytes") }
        return try data(try length())
    }

    mutating func text(_ type: FieldType) throws(ParquetFault) -> String {
        String(decoding: try binary(type), as: UTF8.self)
    }

    // MARK: Parts

    private mutating func listHeader(_ type: FieldType) throws(ParquetFault) -> (Int, FieldType?) {
        guard type == .list || type == .set else { throw .malformed("expected a list") }
        let header = try uint8()
        let count = header >> 4 == 15 ? try length() : Int(header >> 4)
        // Each element takes at least a byte.
        guard count <= end - position else { throw .malformed("a list states \(count) elements") }
        return (count, FieldType(rawValue: header & 15))
    }

    private mutating func length() throws(ParquetFault) -> Int {
        guard let count = Int(exactly: try varint()), count <= end - position else {
            throw .malformed("a length exceeds the data")
        }
        return count
    }

    private mutating func varint() throws(ParquetFault) -> UInt64 {
        var value: UInt64 = 0, shift: UInt64 = 0
        while shift < 64 {
            let byte = try uint8()
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw .malformed("an integer is too long")
    }

    private mutating func uint8() throws(ParquetFault) -> UInt8 {
        guard position < end else { throw .malformed("unexpected end of data") }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func data(_ count: Int) throws(ParquetFault) -> ArraySlice<UInt8> {
        guard count <= end - position else { throw .malformed("unexpected end of data") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func skip(_ type: FieldType, isElement: Bool = false) throws(ParquetFault) {
        switch type {
        // The elements of a list take a byte each.
        case .isTrue, .isFalse: if isElement { _ = try uint8() }
        case .byte: _ = try uint8()
        case .int16, .int32, .int64: _ = try varint()
        case .double: _ = try data(8)
        case .binary: _ = try data(try length())
        case .list, .set:
            let (count, element) = try listHeader(type)
            guard let element else { throw .malformed("unknown type of list") }
            try nested { (reader) throws(ParquetFault) in
                for _ in 0..<count { try reader.skip(element, isElement: true) }
            }
        case .map:
            let count = try length()
            guard count > 0 else { return }
            let types = try uint8()
            guard let key = FieldType(rawValue: types >> 4), let value = FieldType(rawValue: types & 15) else {
                throw .malformed("unknown type of map")
            }
            try nested { (reader) throws(ParquetFault) in
                for _ in 0..<count {
                    try reader.skip(key, isElement: true)
                    try reader.skip(value, isElement: true)
                }
            }
        case .structure: try structure { (_, _, _) throws(ParquetFault) in false }
        }
    }

    private mutating func nested(
        _ body: (inout ThriftReader) throws(ParquetFault) -> Void
    ) throws(ParquetFault) {
        guard depth < Self.maximumDepth else { throw .malformed("lists are nested too deeply") }
        depth += 1
        try body(&self)
        depth -= 1
    }
}
