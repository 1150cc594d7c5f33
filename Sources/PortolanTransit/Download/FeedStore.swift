import Foundation
public import PortolanFetch
public import PortolanWeb

/// Feeds of servers, kept in a folder as snapshots: the newest where there is a connection, the last good one where there is none.
///
/// A feed is asked for by what the server marked the last one with, so that it is sent only when it changed (GTFS Schedule, "Dataset
/// Publishing"). One that cannot be read never takes the place of one that could.
public struct FeedStore: Sendable {
    /// The folder.
    public let folder: String
    private let fetcher: Fetcher
    private let limits: FeedLimits

    /// Makes a store in a folder, which is made where it is not there.
    public init(folder: String, fetcher: Fetcher, limits: FeedLimits = FeedLimits()) {
        self.folder = folder
        self.fetcher = fetcher
        self.limits = limits
    }

    /// The file of an address: a hash, since addresses carry secrets and what no file name may.
    func path(of address: NamedURL) -> String {
        let hash = SHA256.hash(Array(address.text.utf8)).prefix(16)
        let name = hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return folder + "/" + name + ".timetable"
    }

    /// What is held of a feed, without asking its server; `nil` where there is nothing that can be read.
    public func held(of address: NamedURL) -> TimetableSnapshot? { try? TimetableSnapshot(at: path(of: address)) }

    /// The newest feed of an address, or what is held of it.
    ///
    /// - Parameters:
    ///   - address: where the archive is.
    ///   - headers: such as a key.
    ///   - maximumByteCount: the most bytes of the archive.
    ///   - policy: what may be asked for.
    /// - Throws: ``FeedDownloadError`` where nothing is held either; cancelled requests throw as well.
    public func feed(
        at address: NamedURL, headers: [HTTPHeader] = [], maximumByteCount: Int = 512 << 20,
        policy: AddressPolicy = .standard
    ) async throws(FeedDownloadError) -> StoredFeed {
        let exchange = FeedExchange(
            url: FetchError.redacted(address.text), held: held(of: address), limits: limits)
        let request = HTTPRequest(
            to: address, headers: headers + exchange.headers, maximumBodyByteCount: max(0, maximumByteCount),
            policy: policy)
        let answer: Result<HTTPResponse, FetchError>
        do throws(FetchError) {
            answer = .success(try await fetcher.fetch(request))
        } catch {
            // Who gave up waiting wants nothing that stands in.
            guard error.code != .cancelled else { throw .fetch(error) }
            answer = .failure(error)
        }
        var feed = try exchange.outcome(of: answer)
        if feed.state == .new {
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            do throws(SnapshotError) {
                try TimetableSnapshot(feed.timetable, source: feed.source).write(to: path(of: address))
            } catch { feed.saveFault = error }
        }
        return feed
    }
}
