import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

/// Tiles of the whole world, whose colours are their longitude and latitude, on maps that do not repeat the world.
@Suite struct WorldWarpTests {
    private static let side = 64

    /// The colour at a longitude and latitude: the longitude twice, so that colours on both sides of a seam can be told.
    private static func color(_ longitude: Double, _ latitude: Double) -> Pixel {
        func byte(_ share: Double) -> UInt8 { UInt8(min(max((share * 255).rounded(), 0), 255)) }
        let turn = abs(longitude.remainder(dividingBy: 360)) / 180,
            quarter = (longitude - 90).remainder(dividingBy: 360)
        return Pixel(red: byte(turn), green: byte(abs(quarter) / 180), blue: byte((latitude + 90) / 180), alpha: 255)
    }

    /// The tile of an address such as `2/1/3`.
    private static func tile(_ address: String) throws -> PixelBuffer {
        let numbers = address.split(separator: "/").suffix(3).compactMap { Double($0) }
        try #require(numbers.count == 3, "\(address)")
        let world = try #require(CRS.webMercator.worldExtent),
            count = numbers[0] == 0 ? 4 : Double(4 << Int(numbers[0]))
        let back = try CoordinateTransform(from: .webMercator, to: .crs84)
        var image = PixelBuffer(size: try SampleScene.size(side, side))
        for row in 0..<side {
            for column in 0..<side {
                let x = (numbers[1] + (Double(column) + 0.5) / Double(side)) / count
                let y = (numbers[2] + (Double(row) + 0.5) / Double(side)) / count
                let place = try #require(
                    back(Coordinate(x: world.minX + x * world.width, y: world.maxY - y * world.height)))
                image[column, row] = color(place.x, place.y)
            }
        }
        return image
    }

    static let maps = [
        "robinson", "robinson:lon=150", "equal-earth:lon=-90", "winkel-tripel:lon=100", "natural-earth:lon=30",
        "mollweide:lon=-45", "eckert4:lon=60", "sinusoidal:lon=90", "ortho:lon=100,lat=60", "ortho:lon=180",
        "ortho:lat=-90",
        "aeqd:lon=25,lat=60", "laea:lon=170,lat=-40", "tpeqd:lon1=-74,lat1=41,lon2=25,lat2=60",
        "albers:lat1=29.5,lat2=45.5,lon=-96,lat=23", "omerc:lon=160,lat=40,azimuth=45", "EPSG:3995",
    ]

    @Test(arguments: maps) func `each pixel of a warped world has the colour of its place`(name: String) throws {
        let crs = try CRS(name), outline = try #require(crs.outlineExtent)
        let view = try Viewport.fitting(
            BoundingBox(outline), padding: 4, size: SampleScene.size(320, 240), crs: crs)
        let picture = try MosaicPainterTests.draw(MosaicPainterTests.tiles(Self.side), view, image: Self.tile)
        let back = try CoordinateTransform(from: crs, to: .crs84)
        // The places of all pixels, and of two more on each side.
        let places = (-2..<242).map { row in
            (-2..<322).map { back(view.coordinate(at: Point(x: Double($0) + 0.5, y: Double(row) + 0.5))) }
        }
        var missing = 0, wrong = 0, beside = 0, count = 0
        for row in 0..<240 {
            for column in 0..<320 {
                let pixel = picture[column, row]
                // The pixels around must be on the map as well, and where tiles are not much smaller.
                let around = [(0, 0), (-2, 0), (2, 0), (0, -2), (0, 2)].map { places[row + 2 + $1][column + 2 + $0] }
                guard let here = around[0] else {
                    if around.allSatisfy({ $0 == nil }), pixel != Pixel(.white) { beside += 1 }
                    continue
                }
                let known = around.compactMap(\.self)
                guard known.count == 5, known.allSatisfy({ abs($0.y) < 80 && abs($0.y - here.y) < 6 }),
                    known.allSatisfy({ abs(($0.x - here.x).remainder(dividingBy: 360)) < 8 })
                else { continue }
                count += 1
                if pixel == Pixel(.white) {
                    missing += 1
                    continue
                }
                let expected = Self.color(here.x, here.y)
                let difference = [
                    Int(pixel.red) - Int(expected.red), Int(pixel.green) - Int(expected.green),
                    Int(pixel.blue) - Int(expected.blue),
                ].map(abs).max()
                if (difference ?? 0) > 16 { wrong += 1 }
            }
        }
        #expect(count > 10_000)
        #expect(missing == 0 && wrong == 0 && beside == 0, "missing \(missing), wrong \(wrong), beside \(beside)")
    }

    @Test(arguments: ["robinson", "ortho:lon=10,lat=45", "aeqd:lat=90", "laea:lon=170,lat=-40"])
    func `the sphere is filled up to its outline`(name: String) throws {
        let crs = try CRS(name), outline = try #require(crs.outlineExtent)
        let view = try Viewport.fitting(
            BoundingBox(outline), padding: 4, size: SampleScene.size(200, 200), crs: crs)
        let scene = Scene(viewport: view, background: .white, layers: [], sphere: .sea)
        let picture = try SampleScene.image(
            MapPainter(scene: scene, images: [:], fonts: SampleScene.fonts, furniture: .init()))
        let back = try CoordinateTransform(from: crs, to: .crs84)
        for row in 0..<200 {
            for column in 0..<200 {
                let around = [(0.5, 0.5), (-0.5, 0.5), (1.5, 0.5), (0.5, -0.5), (0.5, 1.5)].map {
                    back(view.coordinate(at: Point(x: Double(column) + $0.0, y: Double(row) + $0.1))) != nil
                }
                guard Set(around).count == 1 else { continue }
                // The outline is a little inside of what can be projected.
                if around[0] != (picture[column, row] == Pixel(.sea)) {
                    Issue.record("\(column), \(row): \(picture[column, row])")
                    return
                }
            }
        }
    }
}
