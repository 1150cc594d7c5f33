import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct GridPlaceTests {
    private static let green = MapColor(red: 0, green: 160, blue: 0), red = MapColor(red: 200, green: 0, blue: 0)

    private static func square(_ reach: Double) -> Geometry {
        .polygon([
            [(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach), (-reach, -reach)].map {
                Coordinate(x: $0.0, y: $0.1)
            }
        ])
    }

    /// An area around the origin, where the equator crosses the prime meridian.
    private static let area = SampleScene.styled(square(60), Style(fill: FillSymbol(color: green)))
    /// A disc at the origin, and a line along a parallel, on which the meridian lies.
    private static let symbols = [
        SampleScene.styled(
            .point(Coordinate(x: 0, y: 0)),
            Style(marker: .shape(ShapeMarker(radius: 8, fill: FillSymbol(color: red))))),
        SampleScene.styled(
            .lineString([Coordinate(x: -40, y: 20), Coordinate(x: 40, y: 20)]),
            Style(stroke: LineSymbol(color: red, width: 6))),
    ]

    private static func picture(_ layers: [Scene.Layer]) throws -> PixelBuffer {
        var scene = SampleScene(width: 96, height: 96)
        scene.furniture = Furniture(graticule: .degrees(10))
        scene.resolution = 1
        return try scene.paint(layers)
    }

    private static func group(_ layer: Scene.Layer, _ name: String) -> Scene.Layer {
        var layer = layer
        layer.group = Scene.Layer.Group(name: name, opacity: 1)
        return layer
    }

    @Test(arguments: 0..<4)
    func `lines of a graticule are above areas, and below lines and symbols`(_ way: Int) throws {
        let area = SampleScene.step([Self.area]), symbols = SampleScene.step(Self.symbols)
        let layers =
            switch way {
            case 0: [area, symbols]
            case 1: [SampleScene.step([Self.area] + Self.symbols)]
            case 2: [Self.group(area, "a"), Self.group(symbols, "b")]
            default: [Scene.Layer(name: "n", nodes: area.nodes + symbols.nodes)]
            }
        let image = try Self.picture(layers)
        #expect(image[48, 48] == Pixel(Self.red) && image[48, 28] == Pixel(Self.red))
        #expect(image[30, 60] == Pixel(Self.green))
        // The meridian and the equator.
        #expect([47, 48].contains { image[$0, 70] != Pixel(Self.green) })
        #expect([47, 48].contains { image[80, $0] != Pixel(Self.green) })
    }

    @Test func `lines of a graticule are below everything in a picture without areas`() throws {
        let image = try Self.picture([SampleScene.step(Self.symbols)])
        #expect(image[48, 48] == Pixel(Self.red) && image[48, 28] == Pixel(Self.red))
        #expect([47, 48].contains { image[$0, 70] != image[20, 70] })
    }

    @Test func `lines of a graticule are above areas over symbols`() throws {
        let image = try Self.picture([SampleScene.step(Self.symbols), SampleScene.step([Self.area])])
        #expect(image[30, 30] == Pixel(Self.green))
        #expect([47, 48].contains { image[$0, 48] != Pixel(Self.green) })
    }
}
