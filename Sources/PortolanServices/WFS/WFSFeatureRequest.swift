package import PortolanGeo
package import PortolanWeb

/// A request template for the features of a WFS type, by bounding box and page.
package struct WFSFeatureRequest: Hashable, Sendable {
    /// The protocol version.
    package let version: WFSVersion
    /// The name of the feature type.
    package let typeName: String
    /// The CRS of bounding boxes and responses.
    package let crs: CRS
    /// The name of the CRS as written by the service.
    package let crsName: String
    /// The response format, or `nil` for the default of the service.
    package let outputFormat: String?
    /// Whether responses are GeoJSON, with coordinates x first.
    package let isGeoJSON: Bool
    /// Whether latitude or northing is first in bounding boxes.
    package let isNorthFirst: Bool
    /// The axis order policy of the caller.
    package let axisOrder: WMSOptions.AxisOrderPolicy
    /// Whether responses can be paged.
    package let hasPaging: Bool
    /// The number of features in a response to a request without a number, or `nil` if unknown.
    package let defaultCount: Int?
    /// The URL of the service for GetFeature.
    package let address: NamedURL
    /// The base document for URLs in responses.
    package let document: BaseURL
    /// Warnings about the negotiation.
    package let warnings: [MapWarning]

    /// The protocol parameters, which are not taken from the caller's URL.
    package static let ofProtocol: Set<String> = [
        "SERVICE", "REQUEST", "VERSION", "ACCEPTVERSIONS", "TYPENAME", "TYPENAMES", "SRSNAME", "BBOX", "OUTPUTFORMAT",
        "COUNT", "MAXFEATURES", "STARTINDEX", "RESULTTYPE", "UPDATESEQUENCE", "SECTIONS",
    ]

    /// Returns the URL of the features in a box.
    ///
    /// The order of parameters is fixed, so that the URL can be a cache key.
    ///
    /// It follows OGC 02-058 clause 13.3, OGC 04-094 clause 14.7.2 and OGC 09-025r2 tables 7 and 8.
    ///
    /// - Parameters:
    ///   - extent: the box in units of ``crs``, x east, or `nil` for all features.
    ///   - count: the maximum number of features.
    ///   - start: the number of features to skip; 0 without paging.
    package func url(of extent: Extent?, count: Int, from start: Int = 0) -> NamedURL {
        let isOld = version < .v2_0_0
        var parameters = [
            ("SERVICE", "WFS"), ("VERSION", version.rawValue), ("REQUEST", "GetFeature"),
            (isOld ? "TYPENAME" : "TYPENAMES", PercentEncoding.listItem(typeName)),
            ("SRSNAME", PercentEncoding.value(crsName)),
        ]
        if let extent { parameters.append(("BBOX", box(extent))) }
        if let outputFormat { parameters.append(("OUTPUTFORMAT", PercentEncoding.value(outputFormat))) }
        parameters.append((isOld ? "MAXFEATURES" : "COUNT", String(count)))
        if start > 0 { parameters.append(("STARTINDEX", String(start))) }
        let text = ServiceURL(address.text).url(
            with: parameters.map { (name: $0.0, value: $0.1) }, dropping: Self.ofProtocol)
        return NamedURL(text, namedBy: address.origin)
    }

    private func box(_ extent: Extent) -> String {
        let text = BoundingBoxWriter.string(for: extent, isNorthFirst: isNorthFirst)
        // Before 1.1.0 a fifth value is invalid.
        return version == .v1_0_0 ? text : text + "," + PercentEncoding.value(crsName)
    }

    /// Returns the URL of the next page, or `nil` if it must not be requested.
    package func address(ofNext reference: String) -> NamedURL? {
        AdvertisedAddress(document: document, subject: "pages", dropping: Self.ofProtocol).page(reference)
    }
}

extension AdvertisedAddress {
    /// Returns the URL of a page in a response unchanged, unless its host must not be requested.
    func page(_ reference: String) -> NamedURL? {
        resource(base.resolving(reference), note: { _ in }).map { document.names(withParameters($0).text) }
    }
}

/// A request for WFS capabilities.
package struct WFSCapabilitiesRequest: Hashable, Sendable {
    /// The version, or `nil` for the newest.
    package let version: WFSVersion?
    /// The URL of the service; its query is kept.
    package let baseURL: NamedURL

    package init(version: WFSVersion? = nil, baseURL: NamedURL) {
        self.version = version
        self.baseURL = baseURL
    }

    /// The URL of the document.
    package var address: NamedURL {
        var parameters = [(name: "SERVICE", value: "WFS")]
        if let version { parameters.append((name: "VERSION", value: version.rawValue)) }
        parameters.append((name: "REQUEST", value: "GetCapabilities"))
        let text = ServiceURL(baseURL.text).url(with: parameters, dropping: WFSFeatureRequest.ofProtocol)
        return NamedURL(text, namedBy: baseURL.origin)
    }
}
