import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// Converts parts of shapes to the picture: projected, clipped and simplified.
///
/// It reuses its working memory.
struct ShapeTracer {
    /// The largest invisible deviation of a line, in picture pixels.
    private static let invisible = 0.2

    /// The largest deviation of a drawn line from the original, in picture pixels.
    private var tolerance: Double { columns.keepsVertices ? 0 : Self.invisible }

    /// The number of coordinates up to which all of them are projected.
    private static let shortCount = 64

    let projection: PixelProjection
    private let shapes: FeatureShapes
    /// The current block of shapes, and its coordinates in the CRSs of the features and of the map.
    private var block = -1
    private(set) var columns = ShapeColumns()
    private(set) var projected: ProjectedShapes?
    /// The pixels of the last part, in several runs if it leaves the domain of the map's CRS.
    var runs = PointRuns()
    var pieces = PointRuns()
    private var clipped = ClippedRing()
    var simplified = SimplifiedLine()
    /// The traced shapes of earlier layers of the picture, or `nil` if they do not apply.
    var traced: TracedParts?
    /// Whether parts are thinned for the map scale, the thinned parts of the block, and the points of the last part.
    private(set) var isThinning = false
    var thinned: SimplifiedParts?
    var thinnedPoints: [Point] = []
    /// The box of the points of the last part.
    private var bounds = Rectangle(minX: 0, minY: 0, maxX: 0, maxY: 0)

    init(_ shapes: FeatureShapes, _ projection: PixelProjection) {
        self.shapes = shapes
        self.projection = projection
    }

    /// Selects a block of shapes.
    mutating func enter(block: Int) {
        guard block != self.block else { return }
        giveBackThinned()
        self.block = block
        columns = shapes.columns[block]
        projected = shapes.projected[block]
        traced?.enter(columns)
    }

    /// Continues from the traced shapes of other layers.
    mutating func goOn(from picture: TracedPicture) {
        isThinning = true
        guard shapes.columns.count <= TracedParts.blockLimit else { return }
        var traced = picture.take()
        traced.enter(shift: projection.shift)
        if block >= 0 { traced.enter(columns) }
        self.traced = traced
    }

    /// Returns the traced shapes to other layers.
    mutating func leave(to picture: TracedPicture) {
        giveBackThinned()
        picture.giveBack(traced.take())
    }

    /// Returns the picture pixel of a coordinate of the block, or `nil` if it is outside the domain of the map's CRS.
    func point(_ index: Int) -> Point? { shapes.point(block, index, projection) }

    /// Converts a part to ``runs``: the essential coordinates for a box, or all of them.
    ///
    /// - Complexity: O(*n*), with a low cost outside the box.
    mutating func project(_ part: Int, near box: Rectangle?) {
        runs.removeAll()
        guard let projected else { return }
        let range = columns.range(ofPart: part)
        let isIdentity = projection.transform.isIdentity
        let isStraight = isIdentity || projection.isStraight(bend: Double(projected.bends[part]))
        guard let box, range.count > Self.shortCount, let extent = projection.extent(of: box) else {
            guard isStraight else {
                var last: Int?
                for index in range { add(index, after: &last, projected, isStraight: false) }
                return runs.end()
            }
            return addAll(range, projected, isIdentity: isIdentity)
        }
        var last: Int?
        EssentialCoordinates.forEach(of: columns.x, columns.y, in: range, within: extent) { index in
            add(index, after: &last, projected, isStraight: isStraight)
        }
        runs.end()
    }

    /// Adds coordinates that are all in the domain, and between which nothing bends.
    private mutating func addAll(
        _ range: Range<Int>, _ projected: ProjectedShapes, isIdentity: Bool
    ) {
        let eastings = projected.x, northings = projected.y
        let xs = eastings.span, ys = northings.span
        var last = Point(x: 0, y: 0)
        for index in range {
            let point = projection.pixel(x: xs[index], y: ys[index])
            if !isIdentity, index > range.lowerBound, projection.isLong(last, point) {
                addBetween(index - 1, last, index, point)
            }
            runs.points.append(point)
            last = point
        }
        runs.end()
    }

