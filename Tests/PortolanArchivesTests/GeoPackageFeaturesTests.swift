#if Storage
import PortolanArchives
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanSQLite
import PortolanWeb
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct GeoPackageFeaturesTests {
    /// A table of two features, with an R-tree; their blobs are a header without a box and well-known binary.
    private static func table(_ name: String, system: Int) -> [String] {
        func blob(_ x: UInt8) -> String {
            // POINT(x' 2), x' being 1 or 2 by the exponent of its double.
            let east = x == 1 ? "000000000000F03F" : "0000000000000040"
            return "x'4750000177000000" + "0101000000" + east + "0000000000000040'"
        }
        return [
            "CREATE TABLE \(name) (fid INTEGER PRIMARY KEY, geom BLOB, name TEXT, lanes INTEGER, open BOOLEAN, width DOUBLE, photo BLOB)",
            "INSERT INTO gpkg_contents VALUES ('\(name)', 'features', 'x', \(system))",
            "INSERT INTO gpkg_geometry_columns VALUES ('\(name)', 'geom', 'POINT', \(system), 0, 0)",
            "INSERT INTO \(name) VALUES (7, \(blob(1)), 'Hä', 2, 1, 1.5, x'00'), (8, \(blob(2)), NULL, NULL, 0, NULL, NULL), "
                + "(9, NULL, 'nowhere', 1, 1, 2, NULL), (10, x'4750', 'broken', 1, 1, 2, NULL)",
            "CREATE VIRTUAL TABLE rtree_\(name)_geom USING rtree(id, minx, maxx, miny, maxy)",
            "INSERT INTO rtree_\(name)_geom VALUES (7, 1, 1, 2, 2), (8, 2, 2, 2, 2)",
        ]
    }

    private static func file(_ folder: TemporaryFolder, _ statements: [String]) throws -> GeoPackageFeatures {
        try GeoPackageFeatures(
            path: GeoPackageFileTests.file(
                folder,
                GeoPackageFileTests.tables + [
                    "CREATE TABLE gpkg_geometry_columns (table_name, column_name, geometry_type_name, srs_id, z, m)"
                ] + statements))
    }

    @Test func `a feature table is read with its CRS and values`() throws {
        let folder = try TemporaryFolder()
        let file = try Self.file(folder, Self.table("roads", system: 77))
        #expect(file.layers.map(\.name) == ["roads"])
        #expect(file.layers.first?.crs?.name == "EPSG:25830")
        let collection = try file.read(FeatureQuery(), limits: FeatureLimits())
        #expect(collection.crs?.name == "EPSG:25830")
        #expect(collection.features.map(\.id) == [7, 8, 9, 10])
        #expect(collection.features[0].geometry == .point(Coordinate(x: 1, y: 2)))
        #expect(collection.features[0].properties == ["name": "Hä", "lanes": 2, "open": true, "width": 1.5])
        #expect(
            collection.features[1].properties == ["name": nil, "lanes": nil, "open": false, "width": nil, "photo": nil])
        #expect(collection.features[2].geometry == nil && collection.features[3].geometry == nil)
        #expect(collection.warnings.map(\.effect) == [.omitted])
    }

    @Test func `a bounding box query works with and without a spatial index`() throws {
        for isIndexed in [true, false] {
            let folder = try TemporaryFolder()
            let file = try Self.file(
                folder, Self.table("roads", system: 0) + (isIndexed ? [] : ["DROP TABLE rtree_roads_geom"]))
            let box = try #require(BoundingBox(minX: 1.5, minY: 0, maxX: 3, maxY: 3))
            let found = try file.read(FeatureQuery(box: box), limits: FeatureLimits())
            #expect(found.features.map(\.id) == [8])
            #expect(found.crs == nil)
            #expect(file.isIndexed(layer: nil) == isIndexed && !file.isIndexed(layer: "rails"))
        }
    }

    @Test func `several tables require a layer name, and limits are enforced`() throws {
        let folder = try TemporaryFolder()
        let file = try Self.file(folder, Self.table("a", system: 0) + Self.table("b", system: 0))
        #expect(try file.read(FeatureQuery(layer: "b"), limits: FeatureLimits()).features.count == 4)
        for layer in [nil, "c"] {
            let error = #expect(throws: FeatureFileError.self) {
                try file.read(FeatureQuery(layer: layer), limits: FeatureLimits())
            }
            #expect(error?.code == .unsupported)
            #expect(error?.detail.contains("'a', 'b'") == true)
        }
        let error = #expect(throws: FeatureFileError.self) {
            try file.read(FeatureQuery(layer: "a"), limits: FeatureLimits(maximumFeatureCount: 3))
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `a file without feature tables has no layers, and another format is rejected`() throws {
        let folder = try TemporaryFolder()
        #expect(try Self.file(folder, []).layers.isEmpty)
        let other = try TemporaryFolder()
        let path = try GeoPackageFileTests.file(other, ["CREATE TABLE t (x)"])
        let error = #expect(throws: ArchiveError.self) { try GeoPackageFeatures(path: path) }
        #expect(error?.code == .wrongFormat)
    }
}
#endif
