import Foundation

/// Files beside the tests.
enum Fixture {
    static func bytes(_ path: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        return [UInt8](try Data(contentsOf: folder.appending(path: path)))
    }

    static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }
}
