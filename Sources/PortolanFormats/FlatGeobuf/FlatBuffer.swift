import PortolanFeatures

/// Reads tables of a FlatBuffer (flatbuffers.dev, *internals*).
///
/// Each offset is checked before use.
struct FlatBuffer {
    private let bytes: [UInt8]
    /// The range of the buffer in the document.
    let range: Range<Int>

    /// A table in the buffer: its position and the positions of its fields.
    struct Table {
        fileprivate let place: Int
        fileprivate let fields: Range<Int>
        fileprivate let size: Int
    }

    init(_ bytes: [UInt8], range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    func fault(_ place: Int) -> FeatureFileError {
        // An offset outside of the buffer is reported at the limit.
        let inside = min(max(place, range.lowerBound), range.upperBound)
        return FeatureFileError(.malformed, in: "FlatGeobuf", at: .byte(inside), "an offset is outside its buffer")
    }

    /// Returns the root table of the buffer.
    func root() throws(FeatureFileError) -> Table { try table(at: range.lowerBound) }

    /// Returns the table to which the offset at a position points.
    private func table(at offset: Int) throws(FeatureFileError) -> Table {
        let place = try target(offset)
        let back = try Int(Int32(bitPattern: uint32(at: place)))
        let start = place - back
        let length = try Int(uint16(start)), size = try Int(uint16(start + 2))
        guard length >= 4, start + length <= range.upperBound, place + size <= range.upperBound else {
            throw fault(place)
        }
        return Table(place: place, fields: (start + 4)..<(start + length), size: size)
    }

    @inline(__always)
    private func target(_ offset: Int) throws(FeatureFileError) -> Int {
        let place = try offset + Int(uint32(at: offset))
        guard range.contains(place) else { throw fault(offset) }
        return place
    }

    /// Returns the position of a field of a table, or `nil` if it is absent.
    @inline(__always)
    private func place(_ field: Int, _ table: Table, size: Int) throws(FeatureFileError) -> Int? {
        let entry = table.fields.lowerBound + 2 * field
        guard entry + 2 <= table.fields.upperBound else { return nil }
        let offset = try Int(uint16(entry))
        guard offset > 0 else { return nil }
        guard offset + size <= table.size else { throw fault(table.place) }
        return table.place + offset
    }

    @inline(__always)
    private func need(_ place: Int, _ size: Int) throws(FeatureFileError) {
        guard place >= range.lowerBound, place <= range.upperBound - size else { throw fault(max(place, 0)) }
    }

    @inline(__always)
    private func uint16(_ place: Int) throws(FeatureFileError) -> UInt16 {
        try need(place, 2)
        return UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
    }

    /// Returns the integer at a position.
    @inline(__always)
    func uint32(at place: Int) throws(FeatureFileError) -> UInt32 {
        try need(place, 4)
        // The known count reduces the bounds checks to one.
        let four = bytes.span.extracting(place..<place + 4)
        return UInt32(four[0]) | UInt32(four[1]) << 8 | UInt32(four[2]) << 16 | UInt32(four[3]) << 24
    }

    func uint8(_ field: Int, _ table: Table) throws(FeatureFileError) -> UInt8? {
        guard let place = try place(field, table, size: 1) else { return nil }
        try need(place, 1)
        return bytes[place]
    }

    func uint16(_ field: Int, _ table: Table) throws(FeatureFileError) -> UInt16? {
        guard let place = try place(field, table, size: 2) else { return nil }
        return try uint16(place)
    }

    func int32(_ field: Int, _ table: Table) throws(FeatureFileError) -> Int32? {
        guard let place = try place(field, table, size: 4) else { return nil }
        return Int32(bitPattern: try uint32(at: place))
    }

    func uint64(_ field: Int, _ table: Table) throws(FeatureFileError) -> UInt64? {
        guard let place = try place(field, table, size: 8) else { return nil }
        return UInt64(try uint32(at: place)) | UInt64(try uint32(at: place + 4)) << 32
    }

    func table(_ field: Int, _ table: Table) throws(FeatureFileError) -> Table? {
        guard let place = try place(field, table, size: 4) else { return nil }
        return try self.table(at: place)
    }

    func string(_ field: Int, _ table: Table) throws(FeatureFileError) -> String? {
        guard let range = try vector(field, table, size: 1) else { return nil }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// Returns the range of a vector's elements of a given size, or `nil` if it is absent.
    @inline(__always)
    func vector(_ field: Int, _ table: Table, size: Int) throws(FeatureFileError) -> Range<Int>? {
        guard let place = try place(field, table, size: 4) else { return nil }
        let start = try target(place)
        let count = try Int(uint32(at: start))
        guard count <= (range.upperBound - start - 4) / size else { throw fault(start) }
        return (start + 4)..<(start + 4 + count * size)
    }

    /// Returns the tables of a vector.
    func tables(_ field: Int, _ table: Table) throws(FeatureFileError) -> [Table] {
        guard let range = try vector(field, table, size: 4) else { return [] }
        var tables: [Table] = []
        for place in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            tables.append(try self.table(at: place))
        }
        return tables
    }
}
