import PortolanFeatures
import PortolanFormats
import PortolanGeo

/// Parses OSRM responses (Project OSRM, *HTTP API*, "Result objects").
struct OSRMReader {
    private let door: JSONClient
    private let answer: JSONClient.Answer
    /// The index of the first requested place among all places.
    private let first: Int

    init(_ door: JSONClient, _ answer: JSONClient.Answer, first: Int) {
        self.door = door
        self.answer = answer
        self.first = first
    }

    private var members: Properties { answer.value.objectValue ?? Properties() }

    /// The code of the response, or `nil`.
    var code: String? { members["code"]?.stringValue }

    /// The refusal as an error with the server's message.
    var refusal: RoutingError { door.refused(code ?? "", members["message"]?.stringValue) }

    /// Throws the refusal unless the code is "Ok".
    func checkCode() throws(RoutingError) {
        guard let code else { throw door.unknown(answer) }
        guard code == "Ok" else { throw refusal }
    }

    private func broken(_ what: String) -> RoutingError { door.malformed(answer.place, what) }

    /// Returns notes about places far from their roads, from a list of waypoints.
    func notes(of list: String, count: Int, roads: RoadDistance) throws(RoutingError) -> [PlannedRoute.Note] {
        guard let waypoints = members[list]?.arrayValue, waypoints.count == count else {
            throw broken("expected \(count) \(list)")
        }
        var notes: [PlannedRoute.Note] = []
        for (index, waypoint) in waypoints.enumerated() {
            guard let meters = (waypoint.objectValue?["distance"] ?? 0).measure else {
                throw broken("a waypoint has no distance")
            }
            if let note = try roads.note(place: first + index, meters: meters) { notes.append(note) }
        }
        return notes
    }

    /// Returns the legs of the first route.
    func legs(of list: String, count: Int) throws(RoutingError) -> [PlannedRoute.Leg] {
        guard let route = members[list]?.arrayValue?.first?.objectValue, let values = route["legs"]?.arrayValue,
            values.count == count
        else { throw broken("expected \(count) legs in \(list)") }
        var legs: [PlannedRoute.Leg] = []
        for value in values { legs.append(try leg(value)) }
        return legs
    }

    private func leg(_ value: PropertyValue) throws(RoutingError) -> PlannedRoute.Leg {
        guard let leg = value.objectValue, let distance = leg["distance"]?.measure,
            let duration = leg["duration"]?.measure
        else { throw broken("a leg has no distance and duration") }
        var steps: [PlannedRoute.Step] = []
        var path: [Coordinate] = []
        for value in leg["steps"]?.arrayValue ?? [] {
            let part = try line(value.objectValue?["geometry"])
            // Each step begins at the end of the previous one.
            let isJoined = path.last != nil && path.last == part.first
            let start = max(0, path.count - (isJoined ? 1 : 0))
            path += isJoined ? part.dropFirst() : part[...]
            steps.append(try step(value, start: start, at: part.first))
        }
        return PlannedRoute.Leg(distance: distance, duration: duration, path: path, steps: steps)
    }

    private func line(_ geometry: PropertyValue?) throws(RoutingError) -> [Coordinate] {
        switch geometry {
        case .string(let letters)?:
            do { return try EncodedPolyline.read(letters, decimals: 6) } catch { throw broken("\(error)") }
        case .object(let members)?:
            // Some servers return GeoJSON.
            return (members["coordinates"]?.arrayValue ?? []).compactMap(\.position)
        default: throw broken("a step has no geometry")
        }
    }

    private func step(
        _ value: PropertyValue, start: Int, at place: Coordinate?
    ) throws(RoutingError) -> PlannedRoute.Step {
        guard let step = value.objectValue, let manoeuvre = step["maneuver"]?.objectValue,
            let type = manoeuvre["type"]?.stringValue, let distance = step["distance"]?.measure,
            let duration = step["duration"]?.measure,
            let place = manoeuvre["location"]?.position ?? place
        else { throw broken("a step has no manoeuvre, distance or duration") }
        let direction = manoeuvre["modifier"]?.stringValue.flatMap { Self.directions[$0] }
        return PlannedRoute.Step(
            PlannedRoute.Manoeuvre(
                Self.kind(type, direction), direction, exit: manoeuvre["exit"]?.integerValue,
                bearingBefore: manoeuvre["bearing_before"]?.doubleValue,
                bearingAfter: manoeuvre["bearing_after"]?.doubleValue, place: place),
            name: step["name"]?.label, reference: step["ref"]?.label, destination: step["destinations"]?.label,
            distance: distance, duration: duration, start: start)
    }

    /// Returns the kind of a manoeuvre type.
    ///
    /// Unknown types are turns, as the API requires.
    static func kind(_ type: String, _ direction: PlannedRoute.Manoeuvre.Direction?) -> PlannedRoute.Manoeuvre.Kind {
        let kind = kinds[type] ?? .turn
        return direction == .uTurn && (kind == .turn || kind == .goOn) ? .uTurn : kind
    }

