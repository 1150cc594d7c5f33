public import PortolanFeatures
package import PortolanGeo
package import PortolanServices
import PortolanStyles
package import PortolanVectorTiles
import PortolanWeb

/// Vector tiles (Mapbox Vector Tile, MapLibre Tile), drawn by a style sheet or by declarations for all their features.
///
/// Features that tiles cut are joined before they are drawn: areas are filled without seams, outlines do not follow
/// tile borders, lines continue with their dashes and labels, and each feature is identified once. A failed tile is
/// replaced by a coarser one, and a tile that the server does not have is empty.
///
/// In a style it is a source of the type `vector`; see ``StyleSource``:
///
/// ```swift
/// let template = try XYZTemplate("https://tiles.example.org/{z}/{x}/{y}.mvt")
/// if let grid = TileGrid.webMercator(tileSize: 512) {
///     let tiles = VectorTileSource(tiles: TileSource(grid: grid, address: .xyz(template)))
///     layers.append(MapLayer(name: "city", source: StyleSource(sheet, sources: ["openmaptiles": tiles])))
/// }
/// ```
public struct VectorTileSource: Sendable {
    /// The grid, the addresses and the extent of the tiles.
    ///
    /// The grid has tiles of 512 pixels.
    public let tiles: TileSource

    /// The encoding of the tiles.
    package let encoding: VectorTileEncoding

    /// The drawn layers from the lowest, or `nil` for all.
    ///
    /// In a style sheet, the style decides.
    public var layers: [String]?

    /// The table whose values features get as attributes, and as their state in a style sheet, or `nil`.
    public var join: FeatureJoin?

    /// The declarations for features that no style sheet draws.
    package var style = StyleDeclaration()

    /// The attribute that replaces the feature identifiers of the tiles, by layer.
    package var promotedIDs = PromotedIDs()

    /// The layers and attributes of the tiles, as the source describes them; empty if it does not.
    package var descriptions: [VectorLayerDescription] = []

    /// The extent of the tiles in an archive that states none, or `nil`; only for views that show the whole layer.
    package var contentBounds: LayerBounds?

    /// The extent that the source states, or else that of its tiles; `nil` if both are unknown.
    package var knownBounds: LayerBounds? { bounds ?? contentBounds }

    let memory = VectorTileMemory()

    /// Creates a source of Mapbox Vector Tiles.
    public init(tiles: TileSource) { self.init(tiles: tiles, encoding: .mvt) }

    package init(tiles: TileSource, encoding: VectorTileEncoding) {
        self.tiles = tiles
        self.encoding = encoding
    }

    /// Returns the source limited to a range of levels and an extent.
    ///
    /// - Parameters:
    ///   - levels: the first and the last level; `nil` leaves one unchanged.
    ///   - extent: in units of the grid's CRS.
    package func limited(to levels: (first: Int?, last: Int?), extent: Extent?) -> VectorTileSource {
        let kept = tiles.grid.matrices.filter { matrix in
            guard let number = Int(matrix.id) else { return true }
            return number >= levels.first ?? 0 && number <= levels.last ?? .max
        }
        let grid = TileGrid(crs: tiles.grid.crs, originCorner: tiles.grid.originCorner, matrices: kept) ?? tiles.grid
        let own = tiles.extent
        var limited = TileSource(
            grid: grid, address: tiles.address,
            extent: extent.map { extent in own.flatMap { $0.intersection(extent) } ?? extent } ?? own)
        limited.emptyStatuses = tiles.emptyStatuses
        var source = VectorTileSource(tiles: limited, encoding: encoding)
        (source.layers, source.style, source.promotedIDs) = (layers, style, promotedIDs)
        (source.descriptions, source.contentBounds) = (descriptions, contentBounds)
        source.join = join
        return source
    }

