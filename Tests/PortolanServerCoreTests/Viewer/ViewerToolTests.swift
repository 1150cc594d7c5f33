import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanRouteBook
import PortolanRouting
import PortolanServerCore
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(5))) struct ViewerToolTests {
    /// A mouse click at a position of the picture.
    private static func click(_ sequence: Int, _ x: Int, _ y: Int) -> String {
        let events = [("down", 0, 1), ("up", 50, 0)].map { phase, time, buttons in
            """
            {"t": \(sequence * 10_000 + time), "type": "pointer", "phase": "\(phase)", "id": 1, "kind": "mouse", "x": \(x),
             "y": \(y), "buttons": \(buttons), "keys": 0}
            """
        }
        return "{\"seq\": \(sequence), \"events\": [\(events.joined(separator: ","))]}"
    }

    private static func object(_ value: PropertyValue?) throws -> Properties {
        try #require(value?.objectValue)
    }

    @Test func `a length and an area are measured by clicks, which can be undone`() async throws {
        let viewer = try await SampleViewer(SampleServer())
        _ = try await viewer.settled()
        #expect(await viewer.tell("command", #"{"do": "measure", "step": "length"}"#).status == 204)
        for (number, place) in [(60, 128), (200, 128), (200, 200)].enumerated() {
            await viewer.tell("input", Self.click(number + 1, place.0, place.1))
        }
        var state = try await viewer.state()
        #expect(state["tool"] == "measure" && state["selected"] == nil)
        var measuring = try Self.object(state["measuring"])
        // So many pixels of level 4 along the equator, then southward: WGS 84.
        let degrees = 140 * 360.0 / 256 / 16
        let there = Geodesic.line(from: Coordinate(x: 0, y: 0), to: Coordinate(x: degrees, y: 0)).meters
        #expect(measuring["places"] == 3)
        let ways = try #require(measuring["ways"]?.arrayValue)
        try #require(ways.count == 2)
        #expect(ways[0] == [.string(MeasuringTool.text(meters: there)), 90])
        #expect(ways[1].arrayValue?.last == 180)
        let line = Pixel(MapColor(red: 0x0B, green: 0x6B, blue: 0xCB))
        _ = try await viewer.settled(showing: { $0[70, 128] == line })

        await viewer.tell("command", #"{"do": "measure", "step": "area"}"#)
        measuring = try Self.object(try await viewer.state()["measuring"])
        #expect(measuring["mode"] == "area" && measuring["text"]?.stringValue?.hasSuffix("km²") == true)
        #expect(measuring["around"] != nil)
        await viewer.tell("command", #"{"do": "measure", "step": "undo"}"#)
        measuring = try Self.object(try await viewer.state()["measuring"])
        #expect(measuring["places"] == 2 && measuring["canRedo"] == true)
        await viewer.tell("command", #"{"do": "measure", "step": "end"}"#)
        state = try await viewer.state()
        #expect(state["measuring"] == nil && state["tool"] == "select")
        #expect(try #require(state["layers"]?.arrayValue).count == 1)
    }

    @Test func `a route is planned through clicked places, reordered and saved`() async throws {
        let sample = try await SampleServer { $0.offer.planner = RoutePlanner(provider: StraightLines()) }
        let viewer = try await SampleViewer(sample)
        _ = try await viewer.settled()
        #expect(await sample.get("/session/\(viewer.name)/route").status == 404)
        await viewer.tell("command", #"{"do": "plan", "step": "begin"}"#)
        for (number, place) in [(28, 128), (228, 128), (128, 128)].enumerated() {
            await viewer.tell("input", Self.click(number + 1, place.0, place.1))
        }
        func planned() async throws -> Properties {
            while true {
                let plan = try Self.object(try await viewer.state()["plan"])
                if plan["busy"] == false { return plan }
                // Repeating the request immediately would leave no thread for planning.
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        var plan = try await planned()
        #expect(plan["places"]?.arrayValue?.count == 3 && plan["order"] == [0, 1, 2])
        #expect(plan["modes"] == ["foot", "bicycle", "car"] && plan["mode"] == "foot")
        await viewer.tell("command", #"{"do": "plan", "step": "best"}"#)
        plan = try await planned()
        #expect(plan["order"] == [0, 2, 1], "on the way lies the third")
        await viewer.tell("command", #"{"do": "plan", "step": "travel", "mode": "car"}"#)
        #expect(try await planned()["mode"] == "car")
        #expect(try #require(try await planned()["directions"]?.arrayValue).count >= 4)
        let file = try GeoJSONReader.read(await sample.get("/session/\(viewer.name)/route").body)
        #expect(file.features.contains { $0.geometry?.kind == .lineString || $0.geometry?.kind == .multiLineString })
        #expect(await viewer.tell("command", #"{"do": "plan", "step": "travel", "mode": "transit"}"#).status == 400)
        await viewer.tell("command", #"{"do": "plan", "step": "clear"}"#)
        #expect(try await planned()["places"] == [])
        let none = try await SampleViewer(SampleServer())
        #expect(try await none.state()["plan"] == nil)
        #expect(await none.tell("command", #"{"do": "plan", "step": "begin"}"#).status == 404)
    }

    @Test func `a route of the book is shown once, and followed`() async throws {
        let folder = try TemporaryFolder(), book = RouteBook(folder: folder.path + "/routes")
        let document = """
            {"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"name": "Harbour walk"},
             "geometry": {"type": "LineString", "coordinates": [[24.9, 60.1], [24.95, 60.1], [25, 60.15]]}}]}
            """
        let added = try book.add(Array(document.utf8), from: RouteBook.Source(file: "walk.geojson"))
        let viewer = try await SampleViewer(SampleServer { $0.routes = book })
        _ = try await viewer.settled()
        #expect(await viewer.tell("command", #"{"do": "simulate"}"#).status == 422, "no line on the map")
        for _ in 0..<2 {
            #expect(await viewer.tell("command", #"{"do": "route", "id": "\#(added.id)"}"#).status == 204)
        }
        let layers = try #require(try await viewer.state()["layers"]?.arrayValue)
        #expect(layers.map { $0.objectValue?["name"]?.stringValue } == [added.name, "square"])
        #expect(await viewer.tell("command", #"{"do": "route", "id": "none"}"#).status == 404)
        #expect(await viewer.tell("command", #"{"do": "simulate"}"#).status == 204)
        let (frame, _) = try await viewer.settled { abs(($0.number("lat") ?? 0) - 60.1) < 0.01 }
        #expect(try #require(frame.number("lon")) < 24.92, "it begins where the line does")
        #expect(try await viewer.state()["simulating"] == true)
        await viewer.tell("command", #"{"do": "simulate", "on": false}"#)
        let state = try await viewer.state()
        #expect(state["simulating"] == false && state["position"] == false)
    }

    @Test(
        arguments: [
            (#"{"type": "LineString", "coordinates": [[24.94, 60.1], [24.95, 60.11]]}"#, nil),
            // As route files name WGS 84, and as older files name other systems.
            (
                #"{"type": "LineString", "coordinates": [[24.94, 60.1], [24.95, 60.11]]}"#,
                #"{"type": "EPSG", "properties": {"code": "4326"}}"#
            ),
            (
                #"{"type": "LineString", "coordinates": [[2776308, 8422035], [2777421, 8424269]]}"#,
                #"{"type": "name", "properties": {"name": "EPSG:3857"}}"#
            ),
            (
                #"{"type": "MultiLineString", "coordinates": [[[0, 0], [1, 1]], [[24.94, 60.1], [24.945, 60.105], [24.95, 60.11]]]}"#,
                nil
            ),
        ] as [(String, String?)])
    func `a line is followed in degrees, whatever the CRS of its file`(geometry: String, crs: String?) async throws {
        let viewer = try await SampleViewer(SampleServer())
        let member = crs.map { #", "crs": \#($0)"# } ?? ""
        let document = """
            {"type": "FeatureCollection"\(member), "features": [
             {"type": "Feature", "properties": {"type": "route"}, "geometry": \(geometry)}]}
            """
        #expect(await viewer.tell("features?name=walk.geojson", document).status == 204)
        #expect(await viewer.tell("command", #"{"do": "simulate"}"#).status == 204)
        let (frame, _) = try await viewer.settled { abs(($0.number("lat") ?? 0) - 60.1) < 0.02 }
        #expect(try abs(#require(frame.number("lon")) - 24.94) < 0.02)
    }

    #if Text
    @Test func `the legend explains the layers as they are shown`() async throws {
        let sample = try await SampleServer(), viewer = try await SampleViewer(sample)
        let legend = await sample.get("/session/\(viewer.name)/legend")
        #expect(legend.status == 200 && legend[header: "Content-Type"] == "image/png")
        let pixels = try ImageReading.pixels(legend.body)
        #expect(pixels.pixels.contains(Pixel(MapColor(red: 255, green: 0, blue: 0)).bits))
        await viewer.tell("command", #"{"do": "layer", "name": "square", "visible": false}"#)
        #expect(await sample.get("/session/\(viewer.name)/legend").status == 204)
    }
    #endif

    @Test(arguments: [
        (ViewerOffer.Services.none, "https://maps.example/wms", 403),
        (.of(["maps.example"]), "https://other.example/wms", 403),
        (.of(["maps.example"]), "file:///etc/passwd", 400), (.any, "ftp://maps.example/", 400),
        // The policy refuses addresses in the server's own networks before any request.
        (.any, "http://127.0.0.1:9/wms", 502), (.any, "http://169.254.169.254/latest", 502),
        (.any, "http://[::1]/wms", 502), (.any, "http://intranet/wms", 502),
    ])
    func `services are added to a map if the server allows their host`(
        services: ViewerOffer.Services, url: String, status: Int
    ) async throws {
        let viewer = try await SampleViewer(SampleServer { $0.offer.services = services })
        for kind in ["wms", "wmts", "wfs", "oaf", "features"] {
            let response = await viewer.tell("service", #"{"kind": "\#(kind)", "url": "\#(url)"}"#)
            #expect(response.status == status, "\(kind): \(String(decoding: response.body, as: UTF8.self))")
        }
        #expect(try #require(try await viewer.state()["layers"]?.arrayValue).count == 1)
    }

    @Test(arguments: [
        ("service", #"{"kind": "ftp", "url": "https://a.example"}"#, "kind"),
        ("command", #"{"do": "measure", "step": "volume"}"#, "step"),
        ("command", #"{"do": "plan", "step": "dance"}"#, "step"),
        ("command", #"{"do": "plan", "step": "move", "place": -1, "to": 0}"#, "place"),
        ("command", #"{"do": "transit", "step": "wait"}"#, "step"),
        ("command", #"{"do": "transit", "step": "follow", "id": true}"#, "id"),
    ])
    func `invalid input for tools is rejected with its key`(path: String, body: String, key: String) async throws {
        let viewer = try await SampleViewer(SampleServer { $0.offer.services = .any })
        let response = await viewer.tell(path, body)
        #expect(response.status == 400)
        #expect(try SampleViewer.object(response.body)["key"]?.stringValue == key)
    }
}
