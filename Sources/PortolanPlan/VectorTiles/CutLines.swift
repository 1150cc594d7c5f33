import PortolanGeo
import PortolanVectorTiles

/// The lines that tile borders cut.
struct CutLines {
    /// A feature with parts that were cut.
    private struct Item {
        let place: Int
        let lines: Range<Int>
    }

    private var items: [Item] = []
    private var lines: [[Coordinate]] = []
    /// The item of each line.
    private var owners: [Int] = []
    private var ends: [VectorTileEnd] = []
    private var groups: [VectorTileGroup: Int] = [:]
    /// The first item of each group whose features have an identifier.
    private var firsts: [Int: Int] = [:]
    private var sets = JoinedSets()

    /// Adds the parts of a feature within a square.
    mutating func add(
        _ geometry: VectorTileGeometry, _ feature: Int, _ frame: VectorTileFrame, _ place: Int, _ key: VectorTileGroup
    ) {
        let first = lines.count, group = groups[key, default: groups.count]
        groups[key] = group
        var points: [Coordinate] = []
        for part in geometry.parts(of: feature) {
            points.removeAll(keepingCapacity: true)
            for index in geometry.vertices(of: part) { points.append(frame.point(geometry.vertex(index))) }
            for line in frame.clipped(line: points) { add(line, frame, group) }
        }
        guard first < lines.count else { return }
        sets.add()
        if key.id != nil {
            if let known = firsts[group] { sets.join(known, items.count) } else { firsts[group] = items.count }
        }
        items.append(Item(place: place, lines: first..<lines.count))
    }

    private mutating func add(_ line: [Coordinate], _ frame: VectorTileFrame, _ group: Int) {
        for (point, isStart) in [(line[0], true), (line[line.count - 1], false)] {
            guard let (border, isBefore) = frame.border(at: point) else { continue }
            ends.append(
                VectorTileEnd(
                    border: border, isBefore: isBefore, position: border.isVertical ? point.y : point.x, group: group,
                    line: lines.count, isStart: isStart))
        }
        lines.append(line)
        owners.append(items.count)
    }

    /// Returns the joined features, each at the index of its first part.
    consuming func joined() -> [(place: Int, lines: [VectorTileChain])] {
        let matches = VectorTileMatches(ends, lineCount: lines.count, mayTurn: true)
        for (end, partner) in matches.partners.enumerated() where partner > end {
            sets.join(owners[end / 2], owners[partner / 2])
        }
        var members = [[Int]](repeating: [], count: items.count)
        for item in items.indices { members[sets.root(of: item)] += items[item].lines }
        return members.enumerated().compactMap { item, numbers in
            guard !numbers.isEmpty else { return nil }
            return (items[item].place, matches.chains(numbers, of: lines))
        }
    }
}

extension VectorTileFrame {
    /// Returns the parts of a line within the square.
    ///
    /// - Complexity: O(vertices).
    func clipped(line: [Coordinate]) -> [[Coordinate]] {
        var parts: [[Coordinate]] = [], part: [Coordinate] = []
        func end() {
            if part.count > 1 { parts.append(part) }
            part = []
        }
        for (start, stop) in zip(line, line.dropFirst()) {
            guard let (from, to) = clipped(start, stop), border(along: from, to)?.isBefore != true else {
                end()
                continue
            }
            if part.last != from {
                end()
                part = [from]
            }
            if to != from { part.append(to) }
            if to != stop { end() }
        }
        end()
        return parts
    }

    /// The part of an edge within the square; end points on a border are exact.
    private func clipped(_ start: Coordinate, _ end: Coordinate) -> (Coordinate, Coordinate)? {
        var from = start, to = end
        // Clips at each side in turn.
        func cut(_ isOutside: (Coordinate) -> Bool, _ point: (Coordinate, Coordinate) -> Coordinate) -> Bool {
            switch (isOutside(from), isOutside(to)) {
            case (false, false): return true
            case (true, true): return false
            case (true, false): from = point(from, to)
            case (false, true): to = point(from, to)
            }
            return true
        }
        guard cut({ $0.x < minX }, { $0.crossing($1, x: minX) }), cut({ $0.x > maxX }, { $0.crossing($1, x: maxX) }),
            cut({ $0.y < minY }, { $0.crossing($1, y: minY) }),
            cut({ $0.y > maxY }, { $0.crossing($1, y: maxY) })
        else { return nil }
        return (from, to)
    }
}

extension Coordinate {
    /// Returns the intersection of the edge to another point with a vertical line.
    func crossing(_ other: Coordinate, x: Double) -> Coordinate {
        // The result must not depend on the order of the ends, so that neighbours agree.
        let (low, high) = self.x < other.x ? (self, other) : (other, self)
        return Coordinate(x: x, y: low.y + (high.y - low.y) * ((x - low.x) / (high.x - low.x)))
    }

    /// Returns the intersection of the edge to another point with a horizontal line.
    func crossing(_ other: Coordinate, y: Double) -> Coordinate {
        let (low, high) = self.y < other.y ? (self, other) : (other, self)
        return Coordinate(x: low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y)), y: y)
    }
}
