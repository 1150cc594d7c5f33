import Foundation
import Portolan
import PortolanFeatures
import PortolanPlan
import PortolanRaster
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapFacadeLayersTests {
    @Test func `layer names are unique`() throws {
        let map = try MapFacadeTests.facade()
        try map.add(World.tiles("a"))
        #expect(throws: MapError.duplicateLayer("a")) { try map.add(World.tiles("a")) }
        try map.add(World.tiles("b"))
        #expect(throws: MapError.duplicateLayer("a")) { try map.updateLayer(named: "b") { $0.name = "a" } }
        #expect(map.layers.map(\.name) == ["a", "b"])
    }

    @Test func `layers are found, changed and removed by name`() throws {
        let map = try MapFacadeTests.facade()
        try map.add(World.tiles("a"))
        try map.updateLayer(named: "a") {
            $0.opacity = 0.3; $0.name = "c"
        }
        #expect(map.layer(named: "c")?.opacity == 0.3 && map.layer(named: "a") == nil)
        #expect(throws: MapError.noSuchLayer("a")) { try map.updateLayer(named: "a") { _ in } }
        #expect(map.removeLayer(named: "c")?.name == "c")
        #expect(map.removeLayer(named: "c") == nil && map.layers.isEmpty)
    }

    @Test func `the vector layer is on top of all others`() throws {
        let map = try MapFacadeTests.facade()
        map.addPOI(id: "p", coordinate: Coordinate(longitude: 0, latitude: 0), name: "P")
        try map.add(World.tiles("a"))
        try map.add(World.tiles("b"))
        #expect(map.layers.map(\.name) == ["a", "b", MapFacade.vectorLayerName])
        #expect(map.vectorLayer == map.layers.last)
        #expect(throws: MapError.reservedName("vectors")) { try map.add(World.tiles("vectors")) }
    }

    @Test func `a selection survives renaming its layer and ends with removing it`() throws {
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

@Suite(.timeLimit(.minutes(20))) struct MapFacadeLayerOrderTests {
    private static func map(_ names: String...) throws -> MapFacade {
        let map = try MapFacadeTests.facade()
        map.options = World.plain()
        for name in names { try map.add(Self.area(name, .black)) }
        return map
    }

    /// A layer that covers the world with a colour.
    private static func area(_ name: String, _ color: MapColor, opacity: Double = 1, group: String? = nil) -> MapLayer {
        let ring = [(-170, -80), (170, -80), (170, 80), (-170, 80), (-170, -80)].map { Coordinate(x: $0.0, y: $0.1) }
        var source = FeatureSource(features: [])
        source.append(
            Feature(id: .string(name), geometry: .polygon([ring])), style: Style(fill: FillSymbol(color: color)))
        var layer = MapLayer(name: name, source: source, opacity: opacity)
        layer.group = group.map { MapLayer.Group($0) }
        return layer
    }

    @Test(arguments: [
        (MapFacade.LayerPosition.top, ["a", "b", "c", "new", "vectors"]), (.bottom, ["new", "a", "b", "c", "vectors"]),
        (.above("a"), ["a", "new", "b", "c", "vectors"]), (.below("c"), ["a", "b", "new", "c", "vectors"]),
        (.above("vectors"), ["a", "b", "c", "new", "vectors"]), (.below("vectors"), ["a", "b", "c", "new", "vectors"]),
    ])
    func `a layer is inserted at the given position, below the vector layer`(
        place: MapFacade.LayerPosition, names: [String]
    ) throws {
        let map = try Self.map("a", "b", "c")
        map.addPOI(id: "p", coordinate: Coordinate(longitude: 0, latitude: 0), name: "P")
        try map.add(Self.area("new", .white), position: place)
        #expect(map.layers.map(\.name) == names)
        #expect(throws: MapError.noSuchLayer("x")) { try map.add(Self.area("y", .white), position: .above("x")) }
        #expect(map.layers.count == 5)
    }

    @Test(arguments: [
        ("a", MapFacade.LayerPosition.top, ["b", "c", "a", "vectors"]), ("c", .bottom, ["c", "a", "b", "vectors"]),
        ("a", .above("b"), ["b", "a", "c", "vectors"]), ("c", .below("b"), ["a", "c", "b", "vectors"]),
        ("b", .above("b"), ["a", "b", "c", "vectors"]), ("b", .below("b"), ["a", "b", "c", "vectors"]),
        ("a", .above("vectors"), ["b", "c", "a", "vectors"]),
    ])
    func `a layer is moved among the others`(name: String, place: MapFacade.LayerPosition, names: [String]) throws {
        let map = try Self.map("a", "b", "c")
        map.addPOI(id: "p", coordinate: Coordinate(longitude: 0, latitude: 0), name: "P")
        try map.moveLayer(named: name, to: place)
        #expect(map.layers.map(\.name) == names)
    }

    @Test func `an invalid move is an error and changes nothing`() throws {
        let map = try Self.map("a", "b")
        map.addPOI(id: "p", coordinate: Coordinate(longitude: 0, latitude: 0), name: "P")
        #expect(throws: MapError.reservedName("vectors")) { try map.moveLayer(named: "vectors", to: .bottom) }
        #expect(throws: MapError.noSuchLayer("x")) { try map.moveLayer(named: "x", to: .bottom) }
        #expect(throws: MapError.noSuchLayer("x")) { try map.moveLayer(named: "a", to: .below("x")) }
        #expect(map.layers.map(\.name) == ["a", "b", "vectors"])
    }

    @Test func `a replaced layer keeps its position, opacity, visibility and group`() throws {
        let map = try Self.map("a", "b")
        try map.updateLayer(named: "a") {
            $0.opacity = 0.5
            $0.isVisible = false
            $0.group = MapLayer.Group("g")
            $0.minimumResolution = Resolution(unitsPerPixel: 3)
        }
        try map.selectFeature(id: "b")
        var other = try World.tiles("other")
        other.attribution = "© other"
        try map.replaceLayer(named: "a", with: other)
        let layer = try #require(map.layer(named: "a"))
        #expect(map.layers.map(\.name) == ["a", "b"] && layer.source.kind == "xyz" && layer.attribution == "© other")
        #expect(layer.opacity == 0.5 && !layer.isVisible && layer.group == MapLayer.Group("g"))
        #expect(layer.minimumResolution == Resolution(unitsPerPixel: 3) && map.selectedFeature?.id == "b")
        // What is selected stays so where the new content has it, too.
        try map.add(Self.area("b", .white), replacing: true)
        #expect(map.selectedFeature?.id == "b")
        try map.replaceLayer(named: "b", with: World.tiles())
        #expect(map.selectedFeature == nil && map.layers.map(\.name) == ["a", "b"])
        #expect(throws: MapError.duplicateLayer("b")) { try map.add(World.tiles("b")) }
        #expect(throws: MapError.noSuchLayer("x")) { try map.replaceLayer(named: "x", with: World.tiles()) }
        #expect(throws: MapError.reservedName("vectors")) {
            try map.replaceLayer(named: "vectors", with: World.tiles())
        }
    }

    /// White, half of red over it, and then all of blue: faded as one, red is not seen through blue.
    @Test(
        arguments: [
            (nil, nil, Pixel(MapColor(red: 64, green: 0, blue: 191))),
            ("g", "g", Pixel(MapColor(red: 128, green: 128, blue: 255))),
            ("g", "h", Pixel(MapColor(red: 128, green: 64, blue: 191))),
        ] as [(String?, String?, Pixel)])
    func `the layers of a group are faded together`(first: String?, second: String?, expected: Pixel) async throws {
        let map = try MapFacadeTests.facade()
        map.options = World.plain()
        try map.add(Self.area("red", MapColor(red: 255, green: 0, blue: 0), group: first))
        try map.add(Self.area("blue", MapColor(red: 0, green: 0, blue: 255), group: second))
        for group in map.groups { try map.updateGroup(named: group.name) { $0.opacity = 0.5 } }
        if first == nil {
            for name in ["red", "blue"] { try map.updateLayer(named: name) { $0.opacity = name == "red" ? 1 : 0.75 } }
        }
        let seen = try await map.refresh().image[128, 128]
        for (one, other) in [(seen.red, expected.red), (seen.green, expected.green), (seen.blue, expected.blue)] {
            #expect(abs(Int(one) - Int(other)) <= 1, "\(seen)")
        }
    }

    @Test func `a group is faded together even if only its upper layer has changed`() async throws {
        func map(_ blue: UInt8) throws -> MapFacade {
            let map = try MapFacadeTests.facade()
            map.options = World.plain()
            try map.add(Self.area("ground", .black))
            try map.add(Self.area("red", MapColor(red: 255, green: 0, blue: 0), group: "g"))
            try map.add(Self.area("blue", MapColor(red: 0, green: 0, blue: blue), group: "g"))
            try map.updateGroup(named: "g") { $0.opacity = 0.5 }
            return map
        }
        let changed = try map(255)
        _ = try await changed.refresh()
        try changed.replaceLayer(named: "blue", with: Self.area("blue", MapColor(red: 0, green: 0, blue: 100)))
        #expect(try await changed.refresh().image == map(100).refresh().image)
        try changed.updateGroup(named: "g") { $0.opacity = 1 }
        #expect(try await changed.refresh().image[128, 128] == Pixel(MapColor(red: 0, green: 0, blue: 100)))
    }

    @Test func `a group is hidden, renamed and removed as one, and new members take its state`() async throws {
        let map = try Self.map("a")
        try map.add(Self.area("b", .black, group: "g"))
        try map.updateGroup(named: "g") { $0.isVisible = false }
        try map.add(Self.area("c", .black, group: "g"))
        try map.updateLayer(named: "a") { $0.group = MapLayer.Group("g") }
        #expect(map.groups == [MapLayer.Group("g", isVisible: false)])
        #expect(map.layers.allSatisfy { $0.group?.isVisible == false })
        #expect(try await map.refresh().image[128, 128] == Pixel(.white))
        #expect(map.touch(Point(x: 128, y: 128)) == nil)
        // Said of one, it is said of all.
        try map.updateLayer(named: "b") { $0.group?.isVisible = true }
        #expect(try await map.refresh().image[128, 128] == Pixel(.black))
        #expect(map.groups == [MapLayer.Group("g")])
        try map.add(Self.area("d", .white, group: "h"))
        #expect(throws: MapError.duplicateGroup("h")) { try map.updateGroup(named: "g") { $0.name = "h" } }
        #expect(throws: MapError.noSuchGroup("x")) { try map.updateGroup(named: "x") { _ in } }
        try map.updateGroup(named: "g") { $0.name = "i" }
        #expect(map.groups.map(\.name) == ["i", "h"])
        #expect(map.removeGroup(named: "i").map(\.name) == ["a", "b", "c"] && map.layers.map(\.name) == ["d"])
    }

    /// On pixels of 0.28 mm, 1 : 10,000 is 2.8 m a pixel.
    @Test(arguments: [(9_999.0, false), (10_000, true), (49_999, true), (50_000, true), (50_001, false)])
    func `a layer is drawn within its scale limits`(denominator: Double, isDrawn: Bool) throws {
        let crs = try #require(CRS.epsg(25835))
        var layer = Self.area("a", .black)
        layer.setScales(10_000...50_000, in: crs)
        #expect(abs((layer.minimumResolution?.unitsPerPixel ?? 0) - 2.8) < 1e-9)
        let resolution = try #require(Resolution(scaleDenominator: denominator, in: crs))
        #expect(layer.isDrawn(at: resolution) == isDrawn)
        let before = layer
        let isSet = layer.setScales(-5...50_000, in: crs)
        #expect(!isSet && layer == before)
    }
}
