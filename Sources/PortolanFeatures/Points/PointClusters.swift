import Foundation
package import PortolanGeo

/// Points clustered for each zoom level.
///
/// The algorithm and its constants are those of supercluster, which MapLibre uses. In their order, points take all
/// unclustered points within the radius. The position of a cluster is the mean of its points. Distances are those of
/// Web Mercator.
package final class PointClusters: Sendable {
    /// Clustering options.
    package struct Options: Hashable, Sendable {
        /// The radius of a cluster around its first point, in style pixels at integer zoom levels.
        package var radius: Double
        /// The maximum zoom level with clusters, 0 to 24.
        package var maximumZoom: Int
        /// The minimum number of points in a cluster.
        package var minimumPointCount: Int
        /// Whether the members of each cluster are kept.
        package var keepsParts: Bool

        /// Creates options.
        ///
        /// The defaults are those of MapLibre.
        package init(radius: Double = 50, maximumZoom: Int = 16, minimumPointCount: Int = 2, keepsParts: Bool = false) {
            self.keepsParts = keepsParts
            self.radius = radius.isFinite ? min(max(radius, 0), 4096) : 50
            self.maximumZoom = min(max(maximumZoom, 0), 24)
            self.minimumPointCount = max(minimumPointCount, 2)
        }

        /// The radius in pixels below which nothing is clustered.
        private static let leastRadius = 1e-6
        /// The width of the world at zoom level 0 in pixels.
        private static let extent = 512.0

        /// Whether anything is clustered.
        var gathers: Bool { radius >= Self.leastRadius }

        /// Returns the radius at a zoom level, as a fraction of the world.
        func reach(at zoom: Int) -> Double {
            radius / (Self.extent * Double(sign: .plus, exponent: zoom, significand: 1))
        }
    }

    /// A cluster or a single point.
    package struct Item: Hashable, Sendable {
        /// Longitude and latitude in degrees.
        package let place: Coordinate
        /// The number of points.
        package let count: Int
        /// The index of a single point, or the identifier of a cluster.
        package let id: Int
        /// The number among all points and clusters.
        let node: Int
    }

    /// A box in Web Mercator, 0 to 1, y down.
    private struct Box: Sendable {
        var minX: Double
        var minY: Double
        var maxX: Double
        var maxY: Double

        /// Creates a box from an extent in degrees.
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
    // The points along the curve in degrees, and their spatial index.
    private let longitudes: [Double]
    private let latitudes: [Double]
    private let index: PointIndex

    /// Clusters the points of a table.
    ///
    /// - Complexity: O(points · zoom levels).
    init(_ table: PointTable, _ options: Options) {
        self.options = options
        let transform = try? CoordinateTransform(from: table.crs, to: .crs84)
        let nowhere = transform == nil ? [Double](repeating: .nan, count: table.count) : []
        let (longitudes, latitudes) = transform.map { table.ordinates(by: $0) } ?? (nowhere, nowhere)
        (self.longitudes, self.latitudes) = (longitudes, latitudes)
        index = transform?.isIdentity == true ? table.index : table.index.moved(longitudes, latitudes)
        var x = [Double](repeating: .nan, count: table.count), y = x
        // Longitudes beyond three and a half turns are invalid, as for other geometries. They would reduce the
        // precision of all others.
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

    /// Returns the clusters and points of a zoom level in any of several extents, in input order.
    ///
    /// Beyond the maximum zoom level there are only points.
    ///
    /// - Parameter extents: the extents in degrees; `nil` for all points.
    /// - Complexity: O(points in the extents + clusters). Items absent at the zoom level cost almost nothing.
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

    /// Returns a value aggregated over the points of a cluster or a single point, joined in the order of clustering.
    ///
    /// - Parameters:
    ///   - point: returns the value of a point by its index in the table.
    ///   - join: returns the combination of two values.
    /// - Returns: `nil` for a cluster whose members are not kept.
    /// - Complexity: O(points in the item).
    package func gathered<Value>(_ item: Item, of point: (Int) -> Value, _ join: (Value, Value) -> Value) -> Value? {
        tree.gathered(item.node, of: point, join)
    }
}
