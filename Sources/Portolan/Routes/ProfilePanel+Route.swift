public import PortolanFeatures
public import PortolanPaint
public import PortolanPlan

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

    /// Creates the panel of a map: that of the topmost line with elevations, or of the layer with a name.
    ///
    /// - Parameter layers: the layers of the map, the lowest first.
    /// - Throws: ``/Portolan/RouteLine/ProfileError``.
    public init(
        of layers: [MapLayer], _ wanted: MapDocument.Furniture.Profile = .init()
    ) throws(RouteLine.ProfileError) {
        var reason = RouteLine.ProfileError.noLine
        for route in try Self.routes(of: layers, wanted) {
            do throws(RouteLine.ProfileError) {
                self = try Furniture.ProfilePanel(of: route)
                if wanted.showsSlopes { slopes = .standard }
                return
            } catch {
                if error == .noElevations { reason = error }
            }
        }
        throw reason
    }

    /// Returns the features in degrees whose profile a map may show: those of the layer with a name, or of each layer,
    /// the topmost first.
    package static func routes(
        of layers: [MapLayer], _ wanted: MapDocument.Furniture.Profile
    ) throws(RouteLine.ProfileError) -> [FeatureCollection] {
        if let name = wanted.layer {
            guard let layer = layers.last(where: { $0.name == name }) else { throw .noLayer(name) }
            return [try route(of: layer)]
        }
        return layers.reversed().compactMap { try? route(of: $0) }
    }

    /// The features of a layer in degrees.
    private static func route(of layer: MapLayer) throws(RouteLine.ProfileError) -> FeatureCollection {
        guard let source = layer.featureSources.first else { throw .noLine }
        let collection = FeatureCollection(features: layer.featureSources.flatMap(\.features), crs: source.crs)
        do { return try collection.inDegrees() } catch { throw .noLine }
    }
}
