/// Why a picture could not be decoded or encoded, and where in the file.
public struct CodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Storage: String {
            case corrupt, truncated, limitExceeded, unsupported, outOfMemory
        }

        private let storage: Storage

        /// The bytes break the rules of their format.
        public static let corrupt = Code(storage: .corrupt)
        /// The file ends before the picture does.
        public static let truncated = Code(storage: .truncated)
        /// The picture is larger than the limits that were given.
        public static let limitExceeded = Code(storage: .limitExceeded)
        /// The bytes are no picture, or a kind of picture that is not handled here.
        public static let unsupported = Code(storage: .unsupported)
        /// The system gave no memory.
        public static let outOfMemory = Code(storage: .outOfMemory)

        /// The name of the code, such as `limitExceeded`.
        public var description: String { storage.rawValue }
    }

    /// The kind of failure.
    public let code: Code

    /// The format's short name, such as `png`, or `unknown` when the bytes are not recognised.
    public let format: String

    /// How many bytes had been read when it failed, or `nil` when no place can be told.
    public let byteOffset: Int?

    /// What is wrong, in words.
    public let detail: String

    /// Makes an error.
    public init(code: Code, format: String, byteOffset: Int? = nil, detail: String) {
        self.code = code
        self.format = format
        self.byteOffset = byteOffset
        self.detail = detail
    }

    /// Makes an error about a known format.
    init(_ code: Code, format: ImageFormat, byteOffset: Int? = nil, detail: String) {
        self.init(code: code, format: format.rawValue, byteOffset: byteOffset, detail: detail)
    }

    /// One line: format, code, place and detail.
    public var description: String {
        let place = byteOffset.map { " at byte \($0)" } ?? ""
        return "\(format) \(code)\(place): \(detail)"
    }

    /// Format and code only, for counting failures of one kind.
    public var shortDescription: String { "\(format) \(code)" }
}
