import Portolan
import PortolanFetch
import PortolanTesting
import TestHelpers
import Testing

/// The time of a picture holds for what is asked before it is drawn, too.
///
/// The time stands still until a test moves it.
@Suite struct MapFacadeDeadlineTests {
    private let clock = TestClock()

    /// A map whose servers never answer.
    private func map(_ seconds: Int) throws -> MapFacade {
        let transport = StubTransport { request async throws(FetchError) in
            try? await Task.sleep(for: .seconds(86_400))
            throw FetchError(.cancelled, url: request.url, detail: "the request was cancelled")
        }
        let renderer = MapRenderer(configuration: World.configuration(clock: clock), transport: transport)
        let map = try MapFacade(width: 64, height: 64, renderer: renderer)
        map.options.deadline = .seconds(seconds)
        return map
    }

    struct Call: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let add: @Sendable (MapFacade) async throws(MapError) -> AddedLayer

        init(_ name: String, _ add: @escaping @Sendable (MapFacade) async throws(MapError) -> AddedLayer) {
            testDescription = name
            self.add = add
        }
    }

    @Test(arguments: [
        Call("a WMS") { (map) throws(MapError) in try await map.addWMS("http://h/wms", layers: ["a"]) },
        Call("a WMTS") { (map) throws(MapError) in try await map.addWMTS("http://h/wmts", layer: "a") },
        Call("tiles of a document") { (map) throws(MapError) in try await map.addTileJSON("http://h/tiles.json") },
        Call("features") { (map) throws(MapError) in try await map.addFeatureLayer(from: "http://h/a.json", named: "a")
        },
        Call("a style") { (map) throws(MapError) in try await map.addStyle(from: "http://h/style.json") },
        Call("a layer in words") { (map) throws(MapError) in
            try await map.addLayer(LayerSpecification("wms:http://h/wms;layers=a"))
        },
    ])
    func `a service that never responds times out at the deadline`(call: Call) async throws {
        let map = try map(7), clock = clock
        async let time: Void = {
            _ = await eventually { clock.sleeperCount == 1 }
            clock.advance(by: .seconds(7))
        }()
        let error = await #expect(throws: MapError.self) { _ = try await call.add(map) }
        await time
        #expect(error?.code == .timedOut)
        #expect(error?.description.contains("7 s") == true, "\(String(describing: error))")
        #expect(map.layers.isEmpty)
    }

    @Test func `a render without any data by the deadline times out`() async throws {
        let map = try map(0)
        try map.add(World.tiles())
        let error = await #expect(throws: MapError.self) { try await map.refresh() }
        #expect(error?.code == .timedOut)
        #expect(error?.report?.failedCount == 1)
    }
}
