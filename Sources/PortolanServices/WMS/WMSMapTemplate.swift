package import PortolanGeo
package import PortolanWeb

/// A template for the map requests of one source, without extent and size.
package struct WMSMapTemplate: Hashable, Sendable {
    /// The protocol version.
    package var version: WMSCapabilities.Version
    /// The URL of requests.
    package var baseURL: NamedURL
    /// The layers, the lowest first.
    package var layers: [String]
    /// A style for each layer.
    package var styles: [String]
    /// The CRS of requests and their extents.
    package var crs: CRS
    /// The name of the CRS as written by the server.
    package var crsName: String
    /// Whether the map's CRS has other coordinates, so that images must be reprojected.
    package var needsReprojection: Bool
    /// The format as written by the server.
    package var format: String
    /// Whether the background is transparent.
    package var isTransparent: Bool
    /// The colour of an opaque background.
    package var background: GetMapRequest.Color?
    /// The axis order of bounding boxes.
    package var axisOrder: WMSOptions.AxisOrderPolicy
    /// Whether ``axisOrder`` is derived from bounding boxes that contradict the standard.
    ///
    /// A lower version has no such ambiguity.
    package var isAxisOrderDoubtful: Bool
    /// Additional parameters, in order.
    package var extraParameters: [GetMapRequest.Parameter]
    /// The limits of one request.
    package var limits: WMSRequestLimits
    /// The maximum width in pixels, or `nil`.
    package var maxWidth: Int? { limits.maxWidth }
    /// The maximum height in pixels, or `nil`.
    package var maxHeight: Int? { limits.maxHeight }
    /// The common extent of the layers in degrees, or `nil` if not all state one.
    package var geographicBox: BoundingBox?
    /// The unique attributions of the picture, in the order of the layers.
    package var attributions: [WMSCapabilities.Attribution]
    /// Warnings about decisions that deviate from the options or the document.
    package var warnings: [MapWarning]

    /// Returns the request for a picture of `extent`, which is in units of ``crs``.
    ///
    /// - Parameter width: more than 0, as `height`.
    package func request(extent: Extent, width: Int, height: Int) -> GetMapRequest {
        GetMapRequest(
            version: version, baseURL: baseURL, layers: layers, styles: styles, crs: crs, crsName: crsName,
            extent: extent, width: width, height: height, format: format, isTransparent: isTransparent,
            background: background, axisOrder: axisOrder, extraParameters: extraParameters)
    }
}

/// The limits of a WMS for requests of certain layers.
package struct WMSRequestLimits: Hashable, Sendable {
    /// The maximum width in pixels, or `nil` for no stated limit.
    package var maxWidth: Int?
    /// The maximum height in pixels, or `nil` for no stated limit.
    package var maxHeight: Int?
    /// The maximum number of layers, or `nil` for no stated limit.
    package var maxLayers: Int?
    /// The only width, or `nil` for any.
    package var fixedWidth: Int?
    /// The only height, or `nil` for any.
    package var fixedHeight: Int?
    /// The only available extent (`noSubsets`), in units of the requests' CRS, or `nil` for any.
    package var wholeExtent: Extent?
    /// The scale limits of each layer, in the order of the request; empty for no limits.
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

    /// Creates the limits of a service's layers for requests in `crs`.
    init(layers: [WMSCapabilities.Layer], crs: CRS, service: WMSCapabilities.Service, notes: inout ReaderNotes) {
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

    /// Whether the layers are available in any extent and size.
    package var allowsTiles: Bool { wholeExtent == nil && fixedWidth == nil && fixedHeight == nil }
}

/// The scale limits of a layer: denominators for pixels of 0.28 mm (OGC 06-042 7.2.4.6.9).
package struct WMSScaleRange: Hashable, Sendable, CustomStringConvertible {
    /// The minimum denominator, or `nil` for no limit.
    package var minimum: Double?
    /// The denominator at and above which it is not drawn, or `nil` for no limit.
    package var maximum: Double?

    /// Creates a range.
    package init(minimum: Double? = nil, maximum: Double? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The error of servers that assume 72 or 96 dpi instead of 0.28 mm.
    private static let tolerance = 1.3

    /// Returns whether a server may draw the layer at a denominator.
    ///
    /// The limits are extended by a third. An unnecessary request only returns an empty image, while a wrongly omitted
    /// one leaves the layer out.
    package func mayDraw(at denominator: Double) -> Bool {
        if let minimum, denominator * Self.tolerance < minimum { return false }
        if let maximum, denominator >= maximum * Self.tolerance { return false }
        return true
    }

    /// The range as text, such as `from 1:5000 to 1:100000`.
    package var description: String {
        func scale(_ word: String, _ denominator: Double?) -> String? {
            denominator.map { "\(word) 1:\(NumberText.decimal($0.rounded()))" }
        }
        let words = [scale("from", minimum), scale("to", maximum)].compactMap(\.self)
        return words.isEmpty ? "at all scales" : words.joined(separator: " ")
    }
}
