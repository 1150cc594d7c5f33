#if PostGIS
import Foundation
import PortolanFeatures
import PortolanGeo
import PortolanServices
import PortolanVectorTiles
import Testing

@testable import PortolanPostGIS

/// Vector tiles, compared with statements as servers of other projects write them.
@Suite(.onPostGISServer) struct PostGISTilesTests {
    private static let url = Result {
        try PostGISServer.shared.database(
            "tiles",
            """
            CREATE TABLE areas (gid int PRIMARY KEY, name text, height numeric, ok boolean, day date,
              geom geometry(Polygon, 4326));
            INSERT INTO areas SELECT i, 'area ' || i, i / 3.0, i % 2 = 0, '2026-01-01'::date + i,
              ST_MakeEnvelope(20 + i % 10, 60 + i / 10, 20.8 + i % 10, 60.6 + i / 10, 4326) FROM generate_series(0, 59) AS i;
            CREATE TABLE local (id int PRIMARY KEY, geom geometry(Point, 3067));
            INSERT INTO local SELECT gid, ST_Transform(ST_Centroid(geom), 3067) FROM areas;
            ANALYZE areas;
            CREATE FUNCTION grid(z integer, x integer, y integer) RETURNS bytea LANGUAGE sql STABLE AS $$
              SELECT ST_AsMVT(q, 'grid', 4096, 'geom') FROM (SELECT z, x, y, ST_AsMVTGeom(ST_Centroid(ST_TileEnvelope(z, x, y)),
              ST_TileEnvelope(z, x, y)) AS geom) AS q $$;
            COMMENT ON FUNCTION grid(integer, integer, integer) IS
              '{"attribution": "© the grid", "minzoom": 2, "vector_layers": [{"id": "grid", "fields": {"z": "Number"}}]}';
            CREATE FUNCTION asked(z integer, x integer, y integer, query json) RETURNS bytea LANGUAGE sql AS $$
              SELECT ST_AsMVT(q, 'asked', 4096, 'geom') FROM (SELECT query->>'word' AS word,
              ST_AsMVTGeom(ST_Centroid(ST_TileEnvelope(z, x, y)), ST_TileEnvelope(z, x, y)) AS geom) AS q $$;
            CREATE FUNCTION listed(z integer, x integer, y integer, query jsonb) RETURNS TABLE(mvt bytea, hash text)
              LANGUAGE sql AS $$ SELECT '\\x1a00'::bytea, 'a' $$;
            CREATE FUNCTION writes(z integer, x integer, y integer) RETURNS bytea LANGUAGE sql AS $$
              DELETE FROM areas RETURNING ''::bytea $$;
            CREATE FUNCTION slow(z integer, x integer, y integer) RETURNS bytea LANGUAGE sql AS $$
              SELECT ''::bytea FROM pg_sleep(60) $$;
            CREATE FUNCTION other(integer, integer) RETURNS bytea LANGUAGE sql AS $$ SELECT ''::bytea $$;
            """)
    }

    private static func open() throws -> PostGISDatabase { try PostGISDatabase(url.get()) }

    /// The bytes that psql prints for an expression.
    private static func bytes(_ statement: String) throws -> [UInt8] {
        let text = try PostGISServer.shared.run(statement, in: "tiles").filter { !$0.isWhitespace }
        let digits = Array(text.utf8.dropFirst(2))
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }

    @Test(arguments: [(0, 0, 0), (4, 8, 4), (4, 9, 4), (6, 35, 18), (7, 71, 36), (12, 2304, 1200)])
    func `a tile of a table has the bytes that a statement written by hand gives`(z: Int, x: Int, y: Int) async throws {
        let tiles = try await Self.open().tiles(of: [(nil, PostGISQuery(table: "areas"))])
        let expected = try Self.bytes(
            """
            SELECT ST_AsMVT(q, 'areas', 4096, 'geom', 'gid') FROM (
              SELECT ST_AsMVTGeom(ST_Transform(geom, 3857), ST_TileEnvelope(\(z), \(x), \(y)), 4096, 64, true) AS geom,
                gid::int8, name, height::float8, ok, day::text
              FROM areas WHERE geom && ST_Transform(ST_TileEnvelope(\(z), \(x), \(y), margin => 64.0 / 4096), 4326)) AS q
            """)
        let tile = try await tiles.tile(level: z, column: x, row: y, query: [])
        #expect((tile.bytes ?? []) == expected)
        #expect(tile.cutLayers.isEmpty)
    }

    @Test func `tables in other coordinate systems are transformed, and several are layers of one tile`() async throws {
        let database = try Self.open()
        let tiles = try await database.tiles(
            of: [("flächen", PostGISQuery(table: "areas")), (nil, PostGISQuery(table: "local"))], extent: 512, buffer: 8
        )
        for (z, x, y) in [(0, 0, 0), (5, 17, 9), (6, 36, 18)] {
            let expected = try Self.bytes(
                """
                SELECT (SELECT ST_AsMVT(q, 'flächen', 512, 'geom', 'gid') FROM (SELECT ST_AsMVTGeom(ST_Transform(geom, 3857),
                    ST_TileEnvelope(\(z), \(x), \(y)), 512, 8, true) AS geom, gid::int8, name, height::float8, ok, day::text FROM areas
                    WHERE geom && ST_Transform(ST_TileEnvelope(\(z), \(x), \(y), margin => 8.0 / 512), 4326)) AS q)
                  || (SELECT ST_AsMVT(q, 'local', 512, 'geom', 'id') FROM (SELECT ST_AsMVTGeom(ST_Transform(geom, 3857),
                    ST_TileEnvelope(\(z), \(x), \(y)), 512, 8, true) AS geom, id::int8 FROM local) AS q)
                """)
            #expect(try await tiles.tile(level: z, column: x, row: y, query: []).bytes == expected)
        }
        #expect(tiles.layers.map(\.id) == ["flächen", "local"])
    }

