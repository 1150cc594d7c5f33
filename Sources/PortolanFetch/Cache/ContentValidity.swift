/// How long content stays what it is: until some second, and as long as some local files are not changed.
package struct ContentValidity: Hashable, Sendable {
    /// Seconds since 1970 from which on a server has to be asked again, or `nil` if none was asked.
    package private(set) var freshUntil: Int?
    /// The local files that were read, as they were, by their paths.
    package private(set) var files: [String: FileStamp]

    /// Makes the validity of content that never changes, or of what was read from some files.
    package init(files: [String: FileStamp] = [:]) { self.files = files }

    /// Makes the validity of what a server sent.
    package init(freshUntil: Int) {
        self.freshUntil = freshUntil
        files = [:]
    }

    /// Makes the validity of the file at a path as it is now.
    package init(path: String) { files = [path: FileStamp(path: path)] }

    /// Limits it to what other content is valid for as well.
    package mutating func formIntersection(_ other: ContentValidity) {
        if let limit = other.freshUntil { freshUntil = min(freshUntil ?? .max, limit) }
        // A file that was changed between two readings is not what the first found.
        files.merge(other.files) { $0 == $1 ? $0 : .mixed }
    }

    /// Whether the content is the same still.
    ///
    /// - Complexity: O(files), each of which the file system is asked about.
    package func holds(at now: Int) -> Bool {
        guard now < freshUntil ?? .max else { return false }
        return files.allSatisfy { FileStamp(path: $0.key) == $0.value }
    }
}
