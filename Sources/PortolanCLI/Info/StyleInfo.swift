import Portolan
import PortolanStyles

/// The contents of a MapLibre style, for text and JSON.
struct StyleInfo: InfoDocument, Encodable {
    struct Source: Encodable {
        var name: String
        var type: String
        /// The URL of its data, or `nil` for inline data.
        var address: String?
        /// The number of layers that draw it.
        var layers: Int
    }

    struct Layer: Encodable {
        var name: String
        var type: String
        var source: String?
        var minZoom: Double?
        var maxZoom: Double?
    }

    let type = "MapLibre style"
    var name: String?
    var sources: [Source]
    var sprites: [String]
    /// The layers that are drawn, bottom first.
    var layers: [Layer]
    var warnings: [String]

    init(_ sheet: StyleSheet) {
        name = sheet.name
        sources = sheet.sources.sorted { $0.key < $1.key }.map { name, source in
            let tiles = source.members["tiles"]?.arrayValue?.first ?? source.members["url"]
            let address = source.members["data"]?.stringValue ?? tiles?.stringValue
            return Source(
                name: name, type: source.type, address: address, layers: sheet.layers.count { $0.source == name })
        }
        sprites = sheet.sprites.map(\.url)
        layers = sheet.layers.map { layer in
            Layer(
                name: layer.id, type: layer.kind.rawValue, source: layer.source,
                minZoom: layer.minimumZoom.isFinite ? layer.minimumZoom : nil,
                maxZoom: layer.maximumZoom.isFinite ? layer.maximumZoom : nil)
        }
        warnings = sheet.warnings.map(\.description)
    }

    private enum CodingKeys: String, CodingKey { case type, name, sources, sprites, layers, warnings }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        var text = type + (name.map { ", \(PlainText.oneLine($0))" } ?? "") + ", \(layers.count) layers\n"
        if !sprites.isEmpty { text += "Sprite    \(PlainText.oneLine(sprites.joined(separator: ", ")))\n" }
        if !sources.isEmpty {
            let rows = sources.map {
                [$0.name, $0.type, String($0.layers), String(($0.address ?? "in the style").prefix(100))]
            }
            text += "\n" + TextTable.text([["SOURCE", "TYPE", "LAYERS", "ADDRESS"]] + rows)
        }
        let rows = layers.map { layer in
            [layer.name, layer.type, layer.source ?? "", Self.zooms(layer.minZoom, layer.maxZoom)]
        }
        text += "\n" + TextTable.text([["LAYER", "TYPE", "SOURCE", "ZOOMS"]] + rows)
        for warning in warnings { text += "note: \(PlainText.oneLine(warning))\n" }
        return text
    }

    private static func zooms(_ first: Double?, _ last: Double?) -> String {
        guard first != nil || last != nil else { return "" }
        return "\(first.map(InfoText.short) ?? "")–\(last.map(InfoText.short) ?? "")"
    }
}
