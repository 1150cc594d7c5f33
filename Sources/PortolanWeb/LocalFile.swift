#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A local regular file, opened once: all reads refer to the same file, even if its path is replaced.
///
/// Folders, pipes and devices are refused, because reading a pipe or device might never start or end.
package final class LocalFile: Sendable {
    /// The path as given.
    package let path: String
    /// The path as given.
    package let byteCount: Int
    /// The number of bytes when the file was opened.
    package let identity: Identity

    private let descriptor: Int32

    /// The size in bytes above which large memory pages are requested.
    private static let largeByteCount = 4 << 20
    /// The number of bytes read between two checks for cancellation.
    private static let pieceByteCount = 8 << 20

    /// The identity of a file among all that exist at the same time.
    package struct Identity: Hashable, Sendable {
        let device: UInt64
        let number: UInt64
    }

    /// Opens a file that the user names.
    package init(at path: String) throws(LocalFileError) {
        self.path = path
        // The system would treat the path as if it ended there.
        guard !path.utf8.contains(0) else { throw LocalFileError(.missing, at: path) }
        // O_NONBLOCK: opening a pipe without a writer must not block. The path is valid and null-terminated during the
        // call.
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

    /// Opens a file if the origin of its path permits it.
    ///
    /// A local file may refer only to files in its root folder, and a server's document to no file. Symbolic links
    /// count as their targets.
    package convenience init(
        at path: String, namedBy origin: NamedURL.Origin, policy: AddressPolicy = .standard
    ) throws(LocalFileError) {
        if let refusal = policy.refusal(ofPath: path, namedBy: origin) {
            throw LocalFileError(.refused(refusal), at: path)
        }
        try self.init(at: path)
        // The open file is checked, because links may have changed in the meantime.
        guard case .file(let root) = origin else { return }
        guard let target = Self.target(of: path), target.identity == identity,
            Self.holds(target.path, root, policy)
        else { throw LocalFileError(.refused(AddressPolicy.Refusal(origin: origin, reason: .folder(root))), at: path) }
    }

    /// Returns the reason for which the policy forbids a file or folder, or `nil` if it is allowed.
    ///
    /// Links count as their targets.
    package static func refusal(
        of path: String, namedBy origin: NamedURL.Origin, policy: AddressPolicy
    ) -> AddressPolicy.Refusal? {
        if let refusal = policy.refusal(ofPath: path, namedBy: origin) { return refusal }
        guard case .file(let root) = origin, let target = target(of: path), !holds(target.path, root, policy) else {
            return nil
        }
        return AddressPolicy.Refusal(origin: origin, reason: .folder(root))
    }

    /// Returns whether a path without links is in a folder, or in an allowed one.
    private static func holds(_ path: String, _ root: String, _ policy: AddressPolicy) -> Bool {
        policy.allowedFolders.union([root]).contains { folder in
            target(of: folder).map { LocalPath($0.path).holds(path) } ?? false
        }
    }

    deinit { _ = close(descriptor) }

    /// Returns the target of a path, following links.
    private static func target(of path: String) -> (path: String, identity: Identity)? {
        // `realpath` allocates memory that must be freed.
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        var status = stat()
        guard unsafe stat(real, &status) == 0 else { return nil }
        return unsafe (String(cString: real), Identity(status))
    }

    /// Returns the first bytes, fewer if the file is shorter.
    package func start(_ count: Int) throws(LocalFileError) -> [UInt8] { try bytes(at: 0, count: count) }

    /// Returns bytes from an offset, fewer at the end of the file.
    package func bytes(at offset: Int, count: Int) throws(LocalFileError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            unsafe failure = read(into: UnsafeMutableRawBufferPointer(buffer), &length, from: offset)
        }
        guard failure == 0 else { throw LocalFileError(failure, at: path) }
        return bytes
    }

    /// Returns all bytes up to the current end, which may have changed since the file was opened.
    ///
    /// They are read into large memory pages if the system supports them. Mapping and copying a file takes three times
    /// as long, mostly because of its many small pages.
    ///
    /// - Parameter endsWithTask: whether reading stops when the task is cancelled.
    /// - Throws: ``LocalFileError`` with the code ``LocalFileError/Code/tooLong(limit:)`` if there are more than
    ///   `limit` bytes, and with ``LocalFileError/Code/cancelled``.
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
        // Reads data appended in the meantime. A file of the system may report no length at all.
        while bytes.count >= byteCount {
            let more = try self.bytes(at: bytes.count, count: max(4096, min(bytes.count, Self.pieceByteCount)))
            if more.isEmpty { break }
            guard more.count <= limit - bytes.count else { throw LocalFileError(.tooLong(limit: limit), at: path) }
            if endsWithTask, Task.isCancelled { throw LocalFileError(.cancelled, at: path) }
            bytes += more
        }
        return bytes
    }

    /// Fills memory with bytes of the file up to its end, and returns the system error, or 0.
    private func read(into memory: UnsafeMutableRawBufferPointer, _ count: inout Int, from offset: Int) -> Int32 {
        while count < memory.count {
            // Reads at most as many bytes as there is room for after the present ones.
            let place = unsafe memory.baseAddress.map { unsafe $0 + count }
            let more = unsafe pread(descriptor, place, memory.count - count, off_t(offset + count))
            if more < 0, errno == EINTR { continue }
            if more < 0 { return errno }
            if more == 0 { break }
            count += more
        }
        return 0
    }

    /// Requests large pages for unused memory.
    ///
    /// They only affect the speed.
    private static func askForLargePages(_ memory: UnsafeMutableRawBufferPointer) {
        #if os(Linux)
        guard memory.count >= largeByteCount, let start = memory.baseAddress else { return }
        let size = sysconf(Int32(_SC_PAGESIZE))
        let offset = (size - Int(bitPattern: start) % size) % size
        // Whole pages within the memory.
        _ = unsafe madvise(start + offset, (memory.count - offset) / size * size, MADV_HUGEPAGE)
        #endif
    }
}

