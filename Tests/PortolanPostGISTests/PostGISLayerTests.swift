#if PostGIS
import Foundation
import Portolan
import PortolanArchives
import PortolanCodecs
import PortolanFeatures
import PortolanFetch
import PortolanFormats
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanWeb
import TestHelpers
import Testing

@testable import PortolanPostGIS

/// The kind of layer in words, `postgis:URL;table=NAME`.
@Suite(.onPostGISServer) struct PostGISLayerTests {
    private static let configuration: RendererConfiguration = {
        var configuration = RendererConfiguration()
        configuration.addPostGIS()
        return configuration
    }()

    /// Areas, lines and points that overlap, in GeoJSON.
    private static let features: [Feature] = {
        var generator = SeededGenerator(seed: 7), features: [Feature] = []
        for id in 1...300 {
            let x = Double.random(in: 20...30, using: &generator), y = Double.random(in: 58...66, using: &generator)
            let size = Double.random(in: 0.05...0.6, using: &generator)
            let corners = (0..<7).map { corner in
                let angle = Double(corner) * .pi / 3
                return Coordinate(x: x + size * Libm.cosine(angle), y: y + size / 2 * Libm.sine(angle))
            }
            let geometry: Geometry =
                switch id % 3 {
                case 0: .point(Coordinate(x: x, y: y))
                case 1: .lineString(corners)
                default: .polygon([Array(corners.dropLast()) + [corners[0]]])
                }
            features.append(
                Feature(
                    id: .integer(id), geometry: geometry,
                    properties: ["name": .string("n\(id)"), "height": .number(size), "class": .integer(id % 4)]))
        }
        return features
    }()

    private static let url = Result {
        var statements = """
            CREATE TABLE shapes (gid int PRIMARY KEY, name text, height float8, class int, geom geometry(Geometry, 4326));
            CREATE TABLE metres (gid int PRIMARY KEY, name text, height float8, class int, geom geometry(Geometry, 3067));
            CREATE TABLE big AS SELECT i AS id, repeat('long text ', 20) AS word, ST_SetSRID(ST_MakePoint(20 + (i % 500) * 0.02,
              58 + (i / 500) * 0.04), 4326)::geometry(Point, 4326) AS geom FROM generate_series(0, 99999) AS i;
            CREATE INDEX ON big USING gist (geom); ALTER TABLE big ADD PRIMARY KEY (id); ANALYZE big;
            """
        for feature in features {
            let json = String(decoding: GeoJSONWriter.write(feature, in: .crs84), as: UTF8.self)
            statements += """
                INSERT INTO shapes SELECT (f->>'id')::int, f->'properties'->>'name', (f->'properties'->>'height')::float8,
                  (f->'properties'->>'class')::int, ST_SetSRID(ST_GeomFromGeoJSON(f->>'geometry'), 4326)
                  FROM (SELECT $j$\(json)$j$::json AS f) AS q;
                """
        }
        statements += "INSERT INTO metres SELECT gid, name, height, class, ST_Transform(geom, 3067) FROM shapes;"
        return try PostGISServer.shared.database("layers", statements)
    }

    private func built(_ text: String, in crs: CRS = .webMercator) async throws -> LayerBuilder.Built {
        let specification = try LayerSpecification(text, kinds: Self.configuration.layerKinds)
        let builder = LayerBuilder(client: ServiceClient(configuration: Self.configuration), mapCRS: crs)
        return try #require(try await builder.build([specification]).first)
    }

    private func layer(_ keys: String) async throws -> MapLayer {
        let made = try await built("postgis:\(Self.url.get());\(keys)")
        return try #require(made.layer, "\(String(describing: made.failure))")
    }

    private func drawn(
        _ layer: MapLayer, x: Double, y: Double, pixel: Double, crs: CRS = .webMercator, side: Int = 500
    ) async throws -> RenderResult {
        let size = try #require(ImageSize(width: side, height: side))
        let view = try Viewport(
            center: Coordinate(x: x, y: y), resolution: #require(Resolution(unitsPerPixel: pixel)), size: size, crs: crs
        )
        return try await MapRenderer(configuration: Self.configuration).render([layer], in: view)
    }

