import Portolan
import PortolanRaster
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapFacadeSelectionTests {
    static func map() throws -> MapFacade {
        let map = try MapFacadeTests.facade()
        map.addPOI(id: "a", coordinate: Coordinate(longitude: -90, latitude: 0), name: "A")
        map.addPOI(id: "b", coordinate: Coordinate(longitude: 0, latitude: 0), name: "B", isNavigable: false)
        map.addLine(id: "l", through: [Coordinate(x: -90, y: 0), Coordinate(x: 90, y: 0)])
        map.addPOI(id: "c", coordinate: Coordinate(longitude: 90, latitude: 0), name: "C")
        return map
    }

    @Test func `next and previous cycle through the navigable points`() throws {
        let map = try Self.map()
        #expect(["a", "c", "a"].allSatisfy { map.selectNext()?.id == Feature.ID.string($0) })
        #expect(["c", "a", "c"].allSatisfy { map.selectPrevious()?.id == Feature.ID.string($0) })
        map.deselect()
        #expect(map.selectPrevious()?.id == "c")
        map.deselect()
        #expect(map.selectNext()?.id == "a")
        #expect(map.selectedFeature?.id == "a")
    }

    @Test func `next from a point that is not navigable starts at the first one`() throws {
        let map = try Self.map()
        try map.selectFeature(id: "b")
        #expect(map.selectNext()?.id == "a")
    }

    @Test func `without points next and previous give nothing`() throws {
        let map = try MapFacadeTests.facade()
        #expect(map.selectNext() == nil && map.selectPrevious() == nil)
    }

    @Test func `points with missing or duplicate identifiers do not stop the cycle`() throws {
        func poi(_ id: Feature.ID?) -> Feature {
            Feature(id: id, geometry: .point(Coordinate(x: 0, y: 0)), properties: ["type": "poi"])
        }
        let map = try MapFacadeTests.facade()
        let source = FeatureSource(features: [poi("a"), poi(nil), poi("b"), poi("b"), poi("c")])
        try map.add(MapLayer(name: "f", source: source))
        let walk = (0..<4).map { _ in map.selectNext()?.id }
        #expect(walk == ["a", "b", "c", "a"])
        #expect((0..<3).map { _ in map.selectPrevious()?.id } == ["c", "b", "a"])
    }

    @Test func `a selection change is reported, a repetition is not`() async throws {
        let map = try Self.map()
        let events = map.events()
        let a = try map.selectFeature(id: "a")
        try map.selectFeature(id: "a")
        map.deselect()
        map.deselect()
        try map.selectFeature(id: "c")
        map.removeFeature(id: "c")
        let heard = await World.heard(events, 4)
        #expect(heard[0] == .selectionChanged(a) && heard[1] == .selectionChanged(nil))
        guard case .selectionChanged(let c?) = heard[2] else {
            Issue.record("\(heard)")
            return
        }
        #expect(c.id == "c" && heard[3] == .selectionChanged(nil))
        #expect(map.selectedFeature == nil)
    }

    @Test func `a missing or hidden feature cannot be selected`() throws {
        let map = try Self.map()
        #expect(throws: MapError.noSuchFeature("zz")) { try map.selectFeature(id: "zz") }
        try map.updateLayer(named: MapFacade.vectorLayerName) { $0.isVisible = false }
        #expect(throws: MapError.noSuchFeature("a")) { try map.selectFeature(id: "a") }
        #expect(map.selectNext() == nil)
    }

    @Test func `the selected feature is drawn with a selection mark`() async throws {
        let map = try Self.map()
        let before = try await map.refresh().image
        try map.selectFeature(id: "b")
        let after = try await map.refresh().image
        #expect(before != after)
        // The mark stands above the point, which is in the middle: red over white.
        #expect((100..<122).contains { after[128, $0] == Pixel(MapColor(red: 214, green: 40, blue: 40)) })
    }
}

