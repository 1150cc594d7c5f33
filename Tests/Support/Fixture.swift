import Foundation

/// Files of the project's `Fixtures` that tests read.
package enum Fixture {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    package static func bytes(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: folder.appending(path: path)))
    }
}
