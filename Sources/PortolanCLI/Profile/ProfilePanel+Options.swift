import Portolan
import PortolanFeatures
import PortolanPaint
import PortolanPlan

extension CommandFailure {
    /// The failure of a profile.
    init(_ error: RouteLine.ProfileError, of subject: String) { self.init(.badData, "\(subject): \(error)") }
}

extension FurnitureOptions {
    /// The profile panel of a map, or `nil` if none is wanted.
    ///
    /// - Parameter layers: the layers of the map, the lowest first.
    func profilePanel(of layers: [MapLayer], _ network: NetworkOptions) async throws -> Furniture.ProfilePanel? {
        guard hasProfile else { return nil }
        var panel: Furniture.ProfilePanel
        if let profileOf {
            let layer = layers.last { $0.name == profileOf }
            var route =
                if let layer { try Self.route(of: layer, profileOf) } else {
                    try await RouteInput.collection(of: profileOf, network)
                }
            if let profileElevation { route = try await GroundElevations.added(to: route, profileElevation, network) }
            do throws(RouteLine.ProfileError) { panel = try Furniture.ProfilePanel(of: route) } catch {
                throw CommandFailure(error, of: "--profile-of \(profileOf)")
            }
        } else {
            var found: Furniture.ProfilePanel?, reason = RouteLine.ProfileError.noLine
            for layer in layers.reversed() where found == nil && !layer.featureSources.isEmpty {
                var route: FeatureCollection
                do throws(RouteLine.ProfileError) { route = try Self.route(of: layer) } catch { continue }
                if let profileElevation, RouteLine(route) != nil {
                    route = try await GroundElevations.added(to: route, profileElevation, network)
                }
                do throws(RouteLine.ProfileError) { found = try Furniture.ProfilePanel(of: route) } catch {
                    if error == .noElevations { reason = error }
                }
            }
            guard let found else { throw CommandFailure(reason, of: "--profile") }
            panel = found
        }
        if profileSlopes { panel.slopes = .standard }
        return panel
    }

    private static func route(of layer: MapLayer, _ name: String) throws(CommandFailure) -> FeatureCollection {
        do throws(RouteLine.ProfileError) { return try route(of: layer) } catch {
            throw CommandFailure(error, of: "--profile-of \(name)")
        }
    }

    /// The features of a layer in degrees.
    private static func route(of layer: MapLayer) throws(RouteLine.ProfileError) -> FeatureCollection {
        guard let source = layer.featureSources.first else { throw .noLine }
        let collection = FeatureCollection(features: layer.featureSources.flatMap(\.features), crs: source.crs)
        do { return try collection.inDegrees() } catch { throw .noLine }
    }
}

/// The route of a command: a file or URL with features.
enum RouteInput {
    /// The features of a source in degrees.
    static func collection(of source: String, _ network: NetworkOptions) async throws -> FeatureCollection {
        let collection = try await FeatureInput(source: source, layer: nil).collection(network)
        do { return try collection.inDegrees() } catch { throw CommandFailure(.badData, "\(source): \(error)") }
    }
}
