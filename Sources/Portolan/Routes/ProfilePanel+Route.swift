public import PortolanFeatures
public import PortolanPaint

extension Furniture.ProfilePanel {
    /// Places farther than this from the line are not part of its profile, in metres.
    private static let farthestPlace = 250.0

    /// Creates the panel of a route in degrees: its elevations, and the named points near its line.
    ///
    /// ```swift
    /// map.options.profile = try Furniture.ProfilePanel(of: route)
    /// ```
    ///
    /// - Throws: ``/Portolan/RouteLine/ProfileError``.
    /// - Complexity: O(coordinates · places).
    public init(of route: FeatureCollection) throws(RouteLine.ProfileError) {
        guard let line = RouteLine(route) else { throw .noLine }
        guard let profile = line.profile else { throw .noElevations }
        self.init(profile)
        for place in route.features.lazy.filter({ $0.geometry?.kind == .point }) {
            guard place.properties["type"] != "mark", let coordinate = place.geometry?.coordinates.first,
                let name = place.properties["label"]?.displayText ?? place.title
            else { continue }
            let near = line.nearest(to: coordinate)
            if near.meters <= Self.farthestPlace { marks.append(.init(distance: near.distance, name: name)) }
        }
    }
}
