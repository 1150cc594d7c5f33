import Portolan
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapFacadeTests {
    static func facade(
        _ width: Int = 256, _ height: Int = 256, crs: CRS = .webMercator, transport: StubTransport? = nil
    ) throws -> MapFacade {
        let renderer = try World.renderer(transport ?? World.transport())
        let map = try MapFacade(size: #require(ImageSize(width: width, height: height)), crs: crs, renderer: renderer)
        map.options.attribution = .none
        return map
    }

    @Test func `a new map shows the world`() throws {
        let map = try Self.facade()
        #expect(map.viewport.extent == CRS.webMercator.worldExtent)
        #expect(map.layers.isEmpty && map.selectedFeature == nil)
        let plate = try Self.facade(360, 180, crs: .crs84)
        #expect(plate.viewport.resolution.unitsPerPixel == 1)
        let zone = try Self.facade(crs: CRS("EPSG:25830"))
        #expect(zone.viewport.center == Coordinate(x: 0, y: 0))
    }

    @Test func `drawn layers are reported`() async throws {
        let transport = try World.transport(.black, except: ["b.example": World.answer(404, "gone")])
        let map = try Self.facade(transport: transport)
        let events = map.events()
        try map.add(World.tiles("a", host: "a.example"))
        try map.add(World.tiles("b", host: "b.example"))
        let result = try await map.refresh()
        #expect(result.image[128, 128] == Pixel(.black))
        let heard = await World.heard(events, 2)
        #expect(heard == [.layerLoaded(name: "a", isComplete: true), .layerLoaded(name: "b", isComplete: false)])
    }

    /// A server that can be switched off for addresses that hold some words.
    final class Switch: Sendable {
        private let isOff = Mutex(false)

        func set(off: Bool) { isOff.withLock { $0 = off } }

        func transport(_ part: String) throws -> StubTransport {
            let body = try World.png(.black)
            return StubTransport { request throws(FetchError) in
                if self.isOff.withLock({ $0 }), request.url.contains(part) {
                    throw FetchError(.connectionLost, url: request.url, detail: "pulled the plug")
                }
                return HTTPResponse(status: 200, body: body, url: request.url)
            }
        }
    }

    @Test func `a lost connection is reported once, and so is its recovery`() async throws {
        let server = Switch()
        let map = try Self.facade(transport: server.transport("a.example"))
        try map.add(World.tiles("a", host: "a.example"))
        try map.add(World.tiles("b", host: "b.example"))
        let events = map.events()
        func refresh(off: Bool) async throws {
            server.set(off: off)
            try map.zoom(by: 2)
            _ = try await map.refresh()
        }
        try await refresh(off: true)
        try await refresh(off: true)
        try await refresh(off: false)
        try await refresh(off: false)
        // Each time the view changes and two layers are drawn.
        let heard = await World.heard(events, 4 * 3 + 2)
        let about = heard.filter { event in
            switch event {
            case .connectionLost, .connectionRestored: true
            default: false
            }
        }
        #expect(about.count == 2)
        guard case .connectionLost("a", let detail) = about.first else {
            Issue.record("\(about)")
            return
        }
        #expect(detail.contains("pulled the plug"))
        #expect(about.last == .connectionRestored(layer: "a"))
    }

    @Test func `a lost connection is reported even if nothing is drawn`() async throws {
        let server = Switch()
        let map = try Self.facade(transport: server.transport("example"))
        try map.add(World.tiles("a", host: "a.example"))
        let events = map.events()
        server.set(off: true)
        for _ in 0..<2 {
            let error = await #expect(throws: MapError.self) { try await map.refresh() }
            #expect(error?.code == .nothingDrawn)
        }
        server.set(off: false)
        _ = try await map.refresh()
        let heard = await World.heard(events, 3)
        guard case .connectionLost("a", _) = heard[0] else {
            Issue.record("\(heard)")
            return
        }
        #expect(heard[1...] == [.connectionRestored(layer: "a"), .layerLoaded(name: "a", isComplete: true)])
    }

    @Test func `a missing tile is not reported as a lost connection`() async throws {
        let map = try Self.facade(transport: World.transport(.black, except: ["/0/0/0": World.answer(404, "gone")]))
        let events = map.events()
        try map.add(World.tiles())
        map.addPOI(id: "p", coordinate: Coordinate(longitude: 0, latitude: 0), name: "P")
        _ = try await map.refresh()
        let heard = await World.heard(events, 2)
        #expect(
            heard == [
                .layerLoaded(name: "tiles", isComplete: false), .layerLoaded(name: "vectors", isComplete: true),
            ])
    }

    @Test func `every listener gets the events, and streams end with the map`() async throws {
        var map: MapFacade? = try Self.facade()
        let streams = [try #require(map?.events()), try #require(map?.events())]
        try map?.zoom(by: 2)
        map = nil
        for stream in streams {
            var count = 0
            for await event in stream { if case .viewportChanged = event { count += 1 } }
            #expect(count == 1)
        }
    }

    @Test func `service images of a previous view are removed from memory`() async throws {
        let tile = try World.png(.black), picture = try World.png(.black, 320, 460)
        let transport = StubTransport { request in
            HTTPResponse(status: 200, body: request.url.contains("GetMap") ? picture : tile, url: request.url)
        }
        let renderer = World.renderer(transport)
        let map = try MapFacade(size: #require(ImageSize(width: 320, height: 460)), renderer: renderer)
        map.options.attribution = .none
        let request = GetMapRequest(
            version: .v1_1_1, baseURL: "http://h/wms", layers: ["a"], styles: [], crs: .webMercator,
            crsName: "EPSG:3857", extent: try #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1)), width: 1, height: 1,
            format: "image/png")
        try map.add(MapLayer(name: "wms", source: WMSSource(request: request)))
        try map.add(World.tiles())
        try map.center(on: Coordinate(longitude: 25, latitude: 60), zoom: 12)
        let other = try MapFacade(size: map.viewport.size, renderer: renderer)
        var counts: [Int] = []
        for pan in 0..<30 {
            if pan > 0 { try map.pan(x: 40, y: 0) }
            _ = try await map.refresh()
            counts.append(transport.requests.count { $0.url.contains("GetMap") })
            if pan == 0 {
                // Another map shows the first view all the time.
                for layer in map.layers { try other.add(layer) }
                try other.center(on: Coordinate(longitude: 25, latitude: 60), zoom: 12)
                _ = try await other.refresh()
            }
        }
        #expect(counts.last == 30)
        let tiles = transport.requests.count - 30, images = renderer.cacheStatistics.count - tiles
        // Three views of this map, and that of the other.
        #expect(images == 4)
        // A step back is in memory, and so is what the other map shows.
        try map.pan(x: -40, y: 0)
        _ = try await map.refresh()
        _ = try await other.refresh()
        #expect(transport.requests.count { $0.url.contains("GetMap") } == 30)
    }

    @Test func `images of the current view stay in memory beyond the budget`() async throws {
        var configuration = World.configuration()
        configuration.imageCacheCapacity = 1
        configuration.imageCacheByteBudget = 1
        let transport = try World.transport()
        let renderer = MapRenderer(configuration: configuration, transport: transport)
        let map = try MapFacade(size: #require(ImageSize(width: 512, height: 512)), renderer: renderer)
        map.options.attribution = .none
        try map.add(World.tiles())
        _ = try await map.refresh()
        let count = transport.requests.count
        #expect(count == 4)
        let again = try await map.refresh()
        #expect(transport.requests.count == count && again.report.layers[0].cached == 4)
        // A renderer alone pins only while it draws.
        _ = try await renderer.render([World.tiles("x", host: "x.example")], in: World.view(), options: map.options)
        #expect(renderer.cacheStatistics.count == 4)
    }
}

@Suite struct MapErrorOfTheFacadeTests {
    @Test func `each error names its subject`() {
        let errors: [MapError] = [
            .duplicateLayer("n"), .noSuchLayer("n"), .noSuchFeature("n"), .noFeatures, .outsideMap("n"),
            .notDegrees(layer: "n"),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        for error in errors where error != .noFeatures { #expect(error.description.contains("n")) }
    }
}
