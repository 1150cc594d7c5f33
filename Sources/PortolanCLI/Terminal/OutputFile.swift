import Foundation

/// The target of a result: a file, replaced as a whole, or standard output.
package struct OutputFile {
    let path: String

    package init(path: String) { self.path = path }

    /// Whether the result is written to standard output.
    package var isStandardOutput: Bool { path == "-" }

    /// The extension of the path in lower case.
    package var pathExtension: String { url.pathExtension.lowercased() }

    /// The file name without folders and extension.
    var stem: String { url.deletingPathExtension().lastPathComponent }

    private var url: URL { URL(fileURLWithPath: path) }

    /// Whether both refer to the same file.
    func isSame(as other: OutputFile) -> Bool {
        path == other.path || (!isStandardOutput && !other.isStandardOutput && place == other.place)
    }

    /// The file after following links.
    private var place: URL {
        URL(fileURLWithPath: (try? FileReplacement.target(of: path)) ?? path).resolvingSymlinksInPath()
    }

    /// Writes the result.
    ///
    /// An existing file is replaced atomically: readers never see a partial file.
    package func write(_ bytes: [UInt8]) throws(CommandFailure) { try Self.write([(self, bytes)]) }

    /// Writes several results; an interruption takes effect before or after all of them.
    static func write(_ results: [(file: OutputFile, bytes: [UInt8])]) throws(CommandFailure) {
        try Interruption.whole { () throws(CommandFailure) in
            for (file, bytes) in results where !file.isStandardOutput { try file.replace(with: bytes) }
        }
        // A reader of standard output may be slow or gone; an interruption does not wait for it.
        for (file, bytes) in results where file.isStandardOutput {
            do { try FileHandle.standardOutput.write(contentsOf: Data(bytes)) } catch {
                throw CommandFailure(.cannotCreate, "cannot write to standard output: \(reason(error))")
            }
        }
    }

    /// Writes a result in pieces and returns the value of `body`.
    ///
    /// A file is replaced after the last piece.
    func write<Value>(
        pieces body: (_ add: ([UInt8]) throws(CommandFailure) -> Void) throws(CommandFailure) -> Value
    ) throws(CommandFailure) -> Value {
        if isStandardOutput {
            return try body { (bytes) throws(CommandFailure) in
                do { try FileHandle.standardOutput.write(contentsOf: Data(bytes)) } catch {
                    throw CommandFailure(.cannotCreate, "cannot write to standard output: \(Self.reason(error))")
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
        guard let value else { throw CommandFailure(.cannotCreate, "cannot write \(path)") }
        return value
    }

    private func replace(with bytes: [UInt8]) throws(CommandFailure) {
        do throws(FileFault) {
            try FileReplacement(path: try FileReplacement.target(of: path)).write(bytes)
        } catch { throw failure(error) }
    }

    /// Fails early, before long work, if the file certainly cannot be written.
    package func check() throws(CommandFailure) {
        guard !isStandardOutput else { return }
        guard !path.isEmpty else { throw CommandFailure(.usage, "the output file name is empty") }
        let target: String
        do throws(FileFault) { target = try FileReplacement.target(of: path) } catch { throw failure(error) }
        if Self.isFolder(URL(fileURLWithPath: target)) {
            throw CommandFailure(.cannotCreate, "cannot write \(path): it is a folder; add a file name")
        }
        // A device or pipe is written to directly; nothing is created next to it.
        guard !FileReplacement.isSpecial(target) else { return }
        let folder = URL(fileURLWithPath: target).deletingLastPathComponent()
        guard Self.isFolder(folder) else {
            throw CommandFailure(
                .cannotCreate, "cannot write \(path): no folder \(folder.path); create it first")
        }
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
            throw CommandFailure(
                .cannotCreate, "cannot write \(path): no permission to write to the folder \(folder.path)")
        }
    }

    private func failure(_ fault: FileFault) -> CommandFailure {
        CommandFailure(.cannotCreate, "cannot write \(path): \(fault.words)")
    }

    private static func isFolder(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
    }

    /// The message of the system, without the wrapping.
    private static func reason(_ error: any Error) -> String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
        return FileFault(code: underlying.domain == NSPOSIXErrorDomain ? Int32(underlying.code) : EIO).words
    }
}
