import Foundation
import Portolan
import PortolanFeatures
import PortolanRaster
import PortolanServerCore
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct ViewerSessionTests {
    /// Level 4 of web mercator: units of the map a view pixel.
    private static let resolution = 2 * 20_037_508.342789244 / 256 / 16

    /// Events of a mouse that drags from one place to another and rests there.
    private static func drag(_ sequence: Int, from start: (Int, Int), to end: (Int, Int)) -> String {
        func event(_ time: Int, _ phase: String, _ place: (Int, Int), _ buttons: Int) -> String {
            """
            {"t": \(time), "type": "pointer", "phase": "\(phase)", "id": 1, "kind": "mouse", "x": \(place.0),
             "y": \(place.1), "buttons": \(buttons), "keys": 0}
            """
        }
        let events = [
            event(0, "down", start, 1), event(100, "move", end, 1), event(1000, "move", end, 1),
            event(1010, "up", end, 0),
        ]
        return #"{"seq": \#(sequence), "events": [\#(events.joined(separator: ","))]}"#
    }

    @Test func `the first picture equals the rendered view`() async throws {
        let sample = try await SampleServer(), viewer = try await SampleViewer(sample)
        let (frame, picture) = try await viewer.settled()
        let map = try #require(sample.book["square"])
        let viewport = try Viewport(
            center: .init(x: 0, y: 0), resolution: #require(Resolution(zoom: 4, in: .webMercator)),
            size: #require(ImageSize(width: 256, height: 256)))
        let drawn = try await map.renderer.render(map.layers, in: viewport).image
        #expect(picture == drawn)
        #expect(frame.number("resolution") == Self.resolution && frame.number("lon") == 0)
    }

    @Test func `a drag moves the map by its length, and the picture follows`() async throws {
        let viewer = try await SampleViewer(SampleServer())
        _ = try await viewer.settled()
        let answer = await viewer.tell("input", Self.drag(1, from: (100, 100), to: (160, 130)))
        #expect(answer.status == 200)
        let (frame, picture) = try await viewer.settled { $0.head["ack"]?.integerValue == 1 && $0.number("x") != 0 }
        let x = try #require(frame.number("x")), y = try #require(frame.number("y"))
        #expect(abs(x + 60 * Self.resolution) < 0.01 && abs(y - 30 * Self.resolution) < 0.01)
        #expect(frame.number("x", of: "picture") == x, "the picture shows where the map is")
        // The square is 113.8 pixels wide, with its middle now at 188, 158.
        #expect(picture[188, 158] == Pixel(MapColor(red: 255, green: 0, blue: 0)) && picture[120, 158].alpha == 255)
        #expect(picture[125, 158] != Pixel(MapColor(red: 255, green: 0, blue: 0)))
        // The same batch again, as after an answer that was lost, does nothing.
        await viewer.tell("input", Self.drag(1, from: (100, 100), to: (160, 130)))
        #expect(try await viewer.frame().number("x") == x)
    }

    @Test func `a request for a newer frame is answered when there is one`() async throws {
        let sample = try await SampleServer(), viewer = try await SampleViewer(sample)
        let (rest, _) = try await viewer.settled()
        let seen = try #require(rest.head["n"]?.integerValue)
        let waiting = Task { try await viewer.frame(after: seen, knowing: 1) }
        await viewer.tell("input", #"{"seq": 1, "events": [{"t": 0, "type": "key", "key": "plus"}]}"#)
        let newer = try await waiting.value
        #expect(try #require(newer.head["n"]?.integerValue) > seen)
        let (zoomed, _) = try await viewer.settled { $0.number("zoom") == 5 }
        #expect(zoomed.number("resolution") == Self.resolution / 2)
    }

    @Test func `a page is notified when it can go back to another view`() async throws {
        let viewer = try await SampleViewer(SampleServer())
        func told() async throws -> Int {
            let frame = try await viewer.settled().frame
            return try #require(frame.head["state"]?.integerValue)
        }
        let first = try await told()
        #expect(try await viewer.state()["canGoBack"]?.boolValue == false)
        await viewer.tell("input", #"{"seq": 1, "events": [{"t": 0, "type": "key", "key": "plus"}]}"#)
        _ = try await viewer.settled { $0.number("zoom") == 5 }
        let second = try await told()
        #expect(second > first)
        #expect(try await viewer.state()["canGoBack"]?.boolValue == true)
        await viewer.tell("input", #"{"seq": 2, "events": [{"t": 900, "type": "key", "key": "minus"}]}"#)
        _ = try await viewer.settled { $0.number("zoom") == 4 }
        #expect(try await viewer.state()["state"]?.integerValue ?? 0 >= second)
    }

    @Test func `layers are hidden, made translucent and reordered`() async throws {
        let viewer = try await SampleViewer(SampleServer())
        let red = try await viewer.settled().picture[128, 128]
        #expect(await viewer.tell("command", #"{"do": "layer", "name": "square", "opacity": 0.5}"#).status == 204)
        let picture = try await viewer.settled(showing: { $0[128, 128] != red }).picture
        #expect(picture[128, 128] == Pixel(MapColor(red: 255, green: 127, blue: 127)))
        let layers = try #require(try await viewer.state()["layers"]?.arrayValue)
        #expect(layers.count == 1)
        #expect(await viewer.tell("command", #"{"do": "layer", "name": "none", "visible": false}"#).status == 422)
    }

    @Test func `an uploaded file becomes a layer shown whole, and its references are not fetched`() async throws {
        let viewer = try await SampleViewer(SampleServer())
        _ = try await viewer.settled()
        let body = """
            {"type": "FeatureCollection", "features": [{"type": "Feature", "id": 7,
            "properties": {"name": "Here", "marker-size": "large", "floor": 3, "icon": "file:///etc/passwd"},
            "geometry": {"type": "Point", "coordinates": [24.9, 60.2]}}]}
            """
        #expect(await viewer.tell("features?name=places.geojson", body).status == 204)
        let state = try await viewer.state()
        let names = try #require(state["layers"]?.arrayValue).map { layer -> String? in
            if case .object(let members) = layer { members["name"]?.stringValue } else { nil }
        }
        #expect(names == ["places.geojson", "square"], "the topmost first")
        let frame = try await viewer.frame()
        #expect(abs(try #require(frame.number("lon")) - 24.9) < 1e-6)
        #expect(await viewer.tell("command", #"{"do": "select", "id": 7}"#).status == 204)
        guard case .object(let chosen)? = try await viewer.state()["selected"] else {
            Issue.record("nothing is selected")
            return
        }
        #expect(chosen["title"] == "Here")
        #expect(chosen["rows"] == [["floor", "3"]])
        #expect(await viewer.tell("command", #"{"do": "remove", "name": "places.geojson"}"#).status == 204)
        #expect(try await viewer.state()["selected"] == nil)
        let broken = await viewer.tell("features?name=broken.geojson", "{")
        #expect(broken.status == 400)
        #expect(String(decoding: broken.body, as: UTF8.self).contains("broken.geojson"))
        for number in 1...20 {
            #expect(await viewer.tell("features?name=\(number)", body).status == 204)
        }
        #expect(await viewer.tell("features?name=21", body).status == 413)
    }

    @Test(
        arguments: [
            ("input", "", nil), ("input", "[]", nil), ("input", "{}", "seq"),
            ("input", #"{"seq": 0, "events": []}"#, "seq"),
            ("input", #"{"seq": 1, "events": 3}"#, "events"), ("input", #"{"seq": 1, "events": [3]}"#, "events"),
            ("input", #"{"seq": 1, "events": [{"t": -1, "type": "key"}]}"#, "t"),
            ("input", #"{"seq": 1, "events": [{"t": 1, "type": "sigh"}]}"#, "type"),
            ("input", #"{"seq": 1, "events": [{"t": 1, "type": "key", "key": "q"}]}"#, "key"),
            ("input", #"{"seq": 1, "events": [{"t": 1, "type": "wheel", "unit": "pixels", "delta": 1e99}]}"#, "delta"),
            ("command", #"{"do": "dance"}"#, "do"), ("command", #"{"do": "show", "lon": 1e9, "lat": 0}"#, "lon"),
            ("command", #"{"do": "resize", "width": 100000, "height": 1}"#, "width"),
            ("command", #"{"do": "layer", "name": "square", "opacity": 2}"#, "opacity"),
            ("command", #"{"do": "layer", "name": "square", "visible": 1}"#, "visible"),
        ] as [(String, String, String?)])
    func `invalid input is rejected with its key`(path: String, body: String, key: String?) async throws {
        let viewer = try await SampleViewer(SampleServer())
        let response = await viewer.tell(path, body)
        #expect(response.status == 400)
        #expect(try SampleViewer.object(response.body)["key"]?.stringValue == key)
    }

    @Test(arguments: [true, false]) func `keys rotate a map that has flown home`(isCalm: Bool) async throws {
        let viewer = try await SampleViewer(SampleServer(), isCalm: isCalm)
        let (first, _) = try await viewer.settled()
        var sequence = 0
        func press(_ key: String) async {
            sequence += 1
            await viewer.tell("input", #"{"seq": \#(sequence), "events": [{"t": 0, "type": "key", "key": "\#(key)"}]}"#)
        }
        await press("plus")
        _ = try await viewer.settled { $0.number("zoom") == 5 }
        await press("home")
        _ = try await viewer.settled { $0.number("zoom") == first.number("zoom") }
        await press("home")
        await press("comma")
        let (turned, _) = try await viewer.settled { $0.number("bearing") != 0 }
        #expect(turned.number("bearing") == 15)
        await press("zero")
        _ = try await viewer.settled { $0.number("bearing") == 0 }
    }
}
