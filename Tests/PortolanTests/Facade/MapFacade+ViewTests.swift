import Foundation
import Portolan
import PortolanFeatures
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapFacadeViewTests {
    @Test func `an extent is shown, also from another CRS`() throws {
        let map = try MapFacadeTests.facade(200, 100)
        try map.setExtent(#require(Extent(minX: 0, minY: 0, maxX: 2000, maxY: 100)))
        #expect(map.viewport.resolution.unitsPerPixel == 10)
        #expect(map.viewport.center == Coordinate(x: 1000, y: 50))
        try map.setExtent(#require(Extent(minX: -1, minY: 41, maxX: 0, maxY: 41.1)), in: .crs84)
        // A degree of longitude is 111 319.49 m of the map.
        #expect(abs(map.viewport.resolution.unitsPerPixel - 111_319.490793 / 200) < 1e-6)
        #expect(throws: MapError.self) {
            try map.setExtent(#require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1)), in: CRS("EPSG:27200"))
        }
        let zone = try MapFacadeTests.facade(crs: CRS("EPSG:25830"))
        #expect(throws: MapError.outsideMap("EPSG:25830")) {
            try zone.setExtent(#require(Extent(minX: 170, minY: 0, maxX: 171, maxY: 1)), in: .crs84)
        }
    }

    @Test func `an area in degrees can be shown or limit the map, and is not taken for metres`() throws {
        let map = try MapFacadeTests.facade(200, 100)
        let degrees = try #require(Extent(minX: -1, minY: 41, maxX: 0, maxY: 41.1))
        try map.setExtent(degrees, in: .crs84)
        let wanted = map.viewport
        try map.show(west: -1, south: 41, east: 0, north: 41.1)
        #expect(map.viewport == wanted)
        #expect(throws: MapError.degrees("EPSG:3857")) { try map.setExtent(degrees) }
        #expect(map.viewport == wanted)
        // A map in degrees, and one in metres with a stated CRS, accept it.
        try MapFacadeTests.facade(crs: .crs84).setExtent(degrees)
        try map.setExtent(degrees, in: .webMercator)
        // Over the 180th meridian.
        try map.show(west: 170, south: -10, east: -170, north: 0)
        #expect(abs(map.viewport.center.x - 20_037_508.342789244) < 1)
        for (west, south, east, north) in [(0.0, 10.0, 1.0, 5.0), (0, 0, 1, 91), (0, 0, 400, 1), (.nan, 0, 1, 1)] {
            #expect(throws: MapError.outsideMap("EPSG:3857")) {
                try map.show(west: west, south: south, east: east, north: north)
            }
        }
        try map.limit(west: -1, south: 41, east: 0, north: 42)
        try map.center(on: Coordinate(longitude: 20, latitude: 60), zoom: 12)
        let limit = try #require(map.limitingExtent)
        #expect(limit.contains(map.viewport.center) && abs(limit.width - 111_319.490793) < 1e-3)
    }

    /// Helsinki by PROJ.
    @Test func `a map is centred on a coordinate`() throws {
        let map = try MapFacadeTests.facade()
        try map.center(on: Coordinate(longitude: 24.93545, latitude: 60.16952), zoom: 12)
        #expect(abs(map.viewport.center.x - 2_775_801.596701134) < 1e-3)
        #expect(abs(map.viewport.center.y - 8_437_576.742536522) < 1e-3)
        #expect(abs(map.viewport.resolution.zoom(in: .webMercator) - 12) < 1e-12)
        try map.center(on: Coordinate(longitude: 0, latitude: 0))
        #expect(abs(map.viewport.resolution.zoom(in: .webMercator) - 12) < 1e-12)
        #expect(throws: MapError.outsideMap("EPSG:3857")) { try map.center(on: Coordinate(x: 0, y: 90)) }
        #expect(throws: MapError(Viewport.InvalidError.resolutionOutOfRange)) {
            try map.center(on: Coordinate(x: 0, y: 0), zoom: .nan)
        }
    }

    @Test func `zoom, pan, rotation and resize are reported if they change the view`() async throws {
        let map = try MapFacadeTests.facade()
        let events = map.events()
        try map.zoom(by: 2)
        try map.pan(x: 0, y: 0)
        try map.pan(x: 10, y: 0)
        try map.rotate(to: 450)
        try map.resize(to: #require(ImageSize(width: 10, height: 20)))
        #expect(map.viewport.rotation == 90)
        #expect(map.viewport.size == ImageSize(width: 10, height: 20))
        #expect(throws: MapError.self) { try map.zoom(by: 0) }
        #expect(throws: MapError.self) { try map.pan(x: .nan, y: 0) }
        #expect(throws: MapError.self) { try map.rotate(to: .nan) }
        let heard = await World.heard(events, 4)
        #expect(heard.last == .viewportChanged(map.viewport))
        #expect(heard.allSatisfy { if case .viewportChanged = $0 { true } else { false } })
    }

    @Test func `the view stays within the limiting extent`() throws {
        let map = try MapFacadeTests.facade(100, 100)
        let limit = try #require(Extent(minX: 0, minY: 0, maxX: 1000, maxY: 1000))
        map.limitingExtent = limit
        func isSeen(_ extent: Extent) -> Bool {
            let seen = map.viewport.extent
            return zip(
                [seen.minX, seen.minY, seen.maxX, seen.maxY], [extent.minX, extent.minY, extent.maxX, extent.maxY]
            ).allSatisfy { abs($0 - $1) < 1e-9 }
        }
        #expect(isSeen(limit))
        try map.zoom(by: 4)
        try map.pan(x: 1e6, y: -1e6)
        #expect(try isSeen(#require(Extent(minX: 0, minY: 0, maxX: 250, maxY: 250))))
        try map.zoom(by: 0.01)
        #expect(isSeen(limit))
        try map.rotate(to: 45)
        let seen = map.viewport.extent
        #expect(limit.grown(by: 1e-6)?.contains(seen) == true)
        try map.center(on: Coordinate(longitude: 100, latitude: 50))
        #expect(limit.grown(by: 1e-6)?.contains(map.viewport.extent) == true)
    }

    @Test func `fitting a feature at a pole keeps the view within the world`() throws {
        let map = try MapFacadeTests.facade(300, 200)
        map.addPOI(id: "a", coordinate: Coordinate(longitude: 0, latitude: 89.99), name: "A")
        map.addPOI(id: "b", coordinate: Coordinate(longitude: 0, latitude: -30), name: "B")
        try map.fitFeatures(padding: 0)
        let world = try #require(CRS.webMercator.worldExtent)
        #expect(abs(map.viewport.extent.maxY - world.maxY) < 1)
    }

    @Test func `fitting features around the antimeridian uses the smallest extent`() throws {
        let map = try MapFacadeTests.facade(400, 300)
        // Viti Levu and Taveuni in one layer, Vanua Balavu and Lakeba in another.
        let places = [[(178.0, -17.8), (179.9, -16.9)], [(-179.0, -17.2), (-178.8, -18.2)]]
        for (number, layer) in places.enumerated() {
            let features = layer.map { Feature(geometry: .point(Coordinate(longitude: $0.0, latitude: $0.1))) }
            try map.add(MapLayer(name: "\(number)", source: FeatureSource(features: features)))
        }
        try map.fitFeatures()
        let degrees = try CoordinateTransform(from: .webMercator, to: .crs84)
        let center = try #require(degrees(map.viewport.center))
        #expect(abs(abs(center.x) - 179.6) < 0.01 && abs(center.y + 17.55) < 0.1, "\(center)")
        #expect(map.viewport.resolution.zoom(in: .webMercator) > 7)
    }

    @Test func `metres declared as degrees are an error`() throws {
        let map = try MapFacadeTests.facade(300, 200)
        let document = Array(#"{"type":"Point","coordinates":[430000,4620000]}"#.utf8)
        #expect(throws: MapError.notDegrees(layer: "vectors")) { try map.addFeatures(document, fitting: true) }
        // With others that are somewhere, the map goes to those.
        map.addPOI(id: "a", coordinate: Coordinate(longitude: 10, latitude: 40), name: "A")
        try map.fitFeatures()
    }

    @Test func `all features are fitted with padding`() throws {
        let map = try MapFacadeTests.facade(300, 200)
        #expect(throws: MapError.noFeatures) { try map.fitFeatures() }
        map.addPOI(id: "a", coordinate: Coordinate(longitude: 10, latitude: 40), name: "A")
        try map.fitFeatures(maximumZoom: 15)
        #expect(abs(map.viewport.resolution.zoom(in: .webMercator) - 15) < 1e-9)
        map.addPOI(id: "b", coordinate: Coordinate(longitude: 12, latitude: 41), name: "B")
        try map.rotate(to: 30)
        try map.fitFeatures(padding: 25)
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        for (longitude, latitude) in [(10.0, 40.0), (12, 41)] {
            let pixel = try map.viewport.pixel(
                of: #require(transform(Coordinate(longitude: longitude, latitude: latitude))))
            #expect(pixel.x > 24.99 && pixel.x < 275.01 && pixel.y > 24.99 && pixel.y < 175.01)
        }
        // On a small map there is less room: a quarter of it on each side.
        try map.fitFeatures(padding: 100)
        for (longitude, latitude) in [(10.0, 40.0), (12, 41)] {
            let place = try #require(transform(Coordinate(longitude: longitude, latitude: latitude)))
            let pixel = map.viewport.pixel(of: place)
            #expect(pixel.x > 49.99 && pixel.x < 250.01 && pixel.y > 49.99 && pixel.y < 150.01)
        }
        try map.updateLayer(named: "vectors") { $0.isVisible = false }
        #expect(throws: MapError.noFeatures) { try map.fitFeatures() }
    }
}

@Suite(.timeLimit(.minutes(20))) struct MapFacadeFitTests {
    /// The pixels of a picture's border that are not white.
    private static func inkAtBorder(_ image: PixelBuffer) -> Int {
        var count = 0
        for x in 0..<image.width { for y in [0, image.height - 1] where image[x, y] != Pixel(.white) { count += 1 } }
        for y in 0..<image.height { for x in [0, image.width - 1] where image[x, y] != Pixel(.white) { count += 1 } }
        return count
    }

    private static func map(_ style: Style, rotation: Double = 0, foot: Bool = false) throws -> MapFacade {
        let map = try MapFacadeTests.facade(300, 200)
        map.options = World.plain()
        if foot { map.options.infoBar = Furniture.InfoBar(title: "T") }
        try map.rotate(to: rotation)
        for (number, place) in [(24.9, 60.1), (25.0, 60.2), (24.95, 60.16), (24.93, 60.11)].enumerated() {
            map.addPOI(
                id: .integer(number), coordinate: Coordinate(longitude: place.0, latitude: place.1),
                name: number == 1 ? "A long name on the right" : "N", style: style)
        }
        return map
    }

    private static let styles: [Style] = {
        let disc = ShapeMarker(radius: 50, fill: FillSymbol(color: .black))
        let pin = ShapeMarker(shape: .pin, radius: 25, fill: FillSymbol(color: .black))
        let label = LabelSymbol(template: "${name}", size: 14, horizontalAlignment: .left, offsetX: 8)
        let dot = ShapeMarker(radius: 4, fill: FillSymbol(color: .black))
        return [
            Style(marker: .shape(disc)), Style(marker: .shape(pin)), Style(marker: .shape(dot), label: label),
        ]
    }()

    @Test(arguments: [0, 1, 2], [0.0, 37, 200])
    func `fitting keeps all marks and labels inside the picture`(style: Int, rotation: Double) async throws {
        let map = try Self.map(Self.styles[style], rotation: rotation)
        try map.fitFeatures(padding: 0)
        let image = try await map.refresh().image
        #expect(Self.inkAtBorder(image) == 0)
        // As large as can be: something comes near to the border.
        var least = Int.max
        for y in 0..<image.height {
            for x in 0..<image.width where image[x, y] != Pixel(.white) {
                least = min(least, x, y, image.width - 1 - x, image.height - 1 - y)
            }
        }
        #expect(least <= 8)
        #expect(map.viewport.rotation == rotation)
    }

    @Test func `small and oversized marks do not change the fitted view`() throws {
        let dot = Style(marker: .shape(ShapeMarker(radius: 6, fill: FillSymbol(color: .black))))
        let small = try Self.map(dot), plain = try Self.map(Style())
        try small.fitFeatures()
        try plain.fitFeatures()
        #expect(small.viewport == plain.viewport)
        let huge = try Self.map(Style(marker: .shape(ShapeMarker(radius: 500, fill: FillSymbol(color: .black)))))
        try huge.fitFeatures()
        #expect(huge.viewport == plain.viewport)
    }

    @Test func `a single feature is fitted with its drawn symbol in the middle`() throws {
        let map = try MapFacadeTests.facade(300, 200)
        let pin = ShapeMarker(shape: .pin, radius: 40, fill: FillSymbol(color: .black))
        let place = Coordinate(longitude: 24.9, latitude: 60.1)
        map.addPOI(id: "p", coordinate: place, name: "P", style: Style(marker: .shape(pin)))
        try map.fitFeatures(padding: 0, maximumZoom: 15)
        let pixel = map.viewport.pixel(of: try #require(try CoordinateTransform(from: .crs84, to: .webMercator)(place)))
        // A pin of 120 pixels, its tip below.
        #expect(abs(pixel.x - 150) < 0.5 && pixel.y > 156 && pixel.y < 172)
        #expect(abs(map.viewport.resolution.zoom(in: .webMercator) - 15) < 1e-6)
    }

    @Test func `fitting across the antimeridian keeps the marks on both sides inside`() async throws {
        let map = try MapFacadeTests.facade(300, 200)
        map.options = World.plain()
        for (number, longitude) in [179.9, -179.9].enumerated() {
            let disc = ShapeMarker(radius: 60, fill: FillSymbol(color: .black))
            map.addPOI(
                id: .integer(number), coordinate: Coordinate(longitude: longitude, latitude: 0), name: "",
                style: Style(marker: .shape(disc)))
        }
        try map.fitFeatures(padding: 0)
        #expect(Self.inkAtBorder(try await map.refresh().image) == 0)
        #expect(map.viewport.extent.width < 2e6)
    }

    @Test func `a layer's style for selected features is applied`() async throws {
        let map = try MapFacadeTests.facade(100, 100)
        map.options = World.plain()
        var source = FeatureSource(features: [Feature(id: "p", geometry: .point(Coordinate(x: 0, y: 0)))])
        var selected = StyleDeclaration()
        selected.fillColor = MapColor(red: 0, green: 0, blue: 255)
        selected.fillOpacity = 1
        selected.pointRadius = 12
        source.selectedStyle = selected
        source.selectionMarkColor = MapColor(red: 0, green: 255, blue: 0)
        try map.add(MapLayer(name: "f", source: source))
        try map.center(on: Coordinate(x: 0, y: 0), zoom: 3)
        let before = try await map.refresh().image
        try map.selectFeature(id: "p")
        let after = try await map.refresh().image
        #expect(before[50, 50] != after[50, 50] && after[50, 50] == Pixel(MapColor(red: 0, green: 0, blue: 255)))
        #expect(after[58, 50] == after[50, 50] && before[58, 50] == Pixel(.white))
        // The mark above it.
        func green(_ image: PixelBuffer) -> Int {
            (0..<50).count { image[50, $0] == Pixel(MapColor(red: 0, green: 255, blue: 0)) }
        }
        let usual = green(after)
        #expect(usual > 10 && green(before) == 0)
        // An arrow 1.4 times as high as its size.
        source.selectionMarkSize = 20
        try map.replaceLayer(named: "f", with: MapLayer(name: "f", source: source))
        let larger = try await map.refresh().image
        #expect((8...9).contains(green(larger) - usual))
    }

    @Test(arguments: [(true, nil), (false, "A title of some length"), (true, "A title")] as [(Bool, String?)])
    func `fitted features are not covered by legend and title`(showsLegend: Bool, title: String?) async throws {
        let map = try MapFacadeTests.facade(400, 300)
        let square = """
            {"type":"Feature","properties":{"fill":"#ff0000","fill-opacity":1,"stroke-width":0},
            "geometry":{"type":"Polygon","coordinates":[[[0,0],[20,0],[20,14],[0,14],[0,0]]]}}
            """
        try map.addFeatureLayer(Array(square.utf8), named: "A layer of land")
        func redCount() async throws -> Int {
            try await map.refresh().image.pixels.count {
                Pixel(bits: $0) == Pixel(MapColor(red: 255, green: 0, blue: 0))
            }
        }
        map.options.showsLegend = showsLegend
        map.options.title = title
        try map.fitFeatures()
        (map.options.showsLegend, map.options.title) = (false, nil)
        let whole = try await redCount()
        map.options.title = title
        #expect(try await redCount() == whole && whole > 15_000)
        map.options.showsLegend = showsLegend
        // The legend has a red sample.
        #expect(try await redCount() >= whole)
    }
}