    /// Adds a coordinate and the intermediate points after the previous one.
    mutating func add(
        _ index: Int, after last: inout Int?, _ projected: ProjectedShapes, isStraight: Bool
    ) {
        func point(_ index: Int) -> Point? {
            let x = projected.x[index], y = projected.y[index]
            return x.isFinite && y.isFinite ? projection.pixel(x: x, y: y) : nil
        }
        let own = point(index)
        if let last, !projection.transform.isIdentity {
            let before = point(last)
            let isPlain =
                if isStraight, last + 1 == index, let before, let own { !projection.isLong(before, own) } else { false }
            if !isPlain { addBetween(last, before, index, own) }
        }
        if let own { runs.points.append(own) } else { runs.end() }
        last = index
    }

    private mutating func addBetween(_ a: Int, _ from: Point?, _ b: Int, _ to: Point?) {
        var runs = PointRuns()
        swap(&runs, &self.runs)
        projection.addBetween(
            PixelProjection.Place(coordinate: columns.coordinate(a), point: from),
            PixelProjection.Place(coordinate: columns.coordinate(b), point: to)
        ) { point in
            if let point { runs.points.append(point) } else { runs.end() }
        }
        swap(&runs, &self.runs)
    }

    /// Adds the part of a ring that fills a box to a path, and returns whether the whole ring is in the box.
    mutating func addRing(
        _ part: Int, in box: Rectangle, to path: inout Path
    ) -> Bool {
        if let range = traced?.range(ofPart: part, in: box), let points = traced?.points {
            Self.add(points, range.dropLast(), closed: true, to: &path)
            return true
        }
        if thin(part, isRing: true, in: box) {
            Self.add(thinnedPoints, thinnedPoints.indices.dropLast(), closed: true, to: &path)
            return true
        }
        project(part, near: box)
        let range = 0..<runs.points.count
        switch position(of: runs.points, range, in: box) {
        case .outside: return false
        case .inside where runs.count == 1 && range.count > 1 && runs.points[0] == runs.points[range.count - 1]:
            addRing(runs.points, range, to: &path)
            keep(part)
            return true
        default:
            clipped.clip(runs.points, range, to: box)
            addRing(clipped.points, clipped.points.indices, to: &path)
            return false
        }
    }

    /// Adds the visible part of a line, or of a ring's border, to a path.
    ///
    /// - Parameter isDashed: whether dashes are counted from the line's beginning, which may be outside the picture.
    mutating func addLine(
        _ part: Int, in box: Rectangle, isRing: Bool,
        isDashed: Bool, to path: inout Path
    ) {
        if !isRing, !isDashed, columns.range(ofPart: part).count >= Self.longCount {
            return addLongLine(part, in: box, to: &path)
        }
        if !isDashed, let range = traced?.range(ofPart: part, in: box), let points = traced?.points {
            return Self.add(points, isRing ? range.dropLast() : range, closed: isRing, to: &path)
        }
        if !isDashed, thin(part, isRing: isRing, in: box) {
            let range = thinnedPoints.indices
            return Self.add(thinnedPoints, isRing ? range.dropLast() : range, closed: isRing, to: &path)
        }
        project(part, near: isDashed ? nil : box)
        for run in 0..<runs.count {
            let range = runs.range(run)
            let position = position(of: runs.points, range, in: box)
            let isClosed = isRing && runs.points[range.lowerBound] == runs.points[range.upperBound - 1]
            if isClosed, position == .inside || isDashed {
                addRing(runs.points, range, to: &path)
                continue
            }
            if isDashed {
                // The stroker clips dashed lines itself, and keeps their dashes at fixed ground positions.
                simplified.simplify(runs.points, range, tolerance: tolerance)
                addSimplifiedLine(to: &path)
                continue
            }
            guard position != .outside else { continue }
            if position == .inside {
                let first = runs.points[range.lowerBound]
                guard range.contains(where: { runs.points[$0] != first }) else { continue }
                simplified.simplify(runs.points, range, tolerance: tolerance)
                addSimplifiedLine(to: &path)
                if !isRing, runs.count == 1 { keep(part) }
                continue
            }
            pieces.removeAll()
            LineClipper.clip(runs.points, range, to: box, into: &pieces)
            if isClosed { pieces.joinEnds(at: runs.points[range.lowerBound]) }
            for piece in 0..<pieces.count {
                simplified.simplify(pieces.points, pieces.range(piece), tolerance: tolerance)
                addSimplifiedLine(to: &path)
            }
        }
    }

