package import PortolanFeatures
package import PortolanGeo
import PortolanRaster
import PortolanServices
import PortolanWeb

/// Elevations in tiles (images of a `raster-dem` source, or bands of a GeoTIFF), and how they are drawn.
///
/// The tiles of a view are joined with those beside it before anything is computed, so that shades and lines have no seams.
package struct TerrainSource: Sendable {
    /// The grid and the addresses of the tiles.
    package let tiles: TileSource
    /// The form in which tiles hold elevations.
    package let encoding: ElevationEncoding
    /// How they are drawn, unless a style decides.
    package var look: TerrainLook

    let memory = TerrainMemory()

    /// The number of samples beyond the view, which shades at its edge depend on.
    static let border = 3

    package init(tiles: TileSource, encoding: ElevationEncoding, look: TerrainLook) {
        self.tiles = tiles
        self.encoding = encoding
        self.look = look
    }
}

extension TerrainSource: Equatable {
    /// Returns whether two sources draw the same.
    package static func == (left: TerrainSource, right: TerrainSource) -> Bool {
        left.tiles == right.tiles && left.encoding == right.encoding && left.look == right.look
    }
}

extension TerrainSource: LayerSource {
    /// `hillshade`, `color-relief`, `slope`, `aspect` or `contours`.
    package var kind: String {
        switch look {
        case .hillshade, .styleShade: "hillshade"
        case .colorRelief: "color-relief"
        case .slope: "slope"
        case .aspect: "aspect"
        case .contours: "contours"
        }
    }

    /// The extent of the tiles.
    package var bounds: LayerBounds? { tiles.extent.map { LayerBounds($0, crs: tiles.grid.crs) } }

    /// Plans the tiles of the view and those beside it, and what is drawn once all have arrived.
    package func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        let terrain = try self.terrain(for: view, given: arrivals)
        var plan = terrain.plan
        guard !(view.isDraft && terrain.isWaiting) else { return plan }
        guard case .contours(let contours) = look else {
            plan.nodes = pictures(of: terrain, as: look, for: view)
            plan.legendSymbols = [look.legendSymbol(over: terrain.range)].compactMap(\.self)
            return plan
        }
        let meters = view.viewport.resolution.unitsPerPixel * view.viewport.crs.metersPerUnit
        let interval = contours.interval(atScale: meters)
        for piece in terrain.pieces {
            let lines = memory.contours(of: piece, contours, interval: interval)
            if let used = lines.coarserInterval {
                plan.warnings.append(
                    MapWarning(
                        .limited, layer: view.layer,
                        message:
                            "contours every \(NumberText.decimal(interval)) are too many here; drawn every "
                            + "\(NumberText.decimal(used))"))
            }
            for features in [lines.lines, lines.indexLines] {
                let own = try features.plan(for: view, given: arrivals)
                plan.resources += own.resources
                plan.nodes += own.nodes
                plan.warnings += own.warnings
            }
        }
        plan.keepDistinctResources()
        return plan
    }
}

extension TerrainSource {
    /// Plans the tiles of a view, and joins those that have arrived.
    func terrain(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> TerrainView {
        var plan = try TilePlanner(source: tiles, view: view, arrivals: arrivals, border: Self.border).plan()
        let mosaics = plan.nodes.flatMap(\.mosaics)
        plan.nodes = []
        plan.resources = plan.resources.map { $0.read(as: encoding) }
        plan.revision = .afterArrivals
        var terrain = TerrainView(plan: plan)
        terrain.isWaiting = plan.resources.contains {
            ($0.use == .shown || $0.use == .standIn) && !arrivals.isKnown($0.id)
        }
        guard !(view.isDraft && terrain.isWaiting),
            let seen = try ViewInSource.fetched(view.viewport, margin: 0, sourceCRS: tiles.grid.crs)
        else { return terrain }
        let limit = max(1 << 24, 4 * view.viewport.imageSize.pixelCount)
        for mosaic in mosaics {
            let window = TerrainWindow(mosaic, showing: seen, border: Self.border, given: arrivals)
            guard let window else { continue }
            guard window.sampleCount <= limit else {
                throw .notDrawable(
                    "the view has \(window.sampleCount) elevations, more than \(limit); zoom in, or give the source coarser "
                        + "levels")
            }
            terrain.pieces.append(memory.piece(of: window, given: arrivals))
        }
        return terrain
    }

    /// Returns the pictures of joined elevations.
    func pictures(of terrain: TerrainView, as look: TerrainLook, for view: LayerView) -> [Scene.Node] {
        terrain.pieces.enumerated().compactMap { number, piece in
            guard let size = ImageSize(width: piece.grid.width, height: piece.grid.height) else { return nil }
            let picture = memory.picture(of: piece, as: look)
            var mosaic = Mosaic(
                crs: tiles.grid.crs, topLeft: piece.window.topLeft, resolutionX: piece.window.resolution.x,
                resolutionY: piece.window.resolution.y, size: size,
                images: [
                    Mosaic.Placement(resource: view.id(.other("elevations \(number)")), x: 0, y: 0, size: size)
                ])
            mosaic.made = picture
            return .mosaic(mosaic)
        }
    }

    /// Returns the elevation, the slope and the direction in which the ground falls at a view pixel, or `nil` without data.
    ///
    /// - Parameter arrivals: the resources of a view around the pixel.
    package func facts(
        at pixel: Coordinate, in view: LayerView, given arrivals: Arrivals
    ) -> (elevation: Double, slope: Double?, aspect: Double?)? {
        guard let terrain = try? self.terrain(for: view, given: arrivals),
            let transform = try? CoordinateTransform(from: view.viewport.crs, to: tiles.grid.crs),
            let place = transform(pixel)
        else { return nil }
        for piece in terrain.pieces {
            let window = piece.window
            let x = (place.x - window.topLeft.x) / window.resolution.x - 0.5
            let y = (window.topLeft.y - place.y) / window.resolution.y - 0.5
            let elevation = piece.grid.value(atX: x, y: y)
            guard elevation.isFinite else { continue }
            let column = min(max(Int(x.rounded()), 0), piece.grid.width - 1)
            let row = min(max(Int(y.rounded()), 0), piece.grid.height - 1)
            let gradient = TerrainGradient(piece.grid, spacing: piece.spacing)(column, row)
            return (
                elevation, gradient.map { TerrainGradient.slope(east: $0.east, north: $0.north) },
                gradient.flatMap { TerrainGradient.aspect(east: $0.east, north: $0.north) }
            )
        }
        return nil
    }
}

extension MapLayer {
    /// The elevations that the layer draws, or `nil` if it has another kind of source.
    package var terrain: TerrainSource? { source as? TerrainSource }
}

extension TerrainSource {
    /// Returns the resource of a tile, or `nil` if the grid does not contain it.
    package func resource(of tile: TileIndex) -> Resource? {
        guard let location = tiles.location(of: tile) else { return nil }
        var resource = Resource(
            id: Resource.ID(layer: "elevations", .tile(tile)), location: location, name: tiles.name(of: tile)
        ).read(as: encoding)
        resource.emptyStatuses = tiles.emptyStatuses
        return resource
    }
}
