import Foundation
import PortolanArchives
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb

/// An output format for features.
struct WrittenFormat: Sendable {
    /// Its name for people.
    let name: String
    /// The names for `--to` and the file extensions, the usual one first.
    let suffixes: [String]
    /// Whether its coordinates are always in degrees.
    var isAlwaysInDegrees = false
    /// The geometry types that it cannot hold.
    var lost: Set<Geometry.Kind> = []
    /// Whether geometries are cut at the antimeridian.
    var isCutAtAntimeridian = false
    /// Whether the file states its CRS, which may be any.
    var namesSystem = false
    /// Whether it holds properties.
    var hasProperties = true
    /// Whether it consists of several files with the same base name.
    var files:
        (@Sendable (FeatureCollection, _ stem: String) throws(CommandFailure) -> [(name: String, bytes: [UInt8])])?
    /// Other data that it cannot hold, one sentence each.
    var losses: @Sendable (FeatureCollection) -> [String] = { _ in [] }
    /// Whether features are independent of each other in the file, one after the other.
    var separator: (before: [UInt8], after: [UInt8])?
    /// Writes a document.
    let write: @Sendable (FeatureCollection) throws(CommandFailure) -> [UInt8]

    static let all: [WrittenFormat] = [
        WrittenFormat(name: "GeoJSON", suffixes: ["geojson", "json"], isCutAtAntimeridian: true) {
            GeoJSONWriter.write($0)
        },
        lines("lines of GeoJSON", ["geojsonl", "ndjson", "jsonl", "ldjson"], before: [], after: [0x0A]),
        lines("a GeoJSON text sequence", ["geojsons", "geojsonseq"], before: [0x1E], after: [0x0A]),
        WrittenFormat(name: "KML", suffixes: ["kml"], isAlwaysInDegrees: true) { KMLFormat().write($0) ?? [] },
        WrittenFormat(
            name: "GPX", suffixes: ["gpx"], isAlwaysInDegrees: true, lost: [.polygon, .multiPolygon]
        ) { GPXFormat().write($0) ?? [] },
        WrittenFormat(
            name: "CSV", suffixes: ["csv"],
            losses: { $0.crs.map { ["the CRS: a table cannot state \($0)"] } ?? [] }
        ) { CSVFormat().write($0) ?? [] },
        WrittenFormat(name: "well-known text", suffixes: ["wkt"], hasProperties: false) {
            WKT.Format().write($0) ?? []
        },
        WrittenFormat(name: "well-known binary", suffixes: ["wkb"], hasProperties: false) {
            WKB.Format().write($0) ?? []
        },
        WrittenFormat(
            name: "a Shapefile", suffixes: ["shp"], namesSystem: true, files: shapefiles, losses: shapefileLosses,
            write: zippedShapefile),
        WrittenFormat(
            name: "a zipped Shapefile", suffixes: ["shz", "zip"], namesSystem: true, losses: shapefileLosses,
            write: zippedShapefile),
        WrittenFormat(name: "FlatGeobuf", suffixes: ["fgb"], namesSystem: true) { FlatGeobuf.Format().write($0) ?? [] },
        WrittenFormat(name: "GeoParquet", suffixes: ["parquet", "geoparquet"], namesSystem: true, write: geoParquet),
        WrittenFormat(name: "GeoPackage", suffixes: ["gpkg"], namesSystem: true, write: geoPackage),
        polyline("polyline", decimals: 5), polyline("polyline6", decimals: 6),
    ]

    private static func shapefile(
        _ collection: FeatureCollection, name: String = "features"
    ) throws(CommandFailure) -> ShapefileWriter {
        do { return try ShapefileWriter(collection, name: name) } catch { throw withoutCRS(error) }
    }

    private static func shapefiles(
        _ collection: FeatureCollection, stem: String
    ) throws(CommandFailure) -> [(name: String, bytes: [UInt8])] {
        try shapefile(collection, name: stem).files
    }

    private static func shapefileLosses(_ collection: FeatureCollection) -> [String] {
        // Without a writer, the conversion fails.
        (try? shapefile(collection))?.losses ?? []
    }

    /// The failure of a writer that needs another CRS.
    private static func withoutCRS(_ error: FeatureFileError) -> CommandFailure {
        CommandFailure(.badData, error.code == .unsupported ? "\(error); add --crs" : "\(error)")
    }

    private static func zippedShapefile(_ collection: FeatureCollection) throws(CommandFailure) -> [UInt8] {
        guard let archive = try shapefile(collection).archive else {
            throw CommandFailure(.badData, "a Shapefile cannot exceed 4 GiB; choose another format")
        }
        return archive
    }

    private static func geoParquet(_ collection: FeatureCollection) throws(CommandFailure) -> [UInt8] {
        do { return try GeoParquet.Writer.write(collection) } catch { throw withoutCRS(error) }
    }

    /// A database is written as a file and then handled like other results.
    private static func geoPackage(_ collection: FeatureCollection) throws(CommandFailure) -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "features.gpkg")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try GeoPackageFeatures.Writer.write(collection, to: path.path, table: "features")
            return try LocalFile(at: path.path).bytes(limit: .max)
        } catch let error as ArchiveError {
            throw CommandFailure(error.code == .invalid ? .badData : .cannotCreate, "\(error)")
        } catch { throw CommandFailure(.cannotCreate, "cannot write the GeoPackage: \(error)") }
    }

    private static func polyline(_ word: String, decimals: Int) -> WrittenFormat {
        WrittenFormat(name: "an encoded polyline", suffixes: [word], isAlwaysInDegrees: true, hasProperties: false) {
            EncodedPolyline.Format(decimals: decimals).write($0) ?? []
        }
    }

    private static func lines(_ name: String, _ suffixes: [String], before: [UInt8], after: [UInt8]) -> WrittenFormat {
        WrittenFormat(name: name, suffixes: suffixes, isCutAtAntimeridian: true, separator: (before, after)) {
            collection in
            let crs = collection.effectiveCRS
            return collection.features.flatMap { before + GeoJSONWriter.write($0, in: crs) + after }
        }
    }
}

