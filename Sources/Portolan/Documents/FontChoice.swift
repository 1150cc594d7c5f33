public import PortolanText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A font as a map document or a command line names it: a file or an installed family.
public struct FontChoice: Hashable, Sendable {
    /// What was written.
    public let text: String
    /// What it stands for.
    public let source: FontSource

    /// Whether two stand for the same, however they were written.
    public static func == (one: FontChoice, other: FontChoice) -> Bool { one.source == other.source }

    /// Hashes what it stands for.
    public func hash(into hasher: inout Hasher) { hasher.combine(source) }

    private static let extensions = ["ttf", "otf", "ttc", "otc", "woff", "woff2", "pfb", "dfont"]

    /// Reads the name of a font.
    ///
    /// What looks like a path or has the extension of a font is a file, and so is what there is a file of.
    ///
    /// - Parameter folder: what relative paths are relative to; the current folder when `nil`.
    public init(_ text: String, relativeTo folder: String? = nil) {
        self.text = text
        let url = URL(fileURLWithPath: text, relativeTo: folder.map { URL(fileURLWithPath: $0, isDirectory: true) })
        let isFile =
            text.contains("/") || Self.extensions.contains(url.pathExtension.lowercased())
            || FileManager.default.fileExists(atPath: url.path)
        source = isFile ? .file(url.path) : .family(text)
    }
}
