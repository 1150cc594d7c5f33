import PortolanWeb

/// The failure of a store.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure; values may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case cannotOpen, notWritable, full, damaged, busy, wrongFormat, invalid, unavailable, notBuiltIn
        }

        private let kind: Kind

        /// The file or folder cannot be opened or created.
        public static let cannotOpen = Code(kind: .cannotOpen)
        /// The store is read-only.
        public static let notWritable = Code(kind: .notWritable)
        /// The disk is full.
        public static let full = Code(kind: .full)
        /// The content is damaged.
        public static let damaged = Code(kind: .damaged)
        /// Another process locked the store for too long.
        public static let busy = Code(kind: .busy)
        /// The file has an unexpected format.
        public static let wrongFormat = Code(kind: .wrongFormat)
        /// The request is invalid for this store.
        public static let invalid = Code(kind: .invalid)
        /// The store is unreachable, or failed in another way.
        public static let unavailable = Code(kind: .unavailable)

        /// The store needs a package trait that this build lacks.
        public static let notBuiltIn = Code(kind: .notBuiltIn)

        /// The name of the code.
        public var description: String { kind.rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The file or address of the store.
    public let place: String
    /// The message for people.
    public let detail: String

    /// Creates an error.
    public init(_ code: Code, place: String, detail: String) {
        self.code = code
        self.place = place
        self.detail = detail.inOneLine(limit: 2000)
    }

    /// The location and the message, in one line.
    public var description: String { "\(place): \(detail)" }
}