/// The conversion of features for the output file.
struct FeatureConversion: Sendable {
    let format: WrittenFormat
    /// The requested CRS, or `nil` for the default of the format.
    let crs: CRS?
    /// The most decimals of coordinates.
    let decimals: Int?
    /// The distance in metres by which shapes are grown or shrunk.
    let buffer: Double?
    /// The changes before all that.
    var changes = FeatureChanges()

    /// Whether each feature is changed and written separately.
    var isLineByLine: Bool { format.separator != nil && changes.isFeatureByFeature }

    /// The changed features in the requested CRS and precision, without coordinates outside the area of the CRS.
    func collection(_ collection: FeatureCollection) throws(CommandFailure) -> FeatureCollection {
        let changed = try changes.apply(to: collection)
        let collection =
            try buffer.map { (meters) throws(CommandFailure) in try Self.buffered(changed, meters) } ?? changed
        var converted = collection
        let wanted = crs ?? (format.hasProperties && !format.namesSystem ? .crs84 : nil)
        let transform: CoordinateTransform?
        do {
            transform = try wanted.map { try CoordinateTransform(from: collection.effectiveCRS, to: $0) }
        } catch { throw CommandFailure(.badData, "\(error)") }
        if let wanted { converted.crs = wanted == .crs84 ? nil : wanted }
        // Computed degrees may jump at the antimeridian; edges take the short way.
        let cutting: Geometry.LongEdges? =
            format.isCutAtAntimeridian && converted.effectiveCRS.isLongitudeLatitude
            ? collection.effectiveCRS.isGeographic ? .shortNearAntimeridian : .short : nil
        for index in converted.features.indices {
            if let transform, !transform.isIdentity { converted.features[index].declaredBounds = nil }
            guard let geometry = converted.features[index].geometry else { continue }
            converted.features[index].geometry = self.geometry(geometry, transform, cutting: cutting)
        }
        if let transform, !transform.isIdentity { converted.declaredBounds = nil }
        return converted
    }

    /// The buffers of the features, in longitude and latitude.
    ///
    /// A feature without a remaining area has no geometry.
    private static func buffered(
        _ collection: FeatureCollection, _ meters: Double
    ) throws(CommandFailure) -> FeatureCollection {
        var grown = collection
        let toDegrees: CoordinateTransform
        do { toDegrees = try CoordinateTransform(from: collection.effectiveCRS, to: .crs84) } catch {
            throw CommandFailure(.badData, "\(error)")
        }
        grown.crs = nil
        grown.declaredBounds = nil
        for index in grown.features.indices {
            grown.features[index].declaredBounds = nil
            let shape = grown.features[index].geometry?.mapWholeCoordinates { toDegrees($0) }?.buffered(meters: meters)
            grown.features[index].geometry = shape.flatMap { $0.isEmpty ? nil : $0 }
        }
        return grown
    }

    private func geometry(
        _ geometry: Geometry, _ transform: CoordinateTransform?, cutting: Geometry.LongEdges?
    ) -> Geometry? {
        var shape: Geometry? = geometry
        if let transform, !transform.isIdentity { shape = geometry.mapWholeCoordinates { transform($0) } }
        if let cutting { shape = shape?.cutAtAntimeridian(cutting) }
        guard let decimals else { return shape }
        return shape?.mapCoordinates {
            Coordinate(x: Self.rounded($0.x, decimals), y: Self.rounded($0.y, decimals))
        }
    }

    /// The number, rounded to a number of decimals.
    ///
    /// Whole numbers are not changed.
    private static func rounded(_ value: Double, _ decimals: Int) -> Double {
        let factor = pow(10, Double(decimals)), scaled = (value * factor).rounded()
        return abs(scaled) < 9e15 ? scaled / factor : value
    }

    /// The document.
    func bytes(of collection: FeatureCollection) throws(CommandFailure) -> [UInt8] { try format.write(collection) }

    /// The data that the format cannot hold, one sentence each.
    func losses(of collection: FeatureCollection) -> [String] {
        var losses = format.losses(collection)
        func lostCount(_ shape: Geometry) -> Int {
            format.lost.contains(shape.kind) ? 1 : shape.children.reduce(0) { $0 + lostCount($1) }
        }
        let areas = collection.features.reduce(0) { $0 + ($1.geometry.map(lostCount) ?? 0) }
        if !collection.overlays.isEmpty {
            losses.append("ground overlays: only the outlines of \(collection.overlays.count) written")
        }
        if areas > 0 { losses.append("polygons left out: \(areas), not supported by \(format.name)") }
        if !format.hasProperties {
            if collection.features.contains(where: { !$0.properties.isEmpty }) {
                losses.append("properties left out: not supported by \(format.name)")
            }
            let bare = collection.features.count { $0.geometry == nil }
            if bare > 0 { losses.append("features without geometry left out: \(bare)") }
        }
        return losses
    }
}
