import PortolanRaster

/// The boxes that are taken, filed by the cells of a grid so that only near ones are compared.
struct OccupiedGrid {
    private static let cellSize = 48.0

    private struct Entry {
        let box: Rectangle
        let place: Point?
    }

    private let area: Rectangle
    private let columns: Int
    private let rows: Int
    private var cells: [[Int]]
    private var entries: [Entry] = []

    init(_ area: Rectangle) {
        self.area = area
        columns = max(1, Int((area.width / Self.cellSize).rounded(.up)))
        rows = max(1, Int((area.height / Self.cellSize).rounded(.up)))
        cells = Array(repeating: [], count: columns * rows)
    }

    /// Takes a box; one that is not finite or outside the area makes no difference.
    mutating func insert(_ box: Rectangle, place: Point? = nil) {
        guard box.overlaps(area) else { return }
        let across = columns(of: box), down = rows(of: box)
        for row in down {
            for column in across { cells[row * columns + column].append(entries.count) }
        }
        entries.append(Entry(box: box, place: place))
    }

    /// Whether nothing is taken in a box, leaving aside what marks `ownPlace`.
    func isFree(_ box: Rectangle, besides ownPlace: Point?) -> Bool {
        let across = columns(of: box), down = rows(of: box)
        for row in down {
            for column in across {
                for index in cells[row * columns + column] {
                    let entry = entries[index]
                    if let place = entry.place, place == ownPlace { continue }
                    if entry.box.overlaps(box) { return false }
                }
            }
        }
        return true
    }

    private func columns(of box: Rectangle) -> ClosedRange<Int> { Self.cells(box.minX, box.maxX, columns) }

    private func rows(of box: Rectangle) -> ClosedRange<Int> { Self.cells(box.minY, box.maxY, rows) }

    /// The cells from one ordinate to another; what is outside counts as the outermost cell.
    private static func cells(_ low: Double, _ high: Double, _ count: Int) -> ClosedRange<Int> {
        let last = Double(count - 1)
        let first = Int(min(max((low / cellSize).rounded(.down), 0), last))
        return first...max(first, Int(min(max((high / cellSize).rounded(.down), 0), last)))
    }
}
