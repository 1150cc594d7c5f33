#if !canImport(CoreText) && canImport(CFreeType)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The bytes of a font file, kept at one address for the libraries that point into them.
///
/// They are read, not mapped: a mapped file that another program shortens would end the process.
@safe final class FontFile {
    let path: String
    private let storage: UnsafeMutableRawBufferPointer

    /// Where the bytes are; valid for reading as long as this object lives.
    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(storage) }

    /// Reads the whole regular file at `path`.
    init(path: String, limit: Int) throws(TextError) {
        self.path = path
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.systemError(path) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.systemError(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadableFont(file: path, detail: "it is not a regular file")
        }
        let size = Int(status.st_size)
        guard size > 0 else { throw .unreadableFont(file: path, detail: "it is empty") }
        // The libraries count a file's bytes in 32 bits.
        guard size <= min(limit, Int(Int32.max)) else {
            throw .unreadableFont(file: path, detail: "it has \(size) bytes, more than the \(limit) allowed")
        }
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        unsafe self.storage = storage
        var count = 0
        while count < size {
            // Reads into what is left of the storage, so never past its end.
            let got = unsafe read(descriptor, storage.baseAddress.map { unsafe $0 + count }, size - count)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else {
                throw got < 0
                    ? Self.systemError(path)
                    : .unreadableFont(file: path, detail: "it ended at byte \(count) while being read")
            }
            count += got
        }
    }

    deinit { unsafe storage.deallocate() }

    private static func systemError(_ path: String) -> TextError {
        let code = errno
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return .unreadableFont(file: path, detail: reason)
    }
}
#endif
