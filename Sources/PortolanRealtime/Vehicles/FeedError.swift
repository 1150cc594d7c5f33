/// Why a source of live vehicles is not heard, or what it said cannot be read.
public struct FeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kinds of fault.
    public enum Code: String, Hashable, Sendable {
        /// It cannot be reached, or went away.
        case unreachable
        /// It was silent for longer than it promised.
        case silent
        /// It does not let us in.
        case refused
        /// It says what is against its protocol.
        case malformed
        /// It says more than the limits allow.
        case limitExceeded
        /// It speaks a version or form that is not read.
        case unsupported
        /// It reports an error of its own.
        case reported
    }

    /// Kind of fault.
    public let code: Code
    /// The source, without secrets.
    public let source: String
    /// Where in the message, in bytes, or `nil`.
    public let offset: Int?
    /// The line of a recording, from 1, or `nil`.
    public let line: Int?
    /// What is wrong, in words.
    public let reason: String

    /// Makes a fault.
    public init(_ code: Code, source: String, offset: Int? = nil, line: Int? = nil, _ reason: String) {
        self.code = code
        self.source = source
        self.offset = offset
        self.line = line
        self.reason = reason
    }

    /// The source and what is wrong with it.
    public var description: String {
        "\(source): \(reason)" + (place.map { " (\($0))" } ?? "")
    }

    /// The line or the byte, or `nil` where neither is known.
    var place: String? { line.map { "line \($0)" } ?? offset.map { "byte \($0)" } }
}
