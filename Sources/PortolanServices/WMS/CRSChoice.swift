import PortolanGeo

/// Chooses the CRS of WMS requests.
struct CRSChoice {
    /// A CRS and its name as written by the server.
    struct Choice: Hashable {
        let name: String
        let crs: CRS
    }

    let version: WMSCapabilities.Version
    let mapCRS: CRS
    let extent: Extent?
    let geographicBox: BoundingBox?

    /// Returns a CRS that all of `layers` support, closest to that of the map.
    ///
    /// The order of preference: the pinned CRS; that of the map; one with the same coordinates (CRS:84 and EPSG:4326
    /// only differ in axis order), unless the layers' boxes in these two miss much of the view; the best one according
    /// to ``WarpCost`` among those in which the layers cover the view.
    func pick(
        pinned: String?, from layers: [WMSCapabilities.Layer], notes: inout ReaderNotes
    ) throws(WMSNegotiationError) -> Choice {
        let names = commonNames(of: layers)
        let choices = names.compactMap { name in (try? CRS(name)).map { Choice(name: name, crs: $0) } }
        if let pinned { return try pick(pinned: pinned, names: names, choices: choices, notes: &notes) }
        if names.isEmpty, layers.allSatisfy(\.crsNames.isEmpty) {
            notes.add("the layers list no CRS; trying \(mapCRS)")
            return Choice(name: mapCRS.name, crs: mapCRS)
        }
        // Older versions have no CRS:84, but a service that lists nothing else there must support it.
        let older = choices.filter { $0.crs != .crs84 }
        let known = version >= .v1_3_0 || older.isEmpty ? choices : older
        // CRSs for which the document contradicts itself about the axis order are last.
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
        // The same datum is preferred: EPSG:4326 to EPSG:4258 for a map in CRS:84.
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

    /// Returns the CRSs in which bounding boxes of layers have exchanged axes.
    static func doubtful(_ layers: [WMSCapabilities.Layer]) -> Set<CRS> {
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

    private func commonNames(of layers: [WMSCapabilities.Layer]) -> [String] {
        guard let first = layers.first else { return [] }
        let others = layers.dropFirst().map { Set($0.crsNames) }
        return first.crsNames.filter { name in others.allSatisfy { $0.contains(name) } }
    }

    /// The cost of a CRS with unknown distortion: worse than any measured one, but better than no image.
    private static let unknownCost = 1e12

    /// Returns the ``WarpCost`` of a CRS, or `nil` if there is no transformation between it and the map's CRS.
    private func warpCost(to crs: CRS) -> Double? {
        guard mapCRS.projection != nil else { return nil }
        guard let place else { return Self.unknownCost }
        return WarpCost.between(crs, and: mapCRS, in: place) ?? Self.unknownCost
    }

    /// The visible area in units of the map's CRS.
    private var place: Extent? { extent ?? layerExtent ?? mapCRS.worldExtent }

    /// Returns the fraction of the view outside the box that a layer states in a CRS, for the layer that misses most.
    ///
    /// Services draw nothing outside of these boxes. In a national CRS the box is often that of the country.
    private func missingShare(of cover: ViewCover?, in crs: CRS, _ layers: [WMSCapabilities.Layer]) -> Double {
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
