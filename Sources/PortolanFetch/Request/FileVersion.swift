import PortolanWeb

/// The version of a file on a server, which distinguishes ranges of different versions (RFC 9110, section 8.8).
package struct FileVersion: Hashable, Sendable {
    /// The entity tag, as the server writes it.
    package let tag: String?
    /// The time of the last change, as the server writes it.
    package let modified: String?
    /// The number of bytes of the whole file.
    package let byteCount: UInt64?

    /// Makes a version of its parts.
    package init(tag: String? = nil, modified: String? = nil, byteCount: UInt64? = nil) {
        self.tag = tag.flatMap { $0.isEmpty ? nil : $0 }
        self.modified = modified
        self.byteCount = byteCount
    }

    /// Whether both may be one version: nothing that the server states of both differs.
    package func matches(_ other: FileVersion) -> Bool {
        if let byteCount, let count = other.byteCount, byteCount != count { return false }
        // A proxy that recodes other answers weakens tags: they are compared weakly (section 8.8.3.2).
        if let tag, let otherTag = other.tag { return Self.opaque(tag) == Self.opaque(otherTag) }
        if let modified, let time = other.modified { return modified == time }
        return true
    }

    /// The field by which a server refuses to send a range of another version, or `nil` if the version has no strong mark.
    package var condition: HTTPHeader? {
        // A weak tag never matches (section 13.1.1).
        if let tag { return tag.hasPrefix("W/") ? nil : HTTPHeader(name: "If-Match", value: tag) }
        return modified.map { HTTPHeader(name: "If-Unmodified-Since", value: $0) }
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
