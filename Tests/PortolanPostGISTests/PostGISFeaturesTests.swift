#if PostGIS
import Foundation
import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanPlan
import Testing

@testable import PortolanPostGIS

/// Features of tables, compared with the GeoJSON that PostGIS writes.
@Suite(.onPostGISServer) struct PostGISFeaturesTests {
    /// A database with tables for these tests.
    private static let database = Result {
        try PostGISServer.shared.database(
            "features",
            """
            CREATE TABLE shapes (gid serial PRIMARY KEY, geom geometry(Geometry, 4326), kind text);
            INSERT INTO shapes (geom, kind) VALUES ('SRID=4326;POINT(1 2)', 'Point');
            CREATE TABLE types (id bigint PRIMARY KEY, ok boolean, small smallint, big bigint, real real, exact numeric(20, 5),
              word text, code varchar(5), day date, moment timestamptz, data jsonb, list int[], raw bytea, uid uuid,
              geom geometry(Point, 3067));
            INSERT INTO types VALUES (7, true, -3, 9007199254740993, 1.5, 12345.67890, 'Äö"''', 'abc', '2026-02-03',
              '2026-02-03 04:05:06Z', '{"a": [1, 2]}', '{1,2}', '\\x00', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
              'SRID=3067;POINT(385000 6672000)'), (8, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
              NULL, NULL, NULL);
            CREATE SCHEMA "Odd.Schema";
            CREATE TABLE "Odd.Schema"."a ""b""; DROP TABLE shapes; --" ("the key" text PRIMARY KEY, "Geo m" geometry(Point, 4326),
              "sel'ect" text, "x;y" int);
            INSERT INTO "Odd.Schema"."a ""b""; DROP TABLE shapes; --" VALUES ('k1', 'SRID=4326;POINT(1 2)', 'it''s', 5);
            CREATE TABLE nothing (id int PRIMARY KEY, geom geometry(Polygon, 3857));
            CREATE TABLE plain (id int, word text);
            CREATE TABLE unknown_system (id int PRIMARY KEY, geom geometry(Point));
            INSERT INTO unknown_system VALUES (1, ST_MakePoint(10, 20));
            CREATE TABLE two (id int PRIMARY KEY, a geometry(Point, 4326), b geometry(Point, 3857));
            CREATE TABLE globe (id int PRIMARY KEY, geog geography);
            INSERT INTO globe VALUES (1, 'POINT(25 60)'), (2, 'LINESTRING(24 60, 26 61)'), (3, 'POINT(-70 -20)');
            CREATE VIEW seen AS SELECT gid, ST_Transform(geom, 3857) AS shape FROM shapes WHERE kind = 'Point';
            CREATE TABLE mixed (id int PRIMARY KEY, geom geometry);
            INSERT INTO mixed VALUES (1, 'SRID=3067;POINT(385000 6672000)');
            """)
    }

    private static func open() throws -> PostGISDatabase { try PostGISDatabase(database.get()) }

    /// Shapes of all types; curves become chords, and surfaces their polygons.
    private static let shapes = [
        "POINT(1 2)", "LINESTRING(0 0, 1 1, 2 0)", "POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))",
        "MULTIPOINT((1 1), (2 2))", "MULTILINESTRING((0 0, 1 1), (2 2, 3 3, 4 2))",
        "MULTIPOLYGON(((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))",
        "GEOMETRYCOLLECTION(POINT(1 1), LINESTRING(0 0, 1 1), POLYGON((0 0, 1 0, 1 1, 0 0)))",
    ]

    private static func geometries(
        of table: String, in database: PostGISDatabase
    ) async throws -> [Feature] {
        let statements = try await database.statements(PostGISQuery(table: table))
        return try await database.features(statements, limit: 1000, limits: FeatureLimits()).collection.features
    }