extension LocalFile.Identity {
    fileprivate init(_ status: stat) {
        self.init(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}

/// The reason why a local file cannot be read.
package struct LocalFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Hashable, Sendable {
        /// The file does not exist.
        case missing
        /// The user of this process may not read it.
        case notPermitted
        /// It is a folder.
        case folder
        /// It is a pipe or a device.
        case notRegular
        /// The origin of the path may not refer to it.
        case refused(AddressPolicy.Refusal)
        /// It is longer than allowed.
        case tooLong(limit: Int)
        /// The reading task was cancelled.
        case cancelled
        /// Another system error, an `errno`.
        case system(Int32)
    }

    /// The kind of failure.
    package let code: Code
    /// The path as given.
    package let path: String

    init(_ code: Code, at path: String) {
        self.code = code
        self.path = path
    }

    fileprivate init(_ reason: Int32, at path: String) {
        switch reason {
        case ENOENT, ENOTDIR: self.init(.missing, at: path)
        case EACCES, EPERM: self.init(.notPermitted, at: path)
        // A device without a driver, or a socket.
        case ENXIO: self.init(.notRegular, at: path)
        default: self.init(.system(reason), at: path)
        }
    }

    /// The message without the path.
    package var detail: String {
        switch code {
        case .missing: "no such file"
        case .notPermitted: "permission denied"
        case .folder: "this is a folder, not a file"
        case .notRegular: "this is not a regular file"
        case .refused(let refusal): refusal.description
        case .tooLong(let limit): "it exceeds the limit of \(limit) bytes"
        case .cancelled: "reading was cancelled"
        case .system(ELOOP): "its symbolic links form a loop"
        case .system(EMFILE), .system(ENFILE): "too many open files"
        case .system(let reason): "system error \(reason)"
        }
    }

    /// The path and the message.
    package var description: String { "\(path): \(detail)" }
}
