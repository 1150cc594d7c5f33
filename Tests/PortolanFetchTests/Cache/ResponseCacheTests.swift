import PortolanFetch
import PortolanWeb
import Synchronization
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct ResponseCacheTests {
    enum Refusal: Error, Equatable {
        case missing(FetchError.Code)
        case unreadable(Int)
    }

    /// A server whose answers are set, that counts, and a clock.
    final class World: HTTPTransport {
        let answers = Mutex<[Result<HTTPResponse, FetchError>]>([])
        let asked = Mutex<[HTTPRequest]>([])
        let time = Mutex(1_000_000_000)
        let store = DictionaryStore()

        func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
            asked.withLock { $0.append(request) }
            let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
            guard let answer else { throw FetchError(.cannotConnect, url: request.url, detail: "nobody") }
            return try answer.get()
        }

        func cache(isOffline: Bool = false) -> ResponseCache {
            ResponseCache(fetcher: Fetcher(transport: self), store: store, isOffline: isOffline) {
                self.time.withLock { $0 }
            }
        }

        func answers(_ responses: (Int, [String: String], [UInt8])...) {
            answers.withLock {
                $0 = responses.map { status, headers, body in
                    let fields = headers.map { HTTPHeader(name: $0.key, value: $0.value) }
                    return .success(HTTPResponse(status: status, headers: fields, body: body, url: ""))
                }
            }
        }

        func breaks() { answers.withLock { $0 = [] } }
        func wait(_ seconds: Int) { time.withLock { $0 += seconds } }
        var count: Int { asked.withLock { $0.count } }
    }

    /// Bodies that begin with 1 are good.
    static func wanted(rule: CacheRule = CacheRule(), reloads: Bool = false) -> CacheRequest<[UInt8], Refusal> {
        CacheRequest(
            request: HTTPRequest(to: "http://t.example/1.png"), rule: rule, reloads: reloads,
            missing: { .missing($0.code) }
        ) { response throws(Refusal) in
            guard response.isSuccessful, response.body.first == 1 else { throw .unreadable(response.status) }
            return response.body
        }
    }

    static let minute = ["Cache-Control": "max-age=60"]

    @Test func `a fresh response is not requested again`() async throws {
        let world = World()
        world.answers((200, Self.minute, [1, 2]))
        let first = try await world.cache().answer(to: Self.wanted())
        world.wait(59)
        let second = try await world.cache().answer(to: Self.wanted())
        #expect(first.origin == .network)
        #expect(second.origin == .store)
        #expect(second.value == [1, 2])
        #expect(world.count == 1)
        #expect(second.freshUntil == 1_000_000_060)
        let reloaded = try await world.cache().answer(to: Self.wanted(reloads: true))
        #expect(reloaded.origin == .network)
        #expect(world.count == 2)
    }

    @Test func `an expired response is revalidated without a transfer`() async throws {
        let world = World()
        world.answers((200, ["Cache-Control": "max-age=60", "ETag": "abc"], [1, 2]), (304, [:], []))
        _ = try await world.cache().answer(to: Self.wanted())
        world.wait(60)
        let second = try await world.cache().answer(to: Self.wanted())
        #expect(second.origin == .store)
        #expect(second.value == [1, 2])
        #expect(world.count == 2)
        #expect(world.asked.withLock { $0.last?.header("If-None-Match") } == "abc")
        world.wait(59)
        #expect(try await world.cache().answer(to: Self.wanted()).origin == .store)
        #expect(world.count == 2)
    }

    @Test(
        arguments: [
            (200, [3], 200), (200, [], 200), (500, [1], 500), (503, [], 503), (403, [1], 403),
        ] as [(Int, [UInt8], Int)])
    func `an invalid response is never stored`(status: Int, body: [UInt8], told: Int) async throws {
        let world = World()
        world.answers((status, Self.minute, body))
        await #expect(throws: Refusal.unreadable(told)) { _ = try await world.cache().answer(to: Self.wanted()) }
        #expect(world.store.all.isEmpty)
    }

    @Test(
        arguments: [
            (200, [3], true), (200, [], true), (500, [], true), (503, [9], true), (429, [], true), (404, [], false),
            (410, [], false), (401, [], false), (403, [], false), (0, [], true),
        ] as [(Int, [UInt8], Bool)])
    func `a stale response is used if the server fails, but not if it refuses`(
        status: Int, body: [UInt8], standsIn: Bool
    ) async throws {
        let world = World()
        world.answers((200, Self.minute, [1]))
        _ = try await world.cache().answer(to: Self.wanted())
        world.wait(3600)
        if status == 0 { world.breaks() } else { world.answers((status, [:], body)) }
        let answer = try? await world.cache().answer(to: Self.wanted())
        #expect((answer?.value == [1]) == standsIn)
        if case .stale(let reason, _)? = answer?.origin { #expect(!reason.isEmpty) } else { #expect(answer == nil) }
        #expect(world.store.all.first?.body == (status == 404 || status == 410 ? [] : [1]))
    }

    @Test func `a must-revalidate response is not used stale`() async throws {
        let world = World()
        world.answers((200, ["Cache-Control": "max-age=60, must-revalidate"], [1]))
        _ = try await world.cache().answer(to: Self.wanted())
        world.wait(61)
        world.breaks()
        await #expect(throws: Refusal.missing(.cannotConnect)) { _ = try await world.cache().answer(to: Self.wanted()) }
        // In offline mode the response is used anyway, with a warning.
        let offline = try await world.cache(isOffline: true).answer(to: Self.wanted())
        #expect(offline.value == [1])
        #expect(offline.origin == .stale(reason: "offline mode"))
    }

    @Test func `a missing resource is remembered for a minute`() async throws {
        let world = World()
        world.answers((404, [:], [5, 5]))
        for _ in 0..<3 {
            await #expect(throws: Refusal.unreadable(404)) { _ = try await world.cache().answer(to: Self.wanted()) }
        }
        #expect(world.count == 1)
        #expect(world.store.all.map(\.body) == [[]])
        world.wait(60)
        world.answers((200, Self.minute, [1]))
        #expect(try await world.cache().answer(to: Self.wanted()).origin == .network)
    }

    @Test func `a stored response that cannot be read is fetched again`() async throws {
        let world = World()
        world.answers((200, ["Cache-Control": "max-age=60", "ETag": "a"], [1]))
        _ = try await world.cache().answer(to: Self.wanted())
        world.store.change { $0.body = [0] }
        #expect(try await world.cache().answer(to: Self.wanted()).origin == .network)
        #expect(world.store.all.map(\.body) == [[1]])
        // The same when the server confirms what is damaged here.
        world.store.change { $0.body = [0] }
        world.wait(61)
        world.answers((304, [:], []), (200, Self.minute, [1, 1]))
        #expect(try await world.cache().answer(to: Self.wanted()).value == [1, 1])
    }

    @Test func `a response used while it is revalidated is requested once`() async throws {
        let world = World()
        world.answers((200, ["Cache-Control": "max-age=60, stale-while-revalidate=600"], [1]))
        let cache = world.cache()
        _ = try await cache.answer(to: Self.wanted())
        world.wait(61)
        world.answers((200, Self.minute, [1, 9]))
        let stale = try await cache.answer(to: Self.wanted())
        guard case .stale = stale.origin else { throw Refusal.unreadable(0) }
        #expect(stale.value == [1])
        #expect(await eventually { world.store.all.first?.body == [1, 9] })
        #expect(try await cache.answer(to: Self.wanted()).value == [1, 9])
        #expect(world.count == 2)
    }

    @Test func `without a network only stored responses are available`() async throws {
        let world = World()
        await #expect(throws: Refusal.missing(.offline)) {
            _ = try await world.cache(isOffline: true).answer(to: Self.wanted())
        }
        world.answers((200, Self.minute, [1]))
        _ = try await world.cache().answer(to: Self.wanted())
        #expect(try await world.cache(isOffline: true).answer(to: Self.wanted()).origin == .store)
        world.wait(100)
        #expect(
            try await world.cache(isOffline: true).answer(to: Self.wanted()).origin
                == .stale(reason: "offline mode"))
        #expect(await world.cache(isOffline: true).kept(Self.wanted()) == [1])
        #expect(world.count == 1)
    }

    @Test func `a disabled rule neither stores nor looks up`() async throws {
        let world = World()
        world.answers((200, Self.minute, [1]))
        for _ in 0..<2 { _ = try await world.cache().answer(to: Self.wanted(rule: .disabled)) }
        #expect(world.count == 2)
        #expect(world.store.all.isEmpty)
    }

    @Test func `an unreachable server is distinguished from a failing one`() async throws {
        let world = World()
        world.answers((200, ["Cache-Control": "max-age=0"], [1]))
        _ = try await world.cache().answer(to: Self.wanted())
        world.answers((503, [:], []))
        let failing = try await world.cache().answer(to: Self.wanted())
        #expect(failing.origin == .stale(reason: "HTTP status 503"))
        world.breaks()
        let gone = try await world.cache().answer(to: Self.wanted())
        #expect(gone.origin == .stale(reason: "cannot connect", isConnectionLost: true))
    }

    @Test func `an expired must-revalidate response is not a fallback`() async throws {
        let world = World()
        world.answers((200, ["Cache-Control": "max-age=60, must-revalidate"], [1]))
        _ = try await world.cache().answer(to: Self.wanted())
        #expect(await world.cache().kept(Self.wanted()) == [1])
        world.wait(60)
        #expect(await world.cache().kept(Self.wanted()) == nil)
        #expect(await world.cache(isOffline: true).kept(Self.wanted()) == [1])
    }

    @Test func `nothing is stored for an unknown identity`() async throws {
        let world = World(), hasLoggedIn = Mutex(false)
        world.answers((200, Self.minute, [1]))
        let cache = ResponseCache(
            fetcher: Fetcher(transport: world), store: world.store,
            identity: { _ in hasLoggedIn.withLock { $0 ? .unknown : .anonymous } }, now: { 0 })
        // It was while this answer came that he said who he is.
        _ = try await cache.answer(
            to: CacheRequest(
                request: Self.wanted().request, rule: CacheRule(), missing: { Refusal.missing($0.code) }
            ) { response throws(Refusal) in
                hasLoggedIn.withLock { $0 = true }
                return response.body
            })
        #expect(world.store.all.isEmpty)
        hasLoggedIn.withLock { $0 = false }
        _ = try await cache.answer(to: Self.wanted())
        #expect(world.store.all.count == 1)
        hasLoggedIn.withLock { $0 = true }
        #expect(try await cache.answer(to: Self.wanted()).origin == .network)
    }

    @Test func `no-store is not stored, and removes a stored response`() async throws {
        let world = World()
        world.answers((200, Self.minute, [1]), (200, ["Cache-Control": "no-store"], [1]))
        _ = try await world.cache().answer(to: Self.wanted())
        world.wait(60)
        #expect(try await world.cache().answer(to: Self.wanted()).origin == .network)
        #expect(world.store.all.isEmpty)
    }

    @Test func `a failing store costs a warning, but no response`() async throws {
        let world = World()
        world.answers((200, Self.minute, [1]))
        world.store.failure.withLock { $0 = StoreError(.full, place: "/cache", detail: "no space left on the disk") }
        let cache = world.cache()
        for _ in 0..<2 { #expect(try await cache.answer(to: Self.wanted()).value == [1]) }
        #expect(cache.warnings.map(\.description) == ["the cache is disabled: /cache: no space left on the disk"])
    }

    @Test func `a response stored by another worker during the lease is not fetched`() async throws {
        let world = World()
        world.store.leasing.withLock {
            $0 = { key, store in
                let entry = StoredResponse(
                    status: 200, headers: [HTTPHeader(name: "Cache-Control", value: "max-age=60")], body: [1, 7],
                    responseTime: 1_000_000_000)
                try? store.put(entry, for: key, place: StoredResponse.Location(url: ""))
            }
        }
        let answer = try await world.cache().answer(to: Self.wanted())
        #expect(answer.origin == .store)
        #expect(answer.value == [1, 7])
        #expect(world.count == 0)
        #expect(world.store.openLeases.withLock { $0 } == 0)
        // The same if a stale response must be revalidated; but a reload does not wait for another request.
        world.wait(100)
        world.answers((200, Self.minute, [1, 8]))
        #expect(try await world.cache().answer(to: Self.wanted(reloads: true)).value == [1, 8])
        #expect(world.count == 1)
    }

    @Test(arguments: [(200, [1]), (200, [3]), (404, []), (500, []), (0, [])] as [(Int, [UInt8])])
    func `a lease is released however the transfer ends`(status: Int, body: [UInt8]) async throws {
        let world = World()
        world.store.leasing.withLock { $0 = { _, _ in } }
        if status == 0 { world.breaks() } else { world.answers((status, Self.minute, body)) }
        let answer = try? await world.cache().answer(to: Self.wanted())
        #expect((answer != nil) == (body == [1]))
        #expect(world.count > 0)
        #expect(world.store.openLeases.withLock { $0 } == 0)
    }

    @Test func `a warning of the store is not repeated`() async throws {
        let world = World()
        world.answers((200, Self.minute, [1]))
        let failure = StoreError(.full, place: "/cache", detail: "no space left on the disk")
        world.store.failure.withLock { $0 = failure }
        world.store.told.withLock { $0 = ["nothing new is kept: \(failure)"] }
        let cache = world.cache()
        #expect(try await cache.answer(to: Self.wanted()).value == [1])
        #expect(cache.warnings.map(\.description) == ["nothing new is kept: \(failure)"])
        world.store.told.withLock { $0 = [] }
        #expect(cache.warnings.isEmpty)
    }
}
