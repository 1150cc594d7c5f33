import Foundation

/// Why a file cannot be written: an error number of the system.
struct FileFault: Error {
    let code: Int32

    /// What is wrong and what to do about it.
    var words: String {
        switch code {
        case EACCES, EPERM: "it may not be written to; choose another folder"
        case EROFS: "the disk is only read; choose another folder"
        case ENOSPC: "there is no space left; free some or choose another folder"
        case EDQUOT: "your share of the disk is used up; free some or choose another folder"
        case EFBIG: "it is larger than files may be here"
        case EMFILE, ENFILE: "too many files are open; raise the limit, as with ulimit -n 1024"
        case ELOOP: "its symbolic links lead round and to no file"
        case ENAMETOOLONG: "its name is too long"
        case ENOENT, ENOTDIR: "there is no such folder"
        case EISDIR: "it is a folder; add a file name"
        case EPIPE: "nobody reads it"
        case EIO: "the disk fails"
        // Words of the system, of the locale; they live until the next call and are copied here.
        default: unsafe String(cString: strerror(code))
        }
    }
}

/// The file that takes the place of another in one step, so that a reader never sees a half.
struct FileReplacement {
    /// The file to be replaced or made; no symbolic link.
    let path: String

    /// The most links followed, as many as Linux follows (`path_resolution(7)`).
    private static let linkLimit = 40

    /// What a path names once links are followed: what is there, or what would be made.
    static func target(of path: String) throws(FileFault) -> String {
        var path = path
        for _ in 0..<linkLimit {
            // Links such as those of /proc lead to what has no name: only the system can follow them.
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
        // The path lives, terminated, during the call.
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// Puts bytes in the place of what is there; it stays as it is when that fails.
    func write(_ bytes: [UInt8]) throws(FileFault) {
        try write(fault: { $0 }) { (file) throws(FileFault) in try Self.write(bytes, to: file) }
    }

    /// Puts what a body writes to an open file in the place of what is there; it stays as it is when that fails.
    ///
    /// - Parameter fault: the failure that a fault of the system is.
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
            // Else a crash of the machine may leave the new name with nothing in it.
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
            // As many bytes as the slice has, which lives during the call.
            let count = unsafe rest.withUnsafeBytes { unsafe Foundation.write(file, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileFault(code: errno)
            }
            rest = rest.dropFirst(count)
        }
    }
}

/// How many files and connections may be open at once.
enum OpenFiles {
    /// What a run takes: streams, cache, connections, and what the runtime opens when it waits, which must not fail.
    private static let least: rlim_t = 64
    /// What many hosts take.
    private static let enough: rlim_t = 1024

    /// Sees to it that there are enough, or says that there are not.
    static func makeRoom() throws(CommandFailure) {
        var limit = rlimit()
        guard unsafe getrlimit(openFiles, &limit) == 0, limit.rlim_cur < enough else { return }
        var wanted = limit
        wanted.rlim_cur = min(enough, limit.rlim_max)
        if unsafe setrlimit(openFiles, &wanted) == 0 { limit = wanted }
        guard limit.rlim_cur < least else { return }
        throw CommandFailure(
            .cannotCreate,
            "only \(limit.rlim_cur) files may be open at once, and \(least) are needed; raise the limit, as with ulimit -n 256"
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
