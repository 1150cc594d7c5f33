import Foundation

/// Answers of real servers, kept with the tests.
enum Fixture {
    static func bytes(_ path: String) throws -> [UInt8] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
        return Array(try Data(contentsOf: root.appendingPathComponent(path)))
    }
}
