#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A regular file of this machine, opened once: what is recognised, and what is read, is one file, whatever becomes of its path.
///
/// Folders, pipes and devices are refused, since reading a pipe or a device may never begin, or never end.
package final class LocalFile: Sendable {
    /// The path, as it was given.
    package let path: String
    /// The number of bytes when the file was opened.
    package let byteCount: Int
    /// The identity of the file.
    package let identity: Identity

    private let descriptor: Int32

    /// From this many bytes on it is worth while to ask for large pages of memory.
    private static let largeByteCount = 4 << 20
    /// How many bytes are read between two looks at whether the task was cancelled.
    private static let pieceByteCount = 8 << 20

    /// What tells a file from all others that exist at the same time.
    package struct Identity: Hashable, Sendable {
        let device: UInt64
        let number: UInt64
    }

    /// Opens the file that the user names.
    package init(at path: String) throws(LocalFileError) {
        self.path = path
        // The system would take such a path for a shorter one.
        guard !path.utf8.contains(0) else { throw LocalFileError(.missing, at: path) }
        // O_NONBLOCK: opening a pipe that nobody writes to must not wait. The path lives, terminated, during the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw LocalFileError(errno, at: path) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let reason = errno
            _ = close(descriptor)
            throw LocalFileError(reason, at: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            _ = close(descriptor)
            throw LocalFileError(status.st_mode & S_IFMT == S_IFDIR ? .folder : .notRegular, at: path)
        }
        self.descriptor = descriptor
        byteCount = max(0, Int(status.st_size))
        identity = Identity(status)
    }

    /// Opens the file that somebody names, if that may be: a file names only files in its root folder, and no document of a
    /// server names any.
    ///
    /// Symbolic links count as what they lead to.
    package convenience init(
        at path: String, namedBy origin: AddressOrigin, policy: AddressPolicy = .standard
    ) throws(LocalFileError) {
        if let refusal = policy.refusal(ofPath: path, namedBy: origin) {
            throw LocalFileError(.refused(refusal), at: path)
        }
        try self.init(at: path)
        // What is open is looked at: the links may have been changed meanwhile.
        guard case .file(let root) = origin else { return }
        guard let target = Self.target(of: path), target.identity == identity,
            Self.holds(target.path, root, policy)
        else { throw LocalFileError(.refused(AddressRefusal(origin: origin, reason: .folder(root))), at: path) }
    }

    /// The reason why what is at a path is not to be read, whether it is a file or a folder; links count as what they lead to.
    package static func refusal(
        of path: String, namedBy origin: AddressOrigin, policy: AddressPolicy
    ) -> AddressRefusal? {
        if let refusal = policy.refusal(ofPath: path, namedBy: origin) { return refusal }
        guard case .file(let root) = origin, let target = target(of: path), !holds(target.path, root, policy) else {
            return nil
        }
        return AddressRefusal(origin: origin, reason: .folder(root))
    }

    /// Whether a path without links lies in a folder, or in one that is allowed.
    private static func holds(_ path: String, _ root: String, _ policy: AddressPolicy) -> Bool {
        policy.allowedFolders.union([root]).contains { folder in
            target(of: folder).map { LocalPath($0.path).holds(path) } ?? false
        }
    }

    deinit { _ = close(descriptor) }

    /// Where a path leads, links followed.
    private static func target(of path: String) -> (path: String, identity: Identity)? {
        // The system gives memory that is to be given back.
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        var status = stat()
        guard unsafe stat(real, &status) == 0 else { return nil }
        return unsafe (String(cString: real), Identity(status))
    }

    /// The first bytes; fewer where the file is shorter.
    package func start(_ count: Int) throws(LocalFileError) -> [UInt8] { try bytes(at: 0, count: count) }

    /// Bytes in the middle; fewer where the file ends.
    package func bytes(at offset: Int, count: Int) throws(LocalFileError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            unsafe failure = read(into: UnsafeMutableRawBufferPointer(buffer), &length, from: offset)
        }
        guard failure == 0 else { throw LocalFileError(failure, at: path) }
        return bytes
    }

    /// All bytes to the end, which may have moved since the file was opened.
    ///
    /// They are read into their place, in large pages where the system has them: to map a file and copy it takes three times as
    /// long, most of that for its many small pages.
    ///
    /// - Parameter endsWithTask: whether a task that was cancelled reads no further.
    /// - Throws: ``LocalFileError`` with the code ``LocalFileError/Code/tooLong(limit:)`` if there are more than `limit`, and with
    ///   ``LocalFileError/Code/cancelled``.
    package func bytes(limit: Int, endsWithTask: Bool = false) throws(LocalFileError) -> [UInt8] {
        guard byteCount <= limit else { throw LocalFileError(.tooLong(limit: limit), at: path) }
        var failure: Int32 = 0, isCancelled = false
        var bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, length in
            unsafe Self.askForLargePages(UnsafeMutableRawBufferPointer(buffer))
            while failure == 0, length < buffer.count {
                if endsWithTask, Task.isCancelled {
                    isCancelled = true
                    break
                }
                var count = 0
                let room = UnsafeMutableRawBufferPointer(buffer)
                let end = min(length + Self.pieceByteCount, room.count)
                let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: room[length..<end])
                unsafe failure = read(into: piece, &count, from: length)
                length += count
                if count == 0 { break }
            }
        }
        guard !isCancelled else { throw LocalFileError(.cancelled, at: path) }
        guard failure == 0 else { throw LocalFileError(failure, at: path) }
        // What was written behind it meanwhile; a file of the system may say that it has no length at all.
        while bytes.count >= byteCount {
            let more = try self.bytes(at: bytes.count, count: max(4096, min(bytes.count, Self.pieceByteCount)))
            if more.isEmpty { break }
            guard more.count <= limit - bytes.count else { throw LocalFileError(.tooLong(limit: limit), at: path) }
            if endsWithTask, Task.isCancelled { throw LocalFileError(.cancelled, at: path) }
            bytes += more
        }
        return bytes
    }

    /// Fills memory with bytes of the file, as far as it goes; returns the error of the system, or 0.
    private func read(into memory: UnsafeMutableRawBufferPointer, _ count: inout Int, from offset: Int) -> Int32 {
        while count < memory.count {
            // As many bytes as there is room for behind those that are there.
            let place = unsafe memory.baseAddress.map { unsafe $0 + count }
            let more = unsafe pread(descriptor, place, memory.count - count, off_t(offset + count))
            if more < 0, errno == EINTR { continue }
            if more < 0 { return errno }
            if more == 0 { break }
            count += more
        }
        return 0
    }

    /// Asks for large pages within some memory, none of which is used so far; whether there are any makes no difference but in time.
    private static func askForLargePages(_ memory: UnsafeMutableRawBufferPointer) {
        #if os(Linux)
        guard memory.count >= largeByteCount, let start = memory.baseAddress else { return }
        let size = sysconf(Int32(_SC_PAGESIZE))
        let offset = (size - Int(bitPattern: start) % size) % size
        // Whole pages that lie in it.
        _ = unsafe madvise(start + offset, (memory.count - offset) / size * size, MADV_HUGEPAGE)
        #endif
    }
}

