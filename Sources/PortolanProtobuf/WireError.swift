/// The failure of reading a message, and its position.
package struct WireError: Error {
    /// The kinds of failure.
    package enum Code: Sendable {
        /// The bytes do not follow the wire format, or a required field is missing.
        case malformed
        /// A limit of depth or number is exceeded.
        case limitExceeded
    }

    /// The position of the failure, in bytes.
    package let offset: Int
    /// The kind of failure.
    package let code: Code
    /// The failure, for a person.
    package let reason: StaticString

    /// Makes a failure.
    @inlinable package init(_ offset: Int, _ code: Code, _ reason: StaticString) {
        self.offset = offset
        self.code = code
        self.reason = reason
    }
}
