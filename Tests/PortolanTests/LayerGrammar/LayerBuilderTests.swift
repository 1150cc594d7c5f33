import Foundation
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanRaster
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

@Suite struct LayerBuilderTests {
    private func builder(
        isStrict: Bool = false,
        _ answer: @escaping @Sendable (HTTPRequest) throws(FetchError) -> HTTPResponse = Self.nobody
    ) -> LayerBuilder {
        var configuration = RendererConfiguration()
        configuration.retries = .none
        return LayerBuilder(
            client: ServiceClient(configuration: configuration, transport: StubTransport(answer)), isStrict: isStrict)
    }

    private static let nobody: @Sendable (HTTPRequest) throws(FetchError) -> HTTPResponse = {
        (request) throws(FetchError) in throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there")
    }

    private func layers(_ texts: String...) throws(MapError) -> [LayerSpecification] {
        var layers: [LayerSpecification] = []
        for text in texts { layers.append(try LayerSpecification(text)) }
        return layers
    }

    private let point = "data:application/geo+json,{\"type\":\"Point\",\"coordinates\":[1,2]}"

    @Test func `a layer that needs no request is made although the time is over`() async throws {
        let clock = FetchClock(now: { .zero }, sleep: { _ in }, calendarSeconds: { 0 }, random: { 0 })
        let specifications = try (0..<50).map { try LayerSpecification("xyz:https://\($0).example/{z}/{x}/{y}.png") }
        let built = try await builder().build(specifications, by: PictureDeadline(.zero, from: clock))
        #expect(built.allSatisfy { $0.layer != nil && $0.failure == nil })
    }

