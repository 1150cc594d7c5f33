import Foundation

/// A path for a folder that goes with this value.
final class TemporaryFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "portolan-redis-\(UUID().uuidString)").path

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
