public import PortolanGeo
package import PortolanWeb

/// A grid of tiles that a WMS has ready: a tile set of the WMS-C recommendation.
///
/// The texts are kept as the service writes them, since it compares them letter by letter. Follows *WMS Tiling Client
/// Recommendation* (OSGeo, 2006).
public struct WMSCTileSet: Hashable, Sendable {
    /// The name of the reference system.
    public var crsName: String
    /// The extent of the grid, in units of the system, x east; `nil` stands for the whole world.
    ///
    /// Tiles are counted from its lower left corner, or from ``originCorner``.
    public var extent: Extent?
    /// Units a pixel of each level, in the order of the document.
    public var resolutions: [Resolution]
    /// Pixels in a row of a tile.
    public var tileWidth: Int
    /// Rows of a tile.
    public var tileHeight: Int
    /// The format of the tiles.
    public var format: String
    /// The layers in the tiles, the lowest first.
    public var layers: [String]
    /// A style for each layer; empty for the default ones.
    public var styles: [String]
    /// The corner that tiles are counted from: by the recommendation the lower left one, which some services do not keep to.
    public var originCorner = TileGrid.OriginCorner.bottomLeft

    /// Creates a tile set by hand.
    ///
    /// - Parameter tileWidth: 1 to 16 384, as `tileHeight`.
    public init(
        crsName: String, extent: Extent?, resolutions: [Resolution], tileWidth: Int = 256, tileHeight: Int = 256,
        format: String = "image/png", layers: [String], styles: [String] = []
    ) {
        self.crsName = crsName
        self.extent = extent
        self.resolutions = resolutions
        self.tileWidth = tileWidth
        self.tileHeight = tileHeight
        self.format = format
        self.layers = layers
        self.styles = styles
    }

    /// The reference system, or `nil` when it is not in the catalogue.
    public var crs: CRS? { try? CRS(crsName) }

    /// The grid.
    ///
    /// - Throws: ``WMSCError`` when the system is not known, when it has no extent of its own and none is given, or when
    ///   a level would have no tiles or too many.
    public func grid() throws(WMSCError) -> TileGrid {
        let crs: CRS
        do { crs = try CRS(crsName) } catch { throw .crs(error.description) }
        guard let extent = extent ?? crs.worldExtent else { throw .noExtent(crsName) }
        let grid = TileGrid(
            crs: crs, extent: extent, resolutions: resolutions, tileWidth: tileWidth, tileHeight: tileHeight,
            originCorner: originCorner)
        guard let grid else { throw .noGrid(crsName) }
        return grid
    }
}

