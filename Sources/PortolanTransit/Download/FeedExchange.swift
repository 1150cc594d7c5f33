public import PortolanFetch

extension FeedStore {
    /// The outcome of a feed request: a timetable and its origin.
    public struct StoredFeed: Sendable {
        /// The origin of the timetable.
        public enum State: Hashable, Sendable {
            /// The feed was downloaded by this request.
            case new
            /// The server confirmed that the stored feed is current.
            case unchanged
            /// The stored feed is used because the request failed with this error.
            case kept(FeedStore.DownloadError)
        }

        /// The timetable.
        public var timetable: Timetable
        /// The source of the feed, with the validators that the server sent.
        public var source: Timetable.Snapshot.Source
        /// Whether the feed is new, unchanged or a fallback.
        public var state: State
        /// The problems of the feed if it was downloaded by this request.
        public var problems: TransitFeed.Problems?
        /// The error that prevented the feed from being saved, or `nil`.
        public var saveFault: Timetable.SnapshotError?
    }
}

extension FeedStore {
    /// The reason why a feed is not available.
    public enum DownloadError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The request failed.
        case fetch(FetchError)
        /// The server responded with an unexpected status code.
        case status(Int, url: String)
        /// The response is not a valid feed.
        case feed(TransitFeed.ReadError, url: String)
        /// The feed has no trips.
        case empty(url: String)

        /// A one-line message without secrets.
        public var description: String {
            switch self {
            case .fetch(let error): "\(error)"
            case .status(let status, let url): "\(url): the server responded with status \(status)"
            case .feed(let error, let url): "\(url): \(error)"
            case .empty(let url): "\(url): no trip in the feed"
            }
        }
    }
}

/// The request headers of a feed and the interpretation of its response, without any input or output.
struct FeedExchange {
    /// The URL, with secrets removed.
    let url: String
    /// The stored feed.
    let held: Timetable.Snapshot?
    let limits: TransitFeed.Limits

    /// The header fields of a conditional request (RFC 9110, section 13.1).
    var headers: [HTTPHeader] {
        guard let source = held?.source else { return [] }
        var headers: [HTTPHeader] = []
        if Self.isPlain(source.entityTag) {
            headers.append(HTTPHeader(name: "If-None-Match", value: source.entityTag))
        }
        if Self.isPlain(source.lastModified) {
            headers.append(HTTPHeader(name: "If-Modified-Since", value: source.lastModified))
        }
        return headers
    }

    /// Returns whether a validator is safe to send back in a header field.
    private static func isPlain(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= 500 && value.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// Returns the feed after a response, and throws if there is neither a new nor a stored feed.
    func outcome(of answer: Result<HTTPResponse, FetchError>) throws(FeedStore.DownloadError) -> FeedStore.StoredFeed {
        let response: HTTPResponse
        switch answer {
        case .failure(let error): return try standIn(.fetch(error))
        case .success(let value): response = value
        }
        if response.status == 304, let held {
            return FeedStore.StoredFeed(timetable: held.timetable, source: held.source, state: .unchanged)
        }
        guard response.isSuccessful else { return try standIn(.status(response.status, url: url)) }
        let feed: TransitFeed
        do throws(TransitFeed.ReadError) {
            feed = try TransitFeed(archive: response.body, limits: limits)
        } catch { return try standIn(.feed(error, url: url)) }
        guard feed.timetable.tripCount > 0 else { return try standIn(.empty(url: url)) }
        var source = Timetable.Snapshot.Source()
        source.url = url
        source.entityTag = response.header("ETag") ?? ""
        source.lastModified = response.header("Last-Modified") ?? ""
        source.problemCount = feed.problems.count
        source.lossCount = feed.problems.lossCount
        return FeedStore.StoredFeed(timetable: feed.timetable, source: source, state: .new, problems: feed.problems)
    }

    /// Returns the stored feed as a fallback, or throws the error if no feed is stored.
    private func standIn(_ fault: FeedStore.DownloadError) throws(FeedStore.DownloadError) -> FeedStore.StoredFeed {
        guard let held else { throw fault }
        return FeedStore.StoredFeed(timetable: held.timetable, source: held.source, state: .kept(fault))
    }
}
