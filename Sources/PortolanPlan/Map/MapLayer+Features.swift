import PortolanFeatures
package import PortolanGeo
import PortolanStyles

extension MapLayer {
    /// The features that the layer draws, or `nil` if it has another kind of source.
    public var features: FeatureSource? { source as? FeatureSource }

    /// The points that the layer draws, or `nil` if it has another kind of source.
    public var points: PointSource? { source as? PointSource }

    /// Whether it draws vector tiles.
    package var drawsVectorTiles: Bool { !vectorTileSources.isEmpty }

    private var vectorTileSources: [VectorTileSource] {
        vectorTiles.map { [$0] } ?? style?.sources.values.compactMap { $0 as? VectorTileSource } ?? []
    }

    /// Returns the features of the layer with a content number, or `nil` if they have changed.
    package func featureSource(ofContent number: UInt64) -> FeatureSource? {
        featureSources.first { $0.contentID == number }
            ?? vectorTileSources.lazy.compactMap { $0.memory.features(ofContent: number) }.first
    }

    /// Whether the layer draws features or points whose coordinates are impossible in the assumed CRS.
    package var isMisplaced: Bool {
        if featureSources.contains(where: { source in source.boundingBox.map { !source.crs.admits($0) } ?? false }) {
            return true
        }
        return points.flatMap { source in source.table.boundingBox.map { !source.table.crs.admits($0) } } ?? false
    }

    /// Whether it draws features or points.
    package var hasFeatures: Bool { !featureSources.isEmpty || points != nil }

    /// Whether it draws points and no other features.
    package var drawsOnlyPoints: Bool {
        if points != nil { return true }
        guard let source = features, source.overlays.isEmpty, !source.features.isEmpty else { return false }
        return source.features.allSatisfy { $0.geometry?.hasOnlyPoints ?? true }
    }

    /// Whether its labels or symbols collide, so that their placement depends on content beyond the border of a
    /// picture.
    package var placesLabels: Bool {
        if let sheet = style?.sheet { return sheet.placesSymbols }
        return points != nil || (source as? FeatureServiceSource)?.appearance.placesLabels ?? false
            || features?.placesLabels ?? false || vectorTiles?.style.label != nil
            || (source as? TerrainSource)?.look.placesLabels ?? false
    }

    /// Returns the smallest box around all features and points of a number of layers.
    ///
    /// A style or a layer of the whole world is treated as the base map, whose features count only if no other layer has
    /// any. If the world repeats, the box may cross the antimeridian (``FeatureSource/boundingBox(in:)``).
    ///
    /// - Throws: ``/PortolanGeo/CRSError/noProjection(_:)``.
    package static func boundingBox(of layers: [MapLayer], in target: CRS) throws(CRSError) -> BoundingBox? {
        let own = layers.filter { $0.style == nil && $0.hasFeatures }
        let counted = own.isEmpty ? layers : own
        var boxes: [BoundingBox] = [], ground: [BoundingBox] = []
        for layer in counted {
            let found = try layer.boxes(in: target)
            let isGround = counted.count > 1 ? try layer.coversWorld(found, in: target) : false
            if isGround { ground += found } else { boxes += found }
        }
        return BoundingBox.around(boxes.isEmpty ? ground : boxes, worldWidth: target.worldWidth)
    }

    /// The boxes around all features and points.
    private func boxes(in target: CRS) throws(CRSError) -> [BoundingBox] {
        var boxes: [BoundingBox] = []
        for source in featureSources { boxes += try source.boxes(in: target) }
        if let source = points { boxes += try source.table.boxes(in: target) }
        return boxes
    }

    /// Whether features are found all around the world.
    ///
    /// - Parameter boxes: the boxes of the features in `target`.
    private func coversWorld(_ boxes: [BoundingBox], in target: CRS) throws(CRSError) -> Bool {
        let crs = target.worldWidth == nil ? CRS.crs84 : target
        let seen = crs == target ? boxes : try self.boxes(in: crs)
        guard let box = BoundingBox.around(seen, worldWidth: crs.worldWidth), let width = crs.worldWidth else {
            return false
        }
        return box.maxX - box.minX >= width * CRS.worldShare
    }
}

extension FeatureSource {
    /// Whether its labels or symbols collide.
    fileprivate var placesLabels: Bool { sheet?.placesSymbols ?? looks.hasLabels }
}

extension Geometry {
    /// Whether it consists of points.
    fileprivate var hasOnlyPoints: Bool {
        switch kind {
        case .point, .multiPoint: true
        case .lineString, .multiLineString, .polygon, .multiPolygon: false
        case .collection: children.allSatisfy(\.hasOnlyPoints)
        }
    }
}
