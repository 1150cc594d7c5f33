import Foundation

/// A file that a command reads.
enum InputFile {
    /// Throws if a path leads to a pipe or a device, which may never end, or never begin; what is missing is left to the reader.
    static func check(_ path: String) throws(CommandFailure) {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let kind = (try? FileManager.default.attributesOfItem(atPath: target))?[.type] as? FileAttributeType
        guard let kind, kind != .typeRegular, kind != .typeDirectory else { return }
        throw CommandFailure(.noInput, "\(path): this is not a regular file")
    }
}
