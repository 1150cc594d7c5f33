package import PortolanFeatures
package import PortolanFetch
package import PortolanWeb

/// Asks a service and reads the JSON of its answer.
package struct JSONClient: Sendable {
    /// What the service is called in messages.
    package let name: String
    private let base: NamedURL
    /// What no error may show: a gateway may send back what it was asked.
    private let secrets: Secrets
    private let fetcher: Fetcher
    private let headers: [HTTPHeader]
    private let timeouts: ConnectionTimeouts

    /// The longest answer that is read, in bytes: 64 MiB.
    private static let maximumByteCount = 64 << 20

    package init(
        name: String, base: NamedURL, fetcher: Fetcher, headers: [HTTPHeader] = [],
        timeouts: ConnectionTimeouts = ConnectionTimeouts()
    ) {
        self.name = name
        self.base = base
        secrets = Secrets(of: HTTPRequest(to: base, headers: headers))
        self.fetcher = fetcher
        self.headers = headers
        self.timeouts = timeouts
    }

    /// An answer: its status, and its JSON.
    package struct Answer {
        package var status: Int
        package var value: PropertyValue
        /// The address for messages, without secrets.
        package var place: String
    }

    /// Asks for a path under the base, whose own query, such as a key, is kept.
    ///
    /// - Parameters:
    ///   - path: percent-encoded, without a slash at its beginning; empty for the base itself.
    ///   - query: `name=value` pairs, percent-encoded.
    ///   - body: JSON to ask by POST, or `nil` for a GET.
    /// - Throws: ``RoutingError``; an answer of any status is one, where it is JSON.
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
            question: body.map { HTTPQuestion(body: GeoJSONWriter.json($0)) }, timeouts: timeouts,
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

    /// An error for an answer that makes no sense.
    package func malformed(_ place: String, _ what: String) -> RoutingError {
        .malformed(provider: name, url: place, what: ReadableText.line(secrets.removed(from: what), limit: 300))
    }

    /// An error for what the service refused, in its words.
    package func refused(_ code: String, _ message: String?) -> RoutingError {
        .refused(
            provider: name, code: ReadableText.line(secrets.removed(from: code), limit: 100),
            message: ReadableText.line(secrets.removed(from: message ?? ""), limit: 300))
    }

    /// An error for an answer without the shape of the service, such as that of a server in front of it.
    package func unknown(_ answer: Answer) -> RoutingError {
        (200..<300).contains(answer.status)
            ? malformed(answer.place, "it has not the shape of an answer")
            : .fetch(FetchError(.httpStatus, url: answer.place, status: answer.status, detail: "not from \(name)"))
    }
}
