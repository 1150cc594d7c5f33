import PortolanGeo
import PortolanRaster
import PortolanWeb

/// Decides which tiles of a pyramid a view needs, and their positions.
package struct TilePlanner {
    /// The largest number of tiles planned for one layer.
    ///
    /// A view that needs more is not drawn from that pyramid.
    package static let maximumTileCount = 4096

    /// The largest number of tiles for a view that is more than twice as coarse as the coarsest level.
    ///
    /// Most of such tiles is reduced away, but the service has to send them all.
    package static let maximumReducedTileCount = 256

    private let source: TileSource
    private let view: LayerView
    private let arrivals: Arrivals
    /// The number of pixels beyond the view that are shown.
    private let border: Int
    private var grid: TileGrid { source.grid }

    /// Creates a planner for a view.
    ///
    /// - Parameter border: the number of pixels of the tiles beyond the view that are shown.
    package init(source: TileSource, view: LayerView, arrivals: Arrivals = Arrivals(), border: Int = 0) {
        self.border = border
        self.source = source.fitted(toPixelRatio: view.viewport.pixelRatio)
        self.view = view
        self.arrivals = arrivals
    }

    /// The tiles of one copy of the world; `shift` is its eastward offset from the grid.
    private struct WorldCopy {
        var shift: Double
        var shown: TileGrid.TileRange
        var fetched: TileGrid.TileRange
    }

    /// Plans the view.
    ///
    /// The plan is empty except for a warning if the view is outside the grid.
    package func plan() throws(PlanError) -> LayerPlan {
        let seen = try ViewInSource(
            viewport: view.viewport, margin: Double(view.margin), sourceCRS: grid.crs)
        guard let seen else {
            let message = MapWarning.nothingToAsk(in: grid.crs)
            return LayerPlan(warnings: [MapWarning(.blank, layer: view.layer, message: message)])
        }
        let level = grid.level(nearest: seen.resolution)
        let copies = try copies(of: level, seen)
        let matrix = grid.matrices[level]
        let worldTiles = grid.crs.worldWidth.map { $0 / matrix.tileSpanX }
        var plan = LayerPlan(warnings: scaleWarnings(of: level), revision: revision)
        let center = (try? CoordinateTransform(from: view.viewport.crs, to: grid.crs))?(view.viewport.center)
        if let worldTiles, matrix.hasAllColumns, abs(worldTiles - Double(matrix.columnCount)) < 1e-6 {
            // Adjacent copies share one mosaic, so that there is no seam at the antimeridian.
            try add(copies, level: level, columnsPerWorld: matrix.columnCount, around: center, to: &plan)
        } else {
            for copy in copies { try add([copy], level: level, columnsPerWorld: nil, around: center, to: &plan) }
        }
        plan.keepDistinctResources()
        if copies.isEmpty {
            plan.warnings.append(
                MapWarning(
                    .blank, layer: view.layer,
                    message: "level \(matrix.id), the nearest to the view's scale, has no tiles here"))
        }
        if case .wms = source.address { plan.warnIfBlank(arrivals, layer: view.layer) }
        return plan
    }

    /// Missing tiles are replaced by coarser ones.
    ///
    /// A WMS layer also reports if all its images are blank.
    private var revision: LayerPlan.Revision {
        if case .wms = source.address { .afterArrivals } else { .afterFailures }
    }

    /// The visible copies of the world, with their tiles.
    private func copies(of level: Int, _ seen: ViewInSource) throws(PlanError) -> [WorldCopy] {
        let matrix = grid.matrices[level]
        let isReduced = seen.resolution.unitsPerPixel > 2 * matrix.resolution.unitsPerPixel
        let limit = isReduced ? Self.maximumReducedTileCount : Self.maximumTileCount
        var wanted = seen.shown
        if border > 0 {
            let pixel = max(matrix.resolution.unitsPerPixel, matrix.verticalResolution.unitsPerPixel)
            wanted = wanted.grown(by: Double(border) * pixel) ?? wanted
        }
        var copies: [WorldCopy] = []
        var count = 0
        for shift in worldShifts(of: grid.crs, in: seen.fetched.union(wanted)) {
            guard let shown = tiles(level: level, in: wanted, shift: shift) else { continue }
            let fetched = tiles(level: level, in: seen.fetched.union(wanted), shift: shift) ?? shown
            // Products of counts from a hostile grid must not overflow.
            guard fetched.columns.count <= limit, fetched.rows.count <= limit else {
                throw .tooManyTiles(limit: limit)
            }
            count += fetched.count
            guard count <= limit, count * matrix.tileWidth * matrix.tileHeight <= ImageSize.maximumPixelCount
            else { throw .tooManyTiles(limit: limit) }
            copies.append(WorldCopy(shift: shift, shown: shown, fetched: fetched))
        }
        return copies
    }

    /// A warning for each WMS layer that is not drawn at the scale of its tiles.
    private func scaleWarnings(of level: Int) -> [MapWarning] {
        guard case .wms(let request) = source.address else { return [] }
        return (request.layers(level: level, in: grid)?.warnings ?? []).map {
            MapWarning(.outOfScale, layer: view.layer, message: $0)
        }
    }

    private func tiles(level: Int, in extent: Extent, shift: Double) -> TileGrid.TileRange? {
        guard var wanted = extent.shifted(x: -shift, y: 0) else { return nil }
        if let limit = source.extent {
            guard let inside = wanted.intersection(limit) else { return nil }
            wanted = inside
        }
        return grid.tiles(level: level, in: wanted)
    }

    /// Adds the mosaic of some copies of the world, and its tiles.
    ///
    /// - Parameter centre: the middle of the view in the grid's CRS, or `nil` if it has none there.
    private func add(
        _ copies: [WorldCopy], level: Int, columnsPerWorld: Int?, around center: Coordinate?, to plan: inout LayerPlan
    ) throws(PlanError) {
        let matrix = grid.matrices[level]
        func offset(_ copy: WorldCopy) -> Int {
            guard let columnsPerWorld, let width = grid.crs.worldWidth else { return 0 }
            return Int((copy.shift / width).rounded()) * columnsPerWorld
        }
        guard let left = copies.map({ $0.shown.columns.lowerBound + offset($0) }).min(),
            let right = copies.map({ $0.shown.columns.upperBound + offset($0) }).max(),
            let first = copies.first
        else { return }
        let rows = first.shown.rows
        let top = grid.originCorner == .topLeft ? rows.lowerBound : rows.upperBound
        guard
            let size = ImageSize(
                width: (right - left + 1) * matrix.tileWidth, height: rows.count * matrix.tileHeight),
            let tileSize = ImageSize(width: matrix.tileWidth, height: matrix.tileHeight)
        else { throw .tooManyTiles(limit: Self.maximumTileCount) }
        let shift = columnsPerWorld == nil ? first.shift : 0
        let topY =
            grid.originCorner == .topLeft
            ? matrix.origin.y - Double(top) * matrix.tileSpanY : matrix.origin.y + Double(top + 1) * matrix.tileSpanY
        var mosaic = Mosaic(
            crs: grid.crs, topLeft: Coordinate(x: matrix.origin.x + Double(left) * matrix.tileSpanX + shift, y: topY),
            resolutionX: matrix.resolution.unitsPerPixel, resolutionY: matrix.verticalResolution.unitsPerPixel,
            size: size, images: [])
        mosaic.resampling = source.resampling
        for copy in copies {
            for tile in copy.fetched.indexes {
                let row = grid.originCorner == .topLeft ? tile.row - top : top - tile.row
                let isShown = copy.shown.columns.contains(tile.column) && copy.shown.rows.contains(tile.row)
                let placement = Mosaic.Placement(
                    resource: view.id(source.item(tile)), x: (tile.column + offset(copy) - left) * matrix.tileWidth,
                    y: row * matrix.tileHeight, size: tileSize)
                guard
                    let resource = source.resource(
                        tile, placement, of: mosaic, use: isShown ? .shown : .margin, around: center)
                else { continue }
                plan.resources.append(resource)
                if isShown { mosaic.images.append(shown(placement, of: tile, resource, in: &plan)) }
            }
        }
        plan.nodes.append(.mosaic(mosaic))
    }

    /// The tile to show, or the part of a coarser tile if it is missing.
    private func shown(
        _ placement: Mosaic.Placement, of tile: TileIndex, _ resource: Resource, in plan: inout LayerPlan
    ) -> Mosaic.Placement {
        var placement = placement
        placement.crop = source.crop(of: tile)
        guard arrivals.failure(resource.id) != nil else { return placement }
        for standIn in source.standIns(for: tile) {
            let id = view.id(source.item(standIn.tile))
            guard let location = source.location(of: standIn.tile) else { continue }
            var coarser = Resource(
                id: id, location: location, use: .standIn, name: source.name(of: standIn.tile),
                bounds: grid.extent(of: standIn.tile).map { LayerBounds($0, crs: grid.crs) }, rank: resource.rank,
                size: source.imageSize(of: standIn.tile))
            coarser.alternatives = source.alternatives(of: standIn.tile)
            coarser.emptyStatuses = source.emptyStatuses
            plan.resources.append(coarser)
            // Continues with the next coarser tile if this one is unavailable.
            if arrivals.failure(id) != nil { continue }
            guard arrivals.hasImage(id) else { break }
            placement.standsIn = placement.resource
            placement.resource = id
            placement.crop = standIn.crop
            break
        }
        return placement
    }
}