/// The map shows the world in 256 pixels: the point at longitude 0, latitude 0 is at 128, 128; 90° are 64 pixels.
@Suite(.timeLimit(.minutes(20))) struct MapFacadeTouchTests {
    @Test(arguments: [(64.0, 128.0, "a"), (75, 128, "a"), (64, 139, "a"), (128, 128, "b"), (192, 128, "c")])
    func `a tap hits a point within the tolerance`(x: Double, y: Double, id: String) throws {
        let map = try MapFacadeSelectionTests.map()
        #expect(map.touch(Point(x: x, y: y))?.id == .string(id))
    }

    @Test func `a tap prefers marks to lines, and lines to areas`() throws {
        let map = try MapFacadeSelectionTests.map()
        let ring = [(-170.0, -60.0), (170, -60), (170, 60), (-170, 60), (-170, -60)].map {
            Coordinate(x: $0.0, y: $0.1)
        }
        let area = FeatureSource(features: [Feature(id: "area", geometry: .polygon([ring]))])
        try map.add(MapLayer(name: "areas", source: area))
        #expect(map.touch(Point(x: 96, y: 130))?.id == "l")
        #expect(map.touch(Point(x: 66, y: 130))?.id == "a")
        #expect(map.touch(Point(x: 96, y: 100))?.id == "area")
        #expect(map.touch(Point(x: 96, y: 3)) == nil)
        #expect(map.selectedFeature?.id == "area")
    }

    @Test func `a tap hits the topmost of several points`() throws {
        let map = try MapFacadeTests.facade()
        for id in ["under", "over"] { map.addPOI(id: .string(id), coordinate: Coordinate(x: 0, y: 0), name: id) }
        #expect(map.touch(Point(x: 128, y: 128))?.id == "over")
        map.removeFeature(id: "over")
        #expect(map.touch(Point(x: 128, y: 128))?.id == "under")
    }

    @Test func `the tolerance is a distance in view pixels`() throws {
        let map = try MapFacadeTests.facade()
        map.addPOI(id: "p", coordinate: Coordinate(x: 0, y: 0), name: "P")
        // The mark itself reaches 6 pixels far; the touch is 9 and 12 pixels from its middle.
        #expect(map.touch(Point(x: 137, y: 140), tolerance: 6)?.id == "p")
        #expect(map.touch(Point(x: 137, y: 140), tolerance: 5.99) == nil)
        for value in [Double.nan, .infinity, -1, -.infinity] {
            _ = map.touch(Point(x: value, y: 3), tolerance: value)
        }
    }

    @Test func `a tap is reported and selects a selectable feature`() async throws {
        let map = try MapFacadeTests.facade()
        let events = map.events()
        let fixed = try #require(
            map.addPOI(id: "p", coordinate: Coordinate(x: 0, y: 0), name: "P", isSelectable: false).features?.features
                .first)
        #expect(map.touch(Point(x: 128, y: 128)) == fixed)
        #expect(map.selectedFeature == nil)
        let free = try #require(
            map.addPOI(id: "q", coordinate: Coordinate(x: 90, y: 0), name: "Q").features?.features.first)
        map.touch(Point(x: 192, y: 128))
        #expect(map.selectedFeature == free)
        let heard = await World.heard(events, 3)
        #expect(
            heard == [
                .featureTouched(layer: "vectors", feature: fixed), .featureTouched(layer: "vectors", feature: free),
                .selectionChanged(free),
            ])
    }

    @Test func `a tap does not hit hidden layers and features`() throws {
        let map = try MapFacadeTests.facade()
        let hidden = Feature(
            id: "h", geometry: .point(Coordinate(x: 0, y: 0)),
            properties: ["style": ["default": ["display": "none"]]])
        try map.add(MapLayer(name: "f", source: FeatureSource(features: [hidden])))
        #expect(map.touch(Point(x: 128, y: 128)) == nil)
        map.addPOI(id: "p", coordinate: Coordinate(x: 0, y: 0), name: "P")
        try map.updateLayer(named: "vectors") { $0.isVisible = false }
        #expect(map.touch(Point(x: 128, y: 128)) == nil)
    }

    @Test func `a tap hits a feature in each visible copy of the world`() throws {
        let map = try MapFacadeTests.facade()
        map.addPOI(id: "p", coordinate: Coordinate(longitude: -179, latitude: 0), name: "P")
        try map.center(on: Coordinate(longitude: 179, latitude: 0), zoom: 6)
        // 2° east of the middle at zoom 6: 2 / 360 × 64 × 256 = 91 pixels.
        #expect(map.touch(Point(x: 128 + 91, y: 128))?.id == "p")
        #expect(map.touch(Point(x: 128 - 91, y: 128)) == nil)
    }
}
