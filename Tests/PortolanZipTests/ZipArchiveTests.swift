import PortolanZip
import TestHelpers
import Testing

@Suite struct ZipArchiveTests {
    @Test func `stored and deflated files of an archive are read`() throws {
        let archive = try ZipArchive(ZipSample.archive)
        #expect(archive.entries.map(\.name) == ["readme.txt", "files/walk.kml", "other.kml", "files/images/pin.png"])
        let text = try archive.content(of: archive.entries[0])
        #expect(String(decoding: text, as: UTF8.self) == "hello")
        let kml = try archive.content(of: archive.entries[1])
        #expect(kml.starts(with: Array("<kml><Document>".utf8)) && kml.count == archive.entries[1].byteCount)
        #expect(archive.entry(named: "FILES/Walk.kml")?.name == "files/walk.kml")
        #expect(archive.entry(named: "x") == nil)
    }

    @Test func `the size of a file and the number of files are limited`() throws {
        let small = try ZipArchive(ZipSample.archive, limits: ZipArchive.Limits(byteCount: 10))
        #expect(try small.content(of: small.entries[0]).count == 5)
        let error = #expect(throws: ZipError.self) { try small.content(of: small.entries[1]) }
        #expect(error?.code == .limitExceeded)
        let few = #expect(throws: ZipError.self) {
            try ZipArchive(ZipSample.archive, limits: ZipArchive.Limits(entryCount: 4))
        }
        #expect(few?.code == .limitExceeded)
    }

    @Test func `a stated size too large for the compressed bytes is refused before allocation`() throws {
        var bytes = ZipSample.archive
        // The length of the second file's content in the directory: 256 MiB.
        let record = try #require(bytes.firstRange(of: Array("files/walk.kml".utf8), after: 400)) - 46
        bytes[record + 27] = 0x10
        let archive = try ZipArchive(bytes)
        let entry = try #require(archive.entry(named: "files/walk.kml"))
        let error = #expect(throws: ZipError.self) { try archive.content(of: entry) }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: [(1, 0), (0x41, 8), (0, 99)] as [(UInt16, UInt16)])
    func `encrypted files are listed but not read`(flags: UInt16, method: UInt16) throws {
        let archive = try ZipArchive(ZipBytes.archive([("a", [1], flags, method), ("b", [2], 0, 0)]))
        #expect(archive.entries.map(\.isEncrypted) == [true, false])
        let error = #expect(throws: ZipError.self) { try archive.content(of: archive.entries[0]) }
        #expect(error?.code == .encrypted)
        #expect(error?.detail == "the archive is encrypted: 'a' needs a password")
        #expect(try archive.content(of: archive.entries[1]) == [2])
    }

    @Test(
        arguments: [(9, "Deflate64 (method 9)"), (12, "bzip2"), (14, "LZMA"), (93, "Zstandard"), (77, "method 77")]
            as [(UInt16, String)])
    func `an unsupported compression method is named`(method: UInt16, name: String) throws {
        let archive = try ZipArchive(ZipBytes.archive([("a", [1], 0, method)]))
        let error = #expect(throws: ZipError.self) { try archive.content(of: archive.entries[0]) }
        #expect(error?.code == .unsupported)
        #expect(error?.detail.contains("'a' is compressed by \(name)") == true)
    }

    @Test func `a part of a split archive and a truncated one are distinguished`() {
        let split = #expect(throws: ZipError.self) { try ZipArchive(ZipBytes.archive([("a", [1], 0, 0)], disk: 2)) }
        #expect(split?.code == .unsupported)
        #expect(split?.detail.contains("split") == true)
        let cut = #expect(throws: ZipError.self) {
            try ZipArchive(Array(ZipBytes.archive([("a", [1], 0, 0)]).dropLast(22)))
        }
        #expect(cut?.code == .malformed)
        #expect(cut?.detail.contains("incomplete") == true)
    }

    @Test func `archives of ZIP64 are read`() throws {
        let archive = try ZipArchive(ZipSample.wideArchive)
        #expect(archive.entries.map(\.name) == ["feed/stops.txt", "feed/trips.txt"])
        let stops = try archive.content(of: archive.entries[0])
        #expect(String(decoding: stops, as: UTF8.self) == String(repeating: "stop_id,stop_name\ns1,a\n", count: 3))
        #expect(String(decoding: try archive.content(of: archive.entries[1]), as: UTF8.self) == "trip_id\nt1\n")
    }

    @Test(arguments: [ZipSample.archive, ZipSample.wideArchive])
    func `wrong or missing bytes never cause reads beyond the archive`(whole: [UInt8]) {
        for length in 0..<whole.count { check(Array(whole[..<length])) }
        for place in whole.indices {
            for value in [0, 0x7F, 0xFF, whole[place] ^ 1] as [UInt8] {
                var bytes = whole
                bytes[place] = value
                check(bytes)
            }
        }
    }

    private func check(_ bytes: [UInt8]) {
        do {
            let archive = try ZipArchive(bytes)
            for entry in archive.entries {
                do { _ = try archive.content(of: entry) } catch { #expect(error.offset >= 0 && !error.detail.isEmpty) }
            }
        } catch { #expect(error.offset <= bytes.count) }
    }
}

extension [UInt8] {
    /// Where a sequence begins, behind a place.
    fileprivate func firstRange(of sequence: [UInt8], after start: Int) -> Int? {
        self[start...].firstRange(of: sequence)?.lowerBound
    }
}
