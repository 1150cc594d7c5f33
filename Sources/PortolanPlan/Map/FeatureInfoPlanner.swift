package import PortolanGeo
package import PortolanRaster
package import PortolanServices
import PortolanWeb

/// Decides which pixel of which picture or tile a service is asked about, for a place on a view.
package struct FeatureInfoPlanner {
    /// The side of the small picture that is asked about where the drawn one cannot be, in pixels; odd, so that the place
    /// is in its middle.
    private static let side = 101

    let viewport: Viewport
    let pixel: Point
    private let traits: ServiceTraits

    /// Makes a planner for a view and a view pixel.
    ///
    /// - Parameter traits: how services were found to draw.
    package init(viewport: Viewport, pixel: Point, traits: ServiceTraits = ServiceTraits()) {
        self.viewport = viewport
        self.pixel = pixel
        self.traits = traits
    }

    /// The question, or `nil` when the place lies outside what the service's CRS has.
    ///
    /// Where the layer is drawn from one upright picture, the question is about that very picture, so that servers draw
    /// and answer at one scale and caches know it. Where the view is rotated, or its picture is made of several, it is
    /// about a small upright picture around the place, with pixels as large.
    ///
    /// - Parameter isSmall: whether it shall be about the small picture in any case.
    package func request(
        to template: WMSFeatureInfoTemplate, of layer: MapLayer, infoFormat: String, featureCount: Int,
        isSmall: Bool = false
    ) throws(PlanError) -> GetFeatureInfoRequest? {
        let crs = template.map.crs
        let transform: CoordinateTransform
        do { transform = try CoordinateTransform(from: viewport.crs, to: crs) } catch {
            throw .notTransformable(error)
        }
        guard let place = transform(viewport.coordinate(at: pixel)), place.isFinite else { return nil }
        let drawn = isSmall ? nil : try drawnFrame(of: layer, around: place)
        let small = drawn == nil ? try smallFrame(in: crs, around: place) : nil
        guard let frame = drawn ?? small else { return nil }
        var request = template.request(
            extent: frame.extent, width: frame.width, height: frame.height, column: frame.column, row: frame.row,
            infoFormat: infoFormat, featureCount: max(featureCount, 1))
        // Symbols as large as in the picture are hit as there.
        request.map = request.map.enlarged(byPixelRatio: viewport.pixelRatio)
        // QGIS Server tells shapes when it is asked to.
        request.extraParameters = [GetMapRequest.Parameter("WITH_GEOMETRY", "TRUE")]
        if drawn == nil { request.extraParameters += tolerances }
        return request
    }

    /// The tolerances that QGIS Server has in a picture as wide as the view, in pixels.
    ///
    /// It takes them for a part of the picture's width, so that a small picture would have nearly none.
    private var tolerances: [GetMapRequest.Parameter] {
        let parts = [("FI_POINT_TOLERANCE", 100), ("FI_LINE_TOLERANCE", 200), ("FI_POLYGON_TOLERANCE", 400)]
        return parts.map { name, part in
            GetMapRequest.Parameter(name, String(max(viewport.imageSize.width / part, 1)))
        }
    }

    private struct Frame {
        let extent: Extent
        let width: Int
        let height: Int
        let column: Int
        let row: Int

        /// The pixel of a picture that shows a place, or `nil` when the picture does not.
        init?(_ extent: Extent, width: Int, height: Int, showing place: Coordinate) {
            // The noise of fractions must not move a place at a pixel's border into the one before.
            let noise = 1e-6
            let column = ((place.x - extent.minX) / extent.width * Double(width) + noise).rounded(.down)
            let row = ((extent.maxY - place.y) / extent.height * Double(height) + noise).rounded(.down)
            // On the far edges a place is in the last pixel.
            guard column >= 0, row >= 0, column <= Double(width), row <= Double(height) else { return nil }
            self.extent = extent
            self.width = width
            self.height = height
            self.column = min(Int(column), width - 1)
            self.row = min(Int(row), height - 1)
        }
    }

    /// The picture that the layer is drawn from, when it is one, upright, and shows the place.
    private func drawnFrame(of layer: MapLayer, around place: Coordinate) throws(PlanError) -> Frame? {
        guard let source = layer.source as? WMSSource, viewport.rotation == 0,
            let planned = try WMSPlanner(
                source: source.limited(to: traits[source.request.baseURL.text]), viewport: viewport, margin: 0
            ).planned().mosaics.first
        else { return nil }
        let mosaic = planned.frame
        guard let image = planned.images.first, planned.images.count == 1, image.size == mosaic.size, image.crop == nil,
            let extent = Extent(
                minX: mosaic.topLeft.x, minY: mosaic.topLeft.y - mosaic.resolutionY * Double(mosaic.size.height),
                maxX: mosaic.topLeft.x + mosaic.resolutionX * Double(mosaic.size.width), maxY: mosaic.topLeft.y)
        else { return nil }
        if let world = source.crs.worldExtent, extent.minX < world.minX || extent.maxX > world.maxX { return nil }
        return Frame(
            extent.roundedForRequest, width: image.size.width, height: image.size.height, showing: place)
    }

    private func smallFrame(in crs: CRS, around place: Coordinate) throws(PlanError) -> Frame? {
        guard let view = try ViewInSource(viewport: viewport, margin: 0, sourceCRS: crs) else { return nil }
        let span = Double(Self.side) * view.resolution.unitsPerPixel
        var place = place
        var minX = place.x - span / 2, minY = place.y - span / 2
        if let world = crs.worldExtent {
            guard place.y >= world.minY, place.y <= world.maxY else { return nil }
            // The copy of the world that servers have; and no picture reaches over its ends.
            let width = world.width
            place.x -= ((place.x - world.center.x) / width).rounded() * width
            minX = max(min(place.x - span / 2, world.maxX - span), world.minX)
            minY = max(min(place.y - span / 2, world.maxY - span), world.minY)
        }
        guard let extent = Extent(minX: minX, minY: minY, maxX: minX + span, maxY: minY + span) else { return nil }
        return Frame(extent.roundedForRequest, width: Self.side, height: Self.side, showing: place)
    }
}

