import PortolanGeo
import PortolanVectorTiles

/// The areas that tile borders cut.
struct CutAreas {
    /// A joined area: its rings, and its border if that is not all of them.
    struct Area {
        var rings: [VectorTileChain]
        var border: [VectorTileChain]?
    }

    /// A feature with parts that were cut.
    private struct Item {
        let place: Int
        let polygons: Range<Int>
    }

    /// A polygon in a square.
    private struct Polygon {
        let item: Int
        var rings: [[Coordinate]] = []
        /// The rings that no border cuts.
        var wholes: [[Coordinate]] = []
        /// The indexes of its border lines.
        var lines: [Int] = []
        var isCut = false
    }

    /// The stretch along which a polygon meets a border.
    private struct Contact {
        let border: VectorTileBorder
        let isBefore: Bool
        let group: Int
        let low: Double, high: Double
        let polygon: Int
    }

    private var items: [Item] = []
    private var polygons: [Polygon] = []
    private var lines: [[Coordinate]] = []
    /// The polygon of each line.
    private var owners: [Int] = []
    private var ends: [VectorTileEnd] = []
    private var contacts: [Contact] = []
    private var groups: [VectorTileGroup: Int] = [:]
    private var firsts: [Int: Int] = [:]
    private var features = JoinedSets()
    private var areas = JoinedSets()

    /// Adds the polygons of a feature within a square.
    mutating func add(
        _ all: [Range<Int>], _ geometry: VectorTileGeometry, _ frame: VectorTileFrame, _ place: Int,
        _ key: VectorTileGroup
    ) {
        let first = polygons.count, group = groups[key, default: groups.count]
        groups[key] = group
        for rings in all { add(rings, geometry, frame, group) }
        guard first < polygons.count else { return }
        features.add()
        if key.id != nil {
            if let known = firsts[group] { features.join(known, items.count) } else { firsts[group] = items.count }
        }
        items.append(Item(place: place, polygons: first..<polygons.count))
    }

    private mutating func add(
        _ parts: Range<Int>, _ geometry: VectorTileGeometry, _ frame: VectorTileFrame, _ group: Int
    ) {
        let number = polygons.count
        var polygon = Polygon(item: items.count)
        for part in parts {
            var ring = geometry.vertices(of: part).map { frame.point(geometry.vertex($0)) }
            ring = frame.clipped(ring: ring)
            guard ring.count > 2 else {
                // A polygon without its outer ring has no holes.
                if part == parts.lowerBound { return }
                continue
            }
            // The halves of an area must have the same winding, which tiles of version 1 do not ensure.
            if (geometry.doubleArea(of: part) > 0) != (part == parts.lowerBound) { ring.reverse() }
            add(ring, of: number, frame, group, to: &polygon)
            ring.append(ring[0])
            polygon.rings.append(ring)
        }
        guard !polygon.rings.isEmpty else { return }
        areas.add()
        polygons.append(polygon)
    }

    /// Splits an open ring into the lines between its edges along borders.
    private mutating func add(
        _ ring: [Coordinate], of number: Int, _ frame: VectorTileFrame, _ group: Int, to polygon: inout Polygon
    ) {
        let cuts = ring.indices.map { index in
            frame.border(along: ring[index], ring[(index + 1) % ring.count])
        }
        guard let first = cuts.firstIndex(where: { $0 != nil }) else {
            polygon.wholes.append(ring + [ring[0]])
            return
        }
        polygon.isCut = true
        var line: [Coordinate] = [], last = cuts[first]
        for offset in 0...ring.count {
            let index = (first + offset) % ring.count, point = ring[index]
            if !line.isEmpty || cuts[index] == nil { line.append(point) }
            guard let cut = cuts[index] else { continue }
            if line.count > 1, let last {
                for (end, place, isStart) in [(last, line[0], true), (cut, point, false)] {
                    ends.append(
                        VectorTileEnd(
                            border: end.border, isBefore: end.isBefore,
                            position: end.border.isVertical ? place.y : place.x, group: group, line: lines.count,
                            isStart: isStart))
                }
                polygon.lines.append(lines.count)
                lines.append(line)
                owners.append(number)
            }
            line = []
            last = cut
            guard offset < ring.count else { break }
            let next = ring[(index + 1) % ring.count]
            let (from, to) = cut.border.isVertical ? (point.y, next.y) : (point.x, next.x)
            if from != to {
                contacts.append(
                    Contact(
                        border: cut.border, isBefore: cut.isBefore, group: group, low: min(from, to),
                        high: max(from, to), polygon: number))
            }
        }
    }

