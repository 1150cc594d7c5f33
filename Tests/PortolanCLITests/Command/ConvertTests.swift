import Testing

/// `portolan convert`.
@Suite struct ConvertTests {
    private let portolan: BuiltCommand
    private static let walk =
        "<gpx><wpt lat='60.123456789' lon='24.5'><name>Inn</name></wpt>"
        + "<trk><trkseg><trkpt lat='60' lon='24'/><trkpt lat='61' lon='25'/></trkseg></trk></gpx>"

    #if Storage
    private static let databases = ["walk.gpkg"]
    #else
    private static let databases: [String] = []
    #endif

    init() throws {
        portolan = try BuiltCommand()
        try portolan.write(Self.walk, to: "walk.gpx")
    }

    private func text(_ name: String) -> String {
        portolan.file(name).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    @Test func `a file is written in the format of its extension, with the given decimals`() async throws {
        let ended = try await portolan.run(["convert", "walk.gpx", "walk.geojson", "--precision", "3"])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
        #expect(text("walk.geojson").contains("[24.5,60.123]") && text("walk.geojson").contains("\"name\":\"Inn\""))
        let text = try await portolan.run(["convert", "walk.gpx", "walk.wkt"])
        #expect(text.status == 0 && text.errors.contains("properties left out"), "\(text.testDescription)")
        #expect(self.text("walk.wkt") == "POINT(24.5 60.123456789)\nLINESTRING(24 60,25 61)\n")
        for name in ["walk.kml", "walk.wkb", "walk.polyline", "walk.geojsonl", "walk.geojsons"] + Self.databases {
            let ended = try await portolan.run(["convert", "walk.gpx", name, "--quiet"])
            #expect(ended.status == 0 && portolan.file(name)?.isEmpty == false, "\(ended.testDescription)")
        }
        let same = try await portolan.run(["convert", "walk.gpx", "-o", "same.wkt", "--quiet"])
        #expect(same.status == 0 && self.text("same.wkt") == self.text("walk.wkt"), "\(same.testDescription)")
        let back = try await portolan.run(["convert", "walk.kml", "again.gpx", "--to", "gpx"])
        #expect(back.status == 0 && self.text("again.gpx").contains("<name>Inn</name>"), "\(back.testDescription)")
    }

    @Test(arguments: [
        ("SRID=3857;LINESTRING(19480000 0,20600000 0)", "174.992", "-174.947", "MultiLineString"),
        (
            "SRID=32760;POLYGON((700000 8000000,900000 8000000,900000 8100000,700000 8100000,700000 8000000))", "178.8",
            "-179.2", "MultiPolygon"
        ),
        ("LINESTRING(170 45,-170 45)", "170", "-170", "MultiLineString"),
        ("LINESTRING(100 45,-100 45)", "100", "-100", "LineString"),
    ])
    func `GeoJSON is cut at the antimeridian`(shape: String, west: String, east: String, kind: String) async throws {
        try portolan.write(shape, to: "shape.wkt")
        for name in ["shape.geojson", "shape.geojsonl"] {
            let ended = try await portolan.run(["convert", "shape.wkt", name, "--precision", "3"])
            #expect(ended.status == 0, "\(ended.testDescription)")
            #expect(text(name).contains("\"\(kind)\""), "\(text(name))")
            #expect(text(name).contains("[\(west)") && text(name).contains("[\(east)"), "\(text(name))")
        }
    }

    @Test func `a Shapefile has the coordinates and the definition of a CRS`() async throws {
        try portolan.write("SRID=4326;POINT(-3 40)", to: "place.wkt")
        let ended = try await portolan.run(["convert", "place.wkt", "place.shp", "--crs", "EPSG:25830"])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
        #expect(text("place.prj").hasPrefix("PROJCS[\"ETRS_1989_UTM_Zone_30N\","))
        let back = try await portolan.run(["convert", "place.shp", "-", "--to", "wkt", "--precision", "2"])
        #expect(String(decoding: back.output, as: UTF8.self) == "SRID=25830;POINT(500000 4427757.22)\n")
        let refused = try await portolan.run(["convert", "place.wkt", "globe.shp", "--crs", "ortho:lon=-3,lat=40"])
        #expect(refused.status == 65 && portolan.file("globe.shp") == nil, "\(refused.testDescription)")
        #expect(refused.errors.contains("GeoPackage or FlatGeobuf"))
    }

    @Test func `a buffer is measured in metres on the ground`() async throws {
        try portolan.write("SRID=3857;POINT(2776000 8436000)\nSRID=3857;LINESTRING(0 0,9 9)", to: "shapes.wkt")
        let ended = try await portolan.run(["convert", "shapes.wkt", "near.geojson", "--buffer", "500"])
        #expect(ended.status == 0, "\(ended.testDescription)")
        let measured = try await portolan.run(["measure", "near.geojson"])
        #expect(
            String(decoding: measured.output, as: UTF8.self).contains("3.14 km around 0.78 km²"),
            "\(measured.testDescription)")
        let shrunk = try await portolan.run(["convert", "shapes.wkt", "-", "--to", "geojson", "--buffer", "-5"])
        #expect(
            String(decoding: shrunk.output, as: UTF8.self).contains("\"geometry\":null"), "\(shrunk.testDescription)")
        let refused = try await portolan.run(["convert", "shapes.wkt", "a.geojson", "--buffer", "1e9"])
        #expect(refused.status == 64 && portolan.file("a.geojson") == nil, "\(refused.testDescription)")
    }

    @Test func `coordinates are converted to the requested CRS`() async throws {
        let ended = try await portolan.run([
            "convert", "walk.gpx", "-", "--to", "wkt", "--crs", "EPSG:3857", "--precision", "0", "--quiet",
        ])
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(String(decoding: ended.output, as: UTF8.self).hasPrefix("SRID=3857;POINT(2727328 "))
        let refused = try await portolan.run(["convert", "walk.gpx", "a.kml", "--crs", "EPSG:3857"])
        #expect(refused.status == 64 && portolan.file("a.kml") == nil, "\(refused.testDescription)")
    }

    @Test(arguments: [
        ("", 0), ("{\"type\":\"FeatureCollection\",\"numberMatched\":9,\"features\":[]}", 3), ("<html/>", 65),
    ])
    func `features of a service are converted, and a missing page is reported`(last: String, status: Int) async throws {
        let point =
            #"{"type":"Feature","id":1,"properties":{"n":1},"geometry":{"type":"Point","coordinates":[8,9]}}"#
        let server = try LoopbackServer { request in
            let host = request.headers.first { $0.lowercased().hasPrefix("host:") }?.dropFirst(6) ?? ""
            let items = "http://\(host)/collections/p/items"
            let text: String =
                if request.target.contains("cursor") {
                    last
                } else if request.target.contains("/items") {
                    last.isEmpty
                        ? #"{"type":"FeatureCollection","features":[\#(point)]}"#
                        : #"{"type":"FeatureCollection","features":[\#(point)],"links":[{"rel":"next","href":"\#(items)?cursor=a"}]}"#
                } else {
                    #"{"collections":[{"id":"p","links":[{"rel":"items","href":"\#(items)"}]}]}"#
                }
            return .init(type: "application/json", body: Array(text.utf8))
        }
        defer { server.stop() }
        let ended = try await portolan.run(["convert", "oaf:\(server.url)/collections;layers=p", "out.wkt"])
        #expect(ended.status == status, "\(ended.testDescription)")
        #expect(text("out.wkt") == (status == 65 ? "" : "POINT(8 9)\n"))
        if status == 3 { #expect(ended.errors.contains("returned 1 of 9 features")) }
    }

    @Test func `lines are converted one by one, and invalid ones are reported`() async throws {
        let lines = (0..<2000).map {
            #"{"type":"Feature","properties":{"n":\#($0)},"geometry":{"type":"Point","coordinates":[\#($0 % 90),1]}}"#
        }
        try portolan.write((lines + ["{oops}"] + lines).joined(separator: "\n"), to: "many.ndjson")
        let ended = try await portolan.run([
            "convert", "many.ndjson", "out.geojsons", "--crs", "EPSG:3857", "--precision", "2",
        ])
        #expect(ended.status == 3 && ended.errors.contains("line 2001: left out"), "\(ended.testDescription)")
        let written = portolan.file("out.geojsons") ?? []
        #expect(written.count { $0 == 0x1E } == 4000 && text("out.geojsons").contains("[111319.49,111325.14]"))
    }

    @Test(
        arguments: [
            (["walk.gpx", "a.tab"], 64, "unknown output format"),
            (["walk.gpx", "a"], 64, "unknown output format; add --to"), (["walk.gpx"], 64, "expected one output file"),
            (["walk.gpx", "a.kml", "-o", "b.kml"], 64, "expected one output file"),
            (["none.gpx", "a.kml"], 66, "none.gpx"), (["walk.gpx", "none/a.kml"], 73, "no folder "),
            (["walk.gpx", "a.kml", "--precision", "16"], 64, "--precision"),
            (["walk.gpx", "a.wkt", "--crs", "x"], 64, "--crs"),
        ] as [([String], Int32, String)])
    func `impossible conversions are reported`(arguments: [String], status: Int32, words: String) async throws {
        let ended = try await portolan.run(["convert"] + arguments)
        #expect(ended.status == status && ended.error.contains(words), "\(ended.testDescription)")
    }

    @Test func `polygons are left out of GPX with a warning`() async throws {
        try portolan.write("POLYGON((0 0,1 0,0 1,0 0))\nPOINT(1 2)\n", to: "a.wkt")
        let ended = try await portolan.run(["convert", "a.wkt", "a.gpx"])
        #expect(ended.status == 0 && ended.errors.contains("polygons left out: 1"), "\(ended.testDescription)")
    }
}
