package import PortolanFeatures
package import PortolanWeb

/// Resolves the address of an icon in a style.
package enum IconAddress {
    /// Returns the absolute URL of an icon.
    ///
    /// It is `nil` for a relative address without a base, or if the document may not refer to that location.
    ///
    /// - Parameters:
    ///   - base: the document that names the icon, or `nil` if the user does.
    package static func url(of icon: IconMarker.Source, relativeTo base: BaseURL?) -> NamedURL? {
        let text: String?
        switch icon {
        case .url(let url): text = url
        case .file(let path): text = url(ofPath: path, relativeTo: base?.url)
        case .picture: text = nil
        }
        guard let text else { return nil }
        guard let base else { return NamedURL(text, namedBy: .user) }
        return base.refusal(of: text) == nil ? base.names(text) : nil
    }

    private static func url(ofPath reference: String, relativeTo base: String?) -> String? {
        guard let base else { return reference.hasPrefix("/") ? "file://" + PercentEncoding.path(reference) : nil }
        let document = LooseURL(base)
        guard document.scheme != nil else { return nil }
        // References are URLs in a document from a server, and file names in a local file.
        return document.resolving(
            document.isFile
                ? PercentEncoding.path(reference) : PercentEncoding.repaired(reference, isStart: false))
    }
}
