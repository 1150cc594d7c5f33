package import PortolanFeatures

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
        guard let base else { return reference.hasPrefix("/") ? "file://" + escaped(reference) : nil }
        guard let authority = base.firstRange(of: "://") else { return nil }
        if reference.hasPrefix("//") { return base[..<authority.lowerBound] + ":" + reference }
        let pathEnd = base[authority.upperBound...].firstIndex { $0 == "?" || $0 == "#" } ?? base.endIndex
        let pathStart = base[authority.upperBound..<pathEnd].firstIndex(of: "/") ?? pathEnd
        // A reference in a document from a server is written as a URL, one in a file as the name of a file.
        let escaped = isFile(base) ? escaped(reference) : encoded(reference)
        if reference.hasPrefix("/") { return base[..<pathStart] + escaped }
        let path = base[pathStart..<pathEnd]
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return base[..<pathStart] + folder + escaped
    }

    /// A reference with the bytes that a URL cannot hold written as `%XX`; a query stays one.
    private static func encoded(_ reference: String) -> String {
        let parts = reference.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.map { part in
            part.split(separator: "%", omittingEmptySubsequences: false).map { escaped(String($0)) }
                .joined(separator: "%")
        }.joined(separator: "?")
    }

    /// The path with the bytes that a URL cannot hold written as `%XX`.
    private static func escaped(_ path: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=:@".utf8)
        let digits = Array("0123456789ABCDEF")
        var text = ""
        for byte in path.utf8 {
            if plain.contains(byte) {
                text.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return text
    }
}
