import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

/// The properties that a layer inherits: OGC 06-042 table 7, OGC 01-068r3 7.1.4.7 (pitfall 36).
@Suite struct WMSInheritanceTests {
    /// One rule: the values in the outer and in the inner layer, and the resulting value of the inner one.
    struct Rule: CustomTestStringConvertible {
        let name: String
        var version = "1.3.0"
        let outer: String
        var inner = ""
        let result: String
        let look: @Sendable (WMSCapabilities.Layer) -> String

        var testDescription: String { "\(name) (\(version))" }
    }

    static let rules: [Rule] = [
        Rule(
            name: "CRS add, each once", outer: "<CRS>EPSG:4326</CRS><CRS>CRS:84</CRS>",
            inner: "<CRS>EPSG:3857</CRS><CRS>CRS:84</CRS>", result: "EPSG:4326 CRS:84 EPSG:3857"
        ) { $0.crsNames.joined(separator: " ") },
        Rule(
            name: "SRS lists add", version: "1.1.0", outer: "<SRS>EPSG:4326 EPSG:3857</SRS>",
            inner: "<SRS> EPSG:25830\nEPSG:3857 </SRS>", result: "EPSG:4326 EPSG:3857 EPSG:25830"
        ) { $0.crsNames.joined(separator: " ") },
        Rule(
            name: "styles add", outer: "<Style><Name>a</Name></Style>", inner: "<Style><Name>b</Name></Style>",
            result: "a b"
        ) { $0.styles.map(\.name).joined(separator: " ") },
        Rule(
            name: "of styles with one name the inner wins",
            outer: "<Style><Name>a</Name><Title>outer</Title></Style><Style><Name>b</Name><Title>b</Title></Style>",
            inner: "<Style><Name>a</Name><Title>inner</Title></Style>", result: "inner b"
        ) { $0.styles.map(\.title).joined(separator: " ") },
        Rule(
            name: "authorities add",
            outer: "<AuthorityURL name='x'><OnlineResource href='http://x/'/></AuthorityURL>",
            inner: "<AuthorityURL name='y'><OnlineResource href='http://y/'/></AuthorityURL>", result: "x y"
        ) { $0.references.authorities.keys.sorted().joined(separator: " ") },
        Rule(
            name: "bounding boxes merge for each system",
            outer: "<BoundingBox CRS='EPSG:3857' minx='0' miny='0' maxx='9' maxy='9'/>"
                + "<BoundingBox CRS='EPSG:25830' minx='0' miny='0' maxx='8' maxy='8'/>",
            inner: "<BoundingBox CRS='EPSG:3857' minx='0' miny='0' maxx='5' maxy='5'/>",
            result: "EPSG:3857=5.0 EPSG:25830=8.0"
        ) { $0.boundingBoxes.map { "\($0.crsName)=\($0.box.maxX)" }.joined(separator: " ") },
        Rule(
            name: "dimensions of other names add", version: "1.1.1",
            outer: "<Dimension name='time' units='ISO8601'/><Extent name='time'>1/2</Extent>",
            inner: "<Dimension name='elevation' units='m'/><Extent name='elevation'>0</Extent>",
            result: "time=1/2 elevation=0"
        ) { $0.dimensions.map { "\($0.name)=\($0.values)" }.joined(separator: " ") },
        Rule(
            name: "an extent replaces that of the same name", version: "1.1.1",
            outer: "<Dimension name='time' units='ISO8601'/><Extent name='time' default='1'>1/2</Extent>",
            inner: "<Extent name='time' default='4'>3/4</Extent>", result: "ISO8601 3/4 4"
        ) { $0.dimensions.map { "\($0.units) \($0.values) \($0.defaultValue ?? "")" }.joined() },
        Rule(
            name: "a dimension replaces that of the same name",
            outer:
                "<Dimension name='time' units='ISO8601' default='1'>1/2</Dimension><Dimension name='x' units=''>7</Dimension>",
            inner: "<Dimension name='TIME' units='ISO8601' nearestValue='1'>3/4</Dimension>", result: "time=3/4 x=7"
        ) { $0.dimensions.map { "\($0.name)=\($0.values)" }.joined(separator: " ") },
        Rule(
            name: "a dimension is inherited with its attributes",
            outer:
                "<Dimension name='time' units='ISO8601' current='1' multipleValues='true' nearestValue='0'>1/2</Dimension>",
            result: "true true false"
        ) { $0.dimensions.map { "\($0.takesCurrent) \($0.takesSeveral) \($0.takesNearest)" }.joined() },
        Rule(
            name: "the geographic box replaces", version: "1.1.1",
            outer: "<LatLonBoundingBox minx='0' miny='0' maxx='9' maxy='9'/>",
            inner: "<LatLonBoundingBox minx='1' miny='1' maxx='2' maxy='2'/>", result: "1.0 2.0"
        ) { "\($0.geographicBox?.minX ?? -1) \($0.geographicBox?.maxX ?? -1)" },
        Rule(
            name: "the geographic box is inherited", version: "1.1.1",
            outer: "<LatLonBoundingBox minx='0' miny='0' maxx='9' maxy='9'/>", result: "9.0"
        ) { "\($0.geographicBox?.maxX ?? -1)" },
        Rule(
            name: "attribution replaces whole",
            outer: "<Attribution><Title>outer</Title><LogoURL width='3' height='4'><Format>image/png</Format>"
                + "<OnlineResource href='http://l/'/></LogoURL></Attribution>",
            inner: "<Attribution><Title>inner</Title></Attribution>", result: "inner nil"
        ) { "\($0.attribution?.title ?? "") \($0.attribution?.logoURL ?? "nil")" },
        Rule(
            name: "attribution is inherited with its logo",
            outer: "<Attribution><LogoURL width='3' height='4'><Format>image/png</Format>"
                + "<OnlineResource href='http://l/'/></LogoURL></Attribution>", result: "http://l/ image/png 3"
        ) {
            "\($0.attribution?.logoURL ?? "") \($0.attribution?.logo?.format ?? "") \($0.attribution?.logo?.width ?? 0)"
        },
        Rule(
            name: "scale denominators replace one by one",
            outer: "<MinScaleDenominator>1e3</MinScaleDenominator><MaxScaleDenominator>2e+06</MaxScaleDenominator>",
            inner: "<MaxScaleDenominator>5000</MaxScaleDenominator>", result: "1000.0 5000.0"
        ) { "\($0.minScaleDenominator ?? 0) \($0.maxScaleDenominator ?? 0)" },
        Rule(
            name: "a scale hint replaces whole", version: "1.1.1", outer: "<ScaleHint min='1' max='8'/>",
            inner: "<ScaleHint min='0' max='4'/>", result: "0.0...4.0 nil"
        ) { "\($0.scaleHint.map { "\($0)" } ?? "nil") \($0.minScaleDenominator.map { "\($0)" } ?? "nil")" },
        Rule(
            name: "attributes are inherited",
            outer: "queryable='1' opaque='1' noSubsets='true' cascaded='2' fixedWidth='7'",
            result: "true true true 2 7"
        ) { "\($0.isQueryable) \($0.isOpaque) \($0.hasNoSubsets) \($0.cascaded) \($0.fixedWidth ?? 0)" },
        Rule(
            name: "attributes replace", outer: "queryable='1' opaque='1' noSubsets='1' cascaded='2' fixedWidth='7'",
            inner: "queryable='0' opaque='false' noSubsets='0' cascaded='0' fixedWidth='0'",
            result: "false false false 0 0"
        ) { "\($0.isQueryable) \($0.isOpaque) \($0.hasNoSubsets) \($0.cascaded) \($0.fixedWidth ?? 0)" },
        Rule(
            name: "texts, keywords and links are each layer's own",
            outer: "<Abstract>a</Abstract><KeywordList><Keyword>k</Keyword></KeywordList>"
                + "<Identifier authority='x'>1</Identifier><MetadataURL type='FGDC'><Format>text/xml</Format>"
                + "<OnlineResource href='http://m/'/></MetadataURL><DataURL><OnlineResource href='http://d/'/></DataURL>",
            result: "nil 0 0 0 0"
        ) {
            "\($0.abstract ?? "nil") \($0.keywords.count) \($0.references.identifiers.count) "
                + "\($0.references.metadata.count) \($0.references.data.count)"
        },
    ]

