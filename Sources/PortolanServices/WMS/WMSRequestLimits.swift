public import PortolanGeo

/// What a WMS draws of some layers in one request.
public struct WMSRequestLimits: Hashable, Sendable {
    /// The most pixels in a row, or `nil` when the service states no limit.
    public var maxWidth: Int?
    /// The most rows of pixels, or `nil` when the service states no limit.
    public var maxHeight: Int?
    /// The most layers, or `nil` when the service states no limit.
    public var maxLayers: Int?
    /// The only width, or `nil` for any.
    public var fixedWidth: Int?
    /// The only height, or `nil` for any.
    public var fixedHeight: Int?
    /// The only extent that can be had (`noSubsets`), in units of the requests' CRS, or `nil` for any.
    public var wholeExtent: Extent?
    /// The scales of each layer, in the order of the request; empty for no limits.
    public var scales: [WMSScaleRange]

    /// Makes limits.
    public init(
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
                    "the layer '\(whole.name ?? "")' can only be had whole, but its extent in \(crs) is not known")
            }
        }
    }

    /// Whether the layers can be had in any extent and size.
    package var allowsTiles: Bool { wholeExtent == nil && fixedWidth == nil && fixedHeight == nil }
}
