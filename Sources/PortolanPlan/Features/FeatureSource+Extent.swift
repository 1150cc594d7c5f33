import PortolanFeatures
public import PortolanGeo

extension FeatureSource {
    /// Returns the smallest box around all visible features in another CRS, or `nil` if none has coordinates there.
    ///
    /// If the world repeats and features are on both sides of the antimeridian, the box crosses it, beyond the edge of
    /// the world, provided that this at least halves its width.
    ///
    /// - Throws: ``/PortolanGeo/CRSError/noProjection(_:)``.
    /// - Complexity: O(coordinates + parts · log parts).
    public func boundingBox(in target: CRS) throws(CRSError) -> BoundingBox? {
        BoundingBox.around(try boxes(in: target), worldWidth: target.worldWidth)
    }

    /// Whether a feature is never visible, regardless of the view.
    private func isHidden(_ place: Int) -> Bool { looks.traits[Int(looks.numbers[place])].isHidden }

    /// The boxes around the lines, rings and points of all visible features.
    func boxes(in target: CRS) throws(CRSError) -> [BoundingBox] {
        let transform = try CoordinateTransform(from: crs, to: target)
        let edges = DrawnEdges(transform, from: crs, to: target)
        var boxes: [BoundingBox] = []
        func add(_ geometry: Geometry) {
            var start = 0
            for end in geometry.partEnds.isEmpty ? [geometry.coordinates.count] : geometry.partEnds {
                // Several points get a box each.
                let places = geometry.coordinates[start..<end]
                switch geometry.kind {
                case .multiPoint: boxes += places.lazy.compactMap { transform($0) }.compactMap { BoundingBox($0) }
                case .point: boxes += BoundingBox(places.lazy.compactMap { transform($0) }).map { [$0] } ?? []
                default: if let box = edges.boundingBox(of: places) { boxes.append(box) }
                }
                start = end
            }
            geometry.children.forEach(add)
        }
        if drawsGreatCircles {
            for (place, geometry) in drawn(from: 0, to: features.count).enumerated() where !isHidden(place) {
                if let geometry { add(geometry) }
            }
        } else {
            for (place, feature) in features.enumerated() where !isHidden(place) {
                if let geometry = feature.geometry { add(geometry) }
            }
        }
        return boxes
    }
}

extension BoundingBox {
    /// The box around a number of boxes, across the antimeridian if that at least halves its width.
    ///
    /// - Parameter worldWidth: the period in x after which the world repeats, or `nil` if it does not.
    package static func around(_ boxes: [BoundingBox], worldWidth: Double?) -> BoundingBox? {
        guard let first = boxes.first else { return nil }
        let plain = boxes.dropFirst().reduce(first) { $0.union($1) }
        guard let worldWidth, plain.maxX - plain.minX > worldWidth / 2, plain.maxX - plain.minX <= worldWidth * 1.001
        else { return plain }
        // Finds the widest gap between boxes, going east once around the world from the west side of the plain box.
        var covered = plain.minX, gap = (start: 0.0, end: 0.0)
        for box in boxes.sorted(by: { $0.minX < $1.minX }) {
            if box.minX - covered > gap.end - gap.start { gap = (covered, box.minX) }
            covered = max(covered, box.maxX)
        }
        let width = gap.start + worldWidth - gap.end
        guard gap.end > gap.start, width <= (plain.maxX - plain.minX) / 2 else { return plain }
        let turns = ((gap.end + width / 2) / worldWidth).rounded() * worldWidth
        return BoundingBox(
            minX: gap.end - turns, minY: plain.minY, maxX: gap.end + width - turns, maxY: plain.maxY)
    }
}
