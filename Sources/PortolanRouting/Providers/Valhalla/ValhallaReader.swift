import PortolanFeatures
import PortolanFormats
import PortolanGeo

/// Parses Valhalla responses (*Valhalla API*, "Turn-by-turn", "Matrix", "Optimized route", "Isochrone").
struct ValhallaReader {
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
    private var trip: Properties? { members["trip"]?.objectValue }

    private func broken(_ what: String) -> RoutingError { door.malformed(answer.place, what) }

    /// Throws the server's error unless there is a trip.
    ///
    /// - Parameter isPair: whether two places were requested, so that a missing route can be attributed to them.
    func checkTrip(isPair: Bool) throws(RoutingError) {
        try checkError(isPair: isPair)
        guard trip != nil else { throw door.unknown(answer) }
    }

    private func checkError(isPair: Bool) throws(RoutingError) {
        guard let code = members["error_code"]?.integerValue else { return }
        // 442 means no path; 171 means no suitable edges near a location, which is not named.
        if code == 442, isPair { throw .unreachable(from: first, to: first + 1) }
        throw door.refused("\(code)", members["error"]?.stringValue)
    }

    /// Returns notes about places far from the path of their route.
    func notes(of places: [Coordinate], roads: RoadDistance) throws(RoutingError) -> [PlannedRoute.Note] {
        let legs = try legs(count: places.count - 1)
        var notes: [PlannedRoute.Note] = []
        for (index, place) in places.enumerated() {
            guard let road = index == 0 ? legs.first?.path.first : legs[index - 1].path.last else { continue }
            let meters = Geodesic.line(from: place, to: road).meters
            if let note = try roads.note(place: first + index, meters: meters) { notes.append(note) }
        }
        return notes
    }

    /// Returns the legs of the trip.
    func legs(count: Int) throws(RoutingError) -> [PlannedRoute.Leg] {
        guard let values = trip?["legs"]?.arrayValue, values.count == count else {
            throw broken("expected \(count) legs in the trip")
        }
        // Lengths are in the units of the request, which servers repeat.
        let metersPerUnit = trip?["units"]?.stringValue == "miles" ? 1609.344 : 1000
        var legs: [PlannedRoute.Leg] = []
        for value in values { legs.append(try leg(value, metersPerUnit)) }
        return legs
    }

    private func leg(_ value: PropertyValue, _ metersPerUnit: Double) throws(RoutingError) -> PlannedRoute.Leg {
        guard let leg = value.objectValue, let summary = leg["summary"]?.objectValue,
            let length = summary["length"]?.measure, let time = summary["time"]?.measure,
            let shape = leg["shape"]?.stringValue
        else { throw broken("a leg has no length, time and shape") }
        let path: [Coordinate]
        do { path = try EncodedPolyline.read(shape, decimals: 6) } catch { throw broken("\(error)") }
        var steps: [PlannedRoute.Step] = []
        for value in leg["maneuvers"]?.arrayValue ?? [] { steps.append(try step(value, path, metersPerUnit)) }
        return PlannedRoute.Leg(distance: length * metersPerUnit, duration: time, path: path, steps: steps)
    }

    private func step(
        _ value: PropertyValue, _ path: [Coordinate], _ metersPerUnit: Double
    ) throws(RoutingError) -> PlannedRoute.Step {
        guard let step = value.objectValue, let type = step["type"]?.integerValue,
            let length = step["length"]?.measure, let time = step["time"]?.measure,
            let start = step["begin_shape_index"]?.integerValue, path.indices.contains(start)
        else { throw broken("a manoeuvre has no type, length, time or place") }
        let (kind, direction) = Self.manoeuvres[type] ?? (.notice, nil)
        let names = step["street_names"]?.arrayValue?.compactMap(\.label) ?? []
        let signs = step["sign"]?.objectValue?["exit_toward_elements"]?.arrayValue ?? []
        let toward = signs.compactMap { $0.objectValue?["text"]?.label }
        return PlannedRoute.Step(
            PlannedRoute.Manoeuvre(
                kind, direction, exit: step["roundabout_exit_count"]?.integerValue,
                bearingBefore: step["bearing_before"]?.doubleValue, bearingAfter: step["bearing_after"]?.doubleValue,
                place: path[start]),
            name: names.first, destination: toward.isEmpty ? nil : toward.joined(separator: ", "),
            distance: length * metersPerUnit, duration: time, start: start, instruction: step["instruction"]?.label)
    }

