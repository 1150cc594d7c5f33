public import PortolanFeatures
import PortolanGeo

extension SavedRoute {
    /// Returns the route of features created by ``features(of:named:)``.
    ///
    /// - Returns: `nil` if legs or places are missing or do not fit the line. ``itinerary(of:)`` may still return their
    ///   places.
    public static func route(of collection: FeatureCollection) -> PlannedRoute? {
        guard let line = collection.features.first(where: { $0.properties["type"] == "route" }),
            let geometry = line.geometry, let values = line.properties["legs"]?.arrayValue,
            let mode = line.properties["mode"]?.stringValue.flatMap(TravelMode.init)
        else { return nil }
        let end = values.compactMap { legRange($0)?.upperBound }.max() ?? 0
        guard let path = path(geometry, count: end) else { return nil }
        var legs: [PlannedRoute.Leg] = []
        for value in values {
            guard let leg = leg(value, path) else { return nil }
            legs.append(leg)
        }
        let places = places(of: collection)
        guard places.count == legs.count + 1 else { return nil }
        return PlannedRoute(places: places, legs: legs, mode: mode)
    }

    /// Returns an itinerary of the points of a collection in order, from a saved route or any file.
    ///
    /// The properties are the same as on the command line: `name`, `stay` and `window` (in minutes), and `at` (the
    /// required position). If the last place equals the first one, the itinerary is a round trip.
    ///
    /// - Returns: an itinerary with one place for each point. Planners reject more than
    ///   ``Itinerary/maximumPlaceCount``.
    public static func itinerary(of collection: FeatureCollection) -> Itinerary {
        var places = places(of: collection)
        let isRoundTrip =
            places.count > 2 && places.first?.coordinate == places.last?.coordinate
            || collection.features.contains { $0.properties["roundTrip"] == true }
        if isRoundTrip, places.count > 1, places.first?.coordinate == places.last?.coordinate { places.removeLast() }
        return Itinerary(places, isRoundTrip: isRoundTrip)
    }

    /// Returns the points of a collection as places, sorted by their property `order` if present.
    private static func places(of collection: FeatureCollection) -> [Itinerary.Place] {
        let points = collection.features.filter { $0.geometry?.kind == .point }
        let ordered = points.enumerated().sorted { a, b in
            let orders = (
                a.element.properties["order"]?.doubleValue ?? .infinity,
                b.element.properties["order"]?.doubleValue ?? .infinity
            )
            return orders.0 != orders.1 ? orders.0 < orders.1 : a.offset < b.offset
        }
        return ordered.compactMap { _, point in
            guard let coordinate = point.geometry?.coordinates.first else { return nil }
            let members = point.properties
            return Itinerary.Place(
                name: members["name"]?.displayText, coordinate: coordinate,
                stay: members["stay"].flatMap(seconds) ?? 0, window: members["window"].flatMap(window),
                position: members["at"]?.integerValue.flatMap { $0 > 0 ? $0 - 1 : nil })
        }
    }

    /// Converts minutes to seconds.
    ///
    /// Numbers may be strings, as in tables.
    private static func seconds(_ value: PropertyValue) -> Double? {
        guard let minutes = value.doubleValue ?? value.stringValue.flatMap(Double.init), minutes >= 0, minutes < 1e6
        else { return nil }
        return (minutes * 60 * 1e6).rounded() / 1e6
    }

    /// Parses two times in minutes, from a list or a text such as `60-90`.
    private static func window(_ value: PropertyValue) -> ClosedRange<Double>? {
        let texts = value.stringValue?.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        let ends = (value.arrayValue ?? texts?.map { .string($0) } ?? []).compactMap(seconds)
        return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
    }

    /// Returns the coordinates of a line, joined if it was split at the antimeridian, or `nil` if it is invalid.
    private static func path(_ geometry: Geometry, count: Int) -> [Coordinate]? {
        guard geometry.kind == .lineString || geometry.kind == .multiLineString else { return nil }
        // A split adds the last point of one part and the first point of the next, unless a point was on the
        // antimeridian.
        var without = Array(geometry.parts.first ?? []), with = without
        for part in geometry.parts.dropFirst() {
            guard let last = with.last, let next = part.first, last.y == next.y, abs(last.x) == 180, next.x == -last.x
            else { return nil }
            without.removeLast()
            without += part.dropFirst()
            with += part.dropFirst()
        }
        return without.count == count ? without : with
    }

    /// Returns the range of a leg's coordinates in the line.
    private static func legRange(_ value: PropertyValue) -> Range<Int>? {
        guard let start = value.objectValue?["start"]?.integerValue, start >= 0, start <= 1 << 40,
            let count = value.objectValue?["count"]?.integerValue, count >= 0, count <= 1 << 40
        else { return nil }
        return start..<start + count
    }

    private static func leg(_ value: PropertyValue, _ path: [Coordinate]) -> PlannedRoute.Leg? {
        guard let members = value.objectValue, let distance = members["distance"]?.measure,
            let duration = members["duration"]?.measure, let range = legRange(value), range.upperBound <= path.count
        else { return nil }
        let part = Array(path[range])
        var steps: [PlannedRoute.Step] = []
        for value in members["steps"]?.arrayValue ?? [] {
            guard let step = step(value, part) else { return nil }
            steps.append(step)
        }
        return PlannedRoute.Leg(
            distance: distance, duration: duration, path: part, steps: steps,
            isEstimate: members["estimate"] == true)
    }

    private static func step(_ value: PropertyValue, _ path: [Coordinate]) -> PlannedRoute.Step? {
        guard let members = value.objectValue,
            let kind = members["manoeuvre"]?.stringValue.flatMap(PlannedRoute.Manoeuvre.Kind.init),
            let distance = members["distance"]?.measure, let duration = members["duration"]?.measure,
            let start = members["start"]?.integerValue, path.indices.contains(start),
            let place = members["place"]?.position
        else { return nil }
        return PlannedRoute.Step(
            PlannedRoute.Manoeuvre(
                kind, members["direction"]?.stringValue.flatMap(PlannedRoute.Manoeuvre.Direction.init),
                exit: members["exit"]?.integerValue, bearingBefore: members["bearingBefore"]?.doubleValue,
                bearingAfter: members["bearingAfter"]?.doubleValue, place: place),
            name: members["name"]?.label, reference: members["reference"]?.label,
            destination: members["destination"]?.label, distance: distance, duration: duration, start: start,
            instruction: members["instruction"]?.label)
    }
}
