import PortolanGeo

extension FeatureCollection {
    /// Returns the parts of the features within an area, without the features that are outside.
    ///
    /// ```swift
    /// let box = BoundingBox(minX: 24, minY: 60, maxX: 26, maxY: 61)
    /// let parts = try box.map { try roads.clipped(to: ClipArea($0)) }
    /// ```
    ///
    /// The area is in the CRS of the features; edges are straight in it. Parts of polygons are polygons or
    /// multipolygons with their holes, and parts of lines are lines. Points and lines on the border are inside. Vertices
    /// keep their coordinates; crossings of the borders of polygons are on a grid of about 2⁻²⁸ of the extent, and those with
    /// vertical and horizontal edges of the area on these. Geometries that are cut lose their altitudes. Features without
    /// geometry are left out.
    ///
    /// - Throws: ``OverlayError`` if borders cross too often.
    /// - Complexity: O(*n* log *n*) as a rule.
    public func clipped(to area: ClipArea) throws(OverlayError) -> FeatureCollection {
        var clipped = self
        clipped.declaredBounds = nil
        clipped.features = []
        guard let own = boundingBox, let common = area.box.flatMap({ own.intersection($0) }) else { return clipped }
        let frame = common.widened(by: 1.0 / 64)
        let clipper = GeometryClipper(grid: OverlayGrid(frame.widened(by: 1.0 / 16)), frame: frame)
        let boxes = features.map { $0.geometry?.boundingBox }
        var parts = [Geometry?](repeating: nil, count: features.count)
        var stack = [
            (area: area.within(frame), frame: frame, depth: 0, items: features.indices.filter { boxes[$0] != nil })
        ]
        // Areas and features are divided into quarters, so that each feature meets few edges of the area.
        while let part = stack.popLast() {
            guard !part.items.isEmpty else { continue }
            let area = part.area.near(part.frame)
            var whole = part.items
            if area.vertexCount > 64, part.items.count > 1, part.depth < 16 {
                let (frame, center) = (part.frame, part.frame.center)
                whole = []
                var quarters = [[Int]](repeating: [], count: 4)
                let frames = [
                    BoundingBox(minX: frame.minX, minY: frame.minY, maxX: center.x, maxY: center.y),
                    BoundingBox(minX: center.x, minY: frame.minY, maxX: frame.maxX, maxY: center.y),
                    BoundingBox(minX: frame.minX, minY: center.y, maxX: center.x, maxY: frame.maxY),
                    BoundingBox(minX: center.x, minY: center.y, maxX: frame.maxX, maxY: frame.maxY),
                ].map { $0 ?? frame }
                for item in part.items {
                    let quarter = frames.firstIndex { frame in boxes[item].map { frame.contains($0) } ?? false }
                    if let quarter { quarters[quarter].append(item) } else { whole.append(item) }
                }
                // What clips a feature is slightly wider than its box.
                for (frame, items) in zip(frames, quarters) {
                    stack.append((area, frame.widened(by: 1.0 / 512), part.depth + 1, items))
                }
            }
            for item in whole {
                guard let geometry = features[item].geometry else { continue }
                do { parts[item] = try clipper.clip(geometry, to: area) } catch { throw OverlayError(feature: item) }
            }
        }
        for (feature, geometry) in zip(features, parts) {
            guard let geometry else { continue }
            var feature = feature
            if geometry != feature.geometry { feature.declaredBounds = nil }
            feature.geometry = geometry
            clipped.features.append(feature)
        }
        return clipped
    }
}
