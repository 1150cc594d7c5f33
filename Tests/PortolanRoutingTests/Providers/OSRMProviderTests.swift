import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanRouting
import PortolanTesting
import PortolanWeb
import Testing

@Suite struct OSRMProviderTests {
    private func provider(_ transport: StubTransport, roads: RoadDistance = RoadDistance()) -> OSRMProvider {
        OSRMProvider("http://osrm.example:5000/?key=k", fetcher: RecordedServer.fetcher(transport), roads: roads)
    }

    @Test func `a route has its legs, steps and line`() async throws {
        let transport = RecordedServer.always(try RecordedServer.answer("osrm/route-foot.json"))
        let places = try RecordedServer.places()
        let answer = try await provider(transport).route(through: [places[0], places[2]], mode: .foot)
        let leg = try #require(answer.legs.first)
        #expect(answer.legs.count == 1)
        // What the answer states itself.
        #expect(leg.distance == 1058.6)
        #expect(leg.duration == 762.1)
        #expect(abs(leg.steps.reduce(0) { $0 + $1.distance } - leg.distance) < 1)
        #expect(leg.steps.first?.manoeuvre.kind == .depart)
        #expect(leg.steps.last?.manoeuvre.kind == .arrive)
        // The line has the length stated in the response, and steps are on it.
        let length = GroundLine(leg.path)!.length
        #expect(abs(length - leg.distance) < leg.distance * 0.01)
        for step in leg.steps {
            #expect(Geodesic.line(from: leg.path[step.start], to: step.manoeuvre.place).meters < 1)
        }
        #expect(
            transport.requests.map(\.url) == [
                "http://osrm.example:5000/route/v1/foot/24.948866,60.16832;24.946903,60.175684"
                    + "?key=k&steps=true&geometries=polyline6&overview=false&continue_straight=false"
            ])
    }

    @Test(arguments: [("driving", TravelMode.car, 706.2, 4432.6), ("foot", .foot, 2936.4, 4064.3)])
    func `the best order of eight places is optimal, and equals the server's own`(
        profile: String, mode: TravelMode, seconds: Double, meters: Double
    ) async throws {
        let places = try RecordedServer.places()
        let table = provider(RecordedServer.always(try RecordedServer.answer("osrm/table-\(profile).json")))
        let matrix = try await table.matrix(of: places, mode: mode).matrix
        let itinerary = Itinerary(places.map { Itinerary.Place(coordinate: $0) }, isRoundTrip: true)
        let best = try OrderSearch().bestOrder(of: itinerary, by: matrix)
        #expect(best.isProven)
        #expect(abs(best.cost - seconds) < 0.05)
        let trip = provider(RecordedServer.always(try RecordedServer.answer("osrm/trip-\(profile).json")))
        let (order, answer) = try await trip.trip(through: places, mode: mode)
        let start = order.firstIndex(of: 0)!
        let turned = Array(order[start...] + order[..<start])
        // On foot both directions are the same.
        #expect(best.order == turned || best.order == [0] + turned.dropFirst().reversed())
        #expect(abs(answer.legs.reduce(0) { $0 + $1.duration } - seconds) < 0.05)
        #expect(abs(answer.legs.reduce(0) { $0 + $1.distance } - meters) < 0.5)
    }

    @Test func `places far from any road are reported, however well the server responds`() async throws {
        let far = """
            {"code": "Ok", "waypoints": [{"distance": 3, "location": [24.9, 60.1]},
            {"distance": 7018324.5, "location": [24.9, 60.2]}],
            "routes": [{"legs": [{"distance": 10, "duration": 5, "steps": []}]}]}
            """
        let places = [Coordinate(x: 24.9, y: 60.1), Coordinate(x: 0, y: 0)]
        let far7000 = provider(RecordedServer.always(Array(far.utf8)))
        await #expect(throws: RoutingError.noRoad(place: 1, meters: 7018324.5)) {
            try await far7000.route(through: places, mode: .foot)
        }
        let near = provider(
            RecordedServer.always(Array(far.utf8)), roads: RoadDistance(limit: 1e7, told: 2))
        let notes = try await near.route(through: places, mode: .foot).notes
        #expect(
            notes == [.awayFromRoad(place: 0, meters: 3), .awayFromRoad(place: 1, meters: 7018324.5)])
    }

    @Test func `table cells without a way stay missing`() async throws {
        let table = """
            {"code": "Ok", "durations": [[0, null], [5, 0]], "distances": [[0, null], [50, 0]],
            "sources": [{"distance": 1}, {"distance": 1}], "destinations": [{"distance": 1}, {"distance": 1}]}
            """
        let places = Array(try RecordedServer.places().prefix(2))
        let matrix = try await provider(RecordedServer.always(Array(table.utf8)))
            .matrix(of: places, mode: .car).matrix
        #expect(matrix.duration(from: 0, to: 1) == nil)
        #expect(matrix.duration(from: 1, to: 0) == 5)
        let itinerary = Itinerary(places.map { Itinerary.Place(coordinate: $0) })
        #expect(throws: RoutingError.unreachable(from: 0, to: 1)) {
            try OrderSearch().bestOrder(of: itinerary, by: matrix)
        }
    }

    @Test func `a refusal is reported with the message of the server`() async throws {
        let refusals: [(file: String, error: RoutingError)] = [
            ("osrm/error-or-route.json", .unreachable(from: 0, to: 1)),
            (
                "osrm/error-one-coordinate.json",
                .refused(
                    provider: "OSRM", code: "InvalidOptions",
                    message: "Number of coordinates needs to be at least two.")
            ),
        ]
        let places = Array(try RecordedServer.places().prefix(2))
        for (file, error) in refusals {
            let provider = provider(RecordedServer.always(try RecordedServer.answer(file), status: 400))
            await #expect(throws: error) { try await provider.route(through: places, mode: .car) }
        }
    }

    @Test func `a server that uses another travel mode is reported`() async throws {
        let transport = RecordedServer.always(try RecordedServer.answer("osrm/route-foot.json"))
        let places = try RecordedServer.places()
        let notes = try await provider(transport).route(through: [places[0], places[2]], mode: .car).notes
        #expect(notes == [.otherMode(asked: .car, provider: "walking")])
    }

    @Test func `a table of many places is requested in parts`() async throws {
        let transport = StubTransport { request in
            func count(_ name: String) -> Int {
                let all = request.url.split(separator: "?")[0].split(separator: ";").count
                let value = request.url.split(separator: "&").first { $0.contains(name + "=") }
                return value?.split(separator: "=").last?.split(separator: ";").count ?? all
            }
            let (rows, columns) = (count("sources"), count("destinations"))
            let row = "[" + Array(repeating: "7", count: columns).joined(separator: ",") + "]"
            let table = "[" + Array(repeating: row, count: rows).joined(separator: ",") + "]"
            let ends = "[" + Array(repeating: #"{"distance": 1}"#, count: rows).joined(separator: ",") + "]"
            let body = #"{"code": "Ok", "durations": \#(table), "distances": \#(table), "sources": \#(ends)}"#
            return HTTPResponse(status: 200, body: Array(body.utf8), url: request.url)
        }
        let places = (0..<120).map { Coordinate(x: 24 + Double($0) / 1000, y: 60) }
        let matrix = try await provider(transport).matrix(of: places, mode: .car).matrix
        #expect(transport.requests.count == 9)
        for from in 0..<120 {
            for to in 0..<120 { #expect(matrix.duration(from: from, to: to) == (from == to ? 0 : 7)) }
        }
    }

    @Test(arguments: [
        "", "<html>", "[]", "{}", #"{"code": 3}"#, #"{"code": "Ok"}"#, #"{"code": "Ok", "waypoints": []}"#,
        #"{"code": "Ok", "waypoints": [{}, {}], "routes": []}"#,
        #"{"code": "Ok", "waypoints": [{"distance": 1e300}, {}], "routes": []}"#,
        #"{"code": "Ok", "waypoints": [{}, {}], "routes": [{"legs": [{"distance": -1, "duration": 5}]}]}"#,
        #"{"code": "Ok", "waypoints": [{}, {}], "routes": [{"legs": [{"distance": 1, "duration": 1e300}]}]}"#,
        #"{"code": "Ok", "waypoints": [{}, {}], "routes": [{"legs": [{"distance": 1, "duration": 1, "steps": [7]}]}]}"#,
    ])
    func `an invalid response is an error that names the server`(body: String) async throws {
        let provider = provider(RecordedServer.always(Array(body.utf8)))
        let places = Array(try RecordedServer.places().prefix(2))
        let error = await #expect(throws: RoutingError.self) { try await provider.route(through: places, mode: .car) }
        guard case .malformed(let name, let url, _) = try #require(error) else {
            Issue.record("\(String(describing: error))")
            return
        }
        // The key of the address is a secret.
        #expect(name == "OSRM")
        #expect(url.contains("osrm.example"))
        #expect(!url.contains("key=k"))
    }

    @Test func `straight lines are used if the server is down, with the reason`() async throws {
        let down = StubTransport { request throws(FetchError) in
            throw FetchError(.cannotConnect, url: request.url, detail: "refused")
        }
        let places = try RecordedServer.places()
        let provider = FallbackProvider(provider(down))
        let route = try await provider.route(through: places, mode: .foot)
        #expect(route.legs.count == 7)
        #expect(route.legs.allSatisfy { $0.isEstimate })
        guard case .estimated(.fetch(let error)) = try #require(route.notes.first) else {
            Issue.record("\(route.notes)")
            return
        }
        #expect(error.code == .cannotConnect)
        #expect(try await provider.matrix(of: places, mode: .foot).notes.count == 1)
        // The refusal of a running server is not an outage.
        let refusing = FallbackProvider(
            self.provider(RecordedServer.always(try RecordedServer.answer("osrm/error-or-route.json"), status: 400)))
        await #expect(throws: RoutingError.unreachable(from: 0, to: 1)) {
            try await refusing.route(through: Array(places.prefix(2)), mode: .foot)
        }
    }
}
