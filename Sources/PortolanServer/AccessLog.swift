#if Server
import Foundation
package import PortolanServerCore
import Synchronization

/// The access log on standard error or in a file, one line per request.
package final class AccessLog: Sendable {
    private let format: AccessEntry.Format
    private let path: String?
    private let handle: Mutex<FileHandle>

    /// Opens the log.
    ///
    /// - Parameter path: the file to which lines are appended, or `nil` for standard error.
    /// - Throws: the error of the system if the file cannot be written.
    package init(_ format: AccessEntry.Format, path: String?) throws {
        self.format = format
        self.path = path
        handle = Mutex(try path.map(Self.file) ?? .standardError)
    }

    /// Opens the file again, after a program like logrotate has moved it.
    ///
    /// - Throws: the error of the system; then the log continues in the file that is open.
    package func reopen() throws {
        guard let path else { return }
        let new = try Self.file(path)
        handle.withLock { handle in
            try? handle.close()
            handle = new
        }
    }

    /// Writes a line.
    package func write(_ entry: AccessEntry) {
        let line = Data((entry.line(as: format) + "\n").utf8)
        // A full disk must not end the server.
        handle.withLock { try? $0.write(contentsOf: line) }
    }

    private static func file(_ path: String) throws -> FileHandle {
        // Lines of several workers do not overwrite each other. The path is null-terminated during the call.
        let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
#endif
