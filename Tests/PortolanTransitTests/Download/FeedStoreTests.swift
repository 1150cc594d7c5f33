import Foundation
import PortolanFetch
import PortolanTesting
import PortolanWeb
import Synchronization
import TestHelpers
import Testing

@testable import PortolanTransit

/// Answers with what a test says, and remembers what it was asked.
private final class FeedServer: HTTPTransport {
    private let answers: Mutex<[Result<HTTPResponse, FetchError>]>
    let requests = Mutex<[HTTPRequest]>([])

    init(_ answers: [Result<HTTPResponse, FetchError>]) { self.answers = Mutex(answers) }

    func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        requests.withLock { $0.append(request) }
        let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        switch answer {
        case .success(let response)?: return response
        case .failure(let error)?: throw error
        case nil: throw FetchError(.offline, url: request.url, detail: "there is no network")
        }
    }
}

@Suite struct FeedStoreTests {
    private static let address: NamedURL = "https://city.example/gtfs.zip?token=secret"

    private static func archive() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: FeedSample.fixture))) }

    private static func response(
        _ status: Int, _ body: [UInt8] = [], tag: String? = nil
    ) -> Result<HTTPResponse, FetchError> {
        var headers: [HTTPHeader] = []
        if let tag {
            headers = [
                HTTPHeader(name: "etag", value: tag),
                HTTPHeader(name: "Last-Modified", value: "Mon, 23 Nov 2026 08:00:00 GMT"),
            ]
        }
        return .success(HTTPResponse(status: status, headers: headers, body: body, url: address.text))
    }

    private static func store(_ server: FeedServer, in folder: TemporaryFolder) -> FeedStore {
        FeedStore(folder: folder.path + "/feeds", fetcher: Fetcher(transport: server, retries: .none))
    }

    @Test func `a known feed is requested with its validators and not downloaded again`() async throws {
        let folder = try TemporaryFolder()
        let server = FeedServer([Self.response(200, try Self.archive(), tag: "\"one\""), Self.response(304)])
        let store = Self.store(server, in: folder)
        let first = try await store.feed(at: Self.address)
        #expect(first.state == .new)
        #expect(first.timetable.tripCount == 2888)
        #expect(first.saveFault == nil)
        #expect(first.problems?.count(of: .error) == 0)
        #expect(!first.source.url.contains("secret"))
        let second = try await store.feed(at: Self.address)
        #expect(second.state == .unchanged)
        #expect(second.timetable == first.timetable)
        #expect(second.problems == nil)
        let requests = server.requests.withLock { $0 }
        #expect(requests.count == 2 && requests[0].header("If-None-Match") == nil)
        #expect(requests[1].header("If-None-Match") == "\"one\"")
        #expect(requests[1].header("If-Modified-Since") == "Mon, 23 Nov 2026 08:00:00 GMT")
        #expect(store.held(of: Self.address)?.timetable == first.timetable)
        #expect(store.held(of: "https://city.example/other.zip") == nil)
    }

    @Test func `the last valid feed is the fallback, and the reason is reported`() async throws {
        let folder = try TemporaryFolder()
        let cut = Array(try Self.archive().dropLast(1000))
        let server = FeedServer([
            Self.response(200, try Self.archive(), tag: "\"one\""), Self.response(200, cut, tag: "\"two\""),
            Self.response(500), Self.response(200, Array("<html>".utf8)),
            .failure(FetchError(.cannotConnect, url: Self.address.text, detail: "nobody there")),
        ])
        let store = Self.store(server, in: folder)
        _ = try await store.feed(at: Self.address)
        for wanted in ["feed", "status", "feed", "fetch", "fetch"] {
            let feed = try await store.feed(at: Self.address)
            guard case .kept(let fault) = feed.state else {
                Issue.record("\(feed.state)")
                continue
            }
            let kind =
                switch fault {
                case .fetch: "fetch"
                case .status: "status"
                case .feed: "feed"
                case .empty: "empty"
                }
            #expect(kind == wanted)
            #expect(feed.timetable.tripCount == 2888)
            #expect(!"\(fault)".contains("secret"), "\(fault)")
        }
        // The broken one has not taken the good one's mark.
        #expect(server.requests.withLock { $0.last }?.header("If-None-Match") == "\"one\"")
    }

    @Test func `without a feed there is an error, and a damaged snapshot is not a feed`() async throws {
        let folder = try TemporaryFolder()
        let server = FeedServer([
            Self.response(404), Self.response(304), Self.response(200, try Self.archive(), tag: "\"one\""),
            Self.response(500),
        ])
        let store = Self.store(server, in: folder)
        await #expect(throws: FeedStore.DownloadError.self) { try await store.feed(at: Self.address) }
        await #expect(throws: FeedStore.DownloadError.self) { try await store.feed(at: Self.address) }
        _ = try await store.feed(at: Self.address)
        try Data("PORTOLTT nonsense".utf8).write(to: URL(filePath: store.path(of: Self.address)))
        await #expect(throws: FeedStore.DownloadError.self) { try await store.feed(at: Self.address) }
    }

    @Test func `without a valid entity tag no conditional headers are sent`() throws {
        let held = Timetable.Snapshot(try FeedSample.feed().timetable)
        let exchange = FeedExchange(url: "https://a.example", held: held, limits: TransitFeed.Limits())
        #expect(exchange.headers.isEmpty)
        var tagged = held
        tagged.source.entityTag = "\"a\"\r\nX-Evil: 1"
        #expect(FeedExchange(url: "", held: tagged, limits: TransitFeed.Limits()).headers.isEmpty)
    }

    @Test func `a feed without trips is invalid and never replaces a valid one`() async throws {
        let folder = try TemporaryFolder()
        let empty = Self.response(200, ArchiveSample.feedWithoutTrips)
        let store = Self.store(FeedServer([empty, Self.response(200, try Self.archive()), empty]), in: folder)
        let fault = await #expect(throws: FeedStore.DownloadError.self) { try await store.feed(at: Self.address) }
        guard case .empty(let url)? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(!url.contains("secret"))
        #expect(store.held(of: Self.address) == nil)
        _ = try await store.feed(at: Self.address)
        let kept = try await store.feed(at: Self.address)
        #expect(kept.state == .kept(.empty(url: url)))
        #expect(kept.timetable.tripCount == 2888)
    }
}
