package import PortolanWeb

extension WMSNegotiation {
    /// The template of queries about the features in a service's pictures, or `nil` when none of the layers answers questions or
    /// the service does not offer the operation.
    ///
    /// - Parameters:
    ///   - map: the request for the pictures; its address is replaced by that of the operation, its layers by those
    ///     that answer.
    ///   - baseURL: the address the capabilities came from.
    package static func featureInfo(
        for map: GetMapRequest, of capabilities: WMSCapabilities, baseURL: BaseURL,
        policy: ServiceURLPolicy = .advertised
    ) -> WMSFeatureInfoTemplate? {
        guard let operation = capabilities.getFeatureInfo else { return nil }
        // A server may refuse the question for a layer that is merely drawn; the picture asked about goes without.
        let places = map.layers.indices.filter { capabilities.layer(named: map.layers[$0])?.isQueryable ?? false }
        guard !places.isEmpty else { return nil }
        let styles = map.styles
        var map = map
        map.layers = places.map { map.layers[$0] }
        map.styles = places.map { $0 < styles.count ? styles[$0] : "" }
        map.baseURL = address(of: operation, capabilities, baseURL: baseURL, policy: policy) ?? map.baseURL
        return WMSFeatureInfoTemplate(map: map, queryLayers: map.layers, formats: operation.formats)
    }

    /// The legends of layers, in the same order.
    ///
    /// What the capabilities advertise for the style comes first; where that is nothing, or nothing that can be read, the
    /// service is asked for GetLegendGraphic if it offers that. Of a default style that is not named so, the service is
    /// asked first: MapServer, for one, lists the other styles alone, and the first one's legend would be a wrong one.
    ///
    /// - Parameters:
    ///   - styles: a style for each layer; those missing or empty are the default ones.
    ///   - baseURL: the address the capabilities came from.
    package static func legends(
        of layers: [String], styles: [String], version: WMSVersion, in capabilities: WMSCapabilities, baseURL: BaseURL,
        policy: ServiceURLPolicy = .advertised
    ) -> [WMSLegend] {
        let rule = AdvertisedAddress(
            document: baseURL, policy: policy, subject: "legends", dropping: WMSParameters.ofProtocol)
        return layers.enumerated().map { place, name in
            let layer = capabilities.layer(named: name), wanted = place < styles.count ? styles[place] : ""
            let own = layer?.styles.first { $0.name == (wanted.isEmpty ? "default" : wanted) }
            let url =
                own.flatMap { advertised($0.legends, rule) }
                ?? requested(name, wanted, version, capabilities, baseURL: baseURL, policy: policy)
                ?? (wanted.isEmpty ? layer?.styles.first.flatMap { advertised($0.legends, rule) } : nil)
            let title = layer.map { $0.title.isEmpty ? name : $0.title } ?? name
            return WMSLegend(layer: name, title: title, url: url)
        }
    }

    /// The first of the advertised pictures in a format that can be read; formats that are not told may be.
    private static func advertised(_ legends: [WMSStyle.Legend], _ rule: AdvertisedAddress) -> NamedURL? {
        func rank(_ legend: WMSStyle.Legend) -> Int? {
            switch WMSFormat(legend.format ?? "").bareMediaType {
            case "image/png": 0
            case "image/jpeg", "image/jpg": 1
            case "image/webp": 2
            case "image/gif": 3
            case "": 4
            default: nil
            }
        }
        let readable = legends.compactMap { legend -> (rank: Int, url: NamedURL)? in
            guard let rank = rank(legend), let url = rule.resource(legend.url, note: { _ in }), url.isOnWeb else {
                return nil
            }
            return (rank, rule.document.names(rule.withParameters(url).text))
        }
        return readable.min { $0.rank < $1.rank }?.url
    }

    private static func requested(
        _ layer: String, _ style: String, _ version: WMSVersion, _ capabilities: WMSCapabilities, baseURL: BaseURL,
        policy: ServiceURLPolicy
    ) -> NamedURL? {
        guard let operation = capabilities.operation(named: "GetLegendGraphic"),
            let address = address(of: operation, capabilities, baseURL: baseURL, policy: policy)
        else { return nil }
        // Of what is drawn elsewhere, PNG is most likely to be there.
        let types = ["image/png", "image/jpeg", "image/webp", "image/gif"]
        let format = types.lazy.compactMap { type in operation.formats.first { $0.bareMediaType == type } }.first
        return GetLegendGraphicRequest(
            version: version, baseURL: address, layer: layer, style: style, format: format?.verbatim ?? types[0]
        ).address
    }

    /// The address of an operation, that of GetMap where it has none of its own.
    private static func address(
        of operation: WMSOperation, _ capabilities: WMSCapabilities, baseURL: BaseURL, policy: ServiceURLPolicy
    ) -> NamedURL? {
        var notes = ReaderNotes()
        let asked = operation.getURL == nil ? capabilities.getMap : operation
        return try? address(policy, of: asked, baseURL: baseURL, notes: &notes)
    }
}
