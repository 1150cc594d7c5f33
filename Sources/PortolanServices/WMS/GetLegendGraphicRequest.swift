package import PortolanWeb

/// A request for the picture that explains a style of one layer of a WMS.
package struct GetLegendGraphicRequest: Hashable, Sendable {
    /// The version of WMS spoken.
    package var version: WMSVersion
    /// The address of the service; its own query is kept.
    package var baseURL: NamedURL
    /// The layer.
    package var layer: String
    /// The style, or `nil` for the default one.
    package var style: String?
    /// The format, a media type.
    package var format: String
    /// Pixels in a row wanted, or `nil` to leave it to the service, which may do otherwise all the same.
    package var width: Int?
    /// Rows of pixels wanted, or `nil` to leave it to the service.
    package var height: Int?
    /// The scale denominator, for pixels of 0.28 mm, whose rules are wanted, or `nil` for all.
    package var scaleDenominator: Double?

    /// Creates a request.
    package init(
        version: WMSVersion, baseURL: NamedURL, layer: String, style: String? = nil, format: String = "image/png",
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

    /// ``url``, named by who named the service's address.
    package var address: NamedURL { NamedURL(url, namedBy: baseURL.origin) }

    /// The parameters that this request sets beside the common ones.
    private static let own: Set<String> = ["LAYER", "STYLE", "SLD_VERSION", "SCALE", "RULE", "SLD", "SLD_BODY"]
}

/// The legend of one layer of a WMS: its title, and where the picture that explains its style is.
package struct WMSLegend: Hashable, Sendable {
    /// The name of the layer.
    package var layer: String
    /// The title of the layer for people, its name where the service gives none.
    package var title: String
    /// The address of the picture, or `nil` when the service has none that can be read.
    package var url: NamedURL?

    /// Creates a legend.
    package init(layer: String, title: String, url: NamedURL?) {
        self.layer = layer
        self.title = title
        self.url = url
    }
}
