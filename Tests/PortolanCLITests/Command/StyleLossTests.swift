import Foundation
import TestHelpers
import Testing

/// Exit 0, `complete: true` and "all drawn" are said of styles only if they are true; `render` and `doctor` name the
/// same.
@Suite(.timeLimit(.minutes(3))) struct StyleLossTests {
    /// A layer of a style that is missing, or looks otherwise.
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        /// The source `s`, or none, and the layer `lost`, in JSON.
        var source = ""
        var layer: String
        /// The messages of both commands.
        var words: String
        /// Other members of the style.
        var members = ""
        var testDescription: String { name }
    }

    private static let place =
        #""s": {"type": "geojson", "data": {"type": "Point", "coordinates": [1, 1]}}"#
    private static let nobody = "http://127.0.0.1:9"

    /// The missing parts.
    static let losses = [
        Case(
            name: "vector tiles", source: #""s": {"type": "vector", "tiles": ["\#(nobody)/{z}/{x}/{y}.pbf"]}"#,
            layer: #""type": "line", "source": "s", "source-layer": "roads""#, words: "127.0.0.1"),
        Case(
            name: "vector tiles without a layer of theirs",
            source: #""s": {"type": "vector", "tiles": ["\#(nobody)/{z}/{x}/{y}.pbf"]}"#,
            layer: #""type": "line", "source": "s""#, words: "source-layer"),
        Case(
            name: "a type of source that nobody knows", source: #""s": {"type": "xyzzy"}"#,
            layer: #""type": "line", "source": "s""#, words: "'xyzzy'"),
        Case(
            name: "a file that is not there", source: #""s": {"type": "geojson", "data": "none.geojson"}"#,
            layer: #""type": "line", "source": "s""#, words: "none.geojson"),
        Case(
            name: "a file that is broken", source: #""s": {"type": "geojson", "data": "broken.geojson"}"#,
            layer: #""type": "line", "source": "s""#, words: "broken.geojson"),
        Case(
            name: "features of a server that is not there",
            source: #""s": {"type": "geojson", "data": "\#(nobody)/a.geojson"}"#,
            layer: #""type": "line", "source": "s""#, words: "127.0.0.1"),
        Case(
            name: "a source without data", source: #""s": {"type": "geojson"}"#,
            layer: #""type": "line", "source": "s""#, words: "no data"),
        Case(
            name: "a picture of a server that is not there",
            source:
                #""s": {"type": "image", "url": "\#(nobody)/a.png", "coordinates": [[-9, 9], [9, 9], [9, -9], [-9, -9]]}"#,
            layer: #""type": "raster", "source": "s""#, words: "127.0.0.1"),
        Case(
            name: "tiles without an address", source: #""s": {"type": "raster"}"#,
            layer: #""type": "raster", "source": "s""#, words: "no tiles"),
        Case(
            name: "tiles of a server that is not there",
            source: #""s": {"type": "raster", "tiles": ["\#(nobody)/{z}/{x}/{y}.png"]}"#,
            layer: #""type": "raster", "source": "s""#, words: "127.0.0.1"),
        Case(
            name: "a source that the style does not have", layer: #""type": "line", "source": "t""#,
            words: "no such source"),
        Case(
            name: "pictures of features", source: place, layer: #""type": "raster", "source": "s""#,
            words: "other data"),
        Case(
            name: "a type of layer that is not drawn", source: place, layer: #""type": "sky", "source": "s""#,
            words: "'sky'"),
        Case(
            name: "a filter that cannot be used", source: place,
            layer: #""type": "circle", "source": "s", "filter": ["xyzzy"]"#, words: "xyzzy"),
        Case(
            name: "a text that cannot be used", source: place,
            layer: #""type": "symbol", "source": "s", "layout": {"text-field": ["xyzzy"]}"#, words: "text-field"),
        Case(
            name: "a picture that no sprite has", source: place,
            layer: #""type": "symbol", "source": "s", "layout": {"icon-image": "xyzzy"}"#, words: "'xyzzy'"),
        Case(
            name: "a sprite of a server that is not there", source: place,
            layer: #""type": "symbol", "source": "s", "layout": {"icon-image": "park"}"#, words: "127.0.0.1",
            members: #""sprite": "\#(nobody)/sprite", "#),
    ]

    private let portolan: BuiltCommand
    private let view = ["--center", "0,0", "--zoom", "3", "--size", "64x64", "--retries", "0", "--no-cache"]

    init() throws { portolan = try BuiltCommand() }

    /// A style with a background, a layer that is drawn, and the one of the case.
    private func write(_ style: Case) throws {
        let data = #"{"type": "LineString", "coordinates": [[-9, -9], [9, 9]]}"#
        let sources = [#""good": {"type": "geojson", "data": \#(data)}"#, style.source].filter { !$0.isEmpty }
        try portolan.write("{\"type\": \"Feature", to: "broken.geojson")
        try portolan.write(
            ##"""
            {"version": 8, \##(style.members)"sources": {\##(sources.joined(separator: ", "))}, "layers": [
             {"id": "ground", "type": "background", "paint": {"background-color": "#ff0000"}},
             {"id": "good", "type": "line", "source": "good"}, {"id": "lost", \##(style.layer)}]}
            """##, to: "style.json")
    }

    private struct Report: Decodable {
        var complete: Bool
        var warnings: [String]
    }

    private func report() throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(try #require(portolan.file("report.json"))))
    }

    private struct Diagnosis: Decodable {
        struct Finding: Decodable {
            var layer: String?
            var reason: String
        }
        var layers: Int
        var drawnLayers: Int
        var notDrawn: [Finding]
    }

    @Test(arguments: losses) func `lost parts of a style are reported, and the picture is incomplete`(
        _ style: Case
    ) async throws {
        try write(style)
        let render = ["render", "-l", "style:style.json", "-o", "a.png", "--report", "report.json"] + view
        let drawn = try await portolan.run(render)
        #expect(drawn.status == 3 && portolan.file("a.png") != nil, "\(drawn.testDescription)")
        #expect(try !report().complete)
        #expect(drawn.errors.contains(style.words), "\(drawn.testDescription)")
        try FileManager.default.removeItem(at: portolan.folder.appending(path: "a.png"))
        for option in [["--strict"], ["--max-missing", "0%"]] {
            let refused = try await portolan.run(render + option)
            #expect([65, 69].contains(refused.status), "\(option): \(refused.testDescription)")
            #expect(portolan.file("a.png") == nil)
        }
        let doctor = try await portolan.run(["doctor", "style.json"])
        let said = String(decoding: doctor.output, as: UTF8.self)
        #expect(doctor.status == 3 && said.contains("2 of 3 layers drawn"), "\(said)")
        #expect(said.contains(style.words) && !said.contains("all drawn"), "\(said)")
    }

    @Test func `a share of lost parts may be allowed`() async throws {
        try write(try #require(Self.losses.first { $0.name == "a file that is not there" }))
        for (share, status) in [("20%", Int32(69)), ("40%", 3)] {
            let ended = try await portolan.run(
                ["render", "-l", "style:style.json", "-o", "a.png", "--max-missing", share] + view)
            #expect(ended.status == status, "\(share): \(ended.testDescription)")
        }
    }

    @Test(arguments: [
        (#""type": "circle", "source": "s", "paint": {"circle-xyzzy": 1}"#, "circle-xyzzy"),
        (
            #""type": "symbol", "source": "s", "layout": {"text-field": "a"}, "paint": {"icon-halo-blur": 2}"#,
            "icon-halo-blur"
        ),
    ]) func `an unsupported style property is a warning, and the picture is complete`(
        _ layer: String, _ word: String
    ) async throws {
        try write(Case(name: "", source: Self.place, layer: layer, words: ""))
        let drawn = try await portolan.run(
            ["render", "-l", "style:style.json", "-o", "a.png", "--strict", "--report", "report.json"] + view)
        #expect(drawn.status == 0 && drawn.errors.contains(word), "\(drawn.testDescription)")
        #expect(try report().complete)
        let doctor = try await portolan.run(["doctor", "style.json"])
        let said = String(decoding: doctor.output, as: UTF8.self)
        #expect(doctor.status == 3 && said.contains("3 of 3 layers drawn") && said.contains(word), "\(said)")
    }

    @Test(arguments: [#""minzoom": 12"#, #""layout": {"visibility": "none"}"#])
    func `a layer hidden in the view is reported as missing only by the doctor`(_ member: String) async throws {
        try write(
            Case(
                name: "", source: #""s": {"type": "vector"}"#, layer: #""type": "line", "source": "s", \#(member)"#,
                words: ""))
        let drawn = try await portolan.run(["render", "-l", "style:style.json", "-o", "a.png", "--strict"] + view)
        #expect(drawn.status == 0, "\(drawn.testDescription)")
        let doctor = try await portolan.run(["doctor", "--json", "style.json"])
        let diagnosis = try JSONDecoder().decode(Diagnosis.self, from: Data(doctor.output))
        #expect(doctor.status == 3 && diagnosis.layers == 3 && diagnosis.drawnLayers == 2)
        #expect(diagnosis.notDrawn.contains { $0.layer == "lost" })
    }

    @Test func `a fully supported style is reported as complete`() async throws {
        try write(Case(name: "", source: Self.place, layer: #""type": "circle", "source": "s""#, words: ""))
        let drawn = try await portolan.run(
            ["render", "-l", "style:style.json", "-o", "a.png", "--strict", "--report", "report.json"] + view)
        #expect(drawn.status == 0 && drawn.errors.isEmpty, "\(drawn.testDescription)")
        #expect(try report().complete)
        let doctor = try await portolan.run(["doctor", "style.json"])
        let said = String(decoding: doctor.output, as: UTF8.self)
        #expect(doctor.status == 0 && said.contains("3 of 3") && said.contains("all drawn"), "\(said)")
    }

    #if Text
    @Test(arguments: [
        ("http://127.0.0.1:9/{fontstack}/{range}.pbf", true, "127.0.0.1"),
        ("http://127.0.0.1:9/{fontstack}/{range}.pbf", false, nil),
        ("fonts/{fontstack}/{range}.pbf", true, nil), ("none/{fontstack}/{range}.pbf", true, "none"),
        ("mapbox://fonts/a/{fontstack}/{range}.pbf", true, "invalid address"),
    ])
    func `the doctor requests one glyph range of a style with texts`(
        glyphs: String, hasText: Bool, finding: String?
    ) async throws {
        let fonts = portolan.folder.appending(path: "fonts/Noto Sans Regular")
        try FileManager.default.createDirectory(at: fonts, withIntermediateDirectories: true)
        try Data(Fixture.bytes("glyphs/Noto Sans Regular/0-255.pbf")).write(to: fonts.appending(path: "0-255.pbf"))
        let text = #""layout": {"text-field": "a", "text-font": ["DejaVu Sans", "Noto Sans Regular"]}"#
        try write(
            Case(
                name: "", source: Self.place,
                layer: hasText ? #""type": "symbol", "source": "s", \#(text)"# : #""type": "circle", "source": "s""#,
                words: "", members: #""glyphs": "\#(glyphs)", "#))
        let doctor = try await portolan.run(["doctor", "style.json"])
        let said = String(decoding: doctor.output, as: UTF8.self)
        #expect(doctor.status == (finding == nil ? 0 : 3) && said.contains("3 of 3"), "\(said)")
        #expect(said.contains("all drawn") == (finding == nil), "\(said)")
        if let finding { #expect(said.contains("glyphs: ") && said.contains(finding), "\(said)") }
        // The picture needs none.
        let drawn = try await portolan.run(["render", "-l", "style:style.json", "-o", "a.png", "--strict"] + view)
        #expect(drawn.status == 0, "\(drawn.testDescription)")
    }
    #endif

    @Test(arguments: ["a.geojson", "points:a.geojson", "style:places.json"])
    func `features that cannot be read are reported as missing`(_ layer: String) async throws {
        try portolan.write(
            #"""
            {"type": "FeatureCollection", "features": [
             {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 2]}},
             {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, "x"]}}]}
            """#, to: "a.geojson")
        try portolan.write(
            #"{"version": 8, "sources": {"s": {"type": "geojson", "data": "a.geojson"}}, "layers": [{"id": "c", "type": "circle", "source": "s"}]}"#,
            to: "places.json")
        let drawn = try await portolan.run(["render", "-l", layer, "-o", "a.png", "--report", "report.json"] + view)
        #expect(drawn.status == 3 && drawn.errors.contains("#2"), "\(drawn.testDescription)")
        #expect(try !report().complete)
        #expect(drawn.errors.split(separator: "\n").count { $0.contains("#2") } == 1, "said once: \(drawn.errors)")
        let refused = try await portolan.run(["render", "-l", layer, "-o", "b.png", "--strict"] + view)
        #expect(refused.status == 65 && portolan.file("b.png") == nil, "\(refused.testDescription)")
    }

    @Test(arguments: [
        ("<PolygonSymbolizer><Geometry><ogc:Function name='buffer'/></Geometry><Fill/></PolygonSymbolizer>", "buffer"),
        ("<RasterSymbolizer/>", "RasterSymbolizer"),
        (
            "<PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xlink:href='a.svg'/><Format>image/svg</Format></ExternalGraphic></Graphic></PointSymbolizer>",
            "ExternalGraphic"
        ),
    ]) func `a symbolizer that cannot be drawn is reported as missing`(
        _ symbolizer: String, _ word: String
    ) async throws {
        try portolan.write(#"{"type": "LineString", "coordinates": [[-9, -9], [9, 9]]}"#, to: "a.geojson")
        try portolan.write(
            """
            <StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"
             xmlns:xlink="http://www.w3.org/1999/xlink"><NamedLayer><Name>l</Name><UserStyle><FeatureTypeStyle>
            <Rule><LineSymbolizer><Stroke/></LineSymbolizer></Rule><Rule>\(symbolizer)</Rule>
            </FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>
            """, to: "a.sld")
        let drawn = try await portolan.run(["render", "-l", "a.geojson;style=a.sld", "-o", "a.png"] + view)
        #expect(drawn.status == 3 && drawn.errors.contains(word), "\(drawn.testDescription)")
        let doctor = try await portolan.run(["doctor", "a.sld"])
        let said = String(decoding: doctor.output, as: UTF8.self)
        #expect(doctor.status == 3 && said.contains(word), "\(said)")
        #expect(!said.contains("2 of 2") && !said.contains("3 of 3"), "\(said)")
    }
}
