/// A normalised local path, without access to the file system.
package struct LocalPath: Hashable, Sendable {
    /// The path with `.` and `..` resolved; absolute if the given one was.
    package let text: String

    /// Normalises a path.
    package init(_ path: String) {
        var parts: [Substring] = []
        let isAbsolute = path.hasPrefix("/")
        for part in path.split(separator: "/") {
            switch part {
            case ".": continue
            case "..":
                if let last = parts.last, last != ".." { parts.removeLast() } else if !isAbsolute { parts.append(part) }
            default: parts.append(part)
            }
        }
        text = (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }

    /// Parses the path of a `file:` URL (RFC 8089), or returns `nil` for other texts.
    package init?(url: String) {
        guard let path = try? FileURL.path(of: url) else { return nil }
        self.init(path)
    }

    /// The parent folder; that of the root is the root.
    package var folder: String {
        guard let slash = text.lastIndex(of: "/") else { return "." }
        return slash == text.startIndex ? "/" : String(text[..<slash])
    }

    /// Returns whether a path is in this folder or a subfolder.
    package func holds(_ path: String) -> Bool {
        let path = LocalPath(path).text
        return text == "/" ? path.hasPrefix("/") : path == text || path.hasPrefix(text + "/")
    }
}

/// `file:` URLs (RFC 8089).
package enum FileURL {
    /// The reason why a URL is not the URL of a local file.
    package enum Fault: Error, Hashable, Sendable {
        case invalid(String)
        /// It has another scheme.
        case scheme(String)
    }

    /// Returns the path of a `file:` URL; the host must be empty or `localhost`.
    package static func path(of url: String) throws(Fault) -> String {
        guard let parts = URLParts(url) else { throw .invalid(URLParts.fault(of: url)) }
        guard parts.scheme == "file" else { throw .scheme(parts.scheme) }
        guard parts.host.isEmpty || parts.host == "localhost", parts.userInfo == nil, parts.port == nil else {
            throw .invalid("a file: URL with a host refers to another machine")
        }
        guard let bytes = PercentEncoding.decode(parts.path.utf8), !bytes.contains(0),
            let path = String(validating: bytes, as: UTF8.self)
        else { throw .invalid("the path has invalid percent-encoding, a zero byte or invalid UTF-8") }
        guard path.hasPrefix("/") else { throw .invalid("the path is not absolute; write file:///…") }
        return path
    }
}
