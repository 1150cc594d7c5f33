import Foundation
import Portolan
import PortolanFeatures
import PortolanRaster
import PortolanServerCore
import TestHelpers
import Testing

/// Changes of styles by `addlayer`, `setfilter`, `layer_id`, `before_layer` and `language`.
@Suite struct StyleChangesTests {
    private static let red = Pixel(MapColor(red: 255, green: 0, blue: 0))
    private static let blue = Pixel(MapColor(red: 0, green: 0, blue: 255))
    private static let green = Pixel(MapColor(red: 0, green: 128, blue: 0))

    /// A server of a style with a red square of ten degrees, and a blue one of four degrees above it.
    private func sample() async throws -> SampleServer {
        let sample = try await SampleServer(), folder = sample.folder
        let style = """
            {"version": 8, "sources": {"low": {"type": "geojson", "data": "square.geojson"},
            "high": {"type": "geojson", "data": "blue.geojson"},
            "unused": {"type": "geojson", "data": "square.geojson"}}, "layers": [
            {"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
            {"id": "low", "type": "fill", "source": "low", "paint": {"fill-color": "#ff0000"}},
            {"id": "high", "type": "fill", "source": "high", "paint": {"fill-color": "#0000ff"}}]}
            """
        try folder.write(Array(style.utf8), to: "town.json")
        let town = MapSource(name: "town", layers: ["style:\(folder.path)/town.json"])
        let both = MapSource(
            name: "both",
            layers: ["\(folder.path)/square.geojson;name=low", "\(folder.path)/blue.geojson;name=high"])
        sample.server.replace(try await MapBook.open([town, both], configuration: RendererConfiguration()))
        return sample
    }

