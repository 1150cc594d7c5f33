#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is written beside its path and takes its name when it is complete.
final class ArchiveOutput {
    private let path: String
    private let beside: String
    private let file: Int32
    private var isFinished = false

    /// Begins a file; another at the path stays until ``finish()``.
    init(path: String) throws(ArchiveError) {
        self.path = path
        beside = path + ".new"
        // The path lives, terminated, during the call.
        file = unsafe open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Self.error(errno, path) }
    }

    deinit {
        _ = close(file)
        if !isFinished { _ = unsafe unlink(beside) }
    }

    /// Whether something is at a path.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// Removes a file, if it is there.
    static func remove(_ path: String) { _ = unsafe unlink(path) }

    /// Writes bytes at a position.
    func write(_ bytes: [UInt8], at position: UInt64) throws(ArchiveError) {
        var done = 0
        while done < bytes.count {
            // As many bytes as are left of the array, which lives during the call.
            let count = unsafe bytes.withUnsafeBytes {
                unsafe pwrite(
                    file, $0.baseAddress.map { unsafe $0 + done }, $0.count - done, off_t(position) + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.error(errno, path) }
            done += count
        }
    }

    /// Gives the file its name.
    func finish() throws(ArchiveError) {
        // Otherwise a crash of the machine may leave the name with an empty file.
        guard fsync(file) == 0 || errno == EINVAL, unsafe rename(beside, path) == 0 else {
            throw Self.error(errno, path)
        }
        isFinished = true
    }

    /// Replaces a file by another one in the same folder, which is complete.
    static func replace(_ path: String, by other: String) throws(ArchiveError) {
        // The path lives, terminated, during the call.
        let file = unsafe open(other, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw error(errno, path) }
        defer { _ = close(file) }
        guard fsync(file) == 0 || errno == EINVAL, unsafe rename(other, path) == 0 else { throw error(errno, path) }
    }

    private static func error(_ reason: Int32, _ path: String) -> ArchiveError {
        switch reason {
        case ENOSPC, EDQUOT: ArchiveError(.full, place: path, detail: "there is no space left to write it")
        case EACCES, EPERM, EROFS: ArchiveError(.notWritable, place: path, detail: "writing it is not permitted")
        case ENOENT, ENOTDIR: ArchiveError(.cannotOpen, place: path, detail: "there is no such folder")
        default: ArchiveError(.failed, place: path, detail: "writing it failed with the system error \(reason)")
        }
    }
}
