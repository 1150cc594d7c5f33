#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What a file holds.
enum FileBytes {
    case bytes([UInt8])
    /// It is not there, or cannot be read.
    case missing
    /// It is longer than it may be.
    case tooLong

    /// From this many bytes on it is worth while to ask for large pages of memory.
    private static let largeByteCount = 4 << 20

    /// Reads a file.
    ///
    /// It is read into its place, in large pages where the system has them: to map it and copy it takes three times as long, most
    /// of that for its many small pages.
    init(of path: String, limit: Int) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            self = .missing
            return
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else {
            self = .missing
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            // A pipe has no length before it ends.
            let data = try? Data(contentsOf: URL(filePath: path))
            self = data.map { $0.count <= limit ? .bytes([UInt8]($0)) : .tooLong } ?? .missing
            return
        }
        guard status.st_size <= limit else {
            self = .tooLong
            return
        }
        var isWhole = true
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            count = 0
            unsafe Self.askForLargePages(UnsafeMutableRawBufferPointer(buffer))
            while count < buffer.count {
                // As many bytes as there is room for behind those that are there.
                let place = unsafe buffer.baseAddress.map { unsafe $0 + count }
                let more = unsafe read(file, place, buffer.count - count)
                if more < 0, errno == EINTR { continue }
                isWhole = more >= 0
                guard more > 0 else { break }
                count += more
            }
        }
        self = isWhole ? .bytes(bytes) : .missing
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
