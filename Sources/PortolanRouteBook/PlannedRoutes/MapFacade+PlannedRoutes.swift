public import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPaint
public import PortolanPlan
public import PortolanRouting

extension MapLayer {
    /// Creates a layer for a planned route with numbered places, arrows along its line and flags at its ends.
    ///
    /// - Parameters:
    ///   - name: the name of the layer.
    ///   - travelled: the distance travelled in metres, which is drawn in grey; see
    ///     ``/PortolanRouting/RouteFollower/Progress/metersDone``.
    public static func plannedRoute(
        _ route: PlannedRoute, named name: String = "route", travelled: Double = 0
    ) -> MapLayer {
        let route = continuous(route)
        var features = SavedRoute.features(of: route, named: name).features
        let places = features.indices.filter { features[$0].properties["type"] == "poi" }
        let isClosed = route.places.count > 2 && route.places.first == route.places.last
        // A round trip ends at its first place, which is already drawn.
        if isClosed, let last = places.last { features.remove(at: last) }
        if let first = places.first { features[first].properties["flag"] = "first" }
        if !isClosed, places.count > 1, let last = places.last { features[last].properties["flag"] = "last" }
        features += links(route)
        let beginning = beginning(of: route, meters: travelled)
        if beginning.count > 1 {
            features.append(Feature(geometry: .lineString(beginning), properties: ["type": "travelled"]))
        }
        var source = FeatureSource(features: features, crs: .crs84)
        source.sheet = RouteStyle.sheet(for: route.mode, isEstimate: route.legs.contains(where: \.isEstimate))
        return MapLayer(name: name, source: source)
    }
}

extension MapLayer {
    /// Returns the route with continuous longitudes beyond 180 degrees, so that it is not drawn around the earth when
    /// it crosses the antimeridian.
    private static func continuous(_ route: PlannedRoute) -> PlannedRoute {
        guard var last = route.places.first?.coordinate else { return route }
        var route = route
        for index in route.legs.indices {
            route.legs[index].path = route.legs[index].path.map { place in
                last = place.nearest(to: last)
                return last
            }
            last = route.places[index + 1].coordinate.nearest(to: last)
            route.places[index + 1].coordinate = last
        }
        return route
    }

    /// Returns the part of a route's path up to a distance.
    private static func beginning(of route: PlannedRoute, meters: Double) -> [Coordinate] {
        var rest = meters, path: [Coordinate] = []
        for leg in route.legs {
            for place in leg.path {
                guard rest > 0 else { return path }
                guard let last = path.last else {
                    path.append(place)
                    continue
                }
                let length = Geodesic.line(from: last, to: place).meters
                guard length > 0 else { continue }
                let part = min(1, rest / length)
                path.append(Coordinate(x: last.x + (place.x - last.x) * part, y: last.y + (place.y - last.y) * part))
                rest -= length
            }
        }
        return path
    }

    /// Returns lines from places to the nearest point of the route, for places away from the road.
    private static func links(_ route: PlannedRoute) -> [Feature] {
        var links: [Feature] = []
        for (index, leg) in route.legs.enumerated() {
            guard let start = leg.path.first, let end = leg.path.last else { continue }
            for (place, road) in [(route.places[index], start), (route.places[index + 1], end)]
            where Geodesic.line(from: place.coordinate, to: road).meters > 3 {
                let link = Feature(geometry: .lineString([place.coordinate, road]), properties: ["type": "link"])
                if !links.contains(link) { links.append(link) }
            }
        }
        return links
    }
}

extension MapFacade {
    /// Adds a planned route on top, with a panel of its places and facts at the left.
    ///
    /// - Parameters:
    ///   - title: the title of the panel, or `nil` for no panel.
    ///   - name: the name of the layer. An existing layer with this name is replaced.
    ///   - language: the language of the panel.
    ///   - padding: the margin around the features in view pixels when the view is fitted to them, or `nil` to keep the
    ///     view.
    /// - Throws: ``/Portolan/MapError``.
    public func show(
        _ route: PlannedRoute, title: String? = nil, named name: String = "route",
        language: DirectionsLanguage = .english, padding: Double? = 50
    ) throws(MapError) {
        try add(.plannedRoute(route, named: name), replacing: layer(named: name) != nil)
        options.panel = title.map { Furniture.FactsPanel(route, title: $0, language: language) }
        if let padding { try fitFeatures(padding: padding) }
    }

    /// Draws the travelled part of a planned route in grey.
    ///
    /// ```swift
    /// var follower = RouteFollower(route)
    /// if let progress = follower.update(fix.place) { try map.show(progress, of: route) }
    /// ```
    ///
    /// - Parameters:
    ///   - progress: the progress on the route.
    ///   - name: the name of the layer that shows the route.
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName`` if there is no such layer.
    public func show(
        _ progress: RouteFollower.Progress, of route: PlannedRoute, named name: String = "route"
    ) throws(MapError) {
        try replaceLayer(named: name, with: .plannedRoute(route, named: name, travelled: progress.metersDone))
    }
}
