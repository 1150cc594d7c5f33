import PortolanGeo

/// The extent of lines and areas in another CRS, in which edges may be curved or leave the domain.
struct DrawnEdges {
    private let transform: CoordinateTransform
    /// Whether a straight edge remains straight.
    private let staysStraight: Bool
    /// The longest edge that is treated as straight, in units of the source CRS.
    private let longest: Double

    init(_ transform: CoordinateTransform, from source: CRS, to target: CRS) {
        self.transform = transform
        // Meridians and parallels are straight if the world repeats.
        staysStraight = transform.isIdentity || (source.isGeographic && target.worldWidth != nil)
        longest = source.isGeographic ? 1 : 1e5 / source.metersPerUnit
    }

    /// The largest number of pieces of an edge.
    private static let limit = 512.0

    /// The box around a line or a ring, or `nil` if it is completely outside the domain.
    ///
    /// - Complexity: O(vertices), and O(length) for long curved edges.
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

    /// Adds coordinates along an edge.
    ///
    /// Where the edge leaves the domain, the last coordinate inside it is added.
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
