import PortolanRaster

/// The labelled areas of a layer in the picture, in small cells, each of which belongs to the upper of its areas.
///
/// They decide whether the name of an area would be taken for that of another one.
struct LabelledAreas {
    /// The side of a cell in view pixels, and the largest number of cells.
    private static let cellSide = 2.0, cellLimit = 1 << 20

    private let frame: Rectangle
    private let side: Double
    private let columns: Int
    private let rows: Int
    /// The feature of each cell, or -1; empty without areas.
    private var owners: [Int32] = []
    /// The number of cells of each feature.
    private var cellCounts: [Int32: Int] = [:]
    /// The boxes under which areas are not visible.
    private var hidden: [Rectangle] = []
    /// The features with a name in the picture.
    private(set) var named: Set<Int32> = []
    /// Those of them whose names are beside them.
    private var namedBeside: Set<Int32> = []

    /// Creates the areas in a frame of the picture.
    init(in frame: Rectangle, pixelRatio: Double) {
        self.frame = frame
        let area = max(frame.width, 1) * max(frame.height, 1)
        side = max(Self.cellSide * pixelRatio, (area / Double(Self.cellLimit)).squareRoot())
        columns = max(1, Int((frame.width / side).rounded(.up)))
        rows = max(1, Int((frame.height / side).rounded(.up)))
    }

    /// The memory of the cells in bytes.
    var byteCount: Int { columns * rows * MemoryLayout<Int32>.stride }
    /// Whether no area was added.
    var isEmpty: Bool { owners.isEmpty }

    /// Adds an area of a feature with the rings that bound it by the even-odd rule, in picture pixels.
    ///
    /// - Complexity: O(*n* log *n*) in the cells along its borders.
    mutating func insert(_ rings: [[Point]], of feature: Int32) {
        if owners.isEmpty { owners = Array(repeating: -1, count: columns * rows) }
        var crossings: [(row: Int, x: Double)] = []
        for ring in rings {
            guard var last = ring.last else { continue }
            for point in ring {
                let low = min(last.y, point.y), high = max(last.y, point.y)
                // The rows whose middles are between both ends.
                let first = max(0, row(low)), end = min(rows, row(high))
                if first < end {
                    let slope = (point.x - last.x) / (point.y - last.y)
                    for row in first..<end {
                        let y = frame.minY + (Double(row) + 0.5) * side
                        crossings.append((row, last.x + (y - last.y) * slope))
                    }
                }
                last = point
            }
        }
        crossings.sort { ($0.row, $0.x) < ($1.row, $1.x) }
        var index = 0
        while index + 1 < crossings.count {
            let (one, other) = (crossings[index], crossings[index + 1])
            guard one.row == other.row else {
                index += 1
                continue
            }
            fill(one.row, from: one.x, to: other.x, with: feature)
            index += 2
        }
    }

    private mutating func fill(_ row: Int, from low: Double, to high: Double, with feature: Int32) {
        let first = max(0, column(low)), end = min(columns, column(high))
        guard first < end else { return }
        for cell in (row * columns + first)..<(row * columns + end) where owners[cell] != feature {
            if owners[cell] >= 0 { cellCounts[owners[cell], default: 0] -= 1 }
            owners[cell] = feature
            cellCounts[feature, default: 0] += 1
        }
    }

    /// The first row and the first column whose middles are at or beyond an ordinate.
    private func row(_ y: Double) -> Int { Self.number((y - frame.minY) / side, rows) }
    private func column(_ x: Double) -> Int { Self.number((x - frame.minX) / side, columns) }

    private static func number(_ place: Double, _ count: Int) -> Int {
        place.isNaN ? -1 : Int(min(max((place - 0.5).rounded(.up), -1), Double(count)))
    }

    /// Removes what is not visible under boxes.
    mutating func hide(under boxes: [Rectangle]) {
        guard !owners.isEmpty else { return }
        hidden += boxes
        for box in boxes {
            let across = columnRange(box)
            for row in rowRange(box) {
                for cell in across.map({ row * columns + $0 }) where owners[cell] >= 0 {
                    cellCounts[owners[cell], default: 0] -= 1
                    owners[cell] = -1
                }
            }
        }
    }

    /// Returns whether a point is visible.
    func isVisible(_ point: Point) -> Bool { !hidden.contains { $0.contains(point) } }

    /// Notes that a feature has its name in the picture.
    ///
    /// - Parameter lines: the boxes of the lines of the name.
    mutating func noteName(of feature: Int32, _ lines: [Rectangle]) {
        named.insert(feature)
        var own = 0, all = 0
        for line in lines { all += forEachOwner(in: line) { if $0 == feature { own += 1 } } }
        if Double(own) < Self.besideShare * Double(all) { namedBeside.insert(feature) }
    }

    /// The share of a name on its area below which it is beside it.
    private static let besideShare = 0.5

    /// Returns the feature at a point, or `nil` on none.
    func feature(at point: Point) -> Int32? {
        let x = (point.x - frame.minX) / side, y = (point.y - frame.minY) / side
        guard !owners.isEmpty, x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { return nil }
        let owner = owners[Int(y) * columns + Int(x)]
        return owner < 0 ? nil : owner
    }

