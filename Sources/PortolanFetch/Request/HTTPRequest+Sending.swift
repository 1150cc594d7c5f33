package import PortolanWeb

extension HTTPRequest {
    /// Returns the request in the form that is sent: validated, in ASCII, without a fragment, and with a `User-Agent`.
    ///
    /// User information of the URL moves to `Authorization`. Both transports send only prepared requests, so redirects
    /// and credentials follow the same rules.
    package func prepared(userAgent: String) throws(FetchError) -> HTTPRequest {
        let parts = try httpParts()
        var prepared = self
        prepared.url = try parts.transferText(asked: url)
        // The policy applies to the normalised host, so that another spelling cannot bypass it.
        if let refusal = policy.refusal(of: prepared.address) { throw FetchError(refusal, url: url) }
        if header("User-Agent") == nil {
            prepared.headers.append(HTTPHeader(name: "User-Agent", value: userAgent))
        }
        if let userInfo = parts.userInfo, !userInfo.isEmpty, header("Authorization") == nil {
            guard var credentials = PercentEncoding.decode(userInfo.utf8) else {
                throw FetchError(.invalidURL, url: url, detail: "invalid percent-encoding in the user name or password")
            }
            // RFC 7617 requires the colon even if the URL has a user name only.
            if !userInfo.utf8.contains(UInt8(ascii: ":")) { credentials.append(UInt8(ascii: ":")) }
            prepared.headers.append(HTTPHeader(name: "Authorization", value: "Basic " + Base64.encode(credentials)))
        }
        if let body {
            prepared.headers.removeAll { $0.isNamed("Content-Type") }
            prepared.headers.append(HTTPHeader(name: "Content-Type", value: body.contentType))
        }
        for header in prepared.headers {
            if let fault = header.syntaxFault { throw FetchError(.invalidRequest, url: url, detail: fault) }
        }
        return prepared
    }

    /// Returns the parts of an `http` or `https` URL with a host.
    package func httpParts() throws(FetchError) -> URLParts {
        guard let parts = URLParts(url) else {
            throw FetchError(.invalidURL, url: url, detail: URLParts.fault(of: url))
        }
        guard parts.isHTTP else {
            throw FetchError(.unsupportedScheme, url: url, detail: "scheme \(parts.scheme): must be http or https")
        }
        guard !parts.host.isEmpty else { throw FetchError(.invalidURL, url: url, detail: "the URL has no host") }
        return parts
    }
}

extension URLParts {
    /// Returns the URL to send, with its host in ASCII (RFC 5890), which is used for the connection and the policy.
    fileprivate func transferText(asked: String) throws(FetchError) -> String {
        guard !host.utf8.allSatisfy({ $0 < 0x80 }) else { return transferText }
        guard let name = try InternationalHost.ascii(host, of: asked), !name.isEmpty else {
            throw FetchError(.invalidURL, url: asked, detail: "invalid internationalized host name (IDNA)")
        }
        var parts = self
        parts.host = name
        return parts.transferText
    }
}

extension HTTPResponse {
    /// Returns the response, or an error if its header shows that the body is incomplete or ambiguous.
    package func checked(asAnswerTo request: HTTPRequest, asked: String) -> Result<HTTPResponse, FetchError> {
        let lengths = Set(
            headers.filter { $0.isNamed("Content-Length") }.flatMap { $0.value.split(separator: ",").map(\.trimmed) })
        let fault: String? =
            if status == 206, request.header("Range") == nil {
                // RFC 9110, section 15.3.7.
                "partial response to a request for the whole"
            } else if lengths.count > 1 {
                // RFC 9110, section 8.6.
                "conflicting Content-Length headers: \(lengths.sorted().joined(separator: ", "))"
            } else {
                nil
            }
        guard let fault else { return .success(self) }
        return .failure(
            FetchError(.malformedResponse, url: asked, status: status, detail: fault.inOneLine(limit: 200)))
    }
}

/// The rules for following redirects (RFC 9110, section 15.4), and for the headers that are kept.
package enum Redirect {
    /// The maximum number of redirects for one request.
    package static let maximumCount = 10

    /// The headers that do not identify the client: only these are sent to another origin.
    ///
    /// This is a list of safe headers, because services use arbitrary names for keys.
    private static let harmlessHeaders = [
        "Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "If-Match", "If-Modified-Since",
        "If-None-Match",
        "If-Unmodified-Since", "Pragma", "Range", "User-Agent",
    ]

    /// Returns whether a header field does not identify the client.
    static func isHarmless(_ header: HTTPHeader) -> Bool { harmlessHeaders.contains { header.isNamed($0) } }

    /// Returns whether a response with this status and a `Location` is a redirect.
    package static func isRedirect(status: Int) -> Bool {
        [301, 302, 303, 307, 308].contains(status)
    }

    /// Returns the absolute URL of a `Location` (RFC 3986, section 5.2), with spaces in path and query encoded.
    package static func target(_ location: String, from url: String) -> String {
        let prefix = location.prefix { !":/?#".contains($0) }
        let isAbsolute = location.dropFirst(prefix.count).first == ":" && !prefix.isEmpty
        let whole = isAbsolute ? location : LooseURL(url).resolving(location)
        let origin = LooseURL(whole).origin
        return String(origin) + whole.dropFirst(origin.count).replacing(" ", with: "%20")
    }

    /// Returns the request that follows `request` when the server redirects to the absolute URL `location`.
    ///
    /// - Parameters:
    ///   - request: the prepared request as it was sent; its time limits are carried over unchanged.
    ///   - network: the network of the redirecting server, or `nil` if unknown.
    ///   - count: the number of redirects already followed.
    ///   - asked: the URL of the caller's request, for errors.
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
            throw FetchError(.invalidURL, url: asked, detail: "redirect to an invalid URL: \(shown)")
        }
        guard parts.isHTTP, !parts.host.isEmpty else {
            let shown = FetchError.redacted(location).inOneLine(limit: 500)
            throw FetchError(.unsupportedScheme, url: asked, detail: "refusing to follow the redirect to \(shown)")
        }
        let origin = NamedURL.Origin(contentsOf: request.url, network: network, askedFor: request.address)
        var next = HTTPRequest(
            to: NamedURL(try parts.transferText(asked: asked), namedBy: origin), headers: request.headers,
            body: request.body, timeouts: request.timeouts,
            maximumBodyByteCount: request.maximumBodyByteCount, policy: request.policy)
        if let refusal = request.policy.refusal(of: next.address) { throw FetchError(refusal, url: asked) }
        if let old = URLParts(request.url), !keepsCredentials(from: old, to: parts) {
            next.headers.removeAll { !isHarmless($0) }
            if request.body != nil {
                let shown = FetchError.redacted(location).inOneLine(limit: 500)
                throw FetchError(
                    .malformedResponse, url: asked, detail: "refusing to redirect a POST request to \(shown)")
            }
        }
        return next
    }

    /// Returns whether the origin is the same, or the same host upgrades from http to https on the default ports.
    private static func keepsCredentials(from old: URLParts, to new: URLParts) -> Bool {
        guard old.host == new.host else { return false }
        if old.scheme == new.scheme { return old.effectivePort == new.effectivePort }
        return old.scheme == "http" && old.effectivePort == 80 && new.effectivePort == 443
    }
}
