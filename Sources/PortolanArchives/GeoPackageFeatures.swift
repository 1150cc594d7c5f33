public import PortolanFeatures
public import PortolanFormats
import PortolanGeo
import PortolanSQLite
import PortolanWeb
import Synchronization

/// The feature tables in a GeoPackage (OGC 12-128r18, clause 2.1), read only.
///
/// Queries with a bounding box use the table's R-tree (extension `gpkg_rtree_index`) if available. Coordinates have x
/// first, regardless of the axis order of their CRS; curves become chords. Blobs are not included in the properties.
public final class GeoPackageFeatures: FeatureDataset {
    private struct Column {
        let name: String
        /// Whether its integers are Booleans.
        let isTruth: Bool
    }

    private struct Table {
        let layer: FeatureLayerDescription
        /// Whether the CRS of its coordinates is undefined.
        let isUndefined: Bool
        let geometry: String
        let key: String?
        let columns: [Column]
        let hasIndex: Bool
    }

    /// `GeoPackage`.
    public var name: String { "GeoPackage" }

    /// The tables in alphabetical order.
    public var layers: [FeatureLayerDescription] { tables.map(\.layer) }

    private let path: String
    private let tables: [Table]
    private let connection: Mutex<SQLiteConnection>

    /// Opens a file.
    ///
    /// - Throws: ``ArchiveError``.
    public init(path: String) throws(ArchiveError) {
        self.path = path
        var tables: [Table] = []
        let opened: SQLiteConnection
        do throws(SQLiteError) {
            opened = try SQLiteConnection(path: path, access: .reading)
            var found: [(name: String, geometry: String, srs: Int)] = []
            try opened.run(
                """
                SELECT c.table_name, g.column_name, g.srs_id FROM gpkg_contents c JOIN gpkg_geometry_columns g \
                ON g.table_name = c.table_name WHERE c.data_type = 'features' \
                AND length(c.table_name) BETWEEN 1 AND \(GeoPackageFile.maximumNameLength) \
                AND instr(c.table_name, char(0)) = 0 ORDER BY c.table_name LIMIT \(GeoPackageFile.maximumTableCount)
                """
            ) { row in found.append((row.text(0), row.text(1), row.integer(2))) }
            for (name, geometry, srs) in found { tables.append(try Self.table(name, geometry, srs, in: opened)) }
        } catch { throw ArchiveError(error, at: path, expected: .geoPackage) }
        self.tables = tables
        connection = Mutex(opened)
    }

