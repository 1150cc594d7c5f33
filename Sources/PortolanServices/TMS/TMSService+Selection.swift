public import PortolanGeo

extension TMSService {
    /// The map that has what is asked for.
    ///
    /// Of several maps of one name the one in the map's system is taken, then the one whose tiles are stretched least.
    ///
    /// - Parameters:
    ///   - name: the title of a map, its address, or the end of its address; `nil` for the only title there is.
    ///   - mapCRS: the system of the map that is drawn.
    public func map(named name: String?, mapCRS: CRS) throws(TMSError) -> TMSReference {
        let offers = maps.map { "'\($0.title)' in \($0.crsName) (\($0.href))" }
        var fitting = maps
        if let name {
            fitting = maps.filter { $0.title == name }
            if fitting.isEmpty { fitting = maps.filter { $0.href == name || $0.href.hasSuffix("/" + name) } }
            if fitting.isEmpty {
                // All systems of a layer: `relief` for `…/1.0.0/relief/webmercator`.
                fitting = maps.filter { $0.href.split(separator: "/").dropLast().last.map(String.init) == name }
            }
            guard !fitting.isEmpty else { throw .mapNotFound(name, offers: offers) }
        } else if Set(maps.map(\.title)).count != 1 {
            throw .noMap(offers: offers)
        }
        var best: (map: TMSReference, cost: Double)?
        for map in fitting {
            guard let cost = Self.cost(of: map, on: mapCRS) else { continue }
            if best.map({ cost < $0.cost }) ?? true { best = (map, cost) }
        }
        guard let best else { throw .crsNotOffered(offers: offers) }
        return best.map
    }

    private static func cost(of map: TMSReference, on mapCRS: CRS) -> Double? {
        guard let crs = try? CRS(map.crsName) else { return nil }
        if crs == mapCRS { return 0 }
        guard crs.projection != nil, mapCRS.projection != nil else { return nil }
        if crs.hasCoordinates(of: mapCRS) { return 0.5 }
        return mapCRS.worldExtent.flatMap { WarpCost.between(crs, and: mapCRS, in: $0) } ?? 1e12
    }
}
