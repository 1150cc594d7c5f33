public import PortolanGeo
package import PortolanWeb

/// A tile grid of a WMS: a tile set of the WMS-C recommendation.
///
/// Names and formats are kept as the service writes them, since it compares them exactly. It follows *WMS Tiling Client
/// Recommendation* (OSGeo, 2006).
public struct WMSCTileSet: Hashable, Sendable {
    /// The name of the CRS.
    public var crsName: String
    /// The extent of the grid in units of the CRS, x east; `nil` for the whole world.
    ///
    /// Tiles are counted from its lower left corner, or from ``originCorner``.
    public var extent: Extent?
    /// Units per pixel of each level, in the order of the document.
    public var resolutions: [Resolution]
    /// The width of a tile in pixels.
    public var tileWidth: Int
    /// The height of a tile in pixels.
    public var tileHeight: Int
    /// The format of the tiles.
    public var format: String
    /// The layers in the tiles, the lowest first.
    public var layers: [String]
    /// A style for each layer; empty for the default styles.
    public var styles: [String]
    /// The corner from which tiles are counted: the lower left in the recommendation, which some services violate.
    public var originCorner = TileGrid.OriginCorner.bottomLeft

    /// Creates a tile set that the caller describes.
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

    /// The CRS, or `nil` if it is not in the catalogue.
    public var crs: CRS? { try? CRS(crsName) }

