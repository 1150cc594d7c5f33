import Portolan
import PortolanFetch
import PortolanTesting
import Synchronization
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapFacadeConnectionTests {
    @Test func `a lost connection is retried with increasing delays until it is restored`() async throws {
        let clock = TestClock()
        let server = MapFacadeTests.Switch()
        let transport = try server.transport("a.example")
        let renderer = MapRenderer(configuration: World.configuration(clock: clock), transport: transport)
        let map = try MapFacade(size: #require(ImageSize(width: 256, height: 256)), renderer: renderer)
        map.options.attribution = .none
        try map.add(World.tiles("one", host: "a.example"))
        try map.add(World.tiles("two", host: "a.example"))
        let events = map.events()
        server.set(off: true)
        await #expect(throws: MapError.self) { try await map.refresh() }
        let drawn = transport.requests.count
        for (number, delay) in [1, 2, 4, 8].enumerated() {
            #expect(await eventually { clock.sleeperCount == 1 })
            #expect(clock.asked.last == .seconds(delay))
            #expect(transport.requests.count == drawn + number, "one request for both layers")
            if delay == 8 { server.set(off: false) }
            clock.advance(by: .seconds(delay))
        }
        let heard = await World.heard(events, 4)
        #expect(heard.dropFirst(2) == [.connectionRestored(layer: "one"), .connectionRestored(layer: "two")])
        #expect(transport.requests.count == drawn + 4)
    }

    @Test func `a lost connection is not retried without listeners`() async throws {
        let clock = TestClock()
        let server = MapFacadeTests.Switch()
        let transport = try server.transport("a.example")
        let renderer = MapRenderer(configuration: World.configuration(clock: clock), transport: transport)
        let map = try MapFacade(size: #require(ImageSize(width: 256, height: 256)), renderer: renderer)
        try map.add(World.tiles("one", host: "a.example"))
        server.set(off: true)
        await #expect(throws: MapError.self) { try await map.refresh() }
        // But for the deadline of the picture itself.
        #expect(clock.asked == [.seconds(120)] && clock.sleeperCount == 0)
    }

    /// A transport that holds every transfer until it is cancelled or let go.
    final class Held: Sendable {
        private struct State {
            var held: [String: CheckedContinuation<Void, Never>] = [:]
            var isOpen = false
            var cancelled: Set<String> = []
        }

        private let state = Mutex(State())

        var cancelled: Set<String> { state.withLock { $0.cancelled } }
        var heldURLs: Set<String> { state.withLock { Set($0.held.keys) } }

        func wait(_ url: String) async -> Bool {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isOver = state.withLock { state in
                        if state.isOpen || state.cancelled.contains(url) { return true }
                        state.held[url] = continuation
                        return false
                    }
                    if isOver { continuation.resume() }
                }
            } onCancel: {
                let continuation = state.withLock { state in
                    state.cancelled.insert(url)
                    return state.held.removeValue(forKey: url)
                }
                continuation?.resume()
            }
            return state.withLock { !$0.cancelled.contains(url) }
        }

        func open() {
            let held = state.withLock { state in
                state.isOpen = true
                defer { state.held = [:] }
                return Array(state.held.values)
            }
            for continuation in held { continuation.resume() }
        }
    }

    @Test func `a new view keeps shared requests and cancels the others`() async throws {
        let held = Held()
        let body = try World.png(.black)
        let transport = StubTransport { request throws(FetchError) in
            guard await held.wait(request.url) else { throw FetchError.cancelled(url: request.url) }
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
        var configuration = World.configuration()
        configuration.maximumConnectionsPerHost = 64
        let renderer = MapRenderer(configuration: configuration, transport: transport)
        let first = try World.view(), second = try first.panned(x: 256, y: 0)
        let owner = PinOwner()
        let layer = try World.tiles()
        let old = Task {
            await renderer.draw([layer], in: first, options: World.plain(), for: owner, progress: nil)
        }
        #expect(await eventually { held.heldURLs.count == 4 })
        let before = held.heldURLs
        let new = Task {
            await renderer.draw(
                [layer], in: second, options: World.plain(), for: owner, onRequested: { old.cancel() },
                progress: nil)
        }
        guard case .failure(let error) = await old.value.result else {
            Issue.record("the old view was drawn")
            return
        }
        #expect(error.code == .cancelled)
        #expect(await eventually { !held.cancelled.isEmpty })
        let needed = Set(try await shown(in: second))
        #expect(held.cancelled.isSubset(of: before.subtracting(needed)))
        held.open()
        guard case .success(let result) = await new.value.result else {
            Issue.record("the new view was not drawn")
            return
        }
        #expect(result.report.complete)
        #expect(held.cancelled == before.subtracting(needed))
        #expect(transport.requests.count == before.union(needed).count, "nothing is asked for twice")
    }

    /// The addresses of a view.
    private func shown(in viewport: Viewport) async throws -> [String] {
        let transport = try World.transport()
        _ = try await World.renderer(transport).render([World.tiles()], in: viewport, options: World.plain())
        return transport.requests.map(\.url)
    }

    @Test func `a second refresh cancels the first`() async throws {
        let held = Held()
        let body = try World.png(.black)
        let transport = StubTransport { request throws(FetchError) in
            guard await held.wait(request.url) else { throw FetchError.cancelled(url: request.url) }
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
        let map = try MapFacadeTests.facade(transport: transport)
        try map.add(World.tiles())
        try await refreshTwice(map, held)
    }

    @MainActor private func refreshTwice(_ map: sending MapFacade, _ held: Held) async throws {
        let map = map
        let first = Task { @MainActor in
            do throws(MapError) {
                _ = try await map.refresh()
                return MapError.Code?.none
            } catch { return error.code }
        }
        #expect(await eventually { !held.heldURLs.isEmpty })
        try map.center(on: Coordinate(longitude: 120, latitude: 50), zoom: 9)
        let second = Task { @MainActor in try await map.refresh() }
        #expect(await first.value == .cancelled)
        held.open()
        #expect(try await second.value.report.complete)
    }
}
