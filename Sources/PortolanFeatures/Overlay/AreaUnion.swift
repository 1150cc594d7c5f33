import PortolanGeo

/// The union of polygons, of which those whose boxes are apart are not compared.
enum AreaUnion {
    /// Returns the polygons of the union, or `nil` if borders cross too often.
    ///
    /// A polygon that meets no other is returned as it is.
    ///
    /// - Complexity: O(*n* log *n*) as a rule.
    static func polygons(_ polygons: [[ArraySlice<Coordinate>]]) -> [[[Coordinate]]]? {
        var union: [[[Coordinate]]] = []
        for cluster in clusters(polygons) {
            let members = cluster.map { polygons[$0] }
            guard members.count > 1, let box = BoundingBox(members.lazy.joined().joined()) else {
                union += members.map { $0.map(Array.init) }
                continue
            }
            var overlay = AreaOverlay(OverlayGrid(box))
            for polygon in members { overlay.add(polygon) }
            guard let merged = overlay.polygons(isMasked: false) else { return nil }
            union += merged
        }
        return union
    }

    /// The polygons whose boxes meet, directly or by others, in order of their first one.
    private static func clusters(_ polygons: [[ArraySlice<Coordinate>]]) -> [[Int]] {
        let boxes = polygons.map { $0.first.flatMap { BoundingBox($0) } }
        guard polygons.count > 1 else { return polygons.indices.map { [$0] } }
        let index = SpatialIndex(boxes)
        var cluster = [Int?](repeating: nil, count: polygons.count), clusters: [[Int]] = []
        for start in polygons.indices where cluster[start] == nil {
            var open = [start], members: [Int] = []
            cluster[start] = clusters.count
            while let next = open.popLast() {
                members.append(next)
                guard let box = boxes[next] else { continue }
                for other in index.items(touching: box) where cluster[other] == nil {
                    cluster[other] = clusters.count
                    open.append(other)
                }
            }
            clusters.append(members.sorted())
        }
        return clusters
    }
}