    /// Returns the grid.
    ///
    /// - Throws: ``WMSCTileSet/InvalidError`` if the CRS is unknown, if it has no world extent and none is given, or if a level would
    ///   have no tiles or too many.
    public func grid() throws(WMSCTileSet.InvalidError) -> TileGrid {
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
    /// Returns the requested tile set.
    ///
    /// - Parameters:
    ///   - styles: the styles; `nil` for any.
    ///   - format: a media type, ignoring case; `nil` prefers PNG.
    ///   - crs: the required CRS; `nil` for that of the map if available, otherwise the first.
    ///   - crsName: the spelling of `crs` to use; `nil` prefers the usual one.
    ///   - mapCRS: the CRS of the map.
    package static func select(
        from tileSets: [WMSCTileSet], layers: [String], styles: [String]? = nil, format: String? = nil,
        crs: CRS? = nil, crsName: String? = nil, mapCRS: CRS? = nil
    ) throws(WMSCTileSet.InvalidError) -> WMSCTileSet {
        guard !tileSets.isEmpty else { throw .noTileSets }
        let fitting = tileSets.filter { set in
            set.layers == layers && (styles.map { set.hasStyles($0) } ?? true)
                && (format.map { WMSCapabilities.Format($0).mediaType == WMSCapabilities.Format(set.format).mediaType }
                    ?? true)
                && (crs.map { $0 == set.crs } ?? true) && (crsName.map { $0 == set.crsName } ?? true)
        }
        func rank(_ set: WMSCTileSet) -> Int {
            let system = set.crs
            let isMaps = mapCRS != nil && system == mapCRS
            let isUsual = system?.name == set.crsName
            let isPNG = WMSCapabilities.Format(set.format).bareMediaType == "image/png"
            return (isMaps ? 0 : 8) + (system?.projection == nil ? 4 : 0) + (isUsual ? 0 : 2) + (isPNG ? 0 : 1)
        }
        // `min` returns the first of equal elements, which preserves the order of the document.
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

extension WMSCTileSet {
    /// A request template for the tiles of a tile set.
    public struct TileRequest: Hashable, Sendable {
        /// The tile set.
        package let tileSet: WMSCTileSet
        /// Its grid.
        package let grid: TileGrid
        /// The URL of the service.
        package let baseURL: NamedURL
        /// Whether `TILED=true` is sent: some servers require it for tiles, others then reject requests off their grid.
        package let isTiled: Bool
        /// Whether the background is transparent; `nil` omits the parameter.
        package let isTransparent: Bool?
        /// Additional parameters, in order.
        package let extraParameters: [GetMapRequest.Parameter]

        /// Creates the request template of a tile set.
        ///
        /// - Parameter isTransparent: by default `true` if the format supports transparency. The recommendation does not
        ///   mention the parameter, but without it services draw an opaque background, which would hide the layers below.
        /// - Throws: the errors of ``WMSCTileSet/grid()``.
        package init(
            tileSet: WMSCTileSet, baseURL: NamedURL, isTiled: Bool = true, isTransparent: Bool? = nil,
            extraParameters: [GetMapRequest.Parameter] = []
        ) throws(WMSCTileSet.InvalidError) {
            self.tileSet = tileSet
            grid = try tileSet.grid()
            self.baseURL = baseURL
            self.isTiled = isTiled
            self.isTransparent = isTransparent ?? (WMSCapabilities.Format(tileSet.format).hasTransparency ? true : nil)
            self.extraParameters = extraParameters
        }

        /// Returns the request for a tile of ``grid``.
        ///
        /// Its bounding box is computed from the tile's number, and its version is 1.1.1. A tile therefore has a constant
        /// URL, which other clients use as well, so that caches store it once.
        ///
        /// - Returns: `nil` if the tile is not in the grid.
        package func request(for tile: TileIndex) -> GetMapRequest? {
            grid.extent(of: tile).map(request)
        }

        /// Returns the request for a tile with a box that is smaller by a thousandth of a pixel, for services that reject
        /// the exact one.
        ///
        /// TileCache truncates fractions, and assigns a corner slightly outside of the tile to the previous tile.
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

        /// Returns the URL of a tile of ``grid``, or `nil` if the tile is not in the grid.
        package func url(for tile: TileIndex) -> String? { request(for: tile)?.url }
    }
}

extension Extent {
    /// Returns the extent with its sides moved inwards by half a thousandth to one and a half thousandths of a pixel,
    /// with as few decimals as possible.
    fileprivate func slightlyInside(by resolution: Resolution) -> Extent {
        let thousandth = resolution.unitsPerPixel / 1000
        var unit = 1.0, perUnit = 1.0
        while unit * 10 <= thousandth { unit *= 10 }
        while 1 / perUnit > thousandth, perUnit < 1e18 { perUnit *= 10 }
        let largest = max(abs(minX), abs(minY), abs(maxX), abs(maxY))
        // Beyond the precision of a double the extent is unchanged.
        guard largest * perUnit < 1e15 else { return self }
        func up(_ side: Double) -> Double {
            let inside = side + thousandth / 2
            return unit > 1 ? (inside / unit).rounded(.up) * unit : (inside * perUnit).rounded(.up) / perUnit
        }
        return Extent(minX: up(minX), minY: up(minY), maxX: -up(-maxX), maxY: -up(-maxY)) ?? self
    }
}

extension WMSCTileSet.TileRequest {
    /// The request for untiled images with the content of the tiles, for feature info.
    ///
    /// Its extent must be replaced. It is `nil` if the extent of the set is unknown.
    package var picture: GetMapRequest? {
        guard let extent = tileSet.extent ?? grid.crs.worldExtent else { return nil }
        return GetMapRequest(
            version: .v1_1_1, baseURL: baseURL, layers: tileSet.layers, styles: tileSet.styles, crs: grid.crs,
            crsName: tileSet.crsName, extent: extent, width: 1, height: 1, format: tileSet.format,
            isTransparent: isTransparent, background: nil, extraParameters: extraParameters)
    }
}

extension WMSCTileSet {
    /// A reason why the tiles of a service cannot be requested.
    public enum InvalidError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The capabilities list no tile sets.
        case noTileSets
        /// No tile set matches the request; the texts list the available ones.
        case noMatch(offers: [String])
        /// The CRS is unknown.
        case crs(String)
        /// A tile set has no extent, and its CRS only covers a part of the world.
        case noExtent(String)
        /// The tile set in the given CRS has levels with no tiles or too many.
        case noGrid(String)

        /// The error message, in one line.
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
}
