import PortolanGeo
import PortolanRaster

extension AntimeridianCut {
    /// Returns the parts of a polygon, each within one world and moved to the main one.
    ///
    /// Rings are open.
    func pieces(of rings: [[Place]]) -> [[[Place]]] {
        var left = polygons(of: closedOverPole(rings))
        var pieces: [[[Place]]] = []
        let xs = left.joined().joined().map(\.x)
        let seams = xs.min().flatMap { low in xs.max().map { Self.seams(between: low, $0) } } ?? []
        for seam in seams {
            var right: [[[Place]]] = []
            for polygon in left {
                let (west, east) = Self.split(polygon, at: seam)
                pieces += west
                right += east
            }
            left = right
        }
        return (pieces + left).map { polygon in
            let turns = -Self.turns(of: Self.middle(Self.span(polygon[0])))
            return polygon.map { ring in settled(ring.map { $0.moved(turns: turns) }) }
        }
    }

    /// Returns an open ring that keeps its meaning when it is read again.
    private func settled(_ open: [Place]) -> [Place] {
        guard longEdges == .shortNearAntimeridian, open.count > 1 else { return open }
        let closed = open + [open[0]], again = ring(closed)
        if !again.goesRound, again.places == closed { return open }
        return plain(closed) { (180.nextUp..<360).contains(abs($1.x - $0.x)) }.dropLast()
    }

    /// Returns a ring without its closing positions, of which there may be several.
    private static func open(_ ring: [Place]) -> [Place] {
        var ring = ring
        while ring.count > 1, ring.first?.coordinate == ring.last?.coordinate { ring.removeLast() }
        return ring
    }

    /// Returns the range of longitudes of a ring with at least one position.
    static func span(_ ring: [Place]) -> ClosedRange<Double> {
        var low = ring[0].x, high = low
        for place in ring { (low, high) = (min(low, place.x), max(high, place.x)) }
        return low...high
    }

    static func middle(_ span: ClosedRange<Double>) -> Double { (span.lowerBound + span.upperBound) / 2 }

    /// Returns polygons for rings that do not go round the world, without closing positions; the outer ring is first.
    private func polygons(of rings: [[Place]]) -> [[[Place]]] {
        var polygon: [[Place]] = []
        for ring in rings {
            var ring = Self.open(ring)
            guard !ring.isEmpty else { continue }
            if let outer = polygon.first.map(Self.span) {
                // A hole is inside the outer ring, regardless of its turn.
                let own = Self.span(ring), turns = ((Self.middle(outer) - Self.middle(own)) / 360).rounded()
                func overlaps(turns: Double) -> Bool {
                    own.upperBound + turns * 360 > outer.lowerBound && own.lowerBound + turns * 360 < outer.upperBound
                }
                if turns != 0, !overlaps(turns: 0), overlaps(turns: turns) {
                    ring = ring.map { $0.moved(turns: turns) }
                }
            }
            polygon.append(ring)
        }
        return polygon.isEmpty ? [] : [polygon]
    }

    // MARK: Poles

    /// Returns the rings with continuous longitudes, closed over a pole if they go round it.
    private func closedOverPole(_ rings: [[Place]]) -> [[Place]] {
        let given = rings.map { ring($0) }
        let round = given.filter(\.goesRound).map { Self.fromSeam($0.places) }
        guard !round.isEmpty else { return given.map(\.places) }
        // A ring around a pole is the outer one, and a second one bounds it towards the pole. Other rings are
        // unchanged.
        guard given[0].goesRound, round.count <= 2 else { return rings }
        var band = round[0]
        if round.count == 2 {
            band += round[1].reversed()
        } else {
            let pole = band.reduce(0) { $0 + $1.y } < 0 ? -90.0 : 90
            for end in [band[band.count - 1], band[0]] {
                band.append(Place(coordinate: Coordinate(x: end.x, y: pole), altitude: end.altitude))
            }
        }
        var result = [band]
        for (places, goesRound) in given where !goesRound && !places.isEmpty {
            let turns = -Self.window(of: Self.middle(Self.span(places)))
            let hole = places.map { $0.moved(turns: turns) }, span = Self.span(hole)
            // The part of a hole beyond the seam is at the other end of the band.
            let ends = span.upperBound > 180 ? [0, -1.0] : span.lowerBound < -180 ? [0, 1] : [0]
            for turns in ends {
                let within = Self.split([hole.map { $0.moved(turns: turns) }], at: -180).east
                result += within.flatMap { Self.split($0, at: 180).west }.compactMap(\.first)
            }
        }
        return result
    }

    /// Returns a ring that goes eastwards round the world, starting and ending where it first crosses the antimeridian.
    private static func fromSeam(_ ring: [Place]) -> [Place] {
        let last = ring.count - 1, seam = ((ring[0].x + 180) / 360).rounded(.down) * 360 + 180
        guard let index = ring.indices.dropFirst().first(where: { ring[$0].x >= seam }) else { return ring }
        let start = ring[index - 1].crossing(to: ring[index], at: seam)
        let round = [start] + ring[index...last] + ring[1..<index].map { $0.moved(turns: 1) } + [start.moved(turns: 1)]
        // The ring begins at -180.
        let turns = -((seam + 180) / 360).rounded()
        var result: [Place] = []
        for place in round where result.last?.coordinate != moved(place.coordinate, by: turns) {
            result.append(place.moved(turns: turns))
        }
        return result
    }

