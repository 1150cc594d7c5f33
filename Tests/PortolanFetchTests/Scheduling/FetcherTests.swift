import PortolanFetch
import TestHelpers
import Testing

struct FetcherTests {
    private let transport = HeldTransport()

    private func start(_ fetcher: Fetcher, _ request: HTTPRequest) -> Task<Result<HTTPResponse, FetchError>, Never> {
        Task {
            do throws(FetchError) {
                return .success(try await fetcher.fetch(request))
            } catch {
                return .failure(error)
            }
        }
    }

    private func code(_ result: Result<HTTPResponse, FetchError>) -> FetchError.Code? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    @Test func `equal requests share one transfer`() async throws {
        let fetcher = Fetcher(transport: transport)
        let tasks = (0..<20).map { _ in start(fetcher, HTTPRequest(to: "http://a.test/1")) }
        #expect(await eventually { fetcher.waiterCount == 20 })
        #expect(await eventually { transport.end("http://a.test/1", status: 404, body: [1, 2]) })
        for task in tasks {
            let response = try await task.value.get()
            #expect(response.status == 404)
            #expect(response.body == [1, 2])
        }
        #expect(transport.started == ["http://a.test/1"])
        #expect(fetcher.transferCounts == (0, 0, 0))
    }

    @Test func `requests with different headers are separate transfers`() async {
        let fetcher = Fetcher(transport: transport)
        let url = "http://a.test/1"
        let tasks = [
            start(fetcher, HTTPRequest(to: url)),
            start(fetcher, HTTPRequest(to: url, headers: [HTTPHeader(name: "A", value: "b")])),
        ]
        #expect(await eventually { transport.started.count == 2 })
        for task in tasks { task.cancel() }
        for task in tasks { #expect(code(await task.value) == .cancelled) }
    }

    @Test func `a failure reaches every waiter`() async {
        let fetcher = Fetcher(transport: transport)
        let tasks = (0..<3).map { _ in start(fetcher, HTTPRequest(to: "http://a.test/1")) }
        #expect(await eventually { fetcher.waiterCount == 3 })
        let failure = FetchError(.tls, url: "http://a.test/1", detail: "x")
        #expect(await eventually { transport.end("http://a.test/1", with: .failure(failure)) })
        for task in tasks { #expect(code(await task.value) == .tls) }
    }

    @Test func `a transfer is cancelled only with its last waiter`() async throws {
        let fetcher = Fetcher(transport: transport)
        let tasks = (0..<3).map { _ in start(fetcher, HTTPRequest(to: "http://a.test/1")) }
        #expect(await eventually { fetcher.waiterCount == 3 })
        tasks[0].cancel()
        #expect(code(await tasks[0].value) == .cancelled)
        tasks[1].cancel()
        #expect(code(await tasks[1].value) == .cancelled)
        #expect(transport.cancelled.isEmpty)
        tasks[2].cancel()
        #expect(code(await tasks[2].value) == .cancelled)
        #expect(await eventually { transport.cancelled == ["http://a.test/1"] })
        #expect(await eventually { fetcher.transferCounts == (0, 0, 0) })
    }

    @Test func `remaining waiters get the response after others have cancelled`() async throws {
        let fetcher = Fetcher(transport: transport)
        let leaving = start(fetcher, HTTPRequest(to: "http://a.test/1"))
        #expect(await eventually { transport.started.count == 1 })
        let staying = start(fetcher, HTTPRequest(to: "http://a.test/1"))
        #expect(await eventually { fetcher.waiterCount == 2 })
        leaving.cancel()
        #expect(code(await leaving.value) == .cancelled)
        #expect(await eventually { transport.end("http://a.test/1", body: [7]) })
        #expect(try await staying.value.get().body == [7])
    }

    @Test func `a cancelled waiter returns at once even if its transfer does not stop`() async {
        let stubborn = HeldTransport(endsWhenCancelled: false)
        let fetcher = Fetcher(transport: stubborn, maximumConnectionsPerHost: 1)
        let first = start(fetcher, HTTPRequest(to: "http://a.test/1"))
        #expect(await eventually { stubborn.started.count == 1 })
        first.cancel()
        #expect(code(await first.value) == .cancelled)
        // The slot is still occupied, so the next one waits; and an equal request starts again.
        let second = start(fetcher, HTTPRequest(to: "http://a.test/1"))
        #expect(await eventually { fetcher.transferCounts == (1, 1, 0) })
        #expect(stubborn.started.count == 1)
        #expect(await eventually { stubborn.end("http://a.test/1", body: [1]) })
        #expect(await eventually { stubborn.started.count == 2 })
        #expect(await eventually { stubborn.end("http://a.test/1", body: [2]) })
        #expect((try? await second.value.get())?.body == [2])
    }

    @Test func `the limit per host is never exceeded, and the order is kept`() async {
        let fetcher = Fetcher(transport: transport, maximumConnectionsPerHost: 2)
        var urls: [String] = []
        var tasks: [Task<Result<HTTPResponse, FetchError>, Never>] = []
        for number in 0..<30 {
            let url = "http://a.test/\(number)"
            urls.append(url)
            tasks.append(start(fetcher, HTTPRequest(to: url)))
            let count = number + 1
            #expect(await eventually { fetcher.waiterCount == count })
        }
        #expect(fetcher.transferCounts == (2, 28, 0))
        for (number, url) in urls.enumerated() {
            // One start at a time: two that are due at once may reach the transport in either order.
            let due = min(number + 2, urls.count)
            #expect(await eventually { transport.started.count == due })
            #expect(await eventually { transport.end(url) })
        }
        for task in tasks { #expect(code(await task.value) == nil) }
        #expect(transport.mostAtOnce(host: "a.test") == 2)
        // The two first start at the same time; after them one starts for each that ends.
        #expect(Set(transport.started.prefix(2)) == Set(urls.prefix(2)))
        #expect(transport.started.dropFirst(2) == urls.dropFirst(2))
    }

    @Test func `other hosts are not blocked`() async {
        let fetcher = Fetcher(transport: transport, maximumConnectionsPerHost: 1)
        let urls = ["http://a.test/1", "http://a.test/2", "http://b.test/1", "http://a.test:81/1", "https://a.test/1"]
        let tasks = urls.map { start(fetcher, HTTPRequest(to: $0)) }
        #expect(await eventually { transport.started.count == 4 && fetcher.waiterCount == 5 })
        #expect(fetcher.transferCounts == (4, 1, 0))
        for task in tasks { task.cancel() }
        for task in tasks { #expect(code(await task.value) == .cancelled) }
    }

    @Test func `a request cancelled in the queue is never sent`() async {
        let fetcher = Fetcher(transport: transport, maximumConnectionsPerHost: 1)
        let first = start(fetcher, HTTPRequest(to: "http://a.test/1"))
        #expect(await eventually { transport.started.count == 1 })
        let second = start(fetcher, HTTPRequest(to: "http://a.test/2"))
        #expect(await eventually { fetcher.waiterCount == 2 })
        second.cancel()
        #expect(code(await second.value) == .cancelled)
        #expect(await eventually { transport.end("http://a.test/1") })
        #expect(code(await first.value) == nil)
        #expect(await eventually { fetcher.transferCounts == (0, 0, 0) })
        #expect(transport.started == ["http://a.test/1"])
    }

    @Test func `a waiter with a smaller limit gets an error for a longer body`() async {
        let fetcher = Fetcher(transport: transport)
        let wide = start(fetcher, HTTPRequest(to: "http://a.test/1"))
        #expect(await eventually { transport.started.count == 1 })
        let narrow = start(fetcher, HTTPRequest(to: "http://a.test/1", maximumBodyByteCount: 1))
        #expect(await eventually { fetcher.waiterCount == 2 })
        #expect(await eventually { transport.end("http://a.test/1", body: [1, 2]) })
        #expect(code(await wide.value) == nil)
        #expect(code(await narrow.value) == .bodyTooLarge)
    }

    @Test func `data and file URLs need no transport`() async throws {
        let fetcher = Fetcher(transport: transport)
        let response = try await fetcher.fetch(HTTPRequest(to: "Data:text/x,a b"))
        #expect(response.body == Array("a b".utf8))
        #expect(response.header("content-type") == "text/x")
        #expect(try await fetcher.fetch(HTTPRequest(to: "file://" + #filePath)).body.count > 1000)
        #expect(transport.started.isEmpty)
    }

    @Test(arguments: [
        ("file:///etc/hosts", FetchError.Code.unsupportedScheme), ("ftp://a.test/", .unsupportedScheme),
        ("a.test/x", .invalidURL), ("http://", .invalidURL), ("", .invalidURL), ("data:x", .malformedDataURL),
    ])
    func `URLs that cannot be fetched are rejected`(url: String, code: FetchError.Code) async {
        let fetcher = Fetcher(transport: transport, allowsFiles: false)
        let error = await #expect(throws: FetchError.self) { try await fetcher.fetch(HTTPRequest(to: url)) }
        #expect(error?.code == code)
        #expect(transport.started.isEmpty)
    }

    @Test func `many tasks that come and go leave nothing behind`() async {
        let fetcher = Fetcher(transport: transport, maximumConnectionsPerHost: 3)
        let tasks = (0..<400).map { start(fetcher, HTTPRequest(to: "http://h\($0 % 4).test/\($0 % 40)")) }
        for (number, task) in tasks.enumerated() where number % 3 == 0 { task.cancel() }
        for round in 0..<10 {
            for number in 0..<40 { transport.end("http://h\(number % 4).test/\(number)", body: [UInt8(round)]) }
            await Task.yield()
        }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.value }
        #expect(await eventually { fetcher.transferCounts == (0, 0, 0) && fetcher.waiterCount == 0 })
        for host in 0..<4 { #expect(transport.mostAtOnce(host: "h\(host).test") <= 3) }
    }
}
