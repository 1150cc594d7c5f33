package import PortolanArchives
import PortolanCodecs
import PortolanGeo
package import PortolanPlan
import PortolanWeb

/// The contents of an MBTiles file or of the tiles in a GeoPackage.
///
/// ```swift
/// let contents = try TileArchiveContents(path: "harbour.mbtiles")
/// for table in contents.tables { print(table.name, table.levels.count) }
/// ```
package struct TileArchiveContents: Hashable, Sendable {
    /// One level of tiles.
    package struct Level: Hashable, Sendable {
        /// The level's number.
        package var number: Int
        /// Units of the table's CRS per pixel.
        package var resolution: Double
        /// Width and height of a tile in pixels.
        package var tileSize: [Int]
        /// The number of tiles.
        package var tileCount: Int
    }

    /// A tile pyramid.
    ///
    /// An MBTiles file has one.
    package struct Table: Hashable, Sendable {
        /// The name to select it by; for MBTiles the title.
        package var name: String
        /// The title, or `nil`.
        package var title: String?
        /// The name of its CRS.
        package var crs: String
        /// The bounds of its tiles in units of its CRS, or `nil` if unknown.
        package var bounds: LayerBounds?
        /// The media type of its tiles, determined from one of them, or `nil` if they are not images.
        package var format: String?
        /// The attribution, or `nil`.
        package var attribution: String?
        /// The levels with tiles, the coarsest first.
        package var levels: [Level]
    }

    /// The kind of file.
    package var kind: TileArchiveKind
    /// The pyramids.
    package var tables: [Table]
    /// The GeoPackage tables with features or coverages, which are not drawn.
    package var otherTables: [String]
    /// Warnings about the file.
    package var warnings: [MapWarning]

    /// Reads the contents of a file.
    ///
    /// - Throws: ``MapError`` if it cannot be read, or has no tiles that can be drawn.
    /// - Complexity: O(tiles).
    package init(path: String) throws(MapError) {
        do { try self.init(at: path) } catch { throw MapError(error) }
    }

    /// Creates the contents of a file, with the typed error `ArchiveError`.
    package init(at path: String) throws(ArchiveError) {
        let absolute = FileAddress.path(of: path)
        switch try TileArchiveKind(path: absolute) {
        case .mbtiles: try self.init(mbtiles: absolute)
        case .geoPackage: try self.init(geoPackage: absolute, shownAs: path)
        case nil:
            throw ArchiveError(
                .wrongFormat, place: path, detail: "this SQLite file is neither MBTiles nor a GeoPackage")
        }
    }

    private init(mbtiles path: String) throws(ArchiveError) {
        let file = try MBTilesFile(path: path)
        let metadata = file.metadata, size = try Self.size(of: file.anyTile())
        let side = size.first ?? 256
        let found = try file.levels()
        let bounds = try MapLayer.bounds(of: file)
        kind = .mbtiles
        tables = [
            Table(
                name: metadata.name, title: nil, crs: CRS.webMercator.name, bounds: bounds,
                format: try Self.format(of: file.anyTile()), attribution: metadata.attribution,
                levels: found.map { level in
                    let world = CRS.webMercator.worldExtent?.width ?? 0
                    return Level(
                        number: level.level, resolution: world / Double(1 << level.level) / Double(side),
                        tileSize: size, tileCount: level.tileCount)
                })
        ]
        otherTables = []
        warnings = []
        let stated = metadata.levels.map { Array($0) } ?? []
        let missing = stated.filter { number in !found.contains { $0.level == number } }
        if !missing.isEmpty, !found.isEmpty {
            warnings.append(
                MapWarning(
                    .data,
                    message:
                        "levels declared without tiles: \(missing.map(String.init).joined(separator: ", "))"
                ))
        }
        if found.isEmpty { warnings.append(MapWarning(.data, message: "no tiles")) }
    }

    private init(geoPackage path: String, shownAs shown: String) throws(ArchiveError) {
        let file = try GeoPackageFile(path: path)
        kind = .geoPackage
        otherTables = file.otherTables
        warnings = file.warnings
        tables = []
        for name in file.tileTables {
            do throws(ArchiveError) {
                let pyramid = try file.pyramid(of: name)
                let grid = try? MapLayer.grid(of: pyramid, path: shown)
                var table = Table(
                    name: name, title: pyramid.title,
                    crs: pyramid.organization.map { "\($0):\(pyramid.organizationCode)" }
                        ?? "srs_id \(pyramid.systemID)",
                    bounds: grid.flatMap { grid in
                        grid.extent(ofLevel: grid.matrices.count - 1).map { LayerBounds($0, crs: grid.crs) }
                    }, format: try Self.format(of: file.anyTile(of: name)), attribution: nil, levels: [])
                for level in pyramid.matrices {
                    table.levels.append(
                        Level(
                            number: level.level, resolution: level.pixelWidth,
                            tileSize: [level.tileWidth, level.tileHeight],
                            tileCount: try file.tileCount(of: name, level: level.level)))
                }
                if grid == nil {
                    warnings.append(
                        MapWarning(
                            .data, message: "table '\(name)': unknown grid or coordinate system"))
                }
                tables.append(table)
            } catch {
                // The other tables are still usable.
                guard file.tileTables.count > 1 else { throw error }
                warnings.append(MapWarning(.data, message: "table '\(name)': \(error.detail)"))
            }
        }
    }

    private static func format(of bytes: [UInt8]?) -> String? {
        bytes.flatMap { ImageFormat(recognizing: $0)?.mediaType }
    }

    private static func size(of bytes: [UInt8]?) -> [Int] {
        guard let bytes, let size = try? ImageDecoders.standard.size(of: bytes) else { return [] }
        return [size.width, size.height]
    }
}
