import PortolanFetch
import Synchronization
import TestHelpers
import Testing

/// Tries again, rests and breakers, by a clock that the test moves.
@Suite(.timeLimit(.minutes(20))) struct FetcherRetryTests {
    private let transport = HeldTransport()
    private let time = TestClock()

    private func fetcher(
        connections: Int = 6, retries: RetryPolicy = RetryPolicy(),
        breaker: RetryPolicy.CircuitBreaker = RetryPolicy.CircuitBreaker(), random: Double = 0
    ) -> Fetcher {
        Fetcher(
            transport: transport, maximumConnectionsPerHost: connections, retries: retries, circuitBreaker: breaker,
            clock: .test(time, random: random))
    }

    private func start(_ fetcher: Fetcher, _ url: String) -> Task<Result<HTTPResponse, FetchError>, Never> {
        Task {
            do throws(FetchError) {
                return .success(try await fetcher.fetch(HTTPRequest(to: url)))
            } catch {
                return .failure(error)
            }
        }
    }

    private static func code(_ result: Result<HTTPResponse, FetchError>) -> FetchError.Code? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    private static func status(_ result: Result<HTTPResponse, FetchError>) -> Int? {
        try? result.get().status
    }

    private static func refused(_ url: String) -> Result<HTTPResponse, FetchError> {
        .failure(FetchError(.cannotConnect, url: url, detail: "refused"))
    }

    private static func busy(_ url: String, after: String, status: Int = 503) -> Result<HTTPResponse, FetchError> {
        .success(HTTPResponse(status: status, headers: [HTTPHeader(name: "Retry-After", value: after)], url: url))
    }

    /// Ends the next transfer of `url`, as soon as it runs.
    private func end(_ url: String, _ result: Result<HTTPResponse, FetchError>) async {
        #expect(await eventually { transport.end(url, with: result) })
    }

    private static let a = "http://a.test/1"

    @Test(arguments: [0.0, 0.5])
    func `failed requests are retried after waits that double`(random: Double) async {
        let fetcher = fetcher(random: random)
        let task = start(fetcher, Self.a)
        await end(Self.a, .success(HTTPResponse(status: 502, url: Self.a)))
        let waits: [Duration] =
            random == 0 ? [.milliseconds(250), .milliseconds(500)] : [.seconds(0.1875), .seconds(0.375)]
        #expect(await eventually { time.sleeperCount == 1 })
        #expect(fetcher.transferCounts == (0, 0, 1))
        time.advance(by: waits[0] - .milliseconds(1))
        #expect(time.sleeperCount == 1)
        time.advance(by: .milliseconds(1))
        await end(Self.a, .success(HTTPResponse(status: 504, url: Self.a)))
        #expect(await eventually { time.sleeperCount == 1 })
        time.advance(by: waits[1])
        await end(Self.a, .success(HTTPResponse(status: 200, body: [9], url: Self.a)))
        #expect((try? await task.value.get())?.body == [9])
        #expect(time.asked == waits)
        #expect(fetcher.transferCounts == (0, 0, 0))
    }

    @Test func `after the last retry the response is returned`() async {
        let fetcher = fetcher(retries: RetryPolicy(maximumCount: 1))
        let task = start(fetcher, Self.a)
        await end(Self.a, .success(HTTPResponse(status: 500, url: Self.a)))
        #expect(await eventually { time.sleeperCount == 1 })
        time.advance(by: .seconds(1))
        await end(Self.a, .success(HTTPResponse(status: 503, url: Self.a)))
        #expect(Self.status(await task.value) == 503)
        #expect(transport.started.count == 2)
        #expect(time.sleeperCount == 0)
    }

    @Test(arguments: [400, 401, 403, 404, 501]) func `other statuses are not retried`(status: Int) async {
        let task = start(fetcher(), Self.a)
        await end(Self.a, .success(HTTPResponse(status: status, url: Self.a)))
        #expect(Self.status(await task.value) == status)
        #expect(transport.started.count == 1)
    }

    @Test func `nothing is retried if the policy forbids it`() async {
        let task = start(fetcher(retries: .none), Self.a)
        await end(Self.a, Self.refused(Self.a))
        #expect(Self.code(await task.value) == .cannotConnect)
        #expect(transport.started.count == 1)
        #expect(time.asked.isEmpty)
    }

    @Test func `the total time of all attempts is limited`() async {
        let fetcher = fetcher(retries: RetryPolicy(maximumCount: 50, totalTime: .seconds(2)))
        let task = start(fetcher, Self.a)
        #expect(await eventually { fetcher.waiterCount == 1 })
        while fetcher.waiterCount > 0 {
            #expect(await eventually { transport.end(Self.a, status: 503) || fetcher.waiterCount == 0 })
            #expect(await eventually { time.sleeperCount == 1 || fetcher.waiterCount == 0 })
            time.advance(by: .milliseconds(1000))
        }
        #expect(Self.status(await task.value) == 503)
        #expect(transport.started.count == 2, "at 0 and 1, and at 2 s no time is left")
        #expect(time.now <= .seconds(4))
    }

    @Test func `a retry has only the remaining time`() async {
        let fetcher = fetcher(retries: RetryPolicy(totalTime: .seconds(20)))
        let task = start(fetcher, Self.a)
        #expect(await eventually { transport.started.count == 1 })
        time.advance(by: .seconds(12))
        await end(Self.a, .failure(FetchError(.timedOut, url: Self.a, detail: "stalled")))
        #expect(await eventually { time.sleeperCount == 1 })
        time.advance(by: .seconds(1))
        #expect(await eventually { transport.started.count == 2 })
        #expect(transport.timeouts.map(\.total) == [.seconds(60), .seconds(7)])
        task.cancel()
        _ = await task.value
    }

    @Test func `a retry with too little time does not hide the earlier response`() async {
        let task = start(fetcher(retries: RetryPolicy(totalTime: .seconds(20))), Self.a)
        #expect(await eventually { transport.started.count == 1 })
        time.advance(by: .seconds(19))
        await end(Self.a, .success(HTTPResponse(status: 500, url: Self.a)))
        #expect(await eventually { time.sleeperCount == 1 })
        time.advance(by: .milliseconds(500))
        #expect(await eventually { transport.started.count == 2 })
        await end(Self.a, .failure(FetchError(.timedOut, url: Self.a, detail: "total: incomplete after 0.5 s")))
        #expect(Self.status(await task.value) == 500)
    }

    @Test func `a retry whose turn comes too late is not sent`() async {
        let fetcher = fetcher(connections: 1, retries: RetryPolicy(totalTime: .seconds(20)))
        let first = start(fetcher, Self.a)
        await end(Self.a, .success(HTTPResponse(status: 500, url: Self.a)))
        #expect(await eventually { time.sleeperCount == 1 })
        let other = "http://a.test/2"
        let second = start(fetcher, other)
        #expect(await eventually { transport.started.count == 2 })
        time.advance(by: .seconds(2))
        #expect(await eventually { fetcher.transferCounts == (1, 1, 0) })
        time.advance(by: .seconds(60))
        await end(other, .success(HTTPResponse(status: 200, url: other)))
        #expect(Self.status(await second.value) == 200)
        #expect(Self.status(await first.value) == 500)
        #expect(transport.started.count == 2)
    }

    @Test(arguments: [("7", 7), ("Thu, 01 Jan 2026 12:00:09 GMT", 9), ("0", 0)] as [(String, Double)])
    func `Retry-After is honoured`(value: String, seconds: Double) async {
        let fetcher = fetcher()
        let task = start(fetcher, Self.a)
        await end(Self.a, Self.busy(Self.a, after: value))
        #expect(await eventually { time.sleeperCount == 1 })
        #expect(time.asked == [.seconds(max(seconds, 0.25))])
        time.advance(by: .seconds(10))
        await end(Self.a, .success(HTTPResponse(status: 200, url: Self.a)))
        #expect(Self.status(await task.value) == 200)
    }

    @Test func `no image is requested while a server is busy`() async {
        let fetcher = fetcher(connections: 2)
        let urls = (0..<5).map { "http://a.test/\($0)" }
        var tasks: [Task<Result<HTTPResponse, FetchError>, Never>] = []
        for url in urls {
            tasks.append(start(fetcher, url))
            let count = tasks.count
            #expect(await eventually { fetcher.waiterCount == count })
        }
        #expect(await eventually { transport.started.count == 2 })
        await end(urls[0], Self.busy(urls[0], after: "5", status: 429))
        // One waits for its own try, one for the host's rest.
        #expect(await eventually { time.sleeperCount == 2 })
        await end(urls[1], .success(HTTPResponse(status: 200, url: urls[1])))
        #expect(Self.status(await tasks[1].value) == 200)
        #expect(transport.started.count == 2)
        #expect(fetcher.transferCounts == (0, 3, 1))
        time.advance(by: .seconds(5))
        #expect(await eventually { transport.started.count == 4 })
        for url in urls where url != urls[1] { await end(url, .success(HTTPResponse(status: 200, url: url))) }
        for task in tasks { #expect(Self.status(await task.value) == 200) }
    }

    @Test func `a server that asks for a long pause is not contacted`() async throws {
        let fetcher = fetcher()
        let first = start(fetcher, Self.a)
        await end(Self.a, Self.busy(Self.a, after: "600", status: 429))
        #expect(Self.status(await first.value) == 429)
        let second = await start(fetcher, "http://a.test/2?token=s3cret").value
        guard case .failure(let error) = second else {
            Issue.record("\(second)")
            return
        }
        #expect(error.code == .hostBusy)
        #expect(error.detail == "http://a.test:80 asked for a pause; next retry in 600 s")
        #expect(transport.started.count == 1)
        time.advance(by: .seconds(600))
        let third = start(fetcher, Self.a)
        await end(Self.a, .success(HTTPResponse(status: 200, url: Self.a)))
        #expect(Self.status(await third.value) == 200)
    }

    @Test func `an unreachable server is not contacted for each tile`() async {
        let fetcher = fetcher(connections: 6)
        let urls = (0..<200).map { "http://a.test/\($0)" }
        let tasks = urls.map { start(fetcher, $0) }
        #expect(await eventually { fetcher.waiterCount == 200 })
        while fetcher.waiterCount > 0 {
            for url in urls { transport.end(url, with: Self.refused(url)) }
            if time.sleeperCount > 0, fetcher.transferCounts.running == 0 { time.advance(by: .milliseconds(50)) }
            await Task.yield()
        }
        var codes: [FetchError.Code: Int] = [:]
        for task in tasks { if let code = Self.code(await task.value) { codes[code, default: 0] += 1 } }
        #expect(codes[.cannotConnect, default: 0] + codes[.hostUnavailable, default: 0] == 200)
        #expect(transport.started.count <= 30, "six at a time, five times")
        #expect(time.now < .seconds(10))
    }

    @Test func `a short network outage loses no tile`() async {
        let fetcher = fetcher(connections: 6)
        let urls = (0..<40).map { "http://a.test/\($0)" }
        let tasks = urls.map { start(fetcher, $0) }
        #expect(await eventually { fetcher.waiterCount == 40 })
        while fetcher.waiterCount > 0 {
            for url in urls {
                let isDown = time.now < .milliseconds(300)
                transport.end(
                    url, with: isDown ? Self.refused(url) : .success(HTTPResponse(status: 200, url: url)))
            }
            if time.sleeperCount > 0, fetcher.transferCounts.running == 0 { time.advance(by: .milliseconds(50)) }
            await Task.yield()
        }
        for task in tasks { #expect(Self.status(await task.value) == 200) }
    }

    @Test func `retries of failed responses are limited by a budget`() async {
        let fetcher = fetcher(connections: 1, retries: RetryPolicy(maximumCount: 1, budgetPerHost: 3))
        for number in 0..<8 {
            let url = "http://a.test/\(number)"
            let task = start(fetcher, url)
            for _ in 0..<(number < 3 ? 2 : 1) {
                await end(url, .success(HTTPResponse(status: 503, url: url)))
                if number < 3, time.sleeperCount == 0 {
                    _ = await eventually { time.sleeperCount == 1 || fetcher.waiterCount == 0 }
                }
                time.advance(by: .milliseconds(250))
            }
            #expect(Self.status(await task.value) == 503)
        }
        #expect(transport.started.count == 8 + 3)
    }

    @Test func `the circuit breaker opens, lets a probe through, and closes again`() async throws {
        let fetcher = fetcher(retries: .none, breaker: RetryPolicy.CircuitBreaker(failureThreshold: 2))
        for _ in 0..<2 {
            let task = start(fetcher, Self.a)
            await end(Self.a, Self.refused(Self.a))
            #expect(Self.code(await task.value) == .cannotConnect)
            time.advance(by: .milliseconds(1))
        }
        let refused = await #expect(throws: FetchError.self) { try await fetcher.fetch(HTTPRequest(to: Self.a)) }
        #expect(refused?.code == .hostUnavailable)
        #expect(
            refused?.detail == "2 connections to http://a.test:80 failed in a row "
                + "(cannot connect: refused); next retry in 0.999 s")
        // Another host is not concerned.
        let other = start(fetcher, "http://b.test/1")
        await end("http://b.test/1", .success(HTTPResponse(status: 200, url: "http://b.test/1")))
        #expect(Self.status(await other.value) == 200)
        time.advance(by: .seconds(1))
        let probe = start(fetcher, Self.a)
        #expect(await eventually { transport.started.count == 4 })
        let waiting = start(fetcher, "http://a.test/2")
        #expect(await eventually { fetcher.waiterCount == 2 })
        #expect(fetcher.transferCounts == (1, 1, 0), "one at a time")
        await end(Self.a, Self.refused(Self.a))
        #expect(Self.code(await probe.value) == .cannotConnect)
        #expect(Self.code(await waiting.value) == .hostUnavailable)
        time.advance(by: .seconds(2))
        let second = start(fetcher, Self.a)
        #expect(await eventually { transport.started.count == 5 })
        let third = start(fetcher, "http://a.test/2")
        #expect(await eventually { fetcher.waiterCount == 2 })
        await end(Self.a, .success(HTTPResponse(status: 404, url: Self.a)))
        #expect(Self.status(await second.value) == 404, "any answer is a sign of life")
        await end("http://a.test/2", .success(HTTPResponse(status: 200, url: "http://a.test/2")))
        #expect(Self.status(await third.value) == 200)
    }

    @Test func `a cancelled probe does not keep the circuit breaker open`() async {
        let fetcher = fetcher(retries: .none, breaker: RetryPolicy.CircuitBreaker(failureThreshold: 1))
        let first = start(fetcher, Self.a)
        await end(Self.a, Self.refused(Self.a))
        _ = await first.value
        time.advance(by: .seconds(1))
        let probe = start(fetcher, Self.a)
        #expect(await eventually { transport.started.count == 2 })
        let waiting = start(fetcher, "http://a.test/2")
        #expect(await eventually { fetcher.waiterCount == 2 })
        probe.cancel()
        #expect(Self.code(await probe.value) == .cancelled)
        await end("http://a.test/2", .success(HTTPResponse(status: 200, url: "http://a.test/2")))
        #expect(Self.status(await waiting.value) == 200)
    }

    @Test func `cancelling ends the wait for a retry at once`() async {
        let fetcher = fetcher()
        let task = start(fetcher, Self.a)
        await end(Self.a, .success(HTTPResponse(status: 503, url: Self.a)))
        #expect(await eventually { time.sleeperCount == 1 })
        let joined = start(fetcher, Self.a)
        #expect(await eventually { fetcher.waiterCount == 2 })
        task.cancel()
        #expect(Self.code(await task.value) == .cancelled)
        #expect(time.sleeperCount == 1, "one still waits for it")
        joined.cancel()
        #expect(Self.code(await joined.value) == .cancelled)
        #expect(await eventually { time.sleeperCount == 0 })
        #expect(fetcher.transferCounts == (0, 0, 0))
        #expect(transport.started.count == 1)
    }

    @Test func `a fetcher without requests is not kept alive by the pause of a host`() async {
        let gone: @Sendable () -> Bool
        do {
            let fetcher = fetcher(connections: 1)
            gone = { [weak fetcher] in fetcher == nil }
            let tasks = [start(fetcher, Self.a), start(fetcher, "http://a.test/2")]
            #expect(await eventually { transport.started.count == 1 && fetcher.waiterCount == 2 })
            let url = transport.started[0]
            await end(url, Self.busy(url, after: "20"))
            #expect(await eventually { time.sleeperCount == 2 })
            for task in tasks { task.cancel() }
            for task in tasks { #expect(Self.code(await task.value) == .cancelled) }
        }
        #expect(await eventually { gone() })
    }
}
