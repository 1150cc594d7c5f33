#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The version of a local file from its file system metadata; writing to or replacing the file changes it.
package struct FileStamp: Hashable, Sendable {
    /// The stamp of a file that changed while it was read; no file has it.
    package static let mixed: FileStamp = {
        var stamp = FileStamp()
        stamp.byteCount = -1
        return stamp
    }()

    private var device: UInt64 = 0
    private var number: UInt64 = 0
    private var byteCount: Int64 = 0
    private var modified: [Int] = []

    private init() {}

    /// Reads the stamp of a file, following links; a missing file has a stamp as well.
    package init(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        byteCount = Int64(status.st_size)
        #if canImport(Darwin)
        let times = [status.st_mtimespec, status.st_ctimespec]
        #else
        let times = [status.st_mtim, status.st_ctim]
        #endif
        modified = times.flatMap { [Int($0.tv_sec), Int($0.tv_nsec)] }
    }
}