    // MARK: - Pictures

    /// The middle and the metres per pixel of views in web mercator.
    private static let views = [
        (2_780_000.0, 8_900_000.0, 3000.0), (2_780_000, 8_900_000, 400), (2_600_000, 8_700_000, 90),
        (2_900_000, 9_100_000, 1500),
    ]

    @Test(arguments: views)
    func `a picture has the pixels of one from a GeoPackage with the same features`(
        x: Double, y: Double, pixel: Double
    ) async throws {
        let folder = try TemporaryFolder(), path = folder.path + "/shapes.gpkg"
        try GeoPackageFeatures.Writer.write(FeatureCollection(features: Self.features), to: path, table: "shapes")
        let keys = "name=a;fill=#3366aa;stroke=#aa2200;stroke-width=1.5;label=name"
        let file = try await built("\(path);\(keys)").layer
        let expected = try await drawn(#require(file), x: x, y: y, pixel: pixel)
        let result = try await drawn(layer("table=shapes;\(keys)"), x: x, y: y, pixel: pixel)
        #expect(result.report.complete, "\(result.report)")
        #expect(Set(expected.image.pixels).count > 10)
        #expect(result.image == expected.image)
    }

    @Test func `styles, and tables in other coordinate systems, draw the same as the file`() async throws {
        let folder = try TemporaryFolder(), path = folder.path + "/shapes.gpkg"
        try GeoPackageFeatures.Writer.write(FeatureCollection(features: Self.features), to: path, table: "shapes")
        let style = folder.path + "/style.json"
        try folder.write(
            Array(
                """
                {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "FeatureCollection", "features": []}}}, "layers": [
                  {"id": "a", "type": "fill", "source": "s", "paint": {"fill-color": ["match", ["get", "class"], 1, "#f00", 2, "#0f0", "#00f"]}},
                  {"id": "b", "type": "line", "source": "s", "paint": {"line-width": ["*", 10, ["get", "height"]]}}]}
                """.utf8), to: "style.json")
        let file = try #require(try await built("\(path);style=\(style);name=a").layer)
        let table = try await layer("table=shapes;style=\(style);name=a")
        let crs = try CRS("EPSG:3067")
        let expected = try await drawn(file, x: 385_000, y: 6_900_000, pixel: 800, crs: crs)
        #expect(Set(expected.image.pixels).count > 10)
        #expect(try await drawn(table, x: 385_000, y: 6_900_000, pixel: 800, crs: crs).image == expected.image)
        // The coordinates of the other table are those of PROJ, which differ by far less than a pixel.
        let metres = try await drawn(
            layer("table=metres;style=\(style);name=a"), x: 385_000, y: 6_900_000, pixel: 800, crs: crs)
        let difference = zip(metres.image.pixels, expected.image.pixels).count { $0 != $1 }
        #expect(difference < expected.image.pixels.count / 100, "\(difference)")
    }

    @Test func `simplified shapes differ from whole ones by less than the eye sees`() async throws {
        let whole = try await drawn(
            layer("table=shapes;fill=#3366aa;name=a;simplify=false"), x: 2_780_000, y: 8_900_000, pixel: 3000)
        let simple = try await drawn(layer("table=shapes;fill=#3366aa;name=a"), x: 2_780_000, y: 8_900_000, pixel: 3000)
        func channels(_ pixel: UInt32) -> [Int] { (0..<4).map { Int(pixel >> UInt32($0 * 8) & 255) } }
        var most = 0
        for (one, other) in zip(whole.image.pixels, simple.image.pixels) where one != other {
            for (one, other) in zip(channels(one), channels(other)) { most = max(most, abs(one - other)) }
        }
        #expect(most <= 32)
    }

    @Test func `vector tiles of a table are drawn by keys and by a style's source`() async throws {
        let tiles = try await layer("table=shapes;tiles=true;fill=#3366aa;name=a")
        let result = try await drawn(tiles, x: 2_780_000, y: 8_900_000, pixel: 3000)
        #expect(result.report.complete && Set(result.image.pixels).count > 10, "\(result.report)")
        let folder = try TemporaryFolder()
        try folder.write(
            Array(
                """
                {"version": 8, "sources": {"own": {"type": "vector"}}, "layers": [
                  {"id": "a", "type": "fill", "source": "own", "source-layer": "shapes", "paint": {"fill-color": "#3366aa"}}]}
                """.utf8), to: "style.json")
        let text =
            "style:\(folder.path)/style.json;sources.own=postgis:\(try Self.url.get())%3Btable=shapes%3Btiles=true"
        let made = try await built(text), layer = try #require(made.layer, "\(String(describing: made.failure))")
        let styled = try await drawn(layer, x: 2_780_000, y: 8_900_000, pixel: 3000)
        #expect(styled.report.complete && Set(styled.image.pixels).count > 10, "\(styled.report)")
    }

    // MARK: - Costs

    @Test func `the cost of a view is that of what it shows`() async throws {
        let layer = try await layer("table=big;name=big")
        let service = try #require(Self.configuration.tileArchives.services[.postGIS] as? PostGISService)
        func bytes(x: Double, y: Double, pixel: Double) async throws -> Int {
            let result = try await drawn(layer, x: x, y: y, pixel: pixel, crs: .crs84)
            #expect(result.report.failedCount == 0)
            let request = try #require(layer.featureService?.request)
            guard case .table(let table) = request else { return 0 }
            var count = 0
            let view = try Viewport(
                center: Coordinate(x: x, y: y), resolution: #require(Resolution(unitsPerPixel: pixel)),
                size: #require(ImageSize(width: 500, height: 500)), crs: .crs84)
            let plan = try layer.source.plan(for: LayerView(view, layer: "big"), given: Arrivals())
            for resource in plan.resources {
                guard case .archive(let entry) = resource.location else { continue }
                #expect(entry.archive == table.table)
                count += try await service.content(of: entry)?.count ?? 0
            }
            return count
        }
        let near = try await bytes(x: 25, y: 62, pixel: 0.0002), wide = try await bytes(x: 25, y: 62, pixel: 0.002)
        #expect(near > 0 && near < wide / 10, "\(near) \(wide)")
        // The long text is not needed for drawing.
        #expect(wide < 20_001 * 60)
    }

    @Test func `a view of too many features is cut off with a warning`() async throws {
        let layer = try await layer("table=big;name=big;limit=500")
        let result = try await drawn(layer, x: 25, y: 62, pixel: 0.02, crs: .crs84)
        #expect(result.report.warnings.contains { $0.code == .limited })
    }

    @Test func `only attributes that the style needs are read, and all for the identification of features`()
        async throws
    {
        let layer = try await layer("table=shapes;label=name;name=a")
        let service = try #require(Self.configuration.tileArchives.services[.postGIS] as? PostGISService)
        guard case .table(let request)? = layer.featureService?.request else {
            Issue.record("not a table")
            return
        }
        func columns(_ archive: TileArchive) async throws -> Set<String> {
            let bytes = try #require(
                try await service.content(of: TileArchive.Entry(archive: archive, level: 0, column: 0, row: 0)))
            return Set(
                try FeatureRows(bytes, limits: FeatureLimits()).collection.features.flatMap(\.properties.names))
        }
        #expect(try await columns(request.table) == ["name"])
        #expect(try await columns(request.wholeTable) == ["name", "height", "class"])
    }

    @Test func `a feature is identified with all its attributes`() async throws {
        let feature = try #require(Self.features.first { $0.geometry?.kind == .point })
        let place = try #require(feature.geometry?.coordinates.first)
        let view = try Viewport(
            center: place, resolution: #require(Resolution(unitsPerPixel: 0.0001)),
            size: #require(ImageSize(width: 200, height: 200)), crs: .crs84)
        let layer = try await layer("table=shapes;name=a")
        let found = await MapRenderer(configuration: Self.configuration).identify(
            [layer], in: view, pixel: Point(x: 100, y: 100))
        let first = try #require(found.first?.features.first)
        #expect(first.feature.id == feature.id)
        #expect(first.feature.properties["name"] == feature.properties["name"])
        #expect(first.feature.properties["class"] == feature.properties["class"])
    }

    // MARK: - Words

    @Test(arguments: [
        ("", "table="), ("table=shapes;sql=SELECT 1", "excludes"), ("table=shapes;function=f", "excludes"),
        ("function=f;attributes=a", "no effect"), ("table=shapes;min-zoom=3", "no effect"),
        ("table=a.b.c", "NAME or SCHEMA.NAME"),
        ("table=shapes;limit=0", "whole number"), ("table=shapes;simplify=perhaps", "true or false"),
    ])
    func `invalid keys are refused before the database is asked`(keys: String, words: String) throws {
        let error = #expect(throws: MapError.self) {
            _ = try LayerSpecification(
                "postgis:postgresql://u:Geheim-4711@127.0.0.1:1/d" + (keys.isEmpty ? "" : ";" + keys),
                kinds: Self.configuration.layerKinds)
        }
        let text = try #require(error).sentence
        #expect(text.contains(words), "\(text)")
        #expect(!text.contains("4711"))
    }

    @Test func `SQL is for users only, and databases are not for remote documents`() throws {
        let url = try Self.url.get(), kinds = Self.configuration.layerKinds
        let kind = try #require(kinds.kind(named: "postgis"))
        func code(_ values: [String: String], _ origin: NamedURL.Origin) -> MapError.Code? {
            do {
                _ = try LayerSpecification(kind: kind, source: url, values: values, namedBy: origin, kinds: kinds)
                return nil
            } catch { return error.code }
        }
        let file = NamedURL.Origin.file(within: "/"), remote = NamedURL.Origin.document(.init(host: "example.org"))
        #expect(code(["table": "shapes"], .user) == nil && code(["table": "shapes"], file) == nil)
        #expect(code(["sql": "SELECT 1"], .user) == nil && code(["sql": "SELECT 1"], file) == .invalidArgument)
        #expect(code(["table": "shapes", "filter": "true"], file) == .invalidArgument)
        #expect(code(["table": "shapes"], remote) == .notAllowed)
    }

    @Test func `an unreachable database leaves a hole, and a missing table is an error without the password`()
        async throws
    {
        let (descriptor, port) = try LoopbackSocket.bound()
        LoopbackSocket.end(descriptor)
        let made = try await built("postgis:postgresql://u:Geheim-4711@127.0.0.1:\(port)/d;table=t")
        let failure = try #require(made.failure)
        #expect(made.layer == nil && !failure.sentence.contains("4711"), "\(failure.sentence)")
        do {
            _ = try await layer("table=shapez")
            Issue.record("a missing table was opened")
        } catch let error as MapError {
            #expect(error.sentence.contains("public.shapes"), "\(error.sentence)")
            #expect(!error.sentence.contains(PostGISServer.password))
        }
    }

    @Test func `no report and no document has the password`() async throws {
        let layer = try await layer("table=shapes;name=a")
        let result = try await drawn(layer, x: 2_780_000, y: 8_900_000, pixel: 3000)
        let report = String(decoding: try JSONEncoder().encode(result.report), as: UTF8.self)
        #expect(!report.contains(PostGISServer.password))
        let view = try Viewport(
            center: Coordinate(x: 2_780_000, y: 8_900_000), resolution: #require(Resolution(unitsPerPixel: 3000)),
            size: #require(ImageSize(width: 500, height: 500)), crs: .webMercator)
        let plan = try layer.source.plan(for: LayerView(view, layer: "a"), given: Arrivals())
        #expect(!plan.resources.isEmpty && !"\(plan.resources)".contains(PostGISServer.password))
    }
}
#endif
