import PortolanFetch
import Synchronization
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapObserverTests {
    private let observer = RecordingObserver()
    private let transport = HeldTransport()
    private let time = TestClock()

    private func fetcher(
        retries: RetryPolicy = .none,
        breaker: RetryPolicy.CircuitBreaker = RetryPolicy.CircuitBreaker(failureThreshold: 2)
    ) -> Fetcher {
        Fetcher(
            transport: transport, retries: retries, circuitBreaker: breaker, clock: .test(time, random: 0),
            observer: observer)
    }

    private func start(_ fetcher: Fetcher, _ url: String) -> Task<Int?, Never> {
        Task { try? await fetcher.fetch(HTTPRequest(to: url)).status }
    }

    private func end(_ url: String, status: Int, body: [UInt8] = []) async {
        #expect(await eventually { transport.end(url, status: status, body: body) })
    }

    private func refuse(_ url: String) async {
        let failure = FetchError(.cannotConnect, url: url, detail: "refused")
        #expect(await eventually { transport.end(url, with: .failure(failure)) })
    }

    @Test func `the start and end of a request are reported without its secrets`() async {
        let url = "https://me:pw@a.test/1?token=abc"
        let task = start(fetcher(), url)
        await end(url, status: 404, body: [1, 2, 3])
        #expect(await task.value == 404)
        #expect(observer.words == ["began https://***@a.test/1?token=***", "ended a.test:443 4xx"])
        let outcome = observer.outcomes.first
        #expect(outcome?.status == 404)
        #expect(outcome?.byteCount == 3)
        #expect(outcome?.attemptCount == 1)
        #expect(outcome?.isShared == false)
        #expect(outcome?.error == nil)
        #expect(outcome?.duration == .zero)
    }

    @Test func `attempts are counted and waits are part of the duration`() async {
        let url = "http://a.test:81/1"
        let task = start(fetcher(retries: RetryPolicy()), url)
        await end(url, status: 503)
        #expect(await eventually { time.sleeperCount == 1 })
        time.advance(by: .seconds(1))
        await end(url, status: 200)
        #expect(await task.value == 200)
        #expect(observer.outcomes.map(\.attemptCount) == [2] && observer.outcomes[0].duration == .seconds(1))
        #expect(observer.words.last == "ended a.test:81 2xx")
    }

    @Test func `propagated headers do not separate equal requests, and invalid ones are left out`() async {
        let gate = HeldTransport()
        struct Passing: HTTPTransport {
            let note: @Sendable (HTTPRequest) -> Void
            let next: HeldTransport
            func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
                note(request)
                return try await next.send(request)
            }
        }
        let kept = Kept()
        let fetcher = Fetcher(
            transport: Passing(note: { kept.add($0) }, next: gate), retries: .none, observer: observer)
        let url = "http://a.test/1"
        let tasks = (0..<5).map { _ in start(fetcher, url) }
        #expect(await eventually { fetcher.waiterCount == 5 })
        #expect(await eventually { gate.end(url, status: 200, body: []) })
        for task in tasks { #expect(await task.value == 200) }
        #expect(kept.all.count == 1)
        #expect(kept.all[0].headers.map(\.name) == ["Traceparent"])
        #expect(observer.outcomes.count { $0.isShared } == 4)
    }

    @Test func `a cancelled request is reported as cancelled`() async {
        let task = start(fetcher(), "http://a.test/1")
        #expect(await eventually { transport.started.count == 1 })
        task.cancel()
        #expect(await task.value == nil)
        #expect(observer.words.last == "ended a.test:80 cancelled")
    }

    @Test func `the loss and recovery of a host are reported once each`() async {
        let fetcher = fetcher()
        for number in 1...2 {
            let task = start(fetcher, "http://a.test/\(number)")
            await refuse("http://a.test/\(number)")
            #expect(await task.value == nil)
            // Failures of one moment count once.
            time.advance(by: .milliseconds(1))
        }
        #expect(await start(fetcher, "http://a.test/3").value == nil)
        time.advance(by: .seconds(100))
        let probe = start(fetcher, "http://a.test/4")
        await refuse("http://a.test/4")
        #expect(await probe.value == nil)
        time.advance(by: .seconds(1000))
        let good = start(fetcher, "http://a.test/5")
        await end("http://a.test/5", status: 200)
        #expect(await good.value == 200)
        let news = observer.words.filter { $0.hasPrefix("lost") || $0.hasPrefix("restored") }
        #expect(news.count == 2 && news[0].hasPrefix("lost a.test: ") && news[0].contains("refused"))
        #expect(news.last == "restored a.test")
        #expect(observer.words.contains("ended a.test:80 hostUnavailable"))
    }

    @Test func `hits and failures of the store are reported`() async throws {
        let store = DictionaryStore()
        let cache = ResponseCache(
            fetcher: fetcher(), store: store, observer: observer, now: { 1_000_000_000 })
        let wanted = ResponseCacheTests.wanted()
        let first = Task { try await cache.answer(to: wanted) }
        let response = HTTPResponse(
            status: 200, headers: [HTTPHeader(name: "Cache-Control", value: "max-age=60")], body: [1],
            url: wanted.request.url)
        #expect(await eventually { transport.end(wanted.request.url, with: .success(response)) })
        #expect(try await first.value.origin == .network)
        #expect(try await cache.answer(to: wanted).origin == .store)
        #expect(observer.words.last == "store t.example")
        #expect(observer.words.count == 3)
        store.failure.withLock { $0 = StoreError(.full, place: "here", detail: "full") }
        let second = Task { try await cache.answer(to: wanted) }
        #expect(await eventually { transport.end(wanted.request.url, with: .success(response)) })
        _ = try await second.value
        #expect(observer.words.contains("store full"))
    }

    @Test func `files and data URLs are not reported as network requests`() async throws {
        _ = try await fetcher().fetch(HTTPRequest(to: "data:,x"))
        #expect(observer.words.isEmpty)
    }

    private final class Kept: Sendable {
        private let requests = Mutex<[HTTPRequest]>([])
        var all: [HTTPRequest] { requests.withLock { $0 } }
        func add(_ request: HTTPRequest) { requests.withLock { $0.append(request) } }
    }
}
