import Portolan
import PortolanFeatures
import Testing

@Suite struct LayerSpecificationTests {
    @Test(
        arguments: [
            ("route.geojson", .features, "route.geojson"), ("-", .features, "-"),
            ("wms:http://a/?b=c:d", .wms, "http://a/?b=c:d"),
            ("wmsc:http://a/", .wmsc, "http://a/"), ("xyz:http://a/{z}", .xyz, "http://a/{z}"),
            ("tms:file:///a", .tms, "file:///a"), ("wmts:http://a/?b=c", .wmts, "http://a/?b=c"),
            ("http://a:80/b", .features, "http://a:80/b"), ("a%3Bb%3bc", .features, "a;b;c"),
            ("C:map", .features, "C:map"),
            ("features:a", .features, "features:a"),
            ("data:application/json,{}", .features, "data:application/json,{}"),
        ] as [(String, LayerKind, String)])
    func `kind and source are parsed`(text: String, kind: LayerKind, source: String) throws {
        let read = try LayerSpecification(text)
        #expect(read.kind == kind)
        #expect(read.source == source)
    }

    @Test func `values can contain equals signs and semicolons`() throws {
        let read = try LayerSpecification("wms:http://a/;layers=a,,b;params.CQL=x=1%3By=2;;opacity=1")
        #expect(read.list("layers") == ["a", "", "b"])
        #expect(read["params.CQL"] == "x=1;y=2")
        #expect(read.values(after: "params.").map(\.name) == ["CQL"])
        #expect(try read.number("opacity") == 1)
        #expect(read["styles"] == nil)
    }

    @Test func `WMTS dimensions have custom names`() throws {
        let read = try LayerSpecification("wmts:http://a;layer=b;matrix-set=c;style=d;format=png;dim.Time=2024;dim.e=f")
        #expect(read.values(after: "dim.").map(\.name) == ["Time", "e"])
        #expect(read["matrix-set"] == "c")
    }

    @Test func `a layer from the command line equals the same one from a document`() throws {
        let one = try LayerSpecification("xyz:http://a/{z}/{x}/{y};max-zoom=9")
        let other = try LayerSpecification(kind: .xyz, source: "http://a/{z}/{x}/{y}", values: ["max-zoom": "9"])
        #expect(one == other)
    }

    @Test(
        arguments: [
            "a.geojson", "wms:http://a/?b=c;layers=a,b;params.X=1%3B2", "a%3Bb;name=c",
            "mbtiles:a.mbtiles;visible=false",
        ])
    func `a written layer is read back unchanged`(text: String) throws {
        let layer = try LayerSpecification(text)
        #expect(layer.description == text)
        #expect(try LayerSpecification(layer.description) == layer)
        #expect(try layer.with("opacity", "0.5").with("opacity", nil) == layer)
        #expect(throws: MapError.self) { try layer.with("opacity", "2") }
    }

    @Test func `document members have JSON types`() throws {
        let layer = try LayerSpecification(
            "wms:http://a;layers=1,2;name=7;opacity=0.50;tile-size=256;tiled=true;transparent=no;styles=")
        let members: Properties = [
            "wms": "http://a", "layers": "1,2", "name": "7", "opacity": "0.50", "styles": "", "tile-size": 256,
            "tiled": true,
            "transparent": "no",
        ]
        #expect(layer.members == members)
    }

    @Test(arguments: ["true", "yes", "1", "TRUE"]) func `all spellings of true are accepted`(text: String) throws {
        #expect(try LayerSpecification("wms:http://a;transparent=\(text)").flag("transparent") == true)
    }

    @Test(arguments: [
        "", ";", "wms:", "a;b", "a;=b", "a;x=1", "a;name=1;name=2", "wfs:http://a", "a;opacity=-0.1", "a;opacity=",
        "wms:example.org/wms", "wms:ftp://a", "xyz:a/{z}", "wms:http://a;transparent-color=paper",
        "wms:http://a;transparent-color=white;transparent-tolerance=256", "a.geojson;transparent-color=white",
        "wms:http://a;tile-size=256",
        "wms:example.org/wms", "wms:ftp://a", "xyz:a/{z}", "wmts:a", "wmts:http://a;layers=b", "xyz:http://a;layer=b",
    ])
    func `invalid layer specifications are refused`(text: String) {
        do {
            _ = try LayerSpecification(text)
            Issue.record("the layer was taken")
        } catch {
            #expect(error.code == .invalidArgument)
        }
    }

    @Test func `integers are checked against their range`() throws {
        let read = try LayerSpecification("xyz:http://a;min-zoom=3;max-zoom=3.5;tile-size=99999999999999999999")
        #expect(try read.integer("min-zoom", in: 0...30) == 3)
        #expect(throws: MapError.self) { try read.integer("max-zoom", in: 0...30) }
        #expect(throws: MapError.self) { try read.integer("tile-size", in: 1...4096) }
    }

    @Test func `a layer text of ten megabytes is parsed`() throws {
        let source = String(repeating: "a", count: 10 << 20)
        #expect(try LayerSpecification(source).source.utf8.count == 10 << 20)
    }
}

@Suite struct LayerKindTests {
    @Test func `every layer kind has its own name`() {
        #expect(Set(LayerKinds.standard.kinds.map(\.name)).count == LayerKinds.standard.kinds.count)
    }

    @Test(arguments: [
        ("params.TIME", true), ("params", false), ("paramsTIME", false), ("layers", true), ("dim.time", true),
        ("dim", false),
    ])
    func `a layer kind accepts its keys and their prefixed forms`(key: String, isTaken: Bool) {
        #expect(LayerKind.wms.takes(key) == isTaken)
    }
}

@Suite struct LayerSpecificationCacheTests {
    static func rule(_ text: String) throws -> CacheRule? {
        try LayerSpecification("xyz:http://t.example/{z}/{x}/{y}.png;cache=\(text)").cacheRule()
    }

    @Test func `cache terms are read with their units`() throws {
        let rule = try #require(try Self.rule("at-least:90,at-most:2h,stale:3d"))
        #expect(rule.minimumLifetime == 90 && rule.maximumLifetime == 7200 && rule.staleLifetime == 259_200)
        let fixed = try #require(try Self.rule("fixed:5m"))
        #expect(fixed.ignoresServer && fixed.defaultLifetime == 300)
        #expect(try Self.rule("off") == .disabled)
        #expect(try LayerSpecification("xyz:http://t.example/{z}/{x}/{y}.png").cacheRule() == nil)
    }

    @Test(arguments: [
        "", "on", "at-least", "at-least:", "at-least:-1", "at-least:1w", "at-least:9999999999d", "x:1",
        "at-least:2d,at-most:1d", "off,fixed:1",
    ])
    func `invalid cache terms are refused`(text: String) {
        #expect(throws: MapError.self) { _ = try Self.rule(text) }
    }
}
