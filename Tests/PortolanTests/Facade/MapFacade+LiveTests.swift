import Foundation
import Portolan
import PortolanRaster
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapFacadeLiveTests {
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private static func tram(
        _ longitude: Double, _ seconds: Double, id: Feature.ID = "tram", latitude: Double = 60.2
    ) -> LiveLayer.Update {
        .upsert(
            LiveLayer.Object(
                id: id,
                fix: PositionFix(
                    place: Coordinate(longitude: longitude, latitude: latitude), time: start + seconds, course: 90),
                kind: "tram", label: "4", properties: ["plate": "12"]))
    }

    /// A map of 400 pixels, 4.7 m each, about the place where the tram is first.
    private static func map(_ updates: [LiveLayer.Update] = [tram(24.94, 0)]) throws -> MapFacade {
        let map = try MapFacadeTests.facade(400, 400)
        map.clockStart = start
        try map.center(on: Coordinate(longitude: 24.94, latitude: 60.2), zoom: 14)
        try map.add(LiveLayer(), named: "trams")
        try map.updateLive(named: "trams", updates, at: .zero)
        return map
    }

    /// Where on the picture the tram is seen.
    private static func pixel(_ map: MapFacade, _ id: Feature.ID = "tram", at seconds: Double) throws -> Point {
        let place = try #require(map.layer(named: "trams")?.live?.place(of: id, at: start + seconds))
        return map.viewport.pixel(of: try #require(try CoordinateTransform(from: .crs84, to: .webMercator)(place)))
    }

    @Test func `a tap finds a moving vehicle where it is drawn, and it stays selected`()
        async throws
    {
        let map = try Self.map()
        let events = map.events()
        #expect(map.touch(Point(x: 200, y: 200))?.properties["plate"] == "12")
        #expect(map.selectedObject?.label == "4" && map.selectedFeature?.properties["kind"] == "tram")
        // Each batch leads it 400 m to the east.
        try map.updateLive(named: "trams", [Self.tram(24.9472, 10)], at: .seconds(10))
        #expect(map.advance(to: .seconds(15)))
        #expect(map.selectedFeature?.geometry == .point(Coordinate(longitude: 24.9472, latitude: 60.2)))
        let seen = try Self.pixel(map, at: 15)
        #expect(seen.x > 230 && seen.x < 250 && abs(seen.y - 200) < 1e-6)
        #expect(map.touch(seen, tolerance: 1)?.id == "tram")
        #expect(map.touch(Point(x: 200, y: 200), tolerance: 1) == nil)
        #expect(!map.advance(to: .seconds(21)))
        guard case .featureTouched(let layer, _) = try #require(await World.heard(events, 1).first) else {
            Issue.record("no touch was told")
            return
        }
        #expect(layer == "trams")
    }

    @Test func `a selected vehicle that is removed is deselected`() async throws {
        let map = try Self.map([Self.tram(24.94, 0), Self.tram(24.95, 0, id: "other")])
        try map.selectFeature(id: "tram")
        let events = map.events()
        try map.updateLive(named: "trams", [.remove("other", at: Self.start + 5)], at: .seconds(5))
        #expect(map.selectedFeature?.id == "tram")
        try map.updateLive(named: "trams", [.remove("tram", at: Self.start + 6)], at: .seconds(6))
        #expect(map.selectedFeature == nil)
        #expect(await World.heard(events, 1) == [.selectionChanged(nil)])
        #expect(throws: MapError.noSuchFeature("tram")) { try map.selectFeature(id: "tram") }
    }

    @Test func `the map follows a selected vehicle until it is panned`() async throws {
        let map = try Self.map()
        map.touch(Point(x: 200, y: 200))
        let events = map.events()
        try map.follow(object: "tram", at: .zero)
        #expect(map.followedObject == "tram")
        #expect(await World.heard(events, 1) == [.followedObjectChanged("tram")])
        for second in 1...40 {
            let time = Double(second)
            if second % 10 == 0 {
                try map.updateLive(
                    named: "trams", [Self.tram(24.94 + time * 5e-4, time)], at: .seconds(second))
            }
            for frame in 0..<30 {
                map.advance(to: .seconds(time + Double(frame) / 30))
                let seen = try Self.pixel(map, at: time + Double(frame) / 30)
                #expect(abs(seen.x - 200) < 0.5 && abs(seen.y - 200) < 0.5)
            }
        }
        #expect(map.viewport.center.x > 2_776_500)
        // What only follows is not gone back to.
        #expect(map.controls.history.views.count == 1)
        // A zoom lets it go on.
        map.handle(.key(.plus, [], 41_000))
        for frame in 0...60 { map.advance(to: .seconds(41 + Double(frame) / 60)) }
        #expect(abs(try Self.pixel(map, at: 42).x - 200) < 0.5 && map.followedObject == "tram")
        let later = map.events()
        map.handle(.touch(1, .down, 10, 10, 43_000))
        map.handle(.touch(1, .move, 60, 10, 43_100))
        #expect(map.followedObject == nil)
        map.handle(.touch(1, .up, 60, 10, 44_000))
        let held = map.viewport
        try map.updateLive(named: "trams", [Self.tram(24.98, 50)], at: .seconds(50))
        #expect(map.viewport == held)
        #expect(await World.heard(later, 2).contains(.followedObjectChanged(nil)))
    }

    @Test func `a tap beside a followed vehicle deselects it, and a tap on it does not`() throws {
        let map = try Self.map()
        func tap(_ x: Double, _ y: Double, _ milliseconds: Double) {
            for event in Hand.tap(x, y, milliseconds) { map.handle(event) }
        }
        tap(200, 200, 0)
        #expect(map.selectedObject?.id == "tram")
        try map.follow(object: "tram", at: .zero)
        tap(200, 200, 1000)
        #expect(map.selectedObject?.id == "tram" && map.followedObject == "tram")
        tap(20, 380, 2000)
        #expect(map.selectedObject == nil && map.followedObject == nil)
        // What else is tapped is selected, and the vehicle followed no longer.
        map.addPOI(id: "place", coordinate: Coordinate(longitude: 24.935, latitude: 60.2), name: "Place")
        try map.follow(object: "tram", at: .seconds(3))
        let toMap = try CoordinateTransform(from: .crs84, to: .webMercator)
        let place = map.viewport.pixel(of: try #require(toMap(Coordinate(longitude: 24.935, latitude: 60.2))))
        tap(place.x, place.y, 4000)
        #expect(map.selectedFeature?.id == "place" && map.followedObject == nil)
        // A place stays selected.
        tap(20, 380, 6000)
        #expect(map.selectedFeature?.id == "place")
    }

    @Test func `following a distant vehicle moves the map to its current position`() throws {
        let map = try Self.map()
        try map.updateLive(named: "trams", [Self.tram(24.9472, 10)], at: .seconds(10))
        try map.pan(x: 0, y: -150)
        try map.follow(object: "tram", at: .seconds(12))
        #expect(map.advance(to: .seconds(12.1)))
        let seen = try Self.pixel(map, at: 12.1)
        #expect(seen.y > 205 && seen.y < 350 || seen.y < 195)
        map.advance(to: .seconds(12.3))
        map.advance(to: .seconds(12.3))
        let met = try Self.pixel(map, at: 12.3)
        #expect(abs(met.x - 200) < 0.5 && abs(met.y - 200) < 0.5)
    }

    @Test func `only one object is followed, and following ends when it is removed`() throws {
        let map = try Self.map()
        #expect(throws: MapError.noSuchFeature("bus")) { try map.follow(object: "bus", at: .zero) }
        try map.follow(object: "tram", at: .zero)
        map.startPosition(at: .seconds(1))
        #expect(map.followedObject == nil && map.position.follow == .follow)
        try map.follow(object: "tram", at: .seconds(2))
        #expect(map.followedObject == "tram" && map.position.follow == .none)
        try map.updateLive(named: "trams", [.remove("tram", at: Self.start + 3)], at: .seconds(3))
        #expect(map.followedObject == nil && !map.controls.isFollowing)
        try map.updateLive(named: "trams", [Self.tram(24.94, 4)], at: .seconds(4))
        try map.follow(object: "tram", at: .seconds(4))
        map.removeLayer(named: "trams")
        map.advance(to: .seconds(5))
        #expect(map.followedObject == nil)
    }

    @Test func `the time of the next live change is reported`() throws {
        let map = try Self.map()
        #expect(!map.isLiveMoving(at: .seconds(1)) && map.nextLiveChange(after: .seconds(1)) == .seconds(90))
        try map.updateLive(named: "trams", [Self.tram(24.9472, 10)], at: .seconds(10))
        #expect(map.isLiveMoving(at: .seconds(12)) && map.nextLiveChange(after: .seconds(12)) == .seconds(12))
        #expect(map.nextLiveChange(after: .seconds(200)) == .seconds(310))
        try map.updateLayer(named: "trams") { $0.isVisible = false }
        #expect(!map.isLiveMoving(at: .seconds(12)) && map.nextLiveChange(after: .seconds(12)) == nil)
    }

    @Test func `vehicles are drawn by kind with a heading, and paler when outdated`()
        async throws
    {
        let map = try Self.map()
        map.options = World.plain()
        try map.changeLive(named: "trams") { layer in
            layer.style.badges["tram"] = .init(color: .black, symbol: PinSymbol("circle"), shape: .square)
        }
        func look(_ image: PixelBuffer) -> [Pixel] {
            // The white dot in the middle, the corner, the beak to the right; what is left of it, and below.
            [(200, 200), (193, 193), (213, 200), (186, 200), (200, 214)].map { image[$0.0, $0.1] }
        }
        let white = Pixel(.white), black = Pixel(.black)
        let fresh = look(try await map.refresh().image)
        #expect(fresh == [white, black, black, white, white])
        map.advance(to: .seconds(100))
        let stale = look(try await map.refresh().image)
        #expect(stale[0] == white && stale[1] != black && stale[1] != white && stale[3] == white)
        map.advance(to: .seconds(310))
        #expect(try await map.refresh().image.pixels.allSatisfy { $0 == white.bits })
    }

    @Test func `live updates of other layers are errors`() throws {
        let map = try Self.map()
        try map.add(World.tiles("tiles"))
        for name in ["tiles", "none"] {
            #expect(throws: MapError.noSuchLayer(name)) { try map.updateLive(named: name, [], at: .zero) }
        }
        #expect(throws: MapError.duplicateLayer("trams")) { try map.add(LiveLayer(), named: "trams") }
        #expect(map.layer(named: "tiles")?.live == nil && map.layer(named: "trams")?.live?.count == 1)
    }

    @Test func `distance and bearing to a selected vehicle are known`() throws {
        let map = try Self.map()
        try map.selectFeature(id: "tram")
        map.startPosition(following: .none, at: .zero)
        let fix = PositionFix(place: Coordinate(longitude: 24.94, latitude: 60.1), time: Self.start)
        map.handle(.fix(fix), at: .zero)
        let way = try #require(map.wayToSelectedFeature)
        // A tenth of a degree of the meridian at 60.15° N.
        #expect(abs(way.meters - 11_142) < 2 && way.bearing == 0)
    }
}
