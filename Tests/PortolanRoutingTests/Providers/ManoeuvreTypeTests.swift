import PortolanFetch
import PortolanGeo
import PortolanRouting
import PortolanTesting
import PortolanWeb
import Testing

/// The types of manoeuvres that services document, each read from an answer.
@Suite struct ManoeuvreTypeTests {
    private static let places = [Coordinate(x: 0, y: 0), Coordinate(x: 0.001, y: 0)]

    /// OSRM's HTTP API, "StepManeuver object".
    @Test(arguments: [
        ("turn", PlannedRoute.Manoeuvre.Kind.turn), ("new name", .newName), ("depart", .depart), ("arrive", .arrive),
        ("merge", .merge),
        ("ramp", .onRamp), ("on ramp", .onRamp), ("off ramp", .offRamp), ("fork", .fork), ("end of road", .endOfRoad),
        ("use lane", .goOn), ("continue", .goOn), ("roundabout", .roundabout), ("rotary", .roundabout),
        ("roundabout turn", .turn), ("notification", .notice), ("exit roundabout", .exitRoundabout),
        ("exit rotary", .exitRoundabout), ("what comes one day", .turn),
    ])
    func `each OSRM manoeuvre type is read, and an unknown one becomes a turn`(
        type: String, kind: PlannedRoute.Manoeuvre.Kind
    ) async throws {
        let modifiers: [(String, PlannedRoute.Manoeuvre.Direction)] = [
            ("uturn", .uTurn), ("sharp right", .sharpRight), ("right", .right), ("slight right", .slightRight),
            ("straight", .straight), ("slight left", .slightLeft), ("left", .left), ("sharp left", .sharpLeft),
        ]
        for (modifier, direction) in modifiers {
            let body = """
                {"code": "Ok", "waypoints": [{"distance": 0}, {"distance": 0}], "routes": [{"legs": [{"distance": 111, \
                "duration": 80, "steps": [{"distance": 111, "duration": 80, "name": "A", "geometry": "???o}@", \
                "maneuver": {"type": "\(type)", "modifier": "\(modifier)", "location": [0, 0], "exit": 3}}]}]}]}
                """
            let provider = OSRMProvider(
                "http://osrm.example", fetcher: RecordedServer.fetcher(RecordedServer.always(Array(body.utf8))))
            let step = try #require(
                try await provider.route(through: Self.places, mode: .foot).legs.first?.steps.first)
            let turnsBack = direction == .uTurn && (kind == .turn || kind == .goOn)
            #expect(step.manoeuvre.kind == (turnsBack ? .uTurn : kind))
            #expect(step.manoeuvre.direction == direction)
            #expect(step.manoeuvre.exit == 3)
        }
    }

    /// Valhalla's "Maneuver types", by their numbers.
    private static let valhalla: [(PlannedRoute.Manoeuvre.Kind, PlannedRoute.Manoeuvre.Direction?)] = [
        (.notice, nil), (.depart, nil), (.depart, .right), (.depart, .left), (.arrive, nil), (.arrive, .right),
        (.arrive, .left), (.newName, nil), (.goOn, .straight), (.turn, .slightRight), (.turn, .right),
        (.turn, .sharpRight), (.uTurn, .right), (.uTurn, .left), (.turn, .sharpLeft), (.turn, .left),
        (.turn, .slightLeft), (.onRamp, .straight), (.onRamp, .right), (.onRamp, .left), (.offRamp, .right),
        (.offRamp, .left), (.fork, .straight), (.fork, .right), (.fork, .left), (.merge, nil), (.roundabout, nil),
        (.exitRoundabout, nil), (.ferry, nil), (.leaveFerry, nil), (.board, nil), (.transfer, nil),
        (.stayOnBoard, nil), (.enterStation, nil), (.transfer, nil), (.leaveStation, nil), (.alight, nil),
        (.merge, .right), (.merge, .left), (.elevator, nil), (.stairs, nil), (.escalator, nil), (.enterBuilding, nil),
        (.leaveBuilding, nil), (.notice, nil),
    ]

    @Test(arguments: 0..<45) func `each Valhalla manoeuvre number is read, and an unknown one becomes a notice`(
        number: Int
    ) async throws {
        let body = """
            {"trip": {"units": "kilometers", "legs": [{"summary": {"length": 0.111, "time": 80}, "shape": "???o}@", \
            "maneuvers": [{"type": \(number), "length": 0.111, "time": 80, "begin_shape_index": 0}]}]}}
            """
        let provider = ValhallaProvider(
            "http://valhalla.example", fetcher: RecordedServer.fetcher(RecordedServer.always(Array(body.utf8))))
        let answer = try await provider.route(through: Self.places, mode: .foot)
        let step = try #require(answer.legs.first?.steps.first)
        #expect(step.manoeuvre.kind == Self.valhalla[number].0)
        #expect(step.manoeuvre.direction == Self.valhalla[number].1)
    }
}
