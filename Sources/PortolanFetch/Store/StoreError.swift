import PortolanWeb

/// The failure of a store.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure; more kinds may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case cannotOpen, notWritable, full, damaged, busy, wrongFormat, invalid, unavailable, notBuiltIn
        }

        private let kind: Kind

        /// The file or folder cannot be opened or made.
        public static let cannotOpen = Code(kind: .cannotOpen)
        /// It may be read and not written.
        public static let notWritable = Code(kind: .notWritable)
        /// There is no space left.
        public static let full = Code(kind: .full)
        /// Its content is damaged.
        public static let damaged = Code(kind: .damaged)
        /// Another process held it for too long.
        public static let busy = Code(kind: .busy)
        /// The file is of another kind than expected.
        public static let wrongFormat = Code(kind: .wrongFormat)
        /// The request makes no sense to it.
        public static let invalid = Code(kind: .invalid)
        /// It cannot be reached, or failed in another way.
        public static let unavailable = Code(kind: .unavailable)

        /// It needs a trait of the package that this program was built without.
        public static let notBuiltIn = Code(kind: .notBuiltIn)

        /// The name of the code.
        public var description: String { kind.rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The file or the address of the store.
    public let place: String
    /// The failure, for a person.
    public let detail: String

    /// Makes an error.
    public init(_ code: Code, place: String, detail: String) {
        self.code = code
        self.place = place
        self.detail = detail.inOneLine(limit: 2000)
    }

    /// The place and what happened, in one line.
    public var description: String { "\(place): \(detail)" }
}
