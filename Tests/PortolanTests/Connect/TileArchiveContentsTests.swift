#if Storage
import Foundation
import Portolan
import PortolanArchives
import PortolanWeb
import Testing

@Suite struct TileArchiveContentsTests {
    private static func folder() throws -> MapRendererCacheTests.Folder {
        let folder = MapRendererCacheTests.Folder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        return folder
    }

    @Test func `levels, tile counts and bounds of an MBTiles file are read`() throws {
        let folder = try Self.folder(), path = folder.path + "/a.mbtiles"
        let writer = try MBTilesWriter(path: path, job: "x"), png = try World.png(.black, 512, 512)
        // The north-east quarter of the world, and a half of it again.
        try writer.write([
            MBTile(level: 1, column: 1, row: 0, bytes: png), MBTile(level: 2, column: 2, row: 0, bytes: png),
            MBTile(level: 2, column: 2, row: 1, bytes: png),
        ])
        try writer.finish(MBTilesMetadata(name: "Town", format: "png", levels: 0...2, attribution: "us"))
        let contents = try TileArchiveContents(path: path)
        #expect(contents.kind == .mbtiles && contents.otherTables.isEmpty)
        #expect(contents.warnings.map(\.description) == ["levels declared without tiles: 0"])
        let table = try #require(contents.tables.first)
        #expect(table.name == "Town" && table.attribution == "us" && table.format == "image/png")
        #expect(table.levels.map(\.number) == [1, 2] && table.levels.map(\.tileCount) == [1, 2])
        #expect(table.levels.allSatisfy { $0.tileSize == [512, 512] })
        // 40075016.68 metres in two tiles of 512 pixels.
        #expect(abs(table.levels[0].resolution - 40_075_016.6856 / 1024) < 1e-3)
        let box = try #require(table.bounds?.extent(in: .crs84))
        #expect(abs(box.minX) < 1e-9 && abs(box.maxX - 90) < 1e-9 && abs(box.minY) < 1e-9 && box.maxY > 85)
        #expect(try MapLayer.mbtiles(named: "a", path: path).bounds == table.bounds)
    }

    @Test func `each tile table of a GeoPackage is read`() throws {
        let path = MapLayerGeoPackageTests.folder.appending(path: "metres.gpkg").path
        let contents = try TileArchiveContents(path: path)
        #expect(contents.kind == .geoPackage && contents.tables.contains { $0.name == "town" })
        let town = try #require(contents.tables.first { $0.name == "town" })
        let layer = try MapLayerGeoPackageTests.layer("metres.gpkg", table: "town")
        #expect(town.crs == "EPSG:25830" && town.format == "image/png" && town.bounds == layer.bounds)
        #expect(try #require(town.bounds).extent.contains(Coordinate(x: 676_100, y: 4_613_900)))
        guard let source = layer.tiles else { return }
        #expect(town.levels.map(\.resolution) == source.grid.matrices.map(\.resolution.unitsPerPixel))
        #expect(town.levels.allSatisfy { $0.tileCount ?? 0 > 0 })
    }

    @Test func `an unknown file and a missing file are different errors`() throws {
        let folder = try Self.folder()
        try Data("no tiles".utf8).write(to: URL(filePath: folder.path + "/b"))
        for (name, code) in [("b", MapError.Code.unknownFormat), ("c", .notFound)] {
            let error = #expect(throws: MapError.self) {
                _ = try TileArchiveContents(path: folder.path + "/" + name)
            }
            #expect(error?.code == code || error?.code == .malformedDocument, "\(String(describing: error))")
        }
    }
}
#endif
