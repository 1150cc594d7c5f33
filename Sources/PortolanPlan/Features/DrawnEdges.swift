import PortolanGeo

/// How far the edges of lines and areas reach in another system, where they may bend, or lead beyond what it can show.
struct DrawnEdges {
    private let transform: CoordinateTransform
    /// Whether an edge that is straight here is straight there.
    private let staysStraight: Bool
    /// The longest edge that is taken for straight, in units of the system that the edges are in.
    private let longest: Double

    init(_ transform: CoordinateTransform, from source: CRS, to target: CRS) {
        self.transform = transform
        // Where the world repeats, meridians and parallels are straight.
        staysStraight = transform.isIdentity || (source.isGeographic && target.worldWidth != nil)
        longest = source.isGeographic ? 1 : 1e5 / source.metersPerUnit
    }

    /// The most pieces of an edge.
    private static let limit = 512.0

    /// The box around a line or a ring, or `nil` where nothing of it can be shown.
    ///
    /// - Complexity: O(vertices), and for long edges that bend O(length).
    func boundingBox(of places: ArraySlice<Coordinate>) -> BoundingBox? {
        var box: BoundingBox?
        func add(_ place: Coordinate?) {
            guard let place, let own = BoundingBox(place) else { return }
            box = box?.union(own) ?? own
        }
        var last: (place: Coordinate, moved: Coordinate?)?
        for place in places {
            let moved = transform(place)
            add(moved)
            if let last, !staysStraight || moved == nil || last.moved == nil {
                addInside(from: last.place, to: place, add)
            }
            last = (place, moved)
        }
        return box
    }

    /// Adds places along an edge, and near where it leaves what can be shown the last one that can.
    private func addInside(from start: Coordinate, to end: Coordinate, _ add: (Coordinate?) -> Void) {
        let length = max(abs(end.x - start.x), abs(end.y - start.y))
        guard length.isFinite, length > 0 else { return }
        func place(_ part: Double) -> Coordinate {
            Coordinate(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
        }
        let count = min((length / longest).rounded(.up), Self.limit)
        var before = (part: 0.0, isShown: transform(start) != nil)
        for number in stride(from: 1, through: count, by: 1) {
            let part = number / count, moved = transform(place(part))
            add(moved)
            if before.isShown != (moved != nil) {
                var (shown, hidden) = before.isShown ? (before.part, part) : (part, before.part)
                for _ in 0..<40 {
                    let middle = (shown + hidden) / 2
                    if transform(place(middle)) == nil { hidden = middle } else { shown = middle }
                }
                add(transform(place(shown)))
            }
            before = (part, moved != nil)
        }
    }
}
