import PortolanGeo

/// Several tile sources in one layer, such as images of neighbouring areas; later ones are drawn above earlier ones.
package struct TileStackSource: LayerSource {
    package let kind: String
    /// The sources, bottom first.
    package let sources: [TileSource]

    /// Creates a layer of sources.
    ///
    /// - Parameter kind: the kind of layer in reports.
    package init(kind: String, sources: [TileSource]) {
        self.kind = kind
        self.sources = sources
    }

    /// The extent of all sources, or `nil` if one has none.
    package var bounds: LayerBounds? {
        let boxes = sources.compactMap { source in
            source.extent.flatMap { LayerBounds($0, crs: source.grid.crs).extent(in: .crs84) }
        }
        guard let first = boxes.first, boxes.count == sources.count else { return nil }
        let box = boxes.map { BoundingBox($0) }.reduce(BoundingBox(first)) { $0.union($1) }
        return Extent(minX: box.minX, minY: box.minY, maxX: box.maxX, maxY: box.maxY).map {
            LayerBounds($0, crs: .crs84)
        }
    }

    /// Plans the sources that the view shows, each with its own resources.
    package func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        var plan = LayerPlan()
        for (place, source) in sources.enumerated() {
            let part = try source.plan(for: view.of(part: String(place)), given: arrivals)
            plan.nodes += part.nodes
            plan.join(part)
        }
        return plan
    }
}
