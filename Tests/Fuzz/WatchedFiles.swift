import Foundation

/// Files that no document from afar may lead to; the system tells when one is opened, by whatever way.
final class WatchedFiles {
    private static let folder = FileManager.default.temporaryDirectory.path + "/portolan-fuzz-watched"
    /// Names that the schemes of files and archives would lead to.
    static let paths = ["png", "xml", "mbtiles", "gpkg", "geojson"].map { folder + "/a." + $0 }

    private let descriptor: Int32

    /// Writes the files where they are missing, and begins to watch.
    init() throws {
        let files = FileManager.default
        try files.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
        for path in Self.paths where !files.fileExists(atPath: path) {
            try Data("<TileMap/>".utf8).write(to: URL(filePath: path), options: .atomic)
        }
        #if os(Linux)
        descriptor = inotify_init1(Int32(IN_NONBLOCK))
        guard descriptor >= 0, unsafe inotify_add_watch(descriptor, Self.folder, UInt32(IN_OPEN)) >= 0 else {
            throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: Self.folder])
        }
        #else
        descriptor = -1
        #endif
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether one was opened since this was asked last; `false` where the system does not tell.
    func wereOpened() -> Bool {
        guard descriptor >= 0 else { return false }
        var isOpened = false
        var events = [UInt8](repeating: 0, count: 4096)
        // The call writes no more than the array has.
        while unsafe read(descriptor, &events, events.count) > 0 { isOpened = true }
        return isOpened
    }
}