    /// The address of a map whose middle is at 0, 0, with ten pixels a degree about.
    private func target(_ query: [String: String], map: String = "town", overlay: String = "") throws -> String {
        var allowed = CharacterSet.alphanumerics
        allowed.insert("-")
        let items = try query.sorted { $0.key < $1.key }.map { key, value in
            "\(key)=" + (try #require(value.addingPercentEncoding(withAllowedCharacters: allowed)))
        }
        return "/styles/v1/me/\(map)/static/\(overlay)0,0,3/200x100?" + items.joined(separator: "&")
    }

    private static let wide =
        #"geojson({"type":"Polygon","coordinates":[[[-4,-4],[4,-4],[4,4],[-4,4],[-4,-4]]]})"#
        .replacing("\"", with: "%22").replacing("{", with: "%7B").replacing("}", with: "%7D")
        .replacing("[", with: "%5B").replacing("]", with: "%5D") + "/"

    @Test func `a filter replaces that of a layer`() async throws {
        let sample = try await sample()
        #expect(try await sample.pixels(try target([:]))[100, 50] == Self.blue)
        let none = try target(["setfilter": #"["==",["get","name"],"none"]"#, "layer_id": "high"])
        #expect(try await sample.pixels(none)[100, 50] == Self.red)
        let old = try target(["setfilter": #"["==","name","none"]"#, "layer_id": "high"])
        #expect(try await sample.pixels(old)[100, 50] == Self.red)
        // The map itself is not changed.
        #expect(try await sample.pixels(try target([:]))[100, 50] == Self.blue)
    }

    @Test func `a layer is added on top, or below another one`() async throws {
        let sample = try await sample()
        let layer = ##"{"id":"new","type":"fill","source":"low","paint":{"fill-color":"#008000"}}"##
        let top = try await sample.pixels(try target(["addlayer": layer]))
        #expect(top[100, 50] == Self.green)
        let below = try await sample.pixels(try target(["addlayer": layer, "before_layer": "high"]))
        #expect(below[100, 50] == Self.blue)
        #expect(below[60, 50] == Self.green)
    }

    @Test func `overlays are drawn below a layer of the style, or of the map`() async throws {
        let sample = try await sample()
        for map in ["town", "both"] {
            let plain = try await sample.pixels(try target([:], map: map, overlay: Self.wide))
            let below = try await sample.pixels(try target(["before_layer": "high"], map: map, overlay: Self.wide))
            #expect(plain[100, 50] != Self.blue, "\(map)")
            #expect(below[100, 50] == Self.blue, "\(map)")
            // Between the squares the overlay is above the red one.
            #expect(below[75, 50] == plain[75, 50] && below[75, 50] != Self.red, "\(map)")
            #expect(below[50, 50] == Self.red, "\(map)")
        }
    }

    @Test(arguments: [
        (["setfilter": "[\"==\",1,1]", "layer_id": "none"], "layer_id"),
        (["setfilter": "[\"nonsense\"]", "layer_id": "high"], "setfilter"),
        (["addlayer": #"{"type":"fill","source":"low"}"#], "addlayer"),
        (["addlayer": #"{"id":"high","type":"fill","source":"low"}"#], "addlayer"),
        (["addlayer": #"{"id":"new","type":"nonsense","source":"low"}"#], "addlayer"),
        (["addlayer": #"{"id":"new","type":"fill","source":"none"}"#], "addlayer"),
        (["addlayer": #"{"id":"new","type":"fill","source":"unused"}"#], "addlayer"),
        (["addlayer": #"{"id":"new","type":"fill"}"#], "addlayer"),
        (["addlayer": #"{"id":"new","type":"raster","source":"low"}"#], "addlayer"),
        (
            ["addlayer": #"{"id":"new","type":"fill","source":{"type":"geojson","data":"http://127.0.0.1:9/a"}}"#],
            "addlayer"
        ),
        (["addlayer": #"{"id":"new","type":"fill","source":"low","paint":{"fill-color":"nocolour"}}"#], "addlayer"),
        (["before_layer": "none", "addlayer": #"{"id":"new","type":"fill","source":"low"}"#], "before_layer"),
    ])
    func `a change that is not possible is refused with its key`(query: [String: String], key: String) async throws {
        let response = await (try await sample()).get(try target(query))
        #expect(response.status == 400)
        #expect(try JSONReader.value(bytes: response.body).objectValue?["key"]?.stringValue == key)
    }

    #if Text
    @Test func `the language of a request is that of the labels of a style`() async throws {
        let sample = try await SampleServer(), folder = sample.folder
        let place = """
            {"type": "Feature", "properties": {"name": "iiii", "name:es": "WWWWWWWW"},
            "geometry": {"type": "Point", "coordinates": [0, 0]}}
            """
        try folder.write(Array(place.utf8), to: "place.geojson")
        let style = """
            {"version": 8, "sources": {"place": {"type": "geojson", "data": "place.geojson"}}, "layers": [
            {"id": "names", "type": "symbol", "source": "place", "layout": {"text-field": ["get", "name"]}}]}
            """
        try folder.write(Array(style.utf8), to: "town.json")
        var configuration = RendererConfiguration()
        configuration.fontFiles = ["\(SampleServer.fixtures)/fonts/DejaVuSans.ttf"]
        configuration.usesSystemFonts = false
        let town = MapSource(name: "town", layers: ["style:\(folder.path)/town.json"])
        sample.server.replace(try await MapBook.open([town], configuration: configuration))
        let start = "/maps/api/staticmap?center=0,0&zoom=3&size=300x100"
        let local = await sample.get(start), spanish = await sample.get(start + "&language=es")
        let finnish = await sample.get(start + "&language=fi")
        for response in [local, spanish, finnish] {
            #expect(response.status == 200)
            #expect(response[header: "Portolan-Warning"] == nil)
        }
        #expect(try ImageReading.pixels(local.body) != ImageReading.pixels(spanish.body))
        #expect(try ImageReading.pixels(local.body) == ImageReading.pixels(finnish.body))
    }
    #endif
}
