import PortolanFeatures
import PortolanWeb

extension FeatureCollection.GroundOverlay {
    /// Plans the overlay at index `number` of its layer.
    ///
    /// - Parameter base: the base of its relative address.
    func plan(
        _ number: Int, relativeTo base: BaseURL?, for view: LayerView, given arrivals: Arrivals
    ) throws(PlanError) -> LayerPlan {
        guard let icon = IconMarker.Source(address), let url = IconAddress.url(of: icon, relativeTo: base),
            var source = PictureSource(url, corners: corners)
        else {
            return LayerPlan(
                warnings: [
                    MapWarning(
                        .notDrawn, layer: view.layer, effect: .omitted,
                        message:
                            "the ground overlay '\(String(address.prefix(60)).inOneLine)' is left out: its URL is not allowed, or its corners enclose no area"
                    )
                ])
        }
        source.name = "ground overlay \(number + 1)"
        var plan = try source.plan(for: view, given: arrivals)
        if opacity < 1, !plan.nodes.isEmpty { plan.nodes = [.group(opacity: opacity, plan.nodes)] }
        return plan
    }
}
