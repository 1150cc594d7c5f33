import PortolanGeo
import PortolanRouting
import PortolanWeb
import Testing

@Suite struct RouteFollowerTests {
    /// Recorded on foot through Helsinki.
    private static func route() async throws -> PlannedRoute {
        let places = try RecordedServer.places()
        let provider = OSRMProvider(
            "http://osrm.example",
            fetcher: RecordedServer.fetcher(
                RecordedServer.always(try RecordedServer.answer("osrm/route-foot.json"))))
        let itinerary = Itinerary([places[0], places[2]].map { Itinerary.Place(coordinate: $0) })
        return try await RoutePlanner(provider: provider).route(through: itinerary, mode: .foot, ordering: .given)
    }

    @Test func `the remaining distance and time fall to zero`() async throws {
        let route = try await Self.route()
        var follower = RouteFollower(route)
        var last = Double.infinity
        for place in route.path {
            let found = follower.update(place)
            let progress = try #require(found)
            #expect(!progress.isOffRoute)
            #expect(progress.metersAway < 0.5)
            #expect(progress.secondsLeft <= last + 1e-6)
            #expect(abs(progress.metersDone + progress.metersLeft - route.distance) < route.distance * 0.01)
            last = progress.secondsLeft
        }
        #expect(last < 1)
        var again = RouteFollower(route)
        let first = again.update(route.path[0])
        let start = try #require(first)
        #expect(abs(start.secondsLeft - route.duration) < 1)
        #expect(start.step == 0)
    }

    @Test func `the distance to the next manoeuvre falls until it is reached`() async throws {
        let route = try await Self.route()
        let leg = route.legs[0]
        var follower = RouteFollower(route)
        for (index, step) in leg.steps.enumerated().dropLast() {
            let found = follower.update(leg.path[step.start])
            let progress = try #require(found)
            #expect(progress.step == index)
            #expect(abs(try #require(progress.metersToManoeuvre) - step.distance) < 2)
        }
    }

    @Test func `leaving the route is reported`() async throws {
        let route = try await Self.route()
        var follower = RouteFollower(route)
        let away = Geodesic.place(from: route.path[0], bearing: 180, meters: 200)
        let found = follower.update(away)
        let progress = try #require(found)
        #expect(progress.isOffRoute)
        #expect(abs(progress.metersAway - 200) < 3)
    }

    @Test func `a line that passes a street twice is followed in order`() {
        // Out and back along one street.
        let (a, b) = (Coordinate(x: 24.9, y: 60), Coordinate(x: 24.92, y: 60))
        let legs = [[a, b], [b, a]].map { PlannedRoute.Leg(distance: 1115, duration: 800, path: $0) }
        let places = [a, b, a].map { Itinerary.Place(coordinate: $0, stay: 0) }
        var follower = RouteFollower(PlannedRoute(places: places, legs: legs, mode: .foot))
        var found: [Int] = []
        for x in [24.9, 24.905, 24.91, 24.915, 24.92, 24.916, 24.911, 24.906, 24.9] {
            found.append(follower.update(Coordinate(x: x, y: 60.0001))!.leg)
        }
        #expect(found.prefix(4).allSatisfy { $0 == 0 })
        #expect(found.suffix(4).allSatisfy { $0 == 1 })
    }

    @Test func `a follower starts at the beginning, even if the way back is nearer`() {
        let out = [Coordinate(x: 24.9, y: 60), Coordinate(x: 24.92, y: 60)]
        let home = [Coordinate(x: 24.92, y: 60.0002), Coordinate(x: 24.9, y: 60.0002)]
        let legs = [out, home].map { PlannedRoute.Leg(distance: 1115, duration: 800, path: $0) }
        let places = [out[0], out[1], out[0]].map { Itinerary.Place(coordinate: $0) }
        var follower = RouteFollower(PlannedRoute(places: places, legs: legs, mode: .foot))
        #expect(follower.update(Coordinate(x: 24.9001, y: 60.00015))?.leg == 0)
    }

    @Test func `a route without a line cannot be followed`() {
        let place = Itinerary.Place(coordinate: Coordinate(x: 1, y: 1))
        let leg = PlannedRoute.Leg(distance: 0, duration: 0, path: [])
        var follower = RouteFollower(PlannedRoute(places: [place, place], legs: [leg], mode: .foot))
        #expect(follower.update(place.coordinate) == nil)
    }
}
