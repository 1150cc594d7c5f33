import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanText

// The names of areas stand inside them if they fit, otherwise across their borders or beside them, if they are not taken
// for the names of others there.
extension LabelCollector {
    /// The visible part of an area that has the name.
    struct VisibleArea {
        /// Its rings, clipped to the picture, and their box.
        let rings: [[Point]]
        let box: Rectangle
        /// Its size in square pixels.
        let size: Double
        /// Whether most of the feature is outside of the picture, so that the name of the part is not that of the whole.
        let isMinor: Bool
    }

    /// The share of a feature below which its visible parts have its name only if that fits inside.
    private static let minorShare = 0.05
    /// The smallest visible part of an area that the border cuts for a name in smaller letters, in multiples of the size
    /// of the name.
    private static let leastSmallSize = 2.5

    /// The share of an area that must be visible for a name beyond its borders.
    private static let visibleShare = 0.5

    /// Collects the label of an area.
    mutating func collect(_ words: Words, inside area: VisibleArea) throws(TextError) {
        let box = area.box, rings = area.rings, isCut = isCut(box)
        let least = LabelText.leastHeight(words.symbol, fonts, pixelRatio: pixelRatio) * AreaNames.leastShare
        let mayOverflow = !area.isMinor && AreaNames.mayOverflow(area.size, box, pixelRatio: pixelRatio)
        // Most areas are too low for any letters.
        if box.height >= least {
            for label in areaNames.ways(of: words.label, for: words.text) {
                let isSmaller = label.symbol.size != words.symbol.size
                if isSmaller, area.isMinor || (isCut && label.symbol.size < AreaNames.leastCutScale * words.symbol.size)
                {
                    continue
                }
                var words = words
                words.label = label
                guard let setting = try setting(words) else { return }
                if isSmaller, isCut, area.size < Self.leastSmallSize * setting.paddedWidth * setting.paddedHeight {
                    continue
                }
                let middles = AreaPositions(text: setting, halo: halo(of: words)).middles(in: rings, box)
                guard let middle = middles.first else { continue }
                let beyond =
                    mayOverflow
                    ? LabelSite.Beyond(points: [middle] + MiddlePoint.points(inside: rings), box: box, isCut: isCut)
                    : nil
                return add(words, .inside(middles, beyond: beyond), size: area.size)
            }
        }
        guard mayOverflow, let point = MiddlePoint.inside(rings) else {
            return losses[layer].noteLackOfRoom(words.text)
        }
        // Labels that fit come first.
        let beyond = LabelSite.Beyond(points: [point] + MiddlePoint.points(inside: rings), box: box, isCut: isCut)
        add(words, .inside([], beyond: beyond), repetition: 1, size: area.size)
    }

    /// Whether the border of a single picture cuts an area.
    private func isCut(_ box: Rectangle) -> Bool { cell == nil && !picture.grown(by: -1).encloses(box) }

    /// The largest visible polygon of a feature.
    ///
    /// - Parameter isKept: whether the names of other areas keep clear of its polygons.
    mutating func largestArea(
        _ polygons: Range<Int>, _ feature: Int32, _ tracer: inout ShapeTracer, isKept: Bool
    ) -> VisibleArea? {
        var largest: (rings: [[Point]], box: Rectangle)?
        var size = 0.0, visible = 0.0, all = 0.0
        let frame = areaFrame(polygons, tracer)
        let isKept = isKept && (!areas[layer].isEmpty || holds(areas[layer].byteCount))
        for polygon in polygons {
            let shape = tracer.columns.shapes[polygon]
            let whole =
                tracer.columns.boundingBox(of: polygon..<(polygon + 1)).map {
                    ($0.maxX - $0.minX) * ($0.maxY - $0.minY)
                } ?? 0
            all += whole
            var rings: [[Point]] = []
            for part in Int(shape.firstPart)..<Int(shape.endPart) {
                let ring = tracer.ring(part, in: frame, tolerance: 0.5)
                if !ring.isEmpty { rings.append(ring) }
            }
            guard let box = Path.polyline(rings.flatMap { $0 }).boundingRectangle else { continue }
            visible += whole
            if isKept { areas[layer].insert(rings, of: feature) }
            let own = rings.lazy.map(\.enclosedArea).max() ?? 0
            if largest == nil || own > size { (size, largest) = (own, (rings, box)) }
        }
        return largest.map {
            VisibleArea(rings: $0.rings, box: $0.box, size: size, isMinor: visible < Self.minorShare * all)
        }
    }

