import Foundation
import Portolan
import PortolanGeo
import PortolanWeb
import Testing

@Suite struct OWSContextTests {
    private func context(_ text: String) throws(MapError) -> OWSContext {
        try OWSContext(bytes: Array(text.utf8), path: "/maps/context.json")
    }

    /// A context with some resources, as the standard has it.
    private func collection(_ resources: String, _ properties: String = "", _ members: String = "") -> String {
        """
        {"type": "FeatureCollection", "id": "https://maps.example/context/1", \(members)
         "properties": {"lang": "es", "title": "Un mapa", "updated": "2020-02-03T04:05:06Z", \(properties)
          "links": {"profiles": [{"href": "http://www.opengis.net/spec/owc-geojson/1.0/req/core"}]}},
         "features": [\(resources)]}
        """
    }

    private func resource(_ title: String, _ offering: String, _ properties: String = "") -> String {
        """
        {"type": "Feature", "id": "https://maps.example/context/1/\(title)", "geometry": null, "properties":
         {"title": "\(title)", "updated": "2020-02-03T04:05:06Z", \(properties) "offerings": [\(offering)]}}
        """
    }

    private func offering(_ kind: String, _ operations: (String, String)...) -> String {
        let list = operations.map { #"{"code": "\#($0)", "method": "GET", "type": "x", "href": "\#($1)"}"# }
        return
            #"{"code": "http://www.opengis.net/spec/owc-geojson/1.0/req/\#(kind)", "operations": [\#(list.joined(separator: ","))]}"#
    }

    private func layer(_ offering: String, _ properties: String = "") throws -> LayerSpecification {
        try #require(try context(collection(resource("a", offering, properties))).document.layers.first)
    }

    @Test func `a GetMap request is parsed into layer options`() throws {
        let layer = try layer(
            offering(
                "wms",
                ("GetCapabilities", "https://maps.example/wms?map=a&SERVICE=WMS&VERSION=1.1.1&REQUEST=GetCapabilities"),
                (
                    "GetMap",
                    "https://maps.example/wms?map=a&service=WMS&Version=1.1.1&REQUEST=GetMap&Layers=base,roads&STYLES=,thin"
                        + "&SRS=EPSG%3A25830&BBOX=1,2,3,4&WIDTH=600&HEIGHT=400&FORMAT=image/png&TRANSPARENT=FALSE"
                        + "&BGCOLOR=0xffffff&EXCEPTIONS=x&TIME=2020-01-01&DIM_Depth=5&CQL_FILTER=a%3D1+and+b"
                )))
        #expect(layer.kind == .wms && layer.source == "https://maps.example/wms?map=a")
        #expect(
            layer.values == [
                "layers": "base,roads", "styles": ",thin", "version": "1.1.1", "crs": "EPSG:25830",
                "format": "image/png",
                "transparent": "false", "params.TIME": "2020-01-01", "params.DIM_Depth": "5",
                "params.CQL_FILTER": "a=1 and b", "name": "a",
            ])
        #expect(layer.origin == .file(within: "/"))
    }

    @Test(
        arguments: [
            ("1.3", "1.3.0"), ("1.1", "1.1.1"), ("1.0.0", "1.0.0"), ("7", nil), ("", nil),
        ] as [(String, String?)])
    func `short version numbers are completed`(written: String, version: String?) throws {
        let layer = try layer(
            offering("wms", ("GetMap", "https://maps.example/wms?VERSION=\(written)&REQUEST=GetMap&LAYERS=a")))
        #expect(layer["version"] == version)
        #expect(layer.source == "https://maps.example/wms")
    }

    @Test func `the default style of an offering is used if the request names none`() throws {
        let styles =
            #", "styles": [{"name": "day", "title": "Day"}, {"name": "night", "title": "Night", "default": true}]}"#
        let base = offering("wms", ("GetMap", "https://maps.example/wms?REQUEST=GetMap&LAYERS=a&STYLES="))
        #expect(try layer(base.dropLast() + styles)["styles"] == "night")
    }

