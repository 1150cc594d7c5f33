/// Why tiles are not fetched for later use.
public struct SeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case noTiles, refused, tooMany, file, stopped, cancelled }
        private let kind: Kind

        /// The layer has no tiles that an MBTiles file can hold, or none at the levels and the place wanted.
        public static let noTiles = Code(kind: .noTiles)
        /// The provider forbids it (``BulkPolicy``).
        public static let refused = Code(kind: .refused)
        /// There would be more tiles than allowed.
        public static let tooMany = Code(kind: .tooMany)
        /// The file cannot be written.
        public static let file = Code(kind: .file)
        /// The server failed too often, or asks to be left alone.
        public static let stopped = Code(kind: .stopped)
        /// The task was cancelled.
        public static let cancelled = Code(kind: .cancelled)

        /// The name of the kind.
        public var description: String { kind.rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong, for a person.
    public let detail: String
    /// The HTTP status of the answer that is at fault, where there was one.
    public let status: Int?

    init(_ code: Code, _ detail: String, status: Int? = nil) {
        self.code = code
        self.detail = detail
        self.status = status
    }

    /// What is wrong, in one line.
    public var description: String { detail }
}