    @Test(arguments: ["", " Z", " M", " ZM"])
    func `geometries of all types and dimensions are those of the GeoJSON that PostGIS writes`(
        dimension: String
    )
        async throws
    {
        let server = try PostGISServer.shared, database = try Self.open()
        let table = "Dims\(dimension.filter { $0 != " " })"
        let extra = ["": "", " Z": " 7", " M": " 8", " ZM": " 7 8"][dimension] ?? ""
        var statements = "CREATE TABLE \(table) (gid serial PRIMARY KEY, geom geometry);"
        for shape in Self.shapes {
            // Each coordinate gets its altitude and measure.
            var text = shape.replacing(/(\d+) (\d+)/) { "\($0.output.0)\(extra)" }
            text = text.replacing(/([A-Z]+)\(/) { "\($0.output.1)\(dimension)(" }
            statements += "INSERT INTO \(table) (geom) VALUES (ST_GeomFromText('\(text)', 4326));"
        }
        try server.run(statements, in: "features")
        let written = try server.run(
            "SELECT ST_AsGeoJSON(ST_Force2D(geom), 15) FROM \(table) ORDER BY gid", in: "features"
        ).split(separator: "\n")
        let read = try await Self.geometries(of: table, in: database)
        #expect(read.count == Self.shapes.count && written.count == read.count)
        for (feature, text) in zip(read, written) {
            let expected = try GeoJSONReader.read(
                Array("{\"type\": \"Feature\", \"properties\": {}, \"geometry\": \(text)}".utf8))
            #expect(feature.geometry == expected.features.first?.geometry)
        }
    }

    @Test(arguments: [
        ("CIRCULARSTRING(0 0, 1 1, 2 0)", "LINESTRING"),
        ("COMPOUNDCURVE((0 0, 1 1), CIRCULARSTRING(1 1, 2 2, 3 1))", "LINESTRING"),
        ("CURVEPOLYGON(CIRCULARSTRING(0 0, 4 0, 4 4, 0 4, 0 0))", "POLYGON"),
        ("MULTICURVE((0 0, 5 5), CIRCULARSTRING(4 0, 4 4, 8 4))", "MULTILINESTRING"),
        (
            "MULTISURFACE(CURVEPOLYGON(CIRCULARSTRING(0 0, 4 0, 4 4, 0 4, 0 0)), ((10 10, 14 12, 11 10, 10 10)))",
            "MULTIPOLYGON"
        ),
    ])
    func `curves become the lines that PostGIS makes of them`(shape: String, kind: String) async throws {
        let database = try Self.open()
        var query = PostGISQuery()
        query.sql = "SELECT 1 AS id, ST_GeomFromText('\(shape)', 4326) AS geom"
        query.key = "id"
        let statements = try await database.statements(query)
        let read = try await database.features(statements, limit: 10, limits: FeatureLimits()).collection.features
        let written = try PostGISServer.shared.run(
            "SELECT ST_AsGeoJSON(ST_CurveToLine(ST_GeomFromText('\(shape)', 4326)), 15)", in: "features")
        let expected = try GeoJSONReader.read(
            Array("{\"type\": \"Feature\", \"properties\": {}, \"geometry\": \(written)}".utf8)
        ).features.first?.geometry
        let geometry = try #require(read.first?.geometry)
        #expect(geometry.coordinateCount == expected?.coordinateCount)
        for (one, other) in zip(geometry.coordinates, expected?.coordinates ?? []) {
            #expect(abs(one.x - other.x) < 1e-9 && abs(one.y - other.y) < 1e-9)
        }
    }

    @Test func `surfaces and triangulations become polygons, and empty geometries none`() async throws {
        let database = try Self.open()
        var query = PostGISQuery()
        query.sql = """
            SELECT * FROM (VALUES (1, ST_GeomFromText('TIN(((0 0, 0 1, 1 1, 0 0)), ((0 0, 1 0, 1 1, 0 0)))', 4326)),
              (2, ST_GeomFromText('POLYHEDRALSURFACE(((0 0, 0 1, 1 1, 0 0)))', 4326)),
              (3, ST_GeomFromText('POINT EMPTY', 4326)), (4, ST_GeomFromText('POLYGON EMPTY', 4326)),
              (5, ST_GeomFromText('TRIANGLE((0 0, 0 1, 1 1, 0 0))', 4326)), (6, NULL)) AS v(id, geom) ORDER BY id
            """
        query.key = "id"
        let statements = try await database.statements(query)
        let read = try await database.features(statements, limit: 10, limits: FeatureLimits()).collection
        #expect(read.warnings.isEmpty)
        #expect(read.features.map(\.id) == [1, 2, 3, 4, 5, 6])
        #expect(read.features.map { $0.geometry?.coordinateCount ?? 0 } == [8, 4, 0, 0, 4, 0])
    }

    @Test func `attributes have the types of their columns`() async throws {
        let features = try await Self.geometries(of: "types", in: Self.open())
        let first = try #require(features.first { $0.id == 7 }), second = try #require(features.first { $0.id == 8 })
        #expect(second.geometry == nil && second.properties.isEmpty)
        let expected: [(String, PropertyValue)] = [
            ("ok", true), ("small", -3), ("big", 9_007_199_254_740_993), ("real", 1.5), ("exact", 12345.6789),
            ("word", "Äö\"'"), ("code", "abc"), ("day", "2026-02-03"), ("data", ["a": [1, 2]]), ("list", "{1,2}"),
            ("uid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
        ]
        for (name, value) in expected { #expect(first.properties[name] == value, "\(name)") }
        #expect(first.properties["moment"]?.stringValue?.hasPrefix("2026-02-03") == true)
        #expect(first.properties["raw"] == nil && first.properties["id"] == nil)
        let table = try await Self.open().table(PostGISQuery(table: "types"))
        #expect(try table.crs == CRS("EPSG:3067") && table.key == "id" && table.hasIntegerKey)
    }

    @Test func `odd names are quoted`() async throws {
        let database = try Self.open(), name = #""Odd.Schema"."a ""b""; DROP TABLE shapes; --""#
        let features = try await Self.geometries(of: name, in: database)
        #expect(features.map(\.id) == ["k1"])
        #expect(features.first?.properties["sel'ect"] == "it's" && features.first?.properties["x;y"] == 5)
        #expect(features.first?.geometry?.coordinates.first == Coordinate(x: 1, y: 2))
        #expect(try await database.tables().contains { $0.name == "shapes" })
        // As tiles as well, where names are literals and aliases.
        let tiles = try await database.tiles(of: [(nil, PostGISQuery(table: name))])
        #expect(try await tiles.tile(level: 0, column: 0, row: 0, query: []).bytes?.isEmpty == false)
    }

    /// Texts that try to leave their place in a statement.
    private static let attacks = [
        "shapes; DROP TABLE shapes", "shapes\"; DROP TABLE shapes; --", "shapes WHERE 1=1", "(SELECT 1)",
        "shapes, types",
        "pg_catalog.pg_authid", "shapes\u{0}", "\"shapes", "'shapes'", "shapes--", "x' OR '1'='1",
    ]

    @Test(arguments: attacks) func `names cannot leave their place in a statement`(text: String) async throws {
        let database = try Self.open()
        await #expect(throws: PostGISError.self) { _ = try await database.table(PostGISQuery(table: text)) }
        for key in [\PostGISQuery.geometry, \PostGISQuery.key] {
            var query = PostGISQuery(table: "shapes")
            query[keyPath: key] = text
            await #expect(throws: PostGISError.self) { _ = try await database.table(query) }
        }
        var query = PostGISQuery(table: "shapes")
        query.attributes = [text]
        await #expect(throws: PostGISError.self) { _ = try await database.statements(query) }
        await #expect(throws: PostGISError.self) { _ = try await database.tiles(ofFunction: text) }
        #expect(try await database.tables().contains { $0.name == "shapes" })
    }

    @Test func `conditions and queries cannot write, nor run a second statement`() async throws {
        let database = try Self.open()
        for statement in [
            "SELECT 1 AS id, NULL::geometry AS geom) AS t; DROP TABLE shapes; --", "DELETE FROM shapes RETURNING *",
            "WITH gone AS (DELETE FROM types RETURNING *) SELECT * FROM gone",
        ] {
            var query = PostGISQuery()
            query.sql = statement
            query.crs = "EPSG:4326"
            await #expect(throws: PostGISError.self, "\(statement)") {
                let opened = try await database.statements(query)
                _ = try await database.features(opened, limit: 10, limits: FeatureLimits())
            }
        }
        #expect(try PostGISServer.shared.run("SELECT count(*) FROM types", in: "features").hasPrefix("2"))
        // A read-only transaction allows this in older versions, so transactions are rolled back.
        var query = PostGISQuery()
        query.sql = "SELECT lo_create(0)::int8 AS id, ST_SetSRID(ST_MakePoint(1, 2), 4326) AS geom"
        if let opened = try? await database.statements(query) {
            _ = try? await database.features(opened, limit: 10, limits: FeatureLimits())
        }
        #expect(
            try PostGISServer.shared.run("SELECT count(*) FROM pg_largeobject_metadata", in: "features").hasPrefix("0"))
    }

    @Test func `tables without features, geometries or a coordinate system are reported`() async throws {
        let database = try Self.open()
        #expect(try await Self.geometries(of: "nothing", in: database).isEmpty)
        #expect(try await database.extent(of: PostGISQuery(table: "nothing")) == nil)
        func code(_ change: (inout PostGISQuery) -> Void) async -> PostGISError? {
            var query = PostGISQuery()
            change(&query)
            do { _ = try await database.table(query) } catch { return error }
            return nil
        }
        #expect(await code { $0.table = "plain" }?.code == .geometry)
        let two = await code { $0.table = "two" }
        #expect(two?.code == .geometry && two?.remedy?.contains("a, b") == true)
        let near = await code { $0.table = "shape" }
        #expect(near?.code == .missing && near?.remedy?.contains("did you mean 'shapes'?") == true)
        #expect(await code { ($0.table, $0.geometry) = ("shapes", "gem") }?.remedy?.contains("'geom'") != false)
        let unknown = try await database.table(PostGISQuery(table: "unknown_system"))
        #expect(unknown.srid == 0 && unknown.crs == nil)
        #expect(try await database.table(PostGISQuery(table: "mixed")).crs?.name == CRS("EPSG:3067").name)
        #expect(try await database.table(PostGISQuery(table: "seen")).crs == .webMercator)
    }

    @Test func `geography columns are read and found by boxes`() async throws {
        let database = try Self.open(), statements = try await database.statements(PostGISQuery(table: "globe"))
        #expect(statements.table.isGeography && statements.table.srid == 4326)
        func ids(_ minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double) async throws -> Set<Feature.ID> {
            let box = try #require(Extent(minX: minX, minY: minY, maxX: maxX, maxY: maxY))
            let bytes = try await database.rows(statements, [], in: box, unitsPerPixel: 0.001)
            return Set(try FeatureRows(bytes, limits: FeatureLimits()).collection.features.compactMap(\.id))
        }
        #expect(try await ids(24.5, 59.5, 25.5, 60.5) == [1, 2])
        #expect(try await ids(-180, -90, 180, 90) == [1, 2, 3])
        #expect(try await ids(-80, -30, -60, -10) == [3])
    }

    @Test func `tables are listed with their type, index and permission`() async throws {
        let server = try PostGISServer.shared, database = try Self.open()
        try server.run(
            """
            CREATE TABLE secret (id int PRIMARY KEY, geom geometry(LineString, 3857)); CREATE INDEX ON secret USING gist (geom);
            CREATE ROLE reader LOGIN PASSWORD 'reader-4711'; GRANT SELECT ON shapes TO reader;
            """, in: "features")
        let listed = try await database.tables()
        let secret = try #require(listed.first { $0.name == "secret" })
        #expect(
            secret.hasIndex == true && secret.isReadable && secret.geometryType == "LineString" && secret.srid == 3857)
        #expect(listed.first { $0.name == "seen" }?.hasIndex == .some(nil))
        #expect(listed.first { $0.name == "shapes" }?.hasIndex == false)
        let reader = try PostGISDatabase(server.url("features", user: "reader", password: "reader-4711"))
        let seen = try await reader.tables()
        #expect(seen.first { $0.name == "secret" }?.isReadable == false)
        #expect(seen.first { $0.name == "shapes" }?.isReadable == true)
        do {
            _ = try await reader.table(PostGISQuery(table: "secret"))
            Issue.record("a table without permission was read")
        } catch {
            #expect(error.code == .permission && error.sqlState == "42501" && error.remedy != nil)
            #expect(error.subject == "table public.secret")
        }
    }