    /// Returns the visible size of a feature in square pixels.
    func size(of feature: Int32) -> Double { Double(cellCounts[feature] ?? 0) * side * side }

    /// The areas at a few points of a name.
    struct Sample {
        /// The shares of the points on the own area, on others, and on others without a name in the picture.
        var own = 0.0, foreign = 0.0, unnamed = 0.0
        /// Whether the points are on several other areas.
        var isMixed = false
    }

    /// Returns the areas at a few points of a box, to exclude most positions early.
    func sample(_ box: Rectangle, of feature: Int32) -> Sample {
        var sample = Sample()
        var last: Int32?
        let share = 1 / Double(Self.sampleAcross.count * Self.sampleDown.count)
        for y in Self.sampleDown {
            for x in Self.sampleAcross {
                let point = Point(x: box.minX + x * box.width, y: box.minY + y * box.height)
                guard let owner = self.feature(at: point) else { continue }
                if owner == feature {
                    sample.own += share
                } else {
                    sample.foreign += share
                    if !named.contains(owner) { sample.unnamed += share }
                    if let last, last != owner { sample.isMixed = true }
                    last = owner
                }
            }
        }
        return sample
    }

    private static let sampleAcross = [0.1, 0.3, 0.5, 0.7, 0.9], sampleDown = [0.25, 0.5, 0.75]

    /// Returns how the lines of a name lie on its own and other areas.
    ///
    /// - Parameter reach: the distance within which areas are near the name.
    /// - Complexity: O(cells within reach).
    func footprint(of lines: [Rectangle], of feature: Int32, reach: Double) -> AreaFootprint {
        var footprint = AreaFootprint(feature)
        guard !owners.isEmpty, let first = lines.first else { return footprint }
        var cells = 0
        for line in lines {
            cells += forEachOwner(in: line) { footprint.noteCell($0) }
            footprint.crossed = max(footprint.crossed, crossedShare(of: line, besides: feature))
        }
        let near = lines.reduce(first) { $0.union($1) }.grown(by: reach)
        let across = columnRange(near), down = rowRange(near)
        var seen: [Int32] = []
        for column in across {
            seen.removeAll(keepingCapacity: true)
            for row in down {
                let owner = owners[row * columns + column]
                if owner >= 0, !seen.contains(owner) { seen.append(owner) }
            }
            for owner in seen { footprint.noteColumn(owner) }
        }
        footprint.finish(cells: cells, columns: across.count, named: named, beside: namedBeside) {
            cellCounts[$0] ?? 0
        }
        return footprint
    }

    /// Returns the largest share of the middle of a line of text on another area that is not at one of its ends.
    private func crossedShare(of line: Rectangle, besides feature: Int32) -> Double {
        let across = columnRange(line), row = self.row((line.minY + line.maxY) / 2)
        guard !across.isEmpty, row >= 0, row < rows else { return 0 }
        var longest = 0, start = across.lowerBound
        for column in across where column > start {
            let owner = owners[row * columns + start]
            guard owners[row * columns + column] != owner else { continue }
            if owner >= 0, owner != feature, start > across.lowerBound { longest = max(longest, column - start) }
            start = column
        }
        return Double(longest) / Double(across.count)
    }

    /// Calls a function with the feature of each cell of a box that has one, and returns the number of cells.
    private func forEachOwner(in box: Rectangle, _ body: (Int32) -> Void) -> Int {
        let across = columnRange(box), down = rowRange(box)
        for row in down {
            for column in across {
                let owner = owners[row * columns + column]
                if owner >= 0 { body(owner) }
            }
        }
        return across.count * down.count
    }

    private func columnRange(_ box: Rectangle) -> Range<Int> {
        let first = max(0, column(box.minX))
        return first..<max(first, min(columns, column(box.maxX)))
    }

    private func rowRange(_ box: Rectangle) -> Range<Int> {
        let first = max(0, row(box.minY))
        return first..<max(first, min(rows, row(box.maxY)))
    }

    /// Returns the distance from a point in a direction at which a feature ends, or `nil` if that is beyond a limit.
    func exit(from point: Point, in direction: Point, of feature: Int32, limit: Double) -> Double? {
        var distance = 0.0
        while distance <= limit {
            let place = Point(x: point.x + distance * direction.x, y: point.y + distance * direction.y)
            if self.feature(at: place) != feature { return distance }
            distance += side / 2
        }
        return nil
    }

    /// Returns the lengths of a line on the areas of features.
    func lengths(from start: Point, to end: Point) -> [Int32: Double] {
        let length = MeasuredLine.distance(start, end)
        let count = Int(min((2 * length / side).rounded(.up), 10_000))
        var found: [Int32: Double] = [:]
        for number in 0..<count {
            let share = (Double(number) + 0.5) / Double(count)
            let place = Point(x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
            if let owner = feature(at: place) { found[owner, default: 0] += length / Double(count) }
        }
        return found
    }
}
