import PortolanFeatures
import PortolanGeo

/// The geometry columns of a GeoParquet file.
///
/// Source: GeoParquet 1.1 and 2.0, and the geometry types of Apache Parquet 2.12.
struct GeoParquetMetadata {
    /// A geometry column.
    struct Column {
        let name: String
        var encoding = "WKB"
        /// The CRS, or `nil` for longitude and latitude on WGS 84.
        var crs: CRS?
        /// The paths of the columns with the sides of each geometry: west, south, east, north.
        var sides: [[String]]?
        var isSpherical = false
        var notes: [String] = []
    }

    /// The columns, the primary one first.
    let columns: [Column]

    /// Reads the metadata `geo`, or else the geometry types in the schema.
    init(_ footer: ParquetFooter) throws(ParquetFault) {
        guard let text = footer.metadata["geo"] else {
            columns = footer.schema.columns.compactMap { Self.column($0, footer) }
            guard !columns.isEmpty else {
                throw ParquetFault(
                    .unsupported,
                    "it has no geometries: neither the metadata 'geo' nor a column of type GEOMETRY; "
                        + "write it with a program for GeoParquet")
            }
            return
        }
        let value: PropertyValue
        do throws(GeoJSONError) { value = try JSONReader.value(bytes: Array(text.utf8)) } catch {
            throw .malformed("its metadata 'geo' is not valid JSON: \(error.detail)")
        }
        guard let geo = value.objectValue, let stated = geo["columns"]?.objectValue, !stated.isEmpty else {
            throw .malformed("its metadata 'geo' has no columns")
        }
        let primary = geo["primary_column"]?.stringValue
        var columns: [Column] = []
        for element in stated {
            guard let members = element.value.objectValue else {
                throw .malformed("its metadata 'geo' has an invalid column '\(element.name)'")
            }
            columns.append(Self.column(element.name, members))
        }
        guard let first = columns.firstIndex(where: { $0.name == primary }) else {
            throw .malformed("its metadata 'geo' does not describe the primary column '\(primary ?? "")'")
        }
        columns.insert(columns.remove(at: first), at: 0)
        self.columns = columns
    }

    private static func column(_ name: String, _ members: Properties) -> Column {
        var column = Column(name: name)
        column.encoding = members["encoding"]?.stringValue ?? "WKB"
        column.isSpherical = members["edges"]?.stringValue.map { $0 != "planar" } ?? false
        if let crs = members["crs"] { (column.crs, column.notes) = system(crs) }
        if let box = members["covering"]?.objectValue?["bbox"]?.objectValue {
            let sides = ["xmin", "ymin", "xmax", "ymax"].compactMap { box[$0]?.arrayValue?.compactMap(\.stringValue) }
            if sides.count == 4 { column.sides = sides }
        }
        return column
    }

    /// Returns the geometry column of a Parquet type, or `nil` for other types.
    private static func column(_ column: ParquetColumn, _ footer: ParquetFooter) -> Column? {
        guard case .geometry(let crs, let isSpherical) = column.meaning, column.path.count == 1 else { return nil }
        var found = Column(name: column.path[0])
        found.isSpherical = isSpherical
        guard let crs else { return found }
        let json: String?
        if crs.hasPrefix("projjson:") {
            json = footer.metadata[String(crs.dropFirst(9))] ?? ""
        } else {
            json = crs.hasPrefix("{") ? crs : nil
        }
        if let json {
            let value = (try? JSONReader.value(bytes: Array(json.utf8))) ?? .object([:])
            (found.crs, found.notes) = system(value)
        } else {
            (found.crs, found.notes) = system(.string(crs.hasPrefix("srid:") ? "EPSG:\(crs.dropFirst(5))" : crs))
        }
        return found
    }

    // MARK: Coordinate reference systems

    /// Returns a CRS in PROJJSON, in well-known text or by its name, with notes on what is not known about it.
    static func system(_ value: PropertyValue) -> (CRS?, notes: [String]) {
        if value == .null {
            return (nil, ["undefined coordinate system; coordinates are read as degrees"])
        }
        let name: String
        if let text = value.stringValue {
            if let crs = (try? CRS(text)) ?? (try? CRS(wellKnownText: text)) { return (normalized(crs), []) }
            name = text
        } else {
            let members = horizontal(value.objectValue ?? [:], depth: 0)
            let id = members["id"]?.objectValue ?? members["ids"]?.arrayValue?.first?.objectValue
            let stated = members["name"]?.stringValue ?? "?"
            if let authority = id?["authority"]?.stringValue, let code = id?["code"]?.displayText {
                if let crs = try? CRS("\(authority):\(code)") { return (normalized(crs), []) }
                name = "\(authority):\(code)"
            } else {
                if let crs = known(stated) { return (normalized(crs), []) }
                name = stated
            }
            if members["type"]?.stringValue?.hasPrefix("Geographic") ?? false {
                return (
                    CRS(name: name, axisOrder: .eastNorth, unit: .degree),
                    ["unknown coordinate system '\(name.prefix(100))'"]
                )
            }
        }
        return (
            CRS(name: String(name.prefix(100)), axisOrder: .eastNorth, unit: .meter),
            ["unknown coordinate system '\(name.prefix(100))'"]
        )
    }

    /// Coordinates are always east, north (GeoParquet 1.1, *Coordinate axis order*).
    private static func normalized(_ crs: CRS) -> CRS? { crs == .epsg4326 || crs == .crs84 ? nil : crs }

    /// Returns the horizontal part of a compound system, and the system of one with a shift.
    private static func horizontal(_ members: Properties, depth: Int) -> Properties {
        guard depth < 4 else { return members }
        let part = members["components"]?.arrayValue?.first?.objectValue ?? members["source_crs"]?.objectValue
        return part.map { horizontal($0, depth: depth + 1) } ?? members
    }

    /// Returns a system without a code by its usual name.
    private static func known(_ name: String) -> CRS? {
        guard !name.contains("\"") else { return nil }
        let isProjected = name.contains("zone") || name.contains("Mercator")
        return try? CRS(wellKnownText: isProjected ? "PROJCS[\"\(name)\"]" : "GEOGCS[\"\(name)\"]")
    }
}
