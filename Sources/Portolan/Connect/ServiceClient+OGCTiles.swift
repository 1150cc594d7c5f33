import PortolanCodecs
public import PortolanGeo
public import PortolanPlan
import PortolanServices
public import PortolanWeb

extension ServiceClient {
    /// The options of an OGC API Tiles or Maps layer.
    public struct MapCollectionOptions: Hashable, Sendable {
        /// The collections, the lowest first.
        ///
        /// Tiles need exactly one; empty for the map of the whole dataset.
        public var collections: [String]
        /// The tile matrix set, by the last part of its URI, such as `WebMercatorQuad`; `nil` for the best.
        public var matrixSet: String?
        /// The media type of images, or `nil` for the best.
        public var format: String?
        /// The CRS of map requests, in any spelling, or `nil` for the best.
        public var crsName: String?

        /// Creates a choice.
        public init(
            collections: [String] = [], matrixSet: String? = nil, format: String? = nil, crsName: String? = nil
        ) {
            self.collections = collections
            self.matrixSet = matrixSet
            self.format = format
            self.crsName = crsName
        }
    }

    private static let tilesetRelations = ["tilesets-map", "tiles", "tilesets"]

    /// Creates a layer of OGC API map tiles (OGC 20-057).
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - url: the URL of the landing page, the collections, a collection, a list of tile sets or a tile set.
    ///   - choice: the options of the layer.
    ///   - mapCRS: the CRS of the map. A tile matrix set in this CRS is preferred; otherwise the best fit is used.
    /// - Returns: the layer, and warnings about the documents.
    /// - Throws: ``MapError``.
    public func ogcTilesLayer(
        named name: String, url: String, options choice: MapCollectionOptions = MapCollectionOptions(),
        mapCRS: CRS = .webMercator
    ) async throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do {
            return try await connectOGCTiles(
                named: name, url: url, options: choice, mapCRS: mapCRS)
        } catch { throw MapError(error) }
    }

    /// Implements `ogcTilesLayer` with the typed error `ServiceError`.
    package func connectOGCTiles(
        named name: String, url: String, options choice: MapCollectionOptions = MapCollectionOptions(),
        mapCRS: CRS = .webMercator
    ) async throws(ServiceError) -> (layer: MapLayer, warnings: [MapWarning]) {
        let place = try await tilesets(at: url, choice)
        // URLs in a document are requested with the document as origin.
        let named = asked(by: place.address.origin)
        let (document, base) = try await named.tileDocument(at: place.address.text)
        let set: OGCAPITileset, shared: [OGCAPILink], setBase: BaseURL
        switch document {
        case .tileJSON: return try await named.connectTileJSON(named: name, url: place.address.text)
        case .arcGIS: throw ServiceError(.otherKind(.arcGIS, text: ""), url: url)
        case .tileset(let only): (set, shared, setBase) = (only, [], base)
        case .tilesets(let sets, let links):
            let chosen = try best(of: sets, choice, mapCRS: mapCRS, at: url)
            shared = links
            // A list may suffice; the document of a tile set has its limits.
            let own = APILocation(base).address(of: chosen.links, leadingTo: "self")
            let isWhole = chosen.links.contains { $0.leads(to: "item") }
            if let own, !isWhole || chosen.limits.isEmpty, own.text != place.address.text,
                let found = try await found(at: own, isNeeded: !isWhole && !shared.contains { $0.leads(to: "item") })
            {
                (set, setBase) = (found.set.matrixSet == nil ? chosen : found.set, found.base)
            } else {
                (set, setBase) = (chosen, base)
            }
        }
        var warnings = place.warnings
        var grid = try await grid(of: set, in: setBase, at: url, &warnings)
        let items = set.links + shared, picture = itemLink(of: items, format: choice.format)
        let vectors = picture == nil && choice.format == nil ? vectorLink(of: items) : nil
        guard let href = picture ?? vectors?.link else {
            throw ServiceError(
                .notOffered, url: url,
                detail: "no tile URL in the tile set" + (choice.format.map { " as \($0)" } ?? ""))
        }
        var values = [
            "tilematrixsetid": set.matrixSet ?? "", "tilematrixset": set.matrixSet ?? "", "styleid": "default",
        ]
        values["collectionid"] = place.collection ?? choice.collections.first
        // Rows are counted from the origin corner of the grid.
        let template = try template(
            href.href, in: setBase, values: values, countsFromBottom: grid.originCorner == .bottomLeft)
        let extent = Self.extent(of: set, in: grid)
        let bounds = place.box.flatMap { LayerBounds(geographic: $0) } ?? extent.map { LayerBounds($0, crs: grid.crs) }
        if vectors != nil, grid.matrices.first?.tileWidth == 256, let denser = grid.denser(by: 2) { grid = denser }
        var tiles = TileSource(grid: grid, address: .xyz(template), extent: extent)
        if vectors != nil { tiles.emptyStatuses = OpenedTiles.emptyStatuses }
        let opened = OpenedTiles(
            tiles: tiles, isVector: vectors != nil, isMLT: vectors?.isMLT ?? false, bounds: bounds, warnings: warnings)
        return (opened.layer(named: name), warnings)
    }

    /// Returns the tile set at a URL, or `nil` if none exists and it is optional.
    private func found(
        at place: NamedURL, isNeeded: Bool
    ) async throws(ServiceError) -> (set: OGCAPITileset, base: BaseURL)? {
        do {
            let (document, base) = try await asked(by: place.origin).tileDocument(at: place.text)
            if case .tileset(let set) = document { return (set, base) }
        } catch { if isNeeded || error.code == .cancelled { throw error } }
        guard isNeeded else { return nil }
        throw ServiceError(.ogcAPI(.otherDocument("no tile set")), url: place.text, code: .unreadable)
    }

    /// The location of a list of tile sets, or of a single tile set.
    private struct TileSetLocation {
        var address: NamedURL
        var collection: String?
        var box: BoundingBox?
        var warnings: [MapWarning] = []
    }

    private func tilesets(at url: String, _ choice: MapCollectionOptions) async throws(ServiceError) -> TileSetLocation
    {
        let asked = NamedURL(url, namedBy: origin)
        guard choice.collections.count <= 1 else {
            throw ServiceError(.notOffered, url: url, detail: "tiles are per collection; add one layer for each")
        }
        let document: OGCAPIDocument, base: BaseURL
        do { (document, base) = try await apiDocument(at: asked) } catch {
            // The URL may be that of tile sets.
            guard case .ogcAPI(.otherDocument) = error.cause else {
                guard case .otherKind(let kind, _) = error.cause, [.json, .tileJSON].contains(kind) else { throw error }
                return TileSetLocation(address: asked)
            }
            return TileSetLocation(address: asked)
        }
        if case .landing(let landing) = document, choice.collections.isEmpty,
            let place = address(of: landing.links, in: base, leadingTo: Self.tilesetRelations)
        {
            return TileSetLocation(address: place)
        }
        if case .collection(let collection) = document {
            // A tile set may have an `id`, like a collection.
            let isTileset = collection.links.contains { $0.leads(to: "item") && $0.href.contains("{") }
            return isTileset ? TileSetLocation(address: asked) : try tilesets(of: collection, in: base, at: url)
        }
        let offered = try await readFeatureCollections(of: url)
        let having = offered.collections.filter { collection in
            address(of: collection.links, in: offered.base, leadingTo: Self.tilesetRelations) != nil
        }
        guard let collection = try collection(choice.collections.first, of: having, at: url) else {
            throw ServiceError(.ogcAPI(.noLink("map tiles")), url: url)
        }
        var place = try tilesets(of: collection, in: offered.base, at: url)
        place.warnings = offered.warnings
        return place
    }

    private func tilesets(
        of collection: OGCAPICollection, in base: BaseURL, at url: String
    ) throws(ServiceError) -> TileSetLocation {
        guard let place = address(of: collection.links, in: base, leadingTo: Self.tilesetRelations) else {
            throw ServiceError(.ogcAPI(.noLink("the map tiles of '\(collection.identifier)'")), url: url)
        }
        return TileSetLocation(address: place, collection: collection.identifier, box: collection.geographicBox)
    }

    /// Returns the collection with a name; without a name, the only collection, or `nil` if none exist.
    func collection(
        _ name: String?, of collections: [OGCAPICollection], at url: String
    ) throws(ServiceError) -> OGCAPICollection? {
        let names = collections.map(\.identifier)
        guard let name else {
            if collections.count <= 1 { return collections.first }
            throw ServiceError(
                .notOffered, url: url,
                detail: "it has several collections; choose with layers: \(names.prefix(20).joined(separator: ", "))")
        }
        if let found = collections.first(where: { $0.identifier == name }) { return found }
        throw ServiceError(
            .ogcAPI(
                .collectionNotFound(name, suggestion: NearName.nearest(to: name, in: names), offers: names)), url: url)
    }

    func address(of links: [OGCAPILink], in base: BaseURL, leadingTo relations: [String]) -> NamedURL? {
        relations.lazy.compactMap { APILocation(base).address(of: links, leadingTo: $0) }.first
    }

    private func best(
        of sets: [OGCAPITileset], _ choice: MapCollectionOptions, mapCRS: CRS, at url: String
    ) throws(ServiceError) -> OGCAPITileset {
        // Image tiles have the appearance that the service chose, so they are preferred to vector tiles.
        let all = sets.filter(\.mayBePictures), pictures = all.isEmpty ? sets : all
        guard !pictures.isEmpty else { throw ServiceError(.notOffered, url: url, detail: "no tile sets") }
        let names = pictures.map { $0.matrixSet ?? $0.title }
        if let wanted = choice.matrixSet {
            if let set = pictures.first(where: { [$0.matrixSet, $0.matrixSetURI, $0.title].contains(wanted) }) {
                return set
            }
            throw ServiceError(
                .notOffered, url: url,
                detail: "unknown tile set '\(wanted)'; available: \(names.prefix(20).joined(separator: ", "))")
        }
        func cost(_ set: OGCAPITileset) -> Int {
            let name = set.crsName ?? set.matrixSet.flatMap { OGCTileMatrixSet.known($0)?.crs.name }
            guard let crs = name.flatMap({ try? CRS($0) }) else { return 3 }
            return crs == mapCRS ? 0 : crs.hasCoordinates(of: mapCRS) ? 1 : 2
        }
        return pictures.min { cost($0) < cost($1) } ?? pictures[0]
    }

    /// Returns the link to tiles in the given format, or else to PNG, WebP or JPEG in this order.
    private func itemLink(of links: [OGCAPILink], format: String?) -> OGCAPILink? {
        let items = links.filter { $0.leads(to: "item") && $0.href.contains("{") }
        func type(_ link: OGCAPILink) -> String { MediaType(link.type ?? "").essence }
        if let format {
            let wanted = MediaType(MediaType.text(ofImages: format)).essence
            return items.first { type($0) == wanted }
        }
        // WebP, if it can be decoded, precedes JPEG because it supports transparency.
        let lossy = ImageFormat.webp.isDecodable ? ["image/webp", "image/jpeg"] : ["image/jpeg", "image/webp"]
        for wanted in ["image/png"] + lossy {
            if let link = items.first(where: { type($0) == wanted }) { return link }
        }
        return items.first { type($0).hasPrefix("image/") || type($0).isEmpty }
    }

    /// The link to vector tiles: Mapbox Vector Tiles before MapLibre Tiles.
    private func vectorLink(of links: [OGCAPILink]) -> (link: OGCAPILink, isMLT: Bool)? {
        let items = links.filter { $0.leads(to: "item") && $0.href.contains("{") }
        func link(_ types: [String]) -> OGCAPILink? {
            items.first { types.contains(MediaType($0.type ?? "").essence) }
        }
        if let mvt = link(["application/vnd.mapbox-vector-tile", "application/x-protobuf"]) { return (mvt, false) }
        return link(["application/vnd.maplibre-vector-tile", "application/vnd.maplibre-tile"]).map { ($0, true) }
    }

    private func grid(
        of set: OGCAPITileset, in base: BaseURL, at url: String, _ warnings: inout [MapWarning]
    ) async throws(ServiceError) -> TileGrid {
        var whole = set.matrixSet.flatMap(OGCTileMatrixSet.known)
        if whole == nil, let place = address(of: set.links, in: base, leadingTo: ["tiling-scheme", "tiling-schemes"]) {
            let (members, _) = try await members(at: place)
            do throws(OGCAPIError) {
                let described = try OGCTileMatrixSet(members)
                warnings += described.warnings
                whole = described.grid
            } catch { throw ServiceError(.ogcAPI(error), url: place.text) }
        }
        if whole == nil, let crs = set.crsName.flatMap({ try? CRS($0) }), crs.hasCoordinates(of: .webMercator) {
            warnings.append(
                MapWarning(
                    .service,
                    message:
                        "the tile set does not describe its grid '\(set.matrixSet ?? "")'; using that of "
                        + "WebMercatorQuad"))
            whole = OGCTileMatrixSet.known("WebMercatorQuad")
        }
        guard let whole else { throw ServiceError(.ogcAPI(.noLink("the tile grid")), url: url) }
        guard !set.limits.isEmpty else { return whole }
        let limited = whole.matrices.compactMap { matrix in
            set.limits[matrix.id].flatMap { matrix.limited(to: $0.columns, $0.rows) }
        }
        guard let grid = TileGrid(crs: whole.crs, originCorner: whole.originCorner, matrices: limited) else {
            warnings.append(
                MapWarning(.service, message: "the tile set's limits name no tile of its grid; ignored"))
            return whole
        }
        return grid
    }

    /// Returns the part of a grid with tiles, or `nil` if it is unknown or outside the grid.
    private static func extent(of set: OGCAPITileset, in grid: TileGrid) -> Extent? {
        guard let (box, crs) = set.box else { return nil }
        let isInDegrees = crs?.isGeographic ?? (max(abs(box.minX), abs(box.maxX)) <= 360 && abs(box.maxY) <= 90)
        let extent =
            isInDegrees
            ? GeographicBounds([box.minX, box.minY, box.maxX, box.maxY])?.extent(in: grid.crs)
            : box.extent.flatMap { LayerBounds($0, crs: crs ?? grid.crs).extent(in: grid.crs) }
        return extent.flatMap { grid.extent(ofLevel: 0)?.intersection($0) == nil ? nil : $0 }
    }
}
