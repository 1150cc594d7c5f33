import Foundation

/// Where a result goes: a file, written whole or not at all, or standard output.
package struct OutputFile {
    let path: String

    package init(path: String) { self.path = path }

    /// Whether the result goes to standard output.
    package var isStandardOutput: Bool { path == "-" }

    /// The path's extension in small letters.
    package var pathExtension: String { url.pathExtension.lowercased() }

    /// The name of the file without folders and extension.
    var stem: String { url.deletingPathExtension().lastPathComponent }

    private var url: URL { URL(fileURLWithPath: path) }

    /// Whether both name the same file.
    func isSame(as other: OutputFile) -> Bool {
        path == other.path || (!isStandardOutput && !other.isStandardOutput && place == other.place)
    }

    /// The file that is written, links followed.
    private var place: URL {
        URL(fileURLWithPath: (try? FileReplacement.target(of: path)) ?? path).resolvingSymlinksInPath()
    }

    /// Writes the result.
    ///
    /// A file of that name is replaced in one step, so that a reader never sees a half.
    package func write(_ bytes: [UInt8]) throws(CommandFailure) { try Self.write([(self, bytes)]) }

    /// Writes several results; an interruption comes before all of them or after.
    static func write(_ results: [(file: OutputFile, bytes: [UInt8])]) throws(CommandFailure) {
        try Interruption.whole { () throws(CommandFailure) in
            for (file, bytes) in results where !file.isStandardOutput { try file.replace(with: bytes) }
        }
        // A reader of standard output may be slow, or gone; an interruption does not wait for it.
        for (file, bytes) in results where file.isStandardOutput {
            do { try FileHandle.standardOutput.write(contentsOf: Data(bytes)) } catch {
                throw CommandFailure(.cannotCreate, "standard output cannot be written: \(reason(error))")
            }
        }
    }

    /// Writes a result that comes in pieces, and gives what `body` gives; a file is replaced once all has come.
    func write<Value>(
        pieces body: (_ add: ([UInt8]) throws(CommandFailure) -> Void) throws(CommandFailure) -> Value
    ) throws(CommandFailure) -> Value {
        if isStandardOutput {
            return try body { (bytes) throws(CommandFailure) in
                do { try FileHandle.standardOutput.write(contentsOf: Data(bytes)) } catch {
                    throw CommandFailure(.cannotCreate, "standard output cannot be written: \(Self.reason(error))")
                }
            }
        }
        let target: String
        do throws(FileFault) { target = try FileReplacement.target(of: path) } catch { throw failure(error) }
        var value: Value?
        try FileReplacement(path: target).write(fault: failure) { (file) throws(CommandFailure) in
            value = try body { (bytes) throws(CommandFailure) in
                do throws(FileFault) { try FileReplacement.write(bytes, to: file) } catch { throw failure(error) }
            }
        }
        guard let value else { throw CommandFailure(.cannotCreate, "\(path) cannot be written") }
        return value
    }

    private func replace(with bytes: [UInt8]) throws(CommandFailure) {
        do throws(FileFault) {
            try FileReplacement(path: try FileReplacement.target(of: path)).write(bytes)
        } catch { throw failure(error) }
    }

    /// Fails now rather than after long work when the file can surely not be made.
    package func check() throws(CommandFailure) {
        guard !isStandardOutput else { return }
        guard !path.isEmpty else { throw CommandFailure(.usage, "the name of the file to write is empty") }
        let target: String
        do throws(FileFault) { target = try FileReplacement.target(of: path) } catch { throw failure(error) }
        if Self.isFolder(URL(fileURLWithPath: target)) {
            throw CommandFailure(.cannotCreate, "\(path) cannot be written: it is a folder; add a file name")
        }
        // A device or a pipe is written to, and nothing is made beside it.
        guard !FileReplacement.isSpecial(target) else { return }
        let folder = URL(fileURLWithPath: target).deletingLastPathComponent()
        guard Self.isFolder(folder) else {
            throw CommandFailure(
                .cannotCreate, "\(path) cannot be written: there is no folder \(folder.path); make it first")
        }
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
            throw CommandFailure(
                .cannotCreate, "\(path) cannot be written: the folder \(folder.path) may not be written to")
        }
    }

    private func failure(_ fault: FileFault) -> CommandFailure {
        CommandFailure(.cannotCreate, "\(path) cannot be written: \(fault.words)")
    }

    private static func isFolder(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
    }

    /// What the system says, without the wrapping.
    private static func reason(_ error: any Error) -> String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
        return FileFault(code: underlying.domain == NSPOSIXErrorDomain ? Int32(underlying.code) : EIO).words
    }
}