    /// The attributes that identify features (MapLibre Style Specification, Sources, `promoteId`).
    package struct PromotedIDs: Hashable, Sendable {
        private let common: String?
        private let byLayer: [String: String]

        package init(common: String? = nil, byLayer: [String: String] = [:]) {
            self.common = common
            self.byLayer = byLayer
        }

        /// The attribute that identifies the features of a layer, or `nil`.
        package subscript(layer: String) -> String? { byLayer[layer] ?? common }
    }
}

extension VectorTileSource: Equatable {
    /// Returns whether two sources draw the same.
    public static func == (left: VectorTileSource, right: VectorTileSource) -> Bool {
        left.tiles == right.tiles && left.encoding == right.encoding && left.layers == right.layers
            && left.style == right.style && left.promotedIDs == right.promotedIDs && left.join == right.join
    }
}

extension VectorTileSource: LayerSource {
    /// `vector`.
    public var kind: String { "vector" }

    /// The extent of the tiles.
    public var bounds: LayerBounds? { tiles.extent.map { LayerBounds($0, crs: tiles.grid.crs) } }

    /// Plans the tiles of the view, and their features with the declared style.
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        let selection = layers.map { VectorTileSelection.layers($0) } ?? .all
        var plan = LayerPlan(revision: .afterArrivals)
        guard let found = try tiles(for: view, given: arrivals, selection: { _ in selection }, in: &plan),
            !(view.isDraft && found.isWaiting)
        else { return plan }
        var outcome = JoinOutcome()
        for name in layers ?? found.layerNames {
            let features = memory.features(of: name, in: found, self, bends: view.viewport.crs != tiles.grid.crs, style)
            outcome.add(features.joinOutcome)
            let own = try features.plan(for: view, given: arrivals)
            plan.resources += own.resources
            plan.nodes += own.nodes
            plan.warnings += own.warnings
        }
        if let join { plan.warnings += outcome.warnings(join, isWhole: false).map { $0.about(layer: view.layer) } }
        plan.keepDistinctResources()
        return plan
    }

    /// Adds the tiles of the view to a plan's resources and returns them, or `nil` if there are none.
    func tiles(
        for view: LayerView, given arrivals: Arrivals,
        selection: (_ zooms: Range<Double>?) -> VectorTileSelection, in plan: inout LayerPlan
    ) throws(PlanError) -> VectorTileView? {
        let planner = VectorTilePlanner(self, view: view, arrivals: arrivals)
        let zoom = view.viewport.styleZoom
        guard let found = try planner.tiles(at: zoom, selection: selection) else {
            plan.warnings.append(blankWarning(at: zoom, layer: view.layer))
            return nil
        }
        plan.resources += found.resources
        // The world may be seen several times.
        plan.keepDistinctResources()
        let tiles = found.pieces.map(\.tile.tile), faultCount = tiles.reduce(0) { $0 + $1.faultCount }
        if faultCount > 0, let first = tiles.lazy.compactMap(\.faults.first).first {
            plan.warnings.append(
                MapWarning(
                    .data, layer: view.layer, effect: .omitted,
                    message: "\(faultCount) invalid parts of vector tiles are left out; the first: \(first)"))
        }
        if found.resources.isEmpty { plan.warnings.append(blankWarning(at: zoom, layer: view.layer)) }
        return found
    }

    private func blankWarning(at zoom: Double, layer: String) -> MapWarning {
        if tiles.grid.crs == .webMercator, let first = tiles.grid.matrices.first.flatMap({ Double($0.id) }),
            zoom < first
        {
            return MapWarning(
                .outOfScale, layer: layer,
                message: "the vector tiles begin at level \(Int(first)); the view is farther out")
        }
        return MapWarning(.blank, layer: layer, message: "there are no vector tiles here")
    }
}

extension MapLayer {
    /// The vector tiles that the layer draws without a style sheet, or `nil` if it has another kind of source.
    public var vectorTiles: VectorTileSource? { source as? VectorTileSource }
}
