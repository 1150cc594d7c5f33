import PortolanFeatures
import PortolanFormats
package import PortolanGeo
package import PortolanPlan
import PortolanRaster

/// The only view in which the features of a dataset are drawn, so that no others need to be read.
package struct DatasetView: Sendable {
    /// The view.
    package let viewport: Viewport
    /// The CRS that the coordinates are in, or `nil` for that of the dataset.
    package let crs: CRS?

    /// Creates a view of a dataset.
    package init(_ viewport: Viewport, crs: CRS? = nil) {
        self.viewport = viewport
        self.crs = crs
    }

    /// Returns the features in view, or `nil` if all must be read: without an index, across the antimeridian, and if no
    /// feature is in view, so that messages can say where the others are.
    func features(
        of dataset: any FeatureDataset, layer: String?, limits: FeatureLimits
    ) throws -> FeatureCollection? {
        guard let dataset = dataset as? any IndexedFeatureDataset, dataset.isIndexed(layer: layer),
            let description = dataset.layers.first(where: { layer == nil || $0.name == layer })
        else { return nil }
        let crs = crs ?? description.crs ?? .crs84
        guard let extent = viewport.extentOfFeatures(in: crs) else { return nil }
        let box = BoundingBox(extent)
        guard let width = crs.worldWidth, let world = crs.worldExtent else {
            return try Self.features(of: dataset, FeatureQuery(layer: layer, box: box), limits)
        }
        guard box.minX >= world.minX, box.maxX <= world.maxX else { return nil }
        // Features beyond the antimeridian, in another copy of the world, are drawn in the middle one as well.
        for shift in [-width, width] {
            let copy = BoundingBox(
                minX: box.minX + shift, minY: box.minY, maxX: box.maxX + shift, maxY: box.maxY)
            guard let copy,
                try dataset.read(FeatureQuery(layer: layer, box: copy), limits: limits).features.isEmpty
            else { return nil }
        }
        return try Self.features(of: dataset, FeatureQuery(layer: layer, box: box), limits)
    }

    private static func features(
        of dataset: any FeatureDataset, _ query: FeatureQuery, _ limits: FeatureLimits
    ) throws -> FeatureCollection? {
        let collection = try dataset.read(query, limits: limits)
        return collection.features.isEmpty ? nil : collection
    }
}
