import PortolanWeb

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The exclusive right of a process to write a file, by a lock file next to it.
///
/// The lock is the system's (`flock(2)`) and ends with the process in any case; its content names the holder. The file
/// itself is not locked: SQLite holds locks on it, which closing it a second time would release.
package final class FileLease: Sendable {
    private let path: String
    private let lock: Int32

    /// Acquires the lease of a file.
    ///
    /// - Returns: `nil` if no lock file can be created; the writer then reports whether the file can be written.
    /// - Throws: ``ArchiveError`` with code `busy` if another process holds it.
    package static func taken(of file: String) throws(ArchiveError) -> FileLease? {
        let path = target(of: file) + ".lock"
        // The previous holder removes its lock file when it ends; if this process had opened it before, its lock is
        // useless, and it tries again.
        for _ in 0..<100 {
            let lock = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard lock >= 0 else { return nil }
            guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
                let isHeld = errno == EWOULDBLOCK, holder = contents(of: lock)
                _ = close(lock)
                guard isHeld else { return nil }
                throw ArchiveError(
                    .busy, place: file,
                    detail: (holder.isEmpty ? "another process" : holder) + " is writing it; wait until it has finished"
                )
            }
            if isNamed(lock, path) { return FileLease(path: path, lock: lock) }
            _ = close(lock)
        }
        return nil
    }

    private init(path: String, lock: Int32) {
        self.path = path
        self.lock = lock
        let words = Array("process \(getpid()) on \(Self.host), since \(Self.time),".utf8)
        _ = ftruncate(lock, 0)
        // Writes the name of the holder, which is only informative; the count is the number of bytes.
        _ = unsafe pwrite(lock, words, words.count, 0)
    }

    // Removed while it is locked, so that no other process can hold it.
    deinit {
        _ = unsafe unlink(path)
        _ = close(lock)
    }

    /// Returns the target of a path, following links, if it exists.
    private static func target(of path: String) -> String {
        // The text is null-terminated and must be freed here.
        guard let found = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    private static func isNamed(_ lock: Int32, _ path: String) -> Bool {
        var own = stat(), there = stat()
        guard unsafe fstat(lock, &own) == 0, unsafe stat(path, &there) == 0 else { return false }
        return own.st_ino == there.st_ino && own.st_dev == there.st_dev
    }

    private static func contents(of lock: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 300)
        let count = unsafe pread(lock, &bytes, bytes.count, 0)
        return ReadableText.line(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self), limit: 200)
    }

    private static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        // The last byte stays zero.
        let result = unsafe gethostname(&name, name.count - 1)
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return result == 0 ? String(decoding: bytes, as: UTF8.self) : "this machine"
    }

    /// The current time in UTC (RFC 3339).
    private static var time: String {
        var now = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &now)
        return ISOTime.text(Double(now.tv_sec)) ?? ""
    }
}
