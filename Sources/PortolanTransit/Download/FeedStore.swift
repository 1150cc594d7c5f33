import Foundation
public import PortolanFetch
public import PortolanWeb

/// A folder of feed snapshots that provides the newest feed online and the last valid one offline.
///
/// Requests are conditional, so that servers send a feed only if it changed (GTFS Schedule, "Dataset Publishing"). An
/// unreadable feed never replaces a valid one.
public struct FeedStore: Sendable {
    /// The path of the folder.
    public let folder: String
    private let fetcher: Fetcher
    private let limits: TransitFeed.Limits

    /// Creates a store in a folder, which is created on the first download.
    public init(folder: String, fetcher: Fetcher, limits: TransitFeed.Limits = TransitFeed.Limits()) {
        self.folder = folder
        self.fetcher = fetcher
        self.limits = limits
    }

    /// Returns the snapshot path of a URL.
    ///
    /// The name is a hash, because URLs may contain secrets and characters that file names don't allow.
    func path(of address: NamedURL) -> String {
        let hash = SHA256.hash(Array(address.text.utf8)).prefix(16)
        let name = hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return folder + "/" + name + ".timetable"
    }

    /// Returns the stored snapshot of a feed without a request, or `nil` if there is no readable snapshot.
    public func held(of address: NamedURL) -> Timetable.Snapshot? { try? Timetable.Snapshot(at: path(of: address)) }

    /// Returns the newest feed of a URL, or the stored one if the request fails.
    ///
    /// - Parameters:
    ///   - address: the URL of the archive.
    ///   - headers: additional request headers, such as an API key.
    ///   - maximumByteCount: the maximum size of the archive in bytes.
    ///   - policy: the addresses that may be requested.
    /// - Throws: ``FeedStore/DownloadError`` if there is no stored feed either, or if the task is cancelled.
    public func feed(
        at address: NamedURL, headers: [HTTPHeader] = [], maximumByteCount: Int = 512 << 20,
        policy: AddressPolicy = .standard
    ) async throws(FeedStore.DownloadError) -> FeedStore.StoredFeed {
        let exchange = FeedExchange(
            url: FetchError.redacted(address.text), held: held(of: address), limits: limits)
        let request = HTTPRequest(
            to: address, headers: headers + exchange.headers, maximumBodyByteCount: max(0, maximumByteCount),
            policy: policy)
        let answer: Result<HTTPResponse, FetchError>
        do throws(FetchError) {
            answer = .success(try await fetcher.fetch(request))
        } catch {
            // A caller that cancelled does not need a fallback.
            guard error.code != .cancelled else { throw .fetch(error) }
            answer = .failure(error)
        }
        var feed = try exchange.outcome(of: answer)
        if feed.state == .new {
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            do throws(Timetable.SnapshotError) {
                try Timetable.Snapshot(feed.timetable, source: feed.source).write(to: path(of: address))
            } catch { feed.saveFault = error }
        }
        return feed
    }
}
