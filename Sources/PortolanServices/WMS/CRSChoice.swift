package import PortolanGeo

/// Chooses the reference system to ask a service in.
struct CRSChoice {
    /// A system and its name as the server spells it.
    struct Choice: Hashable {
        let name: String
        let crs: CRS
    }

    let version: WMSVersion
    let mapCRS: CRS
    let extent: Extent?
    let geographicBox: BoundingBox?

    /// The system that all of `layers` can be drawn in, nearest to that of the map.
    ///
    /// In turn: the one pinned; the map's own; one with the same coordinates (CRS:84 and EPSG:4326 differ only in the
    /// order they are written in); the one that ``WarpCost`` finds the best among those in which the layers cover the place.
    func pick(
        pinned: String?, from layers: [WMSLayer], notes: inout ReaderNotes
    ) throws(WMSNegotiationError) -> Choice {
        let names = commonNames(of: layers)
        let choices = names.compactMap { name in (try? CRS(name)).map { Choice(name: name, crs: $0) } }
        if let pinned { return try pick(pinned: pinned, names: names, choices: choices, notes: &notes) }
        if names.isEmpty, layers.allSatisfy(\.crsNames.isEmpty) {
            notes.add("the layers list no reference systems; \(mapCRS) is asked for untold")
            return Choice(name: mapCRS.name, crs: mapCRS)
        }
        // Older versions have no CRS:84; a service that lists nothing else there must know it all the same.
        let older = choices.filter { $0.crs != .crs84 }
        let known = version >= .v1_3_0 || older.isEmpty ? choices : older
        // Systems whose axis order the document contradicts itself about come last.
        let doubtful = version >= .v1_3_0 ? Self.doubtful(layers) : []
        let sure = known.filter { !doubtful.contains($0.crs) }
        let usable = sure + known.filter { doubtful.contains($0.crs) }
        if let own = bestSpelling(of: mapCRS, among: sure) { return own }
        let sureEqual = sure.filter { $0.crs.hasCoordinates(of: mapCRS) }
        if sureEqual.isEmpty, let own = bestSpelling(of: mapCRS, among: usable) { return own }
        let equal = sureEqual.isEmpty ? usable.filter { $0.crs.hasCoordinates(of: mapCRS) } : sureEqual
        // The same datum comes first: EPSG:4326 before EPSG:4258 for a map in CRS:84.
        let preferred = equal.first { $0.crs == .epsg4326 || $0.crs == .crs84 } ?? equal.first
        if let preferred { return bestSpelling(of: preferred.crs, among: usable) ?? preferred }
        if let own = bestSpelling(of: mapCRS, among: choices) { return own }

        var best: (choice: Choice, cost: Double)?
        for choice in usable where choice.crs.projection != nil {
            guard var cost = warpCost(to: choice.crs) else { continue }
            if let place, missesPart(of: place, choice.crs, layers) { cost *= WarpCost.missing * WarpCost.missing }
            if cost < best?.cost ?? .infinity { best = (choice, cost) }
        }
        guard let best else { throw .crsNotOffered(mapCRS.projection == nil ? mapCRS.name : nil, offers: names) }
        return bestSpelling(of: best.choice.crs, among: usable) ?? best.choice
    }

    /// The systems in which the bounding boxes of some layers have their axes the wrong way round.
    static func doubtful(_ layers: [WMSLayer]) -> Set<CRS> {
        Set(layers.flatMap(\.boundingBoxes).filter(\.isFlipped).compactMap(\.crs))
    }

    private func pick(
        pinned: String, names: [String], choices: [Choice], notes: inout ReaderNotes
    ) throws(WMSNegotiationError) -> Choice {
        guard let crs = try? CRS(pinned) else { throw .crsNotOffered(pinned, offers: names) }
        if version < .v1_3_0, crs == .crs84 {
            notes.add(
                "\(pinned) is none of version \(version)'s systems: some servers refuse it there, and QGIS Server takes "
                    + "latitude first; EPSG:4326 has the same coordinates")
        }
        if names.isEmpty {
            notes.add("the layers list no reference systems in common; \(pinned) is asked for untold")
            return Choice(name: pinned, crs: crs)
        }
        if names.contains(pinned) { return Choice(name: pinned, crs: crs) }
        guard let choice = bestSpelling(of: crs, among: choices) else {
            throw .crsNotOffered(pinned, offers: names)
        }
        return choice
    }

    private func bestSpelling(of crs: CRS, among choices: [Choice]) -> Choice? {
        choices.first { $0.name == crs.name } ?? choices.first { $0.crs == crs }
    }

