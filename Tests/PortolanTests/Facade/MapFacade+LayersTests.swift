import Portolan
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapFacadeLayersTests {
    @Test func `names are unique`() throws {
        let map = try MapFacadeTests.facade()
        try map.add(World.tiles("a"))
        #expect(throws: FacadeError.duplicateLayer("a")) { try map.add(World.tiles("a")) }
        try map.add(World.tiles("b"))
        #expect(throws: FacadeError.duplicateLayer("a")) { try map.updateLayer(named: "b") { $0.name = "a" } }
        #expect(map.layers.map(\.name) == ["a", "b"])
    }

    @Test func `layers are found, changed and removed by name`() throws {
        let map = try MapFacadeTests.facade()
        try map.add(World.tiles("a"))
        try map.updateLayer(named: "a") {
            $0.opacity = 0.3; $0.name = "c"
        }
        #expect(map.layer(named: "c")?.opacity == 0.3 && map.layer(named: "a") == nil)
        #expect(throws: FacadeError.noSuchLayer("a")) { try map.updateLayer(named: "a") { _ in } }
        #expect(map.removeLayer(named: "c")?.name == "c")
        #expect(map.removeLayer(named: "c") == nil && map.layers.isEmpty)
    }

    @Test func `the vector layer is on top of all others`() throws {
        let map = try MapFacadeTests.facade()
        map.addPOI(id: "p", at: Coordinate(longitude: 0, latitude: 0), name: "P")
        try map.add(World.tiles("a"))
        try map.add(World.tiles("b"))
        #expect(map.layers.map(\.name) == ["a", "b", MapFacade.vectorLayerName])
        #expect(map.vectorLayer == map.layers.last)
        #expect(throws: FacadeError.reservedName("vectors")) { try map.add(World.tiles("vectors")) }
    }

    @Test func `a selection goes with its layer and stays through its renaming`() throws {
        let map = try MapFacadeTests.facade()
        let source = FeatureSource(features: [Feature(id: "p", geometry: .point(Coordinate(x: 0, y: 0)))])
        try map.add(MapLayer(name: "f", source: source))
        try map.selectFeature(id: "p")
        try map.updateLayer(named: "f") { $0.name = "g" }
        #expect(map.selectedFeature?.id == "p")
        map.removeLayer(named: "g")
        #expect(map.selectedFeature == nil)
    }
}
