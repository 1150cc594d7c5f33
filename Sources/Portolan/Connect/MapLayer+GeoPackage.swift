public import PortolanArchives
import PortolanCodecs
import PortolanGeo
public import PortolanPlan

extension MapLayer {
    /// A layer of the tiles of a GeoPackage (OGC 12-128r18, clause 2.2) with images in PNG or JPEG.
    ///
    /// The coordinate system may be any that ``/PortolanGeo/CRS`` knows, the levels of any resolutions, their pixels higher
    /// than wide. A tile that the table lacks is transparent: such tables may be sparse.
    ///
    /// - Parameter table: the table of tiles; the only one when `nil`.
    /// - Returns: the layer, and what is odd about the file, a sentence each.
    /// - Throws: ``/PortolanArchives/ArchiveError`` when the file cannot be read, has no such table or no image, when several
    ///   tables are to choose from, or the coordinate system is undefined or not known.
    /// - Complexity: O(tiles) in the worst case.
    public static func geoPackage(
        named name: String, path: String, table: String? = nil
    ) throws(ArchiveError) -> (layer: MapLayer, warnings: [String]) {
        let absolute = FileAddress.path(of: path)
        let file = try GeoPackageFile(path: absolute)
        let pyramid = try file.pyramid(of: table)
        guard let bytes = try file.anyTile(of: pyramid.table) else {
            throw ArchiveError(.wrongFormat, place: path, detail: "the table '\(pyramid.table)' has no images")
        }
        // A damaged tile is a hole; a format that is not read leaves nothing to draw.
        do { _ = try ImageDecoders.standard.size(of: bytes) } catch  where error.code == .unsupported {
            throw ArchiveError(.wrongFormat, place: path, detail: "its tiles cannot be read as images: \(error)")
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
        var matrices: [TileMatrix] = []
        for level in pyramid.matrices {
            guard let resolution = Resolution(unitsPerPixel: level.pixelWidth),
                let height = Resolution(unitsPerPixel: level.pixelHeight),
                let matrix = TileMatrix(
                    id: String(level.level), resolution: resolution, verticalResolution: height,
                    tileWidth: level.tileWidth, tileHeight: level.tileHeight,
                    origin: Coordinate(x: pyramid.minX, y: pyramid.maxY), columnCount: level.columnCount,
                    rowCount: level.rowCount, columns: level.columns, rows: level.rows)
            else {
                throw ArchiveError(
                    .damaged, place: path,
                    detail:
                        "the row of gpkg_tile_matrix about level \(level.level) of '\(pyramid.table)' is impossible: "
                        + "\(level.columnCount) by \(level.rowCount) tiles of \(level.tileWidth) by \(level.tileHeight) "
                        + "pixels of \(level.pixelWidth) by \(level.pixelHeight)")
            }
            matrices.append(matrix)
        }
        guard let grid = TileGrid(crs: crs, originCorner: .topLeft, matrices: matrices) else {
            throw ArchiveError(.wrongFormat, place: path, detail: "the table '\(pyramid.table)' has no levels")
        }
        return grid
    }

    private static func crs(of pyramid: GeoPackagePyramid, path: String) throws(ArchiveError) -> CRS {
        guard pyramid.systemID != 0, pyramid.systemID != -1 else {
            throw ArchiveError(
                .wrongFormat, place: path,
                detail:
                    "the coordinate system of the table '\(pyramid.table)' is undefined (srs_id \(pyramid.systemID)), "
                    + "so its place on earth is not known; give it one, as with gdal_translate -a_srs")
        }
        guard let organization = pyramid.organization else {
            throw ArchiveError(
                .damaged, place: path,
                detail: "the coordinate system of the table '\(pyramid.table)' (srs_id \(pyramid.systemID)) is not in "
                    + "gpkg_spatial_ref_sys")
        }
        let name = "\(organization):\(pyramid.organizationCode)"
        do { return try CRS(name) } catch {
            throw ArchiveError(
                .wrongFormat, place: path,
                detail: "the coordinate system of the table '\(pyramid.table)' is not known: \(error)")
        }
    }
}
