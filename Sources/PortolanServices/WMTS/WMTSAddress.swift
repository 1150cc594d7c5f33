import PortolanWeb

/// Determines the URL of a layer's tile requests.
struct WMTSAddress {
    let capabilities: WMTSCapabilities
    let layer: WMTSCapabilities.Layer
    let encoding: WMTSOptions.Encoding?
    private let rule: AdvertisedAddress

    init(
        capabilities: WMTSCapabilities, layer: WMTSCapabilities.Layer, baseURL: BaseURL,
        encoding: WMTSOptions.Encoding?,
        policy: ServiceURLPolicy
    ) {
        self.capabilities = capabilities
        self.layer = layer
        self.encoding = encoding
        rule = AdvertisedAddress(
            document: baseURL, policy: policy, subject: "tiles", dropping: WMTSParameters.ofProtocol,
            hasKey: true)
    }

    /// Returns the tile URLs in order of preference: the templates of the format, followed by the service URLs for
    /// requests with parameters.
    func addresses(
        format: String, values: [String: String], notes: inout ReaderNotes
    ) throws(WMTSError) -> [WMTSTileRequest.Address] {
        var addresses: [WMTSTileRequest.Address] = []
        if encoding != .parameters {
            addresses = templates(format: format, values: values, notes: &notes).map { .template($0) }
        }
        if encoding != .path {
            // Notes about fallback URLs are not useful.
            var others = ReaderNotes()
            let services = services(&others).map { WMTSTileRequest.Address.service($0) }
            if addresses.isEmpty { notes.add(others) }
            addresses += services
        }
        guard !addresses.isEmpty else { throw .noAddress(unusable: refused) }
        return addresses
    }

    /// The unusable tile templates.
    private var refused: [String] { layer.resources.filter(\.isTile).map(\.template) }

    private func templates(format: String, values: [String: String], notes: inout ReaderNotes) -> [WMTSTemplate] {
        let type = WMSCapabilities.Format(format).mediaType
        var templates: [WMTSTemplate] = []
        // Several servers may have the same template. The first one is used, so that a tile has one URL.
        for resource in layer.resources where resource.isTile {
            guard resource.format == format || WMSCapabilities.Format(resource.format).mediaType == type else {
                continue
            }
            var remarks = ReaderNotes()
            guard let address = moved(resource.template, &remarks),
                let template = WMTSTemplate(address, values: values)
            else {
                notes.add("invalid template '\(resource.template)'")
                continue
            }
            guard !templates.contains(template), templates.count < Self.mostTemplates else { continue }
            if templates.isEmpty { notes.add(remarks) }
            let missing = template.dimensions.filter { values[$0.lowercased()] == nil }
            if templates.isEmpty, !missing.isEmpty {
                notes.add(
                    "the template needs \(missing.joined(separator: ", ")), which the layer does not have; "
                        + "sending 'default'")
            }
            templates.append(template)
        }
        return templates
    }

    /// The maximum number of templates.
    private static let mostTemplates = 8

    private func services(_ notes: inout ReaderNotes) -> [String] {
        guard let operation = capabilities.operation(named: "GetTile"), !operation.endpoints.isEmpty else {
            // Without any information, tiles are requested at the URL of the capabilities.
            return layer.resources.contains(where: \.isTile) ? [] : [rule.base.text]
        }
        var advertised = operation.endpoints.filter(\.takesParameters).map(\.url)
        if advertised.isEmpty, encoding == .parameters { advertised = operation.endpoints.prefix(1).map(\.url) }
        var services: [String] = []
        for address in advertised.prefix(Self.mostTemplates) {
            var remarks = ReaderNotes()
            let url = rule.operation(address) { remarks.add($0) }.text
            if services.isEmpty { notes.add(remarks) }
            if !services.contains(url) { services.append(url) }
        }
        return services
    }

