import PortolanFeatures
package import PortolanGeo

extension MapLayer {
    /// Whether the layer draws features or points whose coordinates cannot be in the system that they are taken to be in.
    package var isMisplaced: Bool {
        if let source = features { return source.boundingBox.map { !source.crs.admits($0) } ?? false }
        return points.flatMap { source in source.table.boundingBox.map { !source.table.crs.admits($0) } } ?? false
    }

    /// Whether it draws features or points.
    package var hasFeatures: Bool { features != nil || points != nil }

    /// The smallest box around all features and points of some layers.
    ///
    /// Where the world repeats the box may lead over the antimeridian (``FeatureSource/boundingBox(in:)``).
    ///
    /// - Throws: ``/PortolanGeo/CRSError/noProjection(_:)``.
    package static func boundingBox(of layers: [MapLayer], in target: CRS) throws(CRSError) -> BoundingBox? {
        var boxes: [BoundingBox] = []
        for layer in layers {
            if let source = layer.features { boxes += try source.boxes(in: target) }
            if let source = layer.points { boxes += try source.table.boxes(in: target) }
        }
        return BoundingBox.around(boxes, worldWidth: target.worldWidth)
    }
}
