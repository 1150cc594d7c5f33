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

        /// Makes options; those that nothing is said of are MapLibre's.
        package init(radius: Double = 50, maximumZoom: Int = 16, minimumPointCount: Int = 2) {
            self.radius = radius.isFinite ? min(max(radius, 0), 4096) : 50
            self.maximumZoom = min(max(maximumZoom, 0), 24)
            self.minimumPointCount = max(minimumPointCount, 2)
        }
    }

    /// The clusters and the lone points of a zoom, in columns.
    package struct Level: Sendable {
        /// Ordinates of Web Mercator, 0 to 1, y down.
        fileprivate(set) var x: [Double] = []
        fileprivate(set) var y: [Double] = []
        /// How many points each stands for.
        package fileprivate(set) var counts: [Int32] = []
        /// The place of a lone point, the identifier of a cluster.
        package fileprivate(set) var ids: [Int] = []

        /// How many there are.
        package var count: Int { x.count }

        /// Longitude and latitude in degrees.
        package func place(_ index: Int) -> Coordinate {
            let angle = (1 - 2 * y[index]) * .pi
            return Coordinate(x: (x[index] - 0.5) * 360, y: 360 / .pi * atan(exp(angle)) - 90)
        }

        fileprivate mutating func append(_ other: Level, _ index: Int) {
            x.append(other.x[index])
            y.append(other.y[index])
            counts.append(other.counts[index])
            ids.append(other.ids[index])
        }
    }

    package let options: Options
    /// How many pixels a world is wide at zoom 0.
    private static let extent = 512.0
    private let pointCount: Int
    private let points: Level
    private let levels = Mutex<[Int: Level]>([:])

    init(_ table: PointTable, _ options: Options) {
        self.options = options
        pointCount = table.count
        var points = Level()
        let transform = try? CoordinateTransform(from: table.crs, to: .crs84)
        let ordinates = transform.map { table.ordinates(by: $0) } ?? ([], [])
        for place in transform == nil ? [] : table.placesInOrder() {
            let longitude = ordinates.0[Int(place)], latitude = ordinates.1[Int(place)]
            guard longitude.isFinite, latitude.isFinite else { continue }
            let sine = sin(latitude * .pi / 180), y = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi
            points.x.append(longitude / 360 + 0.5)
            points.y.append(y.isNaN ? 0.5 : min(max(y, 0), 1))
            points.counts.append(1)
            points.ids.append(Int(place))
        }
        self.points = points
    }

    /// The clusters and points of a zoom; beyond the largest there are points alone.
    ///
    /// - Complexity: O(points), the first time for a zoom and those above it.
    package func level(_ zoom: Int) -> Level {
        guard zoom <= options.maximumZoom else { return points }
        return levels.withLock { levels in
            var level = points
            for zoom in stride(from: options.maximumZoom, through: max(zoom, 0), by: -1) {
                if let known = levels[zoom] {
                    level = known
                } else {
                    level = gathered(level, zoom)
                    levels[zoom] = level
                }
            }
            return level
        }
    }

    private func gathered(_ below: Level, _ zoom: Int) -> Level {
        let radius = options.radius / (Self.extent * exp2(Double(zoom)))
        guard radius > 0 else { return below }
        let grid = PointGrid(below.x, below.y, side: radius)
        var isTaken = [Bool](repeating: false, count: below.count)
        var level = Level(), near: [Int] = []
        for first in 0..<below.count where !isTaken[first] {
            isTaken[first] = true
            near.removeAll(keepingCapacity: true)
            grid.forEachNeighbor(of: first) { if !isTaken[$0] { near.append($0) } }
            guard !near.isEmpty else {
                level.append(below, first)
                continue
            }
            let count = near.reduce(Int(below.counts[first])) { $0 + Int(below.counts[$1]) }
            for place in near { isTaken[place] = true }
            guard count >= options.minimumPointCount else {
                level.append(below, first)
                for place in near { level.append(below, place) }
                continue
            }
            var x = below.x[first] * Double(below.counts[first]), y = below.y[first] * Double(below.counts[first])
            for place in near {
                x += below.x[place] * Double(below.counts[place])
                y += below.y[place] * Double(below.counts[place])
            }
            level.x.append(x / Double(count))
            level.y.append(y / Double(count))
            level.counts.append(Int32(count))
            level.ids.append(first << 5 + (zoom + 1) + pointCount)
        }
        return level
    }
}

/// Points in square cells, for finding what lies within a cell's side of one.
private struct PointGrid {
    private let x: [Double]
    private let y: [Double]
    private let side: Double
    /// The points cell by cell, and where the cells of a hash value begin.
    private var items: [Int32]
    private var starts: [Int32]
    private let mask: UInt64

    init(_ x: [Double], _ y: [Double], side: Double) {
        self.x = x
        self.y = y
        self.side = side
        var size: UInt64 = 16
        while size < UInt64(x.count) { size *= 2 }
        mask = size - 1
        starts = [Int32](repeating: 0, count: Int(size) + 1)
        items = [Int32](repeating: 0, count: x.count)
        var slots = [Int32](repeating: 0, count: x.count)
        for place in x.indices {
            let slot = slot(Self.cell(x[place], side), Self.cell(y[place], side))
            slots[place] = Int32(slot)
            starts[slot + 1] += 1
        }
        for slot in 0..<Int(size) { starts[slot + 1] += starts[slot] }
        var next = starts
        for place in x.indices {
            items[Int(next[Int(slots[place])])] = Int32(place)
            next[Int(slots[place])] += 1
        }
    }

    private static func cell(_ value: Double, _ side: Double) -> Int64 { Int64(value / side) }

    private func slot(_ column: Int64, _ row: Int64) -> Int {
        // Columns beside each other lie beside each other, so that three of them are one look.
        let hash = UInt64(bitPattern: row) &* 0x9E37_79B9_7F4A_7C15
        return Int((UInt64(bitPattern: column) &+ (hash >> 20)) & mask)
    }

    /// Calls `body` with each other point within a side of one, those with smaller numbers first in each cell.
    func forEachNeighbor(of place: Int, _ body: (Int) -> Void) {
        let x0 = x[place], y0 = y[place], limit = side * side
        let column = Self.cell(x0, side), row = Self.cell(y0, side)
        for row in row - 1...row + 1 {
            for column in column - 1...column + 1 {
                let slot = slot(column, row)
                for index in starts[slot]..<starts[slot + 1] {
                    let other = Int(items[Int(index)])
                    let dx = x[other] - x0, dy = y[other] - y0
                    guard dx * dx + dy * dy <= limit, other != place, Self.cell(x[other], side) == column,
                        Self.cell(y[other], side) == row
                    else { continue }
                    body(other)
                }
            }
        }
    }
}
