import Foundation
import Portolan
import PortolanCodecs
import PortolanRaster
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapFacadePositionTests {
    private static func fix(
        _ longitude: Double = 24.94, _ latitude: Double = 60.17, _ seconds: Double = 0, accuracy: Double? = 50,
        course: Double? = nil, heading: Double? = nil
    ) -> PositionFix {
        PositionFix(
            place: Coordinate(longitude: longitude, latitude: latitude),
            time: Date(timeIntervalSince1970: 1_700_000_000 + seconds), accuracy: accuracy, speed: 9, course: course,
            heading: heading)
    }

    @Test func `the map centres on the position at once, and follows it`() async throws {
        let map = try MapFacadeTests.facade(200, 200)
        try map.center(on: Coordinate(longitude: 20, latitude: 55), zoom: 14)
        let events = map.events()
        map.startPosition(at: .zero)
        map.handle(.fix(Self.fix()), at: .zero)
        #expect(
            await World.heard(events, 4) == [
                .position(.phaseChanged(.waiting)), .position(.followChanged(.follow)),
                .position(.phaseChanged(.live)), .position(.positionChanged(Self.fix())),
            ])
        map.advance(to: .seconds(1))
        let center = try #require(try CoordinateTransform(from: .crs84, to: .webMercator)(Self.fix().place))
        #expect(map.viewport.pixel(of: center) == Point(x: 100, y: 100))
        map.handle(.fix(Self.fix(24.95, 60.17, 5)), at: .seconds(5))
        map.advance(to: .seconds(6))
        let next = try #require(try CoordinateTransform(from: .crs84, to: .webMercator)(Self.fix(24.95).place))
        #expect(abs(map.viewport.center.x - next.x) < 1e-6)
        // A view that only follows is not gone back to.
        map.handle(.tick(9000))
        #expect(map.controls.history.views.count == 1)
    }

    @Test func `a position outside the limit is kept and does not move the map out of it`() throws {
        let map = try MapFacadeTests.facade(200, 200)
        try map.center(on: Self.fix().place, zoom: 14)
        let toMap = try CoordinateTransform(from: .crs84, to: .webMercator)
        let low = try #require(toMap(Coordinate(longitude: 24.9, latitude: 60.15)))
        let high = try #require(toMap(Coordinate(longitude: 25, latitude: 60.19)))
        map.limitingExtent = Extent(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
        map.startPosition(at: .zero)
        map.handle(.fix(Self.fix(25.5)), at: .zero)
        map.advance(to: .seconds(2))
        let seen = map.viewport.extent
        #expect(seen.minX >= low.x - 1e-3 && seen.maxX <= high.x + 1e-3)
        #expect(map.position.fix == Self.fix(25.5))
        map.handle(.fix(Self.fix(24.95, 60.17, 5)), at: .seconds(5))
        map.advance(to: .seconds(7))
        let place = map.viewport.pixel(of: try #require(toMap(Self.fix(24.95).place)))
        #expect(abs(place.x - 100) < 1e-6 && abs(place.y - 100) < 1e-6)
    }

    @Test func `a pan ends following the position, a zoom and a pinch do not`() throws {
        let map = try MapFacadeTests.facade(400, 400)
        try map.center(on: Self.fix().place, zoom: 14)
        map.startPosition(at: .zero)
        map.handle(.fix(Self.fix()), at: .zero)
        map.handle(.key(.plus, [], 1000))
        for event in Hand.pinch(from: 100, to: 200) {
            map.handle(InputEvent(event.input, at: event.time + .seconds(2)))
        }
        map.handle(.wheel(300, 5000))
        #expect(map.position.follow == .follow)
        map.follow(.followWithCourse, at: .seconds(6))
        map.handle(.key(.comma, [], 7000))
        #expect(map.position.follow == .follow)
        map.handle(.touch(1, .down, 10, 10, 8000))
        map.handle(.touch(1, .move, 60, 10, 8100))
        #expect(map.position.follow == .none)
        let held = map.viewport
        map.handle(.fix(Self.fix(24.99, 60.17, 9)), at: .seconds(9))
        #expect(map.viewport == held)
        map.handle(.touch(1, .up, 60, 10, 9900))
        map.follow(.follow, at: .seconds(10))
        map.handle(.key(.arrowLeft, [], 11_000))
        #expect(map.position.follow == .none)
    }

    @Test func `a new fix does not move the map during a gesture`() throws {
        let map = try MapFacadeTests.facade(400, 400)
        try map.center(on: Self.fix().place, zoom: 14)
        map.startPosition(at: .zero)
        map.handle(.fix(Self.fix()), at: .zero)
        for event in Hand.pinch(from: 100, to: 200, lifts: false) {
            map.handle(InputEvent(event.input, at: event.time + .seconds(2)))
        }
        let held = map.viewport
        map.handle(.fix(Self.fix(24.99, 60.17, 4)), at: .seconds(4))
        #expect(map.viewport == held && map.position.follow == .follow)
    }

    @Test func `with course following the course is up and the position low in the picture`() throws {
        let map = try MapFacadeTests.facade(200, 400)
        try map.center(on: Self.fix().place, zoom: 14)
        map.position.settings.leadRoom = 0.25
        map.startPosition(following: .followWithCourse, at: .zero)
        map.handle(.fix(Self.fix(24.95, 60.18, 1, course: 120)), at: .zero)
        map.advance(to: .seconds(2))
        #expect(map.viewport.rotation == 120)
        let place = try #require(try CoordinateTransform(from: .crs84, to: .webMercator)(Self.fix(24.95, 60.18).place))
        let shown = map.viewport.pixel(of: place)
        #expect(abs(shown.x - 100) < 1e-6 && abs(shown.y - 300) < 1e-6)
    }

    @Test func `the position is neither selectable nor navigable`() throws {
        let map = try MapFacadeTests.facade(200, 200)
        try map.center(on: Self.fix().place, zoom: 14)
        map.startPosition(at: .zero)
        map.handle(.fix(Self.fix()), at: .zero)
        #expect(map.touch(Point(x: 100, y: 100)) == nil)
        #expect(map.selectNext() == nil)
        #expect(throws: MapError.noFeatures) { try map.fitFeatures() }
        #expect(throws: MapError.reservedName("position")) {
            try map.add(MapLayer(name: "position", source: FeatureSource(features: [])))
        }
    }

    /// By `geod`: 1,053,800.186 m, 24.99 degrees.
    @Test func `distance and bearing from the position to the selected feature are known`() throws {
        let map = try MapFacadeTests.facade(200, 200)
        map.addPOI(id: "p", coordinate: Coordinate(longitude: 2.35, latitude: 48.85), name: "P")
        #expect(map.wayToSelectedFeature == nil)
        try map.selectFeature(id: "p")
        map.startPosition(at: .zero)
        #expect(map.wayToSelectedFeature == nil)
        map.handle(.fix(Self.fix(-3.7, 40.4)), at: .zero)
        let way = try #require(map.wayToSelectedFeature)
        #expect(abs(way.meters - 1_053_800.186) < 0.01 && abs(way.bearing - 24.9915) < 1e-3)
    }

    @Test func `a position has a circle, a cone and a dot, grey when outdated`() async throws {
        let map = try MapFacadeTests.facade(200, 200)
        map.options = World.plain()
        try map.center(on: Self.fix().place, zoom: 14)
        // At 60.17° N a pixel of zoom 14 is 4.75 m of the ground: 300 m are 63 pixels.
        map.startPosition(at: .zero)
        map.handle(.fix(Self.fix(accuracy: 300, heading: 90)), at: .zero)
        map.advance(to: .seconds(1))
        let image = try await map.refresh().image
        func pixel(_ image: PixelBuffer, _ x: Int, _ y: Int) -> Pixel { image[x, y] }
        let style = PositionStyle()
        #expect(pixel(image, 100, 100) == Pixel(style.color))
        let white = Pixel(.white)
        // Inside and outside of the circle, above and beside; in the cone to the right.
        #expect(pixel(image, 100, 42) != white && pixel(image, 100, 34) == white)
        #expect(pixel(image, 42, 100) == pixel(image, 100, 45) && pixel(image, 34, 100) == white)
        #expect(pixel(image, 125, 100) != pixel(image, 75, 100))
        #expect(pixel(image, 140, 100) == pixel(image, 60, 100))
        map.handle(.tick(31_000))
        let old = try await map.refresh().image
        #expect(pixel(old, 100, 100) == Pixel(style.staleColor))
        #expect(pixel(old, 125, 100) == pixel(old, 75, 100))
        map.stopPosition(at: .seconds(40))
        #expect(try await map.refresh().image.pixels.allSatisfy { $0 == white.bits })
    }
}
