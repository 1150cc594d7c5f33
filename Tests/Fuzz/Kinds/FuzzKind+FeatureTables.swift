import Foundation
import Portolan
import PortolanArchives
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb

extension FuzzKind {
    /// Points of a document of any format, in columns: each feature is as it is without them, and found where it lies.
    static let points = FuzzKind(
        name: "points", grammar: .json, corpus: ["Tests/Fuzz/Corpus/points/*", "Tests/Fuzz/Corpus/geojson/*"],
        memory: Bound(any: 2 << 20, each: 300), time: Bound(any: 80_000_000, each: 20_000), read: readPoints)

    /// Tables of features in GeoPackages.
    static let geoPackageFeatures = FuzzKind(
        name: "geopackage-features", grammar: .sqlite, corpus: ["Tests/Fuzz/Corpus/geopackage-features/*"],
        largest: 1 << 15, memory: Bound(any: 4 << 20, each: 100)
    ) { bytes in try inFile(bytes, readTables) }

    /// Text tables that are joined to features: each row is found by its key.
    static let joinedTable = FuzzKind(
        name: "joined-table", grammar: .words, corpus: ["Tests/Fuzz/Corpus/joined-table/*", "Tests/Fuzz/Corpus/csv/*"],
        read: readJoinedTable)

    /// The text of a `.prj` file, in the words of OGC and of Esri.
    static let projectionText = FuzzKind(
        name: "projection-text", grammar: .words, corpus: ["Tests/Fuzz/Corpus/projection-text/*"], read: readProjection)

    private static func readJoinedTable(_ bytes: [UInt8]) throws -> Outcome {
        let table: CSVTable
        do { table = try CSVTable(bytes: bytes) } catch { return try refused(error.description) }
        for warning in table.warnings { _ = try refused(warning.description) }
        guard let column = table.columns.first, let join = table.join(property: "key", column: column, named: "t")
        else {
            throw Violation("a table without its first column")
        }
        guard join.rowCount <= table.rowCount else { throw Violation("more keys than rows") }
        var collection = FeatureCollection(
            features: ["1", "001", "ES", ""].map { Feature(geometry: nil, properties: ["key": .string($0)]) })
        collection.join(join)
        for warning in collection.warnings { _ = try refused(warning.description) }
        guard zip(collection.features, ["1", "001", "ES", ""]).allSatisfy({ $0.properties["key"]?.stringValue == $1 })
        else { throw Violation("a key that is another") }
        return .value("\(magnitude(table.rowCount)) \(magnitude(join.rowCount)) \(collection.warnings.count)")
    }

    private static func readPoints(_ bytes: [UInt8]) throws -> Outcome {
        let table: PointTable
        do { table = try PointTable.reading(bytes) } catch { return try refused("\(error)") }
        for warning in table.warnings { _ = try refused(warning.description) }
        guard let all = try? FeatureFormats.standard.read(bytes) else { throw Violation("in columns alone it is read") }
        let single = all.features.filter { $0.geometry?.kind == .point && $0.geometry?.isEmpty == false }
        let many = all.features.reduce(0) {
            $0 + ($1.geometry?.kind == .multiPoint ? $1.geometry?.coordinates.count ?? 0 : 0)
        }
        // Of a list of features that is there twice the columns have both, others the last.
        let lists = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\"features\"").count
        guard table.count == single.count + many || lists > 2 else {
            throw Violation("\(table.count) of \(single.count + many) points")
        }
        let kept = table.features(of: Array(0..<table.count))
        if many == 0, lists <= 2,
            zip(kept, single).contains(where: { $0.geometry?.coordinates != $1.geometry?.coordinates || $0.id != $1.id }
            )
        {
            throw Violation("a point that is another")
        }
        var found = 0
        for feature in kept.prefix(20) {
            guard let place = feature.geometry?.coordinates.first,
                let extent = Extent(
                    minX: place.x.nextDown, minY: place.y.nextDown, maxX: place.x.nextUp, maxY: place.y.nextUp)
            else { continue }
            let near = table.features(in: extent)
            guard near.contains(where: { $0.geometry?.coordinates == feature.geometry?.coordinates }) else {
                throw Violation("a point is not found where it lies: \(place)")
            }
            found += 1
        }
        return .value("\(magnitude(table.count)) \(magnitude(table.warnings.count)) \(magnitude(found))")
    }

    private static func readTables(_ path: String) throws -> Outcome {
        do {
            let file = try GeoPackageFeatures(path: path)
            var words = "\(file.layers.count)"
            let box = BoundingBox(minX: -10, minY: -10, maxX: 10, maxY: 10)
            for layer in file.layers.prefix(4) {
                for query in [FeatureQuery(layer: layer.name), FeatureQuery(layer: layer.name, box: box)] {
                    do {
                        let collection = try file.read(query, limits: FeatureLimits())
                        for warning in collection.warnings { _ = try refused(warning.description) }
                        for feature in collection.features {
                            guard feature.geometry?.coordinates.allSatisfy(\.isFinite) != false else {
                                throw Violation("a place that is not finite")
                            }
                        }
                        words += " \(magnitude(collection.features.count)) \(magnitude(collection.warnings.count))"
                    } catch let violation as Violation { throw violation } catch {
                        words += try refused("\(error)").signature
                    }
                }
            }
            return .value(words)
        } catch let error as ArchiveError { return try refused(error.description) }
    }

    private static func readProjection(_ bytes: [UInt8]) throws -> Outcome {
        do {
            let crs = try CRS(wellKnownText: String(decoding: bytes, as: UTF8.self))
            guard let transform = try? CoordinateTransform(from: crs, to: .crs84) else { return .value("no way") }
            let place = transform(Coordinate(x: 500_000, y: 200_000))
            return .value("\(place == nil) \(place?.isFinite == true)")
        } catch { return try refused("\(error)") }
    }
}