extension LocalFile.Identity {
    fileprivate init(_ status: stat) {
        self.init(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}

/// Why a file of this machine is not read.
package struct LocalFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure that callers tell apart.
    package enum Code: Hashable, Sendable {
        /// There is no such file.
        case missing
        /// The user of this process may not read it.
        case notPermitted
        /// It is a folder.
        case folder
        /// It is a pipe or a device.
        case notRegular
        /// Who names it may not lead there.
        case refused(AddressRefusal)
        /// It has more bytes than allowed.
        case tooLong(limit: Int)
        /// The task that was reading was cancelled.
        case cancelled
        /// The system reports another error, an `errno`.
        case system(Int32)
    }

    /// What is wrong.
    package let code: Code
    /// The path, as it was given.
    package let path: String

    init(_ code: Code, at path: String) {
        self.code = code
        self.path = path
    }

    fileprivate init(_ reason: Int32, at path: String) {
        switch reason {
        case ENOENT, ENOTDIR: self.init(.missing, at: path)
        case EACCES, EPERM: self.init(.notPermitted, at: path)
        // A device without a driver, and a socket.
        case ENXIO: self.init(.notRegular, at: path)
        default: self.init(.system(reason), at: path)
        }
    }

    /// What is wrong, without the path.
    package var detail: String {
        switch code {
        case .missing: "there is no such file"
        case .notPermitted: "reading it is not permitted"
        case .folder: "this is a folder, not a file"
        case .notRegular: "this is not a regular file"
        case .refused(let refusal): refusal.description
        case .tooLong(let limit): "it is longer than the limit of \(limit) bytes"
        case .cancelled: "reading it was cancelled"
        case .system(ELOOP): "its symbolic links go round in a circle"
        case .system(EMFILE), .system(ENFILE): "too many files are open"
        case .system(let reason): "the system reports error \(reason)"
        }
    }

    /// The path and what is wrong.
    package var description: String { "\(path): \(detail)" }
}
