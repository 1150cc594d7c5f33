/// An error of a live vehicle source: a connection problem or an invalid message.
public struct FeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: String, Hashable, Sendable {
        /// The source cannot be reached, or the connection was lost.
        case unreachable
        /// The source was silent for too long.
        case silent
        /// The source refused the connection or the request.
        case refused
        /// A message violates the protocol.
        case malformed
        /// A message exceeds a limit.
        case limitExceeded
        /// The version or format is not supported.
        case unsupported
        /// The source reported an error.
        case reported
    }

    /// The kind of error.
    public let code: Code
    /// The source, without secrets.
    public let source: String
    /// The byte offset in the message, or `nil`.
    public let offset: Int?
    /// The line number in the recording, from 1, or `nil`.
    public let line: Int?
    /// A description of the error.
    public let reason: String

    /// Creates an error.
    public init(_ code: Code, source: String, offset: Int? = nil, line: Int? = nil, _ reason: String) {
        self.code = code
        self.source = source
        self.offset = offset
        self.line = line
        self.reason = reason
    }

    /// A one-line message with the source and the cause.
    public var description: String {
        "\(source): \(reason)" + (place.map { " (\($0))" } ?? "")
    }

    /// The line or the byte offset, or `nil`.
    var place: String? { line.map { "line \($0)" } ?? offset.map { "byte \($0)" } }
}
