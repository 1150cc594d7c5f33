public import PortolanGeo

extension WMSCTileSet {
    /// The tile set that has what is asked for.
    ///
    /// - Parameters:
    ///   - styles: `nil` takes any.
    ///   - format: a media type, whatever the case; `nil` takes PNG before others.
    ///   - crs: the system it must be in; `nil` takes the one of the map where there is one, else the first.
    ///   - crsName: which of several spellings of `crs` is meant; `nil` takes the usual one before others.
    ///   - mapCRS: the system of the map.
    public static func select(
        from tileSets: [WMSCTileSet], layers: [String], styles: [String]? = nil, format: String? = nil,
        crs: CRS? = nil, crsName: String? = nil, mapCRS: CRS? = nil
    ) throws(WMSCError) -> WMSCTileSet {
        guard !tileSets.isEmpty else { throw .noTileSets }
        let fitting = tileSets.filter { set in
            set.layers == layers && (styles.map { set.hasStyles($0) } ?? true)
                && (format.map { WMSFormat($0).mediaType == WMSFormat(set.format).mediaType } ?? true)
                && (crs.map { $0 == set.crs } ?? true) && (crsName.map { $0 == set.crsName } ?? true)
        }
        func rank(_ set: WMSCTileSet) -> Int {
            let system = set.crs
            let isMaps = mapCRS != nil && system == mapCRS
            let isUsual = system?.name == set.crsName
            let isPNG = WMSFormat(set.format).bareMediaType == "image/png"
            return (isMaps ? 0 : 8) + (system?.projection == nil ? 4 : 0) + (isUsual ? 0 : 2) + (isPNG ? 0 : 1)
        }
        // The first of equal ones: `min` keeps the order of the document.
        guard let best = fitting.min(by: { rank($0) < rank($1) }) else {
            let same = tileSets.filter { $0.layers == layers }
            throw .noMatch(offers: (same.isEmpty ? tileSets : same).prefix(20).map(\.summary))
        }
        return best
    }

    private func hasStyles(_ wanted: [String]) -> Bool {
        func padded(_ list: [String]) -> [String] {
            list + Array(repeating: "", count: max(layers.count - list.count, 0))
        }
        return padded(wanted) == padded(styles)
    }

    private var summary: String {
        let names = layers.joined(separator: ",")
        let styling = styles.allSatisfy(\.isEmpty) ? "" : " styled \(styles.joined(separator: ","))"
        return "\(names) in \(crsName) as \(format)" + styling
    }
}
