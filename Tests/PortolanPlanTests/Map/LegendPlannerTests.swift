import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanStyles
import PortolanWeb
import Testing

@Suite struct LegendPlannerTests {
    private static func line(_ properties: Properties) -> Feature {
        Feature(geometry: .lineString([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)]), properties: properties)
    }

    private static func layer(_ name: String, _ features: [Feature]) -> MapLayer {
        MapLayer(name: name, source: FeatureSource(features: features))
    }

    private static func legend(_ layers: [MapLayer]) throws -> Legend {
        let view = try View.make(resolution: 1000)
        return try #require(MapPlanner(viewport: view, showsLegend: true).plan(layers).legend)
    }

    private static func symbols(_ features: [Feature]) throws -> [Legend.Symbol] {
        guard case .symbols(let symbols, _)? = try legend([layer("f", features)]).entries.first?.content else {
            return []
        }
        return symbols
    }

    @Test func `a plan has no legend unless one is requested`() throws {
        let plan = MapPlanner(viewport: try View.make()).plan([Self.layer("f", [Self.line([:])])])
        #expect(plan.legend == nil)
    }

    @Test(
        arguments: [
            (nil, nil, ["f"]), (true, nil, ["f", "ground"]), (nil, false, ["ground"]), (false, false, []),
        ] as [(Bool?, Bool?, [String])])
    func `a style below other layers is left out, unless its layer states otherwise`(
        _ ground: Bool?, _ other: Bool?, _ names: [String]
    ) throws {
        let json = #"""
            {"version":8,"sources":{"l":{"type":"geojson","data":
            {"type":"LineString","coordinates":[[0,0],[1,1]]}}},"layers":[{"id":"roads","type":"line","source":"l"}]}
            """#
        let source = FeatureSource(features: [Self.line([:])])
        var style = MapLayer(
            name: "ground",
            source: StyleSource(try StyleSheet(bytes: Array(json.utf8)), sources: ["l": source]))
        style.isInLegend = ground
        var line = Self.layer("f", [Self.line([:])])
        line.isInLegend = other
        #expect(try Self.legend([style, line]).entries.map(\.layer) == names)
        style.isInLegend = nil
        #expect(try Self.legend([style]).entries.map(\.layer) == ["ground"])
    }

    @Test(
        arguments: [
            ("area", false, "point", false, ["f"]), ("area", false, "point", true, ["f"]),
            ("area", true, "point", false, ["f", "base"]), ("line", false, "point", false, ["f", "base"]),
            ("line", false, "point", true, ["f"]), ("point", false, "area", true, ["f", "base"]),
            ("area", false, "area", false, ["f", "base"]), ("area", false, "area", true, ["f"]),
        ] as [(String, Bool, String, Bool, [String])])
    func `a plain base map without a stated name is left out below other layers`(
        base: String, isBaseNamed: Bool, other: String, isOtherNamed: Bool, names: [String]
    ) throws {
        let places = [Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0), Coordinate(x: 1, y: 1), Coordinate(x: 0, y: 0)]
        let shapes: [String: Geometry] = [
            "area": .polygon([places]), "line": .lineString(places), "point": .point(places[0]),
        ]
        func layer(_ name: String, _ shape: String, _ isNamed: Bool) -> MapLayer {
            var layer = Self.layer(name, [Feature(geometry: shapes[shape], properties: [:])])
            layer.isNameDerived = !isNamed
            return layer
        }
        var lower = layer("base", base, isBaseNamed)
        let upper = layer("f", other, isOtherNamed)
        #expect(try Self.legend([lower, upper]).entries.map(\.layer) == names)
        #expect(try Self.legend([lower]).entries.map(\.layer) == ["base"])
        lower.isInLegend = true
        #expect(try Self.legend([lower, upper]).entries.map(\.layer) == ["f", "base"])
    }

    @Test func `the title of an entry is that of the layer for legends, or its name`() throws {
        var layer = Self.layer("f", [Self.line([:])])
        #expect(try Self.legend([layer]).entries.map(\.title) == ["f"])
        layer.legendTitle = "Lines of A"
        #expect(try Self.legend([layer]).entries.map(\.title) == ["Lines of A"])
    }

    @Test func `entries are listed from top to bottom, one for each layer of a service`() throws {
        var wms = MapLayer(name: "w", source: try WMSPlannerTests.source())
        wms.legends = [
            WMSLegend(layer: "a", title: "A", url: "http://h/a.png"), WMSLegend(layer: "b", title: "B", url: nil),
        ]
        wms.opacity = 0.5
        let grid = try #require(TileGrid.webMercator())
        let tiles = MapLayer(
            name: "t", source: TileSource(grid: grid, address: .xyz(try XYZTemplate("http://h/{z}/{x}/{y}"))))
        var hidden = wms
        hidden.name = "hidden"
        hidden.isVisible = false
        let layers = [tiles, wms, hidden, Self.layer("f", [Self.line([:])]), Self.layer("empty", [])]
        let legend = try Self.legend(layers)
        #expect(legend.entries.map(\.title) == ["f", "B", "A"])
        #expect(legend.entries.map(\.layer) == ["f", "w", "w"])
        #expect(legend.entries.map(\.opacity) == [1, 0.5, 0.5])
        #expect(legend.entries[1].content == .titleOnly && legend.entries[2].imageURL == "http://h/a.png")
        let plan = MapPlanner(viewport: try View.make(resolution: 1000), showsLegend: true).plan(layers)
        #expect(plan.shownURLs.last == "http://h/a.png")
        let planned = try #require(plan.layers.first { $0.name == "w" })
        #expect(plan.resources(of: planned).last?.name == "legend")
        #expect(plan.resources(of: planned).count == planned.plan.resources.count + 1)
    }

    @Test func `each distinct appearance is one sample, ignoring irrelevant properties`() throws {
        let text: Properties = ["stroke": "#ff0000", "fill": "#00ff00"]
        var other = text
        // Lines have no inside.
        other["fill"] = "#0000ff"
        let symbols = try Self.symbols([Self.line(text), Self.line(other), Self.line(["stroke": "#00ffff"])])
        #expect(symbols.map(\.style.stroke?.color) == [MapColor(css: "#ff0000"), MapColor(css: "#00ffff")])
        #expect(symbols.allSatisfy { $0.kind == .line && $0.style.fill == nil })
    }

    @Test func `markers come before lines and lines before areas`() throws {
        let square = Geometry.polygon([[(0.0, 0.0), (1, 0), (1, 1)].map { Coordinate(x: $0.0, y: $0.1) }])
        let symbols = try Self.symbols([
            Feature(geometry: square), Self.line([:]), Feature(geometry: .point(Coordinate(x: 0, y: 0))),
        ])
        #expect(symbols.map(\.kind) == [.mark, .line, .area])
        #expect(symbols.map(\.text) == ["Points", "Lines", "Areas"])
    }

    @Test func `samples are labelled with the property that distinguishes them`() throws {
        func road(_ color: String, _ kind: PropertyValue, _ name: String) -> Feature {
            Self.line(["stroke": .string(color), "id": .string(color), "name": .string(name), "kind": kind])
        }
        let roads = [
            road("#f00", "motorway", "A 1"), road("#0f0", "path", "P"), road("#f00", "motorway", "A 2"),
            road("#0f0", "path", "Q"),
        ]
        #expect(try Self.symbols(roads).map(\.text) == ["motorway", "path"])
        // One feature a look: its name.
        #expect(try Self.symbols(Array(roads.prefix(2))).map(\.text) == ["A 1", "P"])
        // Nothing in common.
        let mixed = roads + [road("#f00", "path", "R")]
        #expect(try Self.symbols(mixed).map(\.text) == ["Lines, #ff0000", "Lines, #00ff00"])
        // One look: the layer's title says it.
        #expect(try Self.symbols([roads[0], roads[2]]).map(\.text) == [""])
    }

    @Test func `otherwise samples are labelled with ranges of numbers, or else with their colours`() throws {
        func place(_ number: Double, _ color: String, _ name: String) -> Feature {
            Self.line(["n": .number(number), "town": .string(name), "stroke": .string(color)])
        }
        let graded = [
            place(1, "#ff0000", "a"), place(4, "#ff0000", "b"), place(5, "#00ff00", "c"), place(9.5, "#00ff00", "d"),
        ]
        #expect(try Self.symbols(graded).map(\.text) == ["1 – 4", "5 – 9.5"])
        let mixed = [
            place(1, "#ff0000", "a"), place(7, "#ff0000", "b"), place(5, "#00ff00", "c"), place(9, "#00ff00", "d"),
        ]
        #expect(try Self.symbols(mixed).map(\.text) == ["Lines, #ff0000", "Lines, #00ff00"])
    }

    @Test(arguments: [(false, ["3 points", "30 points"]), (true, ["3", "30"])])
    func `clusters are labelled with their number of points, which a named layer does not repeat`(
        _ isNamed: Bool, _ texts: [String]
    ) throws {
        let places = (0..<33).map { Feature(geometry: .point(Coordinate(x: $0 < 30 ? -0.4 : 0.4, y: 0))) }
        let table = PointTable(FeatureCollection(features: places))
        var source = PointSource(table, look: .clusters())
        source.isNamed = isNamed
        let legend = try Self.legend([MapLayer(name: "p", source: source)])
        guard case .symbols(let symbols, _)? = legend.entries.first?.content else { return #expect(Bool(false)) }
        #expect(symbols.map(\.text).sorted() == texts)
    }

    @Test func `the number of samples is limited, and the rest is counted`() throws {
        let features = (0..<30).map { Self.line(["stroke-width": .integer($0 + 1), "name": .string("n\($0)")]) }
        guard
            case .symbols(let symbols, let moreCount)? = try Self.legend([Self.layer("f", features)]).entries.first?
                .content
        else {
            Issue.record("no symbols")
            return
        }
        #expect(symbols.count == 12)
        #expect(moreCount == 18)
        #expect(symbols.map(\.text).prefix(2) == ["n0", "n1"])
    }
}
