public import PortolanFetch

/// A feed that was asked for, and what is held for it.
public struct StoredFeed: Sendable {
    /// Where the timetable is from.
    public enum State: Hashable, Sendable {
        /// It came just now.
        case new
        /// The server says that what is held is the newest.
        case unchanged
        /// What was held stands in, because of this.
        case kept(FeedDownloadError)
    }

    /// The timetable.
    public var timetable: Timetable
    /// Where it is from, and what the server marked it with.
    public var source: TimetableSnapshot.Source
    /// Whether it is the newest.
    public var state: State
    /// What was wrong in the feed, where it came just now.
    public var problems: FeedProblems?
    /// Why it is not kept for the next time, or `nil` where it is.
    public var saveFault: SnapshotError?
}

/// Why no newest feed can be had.
public enum FeedDownloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The request failed.
    case fetch(FetchError)
    /// The server gave another answer than a feed.
    case status(Int, url: String)
    /// The answer is no feed.
    case feed(TransitFeedError, url: String)
    /// The feed has no trip.
    case empty(url: String)

    /// What failed, in one line, without secrets.
    public var description: String {
        switch self {
        case .fetch(let error): "\(error)"
        case .status(let status, let url): "\(url): the server answers with status \(status)"
        case .feed(let error, let url): "\(url): \(error)"
        case .empty(let url): "\(url): the feed has no trip"
        }
    }
}

/// What is asked of a server, and what its answer means for what is held: no waiting, no files.
struct FeedExchange {
    /// The address, without secrets.
    let url: String
    /// What is held.
    let held: TimetableSnapshot?
    let limits: FeedLimits

    /// Header fields that ask for a feed only where it is another (RFC 9110, section 13.1).
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

    /// Whether a value may be sent back as it came.
    private static func isPlain(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= 500 && value.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// What is to be had after an answer, and whether it is to be kept.
    func outcome(of answer: Result<HTTPResponse, FetchError>) throws(FeedDownloadError) -> StoredFeed {
        let response: HTTPResponse
        switch answer {
        case .failure(let error): return try standIn(.fetch(error))
        case .success(let value): response = value
        }
        if response.status == 304, let held {
            return StoredFeed(timetable: held.timetable, source: held.source, state: .unchanged)
        }
        guard response.isSuccessful else { return try standIn(.status(response.status, url: url)) }
        let feed: TransitFeed
        do throws(TransitFeedError) {
            feed = try TransitFeed(archive: response.body, limits: limits)
        } catch { return try standIn(.feed(error, url: url)) }
        guard feed.timetable.tripCount > 0 else { return try standIn(.empty(url: url)) }
        var source = TimetableSnapshot.Source()
        source.url = url
        source.entityTag = response.header("ETag") ?? ""
        source.lastModified = response.header("Last-Modified") ?? ""
        source.problemCount = feed.problems.count
        source.lossCount = feed.problems.lossCount
        return StoredFeed(timetable: feed.timetable, source: source, state: .new, problems: feed.problems)
    }

    /// What is held instead of a feed that cannot be had.
    private func standIn(_ fault: FeedDownloadError) throws(FeedDownloadError) -> StoredFeed {
        guard let held else { throw fault }
        return StoredFeed(timetable: held.timetable, source: held.source, state: .kept(fault))
    }
}
