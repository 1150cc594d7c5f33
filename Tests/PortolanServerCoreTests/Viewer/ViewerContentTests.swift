import Foundation
import PortolanCodecs
import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanRealtime
import PortolanRouting
import PortolanServerCore
import PortolanTransit
import TestHelpers
import Testing

/// Pages that draw the published layers, vehicles and the position themselves.
@Suite(.timeLimit(.minutes(20))) struct ViewerContentTests {
    private static let all = ["ground", "vehicles", "position"]

    private static func ground(_ frame: SampleViewer.Frame) -> Properties? { frame.head["ground"]?.objectValue }

    @Test func `a page that draws the published layers gets no picture of them`() async throws {
        let viewer = try await SampleViewer(SampleServer(), draws: Self.all)
        let frame = try await viewer.rested()
        #expect(frame.picture == nil && frame.head["patch"] == "empty")
        #expect(Self.ground(frame) == ["on": true, "off": ""])
        let squares = try #require(try await viewer.state()["squares"]?.objectValue)
        #expect(squares["unit"] == 64 && abs((squares["x"]?.doubleValue ?? 0) + 20_037_508.342789244) < 1e-6)
    }

    @Test func `a layer that is switched off is left out by the page, and other changes are drawn by the server`()
        async throws
    {
        let viewer = try await SampleViewer(SampleServer(), map: "both", draws: Self.all)
        await viewer.tell("command", #"{"do": "layer", "name": "high", "visible": false}"#)
        #expect(Self.ground(try await viewer.rested()) == ["on": true, "off": "1"])
        await viewer.tell("command", #"{"do": "layer", "name": "low", "opacity": 0.5}"#)
        let faded = try await viewer.rested { $0.picture != nil }
        #expect(faded.head["ground"] == false)
        #expect(faded.picture?[128, 128] == Pixel(MapColor(red: 255, green: 127, blue: 127)))
        await viewer.tell("command", #"{"do": "layer", "name": "low", "opacity": 1}"#)
        #expect(Self.ground(try await viewer.rested { $0.picture == nil }) == ["on": true, "off": "1"])
    }

    @Test func `the server draws rotated views`() async throws {
        let viewer = try await SampleViewer(SampleServer(), draws: Self.all)
        _ = try await viewer.rested()
        await viewer.tell("input", #"{"seq": 1, "events": [{"t": 0, "type": "key", "key": "comma"}]}"#)
        let turned = try await viewer.rested { $0.number("bearing") == 15 }
        #expect(Self.ground(turned) == ["on": false, "off": ""])
        #expect(turned.picture?[128, 128] == Pixel(MapColor(red: 255, green: 0, blue: 0)))
        #expect(turned.picture?.width == 256)
    }

    @Test func `added features are sent as a picture of their area alone, and then of what changes`() async throws {
        let viewer = try await SampleViewer(SampleServer(), draws: Self.all)
        func upload(_ name: String, _ lon: Double) async {
            let body = """
                {"type": "Feature", "id": "\(name)", "properties": {"marker-color": "#0000ff"},
                 "geometry": {"type": "Point", "coordinates": [\(lon), 0]}}
                """
            #expect(await viewer.tell("features?fit=no&name=\(name)", body).status == 204)
        }
        await upload("one", 0)
        let first = try await viewer.rested { $0.picture != nil }
        let picture = try #require(first.picture), patch = try #require(first.head["patch"]?.objectValue)
        #expect(picture.width < 100 && picture.height < 100)
        #expect(patch["fresh"] == true && patch["width"]?.integerValue == picture.width)
        let left = try #require(patch["x"]?.integerValue)
        #expect((90...128).contains(left))
        // The second one is 57 pixels to the right.
        await upload("two", 5)
        let number = try #require(first.head["pictureNumber"]?.integerValue)
        var seen = 0
        while true {
            let frame = try await viewer.frame(after: seen, knowing: number)
            seen = frame.head["n"]?.integerValue ?? 0
            guard let news = frame.head["patch"]?.objectValue else { continue }
            #expect(news["fresh"] == false && news["x"]?.integerValue ?? 0 >= 128)
            #expect(frame.picture?.width ?? 999 < 100)
            break
        }
    }

    @Test func `a selected feature of the map is outlined`() async throws {
        let viewer = try await SampleViewer(SampleServer(), map: "named", draws: Self.all)
        _ = try await viewer.rested()
        let body = """
            {"type": "Feature", "id": "area", "properties": {"building": "commercial", "fill-opacity": 0, "stroke-width": 0},
             "geometry": {"type": "Polygon", "coordinates": [[[-2, -2], [2, -2], [2, 2], [-2, 2], [-2, -2]]]}}
            """
        await viewer.tell("features?fit=no&name=area", body)
        await viewer.tell("command", #"{"do": "select", "id": "area"}"#)
        let frame = try await viewer.rested { $0.picture?.width ?? 0 > 40 }
        // Four degrees are 45.5 pixels, and the outline is 3 pixels wide.
        #expect(abs((frame.picture?.width ?? 0) - 49) <= 2)
        #expect(try await viewer.state()["selected"]?.objectValue?["title"] == "Commercial building")
        await viewer.tell("command", #"{"do": "deselect"}"#)
        _ = try await viewer.rested { $0.picture?.width ?? 0 <= 40 }
    }

    @Test func `the position is told in map units`() async throws {
        let viewer = try await SampleViewer(SampleServer(), draws: Self.all)
        await viewer.tell("command", #"{"do": "position", "lon": 0.5, "lat": 0, "accuracy": 1000}"#)
        let frame = try await viewer.rested { $0.head["here"] != nil }
        let here = try #require(frame.head["here"]?.objectValue)
        #expect(abs((here["x"]?.doubleValue ?? 0) - 55_659.745) < 0.01)
        #expect(abs((here["radius"]?.doubleValue ?? 0) - 1000) < 1)
        #expect(frame.picture == nil, "it is not drawn by the server")
    }

    @Test func `an unknown content is rejected`() async throws {
        let body = #"{"width": 9, "height": 9, "ratio": 1, "draws": ["sky"]}"#
        let response = await (try SampleServer()).answer("POST", "/viewer/square", body: body)
        #expect(response.status == 400)
        #expect(try SampleViewer.object(response.body)["key"] == "draws")
    }

    @Test func `places are found by their names without accents`() async throws {
        let viewer = try await SampleViewer(SampleServer(), map: "named")
        func found(_ text: String) async throws -> [PropertyValue] {
            let body = await viewer.sample.get("/session/\(viewer.name)/search?q=\(text)").body
            return try #require(try JSONReader.value(bytes: body).arrayValue)
        }
        #expect(try await found("b%C3%B3rder").first?.objectValue?["name"] == "Borderline")
        for none in ["order", ""] { #expect(try await found(none).isEmpty) }
        #expect(try await found("borderline").first?.objectValue?["lat"] == 5.01)
    }

    @Test func `places that are not on the map are found by the geocoder`() async throws {
        let line = "1\tBordeaux\tBordeaux\t\t44.84\t-0.58\tP\tPPLA\tFR\t\t75\t\t\t\t260000\t\t\t\t\n"
        let gazetteer = try Gazetteer(geoNames: Array(line.utf8), from: "FR.txt")
        let viewer = try await SampleViewer(SampleServer { $0.offer.geocoder = gazetteer }, map: "named")
        let body = await viewer.sample.get("/session/\(viewer.name)/search?q=bord").body
        let found = try #require(try JSONReader.value(bytes: body).arrayValue).compactMap(\.objectValue)
        #expect(found.map { $0["name"] } == ["Borderline", "Bordeaux"])
        #expect(found.last?["lat"] == 44.84 && found.last?["id"] == nil)
    }

    @Test func `a picture to keep has the format that is asked for`() async throws {
        let viewer = try await SampleViewer(SampleServer())
        for (format, type) in [("png", "image/png"), ("svg", "image/svg+xml"), ("jpg", "image/jpeg")] {
            let response = await viewer.sample.get("/session/\(viewer.name)/picture?format=\(format)")
            #expect(response.status == 200 && response[header: "Content-Type"] == type)
        }
        #expect(await viewer.sample.get("/session/\(viewer.name)/picture?format=exe").status == 400)
    }

    @Test func `files may be larger than other bodies, and the limit is in megabytes`() async throws {
        let sample = try await SampleServer { $0.limits.uploadBytes = 3_000_000 },
            viewer = try await SampleViewer(sample)
        let rest = String(repeating: " ", count: 2_000_000)
        let point = #"{"type": "Point", "coordinates": [1, 2]}"#
        #expect(await viewer.tell("features?name=large", point + rest).status == 204)
        let refused = await viewer.tell("features?name=larger", point + rest + rest)
        #expect(refused.status == 413)
        #expect(try SampleViewer.object(refused.body)["detail"]?.stringValue?.contains("3 MB") == true)
        #expect(await viewer.tell("command", rest).status == 413)
        let text = await viewer.tell("features?name=notes.txt", "hello")
        #expect(text.status == 400)
        #expect(
            try SampleViewer.object(text.body)["detail"]?.stringValue?.hasPrefix("notes.txt is none of GeoJSON") == true
        )
    }

    @Test func `a page may be shown on pages of other sites if it is asked for as embedded`() async throws {
        let sample = try await SampleServer()
        let own = await sample.get("/viewer/square")[header: "Content-Security-Policy"] ?? ""
        let embedded = await sample.get("/viewer/square?embed=1")[header: "Content-Security-Policy"] ?? ""
        #expect(own.hasSuffix("frame-ancestors 'self'") && embedded.hasSuffix("frame-ancestors *"))
    }

    // MARK: - Vehicles

    /// Monday 23 November 2026, 07:55 in Helsinki.
    private static let morning = Date(timeIntervalSince1970: 1_795_413_300)

    private static func report(_ lon: Double, after seconds: Double = 0) -> VehicleReport {
        var report = VehicleReport(id: "tram", time: morning.addingTimeInterval(seconds))
        report.place = Coordinate(x: lon, y: 60.1808)
        (report.line, report.bearing) = ("r9", 90)
        return report
    }

    @Test func `moving vehicles are told with their way, and their badges are pictures`() async throws {
        let timetable = try TransitFeed(files: SampleFeed.files.mapValues { Array($0.utf8) }).timetable
        let city = PublishedCity(timetable, vehicles: ReplayFeed([])) { Self.morning }
        let viewer = try await SampleViewer(SampleServer { $0.offer.city = city }, draws: Self.all)
        await viewer.tell("command", #"{"do": "show", "lon": 24.92, "lat": 60.18, "zoom": 16}"#)
        await viewer.tell("command", #"{"do": "transit", "step": "show"}"#)
        func moving(_ seen: Int) async throws -> Properties {
            let response = await viewer.sample.get("/session/\(viewer.name)/moving?after=\(seen)")
            try #require(response.status == 200)
            return try SampleViewer.object(response.body)
        }
        city.take(.reports([Self.report(24.9215)]))
        let first = try await moving(0), mark = try #require(first["marks"]?.arrayValue?.first?.arrayValue)
        #expect(mark.count == 7 && mark[2] == "9" && mark[3] == 90 && mark[4] == false && mark[5] == 0)
        let place = try #require(mark[6].arrayValue).compactMap(\.doubleValue)
        #expect(place.count == 2 && abs(place[0] - 24.9215 * 20_037_508.342789244 / 180) < 0.1)
        // Thirty metres to the east within 25 seconds.
        city.take(.reports([Self.report(24.92204, after: 25)]))
        let n = try #require(first["n"]?.integerValue), second = try await moving(n)
        let moved = try #require(second["marks"]?.arrayValue?.first?.arrayValue)
        let way = try #require(moved[6].arrayValue).compactMap(\.doubleValue)
        #expect(moved[0] == mark[0] && (moved[5].integerValue ?? 0) > 0)
        #expect(way.count >= 4 && stride(from: 2, to: way.count, by: 2).reduce(0) { $0 + way[$1] } > 20)
        await viewer.tell("command", #"{"do": "transit", "step": "filter", "line": "r9", "on": false}"#)
        let third = try await moving(try #require(second["n"]?.integerValue))
        #expect(third["gone"] == .array([mark[0]]) && third["marks"] == [])

        let badge = try await viewer.sample.pixels("/session/\(viewer.name)/badge?kind=tram&direction=90")
        #expect(badge.width == 72 && badge[36, 30].alpha == 255 && badge[2, 2].alpha == 0)
        // The beak points to the right.
        #expect(badge[36 + 17, 36].alpha == 255 && badge[36 - 17, 36].alpha == 0)
    }
}
