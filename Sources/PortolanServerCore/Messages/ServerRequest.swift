package import PortolanFetch
import PortolanWeb

/// What a client asks a map server, as far as it has been read: a method, a place and the body.
///
/// It knows no HTTP library: who receives requests makes these values of them, and tests make them of words.
package struct ServerRequest: Sendable {
    /// The methods that mean something to a map server (RFC 9110, section 9).
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case options = "OPTIONS"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// The method, or `nil` for one that nothing here knows.
    package let method: Method?
    /// The path and the query as they were sent.
    package let target: String
    /// The parts of the path between its slashes, decoded.
    package let path: [String]
    /// The items of the query.
    package let query: Query
    /// The header fields.
    package let headers: [HTTPHeader]
    /// The body.
    package let body: [UInt8]
    /// The address of who asks, without its port.
    package let client: String

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - target: the origin form of RFC 9112, section 3.2.1: the path and the query.
    ///   - client: the address of who asks.
    /// - Throws: ``Problem`` where an escape of the path or of the query is none.
    package init(
        _ method: String, _ target: String, headers: [HTTPHeader] = [], body: [UInt8] = [], client: String = ""
    ) throws(Problem) {
        self.method = Method(rawValue: method)
        self.target = target
        self.headers = headers
        self.body = body
        self.client = client
        let parts = target.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        for part in (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = Self.decoded(part) else {
                throw Problem(.badRequest, "the path has an escape that is none, or is not UTF-8", key: String(part))
            }
            path.append(text)
        }
        // What stands before the first slash is nothing; a slash at the end names the same.
        if path.first?.isEmpty == true { path.removeFirst() }
        if path.last?.isEmpty == true { path.removeLast() }
        self.path = path
        query = try Query(parts.count > 1 ? parts[1] : "")
    }

    /// The value of the first header field of a name, in whatever case.
    package subscript(header name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }

    /// Whether the client has a representation already, so that it need not be sent again: it is asked for by GET or HEAD, and
    /// `If-None-Match` names it.
    package func knows(_ tag: EntityTag) -> Bool {
        guard method == .get || method == .head else { return false }
        let known = headers.filter { $0.isNamed("If-None-Match") }.map(\.value)
        return !known.isEmpty && tag.isNamed(by: known)
    }

    /// A text without its escapes; those of forms have a `+` for a space.
    fileprivate static func decoded(_ text: Substring, isForm: Bool = false) -> String? {
        let escape = UInt8(ascii: "%"), plus = UInt8(ascii: "+")
        // Most have none, and requests are many.
        guard text.utf8.contains(where: { $0 == escape || isForm && $0 == plus }) else { return String(text) }
        let bytes = text.utf8.map { isForm && $0 == plus ? UInt8(ascii: " ") : $0 }
        return PercentEncoding.decode(bytes).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

/// The items of a query in their order, decoded as forms are: `+` is a space.
package struct Query: Hashable, Sendable {
    /// One item.
    package struct Item: Hashable, Sendable {
        /// The name as it was sent.
        package let name: String
        /// The value; empty where there is no equals sign.
        package let value: String
    }

    /// The items.
    package let items: [Item]

    /// Reads a query or a form.
    ///
    /// - Throws: ``Problem`` where an escape is none.
    package init(_ text: some StringProtocol) throws(Problem) {
        var items: [Item] = []
        for part in Substring(text).split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = sides.first.flatMap({ ServerRequest.decoded($0, isForm: true) }),
                let value = sides.count > 1 ? ServerRequest.decoded(sides[1], isForm: true) : ""
            else {
                throw Problem(.badRequest, "the query has an escape that is none, or is not UTF-8", key: String(part))
            }
            items.append(Item(name: name, value: value))
        }
        self.items = items
    }

    /// Makes a query of items.
    package init(_ items: [(name: String, value: String)]) {
        self.items = items.map { Item(name: $0.name, value: $0.value) }
    }

    /// The value of the first item of a name.
    package subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// The values of all items of a name, in their order.
    package func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// The value of the first item of a name in whatever case, as OGC 06-042, clause 6.8.1 has it.
    package subscript(anyCase name: String) -> String? {
        items.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
