package import PortolanArchives
import PortolanCodecs
import PortolanGeo
package import PortolanPlan
package import PortolanServices
import PortolanVectorTiles
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
        package var tileCount: Int?
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
        /// The layers of vector tiles, as the metadata or else some tiles describe them; empty for images.
        package var vectorLayers: [VectorLayerDescription] = []
        /// The attribution, or `nil`.
        package var attribution: String?
        /// The levels with tiles, the coarsest first.
        package var levels: [Level]
        /// The width and height of tiles in pixels; empty if they are not known.
        fileprivate var tileSize: [Int] = []
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
        case .pmtiles: try self.init(pmtiles: absolute)
        case nil:
            throw ArchiveError(
                .wrongFormat, place: path, detail: "this file is neither PMTiles, MBTiles nor a GeoPackage")
        }
    }

    private init(mbtiles path: String) throws(ArchiveError) {
        let file = try MBTilesFile(path: path)
        let metadata = file.metadata, found = try file.levels()
        kind = .mbtiles
        var table = try Table(metadata, bounds: MapLayer.bounds(of: file), sample: file.anyTile())
        table.add(found.map { ($0.level, $0.tileCount) })
        if table.isVector, table.vectorLayers.isEmpty {
            var summary = VectorLayerSummary()
            for level in found {
                for place in try file.places(ofLevel: level.level, count: Self.sampleCount) {
                    summary.add(
                        try file.tile(level: level.level, column: place.column, row: place.row), metadata, level.level)
                }
            }
            table.vectorLayers = summary.descriptions
        }
        tables = [table]
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

    private init(pmtiles path: String) throws(ArchiveError) {
        let file = try PMTilesFile(path: path), counts = try file.tileCounts()
        kind = .pmtiles
        otherTables = []
        warnings = counts.isEmpty ? [MapWarning(.data, message: "it has no tiles")] : []
        var table = try Table(
            file.metadata, bounds: OpenedTiles.extent(file.metadata.bounds).map { LayerBounds($0, crs: .webMercator) },
            sample: file.anyTile())
        table.add(counts)
        if table.isVector, table.vectorLayers.isEmpty {
            var summary = VectorLayerSummary(), sampled: [Int: Int] = [:],
                places: [(level: Int, column: Int, row: Int)] = []
            try file.forEachEntry { entry in
                guard let index = entry.tile.index else { return true }
                if sampled[index.level, default: 0] < Self.sampleCount {
                    sampled[index.level, default: 0] += 1
                    places.append(index)
                }
                return true
            }
            for (level, column, row) in places {
                summary.add(try file.tile(level: level, column: column, row: row), file.metadata, level)
            }
            table.vectorLayers = summary.descriptions
        }
        tables = [table]
    }

    /// The contents of a PMTiles archive on a server, as its header and metadata state them.
    init(_ metadata: MBTilesMetadata, sample: [UInt8]?) {
        kind = .pmtiles
        otherTables = []
        warnings = []
        var table = Table(
            metadata, bounds: OpenedTiles.extent(metadata.bounds).map { LayerBounds($0, crs: .webMercator) },
            sample: sample)
        table.add((metadata.levels ?? 0...0).map { ($0, nil) })
        if table.isVector, table.vectorLayers.isEmpty {
            var summary = VectorLayerSummary()
            summary.add(sample, metadata, metadata.levels?.lowerBound ?? 0)
            table.vectorLayers = summary.descriptions
        }
        tables = [table]
    }

    /// The number of tiles of each level that are read where the metadata do not describe the layers.
    private static let sampleCount = 4

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

    fileprivate static func format(of bytes: [UInt8]?) -> String? {
        bytes.flatMap { ImageFormat(recognizing: $0)?.mediaType }
    }

    fileprivate static func size(of bytes: [UInt8]?) -> [Int] {
        guard let bytes, let size = try? ImageDecoders.standard.size(of: bytes) else { return [] }
        return [size.width, size.height]
    }
}

extension TileArchiveContents.Table {
    /// Whether the tiles hold vector data.
    var isVector: Bool { format?.contains("vector-tile") ?? false }

    /// Makes the table of an archive in web mercator, without levels.
    fileprivate init(_ metadata: MBTilesMetadata, bounds: LayerBounds?, sample: [UInt8]?) {
        var format = TileArchiveContents.format(of: sample)
        if format == nil, metadata.isVector || sample?.starts(with: [0x1F, 0x8B]) ?? false {
            format = metadata.isMLT ? "application/vnd.maplibre-vector-tile" : "application/vnd.mapbox-vector-tile"
        }
        self.init(
            name: metadata.name, title: nil, crs: CRS.webMercator.name, bounds: bounds, format: format,
            attribution: metadata.attribution, levels: [])
        vectorLayers = metadata.vectorLayers
        tileSize =
            isVector
            ? [OpenedTiles.vectorTileSize, OpenedTiles.vectorTileSize] : TileArchiveContents.size(of: sample)
    }

    /// Adds the levels, with the number of tiles of each.
    fileprivate mutating func add(_ counts: [(level: Int, count: Int?)]) {
        let world = CRS.webMercator.worldExtent?.width ?? 0, side = Double(tileSize.first ?? 256)
        levels += counts.map { level, count in
            TileArchiveContents.Level(
                number: level, resolution: world / Double(1 << level) / side, tileSize: tileSize, tileCount: count)
        }
    }
}

extension VectorLayerSummary {
    /// Adds a tile of an archive; one that cannot be decoded is omitted.
    fileprivate mutating func add(_ bytes: [UInt8]?, _ metadata: MBTilesMetadata, _ level: Int) {
        guard let bytes, let tile = try? VectorTile(bytes, encoding: metadata.isMLT ? .mlt : .mvt) else { return }
        add(tile, level: level)
    }
}
