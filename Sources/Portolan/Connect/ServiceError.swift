import PortolanFetch
public import PortolanServices

/// Why a service cannot be used.
public struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case unavailable, notFound, unreadable, notOffered, cancelled }
        private let kind: Kind

        /// It cannot be reached, or answers with an error.
        public static let unavailable = Code(kind: .unavailable)
        /// The file does not exist.
        public static let notFound = Code(kind: .notFound)
        /// What it answers cannot be understood.
        public static let unreadable = Code(kind: .unreadable)
        /// It does not offer what is wanted.
        public static let notOffered = Code(kind: .notOffered)

        /// The task was cancelled.
        public static let cancelled = Code(kind: .cancelled)

        /// The name of the kind.
        public var description: String { kind.rawValue }
    }

    /// The kind of failure.
    public let code: Code

    /// The address, without secrets.
    public let url: String

    /// What is wrong, for a person; it names what is offered instead.
    public let detail: String

    /// What the address turned out to be, where that is not the kind of service wanted; `nil` when that is not known.
    public let answersAs: AnswerKind?

    /// Whether the service understood what was asked and said no.
    let isRefusal: Bool

    init(_ code: Code, url: String, detail: String, isRefusal: Bool = false, answersAs: AnswerKind? = nil) {
        self.isRefusal = isRefusal
        self.answersAs = answersAs
        self.code = code
        self.url = FetchError.redacted(url)
        self.detail = detail
    }

    /// The address and what is wrong, in one line.
    public var description: String { "\(url): \(detail)" }
}
