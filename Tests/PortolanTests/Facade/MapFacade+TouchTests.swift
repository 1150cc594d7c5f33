import Portolan
import Testing

/// The map shows the world in 256 pixels: the point at longitude 0, latitude 0 is at 128, 128; 90° are 64 pixels.
@Suite(.timeLimit(.minutes(20))) struct MapFacadeTouchTests {
    @Test(arguments: [(64.0, 128.0, "a"), (75, 128, "a"), (64, 139, "a"), (128, 128, "b"), (192, 128, "c")])
    func `a point is touched within the tolerance`(x: Double, y: Double, id: String) throws {
        let map = try MapFacadeSelectionTests.map()
        #expect(map.touch(at: Point(x: x, y: y))?.id == .string(id))
    }

    @Test func `marks come before lines, and lines before areas`() throws {
        let map = try MapFacadeSelectionTests.map()
        let ring = [(-170.0, -60.0), (170, -60), (170, 60), (-170, 60), (-170, -60)].map {
            Coordinate(x: $0.0, y: $0.1)
        }
        let area = FeatureSource(features: [Feature(id: "area", geometry: .polygon([ring]))])
        try map.add(MapLayer(name: "areas", source: area))
        #expect(map.touch(at: Point(x: 96, y: 130))?.id == "l")
        #expect(map.touch(at: Point(x: 66, y: 130))?.id == "a")
        #expect(map.touch(at: Point(x: 96, y: 100))?.id == "area")
        #expect(map.touch(at: Point(x: 96, y: 3)) == nil)
        #expect(map.selectedFeature?.id == "area")
    }

    @Test func `of equals the topmost is touched`() throws {
        let map = try MapFacadeTests.facade()
        for id in ["under", "over"] { map.addPOI(id: .string(id), at: Coordinate(x: 0, y: 0), name: id) }
        #expect(map.touch(at: Point(x: 128, y: 128))?.id == "over")
        map.removeFeature(id: "over")
        #expect(map.touch(at: Point(x: 128, y: 128))?.id == "under")
    }

    @Test func `the tolerance is a distance in view pixels`() throws {
        let map = try MapFacadeTests.facade()
        map.addPOI(id: "p", at: Coordinate(x: 0, y: 0), name: "P")
        // The mark itself reaches 6 pixels far; the touch is 9 and 12 pixels from its middle.
        #expect(map.touch(at: Point(x: 137, y: 140), tolerance: 6)?.id == "p")
        #expect(map.touch(at: Point(x: 137, y: 140), tolerance: 5.99) == nil)
        for value in [Double.nan, .infinity, -1, -.infinity] {
            _ = map.touch(at: Point(x: value, y: 3), tolerance: value)
        }
    }

    @Test func `a touch is told, and selects what may be selected`() async throws {
        let map = try MapFacadeTests.facade()
        let events = map.events()
        let fixed = map.addPOI(id: "p", at: Coordinate(x: 0, y: 0), name: "P", isSelectable: false)
        #expect(map.touch(at: Point(x: 128, y: 128)) == fixed)
        #expect(map.selectedFeature == nil)
        let free = map.addPOI(id: "q", at: Coordinate(x: 90, y: 0), name: "Q")
        map.touch(at: Point(x: 192, y: 128))
        #expect(map.selectedFeature == free)
        let heard = await World.heard(events, 3)
        #expect(
            heard == [
                .featureTouched(layer: "vectors", feature: fixed), .featureTouched(layer: "vectors", feature: free),
                .selectionChanged(free),
            ])
    }

    @Test func `layers and features that are not shown are not touched`() throws {
        let map = try MapFacadeTests.facade()
        let hidden = Feature(
            id: "h", geometry: .point(Coordinate(x: 0, y: 0)),
            properties: ["style": ["default": ["display": "none"]]])
        try map.add(MapLayer(name: "f", source: FeatureSource(features: [hidden])))
        #expect(map.touch(at: Point(x: 128, y: 128)) == nil)
        map.addPOI(id: "p", at: Coordinate(x: 0, y: 0), name: "P")
        try map.updateLayer(named: "vectors") { $0.isVisible = false }
        #expect(map.touch(at: Point(x: 128, y: 128)) == nil)
    }

    @Test func `a feature is touched in each copy of the world that shows it`() throws {
        let map = try MapFacadeTests.facade()
        map.addPOI(id: "p", at: Coordinate(longitude: -179, latitude: 0), name: "P")
        try map.center(on: Coordinate(longitude: 179, latitude: 0), zoom: 6)
        // 2° east of the middle at zoom 6: 2 / 360 × 64 × 256 = 91 pixels.
        #expect(map.touch(at: Point(x: 128 + 91, y: 128))?.id == "p")
        #expect(map.touch(at: Point(x: 128 - 91, y: 128)) == nil)
    }
}
