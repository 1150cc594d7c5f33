#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts paths and URLs of user input to URLs.
package enum FileAddress {
    /// Returns the URL of a path, or the text itself if it is a URL.
    package static func url(of text: String) -> String {
        if text.contains("://") || text.hasPrefix("data:") { return text }
        return URL(filePath: text).absoluteURL.absoluteString
    }

    /// Returns whether a text refers to this machine: a path, or a `file:` or `data:` URL.
    package static func isLocal(_ text: String) -> Bool {
        text.hasPrefix("data:") || text.hasPrefix("file:") || !text.contains("://")
    }

    /// Resolves a path relative to a folder.
    ///
    /// URLs and `-` (standard input) are returned unchanged.
    static func path(of text: String, in folder: String) -> String {
        if text == "-" || text.contains("://") || text.hasPrefix("data:") || text.hasPrefix("file:") { return text }
        return URL(fileURLWithPath: text, relativeTo: URL(filePath: folder, directoryHint: .isDirectory)).path
    }

    /// Returns the absolute path of a path.
    package static func path(of text: String) -> String { URL(filePath: text).absoluteURL.standardizedFileURL.path }
}