    /// Adds the visible dashes of a line, or of a ring's border, to a path.
    mutating func addDashes(_ part: Int, isRing: Bool, _ dashes: inout DashedLines, to path: inout Path) {
        let cuts = columns.cuts(in: columns.range(ofPart: part)).compactMap { point(Int($0)) }
        project(part, near: nil)
        var rest = cuts[...]
        for run in 0..<runs.count {
            let range = runs.range(run)
            var points = Array(runs.points[range]), found: [Int] = []
            for (index, point) in points.enumerated() where point == rest.first {
                found.append(index)
                rest.removeFirst()
            }
            let isClosed = isRing && points.count > 2 && points.first == points.last
            if isClosed {
                points.removeLast()
                // The end of a ring is its start.
                if found.last == points.count {
                    found.removeLast()
                    if found.first != 0 { found.insert(0, at: 0) }
                }
            }
            dashes.add(points, cuts: found, isClosed: isClosed, to: &path)
        }
    }

    /// Returns the part of a ring within a box as a simplified closed ring, empty if it is outside.
    mutating func ring(
        _ part: Int, in box: Rectangle, tolerance: Double
    ) -> [Point] {
        project(part, near: box)
        clipped.clip(runs.points, 0..<runs.points.count, to: box)
        simplified.simplifyRing(clipped.points, clipped.points.indices, tolerance: tolerance)
        return simplified.points
    }

    /// Adds a simplified closed ring.
    private mutating func addRing(_ points: [Point], _ range: Range<Int>, to path: inout Path) {
        simplified.simplifyRing(points, range, tolerance: tolerance)
        guard simplified.points.count > 1 else { return addTinyRing(points, range, to: &path) }
        Self.add(simplified.points, 0..<(simplified.points.count - 1), closed: true, to: &path)
    }

    /// Keeps the points of a part inside the picture for other layers.
    private mutating func keep(_ part: Int) {
        if simplified.points.count > 1 { traced?.keep(simplified.points, ofPart: part, within: bounds) }
    }

    /// Adds points as one line or ring.
    private static func add(_ points: [Point], _ range: Range<Int>, closed: Bool, to path: inout Path) {
        let points = points.span
        for index in range {
            if index == range.lowerBound { path.move(to: points[index]) } else { path.line(to: points[index]) }
        }
        if closed { path.close() }
    }

    /// Adds a few corners of a ring that simplification would remove: an island keeps its border and its share of a
    /// pixel.
    private func addTinyRing(_ points: [Point], _ range: Range<Int>, to path: inout Path) {
        let step = max((range.count - 1) / 8, 1)
        var isFirst = true
        for index in stride(from: range.lowerBound, to: range.upperBound - 1, by: step) {
            guard points[index].x.isFinite, points[index].y.isFinite else { continue }
            if isFirst { path.move(to: points[index]) } else { path.line(to: points[index]) }
            isFirst = false
        }
        if !isFirst { path.close() }
    }

    private func addSimplifiedLine(to path: inout Path) {
        Self.add(simplified.points, simplified.points.indices, closed: false, to: &path)
    }

    private enum Position { case inside, outside, across }

    /// Whether all points are inside a box, or all beyond one of its sides.
    private mutating func position(of points: [Point], _ range: Range<Int>, in box: Rectangle) -> Position {
        guard !range.isEmpty else { return .outside }
        var minX = Double.infinity, minY = Double.infinity, maxX = -Double.infinity, maxY = -Double.infinity
        let points = points.span
        for index in range {
            let point = points[index]
            guard point.x.isFinite, point.y.isFinite else { return .across }
            minX = min(minX, point.x)
            minY = min(minY, point.y)
            maxX = max(maxX, point.x)
            maxY = max(maxY, point.y)
        }
        bounds = Rectangle(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
        if maxX < box.minX || minX > box.maxX || maxY < box.minY || minY > box.maxY { return .outside }
        return minX >= box.minX && maxX <= box.maxX && minY >= box.minY && maxY <= box.maxY ? .inside : .across
    }
}

extension ShapeTracer {
    /// The number of coordinates from which a line is converted in pieces to limit memory.
    static let longCount = 1 << 14

