#if Storage
import Foundation
import Portolan
import PortolanSQLite
import PortolanTesting
import Testing

/// The files of `Fixtures/geopackage` are GDAL's, the pictures beside them Python's, pasted of the tiles by their numbers.
@Suite struct MapLayerGeoPackageTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/geopackage")

    static func layer(_ file: String, table: String? = nil) throws -> MapLayer {
        try MapLayer.geoPackage(named: "a", path: folder.appending(path: file).path, table: table).layer
    }

    static func picture(
        _ layer: MapLayer, x: Double, y: Double, pixel: Double, size: ImageSize, in crs: String
    )
        async throws -> RenderResult
    {
        let resolution = try #require(Resolution(unitsPerPixel: pixel))
        let center = Coordinate(x: x + Double(size.width) * pixel / 2, y: y - Double(size.height) * pixel / 2)
        let view = try Viewport(center: center, resolution: resolution, size: size, crs: CRS(crs))
        var options = World.plain()
        options.background = .clear
        return try await World.renderer(try World.transport()).render([layer], in: view, options: options)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var file: String, table: String, crs: String, x: Double, y: Double, pixel: Double, expected: String
        var testDescription: String { expected }
    }

    static let cases = [
        Case(
            file: "metres.gpkg", table: "town", crs: "EPSG:25830", x: 676_000, y: 4_614_000, pixel: 2.5,
            expected: "town-fine"),
        Case(
            file: "metres.gpkg", table: "town", crs: "EPSG:25830", x: 676_000, y: 4_614_000, pixel: 22.5,
            expected: "town-coarse"),
        Case(
            file: "metres.gpkg", table: "a \"b\"; 50% {z}/ñ", crs: "EPSG:32630", x: 676_000, y: 4_614_000, pixel: 10,
            expected: "quoted-fine"),
    ]

    @Test(arguments: cases) func `a level drawn at its own resolution equals its tiles side by side`(
        _ wanted: Case
    ) async throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "\(wanted.expected).png"))
        let expected = try ImageDecoders.standard.decode([UInt8](data))
        let result = try await Self.picture(
            Self.layer(wanted.file, table: wanted.table), x: wanted.x, y: wanted.y, pixel: wanted.pixel,
            size: expected.size, in: wanted.crs)
        #expect(result.report.complete && result.report.layers[0].kind == "gpkg")
        let difference = try #require(PictureDifference(result.image, expected))
        #expect(difference.isNone, "\(difference)")
    }

    @Test func `pixels can be non-square, and missing tiles are transparent`() async throws {
        let layer = try Self.layer("degrees.gpkg")
        guard let source = layer.tiles else { throw CancellationError() }
        let finest = try #require(source.grid.matrices.last)
        #expect(finest.id == "2" && finest.resolution.unitsPerPixel == 0.002)
        #expect(finest.verticalResolution.unitsPerPixel == 0.001 && finest.tileSpanY == 0.064)
        let size = try #require(ImageSize(width: 256, height: 128))
        let result = try await Self.picture(layer, x: -1.5, y: 42, pixel: 0.002, size: size, in: "EPSG:4326")
        #expect(result.report.complete)
        // In the file's pixels the hole begins at 128, 64; those of the picture are twice as high, 96 of them have tiles.
        for (x, y, alpha) in [
            (1, 1, 255), (254, 1, 255), (254, 30, 255), (254, 34, 0), (126, 94, 255), (130, 94, 0), (126, 98, 0),
        ] {
            #expect(result.image[x, y].alpha == alpha, "\(x), \(y)")
        }
    }

    @Test func `tiles in WebP are drawn`() async throws {
        let size = try #require(ImageSize(width: 64, height: 64))
        let result = try await Self.picture(
            try Self.layer("webp.gpkg"), x: 0, y: 640, pixel: 10, size: size, in: "EPSG:3857")
        #expect(result.report.complete)
        // As another reader of WebP has them.
        for (x, y, color) in [(5, 5, (36, 52, 0)), (40, 20, (18, 214, 96)), (63, 63, (166, 179, 41))] {
            let pixel = result.image[x, y]
            #expect(abs(Int(pixel.red) - color.0) <= 2 && abs(Int(pixel.green) - color.1) <= 2, "\(pixel)")
            #expect(abs(Int(pixel.blue) - color.2) <= 2 && pixel.alpha == 255, "\(pixel)")
        }
    }

    /// A change in a copy of a file, and the resulting message.
    static let changes: [(sql: String, words: String)] = [
        ("UPDATE gpkg_tile_matrix_set SET srs_id = -1", "undefined coordinate system of the table 'world' (srs_id -1)"),
        ("UPDATE gpkg_tile_matrix_set SET srs_id = 0", "undefined coordinate system of the table 'world' (srs_id 0)"),
        ("UPDATE gpkg_tile_matrix_set SET srs_id = 12", "missing in gpkg_spatial_ref_sys"),
        ("UPDATE gpkg_spatial_ref_sys SET organization = 'mars'", "unknown"),
        ("UPDATE gpkg_spatial_ref_sys SET organization_coordsys_id = 9223372036854775807", "unknown"),
        ("UPDATE gpkg_tile_matrix SET matrix_width = 9223372036854775807", "invalid row in gpkg_tile_matrix"),
        ("UPDATE gpkg_tile_matrix SET tile_height = 0", "invalid row in gpkg_tile_matrix"),
        ("UPDATE gpkg_tile_matrix SET tile_width = 1e300", "invalid row in gpkg_tile_matrix"),
        ("UPDATE gpkg_tile_matrix SET pixel_x_size = -1", "invalid row in gpkg_tile_matrix"),
        ("UPDATE gpkg_tile_matrix SET pixel_y_size = 9e999", "invalid row in gpkg_tile_matrix"),
        ("UPDATE gpkg_tile_matrix_set SET min_x = -9e999", "invalid row in gpkg_tile_matrix"),
        ("UPDATE world SET tile_data = NULL", "no images"),
        ("UPDATE world SET tile_data = x'00'", "as images"),
        ("UPDATE world SET tile_data = x'49492A0008000000'", "tiff unsupported"),
    ]

    @Test(arguments: changes.indices) func `an invalid GeoPackage is an error with its cause`(index: Int) throws {
        let copy = FileManager.default.temporaryDirectory.appending(path: "portolan-\(UUID().uuidString).gpkg")
        try Data(contentsOf: Self.folder.appending(path: "degrees.gpkg")).write(to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        let connection = try SQLiteConnection(path: copy.path, access: .writing)
        // The file's own triggers and rules would forbid some of it.
        try connection.run("PRAGMA ignore_check_constraints = ON")
        var triggers: [String] = []
        try connection.run("SELECT name FROM sqlite_master WHERE type = 'trigger'") { triggers.append($0.text(0)) }
        for trigger in triggers { try connection.run("DROP TRIGGER \(SQLiteConnection.quoted(trigger))") }
        let isStrict = Self.changes[index].sql.contains("NULL")
        if isStrict { try connection.run("ALTER TABLE world RENAME TO old") }
        if isStrict { try connection.run("CREATE TABLE world AS SELECT * FROM old") }
        try connection.run(Self.changes[index].sql)
        let error = #expect(throws: MapError.self) { _ = try MapLayer.geoPackage(named: "a", path: copy.path) }
        #expect(error?.message.contains(Self.changes[index].words) == true, "\(String(describing: error))")
    }

    @Test func `a damaged tile leaves a gap and is reported`() async throws {
        let copy = FileManager.default.temporaryDirectory.appending(path: "portolan-\(UUID().uuidString).gpkg")
        try Data(contentsOf: Self.folder.appending(path: "degrees.gpkg")).write(to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        try SQLiteConnection(path: copy.path, access: .writing).run(
            "UPDATE world SET tile_data = substr(tile_data, 1, 60) WHERE zoom_level = 2 AND tile_column = 1 AND tile_row = 0"
        )
        let layer = try MapLayer.geoPackage(named: "a", path: copy.path).layer
        let size = try #require(ImageSize(width: 256, height: 64))
        let result = try await Self.picture(layer, x: -1.5, y: 42, pixel: 0.002, size: size, in: "EPSG:4326")
        #expect(result.report.layers[0].failed.map { $0.resource.prefix(6) } == ["2/1/0 "])
    }
}
#endif
