package import PortolanGeo
import Synchronization

/// The geometries of features in contiguous columns: ordinates, part ends, and the kinds of the parts.
///
/// Collections are flattened, and each polygon of a multipolygon is a separate shape, so that a painter iterates over
/// flat ranges. A vertex takes 16 bytes. Added content never moves.
package struct ShapeColumns: Sendable {
    /// The kind of the parts of a shape.
    package enum Kind: UInt8, Sendable {
        /// Points.
        case points
        /// Lines.
        case lines
        /// The rings of one polygon, the outer one first.
        case polygon
    }

    /// Consecutive parts that are drawn as a unit.
    package struct Shape: Sendable {
        package let kind: Kind
        /// Whether it belongs to the same multipolygon as the previous shape.
        package let isContinued: Bool
        /// The index of the first part.
        package let firstPart: Int32
        /// The index after the last part.
        package let endPart: Int32
        /// The parts of the border if it is not all of the rings: lines after the parts of the rings.
        package var border: Range<Int32>?
        /// Whether it is an area that meets the seam of a file at ±180°, beyond which it may continue.
        package var meetsSeam = false
    }

    /// A unique number of the content.
    package private(set) var id: UInt64
    /// The eastings of all parts.
    package private(set) var x: [Double] = []
    /// The northings of all parts.
    package private(set) var y: [Double] = []
    /// The end index of each part in the ordinates.
    package private(set) var partEnds: [Int32] = []
    /// The shapes.
    package private(set) var shapes: [Shape] = []
    /// The indexes of the vertices at which tiles cut a line, ascending.
    ///
    /// The dashes on both sides are independent.
    package private(set) var cuts: [Int32] = []
    /// Whether all vertices are drawn.
    ///
    /// Otherwise, redundant ones are omitted. The result may depend on the visible part, so that pictures of
    /// neighbouring parts of a map would not agree to the pixel.
    package let keepsVertices: Bool

    private static let nextID = Atomic<UInt64>(0)

    /// Creates empty columns.
    package init(keepsVertices: Bool = false) {
        id = Self.makeID()
        self.keepsVertices = keepsVertices
    }

    private static func makeID() -> UInt64 { nextID.add(1, ordering: .relaxed).newValue }

    /// Adds a vertex to the open part.
    package mutating func addVertex(x: Double, y: Double) {
        self.x.append(x)
        self.y.append(y)
    }

    /// Marks a vertex, after all others that are marked, as the end of a line in a tile.
    package mutating func addCut(at index: Int) { cuts.append(Int32(index)) }

    /// Returns the indexes of the vertices in a range at which tiles cut a line.
    ///
    /// - Complexity: O(log *n*) in the cuts.
    package func cuts(in range: Range<Int>) -> ArraySlice<Int32> {
        func first(notBelow index: Int) -> Int {
            var low = 0, high = cuts.count
            while low < high {
                let middle = (low + high) / 2
                if Int(cuts[middle]) < index { low = middle + 1 } else { high = middle }
            }
            return low
        }
        return cuts.isEmpty ? [] : cuts[first(notBelow: range.lowerBound)..<first(notBelow: range.upperBound)]
    }

    /// Ends the open part.
    package mutating func endPart() { partEnds.append(Int32(x.count)) }

    /// Adds a shape of existing parts.
    ///
    /// - Parameter border: the parts of its border, if they are not all of its rings.
    package mutating func endShape(
        _ kind: Kind, isContinued: Bool, _ parts: Range<Int>, border: Range<Int>? = nil
    ) {
        shapes.append(
            Shape(
                kind: kind, isContinued: isContinued, firstPart: Int32(parts.lowerBound),
                endPart: Int32(parts.upperBound),
                border: border.map { Int32($0.lowerBound)..<Int32($0.upperBound) }))
        id = Self.makeID()
    }

    /// Adds the shapes of a geometry and returns their indices.
    ///
    /// - Complexity: O(coordinates), amortised.
    package mutating func append(_ geometry: Geometry) -> Range<Int> {
        let first = shapes.count
        add(geometry)
        id = Self.makeID()
        return first..<shapes.count
    }

    private mutating func add(_ geometry: Geometry) {
        geometry.children.forEach { add($0) }
        guard !geometry.coordinates.isEmpty else { return }
        let start = partEnds.count, offset = x.count
        for coordinate in geometry.coordinates {
            x.append(coordinate.x)
            y.append(coordinate.y)
        }
        if geometry.partEnds.isEmpty {
            partEnds.append(Int32(x.count))
        } else {
            for end in geometry.partEnds { partEnds.append(Int32(offset + end)) }
        }
        let kind: Kind =
            switch geometry.kind {
            case .point, .multiPoint: .points
            case .lineString, .multiLineString: .lines
            case .polygon, .multiPolygon, .collection: .polygon
            }
        var first = start
        for end in geometry.kind == .multiPolygon ? geometry.polygonEnds : [partEnds.count - start] {
            shapes.append(
                Shape(kind: kind, isContinued: first > start, firstPart: Int32(first), endPart: Int32(start + end)))
            first = start + end
        }
    }

    /// Returns the coordinates of a shape, part by part.
    private func parts(of shape: Shape) -> [[Coordinate]] {
        (Int(shape.firstPart)..<Int(shape.endPart)).map { part in range(ofPart: part).map(coordinate) }
    }

    /// Returns the geometry of shapes of one kind, lines or areas.
    package func geometry(of range: Range<Int>) -> Geometry {
        let all = range.map { parts(of: shapes[$0]) }
        return shapes[range.lowerBound].kind == .polygon ? .multiPolygon(all) : .multiLineString(all.flatMap { $0 })
    }

    /// Returns the shapes cut at the limits of the target CRS, with the same indices, or `nil` if none is cut.
    ///
    /// - Complexity: O(coordinates).
    func cut(for transform: CoordinateTransform) -> ShapeColumns? {
        // Vector tiles continue across the seam.
        guard let cutter = ShapeCutter(transform), !transform.isIdentity || !keepsVertices else { return nil }
        let areCut = shapes.map { shape in
            shape.kind != .points && cutter.mayCut(survey(of: shape), isArea: shape.kind == .polygon)
        }
        guard areCut.contains(true) else { return nil }
        // A hostile file may consist of shapes around the world only.
        let limit = x.count * 8 + 500_000
        var result = ShapeColumns(keepsVertices: keepsVertices)
        for (shape, isCut) in zip(shapes, areCut) {
            guard isCut, result.x.count < limit else {
                result.copy(shape, of: self)
                continue
            }
            let parts = parts(of: shape)
            switch shape.kind {
            case .polygon:
                let area = cutter.cutArea(parts)
                if area.isWhole { result.copy(shape, of: self) } else { result.add(area, of: shape) }
            case .lines: result.add(parts.flatMap { cutter.cutLine($0).parts }, of: shape)
            case .points: result.add(parts, of: shape)
            }
        }
        return result
    }

    private func survey(of shape: Shape) -> ShapeCutter.Survey {
        var survey = ShapeCutter.Survey()
        let xs = x.span, ys = y.span
        for part in Int(shape.firstPart)..<Int(shape.endPart) {
            var previous: (x: Double, y: Double)?
            for index in range(ofPart: part) {
                survey.add(xs[index], ys[index], after: previous)
                previous = (xs[index], ys[index])
            }
        }
        return survey
    }

    /// Adds a shape of other columns unchanged.
    private mutating func copy(_ shape: Shape, of other: ShapeColumns) {
        let first = Int32(partEnds.count)
        for part in Int(shape.firstPart)..<Int(shape.endPart) { self.copy(part: part, of: other) }
        var copy = Shape(
            kind: shape.kind, isContinued: shape.isContinued, firstPart: first, endPart: Int32(partEnds.count))
        if let border = shape.border {
            for part in Int(border.lowerBound)..<Int(border.upperBound) { self.copy(part: part, of: other) }
            copy.border = copy.endPart..<Int32(partEnds.count)
        }
        copy.meetsSeam = shape.meetsSeam
        shapes.append(copy)
    }

    private mutating func copy(part: Int, of other: ShapeColumns) {
        let range = other.range(ofPart: part)
        for cut in other.cuts(in: range) { addCut(at: Int(cut) - range.lowerBound + x.count) }
        x += other.x[range]
        y += other.y[range]
        partEnds.append(Int32(x.count))
    }

    private mutating func add(_ parts: [[Coordinate]], of shape: Shape) {
        let first = Int32(partEnds.count)
        // A shape that is completely cut away still has a part, without a valid position.
        add(parts.isEmpty ? [[Coordinate(x: .nan, y: .nan)]] : parts)
        shapes.append(
            Shape(kind: shape.kind, isContinued: shape.isContinued, firstPart: first, endPart: Int32(partEnds.count)))
    }

    /// Adds the remaining part of an area, and its border.
    private mutating func add(_ area: ShapeCutter.Cut, of shape: Shape) {
        add(area.parts, of: shape)
        add(area.border)
        let last = shapes.count - 1
        shapes[last].border = shapes[last].endPart..<Int32(partEnds.count)
        shapes[last].meetsSeam = area.meetsSeam
    }

    private mutating func add(_ parts: [[Coordinate]]) {
        for part in parts {
            for place in part {
                x.append(place.x)
                y.append(place.y)
            }
            partEnds.append(Int32(x.count))
        }
    }

    /// Returns the start index of the ordinates of a part.
    package func start(ofPart part: Int) -> Int { part == 0 ? 0 : Int(partEnds[part - 1]) }

    /// Returns the index range of the ordinates of a part.
    package func range(ofPart part: Int) -> Range<Int> { start(ofPart: part)..<Int(partEnds[part]) }

    /// Returns the coordinate at an index of the ordinates.
    package func coordinate(_ index: Int) -> Coordinate { Coordinate(x: x[index], y: y[index]) }

    /// Returns the bounding box of shapes, or `nil` if none of their coordinates is finite.
    package func boundingBox(of range: Range<Int>) -> BoundingBox? {
        guard let first = range.first, let last = range.last else { return nil }
        let start = start(ofPart: Int(shapes[first].firstPart)), end = Int(partEnds[Int(shapes[last].endPart) - 1])
        var minX = Double.infinity, minY = Double.infinity, maxX = -Double.infinity, maxY = -Double.infinity
        let xs = x.span, ys = y.span
        for index in start..<end {
            let x = xs[index], y = ys[index]
            guard x.isFinite, y.isFinite else { continue }
            minX = min(minX, x)
            maxX = max(maxX, x)
            minY = min(minY, y)
            maxY = max(maxY, y)
        }
        return BoundingBox(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
    }
}