    @Test(arguments: rules) func `a layer inherits properties by the rules of the standards`(rule: Rule) throws {
        let isOld = rule.version != "1.3.0"
        func element(_ content: String, _ name: String, _ inside: String) -> String {
            let isAttributes = !content.isEmpty && !content.hasPrefix("<")
            return
                "<Layer \(isAttributes ? content : "")><Name>\(name)</Name>\(isAttributes ? "" : content)\(inside)</Layer>"
        }
        let root = isOld ? "WMT_MS_Capabilities" : "WMS_Capabilities"
        let text =
            "<\(root) version='\(rule.version)'><Capability>"
            + element(rule.outer, "outer", element(rule.inner, "inner", "")) + "</Capability></\(root)>"
        let capabilities = try WMSCapabilitiesReader.read(Array(text.utf8))
        let layer = try #require(capabilities.layer(named: "inner"))
        #expect(rule.look(layer) == rule.result)
    }
}

struct LayerDepthTests {
    /// Each layer takes room on the stack, which is small in other threads than the first.
    @Test func `layers nested too deeply are left out with a warning`() throws {
        let depth = 150
        let text =
            "<WMT_MS_Capabilities version='1.1.1'><Capability>"
            + String(repeating: "<Layer><Title>x</Title>", count: depth)
            + String(repeating: "</Layer>", count: depth) + "</Capability></WMT_MS_Capabilities>"
        let offered = try WMSCapabilitiesReader.read(Array(text.utf8))
        #expect(offered.warnings.contains { $0.description.contains("are left out") })
        var count = 0, layers = offered.layers
        while let layer = layers.first {
            count += 1
            layers = layer.children
        }
        #expect(count == 25)
    }
}
