import Foundation
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanRouting
import PortolanTesting
import PortolanTransit
import PortolanWeb
import Testing

/// Both versions of OpenTripPlanner, by answers written after their sources.
@Suite struct OpenTripPlannerStopsTests {
    private typealias Answers = OpenTripPlannerAnswers
    private let noon = Date(timeIntervalSince1970: 1_795_427_000)

    private func first(_ transport: StubTransport) -> OpenTripPlanner1Stops {
        OpenTripPlanner1Stops("http://otp.example/otp/routers/default", fetcher: Answers.fetcher(transport))
    }

    private func second(_ transport: StubTransport) -> OpenTripPlanner2Stops {
        OpenTripPlanner2Stops("http://otp.example/otp/gtfs/v1", fetcher: Answers.fetcher(transport))
    }

    @Test func `version 1 lists stops around a place, the nearest first`() async throws {
        let transport = Answers.always(Answers.stops1)
        let found = try await first(transport).stops(near: Answers.bogota, within: 1100)
        #expect(found.stops.map(\.id) == ["1:7", "1:9", "1:7521", "1:88"])
        #expect(found.skippedCount == 3)
        #expect(found.distance == .straight)
        #expect(!found.isCut)
        let guessed = try #require(found.stops.first { $0.id == "1:9" })
        #expect(abs(guessed.meters - 142) < 2)
        #expect(
            transport.requests.first?.url
                == "http://otp.example/otp/routers/default/index/stops?lat=4.60971&lon=-74.08175&radius=1100")
    }

    @Test func `version 1 limits the radius to 5,000 metres and reports it`() async throws {
        let transport = Answers.always("[]")
        let found = try await first(transport).stops(near: Answers.bogota, within: 20_000)
        #expect(found.meters == 5000)
        #expect(found.stops.isEmpty)
        #expect(transport.requests.first?.url.hasSuffix("radius=5000") == true)
    }

    @Test(arguments: [
        (Coordinate(x: 0, y: 91), 100.0), (Coordinate(x: .nan, y: 0), 100), (Coordinate(x: 0, y: 0), -1),
        (Coordinate(x: 0, y: 0), .infinity), (Coordinate(x: 0, y: 0), .nan),
    ])
    func `coordinates outside the earth are not requested`(center: Coordinate, meters: Double) async {
        let transport = Answers.always("[]")
        await #expect(throws: StopFinderError.invalidPlace) {
            try await first(transport).stops(near: center, within: meters)
        }
        await #expect(throws: StopFinderError.invalidPlace) {
            try await second(transport).stops(near: center, within: meters)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func `version 1 converts arrivals from seconds of the service day`() async throws {
        let transport = Answers.server1()
        let arrivals = try await first(transport).arrivals(at: "1:7521", from: noon, limit: 5)
        #expect(arrivals.map(\.line) == ["9", "9", "N1"])
        #expect(arrivals.map(\.scheduled.timeIntervalSince1970) == [1_795_428_000, 1_795_428_600, 1_795_438_800])
        #expect(arrivals.map(\.delay) == [nil, 60, 0])
        #expect(arrivals.map(\.isCanceled) == [false, false, true])
        #expect(arrivals.map(\.trip) == ["1:t1", "1:t2", "1:t3"])
        #expect(arrivals.map(\.mode) == [.tram, .tram, .bus])
        #expect(arrivals.map(\.color) == [0xE33699, 0xE33699, nil])
        #expect(transport.requests.first?.url.contains("/index/stops/1%3A7521/stoptimes?startTime=1795427000&") == true)
        #expect(try await first(transport).arrivals(at: "1:7521", from: noon, limit: 1).count == 1)
    }

    @Test(arguments: ["../../admin", "a/b?c=d#e", "ñ", "\r\nHost: x"])
    func `an identifier is encoded as one path component`(id: String) async throws {
        let transport = Answers.always("[]")
        _ = try await first(transport).arrivals(at: id, from: noon, limit: 5)
        let url = try #require(transport.requests.first?.url)
        let path = url.prefix { $0 != "?" }
        #expect(path.split(separator: "/").count == 9)
        #expect(path.hasSuffix("/stoptimes"))
        #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }

    @Test func `refusals and malformed responses are errors of their kind`() async {
        await #expect(throws: StopFinderError.unknownStop("1:0")) {
            try await first(Answers.always("Not Found", status: 404)).arrivals(at: "1:0", from: noon, limit: 1)
        }
        func code(_ body: String, status: Int) async -> String {
            do throws(StopFinderError) {
                _ = try await first(Answers.always(body, status: status)).stops(near: Answers.bogota, within: 10)
                return "none"
            } catch {
                guard case .service(let fault) = error else { return "\(error)" }
                return switch fault {
                case .fetch(let fault): "\(fault.code) \(fault.status ?? 0)"
                case .malformed: "malformed"
                default: "\(fault)"
                }
            }
        }
        #expect(await code("FOUR HUNDRED", status: 400) == "httpStatus 400")
        #expect(await code("{}", status: 400) == "httpStatus 400")
        #expect(await code("[]", status: 500) == "httpStatus 500")
        #expect(await code("{}", status: 200) == "malformed")
        #expect(await code("<html>", status: 200) == "malformed")
        #expect(await code("", status: 200) == "malformed")
    }

    @Test func `version 2 lists stops by walking distance, page by page`() async throws {
        let transport = StubTransport { request in
            let question = request.body.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
            let body =
                question.contains("\"after\"")
                ? Answers.stops2([("1:a", 10), ("1:d", 700)]) : Answers.stops2([("1:b", 300), ("1:c", 20)], next: "p2")
            return HTTPResponse(status: 200, body: Array(body.utf8), url: request.url)
        }
        let found = try await second(transport).stops(near: Answers.bogota, within: 1000)
        #expect(found.stops.map(\.id) == ["1:a", "1:c", "1:b", "1:d"])
        #expect(found.distance == .walking)
        #expect(found.stops.first?.mode == .bus)
        #expect(found.stops.first?.platform == "2")
        #expect(!found.isCut)
        #expect(transport.requests.count == 2)
        let body = try #require(transport.requests.last?.body?.bytes)
        let variables = try JSONReader.value(bytes: body).objectValue?["variables"]?.objectValue
        #expect(variables?["radius"] == 1000)
        #expect(variables?["after"] == "p2")
    }

    @Test func `paging stops if pages do not advance or never end`() async throws {
        let same = Answers.always(Answers.stops2([("1:a", 1)], next: "p"))
        let found = try await second(same).stops(near: Answers.bogota, within: 1000)
        #expect(found.isCut)
        #expect(same.requests.count == 2)
        let empty = Answers.always(Answers.stops2([], next: "p"))
        #expect(try await second(empty).stops(near: Answers.bogota, within: 1000).isCut)
        let endless = StubTransport { request in
            let count = request.body?.bytes.count ?? 0
            let page = Answers.stops2(
                (0..<100).map { ("1:\(count)-\($0)", Double($0)) }, next: String(repeating: "p", count: count))
            return HTTPResponse(status: 200, body: Array(page.utf8), url: request.url)
        }
        let many = try await second(endless).stops(near: Answers.bogota, within: 1000)
        #expect(many.isCut)
        #expect(many.stops.count == 1000)
        #expect(endless.requests.count == 10)
    }

    @Test func `version 2 lists arrivals, including early ones`() async throws {
        let arrivals = try await second(Answers.always(Answers.times2)).arrivals(at: "1:7", from: noon, limit: 5)
        #expect(arrivals.map(\.line) == ["Ferry", "9"])
        #expect(arrivals.map(\.mode) == [.ferry, .tram])
        #expect(arrivals.map(\.delay) == [nil, -60])
        #expect(arrivals.last?.color == 0xE33699)
    }

    @Test func `GraphQL errors with status 200 and unknown stops are errors`() async {
        let errors = #"{"errors":[{"message":"No key","extensions":{"classification":"Denied"}}],"data":null}"#
        await #expect(
            throws: StopFinderError.service(
                .refused(provider: "OpenTripPlanner 2", code: "Denied", message: "No key"))
        ) { try await second(Answers.always(errors)).stops(near: Answers.bogota, within: 10) }
        await #expect(throws: StopFinderError.unknownStop("1:0")) {
            try await second(Answers.always(#"{"data":{"stop":null}}"#)).arrivals(at: "1:0", from: noon, limit: 1)
        }
        for body in [#"{"data":{}}"#, #"{"data":{"stopsByRadius":null}}"#, "[]", #"{"data":7}"#] {
            await #expect(throws: StopFinderError.self) {
                try await second(Answers.always(body)).stops(near: Answers.bogota, within: 10)
            }
        }
    }

    @Test func `version 1 is the fallback if version 2 is not available`() async throws {
        let old = Answers.always(Answers.stops1)
        let finder = FallbackStopFinder(second(Answers.always("Not Found", status: 404)), or: first(old))
        #expect(try await finder.stops(near: Answers.bogota, within: 1100).source == "OpenTripPlanner 1")
        let times = FallbackStopFinder(
            second(Answers.always("", status: 503)), or: first(Answers.server1()))
        #expect(try await times.arrivals(at: "1:7", from: noon, limit: 9).count == 3)
        let unknown = FallbackStopFinder(second(Answers.always(#"{"data":{"stop":null}}"#)), or: first(old))
        let count = old.requests.count
        await #expect(throws: StopFinderError.unknownStop("1:0")) {
            try await unknown.arrivals(at: "1:0", from: noon, limit: 1)
        }
        #expect(old.requests.count == count)
    }

    @Test func `an API key in the address is not in the error`() async {
        let finder = OpenTripPlanner2Stops(
            "http://otp.example/otp/gtfs/v1?digitransit-subscription-key=s3cr3t",
            fetcher: Answers.fetcher(Answers.always("<p>s3cr3t</p>", status: 500)))
        do throws(StopFinderError) {
            _ = try await finder.stops(near: Answers.bogota, within: 10)
            Issue.record("it found stops")
        } catch { #expect(!"\(error)".contains("s3cr3t")) }
    }
}