    @Test func `layers without a colour get different ones, and a given colour is kept`() async throws {
        let built = try await builder().build(
            layers("\(point);name=a", "\(point);name=b", "\(point);name=own;fill=#123456", "\(point);name=c"))
        let looks = built.compactMap { $0.layer?.features?.style.style }
        let fills = looks.map { look in
            if case .shape(let mark)? = look.marker { mark.fill?.color } else { nil as MapColor? }
        }
        let blue = try #require(MapColor(css: "#0072b2")), vermilion = try #require(MapColor(css: "#d55e00"))
        #expect(fills == [blue, vermilion, MapColor(css: "#123456"), MapColor(css: "#009e73")])
        #expect(looks[0].stroke == LineSymbol(color: blue, width: 2, cap: .round, join: .round))
        #expect(looks[0].fill?.color == blue.withOpacity(0.5))
        // A light border separates marks from any background.
        guard case .shape(let mark)? = looks[0].marker else { return #expect(Bool(false)) }
        #expect(mark.stroke?.color == .white)
        // Lines are coloured as areas are.
        #expect(looks[2].stroke?.color == MapColor(css: "#123456"))
    }

    @Test(arguments: [
        ("label=name", "#ffffff"), ("label=name;label-color=#ffee00", "#1a1a1a"),
        ("label=name;label-color=#222", "#ffffff"), ("label=name;halo-color=#ff0000", "#ff0000"),
    ])
    func `the halo of a label contrasts with its text`(keys: String, color: String) async throws {
        let built = try await builder().build(layers("\(point);\(keys)"))
        let outline = built.first?.layer?.features?.style.style.label?.outline
        #expect(outline == LabelSymbol.Outline(color: try #require(MapColor(css: color)), width: 2))
    }

    @Test func `keys set dashes, casings, outlines and label fonts`() async throws {
        let built = try await builder().build(
            layers(
                "\(point);stroke=#000;stroke-width=4;dash=6,3;casing=#fff;casing-width=8;outline=#0f0;label=n;"
                    + "label-font=Serif;halo-width=0"))
        let style = try #require(built.first?.layer?.features?.style.style)
        #expect(style.stroke?.dashes == [6, 3])
        #expect(style.stroke?.casing == LineSymbol.Casing(color: .white, width: 8))
        guard case .shape(let mark)? = style.marker else { return #expect(Bool(false)) }
        #expect(mark.stroke?.color == MapColor(css: "#0f0"))
        #expect(style.label?.family == "Serif" && style.label?.outline == nil)
    }

    @Test func `label keys without a label give warnings`() async throws {
        let built = try await builder().build(layers("\(point);label-size=9;halo-color=red"))
        #expect(built.first?.warnings.map(\.subject.member) == ["label-size", "halo-color"])
    }

    @Test func `layers keep their order and get unique names`() async throws {
        let built = try await builder().build(
            layers(
                "xyz:https://t.example/{z}/{x}/{y};opacity=0.5;visible=false;min-resolution=2;cache=off",
                "xyz:https://u.example/{z}/{x}/{y}", "\(point);name=here", "tms:https://t.example/{z}/{x}/{y}"))
        #expect(built.map(\.name) == ["xyz", "xyz-2", "here", "tms"])
        #expect(built.compactMap(\.layer).map(\.name) == built.map(\.name))
        let first = try #require(built[0].layer)
        #expect(first.opacity == 0.5 && !first.isVisible && first.minimumResolution?.unitsPerPixel == 2)
        #expect(built[0].cacheRule == .disabled && built[1].cacheRule == nil)
        #expect(built.map { $0.layer?.specification } == built.map(\.specification))
        #expect(built[2].layer?.features?.features.count == 1)
    }

    @Test func `the first explicit group opacity applies to the whole group`() async throws {
        let built = try await builder().build(
            ["a;group=g", "b;group=g;group-opacity=0.5", "c;group=g;group-opacity=0.7", "d;group=h", "e"].map {
                try LayerSpecification("xyz:https://t.example/{z}/{x}/{y}.png;name=\($0)")
            })
        let shared = MapLayer.Group("g", opacity: 0.5)
        #expect(built.map { $0.layer?.group } == [shared, shared, shared, MapLayer.Group("h"), nil])
        let again = try LayerSpecification("xyz:https://t.example/{z}/{x}/{y}.png;group=g;group-opacity=0.5").members
        #expect(again["group"] == "g" && again["group-opacity"] == 0.5)
    }

    @Test(arguments: ["group-opacity=0.5", "group=g;group-opacity=2", "group=g;group-opacity=half"])
    func `an invalid group opacity is refused`(keys: String) {
        #expect(throws: MapError.self) { try LayerSpecification("xyz:https://t.example/{z}/{x}/{y}.png;\(keys)") }
    }

    @Test func `a layer whose source is replaced loses its specification`() async throws {
        var layer = try #require(try await builder().build(layers(point)).first?.layer)
        layer.opacity = 0.1
        #expect(layer.specification != nil)
        layer.source = FeatureSource(features: [])
        #expect(layer.specification == nil)
    }

    @Test func `an unavailable service fails its layer only`() async throws {
        let built = try await builder().build(layers("wms:https://maps.example/wms;layers=a", point))
        #expect(built[0].layer == nil && built[0].failure?.layerError?.code == .unavailable && built[0].name == "a")
        #expect(built[1].layer != nil)
    }

    @Test(
        arguments: [
            ("/none/a.geojson", .missing), ("mbtiles:/none/a.mbtiles", .missing),
            ("wms:https://maps.example/", .invalid),
            ("xyz:https://t.example/{z}/{x}", .invalid), ("data:,PK%03%04 ", .unreadable),
            ("data:,%1F%8B ", .otherKind),
            ("data:application/json,{\"type\":\"Point\"}", .unreadable), ("data:,%3Cgml/%3E", .otherKind),
        ] as [(String, LayerError.Code)])
    func `errors the user can fix have a code of their kind`(text: String, code: LayerError.Code) async throws {
        do {
            _ = try await builder().build(layers(text))
            Issue.record("\(text) was made")
        } catch {
            #expect(error.layerError?.code == code, "\(error)")
            #expect(!error.description.contains("portolan ") && !error.description.contains(" -l "), "\(error)")
        }
    }

    @Test func `duplicate layer names are an error`() async throws {
        await #expect(throws: MapError.layer(.duplicateName("a"), source: point)) {
            try await builder().build(layers("\(point);name=a", "\(point);name=a"))
        }
    }

    @Test func `a repaired document is refused in strict mode`() async throws {
        let line = #"{"type":"LineString","coordinates":[[1,"x"],[3,4],[5,6]]}"#
        let bad = #"{"type":"Feature","properties":{},"geometry":\#(line)}"#
        let good = #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}"#
        let odd = #"{"type":"FeatureCollection","features":[\#(bad),\#(good)]}"#
        let text = "data:application/geo+json,\(odd)"
        #expect(try await builder().build(layers(text)).first?.layer != nil)
        do {
            _ = try await builder(isStrict: true).build(layers(text))
            Issue.record("the document was taken")
        } catch { #expect(error.code == .malformedDocument) }
    }

    @Test func `a response of another kind is an error that names the kind`() async throws {
        let map = Array(#"{"type":"FeatureCollection","features":[]}"#.utf8)
        let builder = builder { request throws(FetchError) in HTTPResponse(status: 200, body: map, url: request.url) }
        do {
            _ = try await builder.build(layers("wms:https://me:hidden@maps.example/wms?key=hidden2;layers=a"))
            Issue.record("the layer was made")
        } catch {
            #expect(error.layerError?.cause == .otherKind(.geoJSON) && error.layerError?.kind == .wms)
            #expect(!error.description.contains("hidden") && error.place?.url?.contains("hidden") == false)
        }
    }

    @Test func `addresses in a remote document are requested with that document as origin`() async throws {
        let stub = StubTransport { request throws(FetchError) in
            throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there")
        }
        var configuration = RendererConfiguration()
        configuration.retries = .none
        let builder = LayerBuilder(client: ServiceClient(configuration: configuration, transport: stub))
        let origin = BaseURL("https://maps.example/map.json").contents
        for (kind, source, values) in [
            (LayerKind.wms, "https://a.example/wms", ["layers": "a"]),
            (.wmsc, "https://b.example/wms", ["layers": "a"]),
            (.wmts, "https://c.example/wmts", [:]), (.tms, "https://d.example/tms/1.0.0/", [:]),
            (.features, "https://e.example/a.geojson", [:]),
        ] {
            let layer = try LayerSpecification(kind: kind, source: source, values: values, namedBy: origin)
            #expect(try await builder.build([layer]).first?.failure != nil)
        }
        #expect(stub.requests.count >= 5 && stub.requests.allSatisfy { $0.origin == origin })
        for source in ["-", "mbtiles:/a.mbtiles"] {
            let named = try LayerSpecification(source)
            let layer = try LayerSpecification(kind: named.kind, source: named.source, namedBy: origin)
            await #expect(throws: MapError.layer(.foreign, source: named.source, kind: named.kind)) {
                try await builder.build([layer])
            }
        }
    }

    /// A Shapefile of points and nothing beside it.
    private static func pointShapes(_ count: Int) -> [UInt8] {
        func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        func little(_ value: Double) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
        }
        let length = 100 + 28 * count
        var bytes = big(9994) + Array(repeating: 0, count: 20) + big(length / 2) + big(1000).reversed() + [1, 0, 0, 0]
        for edge in [0.0, 0, 10, 10, 0, 0, 0, 0] { bytes += little(edge) }
        for number in 0..<count {
            bytes += big(number + 1) + big(10) + [1, 0, 0, 0] + little(Double(number % 10)) + little(1)
        }
        return bytes
    }

    @Test func `a local dataset raises the memory budget unless it is fixed`() async throws {
        let folder = try TemporaryFolder(), count = 20_000
        try folder.write(Self.pointShapes(count), to: "many.shp")
        var configuration = RendererConfiguration()
        configuration.memory = MemoryBudget(fixedAt: 1 << 20)
        var builder = LayerBuilder(client: ServiceClient(configuration: configuration))
        let path = folder.path + "/many.shp"
        let refused = try await builder.build(layers(path))
        guard case .memory? = refused[0].failure?.layerError?.cause else {
            Issue.record("\(String(describing: refused[0].failure))")
            return
        }
        configuration.memory = MemoryBudget(byteLimit: 1 << 20)
        builder = LayerBuilder(client: ServiceClient(configuration: configuration))
        let built = try await builder.build(layers(path))
        #expect(built[0].layer?.features?.features.count == count)
    }
}
