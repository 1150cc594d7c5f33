import PortolanGeo
import PortolanServices
import Testing

@Suite struct XYZTemplateTests {
    /// Level 3, column 5, row 1 of eight.
    @Test(arguments: [
        ("http://t/{z}/{x}/{y}.png", "http://t/3/5/1.png"), ("http://t/{z}/{x}/{-y}.png", "http://t/3/5/6.png"),
        ("http://{s}.t/{z}/{x}/{y}{r}.png", "http://a.t/3/5/1.png"), ("http://t/{q}.jpeg?k=v", "http://t/103.jpeg?k=v"),
        ("http://t/a b/{z}/{x}/{y}?a=%20", "http://t/a%20b/3/5/1?a=%20"),
        // MapLibre and Mapbox.
        ("http://t/{quadkey}", "http://t/103"), ("http://t/{prefix}/{z}/{x}/{y}{ratio}", "http://t/51/3/5/1"),
        (
            "http://t/?b={bbox-epsg-3857}",
            "http://t/?b=5009377.0856973,10018754.1713946,10018754.1713946,15028131.2570919"
        ),
        // JOSM and the editor layer index.
        ("http://{switch:p,q,r}.t/{zoom}/{x}/{y}", "http://p.t/3/5/1"), ("http://t/{zoom-1}/{x}/{y}", "http://t/2/5/1"),
        ("http://t/{z+2}/{x}/{!y}", "http://t/5/5/2"), ("http://t/{17-zoom}/{x}/{y}", "http://t/14/5/1"),
        ("http://t/{u}", "http://t/103"), ("http://t/{zoom}/{x}/{ty}", "http://t/3/5/6"),
        // OpenLayers, QGIS, Cesium.
        ("http://{a-c}.t/{z}/{x}/{y}", "http://a.t/3/5/1"), ("http://t{1-4}/{z}/{x}/{y}", "http://t3/3/5/1"),
        ("http://t{01-12}/{z}/{x}/{y}", "http://t07/3/5/1"), ("http://t/${z}/${x}/${y}", "http://t/3/5/1"),
        ("http://t/{z}/{x}/{reverseY}", "http://t/3/5/6"), ("http://t/%7Bz%7D/%7bx%7d/%7By%7D", "http://t/3/5/1"),
        ("http://t/{z}/{x}/{y}{@2x}.png", "http://t/3/5/1.png"),
        (
            "http://t/?{westDegrees},{southDegrees},{eastDegrees},{northDegrees}",
            "http://t/?45,66.5132604431119,90,79.1713346408195"
        ),
        // ArcGIS, WMTS, OGC API.
        ("http://t/tile/{level}/{row}/{col}", "http://t/tile/3/1/5"),
        ("http://{subDomain}.t/{level}/{col}/{row}", "http://a.t/3/5/1"),
        ("http://t/{TileMatrix}/{TileRow}/{TileCol}.png", "http://t/3/1/5.png"),
        ("http://t/{tileMatrix}/{tileRow}/{tileCol}?f=png", "http://t/3/1/5?f=png"),
        ("http://t/{{TileMatrix}}/{{TileCol}}/{{TileRow}}", "http://t/3/5/1"), ("{Z}/{X}/{Y}", "3/5/1"),
        // Bing, GDAL, MapProxy, OruxMaps.
        ("http://t/{quadkey}?mkt={culture}", "http://t/103?mkt=en-US"),
        ("http://t/%(z)s/%(x)s/%(y)s", "http://t/3/5/1"),
        ("http://t/{$z}/{$x}/{$y}", "http://t/3/5/1"),
        (
            "http://t/?SERVICE=WMS&CRS={proj}&WIDTH={width}&HEIGHT={height}&BBOX={bbox}&SRID={wkid}",
            "http://t/?SERVICE=WMS&CRS=EPSG:3857&WIDTH=256&HEIGHT=256&"
                + "BBOX=5009377.0856973,10018754.1713946,10018754.1713946,15028131.2570919&SRID=3857"
        ),
        // What only looks like a placeholder.
        ("http://t/{z}/{x}/{y}?f=%7B%22a%22:1%7D", "http://t/3/5/1?f=%7B%22a%22:1%7D"),
        ("http://t/{z}/{x}/{y}?c=$5", "http://t/3/5/1?c=$5"),
    ])
    func `placeholders are filled in`(template: String, url: String) throws {
        let template = try XYZTemplate(template)

        #expect(template.url(level: 3, column: 5, row: 1, rowCount: 8) == url)
    }

    @Test func `the quadkey is that of the published example`() throws {
        #expect(try XYZTemplate("{q}").url(level: 3, column: 3, row: 5, rowCount: 8) == "213")
        #expect(try XYZTemplate("x{q}").url(level: 0, column: 0, row: 0, rowCount: 1) == "x")
    }

    @Test func `the retina placeholder becomes @2x`() throws {
        for name in ["r", "ratio", "@2x"] {
            let template = try XYZTemplate("{z}/{x}/{y}{\(name)}.png")
            #expect(template.url(level: 0, column: 0, row: 0, rowCount: 1, isRetina: true) == "0/0/0@2x.png")
            #expect(template.hasRetina)
        }
    }

