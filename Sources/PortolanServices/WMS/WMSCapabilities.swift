/// What a Web Map Service offers, as its capabilities document of version 1.0.0, 1.1.0, 1.1.1 or 1.3.0 tells.
public struct WMSCapabilities: Hashable, Sendable {
    /// The version of the document, the nearest of those known.
    public var version: WMSVersion
    /// The version as the document writes it.
    public var versionText: String
    /// What changes when the document does, or `nil`.
    public var updateSequence: String?
    /// Who offers the service and under what terms.
    public var service: WMSService
    /// The operations, in the order of the document.
    public var operations: [WMSOperation]
    /// The forms in which errors can be had.
    public var exceptionFormats: [WMSFormat]
    /// The outermost layers; mostly one.
    public var layers: [WMSLayer]
    /// The grids of tiles that the service has ready (WMS-C); listed in version 1.1.1 only, and when asked for.
    public var tileSets: [WMSCTileSet]
    /// What was odd in the document, a line each.
    public var warnings: [String]

    /// The operation with a name, whatever the case, or `nil`.
    public func operation(named name: String) -> WMSOperation? {
        operations.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The operation that draws maps, or `nil`.
    public var getMap: WMSOperation? { operation(named: "GetMap") }

    /// The operation that tells about features, or `nil`.
    public var getFeatureInfo: WMSOperation? { operation(named: "GetFeatureInfo") }

    /// The operation that gives this document, or `nil`.
    public var getCapabilities: WMSOperation? { operation(named: "GetCapabilities") }

    /// All layers, each before those inside it.
    ///
    /// - Complexity: linear in their number.
    public var allLayers: [WMSLayer] {
        var result: [WMSLayer] = []
        for layer in layers { layer.collect(into: &result) }
        return result
    }

    /// The names that maps can be asked for by, in the order of the document and each once.
    public var layerNames: [String] {
        var seen: Set<String> = []
        return allLayers.compactMap(\.name).filter { seen.insert($0).inserted }
    }

    /// The first layer with a name, letter for letter, or `nil`.
    ///
    /// - Complexity: linear in the number of layers.
    public func layer(named name: String) -> WMSLayer? {
        for layer in layers {
            if let found = layer.layer(named: name) { return found }
        }
        return nil
    }
}
