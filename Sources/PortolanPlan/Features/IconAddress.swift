package import PortolanFeatures
import PortolanWeb

/// Finds the address of an icon that a style names.
package enum IconAddress {
    /// The absolute URL of an icon, or `nil` when it is relative and there is nothing to be relative to, or when it is a
    /// local file that a document from elsewhere names.
    ///
    /// - Parameters:
    ///   - base: the URL of the document that names the icon.
    package static func url(of icon: IconSource, relativeTo base: String?) -> String? {
        switch icon {
        case .url(let url): isFile(url) && !(base.map(isFile) ?? true) ? nil : url
        case .file(let path): url(ofPath: path, relativeTo: base)
        }
    }

    private static func isFile(_ url: String) -> Bool { url.prefix(5).lowercased() == "file:" }

    private static func url(ofPath reference: String, relativeTo base: String?) -> String? {
        guard let base else { return reference.hasPrefix("/") ? "file://" + PercentEncoding.path(reference) : nil }
        let document = BaseURL(base)
        guard document.scheme != nil else { return nil }
        // A reference in a document from a server is written as a URL, one in a file as the name of a file.
        return document.resolving(
            document.isFile
                ? PercentEncoding.path(reference) : PercentEncoding.repaired(reference, isStart: false))
    }
}
