import Foundation
import Portolan
import PortolanWeb

/// What a file of tiles holds, for people and scripts.
struct ArchiveInfo: InfoDocument, Encodable {
    struct Level: Encodable {
        var zoom: Int
        var resolution: Double
        var tileSize: [Int]
        var tiles: Int
    }

    struct Layer: Encodable {
        var name: String
        var title: String?
        var crs: String
        /// West, south, east, north in units of the CRS.
        var extent: [Double]?
        /// West, south, east, north in degrees.
        var geographicBox: [Double]?
        var format: String?
        var attribution: String?
        var minZoom: Int?
        var maxZoom: Int?
        var tiles: Int
        var levels: [Level]
    }

    var type: String
    var bytes: Int?
    var layers: [Layer]
    /// Tables of a GeoPackage that are not drawn.
    var otherTables: [String]
    var warnings: [String]

    init(_ contents: TileArchiveContents, byteCount: Int?) {
        type = contents.kind.rawValue
        bytes = byteCount
        otherTables = contents.otherTables
        warnings = contents.warnings
        layers = contents.tables.map { table in
            Layer(
                name: table.name, title: table.title, crs: table.crs,
                extent: table.bounds.map { Self.sides($0.extent) },
                geographicBox: table.bounds?.extent(in: .crs84).map(Self.sides), format: table.format,
                attribution: table.attribution, minZoom: table.levels.first?.number,
                maxZoom: table.levels.last?.number, tiles: table.levels.reduce(0) { $0 + $1.tileCount },
                levels: table.levels.map {
                    Level(zoom: $0.number, resolution: $0.resolution, tileSize: $0.tileSize, tiles: $0.tileCount)
                })
        }
    }

    private static func sides(_ extent: Extent) -> [Double] { [extent.minX, extent.minY, extent.maxX, extent.maxY] }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        var text = type + (bytes.map { ", \(ByteText.text($0))" } ?? "") + "\n"
        for layer in layers {
            text += "\n"
            let title = layer.title.flatMap { $0 == layer.name ? nil : $0 }
            if !layer.name.isEmpty {
                text += "Layer     \(PlainText.oneLine(layer.name + (title.map { " (\($0))" } ?? "")))\n"
            }
            text += "Tiles     \(layer.tiles), \(layer.format ?? "no images")\n"
            text += "CRS       \(PlainText.oneLine(layer.crs))\n"
            if let box = layer.geographicBox { text += "Degrees   \(Self.short(box))\n" }
            if let extent = layer.extent { text += "Extent    \(Self.short(extent))\n" }
            if let attribution = layer.attribution { text += "Credit    \(PlainText.oneLine(attribution))\n" }
            let rows = layer.levels.map { level in
                [
                    String(level.zoom), ServiceInfo.significant(level.resolution),
                    level.tileSize.map(String.init).joined(separator: "x"), String(level.tiles),
                ]
            }
            text += "\n" + TextTable.text([["ZOOM", "RESOLUTION", "TILE", "TILES"]] + rows)
        }
        if !otherTables.isEmpty {
            text += "\nNot drawn  \(PlainText.oneLine(otherTables.joined(separator: ", "))) (features or coverages)\n"
        }
        for warning in warnings { text += "note: \(PlainText.oneLine(warning))\n" }
        return text
    }

    private static func short(_ sides: [Double]) -> String { sides.map(ServiceInfo.short).joined(separator: " ") }
}

extension InfoCommand {
    /// What a file of tiles holds, or `nil` when the source is none.
    static func archive(at source: String) throws(CommandFailure) -> ArchiveInfo? {
        var path = source
        for prefix in ["mbtiles:", "gpkg:"] where source.hasPrefix(prefix) {
            path = String(source.dropFirst(prefix.count))
        }
        guard LayerBuilder.isFile(path), let file = FileHandle(forReadingAtPath: path),
            let start = try? file.read(upToCount: 16), ContentKind(recognizing: [UInt8](start)) == .sqlite
        else {
            guard path == source else {
                throw LayerBuilder.isThere(path)
                    ? CommandFailure(.badData, "\(path): this is no SQLite file, as MBTiles and GeoPackages are")
                    : CommandFailure(.noInput, "\(path): there is no such file")
            }
            return nil
        }
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
        do { return ArchiveInfo(try TileArchiveContents(path: path), byteCount: size) } catch {
            throw LayerBuilder.failure(error)
        }
    }
}
