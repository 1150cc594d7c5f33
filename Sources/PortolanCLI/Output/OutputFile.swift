import Foundation

/// Where a result goes: a file, written whole or not at all, or standard output.
struct OutputFile {
    let path: String

    /// Whether the result goes to standard output.
    var isStandardOutput: Bool { path == "-" }

    /// The path's extension in small letters.
    var pathExtension: String { URL(fileURLWithPath: path).pathExtension.lowercased() }

    /// Writes the result.
    ///
    /// A file of that name is replaced in one step, so that a reader never sees a half.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        do {
            if isStandardOutput {
                try FileHandle.standardOutput.write(contentsOf: Data(bytes))
            } else {
                try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
            }
        } catch {
            let reason = (error as NSError).userInfo[NSUnderlyingErrorKey].map { "\($0)" }
            throw CommandFailure(
                .cannotCreate,
                "\(path): cannot be written; is the folder there, and may it be written to?"
                    + (reason.map { " (\($0))" } ?? ""))
        }
    }

    /// Fails now rather than after long work when the file can surely not be made.
    func check() throws(CommandFailure) {
        guard !isStandardOutput else { return }
        let url = URL(fileURLWithPath: path), folder = url.deletingLastPathComponent()
        guard Self.isFolder(folder), FileManager.default.isWritableFile(atPath: folder.path) else {
            throw CommandFailure(.cannotCreate, "\(path): its folder does not exist or may not be written to")
        }
        if Self.isFolder(url) { throw CommandFailure(.cannotCreate, "\(path) is a folder") }
    }

    private static func isFolder(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
    }
}
