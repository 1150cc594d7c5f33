import Foundation
import PortolanFeatures
import PortolanGeo

/// The union of discs on the ground.
///
/// The signed distance to the nearest disc border is sampled at the corners of square cells, and its zero contour is
/// traced through the cells (marching squares). Interpolation between corners is linear, so for discs wider than a few
/// cells the border is accurate to a small fraction of a cell.
struct DiscUnion {
    struct Disc {
        var center: Coordinate
        /// The radius in metres.
        var radius: Double
    }

    private static let mostCells = 4_000_000.0

    /// The degrees between columns and between rows.
    private var step = (x: 1.0, y: 1.0)
    private var corner = Coordinate(x: 0, y: 0)
    private var columns = 0, rows = 0
    private var distances: [Float] = []

    init(_ discs: [Disc], cell: Double) {
        let discs = discs.filter { $0.center.isFinite && abs($0.center.y) < 89 && $0.radius > 0 }
        guard let first = discs.first else { return }
        let centers = discs.map { $0.center.nearest(to: first.center) }
        var minX = Double.infinity, minY = minX, maxX = -minX, maxY = -minX
        for (disc, center) in zip(discs, centers) {
            let degree = NearMeters(latitude: center.y).perDegree
            minX = min(minX, center.x - disc.radius / degree.x)
            maxX = max(maxX, center.x + disc.radius / degree.x)
            minY = min(minY, center.y - disc.radius / degree.y)
            maxY = max(maxY, center.y + disc.radius / degree.y)
        }
        let degree = NearMeters(latitude: (minY + maxY) / 2).perDegree
        let area = (maxX - minX) * degree.x * (maxY - minY) * degree.y
        let cell = max(
            cell, (area / Self.mostCells).squareRoot(), (maxX - minX) * degree.x / 1e5, (maxY - minY) * degree.y / 1e5)
        step = (cell / degree.x, cell / degree.y)
        // A margin of outside cells closes every border.
        corner = Coordinate(x: minX - 2 * step.x, y: minY - 2 * step.y)
        columns = Int(((maxX - minX) / step.x).rounded(.up)) + 5
        rows = Int(((maxY - minY) / step.y).rounded(.up)) + 5
        distances = Array(repeating: Float(3 * cell), count: columns * rows)
        for (disc, center) in zip(discs, centers) { add(center, disc.radius, cell) }
    }

    private mutating func add(_ center: Coordinate, _ radius: Double, _ cell: Double) {
        let degree = NearMeters(latitude: center.y).perDegree
        let reach = radius + 2 * cell
        let middle = (x: (center.x - corner.x) / step.x, y: (center.y - corner.y) / step.y)
        let half = (x: reach / degree.x / step.x, y: reach / degree.y / step.y)
        let firstRow = max(Int(middle.y - half.y), 0), lastRow = min(Int(middle.y + half.y) + 1, rows - 1)
        let firstColumn = max(Int(middle.x - half.x), 0), lastColumn = min(Int(middle.x + half.x) + 1, columns - 1)
        guard firstRow <= lastRow, firstColumn <= lastColumn else { return }
        for row in firstRow...lastRow {
            let y = (Double(row) - middle.y) * step.y * degree.y
            for column in firstColumn...lastColumn {
                let x = (Double(column) - middle.x) * step.x * degree.x
                let distance = Float((x * x + y * y).squareRoot() - radius)
                let index = row * columns + column
                if distance < distances[index] { distances[index] = distance }
            }
        }
    }

    /// The polygons with their holes.
    var geometry: Geometry {
        var outer: [(ring: [Coordinate], area: Double, holes: [[Coordinate]])] = [], holes: [[Coordinate]] = []
        for ring in rings() {
            let area = ring.doubledRingArea / 2
            if area > 0 { outer.append((ring, area, [])) } else if area < 0 { holes.append(ring) }
        }
        outer.sort { $0.area < $1.area }
        for hole in holes {
            // A hole belongs to the smallest ring that contains it.
            if let index = outer.firstIndex(where: { Self.contains($0.ring, hole[0]) }) {
                outer[index].holes.append(hole)
            }
        }
        return .multiPolygon(outer.reversed().map { [$0.ring] + $0.holes })
    }

    /// Returns the closed rings of the border, with the area to their left.
    private func rings() -> [[Coordinate]] {
        // Edges between corners are numbered: even to the east, odd to the north. A border that enters a cell through
        // one edge leaves it through another.
        var next: [Int: Int] = [:]
        for row in 0..<max(rows - 1, 0) {
            for column in 0..<columns - 1 {
                let base = row * columns + column
                let a = distances[base], b = distances[base + 1]
                let c = distances[base + columns + 1], d = distances[base + columns]
                let corners = (a < 0 ? 1 : 0) | (b < 0 ? 2 : 0) | (c < 0 ? 4 : 0) | (d < 0 ? 8 : 0)
                guard corners != 0, corners != 15 else { continue }
                let south = base * 2, west = base * 2 + 1, east = (base + 1) * 2 + 1, north = (base + columns) * 2
                switch corners {
                case 1: next[south] = west
                case 2: next[east] = south
                case 3: next[east] = west
                case 4: next[north] = east
                case 6: next[north] = south
                case 7: next[north] = west
                case 8: next[west] = north
                case 9: next[south] = north
                case 11: next[east] = north
                case 12: next[west] = east
                case 13: next[south] = east
                case 14: next[west] = south
                case 5 where a + b + c + d < 0:
                    next[north] = west
                    next[south] = east
                case 5:
                    next[south] = west
                    next[north] = east
                case 10 where a + b + c + d < 0:
                    next[west] = south
                    next[east] = north
                default:
                    next[east] = south
                    next[west] = north
                }
            }
        }
        var rings: [[Coordinate]] = []
        for start in next.keys.sorted() where next[start] != nil {
            var ring: [Coordinate] = [], edge = start
            while let after = next.removeValue(forKey: edge) {
                ring.append(crossing(edge))
                edge = after
            }
            ring.append(crossing(start))
            if ring.count > 3 { rings.append(ring) }
        }
        return rings
    }

    /// Returns the point at which the border crosses an edge.
    private func crossing(_ edge: Int) -> Coordinate {
        let base = edge / 2, other = edge % 2 == 0 ? base + 1 : base + columns
        let a = Double(distances[base]), b = Double(distances[other])
        let part = a == b ? 0.5 : min(max(a / (a - b), 0), 1)
        let x = Double(base % columns) + (edge % 2 == 0 ? part : 0),
            y = Double(base / columns) + (edge % 2 == 1 ? part : 0)
        return Coordinate(x: corner.x + x * step.x, y: corner.y + y * step.y)
    }

    private static func contains(_ ring: [Coordinate], _ place: Coordinate) -> Bool {
        var isInside = false
        for (a, b) in zip(ring, ring.dropFirst()) where (a.y > place.y) != (b.y > place.y) {
            if place.x < a.x + (place.y - a.y) / (b.y - a.y) * (b.x - a.x) { isInside.toggle() }
        }
        return isInside
    }
}
