import Foundation

/// A file that its owner alone reads and writes, and that is replaced whole or not at all.
struct OwnerFile: Sendable {
    let path: String

    /// The bytes of the file, or `nil` where there is none.
    ///
    /// Rights of others, which a copy or a restored backup may have given, are taken back first.
    func read(limit: Int) throws(CardStripError) -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            if (rights?.intValue ?? 0o777) & 0o077 != 0 {
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            }
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            let bytes = try file.read(upToCount: limit + 1) ?? Data()
            guard bytes.count <= limit else { throw CardStripError.damaged(path: path, what: "it is too large") }
            return [UInt8](bytes)
        } catch let error as CardStripError { throw error } catch { throw .unreadable(path: path) }
    }

    /// Puts bytes in the place of what is there: written beside it, with rights of the owner alone from the beginning.
    func write(_ bytes: [UInt8]) throws(CardStripError) {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let beside = folder.appending(path: ".cards-\(UUID().uuidString).part").path
        // Both paths live, terminated, during the calls.
        let descriptor = unsafe open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path: path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(bytes))
            // Else a crash of the machine may leave the new name with nothing in it.
            try file.synchronize()
            try file.close()
        } catch {
            _ = unsafe unlink(beside)
            throw .unwritable(path: path)
        }
        guard unsafe rename(beside, path) == 0 else {
            _ = unsafe unlink(beside)
            throw .unwritable(path: path)
        }
    }
}
