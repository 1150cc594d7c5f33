import PortolanRaster

/// The boxes that are taken, filed by the cells of a grid so that only near ones are compared.
struct OccupiedGrid {
    private static let cellSize = 48.0

    private struct TakenBox {
        let box: Rectangle
        let place: Point?
    }

    private let area: Rectangle
    private let columns: Int
    private let rows: Int
    /// The number of the last file card of each cell, or -1.
    private var lastCards: [Int32]
    /// Which entry a card is of, and the number of the card before it in its cell, or -1.
    private var cards: [(entry: Int32, previous: Int32)] = []
    private var entries: [TakenBox] = []

    init(_ area: Rectangle) {
        self.area = area
        columns = max(1, Int((area.width / Self.cellSize).rounded(.up)))
        rows = max(1, Int((area.height / Self.cellSize).rounded(.up)))
        lastCards = Array(repeating: -1, count: columns * rows)
    }

    /// Takes a box; one that is not finite or outside the area makes no difference.
    mutating func insert(_ box: Rectangle, place: Point? = nil) {
        guard box.overlaps(area) else { return }
        let across = columns(of: box), down = rows(of: box)
        for row in down {
            for column in across {
                let cell = row * columns + column
                cards.append((Int32(entries.count), lastCards[cell]))
                lastCards[cell] = Int32(cards.count - 1)
            }
        }
        entries.append(TakenBox(box: box, place: place))
    }

    /// Whether nothing is taken in a box, leaving aside what marks `ownPlace`.
    func isFree(_ box: Rectangle, besides ownPlace: Point?) -> Bool {
        let across = columns(of: box), down = rows(of: box)
        for row in down {
            for column in across {
                var card = lastCards[row * columns + column]
                while card >= 0 {
                    let (index, previous) = cards[Int(card)]
                    card = previous
                    guard entries[Int(index)].box.overlaps(box) else { continue }
                    if let place = entries[Int(index)].place, place == ownPlace { continue }
                    return false
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
