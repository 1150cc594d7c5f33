import PortolanFetch
import PortolanGeo
import PortolanRouting
import PortolanWeb
import Synchronization
import Testing

/// Straight lines that remember what they were asked.
final class CountingProvider: RoutingProvider {
    let name = "counting"
    private let asked = Mutex<[[Coordinate]]>([])
    private let tables = Mutex(0)
    var routes: [[Coordinate]] { asked.withLock { $0 } }
    var tableCount: Int { tables.withLock { $0 } }

    func route(through places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> RouteAnswer {
        asked.withLock { $0.append(places) }
        var answer = try StraightLines().route(through: places, mode: mode)
        // As if along roads, so that legs are kept.
        for index in answer.legs.indices { answer.legs[index].isEstimate = false }
        return answer
    }

    func matrix(of places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> MatrixAnswer {
        tables.withLock { $0 += 1 }
        return try StraightLines().matrix(of: places, mode: mode)
    }
}

@Suite struct RoutePlannerTests {
    static func place(_ x: Double) -> Itinerary.Place {
        Itinerary.Place(name: "at \(x)", coordinate: Coordinate(x: x / 100, y: 60))
    }

    private static func xs(_ route: PlannedRoute?) -> [Double] {
        (route?.places ?? []).map { ($0.coordinate.x * 100).rounded() }
    }

    @Test func `places on a line are visited along it`() async throws {
        let itinerary = Itinerary([0, 3, 1, 2].map(Self.place))
        let provider = CountingProvider()
        let route = try await RoutePlanner(provider: provider).route(through: itinerary, mode: .foot)
        #expect(Self.xs(route) == [0, 1, 2, 3])
        #expect(route.order?.isProven == true)
        #expect(provider.tableCount == 1)
        #expect(provider.routes.count == 1)
        let given = try await RoutePlanner(provider: provider)
            .route(through: itinerary, mode: .foot, ordering: .given)
        #expect(Self.xs(given) == [0, 3, 1, 2])
        #expect(given.order == nil)
        #expect(provider.tableCount == 1)
        #expect(given.distance > route.distance)
    }

    @Test func `a round trip ends where it began`() async throws {
        let itinerary = Itinerary([0, 1, 2].map(Self.place), isRoundTrip: true)
        let route = try await RoutePlanner(provider: StraightLines()).route(through: itinerary, mode: .car)
        #expect(Self.xs(route).first == 0)
        #expect(Self.xs(route).last == 0)
        #expect(route.legs.count == 3)
    }

    @Test func `arrival times include stays and waits for time windows`() async throws {
        var places = [0, 1, 2].map(Self.place)
        places[0].stay = 60
        places[1].window = 10_000...20_000
        places[1].stay = 600
        let route = try await RoutePlanner(provider: StraightLines())
            .route(through: Itinerary(places), mode: .foot, ordering: .given)
        let leg = route.legs[0].duration
        #expect(route.arrivals[0] == 0 && abs(route.arrivals[1] - 60 - leg) < 1e-6)
        #expect(abs(route.arrivals[2] - 10_600 - route.legs[1].duration) < 1e-6)
    }

    struct Edit: CustomTestStringConvertible, Sendable {
        var name: String
        var asked: [[Double]]
        var after: [Double]
        var change: @Sendable (inout RouteDraft) -> Void
        var testDescription: String { name }
    }

    @Test(arguments: [
        Edit(name: "added at the end", asked: [[3, 9]], after: [0, 1, 2, 3, 9]) { $0.add(place(9)) },
        Edit(name: "added between", asked: [[1, 9, 2]], after: [0, 1, 9, 2, 3]) { $0.add(place(9), at: 2) },
        Edit(name: "removed between", asked: [[0, 2]], after: [0, 2, 3]) { $0.removePlace(at: 1) },
        Edit(name: "removed at the end", asked: [], after: [0, 1, 2]) { $0.removePlace(at: 3) },
        Edit(name: "moved", asked: [[0, 2, 1, 3]], after: [0, 2, 1, 3]) { $0.movePlace(from: 1, to: 2) },
        Edit(name: "dragged", asked: [[2, 7]], after: [0, 1, 2, 7]) {
            $0.dragPlace(at: 3, to: place(7).coordinate)
        },
        Edit(name: "home again", asked: [[3, 0]], after: [0, 1, 2, 3, 0]) { $0.isRoundTrip = true },
        Edit(name: "by car", asked: [[0, 1, 2, 3]], after: [0, 1, 2, 3]) { $0.mode = .car },
        Edit(name: "renamed", asked: [], after: [0, 1, 2, 3]) { $0.renamePlace(at: 0, "Start") },
    ])
    func `only the legs that an edit changes are requested`(_ edit: Edit) async throws {
        let provider = CountingProvider()
        let planner = RoutePlanner(provider: provider)
        var draft = RouteDraft(name: "Created", itinerary: Itinerary([0, 1, 2, 3].map(Self.place)))
        try await draft.plan(by: planner)
        #expect(provider.routes.count == 1)
        #expect(draft.isCurrent)
        edit.change(&draft)
        try await draft.plan(by: planner)
        let asked = provider.routes.dropFirst().map { $0.map { ($0.x * 100).rounded() } }
        #expect(Array(asked) == edit.asked)
        #expect(Self.xs(draft.route) == edit.after)
        // As if it had been planned from nothing.
        let again = try await planner.route(through: draft.itinerary, mode: draft.mode, ordering: draft.ordering)
        #expect(draft.route?.legs == again.legs)
    }

    @Test func `an order that was found can be adopted`() async throws {
        var draft = RouteDraft(name: "x", itinerary: Itinerary([0, 3, 1, 2].map(Self.place)), ordering: .best)
        let planner = RoutePlanner(provider: CountingProvider())
        try await draft.plan(by: planner)
        draft.adoptOrder()
        #expect(draft.places.map { ($0.coordinate.x * 100).rounded() } == [0, 1, 2, 3])
        #expect(draft.ordering == .given)
        #expect(draft.isCurrent)
        #expect(draft.route?.order?.order == [0, 1, 2, 3])
        let legs = draft.route?.legs
        draft.renamePlace(at: 1, "one")
        try await draft.plan(by: planner)
        #expect(draft.route?.legs == legs)
    }

    @Test
    func `a new route is named by the date, begins at the position and grows place by place`() async throws {
        // 2026-11-23 14:05 in universal time.
        var draft = RouteDraft(createdAt: 1_795_442_700, from: Self.place(0).coordinate)
        #expect(draft.name == "Created 2026-11-23 14:05")
        #expect(draft.places.count == 1)
        let planner = RoutePlanner(provider: CountingProvider())
        for x in [2.0, 1] {
            draft.add(Self.place(x))
            try await draft.plan(by: planner)
        }
        #expect(draft.route?.legs.count == 2)
        #expect(draft.places.count == 3)
        draft.ordering = .best
        try await draft.plan(by: planner)
        #expect(Self.xs(draft.route) == [0, 1, 2])
    }

    @Test func `hourly traffic lengthens ways, and leaving later never means arriving earlier`() throws {
        var factors = [Double](repeating: 1, count: 24)
        factors[8] = 3
        let traffic = try TravelMatrix.TrafficProfile(factors: factors, departure: 7.5 * 3600)
        #expect(traffic.duration(leaving: 0, 600) == 600)
        #expect(traffic.duration(leaving: 1800, 600) == 1800)
        // Half an hour at once, and half an hour of way that takes three times as long.
        #expect(traffic.duration(leaving: 0, 2400) == 1800 + 1800)
        var last = 0.0
        for leaving in stride(from: 0.0, to: 7200, by: 60) {
            let arrival = leaving + traffic.duration(leaving: leaving, 1000)
            #expect(arrival >= last)
            last = arrival
        }
        #expect(throws: RoutingError.self) { try TravelMatrix.TrafficProfile(factors: [1], departure: 0) }
        #expect(throws: RoutingError.self) {
            try TravelMatrix.TrafficProfile(factors: factors.map { $0 * 0 }, departure: 0)
        }
    }

    /// The examples of the documentation; without a response of the server, straight lines are used.
    @Test func `a route is planned in four lines`() async throws {
        let places = [0, 2, 1].map(Self.place)
        let transport = RecordedServer.always([])
        let fetcher = Fetcher(transport: transport)
        let provider = OSRMProvider("http://localhost:5000", fetcher: fetcher)
        let planner = RoutePlanner(provider: FallbackProvider(provider))
        let route = try await planner.route(through: Itinerary(places, isRoundTrip: true), mode: .foot)
        let lines = DirectionsText(route, in: .english).lines
        #expect(lines.last?.sentence == "You have arrived at at 0.0")
    }

    @Test func `a renamed place is renamed in the route, and estimates are requested again`() async throws {
        var draft = RouteDraft(name: "x", itinerary: Itinerary([0, 1].map(Self.place), isRoundTrip: true))
        let provider = CountingProvider()
        try await draft.plan(by: RoutePlanner(provider: provider))
        draft.renamePlace(at: 0, "Home")
        #expect(draft.route?.places.map(\.name) == ["Home", "at 1.0", "Home"])
        struct Down: RoutingProvider {
            let name = "down"
            func route(through places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> RouteAnswer {
                throw .malformed(provider: name, url: "", what: "nothing")
            }
            func matrix(of places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> MatrixAnswer {
                throw .malformed(provider: name, url: "", what: "nothing")
            }
        }
        var guessed = RouteDraft(name: "x", itinerary: Itinerary([0, 1].map(Self.place)))
        try await guessed.plan(by: RoutePlanner(provider: FallbackProvider(Down())))
        #expect(guessed.route?.legs.allSatisfy { $0.isEstimate } == true)
        try await guessed.plan(by: RoutePlanner(provider: provider))
        #expect(guessed.route?.legs.allSatisfy { $0.isEstimate } == false)
    }

    @Test func `notes refer to places in visiting order, and stay with them`() async throws {
        struct Away: RoutingProvider {
            let name = "away"
            func route(through places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> RouteAnswer {
                var answer = try StraightLines().route(through: places, mode: mode)
                for index in answer.legs.indices { answer.legs[index].isEstimate = false }
                if let far = places.firstIndex(where: { $0.x == 0.02 }) {
                    answer.notes = [.awayFromRoad(place: far, meters: 500)]
                }
                return answer
            }
            func matrix(of places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> MatrixAnswer {
                try StraightLines().matrix(of: places, mode: mode)
            }
        }
        let planner = RoutePlanner(provider: Away())
        var draft = RouteDraft(name: "x", itinerary: Itinerary([0, 3, 2].map(Self.place)), ordering: .best)
        try await draft.plan(by: planner)
        #expect(draft.route?.notes == [.awayFromRoad(place: 1, meters: 500)])
        draft.add(Self.place(4))
        try await draft.plan(by: planner)
        #expect(draft.route?.notes == [.awayFromRoad(place: 1, meters: 500)])
    }

    @Test func `a given order that violates its constraints is rejected`() async {
        var places = [0, 1, 2].map(Self.place)
        places[2].position = 1
        let planner = RoutePlanner(provider: StraightLines())
        await #expect(throws: RoutingError.self) {
            try await planner.route(through: Itinerary(places), mode: .foot, ordering: .given)
        }
        let late = Itinerary([0, 1, 2].map(Self.place), precedences: [.init(2, before: 1)])
        await #expect(throws: RoutingError.self) {
            try await planner.route(through: late, mode: .foot, ordering: .given)
        }
    }

    @Test func `precedences follow their places through edits`() {
        var draft = RouteDraft(
            name: "x", itinerary: Itinerary([0, 1, 2, 3].map(Self.place), precedences: [.init(1, before: 3)]))
        draft.add(Self.place(9), at: 1)
        #expect(draft.itinerary.precedences == [.init(2, before: 4)])
        draft.movePlace(from: 4, to: 0)
        #expect(draft.itinerary.precedences == [.init(3, before: 0)])
        draft.removePlace(at: 3)
        #expect(draft.itinerary.precedences.isEmpty)
    }

    @Test func `a draft knows whether it is saved`() async throws {
        var draft = RouteDraft(name: "x", itinerary: Itinerary([0, 1].map(Self.place)))
        draft.noteSaved()
        #expect(!draft.isSaved)
        try await draft.plan(by: RoutePlanner(provider: StraightLines()))
        draft.noteSaved()
        #expect(draft.isSaved)
        draft.name = "y"
        #expect(!draft.isSaved)
    }

    @Test func `errors name the places of the itinerary`() async {
        struct NoWay: RoutingProvider {
            let name = "none"
            func route(through places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> RouteAnswer {
                throw .unreachable(from: 1, to: 2)
            }
            func matrix(of places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> MatrixAnswer {
                try StraightLines().matrix(of: places, mode: mode)
            }
        }
        let itinerary = Itinerary([0, 3, 1, 2].map(Self.place))
        await #expect(throws: RoutingError.unreachable(from: 2, to: 3)) {
            try await RoutePlanner(provider: NoWay()).route(through: itinerary, mode: .foot)
        }
        await #expect(throws: RoutingError.self) {
            try await RoutePlanner(provider: NoWay()).route(through: Itinerary([Self.place(1)]), mode: .foot)
        }
    }
}
