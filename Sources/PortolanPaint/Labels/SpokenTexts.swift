import PortolanRaster

/// The texts that have been placed and where, filed so that only near ones are compared.
struct SpokenTexts {
    private struct Key: Hashable {
        let text: String
        let column: Double
        let row: Double
    }

    private let distance: Double
    private var places: [Key: [Point]] = [:]

    init(distance: Double) { self.distance = distance }

    /// Notes that a text stands at a point.
    mutating func insert(_ text: String, at point: Point) {
        guard distance > 0 else { return }
        places[key(text, point), default: []].append(point)
    }

    /// Whether the text stands nearer than the distance.
    func contains(_ text: String, near point: Point) -> Bool {
        guard distance > 0, !places.isEmpty else { return false }
        for row in -1...1 {
            for column in -1...1 {
                let neighbour = Point(
                    x: point.x + Double(column) * distance, y: point.y + Double(row) * distance)
                let found = places[key(text, neighbour)] ?? []
                let isNear = found.contains { other in
                    let dx = other.x - point.x, dy = other.y - point.y
                    return dx * dx + dy * dy < distance * distance
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
