package import PortolanFetch
import PortolanWeb

/// A request to a map server: method, URL, header fields and body.
///
/// It depends on no HTTP library: HTTP drivers create these values from received requests, and tests create them from
/// strings.
package struct ServerRequest: Sendable {
    /// The HTTP methods that a map server supports (RFC 9110, section 9).
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case options = "OPTIONS"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// The method, or `nil` for an unsupported one.
    package let method: Method?
    /// The undecoded path and query, without the prefix of the server.
    package private(set) var target: String
    /// The decoded path components, without the prefix of the server.
    package private(set) var path: [String]
    /// Whether the path began with the prefix of the server.
    private(set) var isUnderPrefix = true
    /// The query items.
    package private(set) var query: Query
    /// The header fields.
    package let headers: [HTTPHeader]
    /// The body.
    package let body: [UInt8]
    /// The IP address of the client, without a port.
    package let client: String
    /// The relative reference from the address of the request to the root of the server: empty, `../`, or `maps/` for
    /// the address `/maps` of a server with this prefix.
    package private(set) var rootReference: String

    /// Parses a request.
    ///
    /// - Parameters:
    ///   - target: the origin form of RFC 9112, section 3.2.1: the path and the query.
    ///   - client: the IP address of the client.
    /// - Throws: ``Problem`` for invalid percent-encoding in the path or query.
    package init(
        _ method: String, _ target: String, headers: [HTTPHeader] = [], body: [UInt8] = [], client: String = ""
    ) throws(Problem) {
        self.method = Method(rawValue: method)
        self.target = target
        self.headers = headers
        self.body = body
        self.client = client
        // Bytes, since all delimiters are ASCII and characters take ten times as long.
        let parts = target.utf8.prefix { $0 != UInt8(ascii: "#") }
            .split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false).map(Substring.init)
        var path: [String] = []
        let components = (parts.first ?? "").utf8
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Substring.init)
        for part in components {
            guard let text = Self.decoded(part) else {
                throw Problem(.badRequest, "invalid percent-encoding or UTF-8 in the path", key: String(part))
            }
            path.append(text)
        }
        // The component before the leading slash is empty; a trailing slash is ignored.
        if path.first?.isEmpty == true { path.removeFirst() }
        if path.last?.isEmpty == true { path.removeLast() }
        self.path = path
        query = try Query(parts.count > 1 ? parts[1] : "")
        rootReference = Self.reference(from: parts.first ?? "")
    }

    /// Returns the relative reference from a path to its root.
    ///
    /// - Parameter first: the last path component before, if the path is empty.
    private static func reference(from path: Substring, after first: Substring = "") -> String {
        guard !path.isEmpty else { return first.isEmpty ? "" : first + "/" }
        return String(repeating: "../", count: max(path.utf8.count { $0 == UInt8(ascii: "/") } - 1, 0))
    }

    /// Returns the request as a server without a path prefix receives it.
    ///
    /// A path without the prefix is kept, and ``isUnderPrefix`` is `false`.
    func removing(prefix: String) -> ServerRequest {
        guard !prefix.isEmpty else { return self }
        var request = self
        let rest = target.dropFirst(prefix.count)
        guard target.hasPrefix(prefix), rest.isEmpty || rest.first == "/" || rest.first == "?" else {
            request.isUnderPrefix = false
            return request
        }
        request.removeStart(prefix, components: prefix.split(separator: "/").count)
        return request
    }

    /// Returns the request without the key of a map, and the key: `/key/{key}` at the beginning of the path, or the
    /// bearer token, or the query item `key`.
    ///
    /// - Parameter isKey: whether a text is a key; the query item `key` is kept otherwise.
    func removingKey(_ isKey: (String) -> Bool) -> (request: ServerRequest, key: SentKey?) {
        if path.first == "key", path.count > 1 {
            var request = self
            let word = target.dropFirst().prefix { $0 != "/" }
            let written = target.dropFirst(word.count + 2).prefix { !"/?#".contains($0) }
            request.removeStart("/\(word)/\(written)", components: 2)
            return (request, SentKey(text: path[1], isInQuery: false))
        }
        if let token = bearerToken { return (self, SentKey(text: token, isInQuery: false)) }
        guard let text = query["key"] else { return (self, nil) }
        guard isKey(text) else { return (self, SentKey(text: text, isInQuery: true)) }
        var request = self
        request.query = Query(query.items.filter { $0.name != "key" }.map { ($0.name, $0.value) })
        return (request, SentKey(text: text, isInQuery: true))
    }

    /// A key that a client sent.
    struct SentKey {
        let text: String
        let isInQuery: Bool
    }

    private mutating func removeStart(_ start: String, components: Int) {
        let rest = target.dropFirst(start.count)
        rootReference = Self.reference(
            from: rest.prefix { $0 != "?" && $0 != "#" }, after: start.split(separator: "/").last ?? "")
        target = rest.first == "/" ? String(rest) : "/" + rest
        path.removeFirst(min(components, path.count))
    }

    /// Returns the value of the first header field with a name, ignoring case.
    package subscript(header name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }

    /// Whether the client sends tags of what it already has.
    var isConditional: Bool { headers.contains { $0.isNamed("If-None-Match") } }

    /// Returns whether the client already has a representation: a GET or HEAD whose `If-None-Match` matches the tag.
    package func knows(_ tag: EntityTag) -> Bool {
        guard method == .get || method == .head else { return false }
        let known = headers.filter { $0.isNamed("If-None-Match") }.map(\.value)
        return !known.isEmpty && tag.isNamed(by: known)
    }

    /// The bearer token of the field `Authorization` (RFC 6750, section 2.1), or `nil` if there is none.
    var bearerToken: String? {
        let parts = (self[header: "Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1].drop { $0 == " " })
    }

    /// Whether the client is a browser that opens a page: it prefers HTML to other types.
    package var wantsPage: Bool {
        guard method == .get || method == .head else { return false }
        let type = self[header: "Accept"]?.lowercased().split(separator: ",").first?.prefix { $0 != ";" }
        return type?.filter { $0 != " " } == "text/html"
    }

    /// Decodes percent-encoding, and `+` as a space in forms.
    ///
    /// Returns `nil` if the text is invalid.
    fileprivate static func decoded(_ text: Substring, isForm: Bool = false) -> String? {
        let escape = UInt8(ascii: "%"), plus = UInt8(ascii: "+")
        // Most texts have no escapes, and requests are frequent.
        guard text.utf8.contains(where: { $0 == escape || isForm && $0 == plus }) else { return String(text) }
        let bytes = text.utf8.map { isForm && $0 == plus ? UInt8(ascii: " ") : $0 }
        return PercentEncoding.decode(bytes).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

/// The items of a query in order, decoded like a form: `+` is a space.
package struct Query: Hashable, Sendable {
    /// A query item.
    package struct Item: Hashable, Sendable {
        /// The name, with its original case.
        package let name: String
        /// The value; empty if there is no equals sign.
        package let value: String
    }

    /// The items.
    package let items: [Item]

    /// Parses a query or a form.
    ///
    /// - Throws: ``Problem`` for invalid percent-encoding.
    package init(_ text: some StringProtocol) throws(Problem) {
        var items: [Item] = []
        for part in Substring(text).utf8.split(separator: UInt8(ascii: "&")).map(Substring.init) {
            let sides = part.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map(Substring.init)
            guard let name = sides.first.flatMap({ ServerRequest.decoded($0, isForm: true) }),
                let value = sides.count > 1 ? ServerRequest.decoded(sides[1], isForm: true) : ""
            else {
                throw Problem(.badRequest, "invalid percent-encoding or UTF-8 in the query", key: String(part))
            }
            items.append(Item(name: name, value: value))
        }
        self.items = items
    }

    /// Creates a query from items.
    package init(_ items: [(name: String, value: String)]) {
        self.items = items.map { Item(name: $0.name, value: $0.value) }
    }

    /// Returns the value of the first item with a name.
    package subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// Returns the values of all items with a name, in order.
    package func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// Returns the value of the first item with a name, ignoring case (OGC 06-042, clause 6.8.1).
    package subscript(anyCase name: String) -> String? {
        items.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

extension ServerRequest {
    /// Returns whether the client accepts a content coding (RFC 9110, section 12.5.3).
    ///
    /// A client without the field `Accept-Encoding` gets unpacked content, although it allows any.
    package func accepts(coding name: String) -> Bool {
        var star: Bool?
        for field in headers where field.isNamed("Accept-Encoding") {
            for member in field.value.lowercased().split(separator: ",") {
                let parts = member.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
                guard let coding = parts.first else { continue }
                let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
                if coding == name { return weight > 0 }
                if coding == "*" { star = weight > 0 }
            }
        }
        return star ?? false
    }
}
