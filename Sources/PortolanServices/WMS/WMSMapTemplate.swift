package import PortolanGeo
package import PortolanWeb

/// The common part of the map requests of one source, without extent and size.
package struct WMSMapTemplate: Hashable, Sendable {
    /// The version spoken.
    package var version: WMSVersion
    /// The address that gets the requests.
    package var baseURL: NamedURL
    /// The layers, the bottommost first.
    package var layers: [String]
    /// A style for each layer.
    package var styles: [String]
    /// The system to ask in; extents of requests are in its units.
    package var crs: CRS
    /// The system's name as the server spells it.
    package var crsName: String
    /// Whether the map's system has other coordinates, so that pictures must be warped.
    package var needsReprojection: Bool
    /// The format as the server writes it.
    package var format: String
    /// Whether the background is transparent.
    package var isTransparent: Bool
    /// The colour of the background where it is not transparent.
    package var background: GetMapRequest.Color?
    /// In which order the sides of bounding boxes go.
    package var axisOrder: AxisOrderPolicy
    /// Whether ``axisOrder`` follows bounding boxes that contradict the standard; a lower version has no such doubt.
    package var isAxisOrderDoubtful: Bool
    /// More parameters, in their order.
    package var extraParameters: [GetMapRequest.Parameter]
    /// The limits of one request.
    package var limits: WMSRequestLimits
    /// The most pixels in a row, or `nil`.
    package var maxWidth: Int? { limits.maxWidth }
    /// The most rows of pixels, or `nil`.
    package var maxHeight: Int? { limits.maxHeight }
    /// The common area of the layers, in degrees, or `nil` when not all state it.
    package var geographicBox: BoundingBox?
    /// The attributions of the picture, each once, in the order of the layers.
    package var attributions: [WMSAttribution]
    /// Decisions that deviate from the options or the document, a line each.
    package var warnings: [MapWarning]

    /// The request for a picture of `extent`, which is in units of ``crs``.
    ///
    /// - Parameter width: more than 0, as `height`.
    package func request(extent: Extent, width: Int, height: Int) -> GetMapRequest {
        GetMapRequest(
            version: version, baseURL: baseURL, layers: layers, styles: styles, crs: crs, crsName: crsName,
            extent: extent, width: width, height: height, format: format, isTransparent: isTransparent,
            background: background, axisOrder: axisOrder, extraParameters: extraParameters)
    }
}

/// The limits of a WMS for a request of some layers.
package struct WMSRequestLimits: Hashable, Sendable {
    /// The most pixels in a row, or `nil` when the service states no limit.
    package var maxWidth: Int?
    /// The most rows of pixels, or `nil` when the service states no limit.
    package var maxHeight: Int?
    /// The most layers, or `nil` when the service states no limit.
    package var maxLayers: Int?
    /// The only width, or `nil` for any.
    package var fixedWidth: Int?
    /// The only height, or `nil` for any.
    package var fixedHeight: Int?
    /// The only extent that can be had (`noSubsets`), in units of the requests' CRS, or `nil` for any.
    package var wholeExtent: Extent?
    /// The scales of each layer, in the order of the request; empty for no limits.
    package var scales: [WMSScaleRange]

    /// Creates limits.
    package init(
        maxWidth: Int? = nil, maxHeight: Int? = nil, maxLayers: Int? = nil, fixedWidth: Int? = nil,
        fixedHeight: Int? = nil, wholeExtent: Extent? = nil, scales: [WMSScaleRange] = []
    ) {
        self.maxWidth = maxWidth
        self.maxHeight = maxHeight
        self.maxLayers = maxLayers
        self.fixedWidth = fixedWidth
        self.fixedHeight = fixedHeight
        self.wholeExtent = wholeExtent
        self.scales = scales
    }

    /// The limits of layers of a service when they are asked for in `crs`.
    init(layers: [WMSLayer], crs: CRS, service: WMSService, notes: inout ReaderNotes) {
        self.init(
            maxWidth: service.maxWidth, maxHeight: service.maxHeight, maxLayers: service.layerLimit,
            fixedWidth: layers.compactMap(\.fixedWidth).first, fixedHeight: layers.compactMap(\.fixedHeight).first,
            scales: layers.map { WMSScaleRange(minimum: $0.minScaleDenominator, maximum: $0.maxScaleDenominator) })
        if let whole = layers.first(where: \.hasNoSubsets) {
            let transform = try? CoordinateTransform(from: .crs84, to: crs)
            wholeExtent =
                whole.boundingBox(in: crs)?.extent ?? whole.geographicBox?.extent.flatMap { transform?($0) }
            if wholeExtent == nil {
                notes.add(
                    "the layer '\(whole.name ?? "")' is only available as a whole, but its extent in \(crs) is unknown")
            }
        }
    }

    /// Whether the layers can be had in any extent and size.
    package var allowsTiles: Bool { wholeExtent == nil && fixedWidth == nil && fixedHeight == nil }
}

/// The scales that a layer is drawn at: denominators for pixels of 0.28 mm (OGC 06-042 7.2.4.6.9).
package struct WMSScaleRange: Hashable, Sendable, CustomStringConvertible {
    /// The least denominator, or `nil` for no limit.
    package var minimum: Double?
    /// The denominator from which on it is not drawn, or `nil` for no limit.
    package var maximum: Double?

    /// Creates a range.
    package init(minimum: Double? = nil, maximum: Double? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The error of servers that count dots of 72 or 96 to the inch in place of 0.28 mm.
    private static let tolerance = 1.3

    /// Whether a server may draw the layer at a denominator.
    ///
    /// The limits are taken a third wider than they are written: what is asked for in vain comes back empty, while what is
    /// not asked for by mistake would be missing.
    package func mayDraw(at denominator: Double) -> Bool {
        if let minimum, denominator * Self.tolerance < minimum { return false }
        if let maximum, denominator >= maximum * Self.tolerance { return false }
        return true
    }

    /// The range in words, as `from 1:5000 to 1:100000`.
    package var description: String {
        func scale(_ word: String, _ denominator: Double?) -> String? {
            denominator.map { "\(word) 1:\(NumberText.decimal($0.rounded()))" }
        }
        let words = [scale("from", minimum), scale("to", maximum)].compactMap(\.self)
        return words.isEmpty ? "at all scales" : words.joined(separator: " ")
    }
}
