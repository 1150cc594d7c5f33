import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanPlan
import PortolanRaster
import Testing

/// Lines and areas whose edges are great circles, about the antimeridian above all.
@Suite(.timeLimit(.minutes(20))) struct MapFacadeGeodesicTests {
    private static let line = LineSymbol(color: .black, width: 3)
    private static let tokyo = Coordinate(longitude: 139.7798, latitude: 35.5494)
    private static let losAngeles = Coordinate(longitude: -118.4085, latitude: 33.9416)
    /// The middle of the way on a sphere, by GeographicLib.
    private static let middle = Coordinate(longitude: -168.62807813358222, latitude: 47.72229699488043)

    private static let red = MapColor(red: 200, green: 80, blue: 60)
    private static let world = 40_075_016.68557849

    private static func pixel(of place: Coordinate, on map: MapFacade) throws -> Point {
        let transform = try CoordinateTransform(from: .crs84, to: map.viewport.crs)
        return map.viewport.pixel(of: try #require(transform(place)))
    }

    /// Shows a resolution in units of the map's CRS per pixel, around a point.
    private static func show(_ map: MapFacade, x: Double, y: Double, resolution: Double) throws {
        let width = Double(map.viewport.size.width) * resolution, height = Double(map.viewport.size.height) * resolution
        try map.setExtent(
            #require(Extent(minX: x - width / 2, minY: y - height / 2, maxX: x + width / 2, maxY: y + height / 2)))
    }

    @Test(arguments: [-190.0, 170])
    func `a geodesic line is drawn and hit on its great circle, on either side of the world`(
        longitude: Double
    ) async throws {
        let map = try MapFacadeTests.facade(400, 400)
        map.addLine(
            id: "flight", through: [Self.tokyo, Self.losAngeles], style: Style(stroke: Self.line, isGeodesic: true))
        // Level 2: the world is 1024 pixels wide.
        try Self.show(map, x: longitude / 360 * Self.world, y: 4_865_942, resolution: Self.world / 1024)
        var place = try Self.pixel(of: Self.middle, on: map)
        while place.x > 1024 { place.x -= 1024 }
        while place.x < 0 { place.x += 1024 }
        let picture = try await map.refresh().image
        #expect(picture[Int(place.x), Int(place.y)] == Pixel(.black), "\(place)")
        #expect(map.touch(place, tolerance: 3)?.id == "flight")
        // Where it would be if it were straight on the map.
        let straight = try Self.pixel(of: Coordinate(longitude: Self.middle.x, latitude: 34.75), on: map)
        #expect(picture[Int(place.x), Int(straight.y)] == Pixel(.white))
        #expect(map.touch(Point(x: place.x, y: straight.y), tolerance: 3) == nil)
    }

    @Test func `a geodesic polygon around a pole is filled`() async throws {
        let map = try MapFacadeTests.facade(200, 200, crs: CRS("EPSG:3995"))
        let corners = [-120, 0, 120].map { Coordinate(longitude: Double($0), latitude: 60) }
        map.addPolygon(
            id: "triangle", rings: [corners],
            style: Style(stroke: Self.line, fill: FillSymbol(color: Self.red), isGeodesic: true))
        try Self.show(map, x: 0, y: 0, resolution: 50_000)
        let picture = try await map.refresh().image
        #expect(picture[100, 100] == Pixel(Self.red))
        // No border leads to the pole, from any side.
        for step in 0..<40 {
            let (x, y) = ([85, 115][step % 2], 90 + step / 2)
            #expect(picture[x, y] != Pixel(.black), "\(x),\(y)")
        }
        #expect(picture[5, 5] == Pixel(.white))
        #expect(map.touch(Point(x: 100, y: 100))?.id == "triangle")
        #expect(map.touch(Point(x: 20, y: 20)) == nil)
    }

    /// A short line looks the same at 180° and at Greenwich, with its label.
    @Test func `a geodesic line and its label look the same at the antimeridian`() async throws {
        func picture(_ middle: Double) async throws -> PixelBuffer {
            let map = try MapFacadeTests.facade(300, 100)
            func place(_ offset: Double) -> Coordinate {
                let longitude = middle + offset
                return Coordinate(longitude: longitude > 180 ? longitude - 360 : longitude, latitude: offset / 4)
            }
            let style = Style(stroke: Self.line, label: LabelSymbol(template: "Dateline"), isGeodesic: true)
            map.addLine(id: "a", through: [place(-1), place(1)], style: style)
            try Self.show(map, x: middle / 360 * Self.world, y: 0, resolution: 1000)
            return try await map.refresh().image
        }
        let here = try await picture(0), there = try await picture(180)
        let inked = here.pixels.count { $0 != 0xFFFF_FFFF }
        let different = zip(here.pixels, there.pixels).count { $0 != $1 }
        #expect(inked > 600 && different * 100 < inked, "\(different) of \(inked)")
    }

    @Test func `layers, documents and features can be geodesic, and fitting uses the great circle`() throws {
        let document = """
            {"type":"Feature","geometry":{"type":"LineString","coordinates":[[139.7798,35.5494],[-118.4085,33.9416]]},
            "properties":{"style":{"default":{"geodesic":true}}}}
            """
        let own = try FeatureFormats.standard.read(Array(document.utf8))
        let plain = own.features.map { Feature(geometry: $0.geometry) }
        var style = StyleDeclaration()
        style.isGeodesic = true
        for source in [FeatureSource(own), FeatureSource(features: plain, style: style)] {
            let box = try #require(try source.boundingBox(in: .crs84))
            // The northernmost place of that great circle.
            #expect(abs(box.maxY - 47.74110311312907) < 1e-4 && box.maxX - box.minX < 102)
        }
        var source = FeatureSource(features: plain)
        #expect(source.boundingBox?.maxY == 35.5494)
        source.style = style
        #expect(source.boundingBox.map { $0.maxY > 47 } == true)
        source.style.isGeodesic = false
        #expect(source.boundingBox?.maxY == 35.5494)
    }
}