    private static func table(
        _ name: String, _ geometry: String, _ srs: Int, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Table {
        var columns: [Column] = [], key: String?
        try connection.run("SELECT name, upper(type), pk FROM pragma_table_info(?) LIMIT 2000", [.text(name)]) { row in
            let column = Column(name: row.text(0), isTruth: row.text(1) == "BOOLEAN")
            if row.integer(2) == 1 { key = column.name } else if column.name != geometry { columns.append(column) }
        }
        var crs: CRS?, isUndefined = srs <= 0
        // −1 and 0 mean undefined systems (requirement 11).
        if srs > 0 {
            var code: Int?, definition = "", organization = ""
            try connection.run(
                """
                SELECT upper(organization), organization_coordsys_id, definition FROM gpkg_spatial_ref_sys \
                WHERE srs_id = ? LIMIT 1
                """, [.int(srs)]
            ) { row in
                organization = row.text(0)
                if organization == "EPSG" { code = row.integer(1) }
                definition = row.text(2)
            }
            crs = code.flatMap { CRS.epsg($0) } ?? (try? CRS(wellKnownText: definition))
            // GDAL writes 99999 for layers without a CRS.
            let system = definition.lowercased()
            isUndefined =
                crs == nil && (organization == "NONE" || system == "undefined" || system.contains("\"undefined srs\""))
                || srs == 99999
            if isUndefined {
                crs = nil
            } else if crs == nil {
                crs = CRS(name: "srs_id \(srs)", axisOrder: .eastNorth, unit: .meter)
            }
            if crs == .epsg4326 || crs == .crs84 { crs = nil }
        }
        let index = "rtree_\(name)_\(geometry)"
        let hasIndex =
            try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = ?", [.text(index)]) ?? 0 > 0
        return Table(
            layer: FeatureLayerDescription(name: name, crs: crs), isUndefined: isUndefined, geometry: geometry,
            key: key,
            columns: columns, hasIndex: hasIndex)
    }

    /// Reads the features of a table.
    ///
    /// - Throws: ``FeatureFileError``; its detail lists the tables if there is no table with the name, or several to
    ///   choose from.
    /// - Complexity: O(features in the box) with an index, otherwise O(features in the table).
    public func read(_ query: FeatureQuery, limits: FeatureLimits) throws -> FeatureCollection {
        let table = try table(query.layer)
        var gathering = try FeatureGathering(name, limits: limits, documentLength: 0)
        if table.isUndefined {
            gathering.warn(.note, "undefined coordinate system; coordinates are read as degrees")
        }
        let quoted = SQLiteConnection.quoted, geometry = quoted(table.geometry)
        var names = [
            table.key.map(quoted) ?? "NULL",
            geometry,
        ]
        names += table.columns.map { quoted($0.name) }
        var source = "FROM \(quoted(table.layer.name))"
        var values: [SQLiteValue] = []
        if let box = query.box, table.hasIndex, let key = table.key {
            let index = quoted("rtree_\(table.layer.name)_\(table.geometry)")
            source +=
                " WHERE \(quoted(key)) IN (SELECT id FROM \(index) WHERE maxx >= ? AND minx <= ? AND maxy >= ? AND miny <= ?)"
            values = [.real(box.minX), .real(box.maxX), .real(box.minY), .real(box.maxY)]
        }
        var fault: FeatureFileError?
        var reader = RowReader(table: table, box: query.box, limits: limits)
        do throws(SQLiteError) {
            try connection.withLock { connection throws(SQLiteError) in
                if query.box == nil, let key = table.key {
                    // The last row ID approximates the number of features; each row takes at least one byte.
                    let last = try connection.integer("SELECT max(\(quoted(key))) FROM \(quoted(table.layer.name))")
                    let pages = try connection.integer("PRAGMA page_count") ?? 0
                    let size = try connection.integer("PRAGMA page_size") ?? 0
                    gathering.expect(min(last ?? 0, pages * size / 32))
                }
                try connection.scan(names, source, values) { row in
                    do throws(FeatureFileError) { try reader.add(row, to: &gathering) } catch { fault = error }
                    return fault == nil
                }
            }
        } catch {
            let code: FeatureFileError.Code =
                switch error.kind {
                case .cancelled: .cancelled
                case .tooLong, .memory, .endless: .limitExceeded
                default: .unreadable
                }
            throw FeatureFileError(code, in: name, "\(ArchiveError(error, at: path))")
        }
        if let fault { throw fault }
        return gathering.collection(crs: table.layer.crs)
    }

    /// Creates features from rows.
    private struct RowReader {
        let table: Table
        let box: BoundingBox?
        let limits: FeatureLimits
        /// A reusable buffer for the bytes of a geometry.
        private var shape: [UInt8] = []

        init(table: Table, box: BoundingBox?, limits: FeatureLimits) {
            self.table = table
            self.box = box
            self.limits = limits
        }

        mutating func add(
            _ row: borrowing SQLiteRow, to gathering: inout FeatureGathering
        ) throws(FeatureFileError) {
            var geometry: Geometry?
            let number = gathering.features.count + 1
            if !row.isNull(1) {
                shape.removeAll(keepingCapacity: true)
                row.withBytes(1) { shape.append(copying: $0) }
                // A geometry may be as long as a whole file of another format.
                if shape.count > 1 << 16 { try gathering.checkCancellation() }
                do throws(FeatureFileError) {
                    let read = try WKB.read(shape, limits: limits).geometry
                    if !read.isEmpty { geometry = read }
                } catch {
                    guard error.code != .limitExceeded else { throw error }
                    let words = error.detail
                    gathering.warn(.omitted, feature: "\(number)", "cannot read its geometry: \(words)")
                }
            }
            if let box {
                guard let own = geometry?.boundingBox, own.minX <= box.maxX, own.maxX >= box.minX,
                    own.minY <= box.maxY, own.maxY >= box.minY
                else { return }
            }
            try gathering.add(
                Feature(
                    id: row.isNull(0) ? nil : .integer(row.integer(0)), geometry: geometry, properties: properties(row)),
                at: .record(number))
        }

        private func properties(_ row: borrowing SQLiteRow) -> Properties {
            var properties: [Properties.Element] = []
            properties.reserveCapacity(table.columns.count)
            for index in table.columns.indices {
                let place = Int32(2 + index)
                let value: PropertyValue
                switch row.kind(place) {
                case .integer:
                    let number = row.integer(place)
                    value = table.columns[index].isTruth ? .bool(number != 0) : .integer(number)
                case .real:
                    let number = row.real(place)
                    value = number.isFinite ? .number(number) : .null
                case .text: value = .string(row.text(place))
                case .null: value = .null
                case .blob: continue
                }
                properties.append(Properties.Element(name: table.columns[index].name, value: value))
            }
            return Properties(distinct: properties)
        }
    }

    private func table(_ name: String?) throws(FeatureFileError) -> Table {
        let listed = tables.prefix(20).map { "'\($0.layer.name)'" }.joined(separator: ", ")
        guard let name else {
            if tables.count == 1 { return tables[0] }
            throw FeatureFileError(
                .unsupported, in: self.name,
                tables.isEmpty
                    ? "no feature table" : "it has several layers; choose one with layer=: \(listed)")
        }
        guard let table = tables.first(where: { $0.layer.name == name }) else {
            throw FeatureFileError(.unsupported, in: self.name, "unknown layer '\(name)'; available: \(listed)")
        }
        return table
    }
}

extension GeoPackageFeatures: IndexedFeatureDataset {
    /// Returns whether the table has an R-tree.
    package func isIndexed(layer: String?) -> Bool {
        guard let table = try? table(layer) else { return false }
        return table.hasIndex && table.key != nil
    }
}
