import Foundation
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanStyles
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// Layers that are coloured or sized by a property.
@Suite struct ThematicLayerTests {
    private static func square(_ column: Int, _ properties: String) -> String {
        let (left, right) = (column * 10, column * 10 + 10)
        return """
            {"type": "Feature", "properties": {\(properties)}, "geometry": {"type": "Polygon", "coordinates":
            [[[\(left), 0], [\(right), 0], [\(right), 10], [\(left), 10], [\(left), 0]]]}}
            """
    }

    /// Five squares from west to east; the last one has no number.
    private static let squares = collection([
        square(0, #""people": 10, "party": "red", "code": "1""#),
        square(1, #""people": 20, "party": "green", "code": "2""#),
        square(2, #""people": 40, "party": "red", "code": " 3""#),
        square(3, #""people": 90, "party": "blue", "code": "4""#),
        square(4, #""party": "grey", "people": null"#),
    ])

    private static let points = collection(
        [100, 25].enumerated().map { place, people in
            """
            {"type": "Feature", "properties": {"people": \(people)},
            "geometry": {"type": "Point", "coordinates": [\(place * 30 + 10), 5]}}
            """
        })

    private static func collection(_ features: [String]) -> String {
        #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#
    }

    /// Draws 50 by 10 degrees at two pixels a degree.
    private static func drawn(
        _ words: String, _ document: String = squares
    ) async throws -> (image: PixelBuffer, legend: [Legend.Symbol], warnings: [MapWarning]) {
        let configuration = World.configuration(fonts: false)
        let builder = LayerBuilder(
            client: ServiceClient(
                configuration: configuration,
                transport: StubTransport { request throws(FetchError) in
                    throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there")
                }), mapCRS: .crs84, standardInput: Array(document.utf8))
        let built = try #require(try await builder.build([LayerSpecification(words)]).first)
        if let failure = built.failure { throw failure }
        let view = try Viewport(
            center: Coordinate(x: 25, y: 5), resolution: #require(Resolution(unitsPerPixel: 0.5)),
            size: #require(ImageSize(width: 100, height: 20)), crs: .crs84)
        let layer = try #require(built.layer)
        let result = try await MapRenderer(configuration: configuration).render(
            [layer], in: view, options: World.plain())
        #expect(result.report.complete)
        let legend = MapPlanner(viewport: view, showsLegend: true).plan([layer]).legend
        let symbols = legend?.entries.flatMap { entry -> [Legend.Symbol] in
            if case .symbols(let symbols, _) = entry.content { symbols } else { [] }
        }
        return (result.image, symbols ?? [], built.warnings + result.report.warnings)
    }

    /// The colours in the middle of the squares.
    private static func colors(_ image: PixelBuffer) -> [String] {
        (0..<5).map { column in
            let pixel = image[column * 20 + 10, 10]
            return MapColor(red: pixel.red, green: pixel.green, blue: pixel.blue).hexText
        }
    }

    @Test(arguments: [
        (";fill=people;classes=4;palette=blues", ["#eff3ff", "#bdd7e7", "#6baed6", "#2171b5", "#d9d9d9"]),
        (
            ";fill=people;classes=4;palette=-blues;no-data=#000000",
            ["#2171b5", "#6baed6", "#bdd7e7", "#eff3ff", "#000000"]
        ),
        // Each bound belongs to the lower class.
        (";fill=people;breaks=20,40;palette=blues", ["#deebf7", "#deebf7", "#9ecae1", "#3182bd", "#d9d9d9"]),
        (";fill=people;method=equal;classes=2;palette=blues", ["#deebf7", "#deebf7", "#deebf7", "#3182bd", "#d9d9d9"]),
        (";fill=people;method=jenks;classes=3;palette=blues", ["#deebf7", "#deebf7", "#9ecae1", "#3182bd", "#d9d9d9"]),
        (";fill=people;method=log;classes=2;palette=blues", ["#deebf7", "#deebf7", "#3182bd", "#3182bd", "#d9d9d9"]),
        // Numbers in texts are numbers.
        (";fill=code;classes=2;palette=blues", ["#deebf7", "#deebf7", "#3182bd", "#3182bd", "#d9d9d9"]),
        (";fill=${party};palette=set2", ["#e78ac3", "#fc8d62", "#e78ac3", "#66c2a5", "#8da0cb"]),
        (";fill=people;method=categories;palette=set2", ["#66c2a5", "#fc8d62", "#8da0cb", "#e78ac3", "#d9d9d9"]),
    ])
    func `areas have the colours of their classes`(_ words: String, _ wanted: [String]) async throws {
        let (image, _, warnings) = try await Self.drawn("-" + words)
        #expect(Self.colors(image) == wanted)
        #expect(warnings.isEmpty, "\(warnings.map(\.message))")
    }

    @Test func `the legend names ranges, categories and features without data`() async throws {
        let ranges = try await Self.drawn("-;fill=people;classes=2;palette=blues").legend
        #expect(ranges.map(\.text) == ["10 – 30", "30 – 90", "no data"])
        #expect(ranges.compactMap(\.style.fill?.color.hexText) == ["#deebf7", "#3182bd", "#d9d9d9"])
        let parties = try await Self.drawn("-;fill=party").legend
        #expect(parties.map(\.text) == ["blue", "green", "grey", "red"])
        let sizes = try await Self.drawn("-;radius=people;radius-range=1..10", Self.points).legend
        #expect(sizes.map(\.kind) == [.discs])
        // Areas are proportional: a quarter of the number has half of the radius.
        #expect(sizes.first?.scale?.ticks.map(\.text) == ["5", "25", "100"])
        #expect(sizes.first?.scale?.ticks.map(\.value) == [10 * (0.05).squareRoot(), 5, 10])
    }

    @Test func `the legend has the numbers and phrases of the language`() async throws {
        let (_, legend, warnings) = try await Self.drawn(
            "-;fill=rate;breaks=1000,20000;palette=blues;language=de", Self.rates)
        #expect(legend.map(\.text) == ["12 – 1.000", "1.000 – 20.000", "20.000 – 45.000", "keine Daten"])
        #expect(warnings.isEmpty, "\(warnings.map(\.message))")
    }

    private static let rates = collection([
        square(0, #""rate": 12"#), square(1, #""rate": "4000""#), square(2, #""rate": 45000"#),
        square(3, #""rate": null"#),
    ])

    @Test func `continuous colours have a ramp from the smallest to the largest number`() async throws {
        let (image, legend, _) = try await Self.drawn("-;fill=people;method=continuous;palette=greys;no-data=#ff0000")
        #expect(Self.colors(image)[4] == "#ff0000")
        let reds = try Self.colors(image).prefix(4).map { try #require(MapColor(css: $0)).red }
        #expect(reds.first == 255 && reds.last == 0 && reds == reds.sorted(by: >) && Set(reds).count == 4)
        #expect(legend.map(\.kind) == [.ramp, .area] && legend.last?.text == "no data")
        let scale = try #require(legend.first?.scale)
        #expect(scale.ticks.map(\.text) == ["20", "40", "60", "80"])
        #expect(scale.ticks.map(\.value) == [0.125, 0.375, 0.625, 0.875])
        #expect(scale.steps.first?.color?.hexText == "#ffffff" && scale.steps.last?.color?.hexText == "#000000")
    }

    @Test func `points and lines without a number have the colour of no data`() async throws {
        let document = Self.collection([
            #"{"type": "Feature", "properties": {"n": 100}, "geometry": {"type": "Point", "coordinates": [10, 5]}}"#,
            #"{"type": "Feature", "properties": {"n": null}, "geometry": {"type": "Point", "coordinates": [40, 5]}}"#,
        ])
        let words = "-;radius=n;radius-range=2..9;marker-color=#0000ff;no-data=#00ff00"
        let (image, legend, _) = try await Self.drawn(words, document)
        #expect(image[20, 10].blue == 255 && image[80, 10].green == 255 && image[80, 10].blue == 0)
        #expect(legend.map(\.kind) == [.discs, .mark] && legend.last?.text == "no data")
        let plain = try await Self.drawn("-;radius=people", Self.points).legend
        #expect(plain.map(\.kind) == [.discs])
    }

    @Test func `widths by a property have samples at round numbers`() async throws {
        let lines = Self.collection(
            [3, 47, 82].map { number in
                """
                {"type": "Feature", "properties": {"n": \(number)},
                "geometry": {"type": "LineString", "coordinates": [[0, \(number % 10)], [50, 5]]}}
                """
            })
        let legend = try await Self.drawn("-;stroke-width=n;stroke-width-range=1..8.9", lines).legend
        #expect(legend.map(\.text) == ["20", "40", "60", "80"])
        let widths = legend.compactMap(\.style.stroke?.width)
        // 0.1 pixels for each unit, from 1 at 3.
        #expect(
            zip(widths, [20.0, 40, 60, 80]).allSatisfy { abs($0 - (1 + ($1 - 3) * 0.1)) < 1e-9 } && widths.count == 4)
    }

    @Test func `discs have the opacity of fills`() async throws {
        let words = "-;radius=people;radius-range=1..8;marker-color=#ff0000"
        let opaque = try await Self.drawn(words, Self.points).image[20, 10]
        let half = try await Self.drawn("\(words);fill-opacity=0.5", Self.points).image[20, 10]
        #expect(opaque == Pixel(red: 255, green: 0, blue: 0, alpha: 255))
        #expect(half.red == 255 && (127...128).contains(half.green) && half.blue == half.green)
    }

    @Test func `the area of discs is proportional to the number`() async throws {
        let (image, _, _) = try await Self.drawn(
            "-;radius=people;radius-range=1..8;marker-color=#ff0000;outline=#ff0000", Self.points)
        func width(_ center: Int) -> Int {
            (center - 15..<center + 15).count { column in
                let pixel = image[column, 10]
                return pixel.red == 255 && pixel.green < 128
            }
        }
        // Radii of 8 and 4 with an outline of 1.
        #expect(width(20) == 18 && width(80) == 10)
    }

    @Test(arguments: [
        (";fill=poeple", "is neither a colour nor a property with values; did you mean 'people'?"),
        (
            ";fill=people;method=kmeans",
            "method=kmeans must be one of quantile, equal, jenks, pretty, log, continuous, categories"
        ),
        (";fill=people;palette=blue", "palette=blue is unknown; did you mean 'blues'?"),
        (";fill=people;classes=12;palette=blues", "palette=blues has 9 colours for"),
        (";fill=people;breaks=3,2", "breaks=3,2 must be ascending numbers"),
        (";fill=people;classes=0", "classes=0 must be"),
        (";fill=people;breaks=1;classes=3", "classes=3 cannot be combined with breaks"),
        (";classes=3", "classes=3 needs a property; add ';fill=PROPERTY'"),
        (";fill=party;method=jenks", "fill=party has no numbers to classify; add ';method=categories'"),
        (";fill=party;classes=3", "classes=3 needs numbers, and 'party' has categories"),
        (";radius=party", "radius=party has no numbers"), (";radius-range=1..2", "needs a property with numbers"),
        (";radius=people;radius-range=9..2", "must be two sizes in pixels"),
        (";fill=people;method=continuous;classes=3", "classes=3 cannot be combined with method=continuous"),
        (";fill=party;method=continuous", "fill=party needs two different numbers"),
        (";fill=people;method=continuous;palette=set2", "palette=set2 has colours of categories"),
        (";fill=people;label={name", "label={name is invalid at character 1: '{' has no '}'"),
        (#";fill=people;style={"version":8,"layers":[]}"#, "fill=people cannot be combined with a style"),
    ])
    func `errors name the key and the remedy`(_ words: String, _ wanted: String) async throws {
        let error = await #expect(throws: MapError.self) { _ = try await Self.drawn("-" + words) }
        #expect(try #require(error).description.contains(wanted), "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("color=people", "fill"), ("size=people", "radius"), ("fill=people;bins=4", "classes"),
        ("fill=people;colors=blues", "palette"), ("csv=a.csv", "join"), ("label=people;locale=de", "language"),
        ("fill=people;pallete=blues", "palette"), ("nodata=red", "no-data"),
    ])
    func `a key by another name leads to the right one`(_ words: String, _ key: String) {
        let error = #expect(throws: MapError.self) { try LayerSpecification("-;" + words) }
        #expect(error?.description.contains("did you mean '\(key)'?") == true, "\(error?.description ?? "")")
    }

    @Test func `values without a colour of their own, and keys without effect, are reported`() async throws {
        let many = Self.collection((0..<20).map { Self.square($0 % 5, #""name": "n\#($0)""#) })
        let (_, legend, warnings) = try await Self.drawn("-;fill=name;palette=set2;casing=red", many)
        #expect(legend.map(\.text).suffix(1) == ["other"] && legend.count == 9)
        #expect(
            warnings.map(\.message) == [
                "no effect: the layer is coloured or sized by a property",
                "20 different values; the 8 most frequent ones have colours of their own",
            ])
    }
}