    @Test func `a GetTile request is parsed into layer options`() throws {
        let layer = try layer(
            offering(
                "wmts", ("GetCapabilities", "https://maps.example/wmts?SERVICE=WMTS&REQUEST=GetCapabilities"),
                (
                    "GetTile",
                    "https://maps.example/wmts?REQUEST=GetTile&SERVICE=WMTS&version=1.0.0&format=image/jpeg&layer=topo"
                        + "&style=plain&TileMatrixSet=grid&TileMatrix=200m&TileRow=1&TileCol=0&Season=winter"
                )))
        #expect(layer.kind == .wmts && layer.source == "https://maps.example/wmts")
        #expect(
            layer.values == [
                "layer": "topo", "matrix-set": "grid", "style": "plain", "format": "image/jpeg", "dim.Season": "winter",
                "name": "a",
            ])
        let document = try self.layer(
            offering("wmts", ("GetCapabilities", "https://maps.example/1.0.0/WMTSCapabilities.xml")))
        #expect(document.source == "https://maps.example/1.0.0/WMTSCapabilities.xml" && document["layer"] == nil)
    }

    @Test(
        arguments: [
            (#"{"type": "application/geo+json", "href": "data/a%20b.geojson"}"#, "/maps/data/a b.geojson"),
            (#"{"type": "application/geo+json", "href": "file:///x/a%20b.geojson"}"#, "/x/a b.geojson"),
            (
                #"{"type": "application/geo+json", "href": "https://maps.example/a.geojson"}"#,
                "https://maps.example/a.geojson"
            ),
            (#"{"type": "FeatureCollection", "content": {"type": "Point", "coordinates": [1, 2]}}"#, nil),
            (#"{"type": "application/geo+json", "content": "{\"type\": \"Point\", \"coordinates\": [1, 2]}"}"#, nil),
        ] as [(String, String?)])
    func `features can be linked relatively, absolutely or inline`(content: String, source: String?) throws {
        let code = "http://www.opengis.net/spec/owc-geojson/1.0/req/geojson"
        let layer = try layer(#"{"code": "\#(code)", "contents": [\#(content)]}"#)
        #expect(layer.kind == .features)
        if let source {
            #expect(layer.source == source)
        } else {
            let data = try #require(layer.source.split(separator: ",").last.flatMap { Data(base64Encoded: String($0)) })
            let read = try GeoJSONReader.read([UInt8](data))
            #expect(read.features.first?.geometry == .point(Coordinate(longitude: 1, latitude: 2)))
        }
    }

    @Test func `percent-encoded placeholders of a template are decoded`() throws {
        let layer = try layer(offering("xyz", ("REST", "https://%7Bs%7D.tile.example/%7Bz%7D/%7Bx%7D/%7By%7D.png")))
        #expect(layer.kind == .xyz && layer.source == "https://{s}.tile.example/{z}/{x}/{y}.png")
    }

    @Test(
        arguments: [
            "http://www.opengis.net/spec/owc-geojson/1.0/req/wms", "http://www.opengis.net/spec/owc-atom/1.0/req/wms",
            "http://www.opengis.net/spec/owcgeojson/1.0/req/wms", "http://www.opengis.net/spec/owc/1.0/req/atom/wms",
            "https://www.opengis.net/spec/OWC-GeoJSON/1.0/req/WMS", "http://schemas.opengis.net/wms/1.1.1",
        ])
    func `all spellings of offering codes are recognised`(code: String) throws {
        let layer = try layer(
            #"{"code": "\#(code)", "operations": [{"code": "GetMap", "href": "https://maps.example/?LAYERS=a"}]}"#)
        #expect(layer.kind == .wms)
    }

    @Test(
        arguments: [
            #"{"profiles": ["http://www.opengis.net/spec/owcgeojson/1.0/req/core"]}"#,
            #"{"profiles": "http://www.opengis.net/spec/owc-geojson/1.0/req/core"}"#,
            #"[{"rel": "profile", "href": "http://www.opengis.net/spec/owc-atom/1.0/req/core"}]"#,
        ])
    func `all spellings of profiles are recognised, and the first resource is on top`(links: String) throws {
        let map =
            #"{"code": "http://www.opengis.net/spec/owc-atom/1.0/req/wms", "operations": [{"code": "GetMap", "href": "https://maps.example/?LAYERS=NAME"}]}"#
        let text = """
            {"type": "FeatureCollection", "geometry": {}, "properties": {"lang": "en", "id": "urn:x:1", "title": "T",
              "generator": "a program", "links": \(links)},
             "features": [{"type": "Feature", "geometry": {}, "properties": {"id": "urn:x:2", "title": "top", "offerings": [\(map)]}},
              {"type": "Feature", "geometry": {}, "properties": {"id": "urn:x:3", "title": "bottom", "offerings": [\(map)]}}]}
            """
        let read = try context(text)
        #expect(read.id == "urn:x:1" && read.title == "T")
        #expect(read.resources.map(\.title) == ["top", "bottom"])
        #expect(read.document.layers.map(\.name) == ["bottom", "top"])
        #expect(read.document == (try MapDocument(bytes: Array(text.utf8), path: "/maps/context.json")))
    }

    @Test func `box, size, folders, scales and inactive resources are read`() throws {
        let map = offering("wms", ("GetMap", "https://maps.example/?LAYERS=a"))
        let read = try context(
            collection(
                resource("a", map, #""active": false, "minscaledenominator": 1000, "maxscaledenominator": 5000.5,"#)
                    + "," + resource("a", map),
                #""display": [{"pixelWidth": 800, "pixelHeight": 600}], "bbox": [-10, -90, 20, 90],"#))
        #expect(read.document.view.size.map { "\($0)" } == "800x600")
        let view = try read.document.view.viewport(for: [])
        #expect(abs(view.center.x - 556_597.4539663679) < 1e-6 && abs(view.center.y) < 1e-6)
        #expect(read.document.layers.map(\.name) == ["a-2", "a"])
        // A pixel is 0.28 mm.
        #expect(try read.document.layers[1].number("min-resolution").map { abs($0 - 0.28) < 1e-12 } == true)
        #expect(try read.document.layers[1].isVisible == false && read.document.layers[0].isVisible)
        #expect(try context(collection("", "", #""bbox": [170, -10, -170, 10],"#)).document.view.box?.maxX == 190)
        #expect(try context(collection("")).document.view == ViewRequest())
        let zone = offering("wms", ("GetMap", "https://maps.example/?LAYERS=a&SRS=EPSG:25830"))
        let small = try context(collection(resource("a", zone), "", #""bbox": [-3, 40, -2, 41],"#)).document.view
        #expect(try small.crs == CRS("EPSG:25830"))
        for box in ["[]", "[1, 2, 3]", "[0, 0, 0, 0]", "[\"a\"]", "[1e300, 0, 1, 1]", "7"] {
            #expect(throws: Never.self, "\(box)") { try context(collection("", #""bbox": \#(box),"#)) }
        }
    }

    @Test func `unknown offerings are reported and written back`() throws {
        let text = collection(
            resource(
                "wanted", offering("wms", ("GetMap", "https://maps.example/?LAYERS=a")),
                #""rights": "mine", "folder": "/f","#)
                + ","
                + resource(
                    "search", offering("csw", ("GetRecords", "https://maps.example/csw")), #""odd": {"a": [1, 2]},"#),
            #""authors": [{"name": "A"}], "odd": [null],"#, #""extra": {"b": true},"#)
        let read = try context(text)
        #expect(read.warnings.map(\.code) == [.unknownLayer] && read.warnings.map(\.layer) == ["search"])
        #expect(read.warnings[0].detail.contains("csw"))
        let again = String(decoding: read.encoded().bytes, as: UTF8.self)
        for part in [
            #""odd":{"a":[1,2]}"#, #""authors":[{"name":"A"}]"#, #""odd":[null]"#, #""extra": {"b":true}"#,
            #""folder":"/f""#, "/req/csw", #""rights":"mine""#, #""id": "https://maps.example/context/1""#,
        ] {
            #expect(again.contains(part), "\(part) in \(again)")
        }
        // With another opacity of the layer all the rest stays.
        var document = read.document
        document.layers = try document.layers.map { try $0.with("opacity", "0.5") }
        var changed = read
        changed.update(to: document)
        let bytes = changed.encoded().bytes, text2 = String(decoding: bytes, as: UTF8.self)
        #expect(text2.contains(#""rights":"mine""#) && text2.contains("/req/csw"))
        let back = try OWSContext(bytes: bytes, path: "/maps/context.json")
        #expect(back.document.layers == document.layers)
        #expect(back.resources.map(\.title) == ["wanted", "search"])
    }

    @Test func `a GetFeature request is parsed into layer options`() throws {
        let wfs = try layer(
            offering(
                "wfs",
                ("GetCapabilities", "https://maps.example/wfs?map=a&SERVICE=WFS&REQUEST=GetCapabilities"),
                (
                    "GetFeature",
                    "https://maps.example/wfs?map=a&service=WFS&version=2.0.0&request=GetFeature&typeNames=ms%3Aroads&srsName=EPSG:3067&bbox=1,2,3,4&count=9"
                )))
        #expect(
            wfs.kind == .wfs && wfs.source == "https://maps.example/wfs?map=a" && wfs.origin == .file(within: "/"))
        #expect(wfs.values == ["layers": "ms:roads", "version": "2.0.0", "crs": "EPSG:3067", "name": "a"])
        let api = try layer(
            offering("ogcapi-features", ("Items", "https://maps.example/api/collections/my%20roads/items?limit=3")))
        #expect(api.kind == .ogcAPI && api.source == "https://maps.example/api")
        #expect(api.values == ["layers": "my roads", "name": "a"])
    }

    @Test func `a document with all layer kinds is unchanged after writing and reading`() throws {
        var document = MapDocument()
        document.view.center = Coordinate(longitude: 24.94, latitude: 60.17)
        document.view.zoom = 12
        document.view.rotation = 30
        document.home = document.view
        document.limits.zoomRange = 2...18
        document.selected = .init(layer: "route", feature: "x")
        document.layers = try [
            "wms:https://maps.example/wms?map=a;layers=base,roads;opacity=0.5;params.TIME=2020;tiled=true;cache=fixed:1h",
            "wms:https://maps.example/wms;layers=x;version=1.1.1;crs=EPSG:3067;format=image/jpeg;transparent=false;styles=y",
            "wmsc:https://maps.example/c;layers=x;min-resolution=2;name=tiles",
            "wmts:https://maps.example/wmts;layer=a;matrix-set=b;dim.Time=2020",
            "wmts:https://maps.example/c.xml;layer=z",
            "wfs:https://maps.example/wfs?map=a;layers=ms:roads;version=1.1.0;crs=EPSG:3067;stroke=#f00;name=r",
            "wfs:https://maps.example/wfs;layers=b;format=application/json;limit=9",
            "oaf:https://maps.example/api/;layers=my roads;crs=EPSG:3067;name=o",
            "oaf:https://maps.example/api/collections/lakes?f=json;layers=lakes;fill=#00f",
            "xyz:https://{s}.t.example/{z}/{x}/{y}.png;max-zoom=9;attribution=© we",
            "tms:https://t.example/{z}/{x}/{y}.png;name=t",
            "tms:https://t.example/1.0.0/;layer=m", "mbtiles:/maps/a.mbtiles;visible=false",
            "gpkg:/b.gpkg;layers=t;name=g",
            "/maps/my route.geojson;name=route;stroke=#f00;label=name", "https://maps.example/b.gpx;name=walk",
            "data:application/geo+json,{};name=inline",
        ].map { try LayerSpecification($0) }
        let written = OWSContext(document, title: "All", id: "urn:x:1", updated: "2020-02-03T04:05:06Z")
        let (bytes, warnings) = written.encoded(relativeTo: "/maps/context.json")
        #expect(warnings.isEmpty)
        let read = try OWSContext(bytes: bytes, path: "/maps/context.json")
        #expect(read.warnings.isEmpty, "\(read.warnings)")
        #expect(read.document.layers == document.layers)
        #expect(read.document == document)
        #expect(read.encoded(relativeTo: "/maps/context.json").bytes == bytes)
    }

    @Test func `secrets are not written, not even those of unknown offerings`() throws {
        let text = collection(
            resource("a", offering("wms", ("GetMap", "https://me:hidden1@maps.example/?LAYERS=a&key=hidden2")))
                + "," + resource("b", offering("csw", ("x", "https://maps.example/?token=hidden3")))
                + "," + resource("c", offering("xyz", ("REST", "https://t.example/{z}/{x}/{y}"))))
        let (bytes, warnings) = try context(text).encoded()
        #expect(!String(decoding: bytes, as: UTF8.self).contains("hidden"))
        #expect(warnings.map(\.code) == [.credentials, .credentials] && warnings.map(\.layer) == ["a", "b"])
    }

    @Test func `a remote context may not refer to files or private networks`() throws {
        let base = BaseURL("https://maps.example/a/context.json")
        func read(_ resource: String) throws -> OWSContext {
            try OWSContext(bytes: Array(collection(resource).utf8), base: base)
        }
        let code = "http://www.opengis.net/spec/owc-geojson/1.0/req/geojson"
        func features(_ href: String) -> String {
            resource("a", #"{"code": "\#(code)", "contents": [{"type": "application/geo+json", "href": "\#(href)"}]}"#)
        }
        for refused in [
            features("file:///etc/passwd"), features("http://127.0.0.1/a.geojson"),
            features("http://intranet/a.geojson"),
            resource("a", offering("wms", ("GetMap", "http://169.254.1.1/?LAYERS=a"))),
            resource("a", offering("xyz", ("REST", "file:///{z}/{x}/{y}"))),
            resource("a", "", #""portolan": {"mbtiles": "/a.mbtiles"},"#),
            resource("a", "", #""portolan": {"source": "-"},"#),
        ] {
            let context = try read(refused)
            #expect(context.document.layers.isEmpty && context.warnings.map(\.code) == [.refusedAddress], "\(refused)")
        }
        let relative = try #require(try read(features("../b.geojson")).document.layers.first)
        #expect(relative.source == "https://maps.example/b.geojson" && relative.origin == base.contents)
    }

    @Test func `a context file may not refer to standard input`() throws {
        let read = try context(collection(resource("a", "", #""portolan": {"source": "-"},"#)))
        #expect(read.document.layers.isEmpty && read.warnings.map(\.code) == [.refusedAddress])
    }

    @Test(
        arguments: [
            #"{"type": "FeatureCollection", "features": []}"#,
            #"{"type": "FeatureCollection", "properties": {"links": {"via": []}}, "features": [{"type": "Feature", "properties": {}}]}"#,
            #"{"type": "Feature", "properties": {"offerings": []}}"#, #"{"layers": []}"#, "[]", "",
        ])
    func `other JSON documents are refused as a context`(text: String) {
        #expect(throws: MapError.self) { try context(text) }
    }

    @Test func `invalid resources are left out, and their number is limited`() throws {
        let read = try context(
            collection(#"3, {}, {"properties": 7}, {"properties": {"offerings": [1, {}, {"code": 3}]}}"#))
        #expect(read.document.layers.isEmpty)
        #expect(read.resources.count == 2 && read.warnings.count == 4)
        let many = Array(repeating: "{}", count: 1001).joined(separator: ",")
        #expect(throws: MapError.self) { try context(collection(many)) }
    }
}
