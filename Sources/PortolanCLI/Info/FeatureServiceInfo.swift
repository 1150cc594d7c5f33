import Portolan
import PortolanServices

/// The offer of a WFS or OGC API, for text and JSON.
struct FeatureServiceInfo: InfoDocument, Encodable {
    struct Layer: Encodable {
        var name: String
        var title: String
        /// West, south, east, north in degrees.
        var geographicBox: [Double]?
        /// The coordinate systems, the storage CRS first.
        var crs: [String]
        /// The available resources, `items`, `tiles` or `map`; `nil` for a WFS.
        var offers: [String]?
    }

    /// `WFS`, `OGC API - Features`, or the other parts of an OGC API: `OGC API - Maps, Tiles`.
    var type: String
    var version: String?
    var title: String
    var abstract: String?
    var accessConstraints: String?
    /// The URL for feature requests, if one serves all types.
    var getFeatureURL: String?
    var formats: [String]
    /// The default number of features per response.
    var defaultCount: Int?
    /// Whether responses are paged.
    var paging: Bool?
    /// The conformance classes.
    var conformance: [String]?
    var layers: [Layer]
    var warnings: [String]

    init(_ capabilities: WFSCapabilities) {
        type = "WFS"
        version = capabilities.versionText
        title = capabilities.title
        abstract = capabilities.abstract
        accessConstraints = capabilities.accessConstraints
        let operation = capabilities.operation(named: "GetFeature")
        getFeatureURL = operation?.getURL
        formats = operation?.outputFormats ?? []
        defaultCount = capabilities.defaultCount
        paging = capabilities.hasPaging
        layers = capabilities.featureTypes.map { type in
            Layer(
                name: type.name, title: type.title,
                geographicBox: type.geographicBox.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] }, crs: type.crsNames)
        }
        warnings = capabilities.warnings.map(\.description)
    }

    init(_ offered: ServiceClient.FeatureCollections) {
        type = "OGC API - " + Self.parts(offered).joined(separator: ", ")
        title = offered.title
        abstract = offered.description
        formats = []
        conformance = offered.conformance
        layers = offered.collections.map { collection in
            let names = [collection.storageCRSName].compactMap(\.self)
            return Layer(
                name: collection.identifier, title: collection.title,
                geographicBox: collection.geographicBox.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] },
                crs: names + collection.crsNames.filter { !names.contains($0) }, offers: Self.offers(of: collection))
        }
        warnings = offered.warnings.map(\.description)
    }

    /// The parts of the API that it declares or that its collections link to.
    private static func parts(_ offered: ServiceClient.FeatureCollections) -> [String] {
        let stated = [("Features", "features"), ("Maps", "maps"), ("Tiles", "tiles")].filter { part in
            offered.conformance.contains { $0.contains("/ogcapi-\(part.1)-") }
        }.map(\.0)
        if !stated.isEmpty { return stated }
        let led = Set(offered.collections.flatMap { offers(of: $0) })
        let found = [("Features", "items"), ("Maps", "map"), ("Tiles", "tiles")].filter { led.contains($0.1) }.map(\.0)
        return found.isEmpty ? ["Features"] : found
    }

    /// The resources of a collection, by its links.
    private static func offers(of collection: OGCAPICollection) -> [String] {
        func has(_ relation: String) -> Bool { collection.links.contains { $0.leads(to: relation) } }
        return [
            has("items") ? "items" : nil, has("tilesets-map") || has("tiles") ? "tiles" : nil, has("map") ? "map" : nil,
        ].compactMap(\.self)
    }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        var text = "\(PlainText.oneLine(title))\n\(type)\(version.map { " " + PlainText.oneLine($0) } ?? "")\n"
        if let abstract { text += "\(PlainText.oneLine(abstract))\n" }
        text += "\n"
        if let getFeatureURL { text += "Address   \(PlainText.oneLine(getFeatureURL))\n" }
        if !formats.isEmpty { text += "Formats   \(PlainText.oneLine(formats.joined(separator: ", ")))\n" }
        if let defaultCount { text += "Features  \(defaultCount) per response by default\n" }
        if let paging { text += "Pages     \(paging ? "yes" : "no")\n" }
        if let accessConstraints, accessConstraints.lowercased() != "none" {
            text += "Terms     \(PlainText.oneLine(accessConstraints))\n"
        }
        if !text.hasSuffix("\n\n") { text += "\n" }
        // Feature types only need no further line.
        let isMixed = layers.contains { layer in layer.offers.map { !$0.isEmpty && $0 != ["items"] } ?? false }
        var rows = [["LAYER", "TITLE", "EXTENT (DEGREES)", "CRS"] + (isMixed ? ["OFFERS"] : [])]
        for layer in layers {
            let more = layer.crs.count > 4 ? " and \(layer.crs.count - 4) more" : ""
            rows.append(
                [
                    layer.name, layer.title,
                    layer.geographicBox.map { $0.map(InfoText.short).joined(separator: " ") } ?? "",
                    layer.crs.prefix(4).map { (try? CRS($0))?.name ?? $0 }.joined(separator: ", ") + more,
                ] + (isMixed ? [(layer.offers ?? []).joined(separator: ", ")] : []))
        }
        text += TextTable.text(rows)
        if isMixed { text += "\nTo draw, put a kind before the URL: oaf: (features), oat: (tiles) or oam: (maps).\n" }
        for warning in warnings { text += "note: \(PlainText.oneLine(warning))\n" }
        return text
    }
}

extension FeatureServiceInfo {
    /// The offer of the service at a URL, or `nil` if it is another kind of service.
    static func asking(
        _ url: String, as kind: LayerKind?, client: ServiceClient
    ) async throws(ServiceError) -> FeatureServiceInfo? {
        if kind != .ogcAPI {
            do { return FeatureServiceInfo(try await client.readWFSCapabilities(of: url)) } catch {
                guard error.isAnswer, kind == nil else { throw error }
            }
        }
        do { return FeatureServiceInfo(try await client.readFeatureCollections(of: url)) } catch {
            guard error.isAnswer, kind == nil else { throw error }
            return nil
        }
    }
}
