import PortolanProtobuf
import Testing

@Suite struct WireCursorTests {
    /// The numbers, kinds and values of all fields.
    private static func fields(_ bytes: [UInt8]) throws(WireError) -> [String] {
        var cursor = WireCursor(0..<bytes.count), fields: [String] = []
        while let field = try cursor.next(in: bytes.span) {
            let value = field.kind == .bytes ? "\(bytes[field.start..<field.end])" : "\(field.bits)"
            fields.append("\(field.number) \(field.kind) \(value)")
        }
        return fields
    }

    private static func refused(_ bytes: [UInt8]) -> WireError? {
        #expect(throws: WireError.self) { try fields(bytes) }
    }

    @Test func `fields of every encoding are read`() throws {
        let bytes: [UInt8] = [
            0x08, 0x96, 0x01, 0x11, 1, 0, 0, 0, 0, 0, 0, 0, 0x1A, 2, 7, 8, 0x25, 2, 0, 0, 0, 0xA8, 0x06, 5,
        ]
        #expect(
            try Self.fields(bytes)
                == ["1 varint 150", "2 fixed64 1", "3 bytes [7, 8]", "4 fixed32 2", "101 varint 5"])
        #expect(try Self.fields([]).isEmpty)
    }

    private static let numbers: [([UInt8], UInt64)] = [
        ([0], 0), ([0x7F], 127), ([0x80, 0x01], 128), ([0xFF, 0x7F], 16_383), ([0x80, 0x80, 0x01], 16_384),
        ([0xFF, 0xFF, 0xFF, 0xFF, 0x0F], 0xFFFF_FFFF), ([UInt8](repeating: 0xFF, count: 9) + [1], .max),
        // Longer than needed.
        ([0x81, 0x80, 0x00], 1),
    ]

    @Test(arguments: numbers) func `varints of any length are read`(bytes: [UInt8], value: UInt64) throws {
        var cursor = WireCursor(1..<(bytes.count + 1))
        let all = [0xFF] + bytes + [0xFF]
        #expect(try cursor.varint(in: all.span) == value)
        #expect(cursor.position == cursor.end)
    }

    @Test func `groups are skipped`() throws {
        #expect(try Self.fields([0x0B, 0x10, 1, 0x13, 0x14, 0x0C, 0x18, 2]) == ["1 group 0", "3 varint 2"])
        // 70 groups within one another, and one that another number ends.
        let deep = [UInt8](repeating: 0x0B, count: 70) + [UInt8](repeating: 0x0C, count: 70)
        #expect(Self.refused(deep)?.code == .limitExceeded)
        #expect(Self.refused([0x0B, 0x14])?.code == .malformed)
        #expect(Self.refused([0x0C])?.code == .malformed)
        #expect(Self.refused([0x0B])?.code == .malformed)
    }

    private static let malformed: [[UInt8]] = [
        [0x08], [0x08, 0x80], [0x08] + [UInt8](repeating: 0xFF, count: 10), [0x00, 1], [0x0E], [0x0F], [0x0A, 1],
        [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1], [0x09, 1, 2, 3], [0x0D, 1],
        [0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 1],
    ]

    @Test(arguments: malformed) func `malformed messages are refused with a position`(bytes: [UInt8]) {
        let fault = Self.refused(bytes)
        #expect(fault?.code == .malformed)
        #expect(fault.map { (0...bytes.count).contains($0.offset) } == true)
    }

    @Test func `nothing is read beyond the end of a message`() {
        var cursor = WireCursor(0..<2)
        let bytes: [UInt8] = [0x08, 0x80, 0x01]
        #expect(throws: WireError.self) { try cursor.next(in: bytes.span) }
    }
}
