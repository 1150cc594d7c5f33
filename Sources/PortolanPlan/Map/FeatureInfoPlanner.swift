package import PortolanGeo
package import PortolanRaster
package import PortolanServices
import PortolanWeb

/// Decides which pixel of which picture or tile a service is queried for.
package struct FeatureInfoPlanner {
    /// The side of the small query picture in pixels, for layers whose drawn picture cannot be queried.
    ///
    /// It is odd, so that the queried position is in the middle.
    private static let side = 101

    let viewport: Viewport
    let pixel: Point
    private let traits: ServiceTraits

    /// Creates a planner for a view and a view pixel.
    ///
    /// - Parameter traits: the limits that services were found to have.
    package init(viewport: Viewport, pixel: Point, traits: ServiceTraits = ServiceTraits()) {
        self.viewport = viewport
        self.pixel = pixel
        self.traits = traits
    }

    /// The query, or `nil` if the position is outside the domain of the service's CRS.
    ///
    /// If the layer is drawn from one upright picture, the query refers to that picture, so that servers draw and
    /// answer at the same scale and caches have it. If the view is rotated, or its picture consists of several, the
    /// query refers to a small upright picture around the position, with pixels of the same size.
    ///
    /// - Parameter isSmall: whether to use the small picture in any case.
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
        // Symbols are hit at the size at which they are drawn.
        request.map = request.map.enlarged(byPixelRatio: viewport.pixelRatio)
        // QGIS Server returns shapes on request.
        request.extraParameters = [GetMapRequest.Parameter("WITH_GEOMETRY", "TRUE")]
        if drawn == nil { request.extraParameters += tolerances }
        return request
    }

    /// The tolerances that QGIS Server has in a picture as wide as the view, in pixels.
    ///
    /// The server derives them from the picture width, so that a small picture would have almost none.
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

        /// The pixel of a picture that shows a coordinate, or `nil` if the picture does not show it.
        init?(_ extent: Extent, width: Int, height: Int, showing place: Coordinate) {
            // Rounding noise must not move a coordinate at a pixel border into the previous pixel.
            let noise = 1e-6
            let column = ((place.x - extent.minX) / extent.width * Double(width) + noise).rounded(.down)
            let row = ((extent.maxY - place.y) / extent.height * Double(height) + noise).rounded(.down)
            // Coordinates on the far edges are in the last pixel.
            guard column >= 0, row >= 0, column <= Double(width), row <= Double(height) else { return nil }
            self.extent = extent
            self.width = width
            self.height = height
            self.column = min(Int(column), width - 1)
            self.row = min(Int(row), height - 1)
        }
    }

    /// The picture from which the layer is drawn, if it is a single upright one that shows the coordinate.
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
            // Servers only have the original copy of the world, and no picture extends beyond its ends.
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

    /// The pixel that shows the position, in a tile of the level from which the view is drawn, or `nil` if there is no
    /// tile.
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
        // Rounding noise must not move a coordinate at a pixel border into the previous pixel.
        let noise = 1e-6
        let rows = Double(matrix.rowCount)
        let across = (place.x - matrix.origin.x) / matrix.tileSpanX + noise / Double(matrix.tileWidth)
        let down = (matrix.origin.y - place.y) / matrix.tileSpanY + noise / Double(matrix.tileHeight)
        let fromTop = grid.originCorner == .topLeft ? down : down + rows
        // Coordinates on the far edges are in the last tile.
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
