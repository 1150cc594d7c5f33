#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns what a person writes, a path or a URL, into a URL.
package enum FileAddress {
    /// The URL of a path, or the text itself when it is a URL already.
    package static func url(of text: String) -> String {
        if text.contains("://") || text.hasPrefix("data:") { return text }
        return URL(filePath: text).absoluteURL.absoluteString
    }

    /// Whether a text is not of another machine: a path, or a `file:` or `data:` URL.
    package static func isLocal(_ text: String) -> Bool {
        text.hasPrefix("data:") || text.hasPrefix("file:") || !text.contains("://")
    }

    /// The path that a path means which stands in a file of a folder; a URL and standard input are what they are.
    static func path(of text: String, in folder: String) -> String {
        if text == "-" || text.contains("://") || text.hasPrefix("data:") || text.hasPrefix("file:") { return text }
        return URL(fileURLWithPath: text, relativeTo: URL(filePath: folder, directoryHint: .isDirectory)).path
    }

    /// The absolute path of a path.
    package static func path(of text: String) -> String { URL(filePath: text).absoluteURL.standardizedFileURL.path }
}
