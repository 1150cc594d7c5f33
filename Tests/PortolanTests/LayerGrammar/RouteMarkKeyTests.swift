import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanStyles
import PortolanTesting
import Testing

@testable import Portolan

@Suite struct RouteMarkKeyTests {
    /// A line of 11,132 m on the equator with a level half and a steep one.
    private static let line = Feature(
        geometry: .lineString((0...10).map { Coordinate(x: Double($0) * 0.01, y: 0) }))

    private static var hike: Feature {
        let places = (0...10).map { Coordinate(x: Double($0) * 0.01, y: 0) }
        let text = places.enumerated().map { "[\($1.x),0,\($0 < 5 ? 100 : 100 + ($0 - 5) * 120)]" }
        let json =
            #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[\#(text.joined(separator: ","))]},"properties":{}}"#
        return (try? GeoJSONReader.read(Array(json.utf8)).features.first) ?? line
    }

    private static func parts(_ marks: RouteMarks, of features: [Feature]) throws -> [String: [Feature]] {
        let all = try marks.features(of: features)
        return Dictionary(grouping: all) { $0.properties["portolan-part"]?.stringValue ?? "" }
    }

    @Test func `kilometre marks are on the line at their distance`() throws {
        var marks = RouteMarks(color: .black)
        marks.kilometres = 2.5
        let parts = try Self.parts(marks, of: [Self.line]), made = try #require(parts["kilometre"])
        #expect(made.map { $0.properties["label"]?.stringValue } == ["2.5", "5", "7.5", "10"])
        // By geod of PROJ 9.1: 0.0898315 degrees for 10 km on the equator.
        let last = try #require(made.last?.geometry?.coordinates.first)
        #expect(abs(last.x - 0.0898315) < 1e-6 && last.y == 0)
        #expect(parts[""]?.count == 1)
    }

    @Test func `slopes are pieces of the line that cover it in order`() throws {
        var marks = RouteMarks(color: .black)
        marks.showsSlopes = true
        let pieces = try #require(try Self.parts(marks, of: [Self.hike])["slope"])
        #expect(pieces.first?.properties["portolan-slope"]?.doubleValue == 2)
        #expect(pieces.last?.properties["portolan-slope"]?.doubleValue == 5)
        let ends = pieces.compactMap(\.geometry).map {
            ($0.coordinates[0].x, $0.coordinates[$0.coordinates.count - 1].x)
        }
        #expect(ends.first?.0 == 0 && abs((ends.last?.1 ?? 0) - 0.1) < 1e-9)
        #expect(zip(ends, ends.dropFirst()).allSatisfy { abs($0.1 - $1.0) < 1e-9 })
    }

    @Test(arguments: [0.0, 0.0001, 0.1])
    func `starts and ends are marked, however close they are`(_ gap: Double) throws {
        var marks = RouteMarks(color: .black)
        marks.showsEnds = true
        let places = [(0, 0), (0.1, 0), (0, gap)].map { Coordinate(x: $0.0, y: $0.1) }
        let parts = try Self.parts(marks, of: [Feature(geometry: .lineString(places))])
        #expect(parts["start"]?.count == 1 && parts["end"]?.count == 1)
    }

    @Test func `the end of a round trip is a ring around its start`() async throws {
        var marks = RouteMarks(color: .black)
        marks.showsEnds = true
        // Back to the start, and a second line whose end lies on the start of the first.
        let lines = [[(0, 0), (9, 0), (0, 0)], [(0, 9), (0, 0)]].map { line in
            Feature(geometry: .lineString(line.map { Coordinate(x: $0.0, y: $0.1) }))
        }
        var source = FeatureSource(features: try marks.features(of: lines))
        source.sheet = marks.sheet
        let image = try await World.renderer(World.transport()).render(
            [MapLayer(name: "route", source: source)], in: World.view(), options: World.plain()
        ).image
        let start = try #require(MapColor(css: "#2e7d32")), end = try #require(MapColor(css: "#c62828"))
        #expect(image[64, 64] == Pixel(start))
        // Left of the centre, where no line is.
        #expect((0..<12).contains { image[63 - $0, 64] == Pixel(end) })
    }

    /// A picture of a line along the equator, in pixels from the middle, and optionally with arrows.
    private static func picture(to x: Double, arrows: Bool) async throws -> PixelBuffer {
        var marks = RouteMarks(color: .black)
        marks.showsEnds = true
        marks.showsArrows = arrows
        let degrees = 360 / (256 * 16.0)
        let line = [-x, x].map { Coordinate(x: $0 * degrees, y: 0) }
        var source = FeatureSource(features: try marks.features(of: [Feature(geometry: .lineString(line))]))
        source.sheet = marks.sheet
        return try await World.renderer(World.transport()).render(
            [MapLayer(name: "route", source: source)], in: World.view(), options: World.plain()
        ).image
    }

    @Test func `start and end of a line have equal discs`() async throws {
        let image = try await Self.picture(to: 40, arrows: false)
        func count(_ text: String) throws -> Int {
            let color = Pixel(try #require(MapColor(css: text)))
            return image.pixels.count { Pixel(bits: $0) == color }
        }
        let starts = try count("#2e7d32")
        #expect(try starts > 40 && starts == count("#c62828"))
    }

    @Test func `arrows keep clear of the ends of a line`() async throws {
        // 36 pixels, of which the marks take about 17.
        #expect(try await Self.picture(to: 16, arrows: true) == Self.picture(to: 16, arrows: false))
        #expect(try await Self.picture(to: 40, arrows: true) != Self.picture(to: 40, arrows: false))
    }

    @Test func `marks without lines or elevations, and too many, are errors`() {
        var marks = RouteMarks(color: .black)
        marks.showsSlopes = true
        #expect(throws: RouteMarks.MarkError.noElevations) { try marks.features(of: [Self.line]) }
        #expect(throws: RouteMarks.MarkError.noLines) { try marks.features(of: []) }
        marks.showsSlopes = false
        marks.kilometres = 0.0001
        #expect(throws: RouteMarks.MarkError.tooManyMarks) { try marks.features(of: [Self.line]) }
    }

    @Test(arguments: 0..<32)
    func `the style is valid with each of the marks`(_ bits: Int) {
        var marks = RouteMarks(color: MapColor(red: 1, green: 2, blue: 3, alpha: 77))
        marks.kilometres = bits & 1 > 0 ? 1 : nil
        marks.showsSlopes = bits & 2 > 0
        marks.showsArrows = bits & 4 > 0
        marks.showsEnds = bits & 8 > 0
        marks.showsNames = bits & 16 > 0
        marks.casing = bits & 3 > 0 ? .white : nil
        #expect(marks.sheet.layers.count >= 3)
    }

    @Test(arguments: [
        ("hike.gpx;kilometre-marks=0", "kilometre-marks"), ("hike.gpx;arrows=perhaps", "arrows"),
        ("hike.gpx;arrows=true;classes=4", "cannot be combined"),
        ("hike.gpx;slope-colors=true;stroke=speed", "cannot be combined"),
        ("hike.gpx;ends=true;style=s.json", "cannot be combined"),
    ])
    func `invalid keys are refused before a file is read`(_ text: String, _ told: String) async throws {
        let specification = try LayerSpecification(text)
        let error = #expect(throws: MapError.self) { try RouteMarkKeys(specification) }
        #expect(error.map { "\($0)".contains(told) } == true)
    }
}
