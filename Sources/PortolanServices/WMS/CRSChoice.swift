import PortolanGeo

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
    /// order they are written in), both unless the layers' boxes in it leave out much of the place; the one that
    /// ``WarpCost`` finds the best among those in which the layers cover the place.
    func pick(
        pinned: String?, from layers: [WMSLayer], notes: inout ReaderNotes
    ) throws(WMSNegotiationError) -> Choice {
        let names = commonNames(of: layers)
        let choices = names.compactMap { name in (try? CRS(name)).map { Choice(name: name, crs: $0) } }
        if let pinned { return try pick(pinned: pinned, names: names, choices: choices, notes: &notes) }
        if names.isEmpty, layers.allSatisfy(\.crsNames.isEmpty) {
            notes.add("the layers list no CRS; trying \(mapCRS)")
            return Choice(name: mapCRS.name, crs: mapCRS)
        }
        // Older versions have no CRS:84; a service that lists nothing else there must know it all the same.
        let older = choices.filter { $0.crs != .crs84 }
        let known = version >= .v1_3_0 || older.isEmpty ? choices : older
        // Systems whose axis order the document contradicts itself about come last.
        let doubtful = version >= .v1_3_0 ? Self.doubtful(layers) : []
        let sure = known.filter { !doubtful.contains($0.crs) }
        let usable = sure + known.filter { doubtful.contains($0.crs) }
        let cover = place.flatMap { ViewCover(of: $0, in: mapCRS) }
        func shows(_ crs: CRS) -> Bool { missingShare(of: cover, in: crs, layers) <= ViewCover.bearable }
        let own = shows(mapCRS) ? mapCRS : nil
        if let own = own.flatMap({ bestSpelling(of: $0, among: sure) }) { return own }
        let sureEqual = sure.filter { $0.crs.hasCoordinates(of: mapCRS) && shows($0.crs) }
        if sureEqual.isEmpty, let own = own.flatMap({ bestSpelling(of: $0, among: usable) }) { return own }
        let equal =
            sureEqual.isEmpty ? usable.filter { $0.crs.hasCoordinates(of: mapCRS) && shows($0.crs) } : sureEqual
        // The same datum comes first: EPSG:4326 before EPSG:4258 for a map in CRS:84.
        let preferred = equal.first { $0.crs == .epsg4326 || $0.crs == .crs84 } ?? equal.first
        if let preferred { return bestSpelling(of: preferred.crs, among: usable) ?? preferred }
        let offered = bestSpelling(of: mapCRS, among: choices)
        if let offered, own != nil { return offered }

        var best: (choice: Choice, cost: Double)?
        for choice in [offered].compactMap(\.self) + usable where choice.crs.projection != nil {
            guard var cost = warpCost(to: choice.crs) else { continue }
            if missingShare(of: cover, in: choice.crs, layers) > 0 { cost *= WarpCost.uncovered }
            if cost < best?.cost ?? .infinity { best = (choice, cost) }
        }
        guard let best else { throw .crsNotOffered(mapCRS.projection == nil ? mapCRS.name : nil, offers: names) }
        if best.choice == offered { return best.choice }
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
                "\(pinned) is not valid in version \(version): some servers refuse it, and QGIS Server reads it with "
                    + "latitude first; EPSG:4326 has the same coordinates")
        }
        if names.isEmpty {
            notes.add("the layers have no common CRS; trying \(pinned)")
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

    /// The share of what is looked at that lies beside the box that a layer states in a system, of the layer that misses most.
    ///
    /// Services draw nothing there: a box in a national system is often the country's, whatever there is beyond it.
    private func missingShare(of cover: ViewCover?, in crs: CRS, _ layers: [WMSLayer]) -> Double {
        guard let cover else { return 0 }
        return layers.lazy.map { layer in
            guard let whole = layer.geographicBox?.extent, let box = layer.boundingBox(in: crs)?.extent else {
                return 0
            }
            return cover.missingShare(of: whole, outside: box, in: crs)
        }.max() ?? 0
    }

    private var layerExtent: Extent? {
        guard let geographic = geographicBox?.extent, let transform = try? CoordinateTransform(from: .crs84, to: mapCRS)
        else { return nil }
        return transform(geographic)
    }
}