    @Test func `TileJSON members are those of the catalogue and of the statistics`() async throws {
        var query = PostGISQuery(table: "areas")
        query.attributes = ["height", "name", "ok"]
        let tiles = try await Self.open().tiles(of: [(nil, query)])
        #expect(tiles.layers.first?.fields.map(\.name) == ["height", "name", "ok"])
        #expect(tiles.layers.first?.fields.map(\.type) == ["Number", "String", "Boolean"])
        let bounds = try #require(tiles.bounds)
        for (side, expected) in zip(bounds, [20, 60, 29.8, 65.6]) { #expect(abs(side - expected) < 0.2) }
    }

    @Test func `rows beyond the limit are left out, and the tile says so`() async throws {
        var query = PostGISQuery(table: "areas")
        query.limit = 10
        let tiles = try await Self.open().tiles(of: [(nil, query)])
        #expect(try await tiles.tile(level: 0, column: 0, row: 0, query: []).cutLayers == ["areas"])
        query.limit = 60
        let whole = try await Self.open().tiles(of: [(nil, query)])
        #expect(try await whole.tile(level: 0, column: 0, row: 0, query: []).cutLayers.isEmpty)
    }

    @Test func `conditions choose rows`() async throws {
        var query = PostGISQuery(table: "areas")
        query.filter = "name = 'area 7' -- the best"
        let tiles = try await Self.open().tiles(of: [(nil, query)])
        let expected = try Self.bytes(
            """
            SELECT ST_AsMVT(q, 'areas', 4096, 'geom', 'gid') FROM (SELECT ST_AsMVTGeom(ST_Transform(geom, 3857),
              ST_TileEnvelope(0, 0, 0), 4096, 64, true) AS geom, gid::int8, name, height::float8, ok, day::text FROM areas
              WHERE gid = 7) AS q
            """)
        #expect(try await tiles.tile(level: 0, column: 0, row: 0, query: []).bytes == expected)
    }

    @Test func `functions are listed, and their comments describe the tiles`() async throws {
        let database = try Self.open(), listed = try await database.functions()
        #expect(listed.map(\.name) == ["asked", "grid", "listed", "slow", "writes"])
        #expect(listed.filter(\.takesQuery).map(\.name) == ["asked", "listed"])
        let tiles = try await database.tiles(ofFunction: "public.grid")
        #expect(tiles.layers.map(\.id) == ["grid"] && tiles.members["attribution"] == "© the grid")
    }

    @Test func `a function is called with the tile and the query of the request`() async throws {
        let database = try Self.open(), grid = try await database.tiles(ofFunction: "grid")
        #expect(
            try await grid.tile(level: 3, column: 5, row: 2, query: []).bytes == Self.bytes("SELECT grid(3, 5, 2)"))
        let asked = try await database.tiles(ofFunction: "asked"), word = "it's \"odd\"'; DROP TABLE areas; --"
        let tile = try await asked.tile(
            level: 1, column: 0, row: 1, query: [("word", word), ("word", "second"), ("other", "")])
        #expect(
            try tile.bytes
                == Self.bytes("SELECT asked(1, 0, 1, json_build_object('word', $w$\(word)$w$))"))
        let listed = try await database.tiles(ofFunction: "listed")
        #expect(try await listed.tile(level: 0, column: 0, row: 0, query: []).bytes == [0x1A, 0])
        #expect(try await database.tables().contains { $0.name == "areas" })
    }

    @Test func `a function cannot write, and one that takes too long is ended`() async throws {
        var settings = PostGISSettings()
        settings.queryTimeout = .milliseconds(400)
        let database = try PostGISDatabase(Self.url.get(), settings: settings)
        for (name, code) in [("writes", PostGISError.Code.failed), ("slow", .timedOut)] {
            do {
                _ = try await database.tiles(ofFunction: name).tile(level: 0, column: 0, row: 0, query: [])
                Issue.record("\(name) has a result")
            } catch {
                #expect(error.code == code && error.subject == "function public.\(name)")
            }
        }
        #expect(try PostGISServer.shared.run("SELECT count(*) FROM areas", in: "tiles").hasPrefix("60"))
    }

    @Test func `a tile outside of the grid is empty`() async throws {
        let tiles = try await Self.open().tiles(of: [(nil, PostGISQuery(table: "areas"))])
        for (z, x, y) in [(3, 8, 0), (3, 0, -1), (31, 0, 0), (-1, 0, 0)] {
            #expect(try await tiles.tile(level: z, column: x, row: y, query: []).bytes == nil)
        }
    }
}
#endif
