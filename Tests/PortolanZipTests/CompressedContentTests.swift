import PortolanZip
import TestHelpers
import Testing

@Suite struct CompressedContentTests {
    private static let content = (0..<100_000).map { UInt8($0 * $0 % 251) }

    private static func refused(_ form: CompressedContent, _ bytes: [UInt8], limit: Int = 1 << 20) -> ZipError? {
        #expect(throws: ZipError.self) { try form.unpack(bytes[...], byteLimit: limit) }
    }

    @Test func `compression formats are recognised by their first bytes`() {
        #expect(CompressedContent(recognizing: GzipBytes.stored([])[...]) == .gzip)
        #expect(CompressedContent(recognizing: GzipBytes.zlib([])[...]) == .zlib)
        #expect(CompressedContent(recognizing: [0x28, 0xB5, 0x2F, 0xFD]) == .zstd)
        for bytes: ArraySlice<UInt8> in [[], [0x1F], [0x78, 0x02], [0x1A, 0x05], [0x28, 0xB5, 0, 0]] {
            #expect(CompressedContent(recognizing: bytes) == nil)
        }
    }

    @Test func `gzip and zlib are unpacked`() throws {
        #expect(
            try CompressedContent.gzip.unpack(GzipBytes.stored(Self.content)[...], byteLimit: 1 << 20) == Self.content)
        #expect(
            try CompressedContent.zlib.unpack(GzipBytes.zlib(Self.content)[...], byteLimit: 1 << 20) == Self.content)
        let empty = try CompressedContent.gzip.unpack(GzipBytes.stored([])[...], byteLimit: 0)
        #expect(empty.isEmpty)
    }

    @Test(arguments: [0, 1, 100, 100_000]) func `gzip compression is deterministic and reversible`(count: Int) throws {
        let content = Array(Self.content.prefix(count))
        let packed = try CompressedContent.gzip(content)
        #expect(try CompressedContent.gzip(content) == packed)
        // A header, the length and the checksum, and at most one block that is stored.
        #expect(packed.count <= count + 23)
        #expect(count < 1_000 || packed.count < count)
        #expect(try CompressedContent.gzip.unpack(packed[...], byteLimit: count) == content)
    }

    @Test func `the members of a gzip stream follow one another`() throws {
        let both = GzipBytes.stored([1, 2]) + GzipBytes.stored([3])
        #expect(try CompressedContent.gzip.unpack(both[...], byteLimit: 10) == [1, 2, 3])
        #expect(Self.refused(.gzip, both, limit: 2)?.code == .limitExceeded)
        // The length at the end is that of each of them.
        let equal = GzipBytes.stored([1, 2]) + GzipBytes.stored([1, 2])
        #expect(try CompressedContent.gzip.unpack(equal[...], byteLimit: 10) == [1, 2, 1, 2])
    }

    @Test(arguments: [0, 5, 254, 255, 510, 65_535]) func `extra fields of a gzip header are skipped`(count: Int) throws
    {
        let header: [UInt8] = [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 255, UInt8(count & 0xFF), UInt8(count >> 8)]
        // The header of the stream has 10 bytes, and a name of two.
        let bytes = header + [UInt8](repeating: 7, count: count) + GzipBytes.stored([1, 2, 3]).dropFirst(12)
        #expect(try CompressedContent.gzip.unpack(bytes[...], byteLimit: 10) == [1, 2, 3])
    }

    @Test func `decompressed content is limited whatever its stated length`() throws {
        let (bytes, count) = GzipBytes.zeros
        #expect(try CompressedContent.gzip.unpack(bytes[...], byteLimit: count).count == count)
        #expect(Self.refused(.gzip, bytes, limit: count - 1)?.code == .limitExceeded)
        let lying = bytes.dropLast(4) + [1, 0, 0, 0]
        #expect(Self.refused(.gzip, Array(lying), limit: 1000)?.code == .limitExceeded)
    }

    @Test func `damaged content is refused`() {
        let bytes = GzipBytes.stored(Self.content)
        for count in [2, 9, 10, 11, 12, 20, bytes.count - 9, bytes.count - 1] {
            #expect(Self.refused(.gzip, Array(bytes.prefix(count)))?.code == .malformed)
        }
        var other = bytes
        other[500] ^= 1
        #expect(Self.refused(.gzip, other)?.code == .malformed)
    }
}
