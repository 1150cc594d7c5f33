/// The failure of reading a message, and its position.
public struct WireError: Error {
    /// The kinds of failure.
    public enum Code: Sendable {
        /// The bytes do not follow the wire format, or a required field is missing.
        case malformed
        /// A limit of depth or number is exceeded.
        case limitExceeded
    }

    /// The position of the failure, in bytes.
    public let offset: Int
    /// The kind of failure.
    public let code: Code
    /// The failure, for a person.
    public let reason: StaticString

    /// Makes a failure.
    @inlinable public init(_ offset: Int, _ code: Code, _ reason: StaticString) {
        self.offset = offset
        self.code = code
        self.reason = reason
    }
}