    /// Returns the joined features, each at the index of its first part.
    consuming func joined() -> [(place: Int, areas: [Area])] {
        let matches = VectorTileMatches(ends, lineCount: lines.count, mayTurn: false)
        for (end, partner) in matches.partners.enumerated() where partner > end {
            areas.join(owners[end / 2], owners[partner / 2])
        }
        joinContacts()
        for number in polygons.indices {
            let root = areas.root(of: number)
            if root != number { features.join(polygons[root].item, polygons[number].item) }
        }
        var members = [[Int]](repeating: [], count: polygons.count), found = [[Int]](repeating: [], count: items.count)
        for number in polygons.indices { members[areas.root(of: number)].append(number) }
        for number in polygons.indices where !members[number].isEmpty {
            found[features.root(of: polygons[number].item)].append(number)
        }
        return found.enumerated().compactMap { item, numbers in
            guard !numbers.isEmpty else { return nil }
            return (items[item].place, numbers.map { area(of: members[$0], matches) })
        }
    }

    /// Joins a number of polygons into one area.
    private func area(of numbers: [Int], _ matches: VectorTileMatches) -> Area {
        let rings = numbers.flatMap { polygons[$0].rings.map { VectorTileChain($0) } }
        guard numbers.contains(where: { polygons[$0].isCut }) else { return Area(rings: rings, border: nil) }
        let wholes = numbers.flatMap { polygons[$0].wholes.map { VectorTileChain($0) } }
        var chains = matches.chains(numbers.flatMap { polygons[$0].lines }, of: lines)
        for index in chains.indices where chains[index].isRing { chains[index].close() }
        if !chains.isEmpty, chains.allSatisfy(\.isRing) {
            // The cuts are removed.
            return Area(rings: chains + wholes, border: nil)
        }
        return Area(rings: rings, border: chains + wholes)
    }

    /// Joins the polygons that share a stretch of a border.
    private mutating func joinContacts() {
        let least = 1.0
        let sorted = contacts.sorted { left, right in
            (left.group, left.border.isVertical ? 1 : 0, left.border.index, left.low)
                < (right.group, right.border.isVertical ? 1 : 0, right.border.index, right.low)
        }
        // The contact that extends farthest on each side.
        var open: (before: Contact?, after: Contact?)
        for contact in sorted {
            if let one = open.before ?? open.after, one.group != contact.group || one.border != contact.border {
                open = (nil, nil)
            }
            if let other = contact.isBefore ? open.after : open.before,
                min(other.high, contact.high) - max(other.low, contact.low) > least
            {
                areas.join(other.polygon, contact.polygon)
            }
            if contact.isBefore {
                if contact.high > open.before?.high ?? -.infinity { open.before = contact }
            } else if contact.high > open.after?.high ?? -.infinity {
                open.after = contact
            }
        }
    }
}

extension VectorTileFrame {
    /// Returns a ring without its last point, clipped to the square (Sutherland and Hodgman).
    ///
    /// - Complexity: O(vertices).
    func clipped(ring: [Coordinate]) -> [Coordinate] {
        var ring = ring
        func cut(_ isOutside: (Coordinate) -> Bool, _ crossing: (Coordinate, Coordinate) -> Coordinate) {
            guard ring.contains(where: isOutside), var last = ring.last else { return }
            var cut: [Coordinate] = []
            var wasOutside = isOutside(last)
            for point in ring {
                let isOut = isOutside(point)
                if isOut != wasOutside { cut.append(crossing(last, point)) }
                if !isOut { cut.append(point) }
                last = point
                wasOutside = isOut
            }
            ring = cut
        }
        cut({ $0.x < minX }, { $0.crossing($1, x: minX) })
        cut({ $0.x > maxX }, { $0.crossing($1, x: maxX) })
        cut({ $0.y < minY }, { $0.crossing($1, y: minY) })
        cut({ $0.y > maxY }, { $0.crossing($1, y: maxY) })
        return ring
    }
}