    /// The manoeuvre types by number (`DirectionsLeg.Maneuver.Type`).
    static let manoeuvres: [Int: (PlannedRoute.Manoeuvre.Kind, PlannedRoute.Manoeuvre.Direction?)] = [
        0: (.notice, nil), 1: (.depart, nil), 2: (.depart, .right), 3: (.depart, .left), 4: (.arrive, nil),
        5: (.arrive, .right), 6: (.arrive, .left), 7: (.newName, nil), 8: (.goOn, .straight),
        9: (.turn, .slightRight), 10: (.turn, .right), 11: (.turn, .sharpRight), 12: (.uTurn, .right),
        13: (.uTurn, .left), 14: (.turn, .sharpLeft), 15: (.turn, .left), 16: (.turn, .slightLeft),
        17: (.onRamp, .straight), 18: (.onRamp, .right), 19: (.onRamp, .left), 20: (.offRamp, .right),
        21: (.offRamp, .left), 22: (.fork, .straight), 23: (.fork, .right), 24: (.fork, .left), 25: (.merge, nil),
        26: (.roundabout, nil), 27: (.exitRoundabout, nil), 28: (.ferry, nil), 29: (.leaveFerry, nil),
        30: (.board, nil), 31: (.transfer, nil), 32: (.stayOnBoard, nil), 33: (.enterStation, nil),
        34: (.transfer, nil), 35: (.leaveStation, nil), 36: (.alight, nil), 37: (.merge, .right),
        38: (.merge, .left), 39: (.elevator, nil), 40: (.stairs, nil), 41: (.escalator, nil),
        42: (.enterBuilding, nil), 43: (.leaveBuilding, nil),
    ]

    /// Copies a table into its block of the matrix.
    func fill(_ matrix: inout TravelMatrix, from: Range<Int>, to: Range<Int>) throws(RoutingError) {
        try checkError(isPair: false)
        guard let rows = members["sources_to_targets"]?.arrayValue else { throw door.unknown(answer) }
        guard rows.count == from.count else { throw broken("expected \(from.count) rows in the table") }
        let metersPerUnit = members["units"]?.stringValue == "miles" ? 1609.344 : 1000
        for row in 0..<from.count {
            guard let cells = rows[row].arrayValue, cells.count == to.count else {
                throw broken("expected \(to.count) columns in a row of the table")
            }
            for column in 0..<to.count where from.lowerBound + row != to.lowerBound + column {
                let cell = cells[column].objectValue ?? Properties()
                // A null or missing value means that there is no route.
                guard let time = cell["time"], time != .null, let distance = cell["distance"], distance != .null else {
                    continue
                }
                guard let seconds = time.measure, let length = distance.measure else {
                    throw broken("a cell of the table is not a number of seconds or kilometres")
                }
                matrix.set(
                    from: from.lowerBound + row, to: to.lowerBound + column, duration: seconds,
                    distance: length * metersPerUnit)
            }
        }
    }

    /// Returns the order of an optimized route from the original indices of its locations.
    func tripOrder(count: Int) throws(RoutingError) -> [Int] {
        let order = (trip?["locations"]?.arrayValue ?? []).compactMap {
            $0.objectValue?["original_index"]?.integerValue
        }
        guard order.sorted() == Array(0..<count) else { throw broken("the locations have no order") }
        return order
    }

    /// Returns the features of an isochrone.
    func features() throws(RoutingError) -> FeatureCollection {
        try checkError(isPair: false)
        guard members["features"] != nil else { throw door.unknown(answer) }
        do { return try GeoJSONReader.read(GeoJSONWriter.json(answer.value)) } catch { throw broken("\(error)") }
    }
}
