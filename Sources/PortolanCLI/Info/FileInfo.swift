import Foundation
import Portolan
import PortolanServices
import PortolanWeb

/// The contents of a tile file, for text and JSON.
struct ArchiveInfo: InfoDocument, Encodable {
    struct Level: Encodable {
        var zoom: Int
        var resolution: Double
        var tileSize: [Int]
        var tiles: Int?
    }

    /// A layer of vector tiles.
    struct VectorLayer: Encodable {
        var name: String
        var description: String?
        var minZoom: Int?
        var maxZoom: Int?
        /// The attributes with their types.
        var fields: [String: String]

        init(_ layer: VectorLayerDescription) {
            name = layer.id
            description = layer.description
            minZoom = layer.minimumLevel
            maxZoom = layer.maximumLevel
            fields = Dictionary(layer.fields.map { ($0.name, $0.type) }) { first, _ in first }
        }

        /// The layers as a table with a line above it; empty if there are none.
        static func table(_ layers: [VectorLayerDescription]) -> String {
            guard !layers.isEmpty else { return "" }
            let rows = layers.map { layer in
                let levels = [layer.minimumLevel, layer.maximumLevel].map { $0.map(String.init) ?? "" }
                let names = layer.fields.prefix(30).map(\.name)
                return [
                    layer.id, levels == ["", ""] ? "" : levels.joined(separator: "-"),
                    names.joined(separator: ", ") + (layer.fields.count > 30 ? ", …" : ""),
                ]
            }
            return "\n" + TextTable.text([["VECTOR LAYER", "ZOOMS", "ATTRIBUTES"]] + rows)
        }
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
        var tiles: Int?
        var levels: [Level]
        var vectorLayers: [VectorLayer]?
    }

    var type: String
    var bytes: Int?
    var layers: [Layer]
    /// Tables of a GeoPackage that are not drawn.
    var otherTables: [String]
    var warnings: [String]
    /// The tables of the layers of vector tiles, by the tables of the archive.
    private var vectorTables: [String]

    private enum CodingKeys: String, CodingKey { case type, bytes, layers, otherTables, warnings }

    init(_ contents: TileArchiveContents, byteCount: Int?) {
        vectorTables = contents.tables.map { VectorLayer.table($0.vectorLayers) }
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
                maxZoom: table.levels.last?.number, tiles: Self.count(table.levels),
                levels: table.levels.map {
                    Level(zoom: $0.number, resolution: $0.resolution, tileSize: $0.tileSize, tiles: $0.tileCount)
                }, vectorLayers: table.vectorLayers.isEmpty ? nil : table.vectorLayers.map { VectorLayer($0) })
        }
    }

    /// The number of tiles of all levels, or `nil` if they are not counted.
    private static func count(_ levels: [TileArchiveContents.Level]) -> Int? {
        let counts = levels.compactMap(\.tileCount)
        return counts.count == levels.count ? counts.reduce(0, +) : nil
    }

    private static func sides(_ extent: Extent) -> [Double] { [extent.minX, extent.minY, extent.maxX, extent.maxY] }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        var text = type + (bytes.map { ", \(ByteText.text($0))" } ?? "") + "\n"
        for (layer, vectors) in zip(layers, vectorTables) {
            text += "\n"
            let title = layer.title.flatMap { $0 == layer.name ? nil : $0 }
            if !layer.name.isEmpty {
                text += "Layer     \(PlainText.oneLine(layer.name + (title.map { " (\($0))" } ?? "")))\n"
            }
            let count = layer.tiles.map { "\($0), " } ?? ""
            text += "Tiles     \(count)\(layer.format ?? "no images")\n"
            text += "CRS       \(PlainText.oneLine(layer.crs))\n"
            if let box = layer.geographicBox { text += "Degrees   \(Self.short(box))\n" }
            if let extent = layer.extent { text += "Extent    \(Self.short(extent))\n" }
            if let attribution = layer.attribution { text += "Credit    \(PlainText.oneLine(attribution))\n" }
            let rows = layer.levels.map { level in
                [
                    String(level.zoom), InfoText.significant(level.resolution),
                    level.tileSize.map(String.init).joined(separator: "x"), level.tiles.map { String($0) } ?? "",
                ]
            }
            text += "\n" + TextTable.text([["ZOOM", "RESOLUTION", "TILE", "TILES"]] + rows) + vectors
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
        guard let start = try? file.start(16),
            start.starts(with: "PMTiles".utf8) || ContentKind(recognizing: start) == .sqlite
        else {
            guard isExpected else { return nil }
            throw CommandFailure(.badData, "\(file.path): not a PMTiles, MBTiles or GeoPackage file")
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
