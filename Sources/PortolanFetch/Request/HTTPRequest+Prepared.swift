package import PortolanWeb

extension HTTPRequest {
    /// This request as it goes on the wire: checked, ASCII, without fragment, with the credentials of the URL moved into
    /// `Authorization` and a `User-Agent`.
    ///
    /// Both transports send only prepared requests, so redirects and credentials follow one set of rules.
    package func prepared(userAgent: String) throws(FetchError) -> HTTPRequest {
        let parts = try httpParts()
        var prepared = self
        prepared.url = parts.transferText
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
