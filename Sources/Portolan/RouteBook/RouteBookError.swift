/// Why a ``RouteBook`` cannot do what it was asked for; the book is then as it was.
public struct RouteBookError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kinds of failure.
    public enum Code: String, Hashable, Sendable {
        /// What was to be imported is no document with features that can be read.
        case unreadable
        /// The document has neither a line nor a place.
        case noRoute
        /// The document is too large, or the book has as many routes as it takes.
        case limitExceeded
        /// The same document is in the book already.
        case duplicate
        /// There is no route with that identifier, or no such place in it.
        case notFound
        /// Another process has been changing the book for too long.
        case busy
        /// A file or folder of the book cannot be read or written.
        case file
    }

    /// What kind of failure it is.
    public let code: Code
    /// The route, document or file that it is about.
    public let place: String
    /// What is wrong.
    public let detail: String

    /// What it is about and what is wrong, in one line.
    public var description: String { "\(place): \(detail)" }

    init(_ code: Code, place: String, _ detail: String) {
        self.code = code
        self.place = place
        self.detail = detail
    }
}
