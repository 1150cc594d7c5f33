public import PortolanGeo

/// What a feature says about itself as a route: a line whose property `type` is `route`.
public struct Route: Hashable, Sendable {
    /// What tells the route from others, or `nil` when nothing does.
    public let id: FeatureID?
    /// What the route is called, or `nil` when it has no name.
    public let name: String?
    /// What there is to say about it, or `nil` when nothing is said.
    public let description: String?
    /// How long it is in kilometres, or `nil` when that is not said.
    public let distance: Double?
    /// How long it takes in minutes, or `nil` when that is not said.
    public let duration: Double?
    /// The line itself, of the kind `lineString` or `multiLineString`.
    public let geometry: Geometry
}

extension Feature {
    /// The feature as a route, or `nil` when it is none.
    public var route: Route? {
        guard properties["type"]?.stringValue == "route", let geometry,
            geometry.kind == .lineString || geometry.kind == .multiLineString
        else { return nil }
        return Route(
            id: identifier, name: properties["name"]?.displayText, description: properties["description"]?.displayText,
            distance: properties["distance"]?.looseNumber, duration: properties["duration"]?.looseNumber,
            geometry: geometry)
    }
}

extension PropertyValue {
    /// A number that may be written as a text, or `nil` when it is none or less than zero.
    fileprivate var looseNumber: Double? {
        guard let number = doubleValue ?? stringValue.flatMap(Double.init), number.isFinite, number >= 0 else {
            return nil
        }
        return number
    }
}

/// What a feature says about itself as a point of interest: a point whose property `type` is `poi`.
public struct PointOfInterest: Hashable, Sendable {
    /// What tells the place from others, or `nil` when nothing does.
    public let id: FeatureID?
    /// What the place is called, or `nil` when it has no name.
    public let name: String?
    /// What there is to say about it, or `nil` when nothing is said.
    public let description: String?
    /// Whether a tap selects it; true unless the file says otherwise.
    public let isSelectable: Bool
    /// Whether going to the next or previous place stops at it; true unless the file says otherwise.
    public let isNavigable: Bool
    /// Where it is, in the system of the collection.
    public let coordinate: Coordinate
}

extension Feature {
    /// The feature as a point of interest, or `nil` when it is none.
    public var pointOfInterest: PointOfInterest? {
        guard properties["type"]?.stringValue == "poi", let geometry, geometry.kind == .point,
            let coordinate = geometry.coordinates.first
        else { return nil }
        return PointOfInterest(
            id: identifier, name: properties["name"]?.displayText, description: properties["description"]?.displayText,
            isSelectable: properties["selectable"]?.looseBool ?? true,
            isNavigable: properties["navigable"]?.looseBool ?? true, coordinate: coordinate)
    }
}

extension Sequence<Feature> {
    /// Where next and previous stop: the navigable points of interest, each identifier once.
    package var stops: [Feature] {
        // What has no identifier, or another's, cannot be told apart: a walk would come to a halt there.
        var seen: Set<FeatureID> = []
        return filter { feature in
            guard feature.pointOfInterest?.isNavigable ?? false, let id = feature.identifier else { return false }
            return seen.insert(id).inserted
        }
    }
}