    /// Returns the template of feature info requests for the tiles, or `nil` if the layer does not support them.
    func featureInfo(of tiles: WMTSTileRequest) -> WMTSFeatureInfoTemplate? {
        // The notes about the URLs are already those of the tiles.
        var notes = ReaderNotes()
        var values = [
            "layer": tiles.layer, "style": tiles.style, "tilematrixset": tiles.matrixSet, "format": tiles.format,
        ]
        for dimension in tiles.dimensions { values[dimension.name.lowercased()] = dimension.value }
        if encoding != .parameters {
            var formats: [WMSCapabilities.Format] = [], templates: [WMTSTemplate] = []
            for resource in layer.resources where resource.kind.lowercased() == "featureinfo" {
                values["infoformat"] = resource.format
                guard let address = moved(resource.template, &notes),
                    let template = WMTSTemplate(address, values: values, isQuestion: true)
                else { continue }
                formats.append(WMSCapabilities.Format(resource.format))
                templates.append(template)
            }
            if !templates.isEmpty {
                return WMTSFeatureInfoTemplate(tiles: tiles, formats: formats, .templates(templates))
            }
        }
        guard encoding != .path, !layer.infoFormats.isEmpty,
            let advertised = capabilities.operation(named: "GetFeatureInfo")?.parameterURL
        else { return nil }
        let address = rule.operation(advertised) { notes.add($0) }.text
        return WMTSFeatureInfoTemplate(
            tiles: tiles, formats: layer.infoFormats.map(WMSCapabilities.Format.init), .service(address))
    }

    /// Returns a template with a permitted host, and with the query parameters of the caller.
    private func moved(_ template: String, _ notes: inout ReaderNotes) -> String? {
        let template = rule.whole(template)
        guard let range = template.firstRange(of: "://") else { return nil }
        let authority = template[range.upperBound...].prefix { $0 != "/" && $0 != "?" }
        // A host that depends on the style or similar is not yet known.
        var remarks = ReaderNotes()
        let site = rule.resource(template[..<range.upperBound] + authority + "/") { remarks.add($0) }
        guard let site, site.isOnWeb else { return nil }
        if !authority.contains("{") { notes.add(remarks) }
        var rest = template[range.upperBound...].dropFirst(authority.count)
        if rest.hasPrefix("/") { rest = rest.dropFirst() }
        let moved = site.text + rest
        guard site.host == rule.base.host else { return moved }
        let query = rest.firstIndex(of: "?").map { rest[$0...] } ?? ""
        let names = Set(query.dropFirst().split(separator: "&").map { $0.prefix { $0 != "=" }.uppercased() })
        let extra = rule.base.query(without: rule.dropped.union(names))
        if extra.isEmpty { return moved }
        return moved + (query.isEmpty ? "?" : "&") + extra
    }
}

/// The possible URLs of WMTS capabilities.
package enum WMTSDocumentAddress {
    /// Returns the URLs to try for a service URL, the most likely first.
    ///
    /// The URL of a document is used unchanged. A service is requested with parameters. If this fails, the document may
    /// be at the path `1.0.0/WMTSCapabilities.xml` under the service URL, or next to it under `wmts`.
    package static func candidates(for url: String) -> [String] {
        let base = ServiceURL(url)
        let bare = ServiceURL(base.url(with: [], dropping: WMTSParameters.ofProtocol))
        let asked = bare.url(
            with: [("SERVICE", "WMTS"), ("REQUEST", "GetCapabilities"), ("VERSION", "1.0.0")],
            dropping: WMTSParameters.ofProtocol)
        var candidates: [String] = []
        let query = base.query(without: []).lowercased()
        let path = base.path.lowercased()
        if path.hasSuffix(".xml") || path.contains("wmtscapabilities") { return [base.text] }
        if query.contains("request=getcapabilities"), query.contains("wmts") { candidates.append(base.text) }
        candidates.append(asked)
        var stem = bare.path
        while stem.hasSuffix("/") { stem.removeLast() }
        let folder = stem.lastIndex(of: "/").map { String(stem[..<$0]) } ?? ""
        for place in [stem, folder + "/wmts"] {
            let document = bare.replacingPath(place + "/1.0.0/WMTSCapabilities.xml").text
            if !candidates.contains(document) { candidates.append(document) }
        }
        return candidates
    }
}

/// The names of WMTS parameters.
package enum WMTSParameters {
    /// The parameters that requests set themselves, so that the base URL must not contain them.
    package static let ofProtocol: Set<String> = [
        "SERVICE", "REQUEST", "VERSION", "ACCEPTVERSIONS", "SECTIONS", "UPDATESEQUENCE", "ACCEPTFORMATS", "LAYER",
        "STYLE", "FORMAT", "TILEMATRIXSET", "TILEMATRIX", "TILEROW", "TILECOL", "INFOFORMAT", "I", "J",
    ]
}
