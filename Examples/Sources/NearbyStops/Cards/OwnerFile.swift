import Foundation

/// A file that only its owner can read and write, and that is replaced atomically.
struct OwnerFile: Sendable {
    let path: String

    /// Returns the bytes of the file, or `nil` if it does not exist.
    ///
    /// Permissions of other users, for example from a copy or a restored backup, are removed first.
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

    /// Replaces the content: a temporary file is written first, with permissions for the owner only.
    func write(_ bytes: [UInt8]) throws(CardStripError) {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let beside = folder.appending(path: ".cards-\(UUID().uuidString).part").path
        // Both paths are valid and null-terminated during the calls.
        let descriptor = unsafe open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path: path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(bytes))
            // Otherwise a system crash could leave an empty file under the new name.
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
