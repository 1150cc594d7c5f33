public import PortolanGeo

/// A route in a feature: a line whose property `type` is `route`.
public struct Route: Hashable, Sendable {
    /// The identifier, or `nil`.
    public let id: Feature.ID?
    /// The name, or `nil`.
    public let name: String?
    /// The description, or `nil`.
    public let description: String?
    /// The length in kilometres, or `nil` if unknown.
    public let distance: Double?
    /// The duration in minutes, or `nil` if unknown.
    public let duration: Double?
    /// The line, of the kind `lineString` or `multiLineString`.
    public let geometry: Geometry
}

extension Feature {
    /// The feature as a route, or `nil` if it is not a route.
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
    /// A non-negative number that may be written as a text, or `nil`.
    fileprivate var looseNumber: Double? {
        guard let number = doubleValue ?? stringValue.flatMap(Double.init), number.isFinite, number >= 0 else {
            return nil
        }
        return number
    }
}

/// A point of interest in a feature: a point whose property `type` is `poi`.
public struct PointOfInterest: Hashable, Sendable {
    /// The identifier, or `nil`.
    public let id: Feature.ID?
    /// The name, or `nil`.
    public let name: String?
    /// The description, or `nil`.
    public let description: String?
    /// Whether a tap selects it.
    ///
    /// Default: `true`.
    public let isSelectable: Bool
    /// Whether next and previous navigation stops at it.
    ///
    /// Default: `true`.
    public let isNavigable: Bool
    /// The position in the CRS of the collection.
    public let coordinate: Coordinate
}

extension Feature {
    /// The feature as a point of interest, or `nil` if it is not one.
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
    /// The stops of next and previous navigation: the navigable points of interest, one per identifier.
    package var stops: [Feature] {
        // Without a unique identifier, navigation would stop there for ever.
        var seen: Set<Feature.ID> = []
        return filter { feature in
            guard feature.pointOfInterest?.isNavigable ?? false, let id = feature.identifier else { return false }
            return seen.insert(id).inserted
        }
    }
}
