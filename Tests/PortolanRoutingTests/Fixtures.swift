import Foundation

/// Files of the folder Fixtures.
enum Fixtures {
    /// The bytes of a file.
    static func bytes(_ path: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        return [UInt8](try Data(contentsOf: folder.appending(path: path)))
    }
}