extension TileSource {
    /// The resource of a tile.
    fileprivate func resource(
        _ tile: TileIndex, _ placement: Mosaic.Placement, of mosaic: Mosaic, use: Resource.Use,
        around center: Coordinate?
    ) -> Resource? {
        guard let location = location(of: tile) else { return nil }
        var resource = Resource(
            id: placement.resource, location: location, use: use, name: name(of: tile),
            bounds: grid.extent(of: tile).map { LayerBounds($0, crs: grid.crs) },
            rank: mosaic.rank(of: placement, around: center), size: imageSize(of: tile))
        resource.alternatives = alternatives(of: tile)
        resource.emptyStatuses = emptyStatuses
        return resource
    }
}

extension TileSource: LayerSource {
    /// `wmsc`, `wms`, `wmts`, `tms`, `xyz`, or the format of an archive: `mbtiles`, `gpkg` or `pmtiles`.
    public var kind: String {
        switch address {
        case .xyz: "xyz"
        case .wmsc: "wmsc"
        case .wms: "wms"
        case .wmts: "wmts"
        case .tms: "tms"
        case .archive(let archive): archive.format.rawValue
        }
    }

    /// Plans the tiles that the view touches, and coarser ones in place of missing ones.
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        try TilePlanner(source: self, view: view, arrivals: arrivals).plan()
    }
}
