import Foundation
import PortolanDoctor
import PortolanFetch
import PortolanTesting
import TestHelpers
import Testing

/// Images whose parts GDAL wrote in different orders; `Fixtures/make.py` asks GDAL which ones are Cloud Optimized GeoTIFFs.
@Suite struct GeoTIFFExaminationTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    private struct Verdict: Decodable {
        let errors: [String]
        let warnings: [String]
    }

    private static func codes(_ diagnosis: ServiceDiagnosis) -> Set<Finding.Code> {
        Set(diagnosis.sections.flatMap(\.findings).filter { $0.severity > .note }.map(\.code))
    }

    @Test(
        arguments: [
            ("cog", []), ("copied-overviews", []), ("small-strips", []), ("tiles", [.overviewsMissing]),
            ("strips", [.notTiled, .overviewsMissing]), ("overviews-behind", [.blocksOrder]),
            ("edited", [.directoriesOrder, .blocksOrder, .structureUntrue]),
        ] as [(String, Set<Finding.Code>)])
    func `the order of an image is that which GDAL states`(_ name: String, _ codes: Set<Finding.Code>) async throws {
        let path = Self.folder.appending(path: "\(name).tif")
        let found = Self.codes(try GeoTIFFExamination.run(path: path.path))
        #expect(found == codes)
        let verdicts = try JSONDecoder().decode(
            [String: Verdict].self, from: Data(contentsOf: Self.folder.appending(path: "verdicts.json")))
        let verdict = try #require(verdicts[name])
        #expect(found.isEmpty == (verdict.errors.isEmpty && verdict.warnings.isEmpty))
    }

    @Test func `all verdicts of GDAL are compared`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.count { $0.hasSuffix(".tif") } == 7)
    }

    @Test func `a declared leader that is wrong is found`() throws {
        let folder = try TemporaryFolder()
        var bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: "cog.tif")))
        let path = folder.path + "/wrong.tif"
        // The length stands before the first block of each level; the file is small, so the search is exact enough.
        let diagnosis = try GeoTIFFExamination.run(path: Self.folder.appending(path: "cog.tif").path)
        #expect(Self.codes(diagnosis).isEmpty)
        let text = Array("BLOCK_LEADER=SIZE_AS_UINT4".utf8)
        let start = try #require((0..<bytes.count - text.count).first { Array(bytes[$0..<$0 + text.count]) == text })
        #expect(start < 200)
        let zlib = try #require(
            (600..<bytes.count - 2).first {
                bytes[$0] == 0x78 && bytes[$0 + 1] == 0xDA || bytes[$0] == 0x78 && bytes[$0 + 1] == 0x9C
            })
        bytes[zlib - 4] ^= 0xFF
        try Data(bytes).write(to: URL(filePath: path))
        #expect(Self.codes(try GeoTIFFExamination.run(path: path)) == [.structureUntrue])
    }
}
