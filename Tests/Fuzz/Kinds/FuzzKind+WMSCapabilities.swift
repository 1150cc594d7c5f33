import PortolanGeo
import PortolanServices
import PortolanWeb

extension FuzzKind {
    /// Capabilities of all versions of WMS, tile sets among them.
    static let wmsCapabilities = FuzzKind(
        name: "wms-capabilities", grammar: .xml,
        corpus: [
            "Tests/PortolanServicesTests/Fixtures/mapproxy/caps-*.xml",
            "Tests/PortolanServicesTests/Fixtures/mapproxy/dims-wms-caps.xml",
            "Tests/PortolanServicesTests/Fixtures/mapproxy/wmsc-caps-*.xml",
            "Tests/PortolanServicesTests/Fixtures/mapproxy/quirk-caps-*.xml",
            "Tests/PortolanServicesTests/Fixtures/mapserver/caps-*.xml",
            "Tests/PortolanServicesTests/Fixtures/mapproxy/err-*.xml",
            "Tests/PortolanServicesTests/Fixtures/documents/wms-*.xml", "Tests/Fuzz/Corpus/wms-capabilities/*",
        ], read: readWmsCapabilities)

    private static func readWmsCapabilities(_ bytes: [UInt8]) throws -> Outcome {
        let capabilities: WMSCapabilities
        do { capabilities = try WMSCapabilitiesReader.read(bytes) } catch {
            return try refused(error.description)
        }
        for warning in capabilities.warnings { _ = try refused(warning.description) }
        for layer in capabilities.allLayers.prefix(200) {
            for box in layer.boundingBoxes.map(\.box) + [layer.geographicBox].compactMap(\.self) {
                guard [box.minX, box.minY, box.maxX, box.maxY].allSatisfy(\.isFinite) else {
                    throw Violation("a bounding box that is not finite")
                }
            }
        }
        var refusals = 0
        for name in capabilities.layerNames.prefix(20) {
            // Without a view, and where boxes are weighed against one.
            let views = [
                (CRS.webMercator, nil), (.crs84, nil),
                (.webMercator, Extent(minX: -3e7, minY: -4e7, maxX: 3e7, maxY: 4e7)),
                (.epsg4326, Extent(minX: 100, minY: -89, maxX: 120, maxY: -70)),
            ]
            for (crs, view) in views {
                do {
                    let template = try WMSNegotiation.template(
                        for: WMSOptions(layers: [name]), of: capabilities,
                        baseURL: "https://example.org/wms?key=1", mapCRS: crs, around: view)
                    guard let extent = Extent(minX: -10, minY: 35, maxX: 5, maxY: 44) else { continue }
                    try checkURL(template.request(extent: extent, width: 256, height: 256).url, "a request for a map")
                } catch let error as WMSNegotiationError {
                    refusals += 1
                    _ = try refused(error.description)
                }
            }
        }
        var tiles = 0
        for set in capabilities.tileSets.prefix(20) {
            do {
                let request = try WMSCTileSet.TileRequest(tileSet: set, baseURL: "https://example.org/wms")
                guard let tile = request.grid.tile(level: 0, column: 0, row: 0) else { continue }
                if let url = request.url(for: tile) { try checkURL(url, "a request for a tile") }
                tiles += 1
            } catch let error as WMSCTileSet.InvalidError {
                _ = try refused(error.description)
            }
        }
        return .value(
            "\(capabilities.version) \(magnitude(capabilities.allLayers.count)) \(magnitude(capabilities.warnings.count)) "
                + "\(magnitude(refusals)) \(magnitude(tiles))")
    }
}
