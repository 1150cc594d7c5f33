package import PortolanFeatures
package import PortolanGeo
import PortolanRaster

/// The shapes of some features on the plane of Web Mercator, ready to be cut into tiles of any level.
///
/// Coordinates are fractions of the world's width, x from the west and y from the north.
package struct FeatureTileShapes: Sendable {
    /// The parts of a feature that become one feature of a tile.
    struct Group {
        /// The number of the feature in its layer.
        let feature: UInt32
        let kind: ShapeColumns.Kind
        /// The first of its parts, and the part after the last.
        let firstPart: Int32, endPart: Int32
        /// The area of polygons as a fraction of the world's area.
        var area = 0.0
        let box: Rectangle
    }

    private(set) var x: [Double] = []
    private(set) var y: [Double] = []
    /// The importance of each vertex of lines and rings; see ``LineImportance``.
    private(set) var importance: [Float] = []
    private(set) var partEnds: [Int32] = []
    /// Whether each part is a hole.
    private(set) var isHole: [Bool] = []
    private(set) var groups: [Group] = []

    /// Projects features.
    ///
    /// Positions that Web Mercator does not have are left out.
    ///
    /// - Parameters:
    ///   - features: a slice of the features of a layer, whose indices are their numbers.
    ///   - transform: the transformation to Web Mercator.
    /// - Complexity: O(*n* log *n*) in the coordinates.
    package init(_ features: ArraySlice<Feature>, by transform: CoordinateTransform) {
        var columns = ShapeColumns(), ends: [(feature: Int, end: Int)] = []
        for (number, feature) in zip(features.indices, features) {
            guard let geometry = feature.geometry else { continue }
            ends.append((number, columns.append(geometry).upperBound))
        }
        let given = columns.shapes, projected = ProjectedShapes(columns, by: transform)
        columns = projected.columns
        let world = transform.target.worldWidth ?? 1
        x = projected.x.map { Self.position($0 / world + 0.5) }
        y = projected.y.map { Self.position(0.5 - $0 / world) }
        partEnds = columns.partEnds
        isHole = [Bool](repeating: false, count: partEnds.count)
        importance = [Float](repeating: .infinity, count: x.count)
        var first = 0
        for (feature, end) in ends {
            while first < end {
                var next = first + 1
                while next < end, columns.shapes[next].kind == columns.shapes[first].kind { next += 1 }
                for shape in first..<next where columns.shapes[shape].kind == .polygon {
                    let parts = Int(columns.shapes[shape].firstPart)..<Int(columns.shapes[shape].endPart)
                    markHoles(parts, isWhole: parts.count == Int(given[shape].endPart - given[shape].firstPart))
                }
                addGroup(UInt32(feature), columns.shapes[first..<next])
                first = next
            }
        }
        var computer = LineImportance()
        for group in groups where group.kind != .points {
            for part in Int(group.firstPart)..<Int(group.endPart) {
                computer.compute(x, y, range(ofPart: part), into: &importance)
            }
        }
    }

    /// A position, or NaN if it is absurdly far from the world.
    private static func position(_ fraction: Double) -> Double { abs(fraction) < 1e6 ? fraction : .nan }

    /// About how many bytes they take.
    package var byteCount: Int { 20 * x.count + 5 * partEnds.count + 64 * groups.count }

    func range(ofPart part: Int) -> Range<Int> { (part == 0 ? 0 : Int(partEnds[part - 1]))..<Int(partEnds[part]) }

    /// Marks the holes among the rings of a polygon: all after the first, or those within another ring if the polygon
    /// was cut at the limits of the projection.
    private mutating func markHoles(_ parts: Range<Int>, isWhole: Bool) {
        for part in parts.dropFirst() {
            if isWhole {
                isHole[part] = true
            } else if let first = range(ofPart: part).first {
                let outer = parts.lowerBound..<part
                isHole[part] = PolygonTest.contains(
                    Point(x: x[first], y: y[first]),
                    rings: outer.map { range(ofPart: $0).map { Point(x: x[$0], y: y[$0]) } })
            }
        }
    }

    private mutating func addGroup(_ feature: UInt32, _ shapes: ArraySlice<ShapeColumns.Shape>) {
        guard let first = shapes.first else { return }
        var area = 0.0, firstPart = first.firstPart, endPart = first.firstPart
        for shape in shapes {
            // The parts of a border are between the shapes of areas that were cut.
            if shape.firstPart != endPart {
                endGroup(feature, first.kind, firstPart, endPart, area)
                (firstPart, area) = (shape.firstPart, 0)
            }
            endPart = shape.endPart
            guard first.kind == .polygon else { continue }
            for part in Int(shape.firstPart)..<Int(shape.endPart) {
                area += (isHole[part] ? -1 : 1) * ringArea(range(ofPart: part))
            }
        }
        endGroup(feature, first.kind, firstPart, endPart, area)
    }

    private mutating func endGroup(
        _ feature: UInt32, _ kind: ShapeColumns.Kind, _ first: Int32, _ end: Int32, _ area: Double
    ) {
        guard first < end else { return }
        var minX = Double.infinity, minY = Double.infinity, maxX = -Double.infinity, maxY = -Double.infinity
        for index in range(ofPart: Int(first)).lowerBound..<range(ofPart: Int(end) - 1).upperBound
        where x[index].isFinite && y[index].isFinite {
            minX = min(minX, x[index])
            maxX = max(maxX, x[index])
            minY = min(minY, y[index])
            maxY = max(maxY, y[index])
        }
        guard minX <= maxX else { return }
        groups.append(
            Group(
                feature: feature, kind: kind, firstPart: first, endPart: end, area: max(area, 0),
                box: Rectangle(minX: minX, minY: minY, maxX: maxX, maxY: maxY)))
    }

    private func ringArea(_ range: Range<Int>) -> Double {
        let ring = range.lazy.map { Coordinate(x: x[$0], y: y[$0]) }.filter(\.isFinite)
        return abs(ring.doubledRingArea) / 2
    }
}