    @Test(arguments: ["{s}", "{switch:1,2}", "{1-2}"]) func `subdomains alternate by tile position`(name: String) throws
    {
        let template = try XYZTemplate("\(name)/{z}/{x}/{y}", subdomains: ["1", "2"])
        let hosts = (0..<4).map { template.url(level: 2, column: $0, row: 1, rowCount: 4).prefix(1) }
        #expect(hosts == ["2", "1", "2", "1"])
    }

    @Test func `given values fill custom placeholders and override built-in ones`() throws {
        let template = try XYZTemplate(
            "http://t/{style}/{z}/{x}/{y}?k={accessToken}&c={culture}",
            values: ["style": "dark", "accessToken": "a%2Fb", "culture": "fi"])
        #expect(template.url(level: 3, column: 5, row: 1, rowCount: 8) == "http://t/dark/3/5/1?k=a%2Fb&c=fi")
    }

    @Test(arguments: ["{y}", "{row}", "{TileRow}", "{-y}"])
    func `TMS rows are counted from the bottom`(name: String) throws {
        let template = try XYZTemplate("{z}/{x}/\(name)", countsFromBottom: true)
        #expect(template.url(level: 3, column: 5, row: 1, rowCount: 8) == "3/5/6")
        #expect(template.countsFromBottom)
    }

    /// A grid in degrees has tiles whose boxes are in degrees; WMS 1.3.0 has latitude first.
    @Test(arguments: [
        ("t?BBOX={bbox}", "t?BBOX=-180,0,-90,90"), ("t?BBOX={bbox-epsg-4326}", "t?BBOX=-180,0,-90,90"),
        ("t?version=1.3.0&CRS={crs}&BBOX={bbox}", "t?version=1.3.0&CRS=EPSG:4326&BBOX=0,-180,90,-90"),
        ("t/{TileMatrix}/{q}", "t/1/0"),
    ])
    func `the box placeholder is in the CRS of the grid`(template: String, url: String) throws {
        let grid = try #require(TileGrid.powersOfTwo(in: .epsg4326))
        let tile = try #require(grid.tile(level: 1, column: 0, row: 0))
        #expect(try XYZTemplate(template).url(of: tile, in: grid) == url)
    }

    @Test func `a box placeholder with a CRS determines the grid`() throws {
        #expect(try XYZTemplate("t?{bbox-epsg-25830}").boxCRS?.name == "EPSG:25830")
        #expect(try XYZTemplate("t?{bbox}").boxCRS == nil)
        #expect(try XYZTemplate("t/{z}/{x}/{y}?{bbox-epsg-25830}").boxCRS == nil)
    }

    @Test(arguments: [
        ("http://t/{z/{x}/{y}", XYZTemplate.ParseError.unknownPlaceholder("z/{x")),
        ("http://t/{z}/{x}/{y", .unclosedBrace(offset: 17)),
        ("{z}/{x}/{nonsense}", .unknownPlaceholder("nonsense")),
        ("{z}/{x}/{y}?{accessToken}", .unknownPlaceholder("accessToken")),
        ("{c-a}/{z}/{x}/{y}", .unknownPlaceholder("c-a")), ("{a-C}/{z}/{x}/{y}", .unknownPlaceholder("a-C")),
        ("{4-1}/{z}/{x}/{y}", .unknownPlaceholder("4-1")), ("{1-5000}/{z}/{x}/{y}", .unknownPlaceholder("1-5000")),
        ("{switch:}/{z}/{x}/{y}", .unknownPlaceholder("switch:")),
        ("{bbox-epsg-1}", .unknownPlaceholder("bbox-epsg-1")),
        ("{z}/{x}", .missingPlaceholder("{y} or {-y}")),
        ("{z}/{y}", .missingPlaceholder("{x}")),
        ("{x}/{y}", .missingPlaceholder("{z}")),
        ("http://t", .missingPlaceholder("{z}")),
        ("{}", .unknownPlaceholder("")),
    ])
    func `invalid templates are refused`(template: String, error: XYZTemplate.ParseError) {
        #expect(throws: error) { try XYZTemplate(template) }
    }

    @Test func `an unknown placeholder is named, and the known ones are listed`() {
        let words = XYZTemplate.ParseError.unknownPlaceholder("nonsense").description
        for name in ["{nonsense}", "{z}", "{-y}", "{q}", "{bbox-epsg-3857}", "{switch:a,b}", "{TileMatrix}"] {
            #expect(words.contains(name))
        }
    }

    @Test(arguments: [
        ("http://t/{z}/{x}/{y}", true), ("http://t/{TileMatrix}/a", true), ("http://t/{quadkey}", true),
        ("http://t?bbox={bbox-epsg-3857}", true), ("http://t/%7Bz%7D", true), ("http://t/${x}", true),
        ("http://t/{s}/a.json", false), ("http://t/a?f={\"z\":1}", false), ("http://t/%(z)s", false), ("plain", false),
    ])
    func `a URL with tile placeholders is recognised as a template`(text: String, isTemplate: Bool) {
        #expect(XYZTemplate.isTemplate(text) == isTemplate)
    }

    @Test func `a subdomain placeholder requires subdomains`() {
        #expect(throws: XYZTemplate.ParseError.noSubdomains) { try XYZTemplate("{s}{z}{x}{y}", subdomains: []) }
    }
}
