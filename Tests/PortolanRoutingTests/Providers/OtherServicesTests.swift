import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanRouting
import PortolanTesting
import PortolanWeb
import Testing

/// OpenTripPlanner and VROOM, by answers written after their documentation.
@Suite struct OtherServicesTests {
    private static let plan = #"""
        {"data": {"plan": {"itineraries": [{"duration": 900, "legs": [
        {"mode": "WALK", "duration": 120, "distance": 150, "from": {"name": "Origin"}, "to": {"name": "Kauppatori"}, "route": null, "legGeometry": {"points": "_p~iF~ps|U_ulLnnqC"}},
        {"mode": "TRAM", "duration": 600, "distance": 2400.5, "headsign": "Munkkiniemi", "from": {"name": "Kauppatori"}, "to": {"name": "Ooppera"}, "route": {"shortName": "4", "longName": "x"}, "legGeometry": {"points": "_c`|@~vpyU_ulLnnqC"}},
        {"mode": "WALK", "duration": 180, "distance": 200, "from": {"name": "Ooppera"}, "to": {"name": "Destination"}, "route": null, "legGeometry": {"points": "_c`|@~vpyU"}}]}]}}}
        """#

    private func otp(_ transport: StubTransport) -> OpenTripPlanner {
        OpenTripPlanner(
            "http://otp.example/otp/gtfs/v1", fetcher: RecordedServer.fetcher(transport), departure: 1_795_392_000)
    }

    @Test func `a public transport leg has steps to board and to alight`() async throws {
        let transport = RecordedServer.always(Array(Self.plan.utf8))
        let places = Array(try RecordedServer.places().prefix(2))
        let leg = try #require(try await otp(transport).route(through: places, mode: .transit).legs.first)
        #expect(leg.duration == 900)
        #expect(leg.distance == 2750.5)
        #expect(leg.steps.map(\.manoeuvre.kind) == [.depart, .board, .alight, .arrive])
        #expect(
            leg.steps.map { DirectionsLanguage.english.sentence(for: $0, place: "the opera") } == [
                "Head on Kauppatori", "Board 4 towards Munkkiniemi at Kauppatori", "Get off and go to Destination",
                "You have arrived at the opera",
            ])
        let question = try JSONReader.value(bytes: try #require(transport.requests.first?.body).bytes).objectValue
        let variables = try #require(question?["variables"]?.objectValue)
        #expect(variables["date"] == "2026-11-23")
        #expect(variables["time"] == "00:00:00")
        #expect(variables["modes"] == [["mode": "WALK"], ["mode": "TRANSIT"]])
    }

    @Test(arguments: [
        (0.0, "1970-01-01", "00:00:00"), (951_868_799, "2000-02-29", "23:59:59"),
        (4_107_542_400, "2100-03-01", "00:00:00"),
        (-1, "1969-12-31", "23:59:59"), (1_709_208_000, "2024-02-29", "12:00:00"),
    ])
    func `the departure is requested as a date and a time of day`(
        seconds: Double, date: String, time: String
    ) async throws {
        let transport = RecordedServer.always(Array(Self.plan.utf8))
        let places = Array(try RecordedServer.places().prefix(2))
        let provider = OpenTripPlanner(
            "http://otp.example", fetcher: RecordedServer.fetcher(transport), departure: seconds)
        _ = try await provider.route(through: places, mode: .transit)
        let question = try JSONReader.value(bytes: try #require(transport.requests.first?.body).bytes).objectValue
        #expect(question?["variables"]?.objectValue?["date"] == .string(date))
        #expect(question?["variables"]?.objectValue?["time"] == .string(time))
    }

    @Test func `the wait for a vehicle is part of the duration`() async throws {
        // Asked at midnight; the tram ends its trip fifty minutes later.
        let plan = Self.plan.replacing(
            #""duration": 900, "legs""#, with: #""duration": 900, "endTime": 1795395000000, "legs""#)
        let places = Array(try RecordedServer.places().prefix(2))
        let route = try await otp(RecordedServer.always(Array(plan.utf8))).route(through: places, mode: .transit)
        #expect(route.legs.first?.duration == 3000)
    }

    @Test func `errors beside data, and plans without a route, are errors`() async throws {
        let places = Array(try RecordedServer.places().prefix(2))
        let errors =
            #"{"errors": [{"message": "No such field", "extensions": {"classification": "ValidationError"}}], "data": null}"#
        await #expect(
            throws: RoutingError.refused(provider: "OpenTripPlanner", code: "ValidationError", message: "No such field")
        ) { try await otp(RecordedServer.always(Array(errors.utf8))).route(through: places, mode: .transit) }
        let none = #"{"data": {"plan": {"itineraries": []}}}"#
        await #expect(throws: RoutingError.unreachable(from: 0, to: 1)) {
            try await otp(RecordedServer.always(Array(none.utf8))).route(through: places, mode: .transit)
        }
        let matrix = try await otp(RecordedServer.always(Array(none.utf8))).matrix(of: places, mode: .transit).matrix
        #expect(matrix.duration(from: 0, to: 1) == nil)
        let many = Array(repeating: places[0], count: 13)
        await #expect(throws: RoutingError.self) {
            try await otp(RecordedServer.always(Array(none.utf8))).matrix(of: many, mode: .transit)
        }
    }

    private func itinerary(_ count: Int) -> (Itinerary, TravelMatrix) {
        var matrix = TravelMatrix(count: count)
        for from in 0..<count {
            for to in 0..<count { matrix.set(from: from, to: to, duration: Double(abs(from - to)) * 60, distance: 1) }
        }
        let places = (0..<count).map { Itinerary.Place(coordinate: Coordinate(x: Double($0), y: 0), stay: 30) }
        return (Itinerary(places, isRoundTrip: true), matrix)
    }

    @Test func `VROOM is requested with a matrix and responds with an order`() async throws {
        var (itinerary, matrix) = itinerary(4)
        itinerary.places[2].window = 0...3600
        let body =
            #"{"code": 0, "unassigned": [], "routes": [{"steps": [{"type": "start"}, {"type": "job", "id": 2}, {"type": "job", "id": 3}, {"type": "job", "id": 4}, {"type": "end"}]}]}"#
        let transport = RecordedServer.always(Array(body.utf8))
        let vroom = VROOM("http://vroom.example:3000", fetcher: RecordedServer.fetcher(transport))
        let found = try await vroom.bestOrder(of: itinerary, by: matrix)
        #expect(found.order == [0, 1, 2, 3])
        #expect(found.cost == 6 * 60 + 4 * 30)
        #expect(!found.isProven)
        let asked = try JSONReader.value(bytes: try #require(transport.requests.first?.body).bytes).objectValue
        #expect(asked?["vehicles"]?.arrayValue?.first?.objectValue?["start_index"] == 0)
        #expect(asked?["jobs"]?.arrayValue?.count == 3)
        #expect(asked?["jobs"]?.arrayValue?[1].objectValue?["time_windows"] == [[0, 3600]])
        #expect(
            asked?["matrices"]?.objectValue?["car"]?.objectValue?["durations"]?.arrayValue?[0] == [0, 60, 120, 180])
    }

    @Test(arguments: [
        #"{"code": 2, "error": "Invalid matrix"}"#, #"{"code": 0, "unassigned": [{"id": 3}], "routes": []}"#,
        #"{"code": 0, "routes": [{"steps": [{"type": "job", "id": 2}]}]}"#, "{}", "[]",
        #"{"code": 0, "routes": [{"steps": [{"type": "job"}]}]}"#,
        #"{"code": 0, "routes": [{"steps": [{"type": "job", "id": -9223372036854775808}]}]}"#,
    ])
    func `refusals and invalid responses of VROOM are errors`(body: String) async {
        let (itinerary, matrix) = itinerary(4)
        let vroom = VROOM(
            "http://vroom.example", fetcher: RecordedServer.fetcher(RecordedServer.always(Array(body.utf8))))
        await #expect(throws: RoutingError.self) { try await vroom.bestOrder(of: itinerary, by: matrix) }
    }
}
