import Foundation
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanText
import Testing

@testable import PortolanPaint

@Suite struct PointPainterTests {
    private static let size = ImageSize(width: 120, height: 90)

    private static func places(_ count: Int) -> [Coordinate] {
        (0..<count).map { number in
            let x = Double(number * 7919 % 1200), y = Double(number * 104_729 % 900)
            return Coordinate(x: x / 10 - 60 + 0.037, y: y / 10 - 45)
        }
    }

    private static func table(_ places: [Coordinate], weights: [Double] = []) -> PointTable {
        PointTable(
            FeatureCollection(
                features: places.enumerated().map { number, place in
                    Feature(
                        geometry: .point(place),
                        properties: weights.isEmpty ? [:] : ["w": .number(weights[number])])
                }))
    }

    private static func picture(_ source: any LayerSource) throws -> PixelBuffer {
        let extent = try #require(Extent(minX: -60, minY: -45, maxX: 60, maxY: 45))
        let viewport = try Viewport.showing(extent, size: try #require(size), crs: .crs84)
        let plan = try source.plan(for: LayerView(viewport, layer: "p"), given: Arrivals())
        let scene = Scene(
            viewport: viewport, background: .white, layers: [Scene.Layer(name: "p", nodes: plan.nodes)])
        return try SampleScene.image(
            MapPainter(scene: scene, images: [:], fonts: FontBook(usesSystemFonts: false), furniture: Furniture()))
    }

    private static func largestDifference(_ a: PixelBuffer, _ b: PixelBuffer) -> Int {
        zip(a.pixels, b.pixels).reduce(0) { most, pair in
            (0..<4).reduce(most) { most, channel in
                let shift = UInt32(channel * 8)
                return max(most, abs(Int(pair.0 >> shift & 255) - Int(pair.1 >> shift & 255)))
            }
        }
    }

    @Test(arguments: [1, 30, 1e3, 1e6])
    func `heat of any weight is round and fades out`(weight: Double) throws {
        let heat = HeatmapSymbol(radius: 9, weightProperty: "w")
        let picture = try Self.picture(
            PointSource(Self.table([Coordinate(x: 0, y: 0)], weights: [weight]), look: .heatmap(heat)))
        let white = picture[0, 0]
        func isInked(_ x: Int, _ y: Int) -> Bool { picture[x, y] != white }
        let row = (0..<120).filter { isInked($0, 45) }, column = (0..<90).filter { isInked(60, $0) }
        let reach = try #require(row.last) - 60
        #expect(reach >= 6 && abs(row[0] - (59 - reach)) <= 1 && abs(column.count - row.count) <= 1)
        // The corners of the box about it are empty.
        let corner = Int(Double(reach) * 0.8)
        for x in [59 - corner, 60 + corner] { for y in [44 - corner, 45 + corner] { #expect(!isInked(x, y)) } }
        // At its edge it is hardly seen.
        #expect(abs(Int(picture[row[0], 45].red) - 255) < 40)
        #expect(abs(Int(picture[row[0], 45].green) - 255) < 40)
    }

    @Test func `many points are drawn like each of them alone`() throws {
        var style = StyleDeclaration()
        style.fillColor = MapColor(red: 200, green: 30, blue: 30)
        style.fillOpacity = 0.5
        style.isStroked = false
        style.pointRadius = 2
        let places = Self.places(2500)
        let source = PointSource(Self.table(places), style: style)
        let features = FeatureSource(features: places.map { Feature(geometry: .point($0)) }, style: style)
        let many = try Self.picture(source), each = try Self.picture(features)
        // A mark stands up to 1/32 of a pixel beside its place.
        #expect(Self.largestDifference(many, each) <= 24)
        #expect(many != PixelBuffer(size: many.size, filledWith: Pixel(.white)))
    }

    @Test(arguments: [3.0, 9, 24], [false, true])
    func `heat is the sum of normal distributions around the points`(_ radius: Double, _ isWeighted: Bool) throws {
        let places = Self.places(40), weights = isWeighted ? places.indices.map { Double($0 % 5) / 4 } : []
        let symbol = HeatmapSymbol(
            radius: radius, intensity: 0.4, weightProperty: isWeighted ? "w" : nil,
            ramp: [.init(density: 0, color: .white), .init(density: 1, color: .black)])
        let picture = try Self.picture(PointSource(Self.table(places, weights: weights), look: .heatmap(symbol)))
        let size = try #require(Self.size)
        var largest = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let density = places.enumerated().reduce(0.0) { sum, entry in
                    let dx = entry.element.x + 60 - Double(x) - 0.5, dy = 45 - entry.element.y - Double(y) - 0.5
                    let square = (dx * dx + dy * dy) / (radius * radius)
                    guard square < 1 else { return sum }
                    return sum + 0.4 * (isWeighted ? weights[entry.offset] : 1) * 0.3989422804014327
                        * exp(-4.5 * square)
                }
                let shown = 1 - Double(picture.pixels[y * size.width + x] & 255) / 255
                largest = max(largest, abs(shown - min(density, 1)))
            }
        }
        // Cells of a tenth of the radius, and a distribution that ends in a square and not in a circle.
        #expect(largest < (radius < 5 ? 0.06 : 0.03))
    }
}
