import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

/// Areas that files cut at ±180°.
@Suite struct FileSeamTests {
    private static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [Coordinate] {
        SampleScene.places([(west, south), (east, south), (east, north), (west, north), (west, south)])
    }

    /// Two halves of an island; the second one turns the other way round.
    private static let halves = Geometry.multiPolygon([[box(160, -5, 180, 5)], [box(-180, -5, -160, 5).reversed()]])
    private static let continent = Geometry.polygon([box(-180, -90, 180, 2)])
    private static let twice = Geometry.multiPolygon([
        [box(160, -5, 180, 5)], [box(160, -5, 180, 5)], [box(-180, -5, -160, 5)],
    ])

    /// A map of shapes around ±180°, whose seam is in the middle of a pixel.
    private static func paint(_ geometry: Geometry, _ style: Style, in name: String) throws -> PixelBuffer {
        let crs = try CRS(name), transform = try CoordinateTransform(from: .crs84, to: crs)
        let middle = try #require(transform(Coordinate(x: 180, y: 0))), units = crs.isGeographic ? 0.25 : 25_000
        var scene = SampleScene(center: Coordinate(x: middle.x + 0.43 * units, y: middle.y), resolution: units)
        scene.rotation = name == "EPSG:3857" ? 0 : 12
        let step = Scene.FeatureStep(
            crs: .crs84, features: [SampleScene.styled(geometry, style)],
            worldShifts: crs.worldWidth.map { [0, $0] } ?? [0])
        return try scene.paint([Scene.Layer(name: "f", nodes: [.features(step)])], crs: crs)
    }

    @Test(arguments: ["EPSG:3857", "EPSG:3395", "EPSG:4326", "ortho:lon=175", "robinson:lon=170"])
    func `no background shows between the halves of an area`(name: String) throws {
        for opacity in [1, 0.5] {
            let style = Style(fill: FillSymbol(color: MapColor.leaf.withOpacity(opacity)))
            // A map with a circular limit has no common orientation of rings, which overlapping areas need.
            let others = name.hasPrefix("ortho") ? [] : [Self.twice]
            for geometry in [Self.halves, Self.continent] + others {
                let picture = try Self.paint(geometry, style, in: name), y = geometry == Self.continent ? 56 : 32
                let inside = picture[30, y]
                #expect(inside != Pixel(.white))
                for x in 30..<66 { #expect(picture[x, y] == inside, "\(opacity), \(x)") }
            }
        }
    }

    @Test(arguments: ["EPSG:3857", "EPSG:4326", "ortho:lon=175", "robinson:lon=170"])
    func `the border of an area is not drawn along the seam`(name: String) throws {
        let style = Style(stroke: LineSymbol(color: .black, width: 2), fill: FillSymbol(color: .leaf))
        let picture = try Self.paint(Self.halves, style, in: name)
        for x in 30..<66 { #expect(picture[x, 32] == Pixel(.leaf), "\(x)") }
        // Its other borders are drawn.
        #expect((0..<32).contains { picture[48, $0].green < 60 })
    }

    @Test func `files in Mercator lose their borders along the seam as well`() throws {
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        let metres = Self.halves.mapCoordinates { transform($0) ?? $0 }
        let style = Style(stroke: LineSymbol(color: .black, width: 2), fill: FillSymbol(color: .leaf))
        let world = try #require(CRS.webMercator.worldWidth)
        let scene = SampleScene(center: Coordinate(x: world / 2 + 10_750, y: 0), resolution: 25_000)
        let picture = try scene.paint([SampleScene.styled(metres, style)], shifts: [0, world])
        for x in 30..<66 { #expect(picture[x, 32] == Pixel(.leaf), "\(x)") }
    }

    @Test func `areas of one copy of the world do not cover the lines of another`() throws {
        let world = try #require(CRS.webMercator.worldWidth)
        let area = Geometry.polygon([SampleScene.places(FeaturePainterTests.square.map { ($0.0 - world, $0.1) })])
        let line = Geometry.lineString(SampleScene.places([(-40, 0), (40, 0)]))
        let picture = try SampleScene().paint(
            [
                SampleScene.styled(line, Style(stroke: LineSymbol(color: .black, width: 4))),
                SampleScene.styled(area, Style(fill: FillSymbol(color: .leaf))),
            ], shifts: [0, world])
        #expect(picture[48, 32] == Pixel(.black))
        #expect(picture[48, 24] == Pixel(.leaf))
    }
}
