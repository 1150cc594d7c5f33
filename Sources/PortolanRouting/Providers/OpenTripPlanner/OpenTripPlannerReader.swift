import PortolanFeatures
import PortolanFormats
import PortolanGeo

/// Parses OpenTripPlanner 2 responses to the query `plan` (GTFS GraphQL schema, type `Plan`).
struct OpenTripPlannerReader {
    private let door: JSONClient
    private let answer: JSONClient.Answer

    init(_ door: JSONClient, _ answer: JSONClient.Answer) {
        self.door = door
        self.answer = answer
    }

    private func broken(_ what: String) -> RoutingError { door.malformed(answer.place, what) }

    /// Returns the first itinerary as one leg, or `nil`.
    ///
    /// - Parameter asked: the requested departure in seconds after 1970-01-01. The wait until the itinerary starts is
    ///   added to its duration.
    func way(from: Coordinate, to: Coordinate, asked: Double?) throws(RoutingError) -> PlannedRoute.Leg? {
        guard let members = answer.value.objectValue else { throw door.unknown(answer) }
        // GraphQL may report errors besides data, with any status code.
        if let error = members["errors"]?.arrayValue?.first?.objectValue {
            let kind = error["extensions"]?.objectValue?["classification"]?.stringValue
            throw door.refused(kind ?? "error", error["message"]?.stringValue)
        }
        guard let plan = members["data"]?.objectValue?["plan"]?.objectValue,
            let itineraries = plan["itineraries"]?.arrayValue
        else { throw door.unknown(answer) }
        guard let itinerary = itineraries.first?.objectValue else { return nil }
        guard let duration = itinerary["duration"]?.measure, let values = itinerary["legs"]?.arrayValue else {
            throw broken("an itinerary has no duration and legs")
        }
        // Times are in milliseconds after 1970-01-01.
        let end = itinerary["endTime"]?.doubleValue.map { $0 / 1000 }
        let whole = asked.flatMap { asked in end.map { $0 - asked } } ?? duration
        var leg = PlannedRoute.Leg(
            distance: 0, duration: (duration..<1e9).contains(whole) ? whole : duration, path: [])
        for (index, value) in values.enumerated() { try add(value, at: index, of: values.count, to: &leg) }
        if leg.path.isEmpty { leg.path = [from, to] }
        if let last = leg.path.last {
            leg.steps.append(
                PlannedRoute.Step(
                    PlannedRoute.Manoeuvre(.arrive, place: last), distance: 0, duration: 0, start: leg.path.count - 1))
        }
        return leg
    }

    private func add(
        _ value: PropertyValue, at index: Int, of count: Int, to whole: inout PlannedRoute.Leg
    ) throws(RoutingError) {
        guard let leg = value.objectValue, let mode = leg["mode"]?.stringValue,
            let distance = leg["distance"]?.measure, let duration = leg["duration"]?.measure,
            let letters = leg["legGeometry"]?.objectValue?["points"]?.stringValue
        else { throw broken("a leg has no mode, distance, duration and geometry") }
        let path: [Coordinate]
        do { path = try EncodedPolyline.read(letters, decimals: 5) } catch { throw broken("\(error)") }
        guard let place = path.first else { return }
        let isJoined = whole.path.last == place
        let start = max(0, whole.path.count - (isJoined ? 1 : 0))
        whole.path += isJoined ? path.dropFirst() : path[...]
        whole.distance += distance
        let route = leg["route"]?.objectValue
        let line = route?["shortName"]?.label ?? route?["longName"]?.label
        let isOnFoot = ["WALK", "BICYCLE", "CAR"].contains(mode)
        let kind: PlannedRoute.Manoeuvre.Kind = isOnFoot ? (index == 0 ? .depart : .alight) : .board
        whole.steps.append(
            PlannedRoute.Step(
                PlannedRoute.Manoeuvre(kind, place: place),
                name: isOnFoot ? leg["to"]?.objectValue?["name"]?.label : line,
                reference: isOnFoot ? nil : leg["from"]?.objectValue?["name"]?.label,
                destination: isOnFoot ? nil : leg["headsign"]?.label, distance: distance, duration: duration,
                start: start))
    }
}