extension WMSCTileSet {
    /// The tile set that has what is asked for.
    ///
    /// - Parameters:
    ///   - styles: `nil` takes any.
    ///   - format: a media type, whatever the case; `nil` takes PNG before others.
    ///   - crs: the system it must be in; `nil` takes the one of the map where there is one, else the first.
    ///   - crsName: which of several spellings of `crs` is meant; `nil` takes the usual one before others.
    ///   - mapCRS: the CRS of the map.
    package static func select(
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

/// Asks a WMS for the tiles of a tile set.
public struct WMSCTileRequest: Hashable, Sendable {
    /// The tile set.
    package let tileSet: WMSCTileSet
    /// Its grid.
    package let grid: TileGrid
    /// The address of the service.
    package let baseURL: NamedURL
    /// Whether `TILED=true` is sent: some servers give tiles only with it, others refuse what lies off their grid then.
    package let isTiled: Bool
    /// Whether the background is transparent; `nil` leaves the parameter out.
    package let isTransparent: Bool?
    /// More parameters, in their order.
    package let extraParameters: [GetMapRequest.Parameter]

    /// Creates the requests of a tile set.
    ///
    /// - Parameter isTransparent: by default `true` where the format can be transparent: the recommendation does not
    ///   name the parameter, but services draw an opaque background without it, which would hide the layers below.
    /// - Throws: what ``WMSCTileSet/grid()`` throws.
    package init(
        tileSet: WMSCTileSet, baseURL: NamedURL, isTiled: Bool = true, isTransparent: Bool? = nil,
        extraParameters: [GetMapRequest.Parameter] = []
    ) throws(WMSCError) {
        self.tileSet = tileSet
        grid = try tileSet.grid()
        self.baseURL = baseURL
        self.isTiled = isTiled
        self.isTransparent = isTransparent ?? (WMSFormat(tileSet.format).hasTransparency ? true : nil)
        self.extraParameters = extraParameters
    }

    /// The request for a tile of ``grid``.
    ///
    /// Its bounding box is computed from the tile's number, and its version is 1.1.1, so a tile has one address for ever, which is
    /// that of other clients too: caches keep it once.
    ///
    /// - Returns: `nil` when the tile is not of this grid.
    package func request(for tile: TileIndex) -> GetMapRequest? {
        grid.extent(of: tile).map(request)
    }

    /// The request for a tile whose box lies inside the tile by a thousandth of a pixel, for services that refuse the other:
    /// TileCache cuts fractions off, and takes a corner that a last digit puts before the tile's for that of the tile before.
    package func innerRequest(for tile: TileIndex) -> GetMapRequest? {
        grid.extent(of: tile).map { request($0.slightlyInside(by: grid.matrices[tile.level].resolution)) }
    }

    private func request(_ extent: Extent) -> GetMapRequest {
        var request = GetMapRequest(
            version: .v1_1_1, baseURL: baseURL, layers: tileSet.layers, styles: tileSet.styles, crs: grid.crs,
            crsName: tileSet.crsName, extent: extent, width: tileSet.tileWidth, height: tileSet.tileHeight,
            format: tileSet.format, isTransparent: isTransparent, background: nil,
            extraParameters: (isTiled ? [.init("TILED", "true")] : []) + extraParameters)
        request.exceptions = nil
        return request
    }

    /// The address of a tile of ``grid``, or `nil` when the tile is not of it.
    package func url(for tile: TileIndex) -> String? { request(for: tile)?.url }
}

extension Extent {
    /// The extent with its sides half a thousandth to one and a half thousandths of a pixel further in, in as few decimals
    /// as there are between the two.
    fileprivate func slightlyInside(by resolution: Resolution) -> Extent {
        let thousandth = resolution.unitsPerPixel / 1000
        var unit = 1.0, perUnit = 1.0
        while unit * 10 <= thousandth { unit *= 10 }
        while 1 / perUnit > thousandth, perUnit < 1e18 { perUnit *= 10 }
        let largest = max(abs(minX), abs(minY), abs(maxX), abs(maxY))
        // What no double can tell apart stays as it is.
        guard largest * perUnit < 1e15 else { return self }
        func up(_ side: Double) -> Double {
            let inside = side + thousandth / 2
            return unit > 1 ? (inside / unit).rounded(.up) * unit : (inside * perUnit).rounded(.up) / perUnit
        }
        return Extent(minX: up(minX), minY: up(minY), maxX: -up(-maxX), maxY: -up(-maxY)) ?? self
    }
}

extension WMSCTileRequest {
    /// The request for pictures off the grid that show what the tiles show, as questions about features need one: its
    /// place is to be replaced; `nil` when it is not known where the set lies.
    package var picture: GetMapRequest? {
        guard let extent = tileSet.extent ?? grid.crs.worldExtent else { return nil }
        return GetMapRequest(
            version: .v1_1_1, baseURL: baseURL, layers: tileSet.layers, styles: tileSet.styles, crs: grid.crs,
            crsName: tileSet.crsName, extent: extent, width: 1, height: 1, format: tileSet.format,
            isTransparent: isTransparent, background: nil, extraParameters: extraParameters)
    }
}

/// A reason why a service cannot be asked for its tiles.
public enum WMSCError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The capabilities list no tile sets.
    case noTileSets
    /// No tile set has what was asked for; the texts name what there is.
    case noMatch(offers: [String])
    /// The reference system is not known.
    case crs(String)
    /// A tile set states no extent, and its system, named here, covers only a part of the world.
    case noExtent(String)
    /// The tile set in the system named has levels with no tiles or too many.
    case noGrid(String)

    /// The problem, in one line.
    public var description: String { ReadableText.line(words, limit: 4000) }

    private var words: String {
        switch self {
        case .noTileSets:
            "the service lists no tile sets; use it as a plain WMS, or set extent, resolutions and tile-size"
        case .noMatch(let offers):
            "no tile set has these layers, styles, format and CRS; available: " + offers.joined(separator: "; ")
        case .crs(let text): text
        case .noExtent(let name): "the tile set in \(name) has no extent; set one"
        case .noGrid(let name): "the tile set in \(name) has levels with no tiles, or too many"
        }
    }
}
