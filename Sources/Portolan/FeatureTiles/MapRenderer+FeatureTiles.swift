package import PortolanFeatures
import PortolanFetch
package import PortolanGeo
package import PortolanPlan
import PortolanRaster

extension MapRenderer {
    /// The features of a layer in a view, fetched from its service if necessary.
    package struct SeenFeatures: Sendable {
        /// The features.
        package var features: [Feature] = []
        /// The CRS of their coordinates.
        package var crs = CRS.crs84
        /// Whether a part could not be fetched.
        package var isIncomplete = false
        /// Whether there are more features than the layer shows.
        package var isLimited = false
    }

    /// Returns the features that a layer has in a view.
    package func features(of layer: MapLayer, in viewport: Viewport) async -> SeenFeatures {
        let owner = PinOwner()
        defer { release(owner) }
        let planner = MapPlanner(viewport: viewport, traits: serviceTraits, drafts: true, identifies: true)
        var shown = layer
        // The features of a tile do not depend on the scales at which the layer is drawn.
        shown.minimumResolution = nil
        shown.maximumResolution = nil
        shown.isVisible = true
        let drawn = shown
        var plan = await plan { planner.plan([drawn]) }
        let (loaded, _) = await gather(
            &plan, planner, options: RenderOptions(), only: { $0.form == .document }, by: nil, for: owner,
            storesImages: false, onRequested: {}, progress: nil)
        var seen = SeenFeatures()
        for step in plan.layers.flatMap(\.plan.nodes).flatMap(\.featureSteps) where !step.isGround {
            seen.crs = step.crs
            seen.features += step.shown.map { step.content.source.whole(Int($0.place)) }
        }
        seen.isIncomplete =
            loaded.values.contains { if case .failure = $0 { true } else { false } } || Task.isCancelled
            // A response that is not a page of features.
            || plan.warnings.contains { $0.code == .notDrawn }
        seen.isLimited = plan.warnings.contains { $0.code == .limited }
        return seen
    }
}
