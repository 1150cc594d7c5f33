import PortolanFeatures
import PortolanRaster
import PortolanVectorTiles

/// Simplifies shapes for a level, and cuts them into tiles.
///
/// A vertex is at the same position in all tiles. Shapes of many tiles are halved repeatedly, so that the cost follows
/// the result.
package struct FeatureTileCutter {
    /// The area in square units below which a polygon is not visible by itself.
    static let smallestArea = 4.0

    private let level: Int
    private let buffer: Double
    /// The number of units along the world.
    private let side: Double
    /// The squared tolerance as a fraction of the world.
    private let tolerance: Float
    private let columns: ClosedRange<Int>
    private let rows: ClosedRange<Int>
    /// Whether small polygons are replaced by fewer, which stand for their area.
    private let joinsSpecks: Bool
    private let pieceLimit: Int
    private var geometry = MVTGeometryWriter()
    private var vertices: [MVTGeometryWriter.Vertex] = []
    private var runs = PointRuns()
    private var ring = ClippedRing()
    private var pieces = FeatureTilePieces()
    private var scratch = Parts()

    /// Creates a cutter for a level.
    ///
    /// - Parameters:
    ///   - tile: the column and the row of the only tile, or `nil` for all tiles.
    ///   - isFinest: whether no finer level follows, so that nothing is left out for being small.
    ///   - pieceLimit: the largest number of pieces.
    package init(
        level: Int, tile: (column: Int, row: Int)? = nil, isFinest: Bool, pieceLimit: Int = .max,
        _ settings: FeatureTileSettings
    ) {
        self.level = level
        self.pieceLimit = pieceLimit
        buffer = Double(settings.buffer)
        side = Double(MVTLayerWriter.extent) * Double(1 << level)
        let distance = settings.simplification / side
        tolerance = Float(distance * distance)
        let last = 1 << level - 1
        columns = tile.map { $0.column...$0.column } ?? 0...last
        rows = tile.map { $0.row...$0.row } ?? 0...last
        joinsSpecks = !isFinest
    }

    /// Returns the pieces so far, and begins again.
    package mutating func finish() -> FeatureTilePieces {
        pieces.bytes = geometry.bytes
        defer {
            geometry = MVTGeometryWriter()
            pieces = FeatureTilePieces()
        }
        return pieces
    }

    /// Cuts all shapes of a block of a layer.
    package mutating func cut(_ block: FeatureTileShapes, of layer: FeatureTileLayer) {
        for number in block.groups.indices where !pieces.isOverLimit { cut(number, of: block, layer) }
    }

    /// Cuts a group of shapes of a block.
    mutating func cut(_ number: Int, of block: FeatureTileShapes, _ layer: FeatureTileLayer) {
        let group = block.groups[number], box = group.box
        if !layer.firstLevels.isEmpty, layer.firstLevels[Int(group.feature)] > level {
            pieces.thinnedCount += 1
            return
        }
        let scaled = Rectangle(
            minX: box.minX * side, minY: box.minY * side, maxX: box.maxX * side, maxY: box.maxY * side)
        // Positions are rounded to units.
        guard let range = tiles(touching: scaled, columns, rows, margin: buffer + 0.5) else { return }
        var parts = Parts()
        swap(&parts, &scratch)
        defer { swap(&parts, &scratch) }
        parts.removeAll()
        switch group.kind {
        case .points: addPoints(of: group, block, to: &parts)
        case .lines:
            // A line shorter than half a unit is a point in any tile.
            if max(scaled.width, scaled.height) < 0.5 { return }
            addLines(of: group, block, to: &parts)
        case .polygon:
            let area = group.area * side * side
            if joinsSpecks, area < Self.smallestArea { return addSpeck(scaled, area, group.feature) }
            addRings(of: group, block, to: &parts)
            if parts.isEmpty { return addSpeck(scaled, area, group.feature) }
        }
        if range.columns.count == 1, range.rows.count == 1, parts.isInside(clipBox(range.columns, range.rows)) {
            add(parts, group.kind, group.feature, column: range.columns.lowerBound, row: range.rows.lowerBound)
        } else {
            spread(clipped(parts, group.kind, to: clipBox(columns, rows)), group.kind, group.feature, range)
        }
    }

    // MARK: Simplification

    /// Points, lines or rings in units of the level.
    private struct Parts {
        var points: [Point] = []
        var ends: [Int] = []
        var isHole: [Bool] = []
        var boxes: [Rectangle] = []

        var isEmpty: Bool { ends.isEmpty }

        mutating func removeAll() {
            points.removeAll(keepingCapacity: true)
            ends.removeAll(keepingCapacity: true)
            isHole.removeAll(keepingCapacity: true)
            boxes.removeAll(keepingCapacity: true)
        }

        func range(_ part: Int) -> Range<Int> { (part == 0 ? 0 : ends[part - 1])..<ends[part] }

        /// Ends the open part if it has enough points; otherwise removes it.
        mutating func end(isHole: Bool = false, atLeast count: Int) {
            let start = ends.last ?? 0
            guard points.count - start >= count else {
                points.removeLast(points.count - start)
                return
            }
            var box = Rectangle(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
            for index in start..<points.count {
                box.minX = min(box.minX, points[index].x)
                box.maxX = max(box.maxX, points[index].x)
                box.minY = min(box.minY, points[index].y)
                box.maxY = max(box.maxY, points[index].y)
            }
            ends.append(points.count)
            self.isHole.append(isHole)
            boxes.append(box)
        }

        func isInside(_ box: Rectangle) -> Bool {
            boxes.allSatisfy {
                $0.minX >= box.minX && $0.maxX <= box.maxX && $0.minY >= box.minY && $0.maxY <= box.maxY
            }
        }

        /// The smallest rectangle around all parts, of which there is one.
        var box: Rectangle {
            boxes.dropFirst().reduce(boxes[0]) {
                Rectangle(
                    minX: min($0.minX, $1.minX), minY: min($0.minY, $1.minY), maxX: max($0.maxX, $1.maxX),
                    maxY: max($0.maxY, $1.maxY))
            }
        }
    }

    /// Adds the vertex to the open part, on the grid of the level, unless the vertex before has the same position.
    @inline(__always)
    private func add(_ x: Double, _ y: Double, to parts: inout Parts) {
        let point = Point(x: (x * side).rounded(), y: (y * side).rounded())
        if parts.points.count > parts.ends.last ?? 0, parts.points[parts.points.count - 1] == point { return }
        parts.points.append(point)
    }

    private func addPoints(of group: FeatureTileShapes.Group, _ block: FeatureTileShapes, to parts: inout Parts) {
        let first = group.firstPart == 0 ? 0 : Int(block.partEnds[Int(group.firstPart) - 1])
        for index in first..<Int(block.partEnds[Int(group.endPart) - 1])
        where block.x[index].isFinite && block.y[index].isFinite {
            parts.points.append(Point(x: (block.x[index] * side).rounded(), y: (block.y[index] * side).rounded()))
        }
        parts.end(atLeast: 1)
    }

    private func addLines(of group: FeatureTileShapes.Group, _ block: FeatureTileShapes, to parts: inout Parts) {
        let xs = block.x.span, ys = block.y.span, importance = block.importance.span
        for part in Int(group.firstPart)..<Int(group.endPart) {
            for index in block.range(ofPart: part) where importance[index] >= tolerance {
                // A line is interrupted at positions that the projection does not have.
                guard xs[index].isFinite, ys[index].isFinite else {
                    parts.end(atLeast: 2)
                    continue
                }
                add(xs[index], ys[index], to: &parts)
            }
            parts.end(atLeast: 2)
        }
    }

    private func addRings(of group: FeatureTileShapes.Group, _ block: FeatureTileShapes, to parts: inout Parts) {
        var hasOuter = false
        let xs = block.x.span, ys = block.y.span, importance = block.importance.span
        for part in Int(group.firstPart)..<Int(group.endPart) {
            let isHole = block.isHole[part]
            guard !isHole || hasOuter else { continue }
            for index in block.range(ofPart: part)
            where importance[index] >= tolerance && xs[index].isFinite && ys[index].isFinite {
                add(xs[index], ys[index], to: &parts)
            }
            let count = parts.ends.count
            // The last vertex repeats the first.
            parts.end(isHole: isHole, atLeast: 4)
            if !isHole { hasOuter = parts.ends.count > count }
        }
    }

    // MARK: Tiles

    private typealias TileRange = (columns: ClosedRange<Int>, rows: ClosedRange<Int>)

    /// The tiles of a range that a rectangle touches with a margin, or `nil`.
    private func tiles(
        touching box: Rectangle, _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>, margin: Double
    ) -> TileRange? {
        let extent = Double(MVTLayerWriter.extent)
        func cells(_ low: Double, _ high: Double, _ range: ClosedRange<Int>) -> ClosedRange<Int>? {
            let first = ((low - margin) / extent).rounded(.down), last = ((high + margin) / extent).rounded(.down)
            guard first <= Double(range.upperBound), last >= Double(range.lowerBound) else { return nil }
            return Int(max(first, Double(range.lowerBound)))...Int(min(last, Double(range.upperBound)))
        }
        guard let columns = cells(box.minX, box.maxX, columns), let rows = cells(box.minY, box.maxY, rows) else {
            return nil
        }
        return (columns, rows)
    }

    /// The rectangle of some tiles with their margin.
    private func clipBox(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> Rectangle {
        let extent = Double(MVTLayerWriter.extent)
        return Rectangle(
            minX: Double(columns.lowerBound) * extent - buffer, minY: Double(rows.lowerBound) * extent - buffer,
            maxX: Double(columns.upperBound + 1) * extent + buffer, maxY: Double(rows.upperBound + 1) * extent + buffer)
    }

    /// Distributes parts that are clipped to the margins of some tiles.
    private mutating func spread(
        _ parts: Parts, _ kind: ShapeColumns.Kind, _ feature: UInt32, _ range: TileRange
    ) {
        guard !parts.isEmpty, !pieces.isOverLimit,
            let range = tiles(touching: parts.box, range.columns, range.rows, margin: buffer)
        else { return }
        let (columns, rows) = range
        if columns.count == 1, rows.count == 1 {
            let box = clipBox(columns, rows)
            return add(
                parts.isInside(box) ? parts : clipped(parts, kind, to: box), kind, feature,
                column: columns.lowerBound, row: rows.lowerBound)
        }
        let halves: [TileRange]
        if columns.count >= rows.count {
            let middle = columns.lowerBound + columns.count / 2
            halves = [(columns.lowerBound...(middle - 1), rows), (middle...columns.upperBound, rows)]
        } else {
            let middle = rows.lowerBound + rows.count / 2
            halves = [(columns, rows.lowerBound...(middle - 1)), (columns, middle...rows.upperBound)]
        }
        for half in halves {
            spread(clipped(parts, kind, to: clipBox(half.columns, half.rows)), kind, feature, half)
        }
    }

    private mutating func clipped(_ parts: Parts, _ kind: ShapeColumns.Kind, to box: Rectangle) -> Parts {
        if parts.isInside(box) { return parts }
        var result = Parts()
        for part in parts.ends.indices {
            let range = parts.range(part), own = parts.boxes[part]
            guard own.minX <= box.maxX, own.maxX >= box.minX, own.minY <= box.maxY, own.maxY >= box.minY else {
                continue
            }
            let isInside =
                own.minX >= box.minX && own.maxX <= box.maxX && own.minY >= box.minY && own.maxY <= box.maxY
            switch kind {
            case .points:
                for point in parts.points[range] where box.contains(point) { result.points.append(point) }
                result.end(atLeast: 1)
            case _ where isInside:
                result.points += parts.points[range]
                result.end(isHole: parts.isHole[part], atLeast: 1)
            case .lines:
                runs.removeAll()
                LineClipper.clip(parts.points, range, to: box, into: &runs)
                for run in 0..<runs.count {
                    for point in runs.points[runs.range(run)] { result.points.append(Self.onGrid(point)) }
                    result.end(atLeast: 2)
                }
            case .polygon:
                ring.clip(parts.points, range, to: box)
                let points = ring.points
                // Inside of an area all tiles have the same bytes, so their ring begins at one corner.
                let first =
                    points.count > 5
                    ? 0
                    : points.dropLast().indices.min { (points[$0].y, points[$0].x) < (points[$1].y, points[$1].x) } ?? 0
                if first == 0 {
                    for point in points { result.points.append(Self.onGrid(point)) }
                } else {
                    for point in points[first...].dropLast() + points[...first] {
                        result.points.append(Self.onGrid(point))
                    }
                }
                result.end(isHole: parts.isHole[part], atLeast: 4)
            }
        }
        return result
    }

    private static func onGrid(_ point: Point) -> Point { Point(x: point.x.rounded(), y: point.y.rounded()) }

    // MARK: Pieces

    private mutating func add(
        _ parts: Parts, _ kind: ShapeColumns.Kind, _ feature: UInt32, column: Int, row: Int
    ) {
        guard pieces.pieces.count < pieceLimit, geometry.bytes.count < Int(UInt32.max) else {
            pieces.isOverLimit = true
            return
        }
        let start = geometry.bytes.count
        let left = Double(column * MVTLayerWriter.extent), top = Double(row * MVTLayerWriter.extent)
        geometry.begin()
        var hasOuter = false
        for part in parts.ends.indices {
            vertices.removeAll(keepingCapacity: true)
            for index in parts.range(part) {
                let point = parts.points[index]
                // A tile has 4096 units and a margin.
                vertices.append(MVTGeometryWriter.Vertex(x: Int32(point.x - left), y: Int32(point.y - top)))
            }
            switch kind {
            case .points: geometry.addPoints(vertices)
            case .lines: _ = geometry.addLine(vertices)
            case .polygon:
                let isHole = parts.isHole[part]
                guard !isHole || hasOuter else { continue }
                let isWritten = geometry.addRing(vertices, isHole: isHole)
                if !isHole { hasOuter = isWritten }
            }
        }
        let end = geometry.bytes.count
        guard end > start else { return }
        let type: VectorTileGeometry.Kind =
            switch kind {
            case .points: .points
            case .lines: .lines
            case .polygon: .polygons
            }
        pieces.pieces.append(
            FeatureTilePieces.Piece(
                tile: UInt64(row) << 32 | UInt64(column), feature: feature,
                content: .geometry(type, start: UInt32(start), end: UInt32(end))))
    }

    /// Adds a small polygon to the tile of its centre.
    private mutating func addSpeck(_ box: Rectangle, _ area: Double, _ feature: UInt32) {
        let extent = MVTLayerWriter.extent, x = (box.minX + box.maxX) / 2, y = (box.minY + box.maxY) / 2
        guard x >= 0, x < side, y >= 0, y < side else { return }
        let column = Int(x) / extent, row = Int(y) / extent
        guard columns.contains(column), rows.contains(row) else { return }
        guard pieces.pieces.count < pieceLimit else {
            pieces.isOverLimit = true
            return
        }
        pieces.pieces.append(
            FeatureTilePieces.Piece(
                tile: UInt64(row) << 32 | UInt64(column), feature: feature,
                content: .speck(
                    x: Int32(Int(x) - column * extent), y: Int32(Int(y) - row * extent), area: Float(area))))
    }
}
