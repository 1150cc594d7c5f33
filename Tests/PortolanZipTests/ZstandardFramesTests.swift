import PortolanZip
import TestHelpers
import Testing

/// Frames of libzstd 1.5.
@Suite struct ZstandardFramesTests {
    /// `portolan ` forty times, with the length and a checksum in the frame.
    static let stated = bytes("28b52ffd64680085000048706f72746f6c616e2001005c54cb11f4d3e7bf")
    /// The same as a stream of unknown length.
    static let streamed = bytes("28b52ffd045885000048706f72746f6c616e2001005c54cb11f4d3e7bf")
    /// 262,144 zeros.
    static let zeros = bytes("28b52ffd04585400001000000100fbff39c0020300100040270fa6")
    /// A frame that readers skip, with three bytes.
    static let skipped = bytes("502a4d1803000000010203")

    static let content = Array(String(repeating: "portolan ", count: 40).utf8)

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func unpack(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> [UInt8] {
        // Positions in a slice are not those of an array.
        try CompressedContent.zstd.unpack(([0, 0] + bytes)[2...], byteLimit: limit)
    }

    private static func refused(_ bytes: [UInt8], limit: Int = 1 << 20) -> ZipError.Code? {
        let error = #expect(throws: ZipError.self) { try unpack(bytes, limit: limit) }
        return error?.code
    }

    #if Images
    @Test func `frames of known and unknown length are unpacked`() throws {
        #expect(try Self.unpack(Self.stated) == Self.content)
        #expect(try Self.unpack(Self.streamed) == Self.content)
        #expect(try Self.unpack(Self.zeros) == [UInt8](repeating: 0, count: 1 << 18))
    }

    @Test func `consecutive frames are one content`() throws {
        let all = Self.stated + Self.skipped + Self.zeros + Self.streamed
        let content = try Self.unpack(all)
        #expect(content.count == 2 * Self.content.count + 1 << 18)
        #expect(content.prefix(360) == Self.content[...])
        #expect(content.suffix(360) == Self.content[...])
    }

    @Test func `content is limited whatever its stated length`() throws {
        for bytes in [Self.stated, Self.streamed] {
            #expect(try Self.unpack(bytes, limit: 360).count == 360)
            #expect(Self.refused(bytes, limit: 359) == .limitExceeded)
            #expect(Self.refused(bytes, limit: 0) == .limitExceeded)
        }
        #expect(Self.refused(Self.stated + Self.streamed, limit: 719) == .limitExceeded)
        // A frame that states eight exabytes, and has some bytes.
        let lie: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xE0, 255, 255, 255, 255, 255, 255, 255, 0x7F]
        #expect(Self.refused(lie + Self.stated.dropFirst(6), limit: .max - 1) == .malformed)
    }

    @Test func `damaged and incomplete frames are refused`() {
        for frame in [Self.stated, Self.streamed] {
            for count in 0..<frame.count { #expect(Self.refused(Array(frame.prefix(count))) == .malformed) }
            var other = frame
            other[14] ^= 1
            #expect(Self.refused(other) == .malformed)
        }
        #expect(Self.refused(Self.stated + [1, 2, 3, 4, 5]) == .malformed)
    }
    #else
    @Test func `a build without the library names the trait`() {
        #expect(Self.refused(Self.stated) == .unsupported)
    }
    #endif
}