    /// The relevant part of an area: the visible part, or the part within the cell.
    ///
    /// The cell is used for an area that is larger than the margin. In both cases neighbouring cells agree.
    private func areaFrame(_ polygons: Range<Int>, _ tracer: ShapeTracer) -> Rectangle {
        guard let cell, let box = tracer.columns.boundingBox(of: polygons) else { return picture }
        let corners = [
            Coordinate(x: box.minX, y: box.minY), Coordinate(x: box.maxX, y: box.minY),
            Coordinate(x: box.maxX, y: box.maxY), Coordinate(x: box.minX, y: box.maxY),
        ].compactMap { tracer.projection($0) }
        guard corners.count == 4, let own = Path.polyline(corners).boundingRectangle,
            own.width <= cell.margin, own.height <= cell.margin
        else { return cell.frame }
        return picture
    }

    /// Places the label of an area across its borders, beside it, or at the end of a leader, wherever it is best.
    mutating func place(
        _ label: Label, beyond: LabelSite.Beyond, by placer: inout LabelPlacer
    ) throws(TextError) -> (label: Label, setting: LabelText, place: LabelPosition)? {
        // Of an area under a panel or other areas the name would be taken for that of the nearest one.
        let visible = areas[label.rank.layer].size(of: label.words.place)
        guard visible >= Self.visibleShare * Double(label.rank.size) else { return nil }
        let all = areaNames.ways(of: label.words.label, for: label.words.text)
        let least = beyond.isCut ? AreaNames.leastCutScale * all[0].symbol.size : 0
        var ways: [AreaNameSearch.Way] = []
        for (number, way) in all.enumerated() where way.symbol.size >= least {
            var words = label.words
            words.label = way
            guard let setting = try setting(words) else { return nil }
            let isSmall = way.symbol.size < AreaNames.leastCutScale * all[0].symbol.size
            ways.append(
                AreaNameSearch.Way(
                    label: way, setting: setting, isSmall: isSmall, cost: AreaNames.cost(of: way, among: all, number)))
        }
        let request = request(label, [])
        let search = AreaNameSearch(
            areas: areas[label.rank.layer], feature: label.words.place, beyond: beyond, halo: halo(of: label.words),
            request: request, isOnMap: { [edge = worldEdge] box in edge?.encloses(box) ?? true })
        var found = place(request, search.near(ways, in: placer), by: &placer)
        if found == nil, leaderCount < Self.leaderLimit {
            leaderCount += 1
            let exits = search.exits(among: ways, besides: leaderStarts)
            for isSmall in [false, true] where found == nil {
                let some = ways.filter { $0.isSmall == isSmall }
                found = place(request, search.led(some, exits, in: placer), by: &placer)
            }
            if let start = found?.place.leader?.start { leaderStarts.append(start) }
        }
        guard let found else { return nil }
        var words = label.words
        words.label = found.way.label
        return (Label(words: words, rank: label.rank, site: label.site), found.way.setting, found.place)
    }

    /// Places a label at the free candidate with the lowest cost.
    private func place(
        _ request: LabelRequest, _ candidates: [AreaNameSearch.Candidate], by placer: inout LabelPlacer
    ) -> AreaNameSearch.Candidate? {
        guard !candidates.isEmpty else { return nil }
        let sorted = candidates.indices.sorted { (candidates[$0].cost, $0) < (candidates[$1].cost, $1) }
            .map { candidates[$0] }
        var request = request
        request.candidates = sorted.map(\.place.candidate)
        request.needsLineGap = true
        request.lineGap = AreaNames.lineGap * sorted[0].way.setting.size
        if let index = placer.place(request) { return sorted[index] }
        // On its own area a name is distinct from that of a neighbour on the same line.
        let distinct = sorted.filter(\.isDistinct)
        request.candidates = distinct.map(\.place.candidate)
        request.lineGap /= 2
        return placer.place(request).map { distinct[$0] }
    }
}

extension [Point] {
    /// The area that the ring encloses.
    fileprivate var enclosedArea: Double {
        guard let last else { return 0 }
        var sum = 0.0, previous = last
        for point in self {
            sum += previous.x * point.y - point.x * previous.y
            previous = point
        }
        return abs(sum) / 2
    }
}
