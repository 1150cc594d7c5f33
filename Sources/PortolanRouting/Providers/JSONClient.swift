package import PortolanFeatures
package import PortolanFetch
package import PortolanWeb

/// A client for services with JSON responses.
package struct JSONClient: Sendable {
    /// The name of the service in messages.
    package let name: String
    private let base: NamedURL
    /// The secrets to remove from errors, because a gateway may echo the request.
    private let secrets: Secrets
    private let fetcher: Fetcher
    private let headers: [HTTPHeader]
    private let timeouts: HTTPRequest.Timeouts

    /// The maximum size of a response: 64 MiB.
    private static let maximumByteCount = 64 << 20

    package init(
        name: String, base: NamedURL, fetcher: Fetcher, headers: [HTTPHeader] = [],
        timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts()
    ) {
        self.name = name
        self.base = base
        secrets = Secrets(of: HTTPRequest(to: base, headers: headers))
        self.fetcher = fetcher
        self.headers = headers
        self.timeouts = timeouts
    }

    /// A response with its status code and JSON value.
    package struct Answer {
        package var status: Int
        package var value: PropertyValue
        /// The URL for messages, without secrets.
        package var place: String
    }

    /// Sends a request to a path below the base URL.
    ///
    /// The query of the base URL, such as a key, is kept.
    ///
    /// - Parameters:
    ///   - path: the percent-encoded path without a leading slash; empty for the base URL.
    ///   - query: percent-encoded `name=value` pairs.
    ///   - body: the JSON body for POST, or `nil` for GET.
    /// - Throws: ``RoutingError``. JSON responses are returned with any status code.
    package func ask(
        _ path: String, query: [String] = [], body: PropertyValue? = nil
    ) async throws(RoutingError) -> Answer {
        let parts = base.text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var url = String(parts.first ?? "")
        while url.hasSuffix("/") { url.removeLast() }
        if !path.isEmpty { url += "/" + path }
        let all = (parts.count > 1 && !parts[1].isEmpty ? [String(parts[1])] : []) + query
        if !all.isEmpty { url += "?" + all.joined(separator: "&") }
        let request = HTTPRequest(
            to: NamedURL(url, namedBy: base.origin),
            headers: headers + [HTTPHeader(name: "Accept", value: "application/json")],
            body: body.map { HTTPRequest.Body(bytes: GeoJSONWriter.json($0)) }, timeouts: timeouts,
            maximumBodyByteCount: JSONClient.maximumByteCount)
        let response: HTTPResponse
        do { response = try await fetcher.fetch(request) } catch {
            if error.code == .cancelled { throw .cancelled }
            throw .fetch(error)
        }
        let place = FetchError.redacted(url)
        do {
            let value = try JSONReader.value(
                bytes: response.body, limits: FeatureLimits(maximumByteCount: JSONClient.maximumByteCount))
            return Answer(status: response.status, value: value, place: place)
        } catch {
            guard response.isSuccessful else {
                throw .fetch(FetchError(.httpStatus, url: url, status: response.status, detail: "no JSON"))
            }
            throw malformed(place, "\(error)")
        }
    }

    /// Returns the error for an invalid response.
    package func malformed(_ place: String, _ what: String) -> RoutingError {
        .malformed(provider: name, url: place, what: ReadableText.line(secrets.removed(from: what), limit: 300))
    }

    /// Returns the error for a refusal, with the service's message.
    package func refused(_ code: String, _ message: String?) -> RoutingError {
        .refused(
            provider: name, code: ReadableText.line(secrets.removed(from: code), limit: 100),
            message: ReadableText.line(secrets.removed(from: message ?? ""), limit: 300))
    }

    /// Returns the error for a response of unknown form, for example from a proxy server.
    package func unknown(_ answer: Answer) -> RoutingError {
        (200..<300).contains(answer.status)
            ? malformed(answer.place, "unexpected JSON structure")
            : .fetch(FetchError(.httpStatus, url: answer.place, status: answer.status, detail: "not from \(name)"))
    }
}
