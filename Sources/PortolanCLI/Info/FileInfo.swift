import Foundation
import Portolan
import PortolanWeb

/// The contents of a tile file, for text and JSON.
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
        warnings = contents.warnings.map(\.description)
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
                    String(level.zoom), InfoText.significant(level.resolution),
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

    private static func short(_ sides: [Double]) -> String { sides.map(InfoText.short).joined(separator: " ") }
}

extension ArchiveInfo {
    /// The contents of a tile file, or `nil` for other files.
    ///
    /// - Parameter isExpected: whether the source is declared as a tile file; other files are an error then.
    static func reading(_ file: LocalFile, isExpected: Bool) throws(CommandFailure) -> ArchiveInfo? {
        guard let start = try? file.start(16), ContentKind(recognizing: start) == .sqlite else {
            guard isExpected else { return nil }
            throw CommandFailure(.badData, "\(file.path): not an SQLite file (MBTiles or GeoPackage)")
        }
        do { return ArchiveInfo(try TileArchiveContents(at: file.path), byteCount: file.byteCount) } catch {
            throw CommandFailure(error)
        }
    }
}

/// The contents of a feature file, for text and JSON.
struct FeatureFileInfo: InfoDocument, Encodable {
    struct Property: Encodable {
        var name: String
        /// The number of features with the property.
        var count: Int
        var example: String?
    }

    var type: String
    var crs: String
    var features: Int
    var coordinates: Int
    /// West, south, east, north in units of the CRS.
    var boundingBox: [Double]?
    var geometries: [String: Int]
    var properties: [Property]
    var routes: [String]
    var attribution: String?
    var warnings: [String]

    init(_ collection: FeatureCollection, format: String) {
        type = format
        crs = collection.effectiveCRS.name
        features = collection.features.count
        coordinates = collection.features.reduce(0) { $0 + ($1.geometry?.coordinateCount ?? 0) }
        boundingBox = collection.boundingBox.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] }
        geometries = [:]
        routes = collection.features.compactMap { $0.route?.name }
        attribution = collection.foreignMembers["attribution"]?.stringValue
        warnings = collection.warnings.map(\.description)
        var order: [String] = [], found: [String: Property] = [:]
        for feature in collection.features {
            geometries[feature.geometry.map { "\($0.kind)" } ?? "none", default: 0] += 1
            for property in feature.properties {
                if found[property.name] == nil {
                    order.append(property.name)
                    found[property.name] = Property(name: property.name, count: 0)
                }
                found[property.name]?.count += 1
                if found[property.name]?.example == nil {
                    found[property.name]?.example = property.value.displayText.map { String($0.prefix(40)) }
                }
            }
        }
        properties = order.compactMap { found[$0] }
    }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        var text = "\(type), \(features) features, \(coordinates) coordinates, \(crs)\n"
        if let attribution { text += "\(PlainText.oneLine(attribution))\n" }
        if let boundingBox { text += "Extent      \(boundingBox.map(InfoText.short).joined(separator: " "))\n" }
        let kinds = geometries.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        text += "Geometries  \(kinds.joined(separator: ", "))\n"
        if !routes.isEmpty { text += "Routes      \(PlainText.oneLine(routes.joined(separator: ", ")))\n" }
        if !properties.isEmpty {
            text +=
                "\n"
                + TextTable.text(
                    [["PROPERTY", "IN", "EXAMPLE"]]
                        + properties.map {
                            [$0.name, String($0.count), $0.example ?? ""]
                        })
        }
        for warning in warnings { text += "note: \(PlainText.oneLine(warning))\n" }
        return text
    }
}
