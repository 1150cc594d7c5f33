import Foundation
package import PortolanGeo
import Synchronization

/// Points gathered into clusters, zoom by zoom: each level is made of the one below it when it is first asked for.
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
    }

    /// A cluster or a lone point.
    package struct Item: Hashable, Sendable {
        // Ordinates of Web Mercator, 0 to 1, y down.
        let x: Double
        let y: Double
        /// How many points it stands for.
        package let count: Int
        /// The place of a lone point, the identifier of a cluster.
        package let id: Int
        /// Its number among all points and clusters.
        let node: Int

        /// Longitude and latitude in degrees.
        package var place: Coordinate {
            let angle = (1 - 2 * y) * .pi
            return Coordinate(x: (x - 0.5) * 360, y: 360 / .pi * atan(exp(angle)) - 90)
        }
    }

    /// A box in Web Mercator, 0 to 1, y down.
    struct Box: Sendable {
        var minX = -Double.infinity
        var minY = -Double.infinity
        var maxX = Double.infinity
        var maxY = Double.infinity

        @inline(__always)
        func contains(_ x: Double, _ y: Double) -> Bool { x >= minX && x <= maxX && y >= minY && y <= maxY }
    }

    package let options: Options
    private let tree: Mutex<ClusterTree>

    init(_ table: PointTable, _ options: Options) {
        self.options = options
        var x = [Double](repeating: .nan, count: table.count), y = x
        if let transform = try? CoordinateTransform(from: table.crs, to: .crs84) {
            let (longitudes, latitudes) = table.ordinates(by: transform)
            for place in x.indices where longitudes[place].isFinite && latitudes[place].isFinite {
                x[place] = longitudes[place] / 360 + 0.5
                y[place] = Self.ordinate(latitude: latitudes[place])
            }
        }
        tree = Mutex(ClusterTree(x, y, rows: table.rows, order: table.placesInOrder(), options))
    }

    private static func ordinate(latitude: Double) -> Double {
        let sine = sin(latitude * .pi / 180), y = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi
        return y.isNaN ? 0.5 : min(max(y, 0), 1)
    }

    /// The clusters and points of a zoom in one of some extents, in the order in which they were read; beyond the largest zoom
    /// there are points alone.
    ///
    /// - Parameter extents: in degrees; `nil` for all.
    /// - Complexity: O(points), and more the first time for a zoom and those above it.
    package func items(at zoom: Int, in extents: [Extent]? = nil) -> [Item] {
        let boxes = extents.map { extents in
            extents.map { extent in
                Box(
                    minX: extent.minX / 360 + 0.5, minY: Self.ordinate(latitude: min(extent.maxY, 90)),
                    maxX: extent.maxX / 360 + 0.5, maxY: Self.ordinate(latitude: max(extent.minY, -90)))
            }
        }
        return tree.withLock { $0.items(at: zoom, in: boxes ?? [Box()]) }
    }

    /// What is gathered of the points of a cluster or of a lone point: that of each point, joined in the order of the scheme.
    ///
    /// - Parameters:
    ///   - of: what there is of a point, by its place in the table.
    ///   - join: what there is of two.
    /// - Returns: `nil` for a cluster of which it is not kept what it was made of.
    /// - Complexity: O(points that it stands for).
    package func gathered<Value>(_ item: Item, of point: (Int) -> Value, _ join: (Value, Value) -> Value) -> Value? {
        // As it is now: what has been gathered stays, whatever is gathered after it.
        let tree = tree.withLock { $0 }
        return tree.gathered(item.node, of: point, join)
    }
}
