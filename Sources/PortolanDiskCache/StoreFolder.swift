import PortolanFetch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder of a store: accessible only to its owner, and locked while a file in it is opened or renamed.
struct StoreFolder {
    /// The maximum number of attempts, 10 ms apart: a suspended process must not block others.
    private static let lockAttempts = 500

    let path: String

    /// Creates the folder and its parent folders if they do not exist.
    func make() throws(StoreError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/" + part
            // The path is valid and null-terminated during the call.
            guard unsafe mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let reason = errno
            // On a read-only file system, an existing folder can cause another error than EEXIST.
            guard StoreFolder.identity(of: made) == nil else { continue }
            throw StoreError(
                reason == ENOSPC ? .full : .cannotOpen, place: path,
                detail: "cannot create the folder: \(StoreFolder.text(of: reason))")
        }
    }

    /// Runs `work` under the exclusive lock of the folder.
    func locked<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        let lock = unsafe open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            let reason = errno
            throw StoreError(
                reason == ENOSPC ? .full : .notWritable, place: path,
                detail: "cannot create files in the folder: \(StoreFolder.text(of: reason))")
        }
        // Closing the file releases the lock.
        defer { _ = close(lock) }
        var attempts = 0
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            attempts += 1
            guard attempts < Self.lockAttempts else {
                throw StoreError(
                    .busy, place: path, detail: "timed out waiting for another process that uses the folder")
            }
            usleep(10_000)
        }
        return try work()
    }

    /// Creates an empty file that only its owner can access, unless it exists.
    ///
    /// SQLite gives its auxiliary files the same permissions. An existing file is not opened: closing it would release
    /// the locks that SQLite holds in this process (POSIX.1-2017, `fcntl`).
    func makeFile(_ name: String) {
        let file = unsafe open(path + "/" + name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 { _ = close(file) }
    }

    /// Returns whether this process may write to the folder and to a file in it.
    func permitsWriting(to name: String) -> Bool {
        // The paths are valid and null-terminated during the calls.
        unsafe (access(path, W_OK) == 0 && access(path + "/" + name, W_OK) == 0)
    }

    /// Renames a database and its log by appending `suffix`, replacing earlier files with these names.
    func setAside(_ name: String, as suffix: String) {
        let old = path + "/" + name, new = old + suffix
        for suffix in ["", "-wal"] {
            _ = unsafe unlink(new + suffix)
            _ = unsafe rename(old + suffix, new + suffix)
        }
        _ = unsafe unlink(old + "-shm")
    }

    /// Returns the identity of the file at a path, or `nil` if it does not exist.
    static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    private static func text(of reason: Int32) -> String {
        switch reason {
        case EACCES, EPERM, EROFS: "no permission to write to it; choose another"
        case ENOSPC, EDQUOT: "no space left on the disk"
        case ENOTDIR: "part of its path is not a folder"
        case ENOENT: "no such folder"
        case EMFILE, ENFILE: "too many open files"
        default: "system error \(reason)"
        }
    }
}

/// The identity of a file while it exists.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
}

/// The wall clock time, which all processes share.
package enum WallClock {
    /// Returns the time in milliseconds since 1970.
    package static func milliseconds() -> Int {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
    }
}
