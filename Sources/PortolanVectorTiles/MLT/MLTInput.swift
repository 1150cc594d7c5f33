import PortolanProtobuf

/// Reads the numbers and texts of a part of a MapLibre Tile.
struct MLTInput {
    let bytes: [UInt8]
    private var cursor: WireCursor

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        cursor = WireCursor(range)
    }

    var position: Int { cursor.position }
    var isAtEnd: Bool { cursor.position >= cursor.end }

    mutating func varint() throws(VectorTileError) -> UInt64 {
        let bytes = bytes
        do throws(WireError) { return try cursor.varint(in: bytes.span) } catch { throw VectorTileError(error) }
    }

    /// A number of 32 bits.
    mutating func count() throws(VectorTileError) -> Int {
        let offset = position, value = try varint()
        guard value <= UInt64(UInt32.max) else {
            throw VectorTileError(.malformed, offset: offset, "a number has more than 32 bits")
        }
        return Int(value)
    }

    mutating func byte() throws(VectorTileError) -> UInt8 {
        guard !isAtEnd else { throw VectorTileError(.malformed, offset: position, "it ends too early") }
        defer { cursor = WireCursor((position + 1)..<cursor.end) }
        return bytes[position]
    }

    /// The range of the next bytes.
    mutating func take(_ count: Int) throws(VectorTileError) -> Range<Int> {
        let start = position
        guard count <= cursor.end - start else {
            throw VectorTileError(.malformed, offset: start, "a part ends beyond its layer")
        }
        cursor = WireCursor((start + count)..<cursor.end)
        return start..<(start + count)
    }

    mutating func text() throws(VectorTileError) -> String {
        let count = try count()
        return String(decoding: bytes[try take(count)], as: UTF8.self)
    }
}
