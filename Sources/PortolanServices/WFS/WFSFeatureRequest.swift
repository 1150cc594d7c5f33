package import PortolanGeo
package import PortolanWeb

/// Asks a WFS for the features of a type in boxes and pages.
package struct WFSFeatureRequest: Hashable, Sendable {
    /// The version that is spoken.
    package let version: WFSVersion
    /// The name of the type of features.
    package let typeName: String
    /// The system of the boxes and of the answers.
    package let crs: CRS
    /// The system's name as the service spells it.
    package let crsName: String
    /// The format of the answers, or `nil` for the service's own choice.
    package let outputFormat: String?
    /// Whether the answers are GeoJSON, whose coordinates are x first.
    package let isGeoJSON: Bool
    /// Whether latitude or northing stands first in boxes.
    package let isNorthFirst: Bool
    /// What the caller says of the order of axes.
    package let axisOrder: AxisOrderPolicy
    /// Whether answers come in pages by numbers.
    package let hasPaging: Bool
    /// How many features the service gives where it is not asked for a number, or `nil` where that is not known.
    package let defaultCount: Int?
    /// The address of the service for GetFeature.
    package let address: NamedURL
    /// The document from which addresses in answers are judged.
    package let document: BaseURL
    /// What a person should know of the choice.
    package let warnings: [MapWarning]

    /// The parameters of requests that are not taken over from the caller's address.
    package static let ofProtocol: Set<String> = [
        "SERVICE", "REQUEST", "VERSION", "ACCEPTVERSIONS", "TYPENAME", "TYPENAMES", "SRSNAME", "BBOX", "OUTPUTFORMAT",
        "COUNT", "MAXFEATURES", "STARTINDEX", "RESULTTYPE", "UPDATESEQUENCE", "SECTIONS",
    ]

    /// The address of the features in a box; parameters always stand in one order, so that it is a key of caches.
    ///
    /// - Parameters:
    ///   - extent: the box, in units of ``crs``, x east, or `nil` for all features.
    ///   - count: the most features that are wanted.
    ///   - start: how many features are passed over; 0 where there are no pages.
    ///
    /// Follows OGC 02-058 clause 13.3, OGC 04-094 clause 14.7.2 and OGC 09-025r2 tables 7 and 8.
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
        // A fifth value is not known before 1.1.0.
        return version == .v1_0_0 ? text : text + "," + PercentEncoding.value(crsName)
    }

    /// The address of the page that an answer names as the next, or `nil` where it may not be asked.
    package func address(ofNext reference: String) -> NamedURL? {
        AdvertisedAddress(document: document, subject: "pages", dropping: Self.ofProtocol).page(reference)
    }
}

extension AdvertisedAddress {
    /// The address of a page that an answer names: it is taken as it is, but for a host that is not to be asked.
    func page(_ reference: String) -> NamedURL? {
        resource(base.resolving(reference), note: { _ in }).map { document.names(withParameters($0).text) }
    }
}

/// Asks for what a WFS offers.
package struct WFSCapabilitiesRequest: Hashable, Sendable {
    /// The version, or `nil` for the newest.
    package let version: WFSVersion?
    /// The address of the service; its own query is kept.
    package let baseURL: NamedURL

    package init(version: WFSVersion? = nil, baseURL: NamedURL) {
        self.version = version
        self.baseURL = baseURL
    }

    /// The address of the document.
    package var address: NamedURL {
        var parameters = [(name: "SERVICE", value: "WFS")]
        if let version { parameters.append((name: "VERSION", value: version.rawValue)) }
        parameters.append((name: "REQUEST", value: "GetCapabilities"))
        let text = ServiceURL(baseURL.text).url(with: parameters, dropping: WFSFeatureRequest.ofProtocol)
        return NamedURL(text, namedBy: baseURL.origin)
    }
}