    /// Adds the visible part of a long line to a path, with the same result as for a short one.
    mutating func addLongLine(_ part: Int, in box: Rectangle, to path: inout Path) {
        guard let projected else { return }
        let isStraight =
            projection.transform.isIdentity || projection.isStraight(bend: Double(projected.bends[part]))
        var line = StreamedLine(tolerance: tolerance), last: Int?
        runs.removeAll()
        func add(_ index: Int) {
            self.add(index, after: &last, projected, isStraight: isStraight)
            if runs.points.count >= Self.longCount { addPiece(of: &line, in: box, to: &path) }
        }
        let range = columns.range(ofPart: part)
        if let extent = projection.extent(of: box) {
            EssentialCoordinates.forEach(of: columns.x, columns.y, in: range, within: extent, add)
        } else {
            range.forEach(add)
        }
        addPiece(of: &line, in: box, to: &path)
        line.end(to: &path)
    }

    /// Adds the part of the received points within a box, and keeps the last point for the next piece.
    private mutating func addPiece(of line: inout StreamedLine, in box: Rectangle, to path: inout Path) {
        for run in 0...runs.count {
            let range = run < runs.count ? runs.range(run) : runs.openStart..<runs.points.count
            pieces.removeAll()
            LineClipper.clip(runs.points, range, to: box, into: &pieces)
            for piece in 0..<pieces.count {
                let points = pieces.points[pieces.range(piece)]
                if points.first != line.last { line.end(to: &path) }
                for point in line.last == nil ? points : points.dropFirst() { line.add(point, to: &path) }
            }
            if run < runs.count { line.end(to: &path) }
        }
        let open = runs.points.count > runs.openStart ? runs.points.last : nil
        runs.removeAll()
        if let open { runs.points.append(open) }
    }
}

extension ShapeTracer {
    /// Converts a part to ``thinnedPoints`` if its thinned points are known and all of it is inside a box.
    ///
    /// - Complexity: O(remaining points), the first time O(coordinates of the part).
    mutating func thin(_ part: Int, isRing: Bool, in box: Rectangle) -> Bool {
        let tolerance = tolerance
        guard takeThinned(), let projected,
            projection.isStraight(bend: Double(projected.bends[part])),
            let found = thinned?.part(
                part, of: projected, isRing: isRing, tolerance: tolerance, longSide: PixelProjection.longSide,
                &simplified, &thinnedPoints),
            let indices = thinned?.indices
        else { return false }
        // Whatever the rotation, all points are between the corners of their box.
        let a = projection.pixel(x: found.minX, y: found.minY), b = projection.pixel(x: found.maxX, y: found.minY)
        let c = projection.pixel(x: found.maxX, y: found.maxY), d = projection.pixel(x: found.minX, y: found.maxY)
        let bounds = Rectangle(
            minX: min(min(a.x, b.x), min(c.x, d.x)), minY: min(min(a.y, b.y), min(c.y, d.y)),
            maxX: max(max(a.x, b.x), max(c.x, d.x)),
            maxY: max(max(a.y, b.y), max(c.y, d.y)))
        guard box.encloses(bounds) else { return false }
        thinnedPoints.removeAll(keepingCapacity: true)
        let eastings = projected.x, northings = projected.y
        let xs = eastings.span, ys = northings.span
        for place in found.range {
            let index = Int(indices[place])
            thinnedPoints.append(projection.pixel(x: xs[index], y: ys[index]))
        }
        traced?.keep(thinnedPoints, ofPart: part, within: bounds)
        return true
    }

    /// Takes the thinned parts of the block for the map scale, and returns whether to use them.
    private mutating func takeThinned() -> Bool {
        guard isThinning, let shapes = projected?.thinned else { return false }
        if thinned == nil {
            thinned = shapes.take(scale: projection.unitsPerPixel, partCount: columns.partEnds.count)
        }
        return true
    }

    /// Returns the thinned parts of the block to other pictures.
    mutating func giveBackThinned() {
        if let parts = thinned.take() { projected?.thinned?.giveBack(parts) }
    }
}
