import PortolanZip
import TestHelpers
import Testing

@Suite struct ZipContentReaderTests {
    /// All that a reader gives, in pieces of some length.
    private static func content(
        of entry: ZipArchive.Entry, in archive: ZipArchive, pieces: Int
    ) throws(ZipError) -> [UInt8] {
        let reader = try archive.reader(of: entry)
        var content: [UInt8] = []
        while try reader.append(pieces, to: &content) {}
        return content
    }

    @Test(arguments: [ZipSample.archive, ZipSample.wideArchive], [1, 7, 1 << 18])
    func `the pieces of a file add up to its content`(bytes: [UInt8], length: Int) throws {
        let archive = try ZipArchive(bytes)
        for entry in archive.entries {
            let whole = try archive.content(of: entry)
            #expect(try Self.content(of: entry, in: archive, pieces: length) == whole)
        }
    }

    @Test func `size and checksum are compared with the directory`() throws {
        // The name comes first in front of the content, and then in the directory.
        let names = ZipSample.archive.ranges(of: Array("files/walk.kml".utf8))
        let record = try #require(names.last).lowerBound - 46
        // The length of the content, and its checksum, as the directory has them.
        for (place, difference) in [(record + 24, 1), (record + 16, 255)] as [(Int, UInt8)] {
            for sign in [0, 1] {
                var bytes = ZipSample.archive
                bytes[place] = sign == 0 ? bytes[place] &- difference : bytes[place] &+ difference
                let archive = try ZipArchive(bytes), entry = try #require(archive.entry(named: "files/walk.kml"))
                let error = #expect(throws: ZipError.self) {
                    try Self.content(of: entry, in: archive, pieces: 16)
                }
                #expect(error?.code == .malformed)
            }
        }
    }
}
