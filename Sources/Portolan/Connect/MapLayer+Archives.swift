package import PortolanArchives
import PortolanCodecs
import PortolanGeo
public import PortolanPlan

extension MapLayer {
    /// Creates a layer of the tiles in an MBTiles file (MBTiles 1.3) with images in Web Mercator.
    ///
    /// Levels, extent and attribution are taken from the file. A tile that is absent within the extent is missing in
    /// the picture.
    ///
    /// - Throws: ``/Portolan/MapError`` if the file cannot be read, or contains vector tiles or no image.
    public static func mbtiles(named name: String, path: String) throws(MapError) -> MapLayer {
        do { return try openMBTiles(named: name, path: path) } catch { throw MapError(error) }
    }

    /// Implements `mbtiles` with the typed error `ArchiveError`.
    package static func openMBTiles(named name: String, path: String) throws(ArchiveError) -> MapLayer {
        try OpenedTiles(mbtiles: path).layer(named: name)
    }

    /// Returns the bounds that a file states, or the extent of its finest level.
    static func bounds(of file: MBTilesFile) throws(ArchiveError) -> LayerBounds? {
        if let extent = OpenedTiles.extent(file.metadata.bounds) { return LayerBounds(extent, crs: .webMercator) }
        return try file.levels().last.flatMap { extent(of: $0) }.map { LayerBounds($0, crs: .webMercator) }
    }

    /// Returns the extent of the tiles of a level, in Web Mercator.
    private static func extent(of level: MBTilesLevel) -> Extent? {
        guard let world = CRS.webMercator.worldExtent else { return nil }
        let span = world.width / Double(1 << level.level)
        return Extent(
            minX: world.minX + Double(level.columns.lowerBound) * span,
            minY: world.maxY - Double(level.rows.upperBound + 1) * span,
            maxX: world.minX + Double(level.columns.upperBound + 1) * span,
            maxY: world.maxY - Double(level.rows.lowerBound) * span)
    }
}

extension MapLayer {
    /// A layer of the tiles of a PMTiles archive (version 3) in a file, images or vector tiles.
    ///
    /// Levels, extent and attribution are those that the archive states.
    ///
    /// - Throws: ``/Portolan/MapError`` if it cannot be read or has no tiles.
    public static func pmtiles(named name: String, path: String) throws(MapError) -> MapLayer {
        do { return try OpenedTiles(pmtiles: path).layer(named: name) } catch { throw MapError(error) }
    }
}

extension MapLayer {
    /// Creates a layer of the tiles in a GeoPackage (OGC 12-128r18, clause 2.2) with PNG, JPEG or WebP images.
    ///
    /// Any CRS that ``/PortolanGeo/CRS`` supports is allowed, as are any resolutions and non-square pixels. Absent
    /// tiles are transparent, as these tables may be sparse.
    ///
    /// - Parameter table: the tile table; `nil` for the only one.
    /// - Returns: the layer, and warnings about the file.
    /// - Throws: ``/Portolan/MapError`` if the file cannot be read, has no such table or no image, if several tables
    ///   exist and none is named, or if the CRS is undefined or unknown.
    /// - Complexity: O(tiles) in the worst case.
    public static func geoPackage(
        named name: String, path: String, table: String? = nil
    ) throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do { return try openGeoPackage(named: name, path: path, table: table) } catch { throw MapError(error) }
    }

    /// Implements `geoPackage` with the typed error `ArchiveError`.
    static func openGeoPackage(
        named name: String, path: String, table: String?
    ) throws(ArchiveError) -> (layer: MapLayer, warnings: [MapWarning]) {
        let absolute = FileAddress.path(of: path)
        let file = try GeoPackageFile(path: absolute)
        let pyramid = try file.pyramid(of: table)
        guard let bytes = try file.anyTile(of: pyramid.table) else {
            throw ArchiveError(.wrongFormat, place: path, detail: "no images in the table '\(pyramid.table)'")
        }
        // A damaged tile is a gap. With an unsupported image format there is nothing to draw.
        do { _ = try ImageDecoders.standard.size(of: bytes) } catch  where error.code == .unsupported {
            throw ArchiveError(.wrongFormat, place: path, detail: "cannot decode its tiles as images: \(error)")
        } catch {}
        let grid = try grid(of: pyramid, path: path)
        var layer = MapLayer(
            name: name,
            source: TileSource(
                grid: grid,
                address: .archive(TileArchive(format: .geoPackage, path: absolute, table: pyramid.table))))
        layer.bounds = grid.extent(ofLevel: grid.matrices.count - 1).map { LayerBounds($0, crs: grid.crs) }
        return (layer, file.warnings)
    }

    static func grid(of pyramid: GeoPackagePyramid, path: String) throws(ArchiveError) -> TileGrid {
        let crs = try crs(of: pyramid, path: path)
        var matrices: [TileGrid.Matrix] = []
        for level in pyramid.matrices {
            guard let resolution = Resolution(unitsPerPixel: level.pixelWidth),
                let height = Resolution(unitsPerPixel: level.pixelHeight),
                let matrix = TileGrid.Matrix(
                    id: String(level.level), resolution: resolution, verticalResolution: height,
                    tileWidth: level.tileWidth, tileHeight: level.tileHeight,
                    origin: Coordinate(x: pyramid.minX, y: pyramid.maxY), columnCount: level.columnCount,
                    rowCount: level.rowCount, columns: level.columns, rows: level.rows)
            else {
                throw ArchiveError(
                    .damaged, place: path,
                    detail:
                        "invalid row in gpkg_tile_matrix for level \(level.level) of '\(pyramid.table)': "
                        + "\(level.columnCount) by \(level.rowCount) tiles of \(level.tileWidth) by \(level.tileHeight) "
                        + "pixels of \(level.pixelWidth) by \(level.pixelHeight)")
            }
            matrices.append(matrix)
        }
        guard let grid = TileGrid(crs: crs, originCorner: .topLeft, matrices: matrices) else {
            throw ArchiveError(.wrongFormat, place: path, detail: "no levels in the table '\(pyramid.table)'")
        }
        return grid
    }

    private static func crs(of pyramid: GeoPackagePyramid, path: String) throws(ArchiveError) -> CRS {
        guard pyramid.systemID != 0, pyramid.systemID != -1 else {
            throw ArchiveError(
                .wrongFormat, place: path,
                detail:
                    "undefined coordinate system of the table '\(pyramid.table)' (srs_id \(pyramid.systemID)), "
                    + "so its location is unknown; assign one, as with gdal_translate -a_srs")
        }
        guard let organization = pyramid.organization else {
            throw ArchiveError(
                .damaged, place: path,
                detail:
                    "the coordinate system of the table '\(pyramid.table)' (srs_id \(pyramid.systemID)) is missing in "
                    + "gpkg_spatial_ref_sys")
        }
        let name = "\(organization):\(pyramid.organizationCode)"
        do { return try CRS(name) } catch {
            throw ArchiveError(
                .wrongFormat, place: path,
                detail: "unknown coordinate system of the table '\(pyramid.table)': \(error)")
        }
    }
}
