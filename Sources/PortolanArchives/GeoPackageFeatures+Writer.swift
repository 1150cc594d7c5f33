public import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanSQLite

extension GeoPackageFeatures {
    /// Writes features into a new GeoPackage (OGC 12-128r18) with one table, whose columns are the properties.
    ///
    /// Numbers, texts and Booleans are columns of their type. Lists, objects and properties of several types become text.
    /// Integer identifiers are kept as keys if they are unique. The table has an R-tree, so that programs read
    /// only what a view shows.
    public enum Writer {
        /// The maximum number of columns in a table; further properties are an error.
        public static let maximumColumnCount = 1000

        /// The types of columns, in SQL.
        private enum Kind: String {
            case boolean = "BOOLEAN"
            case integer = "INTEGER"
            case real = "REAL"
            case text = "TEXT"

            /// Returns the type that can hold values of both.
            func joined(_ other: Kind) -> Kind {
                if self == other { return self }
                let both: Set<Kind> = [self, other]
                return both == [.integer, .real] ? .real : .text
            }
        }

        private struct Column {
            /// The name of the property.
            let property: String
            /// The name of the column; column names ignore case.
            let name: String
            let kind: Kind
        }

        /// Writes a file, which must not exist yet.
        ///
        /// - Parameters:
        ///   - path: the path of the file.
        ///   - table: the name of the table; characters other than ASCII letters and digits become `_`.
        /// - Throws: ``ArchiveError`` if it cannot be written, or there are too many properties.
        /// - Complexity: O(*n*) in the features and their coordinates.
        public static func write(_ collection: FeatureCollection, to path: String, table: String) throws(ArchiveError) {
            let columns = columns(of: collection)
            guard columns.count <= maximumColumnCount else {
                throw ArchiveError(
                    .invalid, place: path,
                    detail: "\(columns.count) properties exceed the limit of \(maximumColumnCount) columns")
            }
            let table = GeoPackageSchema.tableName(table, otherwise: "features_")
            do throws(SQLiteError) {
                let connection = try SQLiteConnection(path: path, access: .writing)
                try GeoPackageSchema.mark(connection)
                try connection.transaction { () throws(SQLiteError) in
                    let system = try layOut(connection, collection)
                    try fill(connection, collection, table, columns, system)
                }
            } catch { throw ArchiveError(error, at: path) }
        }

        /// Returns the columns in the order in which the properties first occur.
        private static func columns(of collection: FeatureCollection) -> [Column] {
            var kinds: [String: Kind] = [:]
            var order: [String] = []
            var seen: Set<String> = []
            for feature in collection.features {
                for member in feature.properties {
                    if seen.insert(member.name).inserted { order.append(member.name) }
                    guard let kind = kind(of: member.value) else { continue }
                    kinds[member.name] = kinds[member.name]?.joined(kind) ?? kind
                }
            }
            var taken: Set<String> = ["fid", "geom"]
            return order.map { property in
                var name = property.isEmpty ? "property" : property.replacing("\0", with: "")
                var number = 2
                while !taken.insert(name.lowercased()).inserted {
                    name = "\(property)_\(number)"
                    number += 1
                }
                return Column(property: property, name: name, kind: kinds[property] ?? .text)
            }
        }

        private static func kind(of value: PropertyValue) -> Kind? {
            switch value {
            case .null: nil
            case .bool: .boolean
            case .integer: .integer
            case .number: .real
            case .string, .array, .object: .text
            }
        }

        /// Creates the tables of a feature GeoPackage, and returns the ID of the CRS.
        private static func layOut(
            _ connection: SQLiteConnection, _ collection: FeatureCollection
        ) throws(SQLiteError) -> Int {
            let system = try GeoPackageSchema.layOut(connection, in: collection.effectiveCRS)
            try connection.run(
                """
                CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, \
                geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL, \
                CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name), \
                CONSTRAINT uk_gc_table_name UNIQUE (table_name), \
                CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name), \
                CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id))
                """)
            return system
        }