    @Test func `extensions in another schema are found`() async throws {
        let server = try PostGISServer.shared
        try server.run("CREATE DATABASE elsewhere", in: "postgres")
        try server.run(
            """
            CREATE SCHEMA "post gis"; CREATE EXTENSION postgis SCHEMA "post gis";
            CREATE TABLE points (id int PRIMARY KEY, geom "post gis".geometry(Point, 4326));
            INSERT INTO points VALUES (1, "post gis".ST_GeomFromText('POINT(1 2)', 4326));
            """, in: "elsewhere")
        let database = try PostGISDatabase(server.url("elsewhere"))
        let statements = try await database.statements(PostGISQuery(table: "points"))
        let box = try #require(Extent(minX: 0, minY: 0, maxX: 3, maxY: 3))
        let bytes = try await database.rows(statements, [], in: box, unitsPerPixel: 1)
        #expect(try FeatureRows(bytes, limits: FeatureLimits()).collection.features.count == 1)
        let tiles = try await database.tiles(of: [(nil, PostGISQuery(table: "points"))])
        #expect(try await tiles.tile(level: 0, column: 0, row: 0, query: []).bytes != nil)
    }

    @Test func `a database without PostGIS is reported`() async throws {
        let database = try PostGISDatabase(PostGISServer.shared.url("postgres"))
        do {
            _ = try await database.tables()
            Issue.record("a database without PostGIS was read")
        } catch { #expect(error.code == .noPostGIS && error.remedy?.contains("CREATE EXTENSION") == true) }
    }
}
#endif
