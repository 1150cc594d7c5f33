#if os(Linux)
import Portolan
import Testing

@Suite(.onMapServers, .timeLimit(.minutes(20))) struct MapFacadeConnectionTests {
    /// Connection events in short form.
    private static func words(_ event: MapFacade.Event) -> String? {
        switch event {
        case .connectionLost(let layer, let detail): "lost \(layer) \(detail.prefix { $0 != ":" })"
        case .connectionRestored(let layer): "restored \(layer)"
        case .layerLoaded(let name, let isComplete): isComplete ? nil : "incomplete \(name)"
        default: nil
        }
    }

    /// Draws while a layer's server stops and restarts, and returns the events of each drawing.
    private func listen(to faults: [FaultyProxy.Fault]) async throws -> [Set<String>] {
        let servers = try MapServers.running()
        let proxy = try FaultyProxy(of: servers.mapServer)
        defer { proxy.stop() }
        let options = WMSOptions(layers: ["countries"], urlPolicy: .base)
        let client = ServiceClient.shared
        let ground = try await client.wmsLayer(named: "ground", url: servers.mapServer, options: options).layer
        let frail = try await client.wmsLayer(named: "frail", url: proxy.url(servers.mapServer), options: options).layer
        // Each drawing contacts the server once. With a host that is paused after failures, time would matter.
        var configuration = RendererConfiguration()
        configuration.retries = .none
        configuration.circuitBreaker = .none
        let renderer = MapRenderer(configuration: configuration, transport: MapServers.transport)
        let facade = try MapFacade(size: #require(ImageSize(width: 200, height: 150)), renderer: renderer)
        try facade.center(on: Coordinate(longitude: -3.7, latitude: 40.4), zoom: 5)
        try facade.add(ground)
        try facade.add(frail)
        let events = facade.events()
        var heard: [Set<String>] = []
        var iterator = events.makeAsyncIterator()
        for fault in faults {
            proxy.setFault(fault)
            // Elsewhere, so that nothing is in memory.
            try facade.pan(x: 31, y: 0)
            let result = try await facade.refresh()
            #expect(result.image.size == facade.viewport.size)
            // A touch of nothing tells nothing; a turn marks the end of what this drawing told.
            try facade.rotate(to: 1)
            var words: Set<String> = []
            while let event = await iterator.next() {
                if case .viewportChanged(let viewport) = event, viewport.rotation == 1 { break }
                if let word = Self.words(event) { #expect(words.insert(word).inserted) }
            }
            try facade.rotate(to: 0)
            heard.append(words)
        }
        return heard
    }

    @Test func `a lost connection and its recovery are reported once each`() async throws {
        let heard = try await listen(to: [
            .none, .silence, .closing(after: 200), .none, .none, .closing(after: 0), .none,
        ])
        #expect(
            heard == [
                [], ["lost frail the connection was lost", "incomplete frail"], ["incomplete frail"],
                ["restored frail"], [],
                ["lost frail the connection was lost", "incomplete frail"], ["restored frail"],
            ])
    }

    @Test func `a service exception or a truncated image is not a lost connection`() async throws {
        let heard = try await listen(to: [.replacing(DyingServerTests.exception), .truncating(to: 500), .none])
        #expect(heard == [["incomplete frail"], ["incomplete frail"], []])
    }
}
#endif