    private func commonNames(of layers: [WMSLayer]) -> [String] {
        guard let first = layers.first else { return [] }
        let others = layers.dropFirst().map { Set($0.crsNames) }
        return first.crsNames.filter { name in others.allSatisfy { $0.contains(name) } }
    }

    /// The cost of a system about whose fit nothing is known: worse than any measured one, better than no picture.
    private static let unknownCost = 1e12

    /// The ``WarpCost`` of a system, or `nil` when it and the map's cannot be transformed into each other.
    private func warpCost(to crs: CRS) -> Double? {
        guard mapCRS.projection != nil else { return nil }
        guard let place else { return Self.unknownCost }
        return WarpCost.between(crs, and: mapCRS, in: place) ?? Self.unknownCost
    }

    /// What is looked at, in units of the map's system.
    private var place: Extent? { extent ?? layerExtent ?? mapCRS.worldExtent }

    /// Whether something of the layers is to be seen at a place, and lies beside the boxes that they state in a system.
    ///
    /// Services draw nothing there: a box in a national system is often the country's, whatever there is beyond it.
    private func missesPart(of place: Extent, _ crs: CRS, _ layers: [WMSLayer]) -> Bool {
        guard let there = try? CoordinateTransform(from: mapCRS, to: crs),
            let degrees = try? CoordinateTransform(from: mapCRS, to: .crs84)
        else { return false }
        return layers.contains { layer in
            guard let whole = layer.geographicBox?.extent, let box = layer.boundingBox(in: crs)?.extent,
                // Boxes are rounded, and their sides are bent.
                let reach = box.grown(by: max(box.width, box.height) / 50)
            else { return false }
            return place.lattice.contains { position in
                guard let inDegrees = degrees(position), whole.contains(inDegrees) else { return false }
                return there(position).map { !reach.contains($0) } ?? true
            }
        }
    }

    private var layerExtent: Extent? {
        guard let geographic = geographicBox?.extent, let transform = try? CoordinateTransform(from: .crs84, to: mapCRS)
        else { return nil }
        return transform(geographic)
    }
}

/// The loss of pictures in one reference system that are warped onto a map in another.
package enum WarpCost {
    /// The penalty of a system on another datum than the map's.
    ///
    /// A shift is known to some metres only, so what it is used for is drawn beside its place at large scales; that is
    /// worse than to be stretched.
    private static let shifted = 2.0

    /// The penalty for each of the probed places that a system does not cover.
    fileprivate static let missing = 100.0

    /// The longest side of a bent pixel by the shortest: 1 when all are squares of one size; twice that on another
    /// datum, and a hundredfold for each part of the place that the system does not cover.
    ///
    /// - Parameter place: what is looked at, in units of `map`.
    /// - Returns: `nil` when the two systems cannot be brought together there.
    package static func between(_ crs: CRS, and map: CRS, in place: Extent) -> Double? {
        guard let transform = try? CoordinateTransform(from: map, to: crs) else { return nil }
        if transform.isIdentity { return 1 }
        var shortest = Double.infinity, longest = 0.0
        var penalty = crs.datumShift == map.datumShift ? 1 : shifted
        let step = min(place.width, place.height) / 1000
        for (i, j) in [(0.5, 0.5), (0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)] {
            let x = place.minX + i * place.width, y = place.minY + j * place.height
            guard let here = transform(Coordinate(x: x, y: y)), let east = transform(Coordinate(x: x + step, y: y)),
                let north = transform(Coordinate(x: x, y: y + step))
            else {
                penalty *= missing
                continue
            }
            // The singular values of the derivative are the sides of the ellipse that a small circle becomes.
            let a = (east.x - here.x) / step, b = (north.x - here.x) / step
            let c = (east.y - here.y) / step, d = (north.y - here.y) / step
            let sum = a * a + b * b + c * c + d * d, determinant = abs(a * d - b * c)
            let root = max(sum * sum - 4 * determinant * determinant, 0).squareRoot()
            shortest = min(shortest, max((sum - root) / 2, 0).squareRoot())
            longest = max(longest, ((sum + root) / 2).squareRoot())
        }
        let cost = longest / shortest
        return cost.isFinite && cost >= 1 ? cost * penalty : nil
    }
}

extension Extent {
    /// Places all over the extent, a tenth of its sides apart.
    fileprivate var lattice: [Coordinate] {
        (0...10).flatMap { j in
            (0...10).map { i in
                Coordinate(x: minX + Double(i) / 10 * width, y: minY + Double(j) / 10 * height)
            }
        }
    }
}
