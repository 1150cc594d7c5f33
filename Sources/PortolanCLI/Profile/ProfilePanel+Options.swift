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
    /// - Parameters:
    ///   - layers: the layers of the map, the lowest first.
    ///   - stated: the profile of the map document, which options override.
    func profilePanel(
        of layers: [MapLayer], over stated: MapDocument.Furniture.Profile?, _ network: NetworkOptions
    ) async throws -> Furniture.ProfilePanel? {
        guard var wanted = stated ?? (hasProfile ? .init() : nil) else { return nil }
        if profileSlopes { wanted.showsSlopes = true }
        if let profileOf { wanted.layer = profileOf }
        let subject =
            profileOf.map { "--profile-of \($0)" } ?? (hasProfile ? "--profile" : "'profile' of the map document")
        do {
            var routes: [FeatureCollection]
            if let profileOf, !layers.contains(where: { $0.name == profileOf }) {
                routes = [try await RouteInput.collection(of: profileOf, network)]
            } else {
                routes = try Furniture.ProfilePanel.routes(of: layers, wanted)
            }
            var reason = RouteLine.ProfileError.noLine
            for var route in routes {
                if let profileElevation, RouteLine(route) != nil {
                    route = try await GroundElevations.added(to: route, profileElevation, network)
                }
                do throws(RouteLine.ProfileError) {
                    var panel = try Furniture.ProfilePanel(of: route)
                    if wanted.showsSlopes { panel.slopes = .standard }
                    return panel
                } catch {
                    if error == .noElevations { reason = error }
                }
            }
            throw reason
        } catch let error as RouteLine.ProfileError { throw CommandFailure(error, of: subject) }
    }
}