extension FeatureInfoPlanner {
    /// A pixel of a tile.
    package struct TilePixel: Hashable, Sendable {
        package let tile: TileIndex
        /// From 0 at the left of the tile.
        package let column: Int
        /// From 0 at the top of the tile.
        package let row: Int
    }

    /// The pixel that shows the place, of a tile of the level that the view is drawn from; `nil` where there is no tile.
    package func pixel(of source: TileSource) throws(PlanError) -> TilePixel? {
        let grid = source.grid
        let transform: CoordinateTransform
        do { transform = try CoordinateTransform(from: viewport.crs, to: grid.crs) } catch {
            throw .notTransformable(error)
        }
        guard var place = transform(viewport.coordinate(at: pixel)), place.isFinite,
            let view = try ViewInSource(viewport: viewport, margin: 0, sourceCRS: grid.crs)
        else { return nil }
        if let world = grid.crs.worldExtent {
            place.x -= ((place.x - world.center.x) / world.width).rounded() * world.width
        }
        if let limit = source.extent {
            guard (limit.minX...limit.maxX).contains(place.x), (limit.minY...limit.maxY).contains(place.y) else {
                return nil
            }
        }
        let level = grid.level(nearest: view.resolution), matrix = grid.matrices[level]
        // The noise of fractions must not move a place at a pixel's border into the one before.
        let noise = 1e-6
        let rows = Double(matrix.rowCount)
        let across = (place.x - matrix.origin.x) / matrix.tileSpanX + noise / Double(matrix.tileWidth)
        let down = (matrix.origin.y - place.y) / matrix.tileSpanY + noise / Double(matrix.tileHeight)
        let fromTop = grid.originCorner == .topLeft ? down : down + rows
        // On the far edges a place is in the last tile.
        guard across >= 0, fromTop >= 0, across < Double(matrix.columnCount) + 1e-3, fromTop < rows + 1e-3 else {
            return nil
        }
        let line = min(Int(fromTop), matrix.rowCount - 1)
        guard
            let tile = grid.tile(
                level: level, column: min(Int(across), matrix.columnCount - 1),
                row: grid.originCorner == .topLeft ? line : matrix.rowCount - 1 - line),
            let extent = grid.extent(of: tile)
        else { return nil }
        let column = ((place.x - extent.minX) / extent.width * Double(matrix.tileWidth) + noise).rounded(.down)
        let row = ((extent.maxY - place.y) / extent.height * Double(matrix.tileHeight) + noise).rounded(.down)
        return TilePixel(
            tile: tile, column: min(max(Int(column), 0), matrix.tileWidth - 1),
            row: min(max(Int(row), 0), matrix.tileHeight - 1))
    }
}
