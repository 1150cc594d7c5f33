import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanStyles
import PortolanTesting
import TestHelpers
import Testing

/// Draws styles with one property more or less, to see whether it makes a difference.
struct StyleSweep {
    /// The features, each kind twice and close together, so that labels of both collide.
    enum Shape: String, CaseIterable, Sendable {
        case point, points, line, lines, area, areas

        var features: [Feature] {
            // Pixels about the middle of the picture.
            let shift = 12.0
            func place(_ x: Double, _ y: Double, _ number: Int) -> Coordinate {
                Coordinate(longitude: (x + shift * Double(number)) / 64, latitude: -(y + 6 * Double(number)) / 64)
            }
            func geometry(_ number: Int) -> Geometry {
                // Bends and a sharp turn, and a line from right to left as well.
                let line = [(-44.0, 10.0), (-8, -6), (8, -8), (38, 2), (30, 22)], other = [(40.0, 24.0), (-30, 28)]
                let area = [(-30.0, -18.0), (26, -14), (20, 16), (-26, 14), (-30, -18)]
                let small = [(-40.0, 20.0), (-32, 20), (-36, 30), (-40, 20)]
                func places(_ list: [(Double, Double)]) -> [Coordinate] { list.map { place($0.0, $0.1, number) } }
                return switch self {
                case .point: .point(place(-6, 0, number))
                case .points: .multiPoint(places([(-16, 0), (10, 8)]))
                case .line: .lineString(places(line))
                case .lines: .multiLineString([places(other), places(line)])
                case .area: .polygon([places(area)])
                case .areas: .multiPolygon([[places(area)], [places(small)]])
                }
            }
            return (1...2).map { number in
                Feature(
                    id: .integer(number), geometry: geometry(number - 1),
                    properties: ["k": .integer(number), "name": .string(number == 1 ? "Abc de" : "Xyz")])
            }
        }
    }

    /// A picture and what was said of it.
    struct Drawn: Sendable {
        let image: PixelBuffer
        /// The messages of `portolan doctor` about the style, and those of the picture's report.
        let diagnosis: [String], warnings: [String]
    }

    private let renderer: MapRenderer
    private let viewport: Viewport

    init() throws {
        let sprite = #"""
            {"stripes": {"x": 0, "y": 0, "width": 8, "height": 8}, "other": {"x": 8, "y": 0, "width": 8, "height": 8},
             "drop": {"x": 16, "y": 0, "width": 8, "height": 8, "sdf": true}}
            """#
        var pixels = PixelBuffer(size: try #require(ImageSize(width: 24, height: 8)), filledWith: Pixel(.white))
        for y in 0..<8 {
            for x in 0..<16 { pixels[x, y] = Pixel(MapColor(red: UInt8(x * 16), green: UInt8(y * 30), blue: 90)) }
            // A distance field: 255 well inside, 0 well outside.
            for x in 16..<24 {
                let inside = min(min(x - 16, 23 - x), min(y, 7 - y))
                pixels[x, y] = Pixel(MapColor.black.withOpacity(Double(inside) / 3))
            }
        }
        let transport = StubTransport(bodies: [
            "https://styles.example/s.json": Array(sprite.utf8),
            "https://styles.example/s.png": try PNGEncoder.encode(pixels),
        ])
        var configuration = World.configuration()
        configuration.fontFiles += configuration.fontFiles.map { $0.replacing("Sans.ttf", with: "Sans-Bold.ttf") }
        renderer = MapRenderer(configuration: configuration, transport: transport)
        // A degree is 64 pixels wide; turned, so that what lies as the map and as the picture differs.
        let resolution = try #require(Resolution(unitsPerPixel: 20_037_508.342789244 / 180 / 64))
        viewport = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: resolution, rotation: 20,
            size: #require(ImageSize(width: 96, height: 72)))
    }

    /// Draws features by a style.
    func drawn(_ sheet: StyleSheet, _ shape: Shape) async throws -> Drawn {
        var source = FeatureSource(features: shape.features)
        source.sheet = sheet
        var image = PixelBuffer(size: viewport.imageSize, filledWith: Pixel(.white)), report: RenderReport
        do {
            let result = try await renderer.render(
                [MapLayer(name: "l", source: source)], in: viewport, options: World.plain())
            (image, report) = (result.image, result.report)
        } catch {
            // Nothing is drawn, and the report says why.
            report = try #require(error.report)
        }
        let isLossless = sheet.losses.isEmpty && !report.warnings.contains(where: \.isLoss)
        #expect(report.complete == (isLossless && report.failedCount == 0))
        return Drawn(
            image: image, diagnosis: sheet.warnings.map(\.description),
            warnings: report.warnings.map(\.description) + report.layers.flatMap(\.failed).map(\.error))
    }
}
