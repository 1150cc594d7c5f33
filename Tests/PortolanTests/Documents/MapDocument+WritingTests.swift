import Foundation
import Portolan
import PortolanGeo
import PortolanPaint
import PortolanRaster
import PortolanWeb
import TestHelpers
import Testing

@Suite struct MapDocumentWritingTests {
    private func read(_ bytes: [UInt8], at path: String = "/maps/map.json") throws(MapError) -> MapDocument {
        try MapDocument(bytes: bytes, path: path)
    }

    private func whole() throws -> MapDocument {
        var document = MapDocument()
        document.view.size = ImageSize(width: 640, height: 480)
        document.view.pixelRatio = 1.5
        document.view.crs = try CRS("EPSG:25830")
        document.view.center = Coordinate(longitude: -0.88, latitude: 41.65)
        document.view.scaleDenominator = 25_000
        document.view.rotation = 30
        var home = ViewRequest()
        home.box = Extent(minX: -1, minY: 41.5, maxX: 0.25, maxY: 42)
        home.boxCRS = .crs84
        document.home = home
        document.limits.extent = Extent(minX: 600_000, minY: 4_500_000, maxX: 700_000, maxY: 4_700_000.5)
        document.limits.zoomRange = 3...17.5
        document.limits.snap = .levels
        document.limits.rotation = .steps(8)
        document.limits.northSnap = 0
        document.furniture.title = "A map"
        document.furniture.attribution = .text("me")
        document.furniture.theme = Furniture.Theme(ink: MapColor(red: 9, green: 8, blue: 7), panel: .white)
        document.furniture.background = MapColor(red: 1, green: 2, blue: 3)
        document.furniture.showsLegend = true
        document.furniture.showsNorthArrow = true
        document.furniture.graticule = .degrees(5)
        document.furniture.profile = MapDocument.Furniture.Profile(layer: "The route", showsSlopes: true)
        document.layers = [
            try LayerSpecification("wms:https://maps.example/wms?map=a;layers=a,b;opacity=0.5;params.TIME=2020-01-01"),
            try LayerSpecification(
                "xyz:https://{s}.maps.example/{z}/{x}/{y}.png;subdomains=a,b;max-zoom=9;visible=false"),
            try LayerSpecification("/maps/data/route.geojson;name=The route;stroke=#f00;stroke-width=2.5;label=name"),
            try LayerSpecification("mbtiles:/elsewhere/a.mbtiles;min-resolution=0.001"),
            try LayerSpecification("data:application/json,%7B%7D;name=1"),
        ]
        document.selected = .init(layer: "The route", feature: 7)
        document.fonts = [MapDocument.FontChoice("/maps/fonts/title.otf"), MapDocument.FontChoice("Noto Sans")]
        return document
    }

