#if Storage
import Foundation
import PortolanArchives
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanSQLite
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct GeoPackageFeatureWriterTests {
    private static func written(_ collection: FeatureCollection, table: String = "roads") throws -> FeatureCollection {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.gpkg"
        try GeoPackageFeatures.Writer.write(collection, to: path, table: table)
        return try GeoPackageFeatures(path: path).read(FeatureQuery(), limits: FeatureLimits())
    }

    private static let shapes: [Geometry] = [
        .point(Coordinate(x: 1, y: 2)), .point(Coordinate(x: 24.94, y: 60.17), altitude: 12.5),
        .lineString([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)]),
        .polygon([[Coordinate(x: 0, y: 0), Coordinate(x: 4, y: 0), Coordinate(x: 4, y: 4), Coordinate(x: 0, y: 0)]]),
        .multiPoint([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)]),
        .multiLineString([[Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)]]),
        .collection([.point(Coordinate(x: 3, y: 3))]), .empty(.multiPolygon),
    ]

    @Test(arguments: shapes) func `each geometry type survives writing and reading`(_ shape: Geometry) throws {
        let back = try Self.written(FeatureCollection(features: [Feature(id: 7, geometry: shape)]))
        // A shape without a coordinate is invalid.
        #expect(back.features.first?.geometry == (shape.isEmpty ? nil : shape))
        #expect(back.features.first?.id == 7)
    }

    @Test func `property values survive writing and reading, mixed types as text`() throws {
        let features = [
            Feature(
                id: 1, geometry: nil,
                properties: [
                    "name": "Hä", "lanes": 2, "open": true, "width": 1.5, "odd": 1, "mixed": 1, "list": [1, "a"],
                    "never": nil, "Name": "other",
                ]),
            Feature(
                id: 2, geometry: nil, properties: ["lanes": nil, "open": false, "odd": 0.5, "mixed": "x", "list": nil]),
        ]
        let back = try Self.written(FeatureCollection(features: features)).features.map(\.properties)
        #expect(back[0]["name"] == "Hä")
        #expect(back[0]["lanes"] == 2)
        #expect(back[0]["open"] == true)
        #expect(back[0]["width"] == 1.5)
        #expect(back[0]["odd"] == 1.0 && back[1]["odd"] == 0.5 && back[1]["open"] == false)
        #expect(back[0]["mixed"] == "1" && back[1]["mixed"] == "x" && back[0]["list"] == #"[1,"a"]"#)
        #expect(back[0]["Name_2"] == "other" && back[1]["lanes"] == .null && back[0]["never"] == .null)
    }

    @Test(arguments: [CRS.epsg(25830), CRS.webMercator, try? CRS("robinson:lon=10"), try? CRS("ESRI:54030"), nil])
    func `the CRS survives writing and reading`(
        crs: CRS?
    ) throws {
        let shape = Geometry.point(Coordinate(x: 10, y: 20))
        let back = try Self.written(FeatureCollection(features: [Feature(geometry: shape)], crs: crs))
        #expect(back.effectiveCRS == crs ?? .crs84)
    }

    @Test func `identifiers that cannot be keys are replaced by generated keys`() throws {
        let features = ["a", "b"].map { Feature(id: .string($0), geometry: .point(Coordinate(x: 0, y: 0))) }
        #expect(try Self.written(FeatureCollection(features: features)).features.map(\.id) == [1, 2])
        let twice = [5, 5].map { Feature(id: .integer($0), geometry: .point(Coordinate(x: 0, y: 0))) }
        #expect(try Self.written(FeatureCollection(features: twice)).features.map(\.id) == [1, 2])
    }

    @Test(arguments: ["roads", "2024", "with space; DROP TABLE x", "", "sqlite\"quoted"])
    func `any layer name can be a table name`(name: String) throws {
        let back = try Self.written(
            FeatureCollection(features: [Feature(id: 1, geometry: nil, properties: ["a\"b": 1, "": "x"])]), table: name)
        #expect(back.features.first?.properties["a\"b"] == 1)
        #expect(back.features.first?.properties["property"] == "x")
    }

    @Test(arguments: [true, false]) func `the table has an R-tree of its boxes`(haveKeys: Bool) throws {
        let shapes: [Geometry] = [
            .point(Coordinate(x: 1, y: 2)), .empty(.multiPolygon),
            .lineString([Coordinate(x: 10, y: 60), Coordinate(x: 12, y: 61)]), .point(Coordinate(x: 30, y: -7)),
        ]
        let features = shapes.enumerated().map { number, shape in
            Feature(id: haveKeys ? .integer(100 - number) : nil, geometry: shape)
        }
        let folder = try TemporaryFolder(), path = folder.path + "/a.gpkg"
        try GeoPackageFeatures.Writer.write(FeatureCollection(features: features), to: path, table: "roads")
        let dataset = try GeoPackageFeatures(path: path)
        #expect(dataset.isIndexed(layer: nil))
        let box = try #require(BoundingBox(minX: 11, minY: 60.5, maxX: 40, maxY: 70))
        let found = try dataset.read(FeatureQuery(box: box), limits: FeatureLimits())
        #expect(found.features.map(\.id) == [haveKeys ? 98 : 3])
        let connection = try SQLiteConnection(path: path, access: .reading)
        let number = try connection.integer("SELECT count(*) FROM rtree_roads_geom WHERE minx <= maxx")
        let triggers = try connection.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'")
        #expect(number == 3 && triggers == 6)
        let name = try connection.text("SELECT extension_name FROM gpkg_extensions")
        #expect(name == "gpkg_rtree_index")
    }

    @Test func `too many properties or an unwritable path is an error`() throws {
        var properties = Properties()
        for number in 0...GeoPackageFeatures.Writer.maximumColumnCount { properties["p\(number)"] = 1 }
        let many = FeatureCollection(features: [Feature(geometry: nil, properties: properties)])
        #expect(throws: ArchiveError.self) { try Self.written(many) }
        #expect(throws: ArchiveError.self) {
            try GeoPackageFeatures.Writer.write(many, to: "/nowhere/a.gpkg", table: "a")
        }
    }

    @Test func `a written GeoPackage meets the requirements of the standard`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.gpkg"
        try GeoPackageFeatures.Writer.write(
            FeatureCollection(features: [Feature(geometry: .point(Coordinate(x: 1, y: 2)))]), to: path, table: "t")
        let connection = try SQLiteConnection(path: path, access: .reading)
        // OGC 12-128r18, requirements 2, 11, 14 and 21 to 25.
        #expect(try connection.integer("PRAGMA application_id") == 0x4750_4B47)
        #expect(try connection.integer("PRAGMA user_version") == 10300)
        #expect(try connection.integer("SELECT count(*) FROM gpkg_spatial_ref_sys WHERE srs_id IN (-1, 0, 4326)") == 3)
        #expect(try connection.text("SELECT data_type FROM gpkg_contents") == "features")
        #expect(try connection.text("SELECT geometry_type_name FROM gpkg_geometry_columns") == "POINT")
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        #expect(try connection.integer("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }
}
#endif
