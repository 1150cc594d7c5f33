import Portolan
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapFacadeSelectionTests {
    static func map() throws -> MapFacade {
        let map = try MapFacadeTests.facade()
        map.addPOI(id: "a", at: Coordinate(longitude: -90, latitude: 0), name: "A")
        map.addPOI(id: "b", at: Coordinate(longitude: 0, latitude: 0), name: "B", isNavigable: false)
        map.addLine(id: "l", through: [Coordinate(x: -90, y: 0), Coordinate(x: 90, y: 0)])
        map.addPOI(id: "c", at: Coordinate(longitude: 90, latitude: 0), name: "C")
        return map
    }

    @Test func `next and previous go round the navigable points`() throws {
        let map = try Self.map()
        #expect(["a", "c", "a"].allSatisfy { map.selectNext()?.id == FeatureID.string($0) })
        #expect(["c", "a", "c"].allSatisfy { map.selectPrevious()?.id == FeatureID.string($0) })
        map.deselect()
        #expect(map.selectPrevious()?.id == "c")
        map.deselect()
        #expect(map.selectNext()?.id == "a")
        #expect(map.selectedFeature?.id == "a")
    }

    @Test func `from a point that is not navigable the walk begins anew`() throws {
        let map = try Self.map()
        try map.selectFeature(id: "b")
        #expect(map.selectNext()?.id == "a")
    }

    @Test func `without points there is no next one`() throws {
        let map = try MapFacadeTests.facade()
        #expect(map.selectNext() == nil && map.selectPrevious() == nil)
    }

    @Test func `points that cannot be told apart do not stop the walk`() throws {
        func poi(_ id: FeatureID?) -> Feature {
            Feature(id: id, geometry: .point(Coordinate(x: 0, y: 0)), properties: ["type": "poi"])
        }
        let map = try MapFacadeTests.facade()
        let source = FeatureSource(features: [poi("a"), poi(nil), poi("b"), poi("b"), poi("c")])
        try map.add(MapLayer(name: "f", source: source))
        let walk = (0..<4).map { _ in map.selectNext()?.id }
        #expect(walk == ["a", "b", "c", "a"])
        #expect((0..<3).map { _ in map.selectPrevious()?.id } == ["c", "b", "a"])
    }

    @Test func `a change of the selection is told, a repetition is not`() async throws {
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

    @Test func `what is not there cannot be selected`() throws {
        let map = try Self.map()
        #expect(throws: FacadeError.noSuchFeature("zz")) { try map.selectFeature(id: "zz") }
        try map.updateLayer(named: MapFacade.vectorLayerName) { $0.isVisible = false }
        #expect(throws: FacadeError.noSuchFeature("a")) { try map.selectFeature(id: "a") }
        #expect(map.selectNext() == nil)
    }

    @Test func `the selected feature is drawn with its mark`() async throws {
        let map = try Self.map()
        let before = try await map.refresh().image
        try map.selectFeature(id: "b")
        let after = try await map.refresh().image
        #expect(before != after)
        // The mark stands above the point, which is in the middle: red over white.
        #expect((100..<122).contains { after[128, $0] == Pixel(Color(red: 214, green: 40, blue: 40)) })
    }
}
