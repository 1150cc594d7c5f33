package import PortolanGeo
package import PortolanWeb

/// Matches the options of a user with the capabilities of a service.
package enum WMSNegotiation {
    /// Returns the template of map requests.
    ///
    /// - Parameters:
    ///   - options: the options of the user.
    ///   - capabilities: the capabilities of the service.
    ///   - baseURL: the URL of the capabilities.
    ///   - mapCRS: the CRS of the map.
    ///   - extent: the area of interest in units of `mapCRS`, by which a CRS is chosen if the service does not offer
    ///     the map's; `nil` for the extent of the layers.
    package static func template(
        for options: WMSOptions, of capabilities: WMSCapabilities, baseURL: BaseURL, mapCRS: CRS,
        around extent: Extent? = nil
    ) throws(WMSNegotiationError) -> WMSMapTemplate {
        var notes = ReaderNotes()
        let layers = try layers(options.layers, in: capabilities)
        let styles = try styles(options.styles, of: layers)
        let version = options.version ?? capabilities.version
        if version != capabilities.version {
            notes.add("using version \(version), although the capabilities have version \(capabilities.version)")
        }
        let box = commonBox(of: layers)
        let choice = CRSChoice(version: version, mapCRS: mapCRS, extent: extent, geographicBox: box)
        let crs = try choice.pick(pinned: options.crsName, from: layers, notes: &notes)
        let isDoubtful =
            options.axisOrder == .auto && version >= .v1_3_0
            && CRSChoice.doubtful(layers).contains(crs.crs)
        if isDoubtful {
            notes.add("the bounding boxes in \(crs.name) have x first, so requests do the same (axis=yx prevents this)")
        }
        let format = try format(options, of: capabilities, notes: &notes)
        let isTransparent = options.isTransparent && format.bareMediaType != "image/jpeg"
        if options.isTransparent != isTransparent { notes.add("\(format) has no transparency") }
        var limits = WMSRequestLimits(layers: layers, crs: crs.crs, service: capabilities.service, notes: &notes)
        if let limit = limits.maxLayers, layers.count > limit {
            if format.hasTransparency {
                notes.add(
                    "the service accepts \(limit) layers per request, not \(layers.count); requesting several times")
            } else {
                notes.add(
                    "the service accepts \(limit) layers per request, not \(layers.count), and \(format) hides the layers below"
                )
                limits.maxLayers = nil
            }
        }
        noteDimensions(of: layers, given: options.extraParameters, notes: &notes)
        var attributions: [WMSCapabilities.Attribution] = []
        for attribution in layers.compactMap(\.attribution) where !attributions.contains(attribution) {
            attributions.append(attribution)
        }
        return WMSMapTemplate(
            version: version,
            baseURL: try address(options.urlPolicy, of: capabilities.getMap, baseURL: baseURL, notes: &notes),
            layers: options.layers, styles: styles, crs: crs.crs, crsName: crs.name,
            needsReprojection: !crs.crs.hasCoordinates(of: mapCRS), format: format.verbatim,
            isTransparent: isTransparent, background: options.background,
            axisOrder: isDoubtful ? .xy : options.axisOrder, isAxisOrderDoubtful: isDoubtful,
            extraParameters: options.extraParameters, limits: limits, geographicBox: box, attributions: attributions,
            warnings: notes.warnings)
    }

    private static func layers(
        _ names: [String], in capabilities: WMSCapabilities
    ) throws(WMSNegotiationError) -> [WMSCapabilities.Layer] {
        let offers = capabilities.layerNames
        guard !names.isEmpty else { throw .noLayers(offers: offers) }
        var layers: [WMSCapabilities.Layer] = []
        for name in names {
            guard let layer = capabilities.layer(named: name) else {
                let byTitle = capabilities.allLayers.first { $0.title == name }?.name
                let suggestion = byTitle ?? NearName.nearest(to: name, in: offers)
                throw .layerNotFound(name, suggestion: suggestion, offers: offers)
            }
            layers.append(layer)
        }
        return layers
    }

    private static func styles(
        _ names: [String], of layers: [WMSCapabilities.Layer]
    ) throws(WMSNegotiationError) -> [String] {
        guard names.count <= layers.count else {
            throw .tooManyStyles(layers: layers.count, styles: names.count)
        }
        for (name, layer) in zip(names, layers) where !name.isEmpty && name != "default" {
            // A layer that lists no styles may still have some.
            guard layer.styles.isEmpty || layer.styles.contains(where: { $0.name == name }) else {
                throw .styleNotFound(name, layer: layer.name ?? "", offers: layer.styles.map(\.name))
            }
        }
        return names + Array(repeating: "", count: layers.count - names.count)
    }

    /// Adds a note for dimensions without a default, whose values only the user can know (OGC 06-042 annex C.2).
    private static func noteDimensions(
        of layers: [WMSCapabilities.Layer], given: [GetMapRequest.Parameter], notes: inout ReaderNotes
    ) {
        var told = Set(given.map { $0.name.uppercased() })
        for dimension in layers.flatMap(\.dimensions) where dimension.defaultValue?.trimmingSpace().isEmpty ?? true {
            guard told.insert(dimension.parameterName).inserted, !dimension.values.isEmpty else { continue }
            let last = dimension.values.split(separator: ",").last.map { String($0).trimmingSpace() } ?? ""
            let value = last.split(separator: "/").dropFirst().first.map(String.init) ?? last
            notes.add(
                "dimension '\(dimension.name)' has no default, so the service may require a value, as "
                    + "\(dimension.parameterName)=\(value)")
        }
    }

    private static func commonBox(of layers: [WMSCapabilities.Layer]) -> BoundingBox? {
        var common: BoundingBox?
        for layer in layers {
            guard let box = layer.geographicBox else { return nil }
            common = common?.union(box) ?? box
        }
        return common
    }

    private static func format(
        _ options: WMSOptions, of capabilities: WMSCapabilities, notes: inout ReaderNotes
    ) throws(WMSNegotiationError) -> WMSCapabilities.Format {
        let offers = capabilities.getMap?.formats ?? []
        if let wanted = options.format {
            let full = wanted.contains("/") ? wanted : "image/" + (wanted.lowercased() == "jpg" ? "jpeg" : wanted)
            if offers.isEmpty {
                notes.add("the service lists no formats; trying \(full)")
                return WMSCapabilities.Format(full)
            }
            let type = WMSCapabilities.Format(full).mediaType
            let match =
                offers.first { $0.verbatim == wanted } ?? offers.first { $0.mediaType == type }
                ?? offers.first { $0.bareMediaType == type }
            guard let match else { throw .formatNotOffered(wanted, offers: offers.map(\.verbatim)) }
            guard match.mayBePicture else {
                throw .formatNotPicture(wanted, offers: offers.filter(\.mayBePicture).map(\.verbatim))
            }
            return match
        }
        if offers.isEmpty {
            notes.add("the service lists no formats; trying image/png")
            return WMSCapabilities.Format("image/png")
        }
        // True colour is preferred to palettes, and PNG to JPEG even for opaque images, as it has no artefacts.
        for type in ["image/png", "image/jpeg", "image/webp", "image/gif"] {
            let match = offers.first { $0.mediaType == type } ?? offers.first { $0.bareMediaType == type }
            if let match { return match }
        }
        throw .formatNotOffered(nil, offers: offers.map(\.verbatim))
    }

    /// Returns the URL of map requests, including WMS-C tiles.
    ///
    /// - Throws: ``WMSNegotiationError/badAddress(_:)``.
    package static func mapAddress(
        of capabilities: WMSCapabilities, baseURL: BaseURL, policy: ServiceURLPolicy
    ) throws(WMSNegotiationError) -> NamedURL {
        var notes = ReaderNotes()
        return try address(policy, of: capabilities.getMap, baseURL: baseURL, notes: &notes)
    }

    /// Returns the URL of an operation.
    static func address(
        _ policy: ServiceURLPolicy, of operation: WMSCapabilities.Operation?, baseURL: BaseURL, notes: inout ReaderNotes
    ) throws(WMSNegotiationError) -> NamedURL {
        guard ServiceURL(baseURL.url).isAbsolute else { throw .badAddress(baseURL.url) }
        let rule = AdvertisedAddress(
            document: baseURL, policy: policy, subject: "maps", dropping: WMSParameters.ofProtocol, hasKey: true)
        return rule.operation(operation?.getURL) { notes.add($0) }
    }
}
