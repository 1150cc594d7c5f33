import Foundation
import Testing

@testable import PortolanFeatures

@Suite struct FileBytesTests {
    private static func bytes(of path: String, limit: Int = .max) -> [UInt8]? {
        if case .bytes(let bytes) = FileBytes(of: path, limit: limit) { bytes } else { nil }
    }

    @Test(arguments: [0, 1, 4096, (4 << 20) - 1, 4 << 20, (6 << 20) + 5])
    func `a file is read whole, small or large`(_ count: Int) throws {
        let path = NSTemporaryDirectory() + "/bytes-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try Data(content).write(to: URL(filePath: path))
        #expect(Self.bytes(of: path) == content)
        #expect(Self.bytes(of: path, limit: count) == content)
        if count > 0 {
            guard case .tooLong = FileBytes(of: path, limit: count - 1) else {
                Issue.record("longer than the limit")
                return
            }
        }
    }

    @Test func `what is no file is missing`() {
        for path in ["/nowhere/at/all", NSTemporaryDirectory()] { #expect(Self.bytes(of: path) == nil) }
    }

    @Test func `formats read a file as they read its bytes`() throws {
        let path = NSTemporaryDirectory() + "/point-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = "<kml><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark></kml>"
        try Data(text.utf8).write(to: URL(filePath: path))
        let collection = try FeatureFormats.standard.read(contentsOf: path)
        #expect(collection == (try FeatureFormats.standard.read(Array(text.utf8))))
        #expect(throws: FeatureFileError.self) { try FeatureFormats.standard.read(contentsOf: path + "-none") }
    }
}
