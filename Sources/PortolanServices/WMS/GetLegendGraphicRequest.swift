package import PortolanWeb

/// A request for the legend image of a WMS layer's style.
package struct GetLegendGraphicRequest: Hashable, Sendable {
    /// The protocol version.
    package var version: WMSCapabilities.Version
    /// The URL of the service; its query is kept.
    package var baseURL: NamedURL
    /// The layer.
    package var layer: String
    /// The style, or `nil` for the default.
    package var style: String?
    /// The media type.
    package var format: String
    /// The requested width in pixels, or `nil` for that of the service.
    ///
    /// The service may return another width.
    package var width: Int?
    /// The requested height in pixels, or `nil` for that of the service.
    package var height: Int?
    /// The scale denominator, for pixels of 0.28 mm, whose rules are requested, or `nil` for all.
    package var scaleDenominator: Double?

    /// Creates a request.
    package init(
        version: WMSCapabilities.Version, baseURL: NamedURL, layer: String, style: String? = nil,
        format: String = "image/png",
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

    /// The request URL.
    ///
    /// The parameter for the style of a single layer is `STYLE`. Version 1.3.0 requires `SLD_VERSION`. Version 1.0.0
    /// does not have the operation, and receives a request of version 1.1.1.
    ///
    /// It follows OGC 05-078r4 (SLD profile of WMS 1.3.0) table 8 and OGC 02-070 (SLD 1.0.0) 12.2.
    package var url: String {
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
        return ServiceURL(baseURL.text).url(with: parameters, dropping: WMSParameters.ofProtocol.union(Self.own))
    }

    /// ``url`` with the origin of the service's URL.
    package var address: NamedURL { NamedURL(url, namedBy: baseURL.origin) }

    /// The parameters of this request in addition to the common ones.
    private static let own: Set<String> = ["LAYER", "STYLE", "SLD_VERSION", "SCALE", "RULE", "SLD", "SLD_BODY"]
}

/// The legend of a WMS layer: its title, and the URL of its legend image.
package struct WMSLegend: Hashable, Sendable {
    /// The name of the layer.
    package var layer: String
    /// The title of the layer, or its name if the service has no title.
    package var title: String
    /// The URL of the image, or `nil` if the service has no readable one.
    package var url: NamedURL?

    /// Creates a legend.
    package init(layer: String, title: String, url: NamedURL?) {
        self.layer = layer
        self.title = title
        self.url = url
    }
}