        private static func fill(
            _ connection: SQLiteConnection, _ collection: FeatureCollection, _ table: String, _ columns: [Column],
            _ system: Int
        ) throws(SQLiteError) {
            let quoted = SQLiteConnection.quoted
            let declared = columns.map { ", \(quoted($0.name)) \($0.kind.rawValue)" }.joined()
            try connection.run(
                "CREATE TABLE \(quoted(table)) (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom GEOMETRY\(declared))"
            )
            let kinds = Set(collection.features.compactMap { $0.geometry?.kind })
            let hasAltitudes = collection.features.contains { $0.geometry?.altitudes.isEmpty == false }
            let box = collection.boundingBox
            try connection.run(
                """
                INSERT INTO gpkg_contents (table_name, data_type, identifier, min_x, min_y, max_x, max_y, srs_id) \
                VALUES (?, 'features', ?, ?, ?, ?, ?, ?)
                """,
                [.text(table), .text(table)] + [box?.minX, box?.minY, box?.maxX, box?.maxY].map { .real(orNull: $0) }
                    + [.int(system)])
            try connection.run(
                "INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', ?, ?, ?, 0)",
                [
                    .text(table), .text(kinds.count == 1 ? typeName(kinds.first) : "GEOMETRY"), .int(system),
                    .int(hasAltitudes ? 2 : 0),
                ])
            let marks = String(repeating: ", ?", count: columns.count + 1)
            let insert = "INSERT INTO \(quoted(table)) VALUES (?\(marks))"
            let keys = collection.features.map { feature -> Int? in
                if case .integer(let key)? = feature.id { key } else { nil }
            }
            let areKeys = Set(keys.compactMap { $0 }).count == collection.features.count
            let index = try GeoPackageIndex(of: table, geometry: "geom", key: "fid", on: connection)
            for (number, (feature, key)) in zip(collection.features, keys).enumerated() {
                var values: [SQLiteValue] = [
                    areKeys ? key.map { .int($0) } ?? .null : .null,
                    feature.geometry.map { .blob(blob(of: $0, system)) } ?? .null,
                ]
                for column in columns { values.append(value(feature.properties[column.property], column.kind)) }
                try connection.run(insert, values)
                // Without keys the rows are counted from one.
                guard let box = feature.geometry?.boundingBox else { continue }
                try index?.insert(box, of: (areKeys ? key : nil) ?? number + 1, connection)
            }
            try index?.finish(connection)
        }

        private static func typeName(_ kind: Geometry.Kind?) -> String {
            switch kind {
            case .point: "POINT"
            case .lineString: "LINESTRING"
            case .polygon: "POLYGON"
            case .multiPoint: "MULTIPOINT"
            case .multiLineString: "MULTILINESTRING"
            case .multiPolygon: "MULTIPOLYGON"
            case .collection: "GEOMETRYCOLLECTION"
            case nil: "GEOMETRY"
            }
        }

        private static func value(_ value: PropertyValue?, _ kind: Kind) -> SQLiteValue {
            switch (value, kind) {
            case (nil, _), (.null?, _): .null
            case (.bool(let flag)?, .boolean): .int(flag ? 1 : 0)
            case (.integer(let number)?, .integer): .int(number)
            case (.integer(let number)?, .real): .real(Double(number))
            case (.number(let number)?, .real): .real(number)
            case (.string(let text)?, _): .text(text)
            case (let value?, _):
                .text(value.displayText ?? String(decoding: GeoJSONWriter.json(value), as: UTF8.self))
            }
        }

        /// Returns a geometry with the header of clause 2.1.3.1.1: little-endian, with the bounding box of its coordinates
        /// if it has any.
        private static func blob(of geometry: Geometry, _ system: Int) -> [UInt8] {
            var bytes: [UInt8] = [0x47, 0x50, 0]
            let box = geometry.boundingBox
            bytes.append(box == nil ? 0b1_0001 : 0b0_0011)
            withBytes(of: UInt32(bitPattern: Int32(truncatingIfNeeded: system)), count: 4) { bytes.append($0) }
            for number in box.map({ [$0.minX, $0.maxX, $0.minY, $0.maxY] }) ?? [] {
                withBytes(of: number.bitPattern, count: 8) { bytes.append($0) }
            }
            return bytes + WKB.write(EncodedGeometry(geometry))
        }

        private static func withBytes(of number: some FixedWidthInteger, count: Int, _ add: (UInt8) -> Void) {
            for place in 0..<count { add(UInt8(truncatingIfNeeded: number >> (8 * place))) }
        }
    }
}
