public import PortolanFeatures
import PortolanGeo

/// The conversion of a planned route to features and back, for saving and drawing.
///
/// The path is one `LineString` with `type` `route`, its length in kilometres and its duration in minutes. Each place
/// is a `Point` with `type` `poi`, `order`, and optional `stay`, `window` and `arrival` in minutes. Legs (metres and
/// seconds), steps and the mode are additional properties, which other programs ignore.
/// ``/PortolanFeatures/GeoJSONWriter`` splits a line at the antimeridian, and reading joins it.
public enum SavedRoute {
    /// Returns the features of a route.
    ///
    /// - Parameter name: the name of the route.
    public static func features(of route: PlannedRoute, named name: String) -> FeatureCollection {
        var path: [Coordinate] = []
        var legs: [PropertyValue] = []
        for leg in route.legs {
            // Longitudes continue beyond 180 degrees instead of jumping.
            var last = path.last
            let way = leg.path.map { place in
                last = last.map { place.nearest(to: $0) } ?? place
                return last ?? place
            }
            if path.last != nil, path.last == way.first { path.removeLast() }
            legs.append(value(of: leg, start: path.count))
            path += way
        }
        var properties: Properties = [
            "type": "route", "name": .string(name), "distance": .number(rounded(route.distance / 1000)),
            "duration": .number(rounded(route.duration / 60)), "mode": .string(route.mode.rawValue),
            "legs": .array(legs),
        ]
        if route.places.count > 1, route.places.first == route.places.last { properties["roundTrip"] = true }
        let line = Feature(id: "route", geometry: .lineString(path), properties: properties)
        return FeatureCollection(features: [line] + places(of: route), foreignMembers: ["name": .string(name)])
    }

    private static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }

    private static func places(of route: PlannedRoute) -> [Feature] {
        let arrivals = route.arrivals
        return route.places.enumerated().map { index, place in
            var properties: Properties = [
                "type": "poi", "order": .integer(index + 1), "arrival": .number(rounded(arrivals[index] / 60)),
            ]
            if let name = place.name { properties["name"] = .string(name) }
            if place.stay > 0 { properties["stay"] = .number(place.stay / 60) }
            if let window = place.window {
                properties["window"] = [
                    .number(window.lowerBound / 60), .number(min(window.upperBound, 1e9) / 60),
                ]
            }
            return Feature(
                id: .string("place-\(index + 1)"), geometry: .point(place.coordinate), properties: properties)
        }
    }

    private static func value(of leg: PlannedRoute.Leg, start: Int) -> PropertyValue {
        var members: Properties = [
            "distance": .number(leg.distance), "duration": .number(leg.duration), "start": .integer(start),
            "count": .integer(leg.path.count),
        ]
        if leg.isEstimate { members["estimate"] = true }
        if !leg.steps.isEmpty { members["steps"] = .array(leg.steps.map(value)) }
        return .object(members)
    }

    private static func value(of step: PlannedRoute.Step) -> PropertyValue {
        let manoeuvre = step.manoeuvre
        var members: Properties = [
            "manoeuvre": .string(manoeuvre.kind.rawValue), "distance": .number(step.distance),
            "duration": .number(step.duration), "start": .integer(step.start),
        ]
        members["direction"] = manoeuvre.direction.map { .string($0.rawValue) }
        members["exit"] = manoeuvre.exit.map { .integer($0) }
        members["bearingBefore"] = manoeuvre.bearingBefore.map { .number($0) }
        members["bearingAfter"] = manoeuvre.bearingAfter.map { .number($0) }
        members["place"] = [.number(manoeuvre.place.x), .number(manoeuvre.place.y)]
        members["name"] = step.name.map { .string($0) }
        members["reference"] = step.reference.map { .string($0) }
        members["destination"] = step.destination.map { .string($0) }
        members["instruction"] = step.instruction.map { .string($0) }
        return .object(members)
    }
}
