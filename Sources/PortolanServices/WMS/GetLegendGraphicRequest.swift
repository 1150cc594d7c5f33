import PortolanWeb

/// A request for the picture that explains a style of one layer of a WMS.
public struct GetLegendGraphicRequest: Hashable, Sendable {
    /// The version of WMS spoken.
    public var version: WMSVersion
    /// The address of the service; its own query is kept.
    public var baseURL: String
    /// The layer.
    public var layer: String
    /// The style, or `nil` for the default one.
    public var style: String?
    /// The format, a media type.
    public var format: String
    /// Pixels in a row wanted, or `nil` to leave it to the service, which may do otherwise all the same.
    public var width: Int?
    /// Rows of pixels wanted, or `nil` to leave it to the service.
    public var height: Int?
    /// The scale denominator, for pixels of 0.28 mm, whose rules are wanted, or `nil` for all.
    public var scaleDenominator: Double?

    /// Makes a request.
    public init(
        version: WMSVersion, baseURL: String, layer: String, style: String? = nil, format: String = "image/png",
        width: Int? = nil, height: Int? = nil, scaleDenominator: Double? = nil
    ) {
        self.version = version
        self.baseURL = baseURL
        self.layer = layer
        self.style = style
        self.format = format
        self.width = width
        self.height = height
        self.scaleDenominator = scaleDenominator
    }

    /// The address to get the picture from.
    ///
    /// The style is `STYLE`, of one layer. In version 1.3.0 `SLD_VERSION` must be there; version 1.0.0 does not have the
    /// operation, and is asked in the words of 1.1.1.
    ///
    /// Follows OGC 05-078r4 (SLD profile of WMS 1.3.0) table 8 and OGC 02-070 (SLD 1.0.0) 12.2.
    public var url: String {
        let version = max(version, .v1_1_1)
        var parameters = WMSParameters.opening(version: version, request: "GetLegendGraphic")
        if version >= .v1_3_0 { parameters.append(("SLD_VERSION", "1.1.0")) }
        parameters.append(("LAYER", PercentEncoding.value(layer)))
        if let style, !style.isEmpty { parameters.append(("STYLE", PercentEncoding.value(style))) }
        parameters.append(("FORMAT", PercentEncoding.value(format)))
        if let width { parameters.append(("WIDTH", String(width))) }
        if let height { parameters.append(("HEIGHT", String(height))) }
        if let scaleDenominator, scaleDenominator.isFinite {
            parameters.append(("SCALE", NumberText.decimal(scaleDenominator)))
        }
        parameters.append(("EXCEPTIONS", PercentEncoding.value(version.xmlExceptions)))
        return ServiceURL(baseURL).url(with: parameters, dropping: WMSParameters.ofProtocol.union(Self.own))
    }

    /// What the request sets itself beside what all do.
    private static let own: Set<String> = ["LAYER", "STYLE", "SLD_VERSION", "SCALE", "RULE", "SLD", "SLD_BODY"]
}
