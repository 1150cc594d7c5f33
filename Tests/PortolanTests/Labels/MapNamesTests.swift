#if Text
import Foundation
import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

/// Maps of the world's cities and countries: what matters most on a map has its name.
@Suite(.timeLimit(.minutes(20))) struct MapNamesTests {
    private static let world =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/world").path + "/"

    private static func layer(_ source: String) async throws -> MapLayer {
        let builder = LayerBuilder(client: ServiceClient(configuration: World.configuration()))
        return try #require(try await builder.build([LayerSpecification(world + source)]).first?.layer)
    }

    /// The texts of a picture as one text, without the spaces at which lines break.
    private static func draw(_ layer: MapLayer, _ view: Viewport) async throws -> (texts: String, report: RenderReport)
    {
        let renderer = MapRenderer(configuration: World.configuration())
        let result = try await renderer.render([layer], in: view, options: World.plain())
        let svg = String(decoding: try result.svg(SVGOptions(text: .text)), as: UTF8.self)
        let texts = svg.matches(of: /<text\b[^>]*>(.*?)<\/text>/.dotMatchesNewlines()).map(\.1).joined()
        return (squeezed(texts.replacing(/<[^>]*>/, with: "")), result.report)
    }

    private static func squeezed(_ text: some StringProtocol) -> String { String(text.filter { !$0.isWhitespace }) }

    @Test func `the hundred largest cities are labelled on maps centred on them`() async throws {
        let layer = try await Self.layer("cities.csv;label=name;label-priority=population")
        let source = try #require(layer.source as? FeatureSource)
        func population(_ feature: Feature) -> Double { feature.properties["population"]?.doubleValue ?? 0 }
        let largest = source.features.sorted { population($0) > population($1) }.prefix(100)
        let size = try #require(ImageSize(width: 300, height: 200))
        let toMercator = try CoordinateTransform(from: .crs84, to: .webMercator)
        var unnamed: [String] = []
        for city in largest {
            let name = try #require(city.properties["name"]?.stringValue)
            let position = try #require(city.geometry?.coordinates.first), center = try #require(toMercator(position))
            let view = try Viewport(
                center: center, resolution: try #require(Resolution(zoom: 6, in: .webMercator)), size: size)
            if !(try await Self.draw(layer, view)).texts.contains(Self.squeezed(name)) { unnamed.append(name) }
        }
        // These stand among larger ones, within some ten pixels, and no line leads out without crossing a mark.
        #expect(
            Set(unnamed).isSubset(of: [
                "Bao'an", "Giza", "New Taipei City", "New Territories", "Pudong", "Puxi", "Suzhou", "Zhongshan",
            ]))
    }

    @Test func `the largest discs are labelled first, some of them across the disc`() async throws {
        let layer = try await Self.layer("cities.csv;radius=population;radius-range=2..30;label=name")
        let view = try Viewport(
            center: Coordinate(x: 11_688_546, y: 3_200_000), resolution: #require(Resolution(unitsPerPixel: 8900)),
            size: #require(ImageSize(width: 1000, height: 800)))
        let (texts, _) = try await Self.draw(layer, view)
        let names = [
            "Shanghai", "Beijing", "Wuhan", "Xi’an", "Bengaluru", "Tokyo", "Delhi", "Seoul", "Dhaka", "Karachi",
        ]
        #expect(names.filter { !texts.contains(Self.squeezed($0)) }.isEmpty)
    }

    @Test func `each visible country of Europe is labelled`() async throws {
        let layer = try await Self.layer("countries.shp;label=NAME")
        let size = try #require(ImageSize(width: 900, height: 900))
        let view = try Viewport(
            center: Coordinate(x: 4_250_000, y: 3_300_000), resolution: #require(Resolution(unitsPerPixel: 5200)),
            size: size, crs: CRS("EPSG:3035"))
        let (texts, report) = try await Self.draw(layer, view)
        // Those of more than 8,000 km² within the picture.
        let names = [
            "Iceland", "Ireland", "United Kingdom", "Portugal", "Spain", "France", "Belgium", "Netherlands", "Germany",
            "Denmark", "Norway", "Sweden", "Finland", "Estonia", "Latvia", "Lithuania", "Belarus", "Poland", "Ukraine",
            "Moldova", "Romania", "Bulgaria", "Greece", "Turkey", "Albania", "North Macedonia", "Kosovo", "Montenegro",
            "Serbia", "Bosnia and Herz.", "Croatia", "Slovenia", "Austria", "Switzerland", "Czechia", "Slovakia",
            "Hungary", "Italy", "Russia", "Morocco", "Algeria", "Tunisia",
        ]
        #expect(names.filter { !texts.contains(Self.squeezed($0)) }.isEmpty)
        let dropped = try #require(report.layers.first?.droppedLabels)
        #expect(dropped.noRoom > 0 && dropped.collision == 0 && dropped.names.contains("Liechtenstein"))
    }

    /// A part of the world in a CRS, the side of its map in pixels, names on it, and names that would mislead there.
    private static let maps: [(String, BoundingBox?, String, Int, [String], [String])] = [
        (
            "Africa", BoundingBox(minX: -2_500_000, minY: -2_500_000, maxX: 2_500_000, maxY: 2_500_000),
            "laea:lon=25,lat=0", 900, ["Rwanda", "Burundi", "Uganda", "Gabon", "Eq. Guinea", "Malawi"], []
        ),
        (
            "the Arctic", BoundingBox(minX: -4_500_000, minY: -4_500_000, maxX: 4_500_000, maxY: 4_500_000),
            "EPSG:3995", 900, ["United Kingdom", "Norway", "Russia", "Iceland", "Greenland"], ["Armenia"]
        ),
        (
            "the Canary Islands", BoundingBox(minX: -18.5, minY: 27, maxX: -13, maxY: 29.8), "EPSG:4326", 200, [],
            ["Spain"]
        ),
    ]

    @Test(arguments: maps)
    func `names do not mislead on maps of`(
        _ name: String, _ box: BoundingBox?, _ crs: String, _ side: Int, _ named: [String], _ unnamed: [String]
    ) async throws {
        let layer = try await Self.layer("countries.shp;label=NAME"), box = try #require(box)
        let size = try #require(ImageSize(width: side, height: side))
        let resolution = try #require(Resolution(unitsPerPixel: (box.maxX - box.minX) / Double(side)))
        let center = Coordinate(x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2)
        let view = try Viewport(center: center, resolution: resolution, size: size, crs: CRS(crs))
        let (texts, _) = try await Self.draw(layer, view)
        #expect(named.filter { !texts.contains(Self.squeezed($0)) }.isEmpty)
        #expect(unnamed.filter { texts.contains(Self.squeezed($0)) }.isEmpty)
    }
}
#endif
