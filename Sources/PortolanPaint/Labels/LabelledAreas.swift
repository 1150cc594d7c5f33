import PortolanRaster

/// The labelled areas of a layer in the picture, on which the names of other areas do not stand.
///
/// They are kept in a grid, so that only near ones are compared.
struct LabelledAreas {
    private struct Area {
        let feature: Int32
        let box: Rectangle
        let rings: [[Point]]
    }

    private struct Cell: Hashable {
        let column: Int
        let row: Int
    }

    /// The side of a cell in picture pixels.
    private static let cellSize = 64.0

    private var areas: [Area] = []
    private var cells: [Cell: [Int]] = [:]

    /// Adds an area with the rings that bound it, in picture pixels.
    mutating func insert(_ rings: [[Point]], _ box: Rectangle, of feature: Int32) {
        for row in Self.cells(box.minY, box.maxY) {
            for column in Self.cells(box.minX, box.maxX) {
                cells[Cell(column: column, row: row), default: []].append(areas.count)
            }
        }
        areas.append(Area(feature: feature, box: box, rings: rings))
    }

    /// Returns the share of the width of a name's lines, from 0 to 1, that is on areas of other features.
    ///
    /// - Complexity: O(*n*) in the areas near the name, and in the points of those that its boxes meet.
    func share(of lines: [Rectangle], besides feature: Int32) -> Double {
        let width = 2 * lines.reduce(0) { $0 + $1.width }
        guard width > 0 else { return 0 }
        let foreign = lines.reduce(0) { sum, line in
            sum + Self.rows.reduce(0) { $0 + self.width(of: line, at: line.minY + $1 * line.height, besides: feature) }
        }
        return foreign / width
    }

    /// Returns the width of a box that is on areas of other features at a height.
    private func width(of box: Rectangle, at y: Double, besides feature: Int32) -> Double {
        let row = Self.cells(y, y).lowerBound
        var numbers: Set<Int> = []
        for column in Self.cells(box.minX, box.maxX) {
            numbers.formUnion(cells[Cell(column: column, row: row), default: []])
        }
        let width = numbers.sorted().reduce(0) { sum, number in
            let area = areas[number]
            guard area.feature != feature, area.box.overlaps(box) else { return sum }
            return MiddlePoint.spans(of: area.rings, at: y).reduce(sum) { sum, span in
                sum + max(0, min(span.high, box.maxX) - max(span.low, box.minX))
            }
        }
        return min(width, box.width)
    }

    /// Returns the length of a leader line that is on areas of other features.
    func length(of leader: LabelLeader, besides feature: Int32) -> Double {
        let boxes = leader.boxes, step = MeasuredLine.distance(leader.start, leader.end) / Double(max(boxes.count, 1))
        return Double(boxes.count { width(of: $0, at: $0.center.y, besides: feature) > $0.width / 2 }) * step
    }

    /// The heights at which the lines of a name are compared with areas.
    private static let rows = [0.25, 0.75]

    /// The cells from one ordinate to another.
    private static func cells(_ low: Double, _ high: Double) -> ClosedRange<Int> {
        func cell(_ ordinate: Double) -> Int { Int((min(max(ordinate, -1e6), 1e6) / cellSize).rounded(.down)) }
        return cell(low)...max(cell(low), cell(high))
    }
}
