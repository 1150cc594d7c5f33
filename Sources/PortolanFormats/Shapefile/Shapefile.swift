public import PortolanFeatures
import PortolanGeo
package import PortolanWeb

/// A Shapefile: geometries in `.shp`, properties in `.dbf`, CRS in `.prj`, text encoding in `.cpg`.
///
/// All files except the first are optional, and the case of their names is ignored. Texts have the encoding in `.cpg`,
/// else that of the language byte, else UTF-8 if all are valid, else the most likely encoding. If records are not
/// contiguous, they are found by the index in `.shx`. Polygons are formed from rings by their direction, and the
/// triangles of a multipatch are merged. Measures are omitted.
///
/// ```swift
/// let file = try Shapefile(path: "rivers.shp")
/// let collection = try file.read(FeatureQuery(), limits: FeatureLimits())
/// ```
///
/// Source: ESRI Shapefile Technical Description (July 1998); dBASE table file format, levels 3 to 7.
public struct Shapefile: FeatureDataset {
    /// `Shapefile`.
    public var name: String { "Shapefile" }

    /// The single layer, with the name of the file.
    public let layers: [FeatureLayerDescription]

    private let shapes: [UInt8]
    private let index: [UInt8]?
    private let table: [UInt8]?
    private let encodingName: String?
    private let notes: [String]

    /// Opens the files.
    ///
    /// - Parameters:
    ///   - path: the path of the `.shp` file.
    ///   - limits: limits the size of each file.
    ///   - encoding: the text encoding, such as `windows-1252`, if the files state a wrong one.
    /// - Throws: ``FeatureFileError``.
    public init(
        path: String, limits: FeatureLimits = FeatureLimits(), encoding: String? = nil
    ) throws(FeatureFileError) {
        let file: LocalFile
        do throws(LocalFileError) { file = try LocalFile(at: path) } catch {
            throw FeatureFileError(error, in: "Shapefile")
        }
        try self.init(file, limits: limits, encoding: encoding)
    }

    /// Reads an open file and its companion files.
    package init(_ file: LocalFile, limits: FeatureLimits, encoding: String? = nil) throws(FeatureFileError) {
        let shapes: [UInt8]
        do throws(LocalFileError) { shapes = try file.bytes(limit: limits.maximumByteCount) } catch {
            throw FeatureFileError(error, in: "Shapefile")
        }
        let stem = file.path.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
        func beside(_ suffix: String) throws(FeatureFileError) -> [UInt8]? {
            for name in [suffix, suffix.uppercased()] {
                if let bytes = try Self.bytes("\(stem).\(name)", limits) { return bytes }
            }
            return nil
        }
        let table = try beside("dbf"), index = try beside("shx"), projection = try beside("prj"),
            codePage = try beside("cpg")
        let title = stem.split(separator: "/").last.map(String.init) ?? stem
        self.init(
            name: title, shapes: shapes, index: index, table: table,
            projection: projection.map { String(decoding: $0, as: UTF8.self) },
            encoding: encoding ?? codePage.map { String(decoding: $0.prefix(40), as: UTF8.self) })
    }

    /// Creates a Shapefile from the contents of its files.
    ///
    /// - Parameters:
    ///   - index: the content of `.shx`.
    ///   - projection: the text of `.prj`.
    ///   - encoding: the text of `.cpg`.
    public init(
        name: String, shapes: [UInt8], index: [UInt8]? = nil, table: [UInt8]?, projection: String?, encoding: String?
    ) {
        self.shapes = shapes
        self.index = index
        self.table = table
        encodingName = encoding
        var crs: CRS?
        var notes: [String] = []
        if let projection, !projection.allSatisfy(\.isWhitespace) {
            do { crs = try CRS(wellKnownText: projection) } catch {
                let named =
                    switch error {
                    case .unknown(let name), .unsupported(let name, _): name
                    default: "?"
                    }
                // Another Shapefile can have the same text.
                crs = CRS(CRS(name: named, axisOrder: .eastNorth, unit: .meter), wellKnownText: projection)
                notes.append("unknown projection '\(named.prefix(100))' in the .prj")
            }
        } else {
            notes.append("no .prj; coordinates are read as degrees")
        }
        if table == nil { notes.append("no .dbf, so the features have no properties") }
        self.notes = notes
        layers = [FeatureLayerDescription(name: name, crs: crs == .crs84 ? nil : crs)]
    }

    /// The approximate size that the file would have in another format.
    ///
    /// In a Shapefile, a point takes 28 bytes and its row as few bytes as its columns, less than in other formats.
    ///
    /// - Complexity: O(records).
    package var roomByteCount: Int {
        var place = 100, records = 0
        while place + 8 <= shapes.count {
            // In 16-bit words.
            let length = (4..<8).reduce(0) { $0 << 8 | Int(shapes[place + $1]) } * 2
            place += 8 + length
            records += 1
        }
        return shapes.count + (table?.count ?? 0) + 64 * records
    }

    /// Returns the content of a companion file, or `nil` if it is missing or unreadable.
    private static func bytes(_ path: String, _ limits: FeatureLimits) throws(FeatureFileError) -> [UInt8]? {
        do throws(LocalFileError) { return try LocalFile(at: path).bytes(limit: limits.maximumByteCount) } catch {
            if case .tooLong = error.code { throw FeatureFileError(error, in: "Shapefile") }
            return nil
        }
    }

    /// Reads the features whose boxes intersect that of the query.
    ///
    /// - Throws: ``FeatureFileError`` with the byte.
    /// - Complexity: linear in the files; geometries outside the box are skipped by their own boxes.
    public func read(_ query: FeatureQuery, limits: FeatureLimits) throws -> FeatureCollection {
        var gathering = try FeatureGathering(
            name, limits: limits, documentLength: shapes.count + (table?.count ?? 0))
        for note in notes { gathering.warn(.note, note) }
        var rows: DBaseTable?
        if let table {
            do throws(FeatureFileError) {
                rows = try DBaseTable(table, encoding: encodingName) { gathering.warn($0, $1) }
            } catch {
                // The geometries are usable without properties.
                gathering.warn(.omitted, "cannot read the .dbf, so the features have no properties: \(error)")
            }
        }
        var reader = ShapefileReader(shapes, limits: limits)
        try reader.readHeader()
        reader.find(by: index.map { ShapefileIndex($0) }, rowCount: rows?.count)
        var number = 0
        while let record = try reader.next(in: query.box) {
            defer { number += 1 }
            if rows?.isDeleted(number) == true || !record.isWanted { continue }
            let properties = rows?.row(number) ?? [:]
            try gathering.add(Feature(geometry: record.geometry, properties: properties), at: .record(number + 1))
        }
        if let fault = reader.fault {
            let more = reader.faultCount > 1 ? "; this is the first of \(reader.faultCount) records" : ""
            gathering.warn(.omitted, fault.description + more)
        }
        if let rows, rows.count != number, reader.fault == nil {
            gathering.warn(.note, "the .dbf has \(rows.count) rows for \(number) shapes")
        }
        return gathering.collection(crs: layers[0].crs)
    }
}
