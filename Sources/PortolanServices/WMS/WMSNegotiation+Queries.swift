package import PortolanWeb

extension WMSNegotiation {
    /// Returns the template of feature info requests for a service's images, or `nil` if no layer is queryable or the
    /// service does not offer the operation.
    ///
    /// - Parameters:
    ///   - map: the request for the images. Its URL is replaced by that of the operation, its layers by the queryable
    ///     ones.
    ///   - baseURL: the URL of the capabilities.
    package static func featureInfo(
        for map: GetMapRequest, of capabilities: WMSCapabilities, baseURL: BaseURL,
        policy: ServiceURLPolicy = .advertised
    ) -> WMSFeatureInfoTemplate? {
        guard let operation = capabilities.getFeatureInfo else { return nil }
        // A server may reject the query for a layer that is not queryable, so the picture of the query excludes such
        // layers.
        let places = map.layers.indices.filter { capabilities.layer(named: map.layers[$0])?.isQueryable ?? false }
        guard !places.isEmpty else { return nil }
        let styles = map.styles
        var map = map
        map.layers = places.map { map.layers[$0] }
        map.styles = places.map { $0 < styles.count ? styles[$0] : "" }
        map.baseURL = address(of: operation, capabilities, baseURL: baseURL, policy: policy) ?? map.baseURL
        return WMSFeatureInfoTemplate(map: map, queryLayers: map.layers, formats: operation.formats)
    }

    /// Returns the legends of layers, in the same order.
    ///
    /// The advertised legends of a style are preferred. If none is readable, GetLegendGraphic is used if the service
    /// offers it. For an unnamed default style, GetLegendGraphic is preferred: MapServer, for example, only lists the
    /// other styles, and the legend of the first one would be wrong.
    ///
    /// - Parameters:
    ///   - styles: a style for each layer; missing and empty ones are the default style.
    ///   - baseURL: the URL of the capabilities.
    package static func legends(
        of layers: [String], styles: [String], version: WMSCapabilities.Version, in capabilities: WMSCapabilities,
        baseURL: BaseURL,
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

    /// Returns the first advertised image in a readable or unknown format.
    private static func advertised(_ legends: [WMSCapabilities.Style.Legend], _ rule: AdvertisedAddress) -> NamedURL? {
        func rank(_ legend: WMSCapabilities.Style.Legend) -> Int? {
            switch WMSCapabilities.Format(legend.format ?? "").bareMediaType {
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
        _ layer: String, _ style: String, _ version: WMSCapabilities.Version, _ capabilities: WMSCapabilities,
        baseURL: BaseURL,
        policy: ServiceURLPolicy
    ) -> NamedURL? {
        guard let operation = capabilities.operation(named: "GetLegendGraphic"),
            let address = address(of: operation, capabilities, baseURL: baseURL, policy: policy)
        else { return nil }
        // PNG is the most commonly available format.
        let types = ["image/png", "image/jpeg", "image/webp", "image/gif"]
        let format = types.lazy.compactMap { type in operation.formats.first { $0.bareMediaType == type } }.first
        return GetLegendGraphicRequest(
            version: version, baseURL: address, layer: layer, style: style, format: format?.verbatim ?? types[0]
        ).address
    }

    /// Returns the URL of an operation, or that of GetMap if it has none.
    private static func address(
        of operation: WMSCapabilities.Operation, _ capabilities: WMSCapabilities, baseURL: BaseURL,
        policy: ServiceURLPolicy
    ) -> NamedURL? {
        var notes = ReaderNotes()
        let asked = operation.getURL == nil ? capabilities.getMap : operation
        return try? address(policy, of: asked, baseURL: baseURL, notes: &notes)
    }
}
