import Portolan
import PortolanRaster
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapFacadeControlsTests {
    @Test func `a facade handles input events and notifies its listeners`() async throws {
        let map = try MapFacadeTests.facade(200, 200)
        let events = map.events()
        let unit = map.viewport.resolution.unitsPerPixel
        map.handle(.mouse(.down, 100, 100, 0))
        map.handle(.mouse(.move, 60, 100, 20))
        #expect(abs(map.viewport.center.x - 40 * unit) < 1e-6)
        map.handle(.mouse(.up, 60, 100, 500))
        #expect(await World.heard(events, 1) == [.viewportChanged(map.viewport)])
        map.handle(.key(.plus, [], 1000))
        #expect(map.advance(to: .milliseconds(1100)))
        #expect(!map.advance(to: .milliseconds(1250)))
        #expect(abs(map.viewport.resolution.unitsPerPixel - unit / 2) < 1e-6)
    }

    @Test func `gestures continue from a view set by the app`() throws {
        let map = try MapFacadeTests.facade(200, 200)
        map.handle(.key(.plus))
        try map.center(on: Coordinate(longitude: 20, latitude: 60), zoom: 6)
        let set = map.viewport
        #expect(!map.advance(to: .milliseconds(100)))
        #expect(map.viewport == set)
        map.handle(.mouse(.down, 100, 100, 200))
        map.handle(.mouse(.move, 110, 100, 220))
        #expect(abs(map.viewport.center.x - set.center.x + 10 * set.resolution.unitsPerPixel) < 1e-6)
    }

    @Test func `taps and keys select while selecting is on`() throws {
        let map = try MapFacadeTests.facade(200, 200)
        map.addPOI(id: "a", coordinate: Coordinate(x: 0, y: 0), name: "A")
        map.addPOI(id: "b", coordinate: Coordinate(x: 90, y: 0), name: "B")
        for event in Hand.tap(100, 100, 0) { map.handle(event) }
        #expect(map.selectedFeature?.identifier == "a")
        map.handle(.key(.n))
        #expect(map.selectedFeature?.identifier == "b")
        map.isSelecting = false
        map.handle(.key(.p))
        #expect(Hand.tap(100, 100, 5000).flatMap { map.handle($0) }.contains(.tap(Point(x: 100, y: 100))))
        #expect(map.selectedFeature?.identifier == "b")
    }

    @Test func `limits apply at once and to every later view change`() throws {
        let map = try MapFacadeTests.facade(200, 200)
        map.limits.zoomRange = 3...5
        #expect(abs(map.viewport.resolution.zoom(in: .webMercator) - 3) < 1e-9)
        try map.zoom(by: 1000)
        #expect(abs(map.viewport.resolution.zoom(in: .webMercator) - 5) < 1e-9)
        try map.fly(to: Coordinate(longitude: 2, latitude: 1), zoom: 9, at: .zero)
        #expect(!map.advance(to: .seconds(5)))
        #expect(abs(map.viewport.resolution.zoom(in: .webMercator) - 5) < 1e-9)
        #expect(abs(map.viewport.center.x - 222_638.98158654713) < 1e-6)
        map.limits.rotation = .north
        try map.rotate(to: 40)
        #expect(map.viewport.rotation == 0)
    }

    @Test func `a facade goes back, forward, home and north up`() throws {
        let map = try MapFacadeTests.facade(200, 200)
        let world = map.viewport
        try map.center(on: Coordinate(longitude: 20, latitude: 60), zoom: 6)
        let home = map.viewport
        map.handle(.tick(0))
        map.handle(.tick(600))
        #expect(map.goBack(at: .seconds(1)))
        map.advance(to: .seconds(5))
        #expect(map.viewport == world)
        #expect(map.goForward(at: .seconds(6)))
        map.advance(to: .seconds(10))
        try map.rotate(to: 100)
        #expect(map.compass?.description == "100° E")
        map.turnNorthUp(at: .seconds(11))
        map.advance(to: .seconds(12))
        #expect(map.viewport.rotation == 0)
        map.goHome(at: .seconds(13))
        map.advance(to: .seconds(17))
        #expect(map.viewport == home)
        #expect(!map.goForward(at: .seconds(18)))
    }

    @Test func `home is the first view set after opening the map`() async throws {
        func home(_ open: (MapFacade) async throws -> Void) async throws -> Viewport {
            let map = try MapFacadeTests.facade(200, 200)
            try await open(map)
            let opened = map.viewport
            try map.pan(x: 30, y: 0)
            try map.center(on: Coordinate(longitude: -60, latitude: 10), zoom: 9)
            map.goHome(at: .seconds(1))
            map.advance(to: .seconds(9))
            #expect(map.viewport == opened)
            return map.viewport
        }
        let place = Coordinate(longitude: 20, latitude: 60)
        _ = try await home { try $0.center(on: place, zoom: 6) }
        _ = try await home { try $0.show(west: 10, south: 50, east: 20, north: 60) }
        // Features that are added one after the other open the map together.
        _ = try await home { map in
            for (id, longitude) in [("a", 20.0), ("b", 30)] {
                map.addPOI(
                    id: Feature.ID(stringLiteral: id), coordinate: Coordinate(longitude: longitude, latitude: 60),
                    name: id)
                try map.fitFeatures()
            }
        }
        // A map that was drawn has been opened.
        let world = try await home { _ = try await $0.refresh() }
        #expect(world.extent == CRS.webMercator.worldExtent)
        // What an app has said stays.
        let map = try MapFacadeTests.facade(200, 200)
        let own = try map.viewport.with(center: Coordinate(x: 5000, y: 0))
        map.controls.history.home = own
        try map.center(on: place, zoom: 6)
        #expect(map.controls.history.home == own)
    }

    @Test func `the area outside the limit is masked, and a dragged view returns`() async throws {
        let map = try MapFacadeTests.facade(200, 200)
        map.options = World.plain()
        let unit = try #require(Resolution(zoom: 8, in: .webMercator)).unitsPerPixel
        map.limitingExtent = Extent(minX: 0, minY: 0, maxX: 200 * unit, maxY: 400 * unit)
        map.limitingMask = MapColor(red: 0, green: 0, blue: 0)
        let white = Pixel(.white), black = Pixel(.black)
        let rest = try await map.refresh().image
        #expect(rest.pixels.allSatisfy { $0 == white.bits })
        // Held 60 pixels too far it is drawn 33 pixels off: 30 · ln 3.
        map.handle(.mouse(.down, 50, 50, 0))
        map.handle(.mouse(.move, 110, 50, 500))
        let held = try await map.refresh().image
        #expect(held[31, 100] == black && held[34, 100] == white && held[199, 100] == white)
        map.handle(.mouse(.up, 110, 50, 2000))
        map.advance(to: .seconds(3))
        #expect(try await map.refresh().image == rest)
        #expect(throws: MapError.reservedName("mask")) {
            try map.add(MapLayer(name: "mask", source: FeatureSource(features: [])))
        }
        map.limitingMask = nil
        map.handle(.mouse(.down, 50, 50, 4000))
        map.handle(.mouse(.move, 110, 50, 4500))
        #expect(try await map.refresh().image == rest)
    }
}
