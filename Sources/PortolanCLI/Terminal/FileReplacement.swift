import Foundation

/// An error number of the system for a failed write.
struct FileFault: Error {
    let code: Int32

    /// The reason and the remedy.
    var words: String {
        switch code {
        case EACCES, EPERM: "permission denied; choose another folder"
        case EROFS: "the file system is read-only; choose another folder"
        case ENOSPC: "no space left on the disk; free some or choose another folder"
        case EDQUOT: "disk quota exceeded; free some space or choose another folder"
        case EFBIG: "the file is too large for this file system"
        case EMFILE, ENFILE: "too many open files; raise the limit, as with ulimit -n 1024"
        case ELOOP: "the symbolic links form a loop"
        case ENAMETOOLONG: "the file name is too long"
        case ENOENT, ENOTDIR: "no such folder"
        case EISDIR: "it is a folder; add a file name"
        case EPIPE: "the reader closed the pipe"
        case EIO: "disk error"
        // The message of the system in its locale; it is valid until the next call and copied here.
        default: unsafe String(cString: strerror(code))
        }
    }
}

/// The atomic replacement of a file: readers never see a partial file.
struct FileReplacement {
    /// The file to replace or create; not a symbolic link.
    let path: String

    /// The most links followed, as many as Linux follows (`path_resolution(7)`).
    private static let linkLimit = 40

    /// The file that a path refers to after following links, existing or not.
    static func target(of path: String) throws(FileFault) -> String {
        var path = path
        for _ in 0..<linkLimit {
            // Links such as those in /proc refer to unnamed files: only the system can follow them.
            guard !isSpecial(path), let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                return path
            }
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            path = next.hasPrefix("/") ? next : folder + next
        }
        throw FileFault(code: ELOOP)
    }

    /// Whether a path leads to a device, a pipe or a socket.
    static func isSpecial(_ path: String) -> Bool {
        // The path is valid and terminated during the call.
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// Replaces the content with bytes.
    ///
    /// On failure, the old content is kept.
    func write(_ bytes: [UInt8]) throws(FileFault) {
        try write(fault: { $0 }) { (file) throws(FileFault) in try Self.write(bytes, to: file) }
    }

    /// Replaces the content with the output of `body`.
    ///
    /// On failure, the old content is kept.
    ///
    /// - Parameter fault: converts a system error.
    func write<Failure: Error>(
        fault: (FileFault) -> Failure, _ body: (_ file: Int32) throws(Failure) -> Void
    ) throws(Failure) {
        if Self.isSpecial(path) {
            let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { throw fault(FileFault(code: errno)) }
            defer { _ = close(file) }
            return try body(file)
        }
        var status = stat()
        let rights: mode_t = unsafe stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0o666
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let beside = "\(folder).portolan-\(UUID().uuidString.prefix(8)).part"
        let file = unsafe open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw fault(FileFault(code: errno)) }
        do throws(Failure) {
            defer { _ = close(file) }
            if rights != 0o666 { _ = fchmod(file, rights) }
            try body(file)
            // Without this, a crash of the machine may leave an empty file.
            guard fsync(file) == 0 || errno == EINVAL else { throw fault(FileFault(code: errno)) }
        } catch {
            _ = unsafe unlink(beside)
            throw error
        }
        guard unsafe rename(beside, path) == 0 else {
            let code = errno
            _ = unsafe unlink(beside)
            throw fault(FileFault(code: code))
        }
    }

    /// Writes bytes to an open file.
    static func write(_ bytes: [UInt8], to file: Int32) throws(FileFault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The slice is valid during the call.
            let count = unsafe rest.withUnsafeBytes { unsafe Foundation.write(file, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileFault(code: errno)
            }
            rest = rest.dropFirst(count)
        }
    }
}

/// The limit of open files and connections.
enum OpenFiles {
    /// The need of a run: streams, cache, connections, and files that the runtime opens while waiting.
    private static let least: rlim_t = 64
    /// The need for many hosts.
    private static let enough: rlim_t = 1024

    /// Raises the limit if necessary, or throws.
    static func makeRoom() throws(CommandFailure) {
        var limit = rlimit()
        guard unsafe getrlimit(openFiles, &limit) == 0, limit.rlim_cur < enough else { return }
        var wanted = limit
        wanted.rlim_cur = min(enough, limit.rlim_max)
        if unsafe setrlimit(openFiles, &wanted) == 0 { limit = wanted }
        guard limit.rlim_cur < least else { return }
        throw CommandFailure(
            .cannotCreate,
            "the limit is \(limit.rlim_cur) open files, but \(least) are needed; raise it, as with ulimit -n 256"
        )
    }

    #if canImport(Darwin)
    private static var openFiles: Int32 { RLIMIT_NOFILE }
    #elseif canImport(Musl)
    private static var openFiles: Int32 { Int32(RLIMIT_NOFILE) }
    #else
    private static var openFiles: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #endif
}
