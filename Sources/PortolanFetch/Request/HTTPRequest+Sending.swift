package import PortolanWeb

extension HTTPRequest {
    /// This request as it goes on the wire: checked, ASCII, without fragment, with the credentials of the URL moved into
    /// `Authorization` and a `User-Agent`.
    ///
    /// Both transports send only prepared requests, so redirects and credentials follow one set of rules.
    package func prepared(userAgent: String) throws(FetchError) -> HTTPRequest {
        let parts = try httpParts()
        var prepared = self
        prepared.url = try parts.transferText(asked: url)
        // Another spelling of a host is judged as what it means.
        if let refusal = policy.refusal(of: prepared.address) { throw FetchError(refusal, url: url) }
        if header("User-Agent") == nil {
            prepared.headers.append(HTTPHeader(name: "User-Agent", value: userAgent))
        }
        if let userInfo = parts.userInfo, !userInfo.isEmpty, header("Authorization") == nil {
            guard var credentials = PercentEncoding.decode(userInfo.utf8) else {
                throw FetchError(.invalidURL, url: url, detail: "a % in the user name or password is not an escape")
            }
            // RFC 7617 wants the colon even where the URL has a user name only.
            if !userInfo.utf8.contains(UInt8(ascii: ":")) { credentials.append(UInt8(ascii: ":")) }
            prepared.headers.append(HTTPHeader(name: "Authorization", value: "Basic " + Base64.encode(credentials)))
        }
        if let question {
            prepared.headers.removeAll { $0.isNamed("Content-Type") }
            prepared.headers.append(HTTPHeader(name: "Content-Type", value: question.contentType))
        }
        for header in prepared.headers {
            if let fault = header.syntaxFault { throw FetchError(.invalidRequest, url: url, detail: fault) }
        }
        return prepared
    }

    /// The parts of an `http` or `https` URL with a host.
    package func httpParts() throws(FetchError) -> URLParts {
        guard let parts = URLParts(url) else {
            throw FetchError(.invalidURL, url: url, detail: URLParts.fault(of: url))
        }
        guard parts.isHTTP else {
            throw FetchError(.unsupportedScheme, url: url, detail: "scheme \(parts.scheme): is not http or https")
        }
        guard !parts.host.isEmpty else { throw FetchError(.invalidURL, url: url, detail: "the URL has no host") }
        return parts
    }
}

extension URLParts {
    /// The URL to send, its host in ASCII (RFC 5890): what connects, and what is judged.
    fileprivate func transferText(asked: String) throws(FetchError) -> String {
        guard !host.utf8.allSatisfy({ $0 < 0x80 }) else { return transferText }
        guard let name = try InternationalHost.ascii(host, of: asked), !name.isEmpty else {
            throw FetchError(.invalidURL, url: asked, detail: "the name of the host is none (IDNA)")
        }
        var parts = self
        parts.host = name
        return parts.transferText
    }
}

extension HTTPResponse {
    /// The response, or what is wrong with it whatever its body says: then it must not be taken for the whole answer.
    package func checked(asAnswerTo request: HTTPRequest, asked: String) -> Result<HTTPResponse, FetchError> {
        let lengths = Set(
            headers.filter { $0.isNamed("Content-Length") }.flatMap { $0.value.split(separator: ",").map(\.trimmed) })
        let fault: String? =
            if status == 206, request.header("Range") == nil {
                // RFC 9110, section 15.3.7.
                "the server sends a part, and the whole was asked for"
            } else if lengths.count > 1 {
                // RFC 9110, section 8.6.
                "the server names several lengths of one body: \(lengths.sorted().joined(separator: ", "))"
            } else {
                nil
            }
        guard let fault else { return .success(self) }
        return .failure(
            FetchError(.malformedResponse, url: asked, status: status, detail: fault.inOneLine(limit: 200)))
    }
}

/// Makes the request that follows a redirect (RFC 9110, section 15.4), with the headers that may travel along.
package enum Redirect {
    /// The most redirects followed for one request.
    package static let maximumCount = 10

    /// Headers that say nothing about who asks: only these reach another origin.
    ///
    /// A list of what is safe, since nobody can list every name that services use for keys.
    private static let harmlessHeaders = [
        "Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "If-Modified-Since", "If-None-Match", "Pragma",
        "Range", "User-Agent",
    ]

    /// Whether a header field says nothing about who asks.
    static func isHarmless(_ header: HTTPHeader) -> Bool { harmlessHeaders.contains { header.isNamed($0) } }

    /// Whether a response with this status and a `Location` sends the client elsewhere.
    package static func isRedirect(status: Int) -> Bool {
        [301, 302, 303, 307, 308].contains(status)
    }

    /// The absolute URL that a `Location` means (RFC 3986, section 5.2), blanks in path and query encoded.
    package static func target(_ location: String, from url: String) -> String {
        let prefix = location.prefix { !":/?#".contains($0) }
        let isAbsolute = location.dropFirst(prefix.count).first == ":" && !prefix.isEmpty
        let whole = isAbsolute ? location : LooseURL(url).resolving(location)
        let origin = LooseURL(whole).origin
        return String(origin) + whole.dropFirst(origin.count).replacing(" ", with: "%20")
    }

    /// The request that follows `request` when the server points to the absolute URL `location`.
    ///
    /// - Parameters:
    ///   - request: prepared, as it was sent; its time limits are carried over unchanged.
    ///   - network: where the server was found that sends the redirect, or `nil` when that is not known.
    ///   - count: redirects already followed.
    ///   - asked: the URL the caller asked for, for the error.
    package static func next(
        after request: HTTPRequest,
        to location: String,
        from network: IPAddress.Network?,
        count: Int,
        asked: String
    ) throws(FetchError) -> HTTPRequest {
        guard count < maximumCount else {
            throw FetchError(.tooManyRedirects, url: asked, detail: "more than \(maximumCount) redirects")
        }
        guard let parts = URLParts(location) else {
            let shown = FetchError.redacted(location).inOneLine(limit: 500)
            throw FetchError(.invalidURL, url: asked, detail: "the server redirects to what is no URL: \(shown)")
        }
        guard parts.isHTTP, !parts.host.isEmpty else {
            let shown = FetchError.redacted(location).inOneLine(limit: 500)
            throw FetchError(.unsupportedScheme, url: asked, detail: "a redirect to \(shown) is not followed")
        }
        let origin = AddressOrigin(contentsOf: request.url, network: network, askedFor: request.address)
        var next = HTTPRequest(
            to: NamedURL(try parts.transferText(asked: asked), namedBy: origin), headers: request.headers,
            question: request.question, timeouts: request.timeouts,
            maximumBodyByteCount: request.maximumBodyByteCount, policy: request.policy)
        if let refusal = request.policy.refusal(of: next.address) { throw FetchError(refusal, url: asked) }
        if let old = URLParts(request.url), !keepsCredentials(from: old, to: parts) {
            next.headers.removeAll { !isHarmless($0) }
            if request.question != nil {
                let shown = FetchError.redacted(location).inOneLine(limit: 500)
                throw FetchError(
                    .malformedResponse, url: asked, detail: "what is asked by POST is not asked again at \(shown)")
            }
        }
        return next
    }

    /// The same origin, or the same host's step from http to https on the usual ports.
    private static func keepsCredentials(from old: URLParts, to new: URLParts) -> Bool {
        guard old.host == new.host else { return false }
        if old.scheme == new.scheme { return old.effectivePort == new.effectivePort }
        return old.scheme == "http" && old.effectivePort == 80 && new.effectivePort == 443
    }
}
