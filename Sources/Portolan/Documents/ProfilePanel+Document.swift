import PortolanFeatures
public import PortolanPaint
public import PortolanPlan

extension Furniture.ProfilePanel {
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
