import Foundation
import PortolanFetch
import PortolanGeo
import PortolanTransit
import TestHelpers
import Testing

@testable import PortolanRealtime

@Suite struct CityDocumentTests {
    static func city() throws -> CityDocument {
        let area = try #require(Extent(minX: 24.85818, minY: 60.139076, maxX: 25.001793, maxY: 60.221107))
        let day = Date(timeIntervalSince1970: 1_795_406_400)
        var city = CityDocument(
            name: "Helsinki", area: area, attribution: "© OpenStreetMap contributors",
            updates: .init(city: day, lines: day + 60, stops: day))
        let way = [Coordinate(x: 24.93, y: 60.18), Coordinate(x: 24.94, y: 60.19)]
        city.lines = [.init(id: "1009", name: "9", mode: .tram, color: "E33699", ways: [way])]
        city.stops = [.init(id: "650", name: "Eläintarha", mode: .tram, place: way[0], lines: ["1009"])]
        return city
    }

    @Test func `a city document with lines and stops survives writing and reading`() throws {
        let city = try Self.city()
        let read = try CityDocument(json: city.json)
        #expect(read == city)
        #expect(read.lines.first?.coordinates.first?.last == Coordinate(x: 24.94, y: 60.19))
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"version":2}"#,
        #"{"version":1,"name":"a","area":[1,1,0,0],"zooms":[1,2],"attribution":"","lines":[],"stops":[],"updated":{"city":"2026-11-23T00:00:00Z","lines":"2026-11-23T00:00:00Z","stops":"2026-11-23T00:00:00Z"}}"#,
    ])
    func `an invalid city document is an error`(text: String) {
        #expect(throws: FeedError.self) { try CityDocument(json: Array(text.utf8)) }
    }

    private func headers(_ pairs: (String, String)...) -> [HTTPHeader] {
        pairs.map { HTTPHeader(name: $0.0, value: $0.1) }
    }

    @Test func `a city document is sent only to clients that do not have it`() throws {
        let document = try Self.city().document
        let whole = document.answer(to: [], url: "http://a.example/city")
        #expect(whole.status == 200)
        #expect(whole.body == document.body)
        let modified = try #require(whole.header("Last-Modified")), tag = try #require(whole.header("ETag"))
        #expect(modified == "Mon, 23 Nov 2026 04:01:00 GMT")
        for (fields, status) in [
            (headers(("If-Modified-Since", modified)), 304),
            (headers(("If-Modified-Since", "Mon, 23 Nov 2026 04:00:59 GMT")), 200),
            (headers(("If-Modified-Since", "yesterday")), 200), (headers(("If-None-Match", tag)), 304),
            (headers(("if-none-match", "\"x\", W/\(tag)")), 304), (headers(("If-None-Match", "*")), 304),
            // The tag goes before the time.
            (headers(("If-None-Match", "\"x\""), ("If-Modified-Since", modified)), 200),
        ] {
            let answer = document.answer(to: fields, url: "http://a.example/city")
            #expect(answer.status == status)
            #expect(answer.body.isEmpty == (status == 304))
        }
    }

    @Test func `the local city document is used if unchanged, and kept if the server fails`() throws {
        let city = try Self.city()
        let unchanged = HTTPResponse(status: 304, url: "http://a.example/city")
        #expect(try CityDocument.updated(city, by: unchanged, source: "a") == city)
        #expect(throws: FeedError.self) { try CityDocument.updated(nil, by: unchanged, source: "a") }
        #expect(throws: FeedError.self) {
            try CityDocument.updated(city, by: HTTPResponse(status: 500, url: "http://a.example"), source: "a")
        }
        let whole = city.document.answer(to: [], url: "http://a.example/city")
        #expect(try CityDocument.updated(nil, by: whole, source: "a") == city)
    }

    @Test func `the city document of any feed has its lines, their paths and its stops`() throws {
        var files = SampleFeed.files
        files["routes.txt"]? += "r7,7,Nobody rides it,3,\n"
        files["feed_info.txt"] = "feed_publisher_name,feed_publisher_url,feed_lang\nTown of A,https://a.example,fi\n"
        let timetable = try TransitFeed(files: files.mapValues { Array($0.utf8) }).timetable
        let city = try #require(CityDocument(timetable, updated: Date(timeIntervalSince1970: 1_795_406_400)))
        #expect(city.name == "Town of A")
        #expect(city.attribution == "Town of A")
        let way = [
            Coordinate(x: 24.92, y: 60.18), Coordinate(x: 24.931, y: 60.169), Coordinate(x: 24.95, y: 60.179),
        ]
        #expect(
            city.lines == [
                .init(
                    id: "r9", name: "9", longName: "Töölö – Hakaniemi", mode: .tram, color: "00985F", ways: [way])
            ])
        #expect(
            city.stops
                == zip([("s1", "Töölö"), ("s2", "Kamppi"), ("s3", "Hakaniemi")], way).map {
                    .init(id: $0.0, name: $0.1, mode: .tram, place: $1, lines: ["r9"])
                })
        // A kilometre around them, at sixty degrees north.
        #expect(abs(city.area.minX - 24.902) < 1e-3)
        #expect(abs(city.area.maxY - 60.189) < 1e-3)
        #expect(try CityDocument(json: city.json) == city)
        #expect(CityDocument(Timetable(), updated: Date()) == nil)
    }

    @Test func `different content has a different entity tag`() throws {
        var city = try Self.city()
        let before = city.document.entityTag
        city.stops = []
        #expect(city.document.entityTag != before)
        #expect(before.utf8.count == 26)
    }
}
