import Foundation

/// A document that broke a promise, kept in a file.
enum Finding {
    /// Writes the document down; returns the file's path.
    static func keep(_ bytes: [UInt8], of kind: FuzzKind, in folder: URL) -> String {
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let file = folder.appending(path: "\(kind.name)-\(String(hash, radix: 16))")
        do { try Data(bytes).write(to: file) } catch { tell("cannot write \(file.path): \(error)") }
        return file.path
    }

    /// Writes a line at once, so that it is there when the process ends in the middle of the next document.
    static func tell(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
