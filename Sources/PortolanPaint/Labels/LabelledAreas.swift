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

    /// The share of a name's width that may be on another area.
    private static let freeShare = 0.15
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

    /// Returns whether the middle of a name's box is on the area of another feature.
    ///
    /// - Complexity: O(*n*) in the areas near the name, and in the points of those that its box meets.
    func carry(_ name: Rectangle, besides feature: Int32) -> Bool {
        let middle = name.center.y, row = Self.cells(middle, middle).lowerBound
        return Self.cells(name.minX, name.maxX).contains { column in
            cells[Cell(column: column, row: row), default: []].contains { number in
                let area = areas[number]
                guard area.feature != feature, area.box.overlaps(name) else { return false }
                let width = MiddlePoint.spans(of: area.rings, at: middle).reduce(0) { sum, span in
                    sum + max(0, min(span.high, name.maxX) - max(span.low, name.minX))
                }
                return width > name.width * Self.freeShare
            }
        }
    }

    /// The cells from one ordinate to another.
    private static func cells(_ low: Double, _ high: Double) -> ClosedRange<Int> {
        func cell(_ ordinate: Double) -> Int { Int((min(max(ordinate, -1e6), 1e6) / cellSize).rounded(.down)) }
        return cell(low)...max(cell(low), cell(high))
    }
}