    /// The manoeuvre types of the API, including obsolete ones.
    static let kinds: [String: PlannedRoute.Manoeuvre.Kind] = [
        "turn": .turn, "new name": .newName, "depart": .depart, "arrive": .arrive, "merge": .merge, "ramp": .onRamp,
        "on ramp": .onRamp, "off ramp": .offRamp, "fork": .fork, "end of road": .endOfRoad, "use lane": .goOn,
        "continue": .goOn, "roundabout": .roundabout, "rotary": .roundabout, "roundabout turn": .turn,
        "exit roundabout": .exitRoundabout, "exit rotary": .exitRoundabout, "notification": .notice,
    ]

    /// The direction modifiers of the API.
    static let directions: [String: PlannedRoute.Manoeuvre.Direction] = [
        "uturn": .uTurn, "sharp right": .sharpRight, "right": .right, "slight right": .slightRight,
        "straight": .straight, "slight left": .slightLeft, "left": .left, "sharp left": .sharpLeft,
    ]

    /// Returns a note if the steps use a different mode than requested, or `nil`.
    ///
    /// The most frequent mode counts, because ferries and walking sections of bicycle routes have different modes.
    func travels(otherwiseThan mode: TravelMode) -> PlannedRoute.Note? {
        let words: [TravelMode: String] = [.car: "driving", .foot: "walking", .bicycle: "cycling"]
        let steps = (members["routes"]?.arrayValue?.first?.objectValue?["legs"]?.arrayValue ?? [])
            .flatMap { $0.objectValue?["steps"]?.arrayValue ?? [] }
        var counts: [String: Int] = [:]
        for step in steps {
            if let mode = step.objectValue?["mode"]?.stringValue, words.values.contains(mode) {
                counts[mode, default: 0] += 1
            }
        }
        guard let most = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key, most != words[mode] else {
            return nil
        }
        return .otherMode(asked: mode, provider: most)
    }

    /// Copies a table into its block of the matrix.
    func fill(_ matrix: inout TravelMatrix, from: Range<Int>, to: Range<Int>) throws(RoutingError) {
        guard let durations = members["durations"]?.arrayValue, let distances = members["distances"]?.arrayValue,
            durations.count == from.count, distances.count == from.count
        else { throw broken("expected \(from.count) rows of durations and distances") }
        for row in 0..<from.count {
            guard let seconds = durations[row].arrayValue, let meters = distances[row].arrayValue,
                seconds.count == to.count, meters.count == to.count
            else { throw broken("expected \(to.count) columns in a row of the table") }
            for column in 0..<to.count where from.lowerBound + row != to.lowerBound + column {
                // A null value means that there is no route.
                guard seconds[column] != .null, meters[column] != .null else { continue }
                guard let duration = seconds[column].measure, let distance = meters[column].measure else {
                    throw broken("a cell of the table is not a number of seconds or metres")
                }
                matrix.set(
                    from: from.lowerBound + row, to: to.lowerBound + column, duration: duration, distance: distance)
            }
        }
    }

    /// Returns the order of a trip.
    ///
    /// Waypoints are in request order, each with its index in the trip.
    func tripOrder(count: Int) throws(RoutingError) -> [Int] {
        var order = [Int](repeating: -1, count: count)
        for (index, waypoint) in (members["waypoints"]?.arrayValue ?? []).enumerated() {
            guard let place = waypoint.objectValue?["waypoint_index"]?.integerValue, order.indices.contains(place),
                order[place] < 0
            else { throw broken("the waypoints have no order") }
            order[place] = index
        }
        guard members["trips"]?.arrayValue?.count == 1, !order.contains(-1) else {
            // Unconnected parts become separate trips.
            throw door.refused("NoTrips", "no trip through all places")
        }
        return order
    }

    /// Returns the first waypoint of a `nearest` response.
    func nearest() throws(RoutingError) -> (place: Coordinate, name: String?, meters: Double) {
        guard let waypoint = members["waypoints"]?.arrayValue?.first?.objectValue,
            let place = waypoint["location"]?.position, let meters = waypoint["distance"]?.measure
        else { throw broken("no waypoint") }
        return (place, waypoint["name"]?.label, meters)
    }
}

extension PropertyValue {
    /// The value as seconds or metres, or `nil` if it is out of range.
    var measure: Double? { doubleValue.flatMap { $0 >= 0 && $0 < 1e9 ? $0 : nil } }

    /// The value as a text that is not empty, or `nil`.
    var label: String? { stringValue.flatMap { $0.isEmpty ? nil : $0 } }

    /// The value as a list of longitude and latitude, or `nil`.
    var position: Coordinate? {
        guard let list = arrayValue, list.count >= 2, let x = list[0].doubleValue, let y = list[1].doubleValue,
            abs(x) <= 360, abs(y) <= 90
        else { return nil }
        return Coordinate(x: x, y: y)
    }
}
