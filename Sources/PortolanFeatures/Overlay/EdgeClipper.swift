import PortolanGeo

/// Finds the parts of lines inside an area.
struct EdgeClipper {
    private let area: ClipArea
    private let edges: [(from: Coordinate, to: Coordinate)]
    private let index: SpatialIndex

    init(_ area: ClipArea) {
        self.area = area
        edges = area.rings.flatMap { ring in zip(ring, ring.dropFirst() + ring.prefix(1)).map { ($0, $1) } }
        index = SpatialIndex(edges.map { BoundingBox([$0.from, $0.to]) })
    }

    /// Returns the parts of a line inside the area or along its border, each of at least two coordinates.
    func pieces(of line: ArraySlice<Coordinate>) -> [[Coordinate]] {
        var pieces: [[Coordinate]] = [], piece: [Coordinate] = []
        /// Whether the line is inside, as long as it meets no edge.
        var state: Bool?
        func end() {
            if piece.count > 1 { pieces.append(piece) }
            piece = []
        }
        for (from, to) in zip(line, line.dropFirst()) where from != to {
            let stops = stops(from, to)
            if stops.isEmpty, let state {
                if state { piece.append(to) }
                continue
            }
            var last = from
            for (number, stop) in (stops + [to]).enumerated() where stop != last {
                let middle = Coordinate(x: (last.x + stop.x) / 2, y: (last.y + stop.y) / 2)
                let isInside = area.contains(middle)
                if isInside {
                    if piece.last != last {
                        end()
                        piece = [last]
                    }
                    piece.append(stop)
                } else {
                    end()
                }
                // The end of a segment may be on the border.
                state = number == stops.count && stops.last != to ? isInside : nil
                last = stop
            }
            if stops.last == to { state = nil }
        }
        end()
        return pieces
    }

    /// Returns the positions of a segment at which it meets edges, in order.
    private func stops(_ from: Coordinate, _ to: Coordinate) -> [Coordinate] {
        guard let box = BoundingBox([from, to]) else { return [] }
        let (dx, dy) = (to.x - from.x, to.y - from.y), square = dx * dx + dy * dy
        var stops: [(share: Double, place: Coordinate)] = []
        for number in index.items(touching: box) {
            let edge = edges[number], (ex, ey) = (edge.to.x - edge.from.x, edge.to.y - edge.from.y)
            let (ox, oy) = (edge.from.x - from.x, edge.from.y - from.y)
            let turn = dx * ey - dy * ex
            if turn != 0 {
                let share = (ox * ey - oy * ex) / turn, along = (ox * dy - oy * dx) / turn
                guard (0...1).contains(share), (0...1).contains(along) else { continue }
                var place = Coordinate(x: from.x + dx * share, y: from.y + dy * share)
                // Crossings with vertical and horizontal edges are on them exactly, and vertices stay as they are.
                if share == 0 { place = from } else if share == 1 { place = to }
                if ex == 0 { place.x = edge.from.x }
                if ey == 0 { place.y = edge.from.y }
                stops.append((share, place))
            } else if ox * dy - oy * dx == 0 {
                for end in [edge.from, edge.to] {
                    let share = ((end.x - from.x) * dx + (end.y - from.y) * dy) / square
                    if (0...1).contains(share) { stops.append((share, end)) }
                }
            }
        }
        return stops.sorted { $0.share < $1.share }.map(\.place)
    }
}
