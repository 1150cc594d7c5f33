/// The validity of derived content: until a time, and as long as certain local files are unchanged.
package struct ContentValidity: Hashable, Sendable {
    /// The time in seconds since 1970 from which a server must be contacted again, or `nil` without servers.
    package private(set) var freshUntil: Int?
    /// The versions of the local files that were read, by path.
    package private(set) var files: [String: FileStamp]

    /// Creates the validity of content that never changes, or of content read from files.
    package init(files: [String: FileStamp] = [:]) { self.files = files }

    /// Creates the validity of a server's response.
    package init(freshUntil: Int) {
        self.freshUntil = freshUntil
        files = [:]
    }

    /// Creates the validity of the current version of a file.
    package init(path: String) { files = [path: FileStamp(path: path)] }

    /// Restricts it to the validity of other content.
    package mutating func formIntersection(_ other: ContentValidity) {
        if let limit = other.freshUntil { freshUntil = min(freshUntil ?? .max, limit) }
        // A file that changed between two reads invalidates the content.
        files.merge(other.files) { $0 == $1 ? $0 : .mixed }
    }

    /// Returns whether the content is still valid.
    ///
    /// - Complexity: O(files), each with a file system call.
    package func holds(at now: Int) -> Bool {
        guard now < freshUntil ?? .max else { return false }
        return files.allSatisfy { FileStamp(path: $0.key) == $0.value }
    }
}
