import PortolanRaster

/// The occupied boxes in a grid, so that only near ones are compared.
struct OccupiedGrid {
    private static let cellSize = 48.0

    private struct TakenBox {
        let box: Rectangle
        let place: Point?
        let priority: Double
        let layer: Int
        let isText: Bool
    }

    /// What a box is compared with.
    enum Content {
        case all, marks, texts
    }

    private let area: Rectangle
    private let columns: Int
    private let rows: Int
    /// The last card of each cell, or -1.
    private var lastCards: [Int32]
    /// The entry of a card, and the previous card of its cell, or -1.
    private var cards: [(entry: Int32, previous: Int32)] = []
    private var entries: [TakenBox] = []

    init(_ area: Rectangle) {
        self.area = area
        columns = max(1, Int((area.width / Self.cellSize).rounded(.up)))
        rows = max(1, Int((area.height / Self.cellSize).rounded(.up)))
        lastCards = Array(repeating: -1, count: columns * rows)
    }

    /// Occupies a box.
    ///
    /// A box that is not finite or outside the area is ignored.
    ///
    /// - Parameters:
    ///   - priority: labels of a higher one may be placed over the box.
    ///   - layer: labels of this layer and those above may be placed over the box.
    mutating func insert(
        _ box: Rectangle, place: Point? = nil, priority: Double = .infinity, layer: Int = .max, isText: Bool = false
    ) {
        guard box.overlaps(area) else { return }
        let across = columns(of: box), down = rows(of: box)
        for row in down {
            for column in across {
                let cell = row * columns + column
                cards.append((Int32(entries.count), lastCards[cell]))
                lastCards[cell] = Int32(cards.count - 1)
            }
        }
        entries.append(TakenBox(box: box, place: place, priority: priority, layer: layer, isText: isText))
    }

    /// Returns whether a box is free for a label of a layer, ignoring the mark at `ownPlace` and boxes with a priority
    /// below `priority`.
    ///
    /// - Parameters:
    ///   - heap: marks inside this box are ignored.
    ///   - content: what is not ignored.
    func isFree(
        _ box: Rectangle, besides ownPlace: Point?, within heap: Rectangle? = nil, above priority: Double = -.infinity,
        layer: Int = 0, among content: Content = .all
    ) -> Bool {
        let across = columns(of: box), down = rows(of: box)
        for row in down {
            for column in across {
                var card = lastCards[row * columns + column]
                while card >= 0 {
                    let (index, previous) = cards[Int(card)]
                    card = previous
                    let entry = entries[Int(index)]
                    guard entry.priority >= priority, entry.layer > layer, entry.box.overlaps(box) else { continue }
                    if let place = entry.place {
                        if place == ownPlace || heap?.encloses(entry.box) ?? false { continue }
                        if content == .texts { continue }
                    } else if content == .marks || (content == .texts && !entry.isText) {
                        continue
                    }
                    return false
                }
            }
        }
        return true
    }

    /// The largest number of boxes that are compared with a mark, and the largest number of marks of a cluster.
    private static let comparedLimit = 2048, clusterLimit = 64

    /// Returns the union of a mark and those that look like one with it: their middles are closer to its middle than a
    /// third of the side of the smaller one.
    func heap(of mark: Rectangle) -> Rectangle {
        var heap = mark
        forEachMark(touching: mark) { other in
            let reach = min(mark.width, mark.height, other.width, other.height) / 3
            let x = other.center.x - mark.center.x, y = other.center.y - mark.center.y
            if max(abs(x), abs(y)) < reach { heap = heap.union(other) }
        }
        return heap
    }

    /// Returns the box of a mark and all that touch it or each other, the nearest ones if these are too many.
    ///
    /// - Parameter isTight: whether only those count that touch the inner part of another one.
    func cluster(of mark: Rectangle, isTight: Bool) -> (box: Rectangle, isComplete: Bool) {
        var cluster: [Rectangle] = [mark], known: Set<Rectangle> = [mark], next = 0, box = mark
        while next < cluster.count {
            let part = isTight ? cluster[next].core : cluster[next]
            for other in marks(touching: part) where known.insert(other).inserted {
                cluster.append(other)
                box = box.union(other)
                guard cluster.count <= Self.clusterLimit else { return (box, false) }
            }
            next += 1
        }
        return (box, true)
    }

    /// The marks that overlap a box.
    func marks(touching box: Rectangle) -> [Rectangle] {
        var found: [Rectangle] = []
        forEachMark(touching: box) { found.append($0) }
        return found
    }

    private func forEachMark(touching box: Rectangle, _ body: (Rectangle) -> Void) {
        var compared = 0
        for row in rows(of: box) {
            for column in columns(of: box) {
                var card = lastCards[row * columns + column]
                while card >= 0, compared < Self.comparedLimit {
                    let (index, previous) = cards[Int(card)]
                    card = previous
                    compared += 1
                    let entry = entries[Int(index)]
                    if entry.place != nil, entry.box.overlaps(box) { body(entry.box) }
                }
            }
        }
    }

    private func columns(of box: Rectangle) -> ClosedRange<Int> { Self.cells(box.minX, box.maxX, columns) }

    private func rows(of box: Rectangle) -> ClosedRange<Int> { Self.cells(box.minY, box.maxY, rows) }

    /// The cells from one ordinate to another, clamped to the grid.
    private static func cells(_ low: Double, _ high: Double, _ count: Int) -> ClosedRange<Int> {
        let last = Double(count - 1)
        let first = Int(min(max((low / cellSize).rounded(.down), 0), last))
        return first...max(first, Int(min(max((high / cellSize).rounded(.down), 0), last)))
    }
}

/// The placed texts and their positions, in a grid so that only near ones are compared.
struct PlacedTexts {
    private struct Key: Hashable {
        let text: String
        let column: Double
        let row: Double
    }

    /// The search radius in cells, each as wide as the default distance.
    private static let reachLimit = 8.0

    private let distance: Double
    private var places: [Key: [Point]] = [:]

    init(distance: Double) { self.distance = distance }

    /// Adds a text at a point.
    mutating func insert(_ text: String, at point: Point) {
        guard distance > 0 else { return }
        places[key(text, point), default: []].append(point)
    }

    /// Returns whether the text is nearer than the default distance, or than another one.
    ///
    /// The cost grows with the square of the distance.
    func contains(_ text: String, near point: Point, within wanted: Double? = nil) -> Bool {
        let wanted = wanted ?? distance
        guard distance > 0, wanted > 0, !places.isEmpty else { return false }
        let cells = Int(min((wanted / distance).rounded(.up), Self.reachLimit))
        for row in -cells...cells {
            for column in -cells...cells {
                let neighbour = Point(
                    x: point.x + Double(column) * distance, y: point.y + Double(row) * distance)
                let found = places[key(text, neighbour)] ?? []
                let isNear = found.contains { other in
                    let dx = other.x - point.x, dy = other.y - point.y
                    return dx * dx + dy * dy < wanted * wanted
                }
                if isNear { return true }
            }
        }
        return false
    }

    private func key(_ text: String, _ point: Point) -> Key {
        Key(text: text, column: (point.x / distance).rounded(.down), row: (point.y / distance).rounded(.down))
    }
}