    // MARK: Areas

    /// Returns the parts of a polygon on both sides of a meridian.
    ///
    /// The chains of the rings on one side end at the meridian. Their ends, sorted along the meridian, are joined in
    /// pairs, between which the meridian is inside.
    static func split(_ polygon: [[Place]], at x: Double) -> (west: [[[Place]]], east: [[[Place]]]) {
        var west = Side(), east = Side()
        for (index, ring) in polygon.enumerated() where !ring.isEmpty {
            if ring.allSatisfy({ $0.x <= x }) {
                west.add(whole: ring, isOuter: index == 0)
            } else if ring.allSatisfy({ $0.x >= x }) {
                east.add(whole: ring, isOuter: index == 0)
            } else {
                cut(ring, at: x, &west, &east)
            }
        }
        return (west.polygons(x), east.polygons(x))
    }

    /// Adds the chains of a ring that crosses a meridian.
    ///
    /// Positions on the meridian count as east.
    private static func cut(_ ring: [Place], at x: Double, _ west: inout Side, _ east: inout Side) {
        let count = ring.count
        func isWest(_ index: Int) -> Bool { ring[index % count].x < x }
        guard let start = ring.indices.first(where: { isWest($0) != isWest($0 + count - 1) }) else { return }
        var chain = [ring[(start + count - 1) % count].crossing(to: ring[start], at: x)]
        for index in start..<start + count {
            let place = ring[index % count]
            if chain.last != place { chain.append(place) }
            guard isWest(index) != isWest(index + 1) else { continue }
            let end = place.crossing(to: ring[(index + 1) % count], at: x)
            if chain.last != end || chain.count == 1 { chain.append(end) }
            if isWest(index) { west.chains.append(chain) } else { east.chains.append(chain) }
            chain = [end]
        }
    }

    /// The part of a polygon on one side of a meridian.
    private struct Side {
        /// Chains of rings whose ends are on the meridian.
        var chains: [[Place]] = []
        private var outer: [[Place]] = []
        private var holes: [[Place]] = []

        mutating func add(whole ring: [Place], isOuter: Bool) {
            if isOuter { outer.append(ring) } else { holes.append(ring) }
        }

        /// Returns the polygons, each with its holes.
        func polygons(_ x: Double) -> [[[Place]]] {
            var polygons = (outer + joined(x)).map { [$0] }
            guard !holes.isEmpty else { return polygons }
            guard polygons.count != 1 else { return [polygons[0] + holes] }
            let boxes = polygons.map { BoundingBox($0[0].map(\.coordinate)) }
            let points = polygons.map { $0[0].map { Point(x: $0.x, y: $0.y) } }
            // The search for the polygons of holes is limited for hostile files.
            var budget = 50_000_000
            for hole in holes {
                let place = hole[0].coordinate
                let home = boxes.indices.first { index in
                    guard let box = boxes[index], place.x >= box.minX, place.x <= box.maxX, place.y >= box.minY,
                        place.y <= box.maxY
                    else { return false }
                    budget -= points[index].count
                    return budget < 0
                        || hole.prefix(3).contains {
                            PolygonTest.contains(Point(x: $0.x, y: $0.y), rings: [points[index]])
                        }
                }
                // A hole outside of all polygons is an area itself, by the even-odd rule.
                if let home { polygons[home].append(hole) } else { polygons.append([hole]) }
            }
            return polygons
        }

        /// Returns the rings that the chains form.
        private func joined(_ x: Double) -> [[Place]] {
            // An even number is the first end of a chain, an odd one its last end.
            func place(_ end: Int) -> Place {
                let chain = chains[end / 2]
                return end % 2 == 0 ? chain[0] : chain[chain.count - 1]
            }
            let order = (0..<chains.count * 2).sorted { (place($0).y, $0) < (place($1).y, $1) }
            var partners = [Int](repeating: 0, count: order.count)
            for pair in stride(from: 0, to: order.count, by: 2) {
                partners[order[pair]] = order[pair + 1]
                partners[order[pair + 1]] = order[pair]
            }
            var rings: [[Place]] = [], isDone = [Bool](repeating: false, count: chains.count)
            for first in chains.indices where !isDone[first] {
                var ring: [Place] = [], start = first * 2
                while !isDone[start / 2] {
                    isDone[start / 2] = true
                    let chain = chains[start / 2]
                    for place in start % 2 == 0 ? chain : chain.reversed() where ring.last != place {
                        ring.append(place)
                    }
                    start = partners[start ^ 1]
                }
                ring = AntimeridianCut.open(ring)
                // A chain that only touches the meridian encloses no area there.
                if ring.count > 2, ring.contains(where: { $0.x != x }) { rings.append(ring) }
            }
            return rings
        }
    }
}
