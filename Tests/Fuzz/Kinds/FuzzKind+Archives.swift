import Foundation
import Portolan
import PortolanArchives
import PortolanGeo
import PortolanPlan
import PortolanWeb

extension FuzzKind {
    /// Files of tiles in MBTiles, whole and half seeded.
    static let mbtiles = FuzzKind(
        name: "mbtiles", grammar: .sqlite, corpus: ["Tests/Fuzz/Corpus/mbtiles/*"], largest: 1 << 15,
        memory: pages
    ) { bytes in try inFile(bytes, readMBTiles) }

    /// GeoPackages with tables of tiles.
    static let geoPackage = FuzzKind(
        name: "geopackage", grammar: .sqlite, corpus: ["Tests/Fuzz/Corpus/geopackage/*"], largest: 1 << 15,
        memory: pages
    ) { bytes in try inFile(bytes, readGeoPackage) }

    /// Pages may have 64 KiB, whatever the file has, and SQLite holds some twenty of them.
    private static let pages = Bound(any: 4 << 20, each: 100)

    /// Puts the bytes into a file, which is gone afterwards with all that SQLite may have put beside it.
    static func inFile(_ bytes: [UInt8], _ read: (String) throws -> Outcome) throws -> Outcome {
        let folder =
            FileManager.default.temporaryDirectory.path + "/portolan-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/file"
        try Data(bytes).write(to: URL(filePath: path))
        return try read(path)
    }

    private static func readMBTiles(_ path: String) throws -> Outcome {
        var words = ""
        do {
            let file = try MBTilesFile(path: path)
            if let bounds = file.metadata.bounds, bounds.count != 4 || !bounds.allSatisfy(\.isFinite) {
                throw Violation("bounds that are no box: \(bounds)")
            }
            let levels = try file.levels()
            for level in levels {
                guard level.tileCount > 0, level.columns.upperBound < 1 << level.level,
                    level.rows.upperBound < 1 << level.level
                else { throw Violation("a level that cannot be: \(level)") }
                // Tiles listed in an index need not exist; reading them must return a tile or nothing.
                _ = try file.tile(level: level.level, column: level.columns.lowerBound, row: level.rows.upperBound)
            }
            words = "\(levels.count) \(file.metadata.levels?.count ?? 0) \(file.metadata.bounds == nil)"
        } catch let error as ArchiveError { words = try refused(error.description).signature }
        words += try layer { try MapLayer.mbtiles(named: "a", path: path) }
        words += try contents(path)
        do {
            let writer = try MBTilesWriter(path: path, job: "x")
            _ = try writer.columnsDone(level: 1, row: 1)
            try writer.write([
                MBTile(level: 1, column: 1, row: 1, bytes: [1]), MBTile(level: 1, column: 0, row: 1, bytes: nil),
            ])
            try writer.finish(MBTilesMetadata(name: "a", format: "png"))
            words += " written"
        } catch { words += try refused(error.description).signature }
        return .value(words)
    }

    private static func readGeoPackage(_ path: String) throws -> Outcome {
        var words = ""
        do {
            let file = try GeoPackageFile(path: path)
            for warning in file.warnings { _ = try refused(warning.description) }
            for table in file.tileTables.prefix(5) {
                do {
                    let pyramid = try file.pyramid(of: table)
                    for matrix in pyramid.matrices {
                        _ = try file.tile(
                            of: table, level: matrix.level, column: matrix.columns.lowerBound,
                            row: matrix.rows.upperBound)
                    }
                    words += "\(pyramid.matrices.count) "
                } catch { words += try refused(error.description).signature }
                words += try layer { try MapLayer.geoPackage(named: "a", path: path, table: table).layer }
            }
        } catch let error as ArchiveError { words = try refused(error.description).signature }
        words += try contents(path)
        return .value(words)
    }

    private static func layer(_ make: () throws -> MapLayer) throws -> String {
        do {
            let layer = try make()
            guard let source = layer.tiles else {
                throw Violation("a file of tiles is no layer of tiles")
            }
            for (level, matrix) in source.grid.matrices.enumerated().prefix(31) {
                guard matrix.columnCount > 0, matrix.rowCount > 0 else {
                    throw Violation("level \(level) has no tiles")
                }
            }
            if let bounds = layer.bounds { _ = try refused(bounds.description) }
            // A view of the bounds must be a plan, whatever they are.
            if let box = layer.bounds?.extent(in: .webMercator), let size = ImageSize(width: 64, height: 64),
                let view = try? Viewport.showing(box, size: size)
            {
                let plan = MapPlanner(viewport: view).plan([layer])
                for warning in plan.warnings { _ = try refused(warning.description) }
            }
            return " layer \(source.grid.matrices.count)"
        } catch let error as MapError { return try refused(error.description).signature }
    }

    private static func contents(_ path: String) throws -> String {
        do {
            let contents = try TileArchiveContents(path: path)
            for warning in contents.warnings { _ = try refused(warning.description) }
            return " \(contents.kind.rawValue) \(contents.tables.count)"
        } catch let error as MapError { return try refused(error.description).signature }
    }
}