    @Test func `a written document is read back unchanged`() throws {
        let document = try whole(), (bytes, warnings) = document.encoded(relativeTo: "/maps/map.json")
        #expect(warnings.isEmpty)
        #expect(try read(bytes) == document)
        // It is the same without a place, and from another.
        #expect(try read(document.encoded().bytes) == document)
        #expect(
            try read(document.encoded(relativeTo: "/maps/data/map.json").bytes, at: "/maps/data/map.json") == document)
        #expect(try read(MapDocument().encoded().bytes) == MapDocument())
    }

    @Test func `files below the document have relative paths, others absolute ones`() throws {
        let text = String(decoding: try whole().encoded(relativeTo: "/maps/map.json").bytes, as: UTF8.self)
        #expect(text.contains(#"{"source":"data/route.geojson","label":"name","name":"The route""#))
        #expect(text.contains(#"{"mbtiles":"/elsewhere/a.mbtiles""#))
        #expect(text.contains(#""font": ["fonts/title.otf","Noto Sans"]"#))
        #expect(text.contains(#""size": [640,480]"#) && text.contains(#""version": 1"#))
    }

    @Test func `paths of styles and of their sources are written relative to the document`() throws {
        var document = MapDocument()
        document.layers = [
            try LayerSpecification("style:portolan-light;sources.openmaptiles=/maps/data/a.mbtiles"),
            try LayerSpecification("/maps/a.geojson;style=/maps/b.json"),
            try LayerSpecification("/maps/a.geojson;style=/elsewhere/b.json;name=c"),
        ]
        let bytes = document.encoded(relativeTo: "/maps/map.json").bytes, text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(#"{"style":"portolan-light","sources.openmaptiles":"data/a.mbtiles"}"#))
        #expect(text.contains(#"{"source":"a.geojson","style":"b.json"}"#))
        #expect(text.contains(#""style":"/elsewhere/b.json""#))
        #expect(try read(bytes) == document)
    }

    @Test func `credentials are not written, and each affected layer gets a warning`() throws {
        var document = MapDocument()
        document.layers = [
            try LayerSpecification("wms:https://me:hidden1@maps.example/wms?map=a&key=hidden2;layers=a;name=one"),
            try LayerSpecification("wms:https://maps.example/wms;layers=b;params.token=hidden3;params.TIME=2020"),
            try LayerSpecification("https://maps.example/services%3Bkey=hidden4/a.geojson"),
            try LayerSpecification("xyz:https://t.example/{z}/{x}/{y}.png?access_token=hidden5;name=tiles"),
            try LayerSpecification("xyz:https://t.example/{z}/{x}/{y}.png;name=plain"),
        ]
        let (bytes, warnings) = document.encoded()
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!text.contains("hidden"), "\(text)")
        #expect(warnings.map(\.code) == Array(repeating: .credentials, count: 4))
        #expect(warnings.map(\.layer) == ["one", "b", "a", "tiles"])
        let read = try read(bytes)
        #expect(read.layers.map(\.source)[0] == "https://maps.example/wms?map=a")
        #expect(read.layers[1]["params.TIME"] == "2020" && read.layers[1]["params.token"] == nil)
        #expect(read.layers[4] == document.layers[4])
    }

    @Test func `a snap grid is not written and gives a warning`() throws {
        var document = MapDocument()
        document.limits.snap = .grid(try #require(TileGrid.webMercator(levels: 0...3)))
        #expect(document.encoded().warnings.map(\.code) == [.notWritten])
    }

    @Test func `unknown keys of a newer document are ignored with warnings`() throws {
        let text = """
            {"version": 2, "zoom": 3, "center": [1, 2], "mood": "blue", "limits": {"tilt": 60, "max-zoom": 9},
             "layers": [{"xyz": "https://t.example/{z}/{x}/{y}", "tint": {"of": "red"}, "hue": 3}, {"hologram": "a"}]}
            """
        let read = try read(Array(text.utf8))
        #expect(
            read.warnings.map(\.code) == [
                .newerVersion, .unknownKey, .unknownKey, .unknownKey, .unknownKey, .unknownLayer,
            ])
        #expect(read.warnings[0].detail.contains("version 2"))
        #expect(read.layers.count == 1 && read.limits.zoomRange == -30...9 && read.view.zoom == 3)
        // The same in a document of this version is an error.
        #expect(throws: MapError.self) { try self.read(Array(text.replacing("2, \"z", with: "1, \"z").utf8)) }
    }

    @Test(
        arguments: [
            (#"{"version": 0}"#, "'version'"), (#"{"version": "1"}"#, "'version'"), (#"{"home": 3}"#, "'home'"),
            (#"{"home": {"layers": []}}"#, "unknown key 'layers' in 'home'"),
            (#"{"home": {"zoom": 3}, "x": 1}"#, "unknown key 'x'"),
            (#"{"limits": []}"#, "'limits'"), (#"{"limits": {"bbox": [0, 1, 1, 0]}}"#, "east first"),
            (#"{"limits": {"min-zoom": 9, "max-zoom": 3}}"#, "less than"),
            (#"{"limits": {"min-zoom": 99}}"#, "from -30 to 60"),
            (#"{"limits": {"snap": "tiles"}}"#, "must be free or levels"), (#"{"limits": {"rotation": 0}}"#, "steps"),
            (#"{"limits": {"tilt": 3}}"#, "unknown key 'tilt'"), (#"{"selected": "a"}"#, "'selected'"),
            (#"{"selected": {"layer": "a", "feature": true}}"#, "'selected'"),
            (#"{"layers": [{"source": "a", "visible": "perhaps"}]}"#, "visible=perhaps must be true or false"),
        ])
    func `invalid values of the newer keys are errors that name the key`(text: String, words: String) {
        do {
            _ = try read(Array(text.utf8))
            Issue.record("the document was taken")
        } catch { #expect("\(error)".contains(words), "\(error)") }
    }

    @Test func `there are at most a thousand layers`() throws {
        let layers = Array(repeating: #"{"source": "a"}"#, count: 1001).joined(separator: ",")
        #expect(throws: MapError.self) { try read(Array(#"{"layers": [\#(layers)]}"#.utf8)) }
    }

    @Test func `a remote document may not refer to files or private networks`() throws {
        let base = BaseURL("https://maps.example/a/map.json")
        func read(_ layer: String) throws -> MapDocument {
            try MapDocument(bytes: Array(#"{"layers": [\#(layer)]}"#.utf8), base: base)
        }
        let relative = try #require(try read(#"{"source": "../b.geojson"}"#).layers.first)
        #expect(relative.source == "https://maps.example/b.geojson")
        #expect(relative.origin == base.contents && relative.origin != .user)
        for layer in [
            #"{"source": "file:///etc/passwd"}"#, #"{"source": "-"}"#, #"{"mbtiles": "/a.mbtiles"}"#,
            #"{"gpkg": "a.gpkg"}"#,
            #"{"wms": "http://127.0.0.1/wms", "layers": "a"}"#, #"{"xyz": "http://10.0.0.1/{z}/{x}/{y}"}"#,
            #"{"source": "http://localhost/a.geojson"}"#, #"{"xyz": "file:///a/{z}/{x}/{y}"}"#,
        ] {
            #expect(throws: MapError.self, "\(layer)") { try read(layer) }
        }
        // A path is one of the server's.
        #expect(try read(#"{"source": "/etc/passwd"}"#).layers.first?.source == "https://maps.example/etc/passwd")
        let fonts = try MapDocument(bytes: Array(#"{"font": ["/a/b.otf", "Noto Sans"]}"#.utf8), base: base)
        #expect(fonts.fonts.map(\.text) == ["Noto Sans"] && fonts.warnings.map(\.code) == [.refusedAddress])
    }

    @Test func `a document is written to and read from a file, and an unreadable path is an error`() throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "documents-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let document = try whole(), path = folder + "/map.json"
        try document.write(to: path)
        #expect(try MapDocument(path: path) == document)
        #expect(throws: MapError.self) { try document.write(to: folder + "/none/map.json") }
        for (path, cause) in [
            (folder, DocumentError.Cause.folder), (folder + "/none", .missing), ("/dev/zero", .unreadable),
        ] {
            do {
                _ = try MapDocument(path: path)
                Issue.record("\(path) was read")
            } catch { #expect((error.inner as? DocumentError)?.cause == cause) }
        }
    }
}
