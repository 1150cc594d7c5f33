import Foundation
package import PortolanGeo

/// Points gathered into clusters, zoom by zoom.
///
/// The scheme and its constants are those of supercluster, which MapLibre uses: going through the points in their order, each
/// takes what lies within the radius and is not taken yet; the cluster lies in the middle of its points. Distances are those
/// of Web Mercator.
package final class PointClusters: Sendable {
    /// How points are gathered.
    package struct Options: Hashable, Sendable {
        /// How far points of a cluster are from the first of them, in style pixels at a zoom that is whole.
        package var radius: Double
        /// The largest zoom with clusters, 0 to 24.
        package var maximumZoom: Int
        /// How many points make a cluster.
        package var minimumPointCount: Int
        /// Whether it is kept what each cluster was made of.
        package var keepsParts: Bool

        /// Makes options; those that nothing is said of are MapLibre's.
        package init(radius: Double = 50, maximumZoom: Int = 16, minimumPointCount: Int = 2, keepsParts: Bool = false) {
            self.keepsParts = keepsParts
            self.radius = radius.isFinite ? min(max(radius, 0), 4096) : 50
            self.maximumZoom = min(max(maximumZoom, 0), 24)
            self.minimumPointCount = max(minimumPointCount, 2)
        }

        /// Radii below it, in pixels, gather nothing.
        private static let leastRadius = 1e-6
        /// How many pixels a world is wide at zoom 0.
        private static let extent = 512.0

        /// Whether anything is gathered.
        var gathers: Bool { radius >= Self.leastRadius }

        /// The radius at a zoom, in parts of the world.
        func reach(at zoom: Int) -> Double {
            radius / (Self.extent * Double(sign: .plus, exponent: zoom, significand: 1))
        }
    }

    /// A cluster or a lone point.
    package struct Item: Hashable, Sendable {
        /// Longitude and latitude in degrees.
        package let place: Coordinate
        /// How many points it stands for.
        package let count: Int
        /// The place of a lone point, the identifier of a cluster.
        package let id: Int
        /// Its number among all points and clusters.
        let node: Int
    }

    /// A box in Web Mercator, 0 to 1, y down.
    private struct Box: Sendable {
        var minX: Double
        var minY: Double
        var maxX: Double
        var maxY: Double

        /// Of an extent in degrees.
        init(_ extent: Extent) {
            (minX, maxX) = (extent.minX / 360 + 0.5, extent.maxX / 360 + 0.5)
            minY = ordinate(latitude: min(extent.maxY, 90))
            maxY = ordinate(latitude: max(extent.minY, -90))
        }

        @inline(__always)
        func contains(_ x: Double, _ y: Double) -> Bool { x >= minX && x <= maxX && y >= minY && y <= maxY }
    }

    package let options: Options
    private let tree: ClusterTree
    // The points along the curve, in degrees, and what finds them.
    private let longitudes: [Double]
    private let latitudes: [Double]
    private let index: PointIndex

    /// Gathers the points of a table.
    ///
    /// - Complexity: O(points · zooms).
    init(_ table: PointTable, _ options: Options) {
        self.options = options
        let transform = try? CoordinateTransform(from: table.crs, to: .crs84)
        let nowhere = transform == nil ? [Double](repeating: .nan, count: table.count) : []
        let (longitudes, latitudes) = transform.map { table.ordinates(by: $0) } ?? (nowhere, nowhere)
        (self.longitudes, self.latitudes) = (longitudes, latitudes)
        index = transform?.isIdentity == true ? table.index : table.index.moved(longitudes, latitudes)
        var x = [Double](repeating: .nan, count: table.count), y = x
        // Beyond three turns and a half is no place, as where shapes are cut: it would take the precision of all others.
        for place in x.indices where abs(longitudes[place]) <= 1260 && latitudes[place].isFinite {
            x[place] = longitudes[place] / 360 + 0.5
            y[place] = Self.ordinate(latitude: latitudes[place])
        }
        tree = ClusterTree(x, y, rows: table.index.rows, options)
    }

    private static func ordinate(latitude: Double) -> Double {
        let sine = sin(latitude * .pi / 180), y = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi
        return y.isNaN ? 0.5 : min(max(y, 0), 1)
    }

    /// The clusters and points of a zoom in one of some extents, in the order in which they were read; beyond the largest zoom
    /// there are points alone.
    ///
    /// - Parameter extents: in degrees; `nil` for all.
    /// - Complexity: O(points in the extents + clusters); those that are not there at the zoom cost next to nothing.
    package func items(at zoom: Int, in extents: [Extent]? = nil) -> [Item] {
        var found: [UInt64] = []
        func take(_ node: Int) { found.append(UInt64(tree.row(node)) << 32 | UInt64(node)) }
        for run in extents.map({ index.runs(in: $0) }) ?? [PointIndex.Run(range: 0..<longitudes.count, isWithin: true)]
        {
            tree.points(at: zoom, in: run.range) { place in
                let point = Coordinate(x: longitudes[place], y: latitudes[place])
                if run.isWithin || extents?.contains(where: { $0.contains(point) }) != false { take(place) }
            }
        }
        let boxes = extents?.map { Box($0) }
        tree.clusters(at: zoom) { node in
            let place = tree.place(node)
            if boxes?.contains(where: { $0.contains(place.x, place.y) }) != false { take(node) }
        }
        found.sort()
        return found.map { item(Int($0 & 0xFFFF_FFFF)) }
    }

    private func item(_ node: Int) -> Item {
        guard node >= longitudes.count else {
            return Item(place: Coordinate(x: longitudes[node], y: latitudes[node]), count: 1, id: node, node: node)
        }
        let (x, y) = tree.place(node), angle = (1 - 2 * y) * .pi
        let place = Coordinate(x: (x - 0.5) * 360, y: 360 / .pi * atan(exp(angle)) - 90)
        return Item(place: place, count: tree.count(node), id: tree.id(node), node: node)
    }

    /// What is gathered of the points of a cluster or of a lone point: that of each point, joined in the order of the scheme.
    ///
    /// - Parameters:
    ///   - of: what there is of a point, by its place in the table.
    ///   - join: what there is of two.
    /// - Returns: `nil` for a cluster of which it is not kept what it was made of.
    /// - Complexity: O(points that it stands for).
    package func gathered<Value>(_ item: Item, of point: (Int) -> Value, _ join: (Value, Value) -> Value) -> Value? {
        tree.gathered(item.node, of: point, join)
    }
}
