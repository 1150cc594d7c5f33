import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanRouting
import PortolanTesting
import PortolanWeb
import Testing

@Suite struct ValhallaProviderTests {
    private func provider(_ transport: StubTransport, roads: RoadDistance = RoadDistance()) -> ValhallaProvider {
        ValhallaProvider("http://valhalla.example", fetcher: RecordedServer.fetcher(transport), roads: roads)
    }

    @Test(arguments: [("auto", TravelMode.car, 154.074, 1290.0), ("pedestrian", .foot, 787.072, 1058.0)])
    func `a route has its legs, steps and line`(
        costing: String, mode: TravelMode, seconds: Double, meters: Double
    ) async throws {
        let transport = RecordedServer.always(try RecordedServer.answer("valhalla/route-\(costing).json"))
        let places = try RecordedServer.places()
        let answer = try await provider(transport).route(through: [places[0], places[2]], mode: mode)
        let leg = try #require(answer.legs.first)
        #expect(abs(leg.duration - seconds) < 0.001)
        #expect(abs(leg.distance - meters) < 0.001)
        #expect(leg.steps.first?.manoeuvre.kind == .depart)
        #expect(leg.steps.last?.manoeuvre.kind == .arrive)
        #expect(abs(GroundLine(leg.path)!.length - leg.distance) < leg.distance * 0.01)
        #expect(leg.steps.allSatisfy { $0.instruction != nil })
        let request = try #require(transport.requests.first)
        #expect(request.url == "http://valhalla.example/route")
        let asked = try JSONReader.value(bytes: try #require(request.body).bytes).objectValue
        #expect(asked?["costing"] == .string(costing))
        #expect(
            asked?["locations"]?.arrayValue?.first == ["lat": .number(places[0].y), "lon": .number(places[0].x)])
    }

    @Test(arguments: [("auto", TravelMode.car), ("pedestrian", .foot), ("bicycle", .bicycle)])
    func `the best order costs no more than the server's own`(costing: String, mode: TravelMode) async throws {
        let places = try RecordedServer.places()
        let table = provider(RecordedServer.always(try RecordedServer.answer("valhalla/matrix-\(costing).json")))
        let matrix = try await table.matrix(of: places, mode: mode).matrix
        let itinerary = Itinerary(places.map { Itinerary.Place(coordinate: $0) }, isRoundTrip: true)
        let best = try OrderSearch().bestOrder(of: itinerary, by: matrix)
        let trip = provider(
            RecordedServer.always(try RecordedServer.answer("valhalla/optimized_route-\(costing).json")))
        let (order, answer) = try await trip.trip(through: places + [places[0]], mode: mode)
        #expect(order.first == 0)
        #expect(order.last == 8)
        #expect(answer.legs.count == 8)
        var cost = 0.0
        for (from, to) in zip(order, order.dropFirst()) where to != 8 { cost += matrix.duration(from: from, to: to)! }
        cost += matrix.duration(from: order[7], to: 0)!
        #expect(best.isProven)
        #expect(best.cost <= cost)
    }

    @Test func `errors of the server are reported`() async throws {
        let places = Array(try RecordedServer.places().prefix(3))
        let none =
            #"{"error_code":442,"error":"No path could be found for input","status_code":400,"status":"Bad Request"}"#
        let noPath = provider(RecordedServer.always(Array(none.utf8), status: 400))
        await #expect(throws: RoutingError.unreachable(from: 0, to: 1)) {
            try await noPath.route(through: Array(places.prefix(2)), mode: .car)
        }
        let message = "No path could be found for input"
        await #expect(throws: RoutingError.refused(provider: "Valhalla", code: "442", message: message)) {
            try await noPath.route(through: places, mode: .car)
        }
        await #expect(throws: RoutingError.unsupported(provider: "Valhalla", what: "public transport here")) {
            try await noPath.route(through: places, mode: .transit)
        }
    }

    @Test func `a position far from any road is an error`() async throws {
        let transport = RecordedServer.always(try RecordedServer.answer("valhalla/route-auto.json"))
        let places = try RecordedServer.places()
        let error = await #expect(throws: RoutingError.self) {
            try await provider(transport).route(through: [places[0], Coordinate(x: 0, y: 0)], mode: .car)
        }
        guard case .noRoad(place: 1, meters: let meters?) = try #require(error) else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(meters > 6e6)
    }

    @Test func `matrix cells without a time stay missing`() async throws {
        let table =
            #"{"sources_to_targets": [[{"time": 0, "distance": 0}, {"time": null, "distance": null}], [{"time": 9, "distance": 0.5}, {}]], "units": "kilometers"}"#
        let matrix = try await provider(RecordedServer.always(Array(table.utf8)))
            .matrix(of: Array(try RecordedServer.places().prefix(2)), mode: .foot).matrix
        #expect(matrix.duration(from: 0, to: 1) == nil)
        #expect(matrix.duration(from: 1, to: 0) == 9)
        #expect(matrix.distance(from: 1, to: 0) == 500)
    }

    @Test func `an isochrone is returned as features`() async throws {
        let body =
            #"{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"contour": 5}, "geometry": {"type": "Polygon", "coordinates": [[[24, 60], [25, 60], [25, 61], [24, 60]]]}}]}"#
        let features = try await provider(RecordedServer.always(Array(body.utf8)))
            .isochrone(from: Coordinate(x: 24, y: 60), minutes: [5], mode: .foot)
        #expect(features.features.first?.properties["contour"] == 5)
    }

    @Test(arguments: ["{}", "[]", "<", #"{"trip": {}}"#, #"{"trip": {"legs": [{"shape": "\u0001"}]}}"#])
    func `an invalid response is an error`(body: String) async throws {
        let places = Array(try RecordedServer.places().prefix(2))
        let provider = provider(RecordedServer.always(Array(body.utf8)))
        let error = await #expect(throws: RoutingError.self) { try await provider.route(through: places, mode: .car) }
        guard case .malformed = try #require(error) else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
