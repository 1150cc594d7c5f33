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

    /// The absolute path of a path.
    static func path(of text: String) -> String { URL(filePath: text).absoluteURL.standardizedFileURL.path }
}
