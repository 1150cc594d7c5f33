import PortolanWeb

/// The credentials of a user at a service.
public enum Credential: Hashable, Sendable {
    /// A user name and password (RFC 7617).
    case basic(name: String, password: String)
    /// A token in `Authorization: Bearer …` (RFC 6750).
    case bearer(token: String)
    /// A service-specific header field.
    case header(HTTPHeader)
    /// A URL parameter; name and value are percent-encoded when it is added.
    case query(name: String, value: String)
}

extension Credential {
    /// Returns the request with this credential; fields of the request itself stay unchanged.
    func applied(to request: HTTPRequest) -> HTTPRequest {
        var request = request
        switch self {
        case .query:
            guard let field = queryField else { return request }
            // The parameter precedes the fragment, which is not sent.
            let fragment = request.url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? request.url.endIndex
            let base = request.url[..<fragment]
            let mark = !base.contains("?") ? "?" : base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&"
            request.url = base + mark + field + request.url[fragment...]
        case .basic, .bearer, .header:
            if let header, request.header(header.name) == nil { request.headers.append(header) }
        }
        return request
    }

    private var header: HTTPHeader? {
        switch self {
        case .basic(let name, let password):
            HTTPHeader(name: "Authorization", value: "Basic " + Base64.encode(Array("\(name):\(password)".utf8)))
        case .bearer(let token): HTTPHeader(name: "Authorization", value: "Bearer " + token)
        case .header(let header): header
        case .query: nil
        }
    }

    private var queryField: String? {
        guard case .query(let name, let value) = self else { return nil }
        return "\(PercentEncoding.component(name))=\(PercentEncoding.component(value))"
    }

    /// Returns the URL of a response without this parameter.
    func takenOut(of url: String) -> String {
        guard let queryField, let range = url.firstRange(of: queryField) else { return url }
        let isLast = range.upperBound == url.endIndex || url[range.upperBound] == "#"
        var start = range.lowerBound, end = range.upperBound
        // Removes one of the surrounding delimiters as well.
        if isLast { start = url.index(before: start) } else { end = url.index(after: end) }
        return String(url[..<start] + url[end...])
    }
}
