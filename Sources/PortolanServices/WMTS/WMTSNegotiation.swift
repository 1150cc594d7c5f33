package import PortolanGeo
package import PortolanWeb

/// Matches the options of a user with the capabilities of a tile service.
package enum WMTSNegotiation {
    /// Returns the template of tile requests.
    ///
    /// Of several matrix sets, the one in the map's CRS is preferred, followed by one with the same coordinates, and by
    /// the one whose tiles are distorted least. Sets that cover the whole view precede those that do not. Of equal
    /// sets, the one with the most levels is used.
    ///
    /// - Parameters:
    ///   - choice: the options of the user.
    ///   - capabilities: the capabilities of the service.
    ///   - baseURL: the URL of the capabilities. Its query, without WMTS parameters, is added to URLs on the same host.
    ///   - mapCRS: the CRS of the map.
    ///   - extent: the area of interest in units of `mapCRS`, by which a CRS is chosen if the layer is not available in
    ///     the map's; `nil` for the extent of the layer.
    ///   - policy: the policy for advertised URLs, in place of that of `choice`. If the host of a template is not
    ///     permitted, the same path is requested at the host of `baseURL`.
    package static func request(
        for choice: WMTSOptions, of capabilities: WMTSCapabilities, baseURL: BaseURL, mapCRS: CRS,
        around extent: Extent? = nil, policy: ServiceURLPolicy? = nil
    ) throws(WMTSError) -> WMTSTileRequest {
        guard ServiceURL(baseURL.url).isAbsolute else { throw .badAddress(baseURL.url) }
        let layer = try layer(choice.layer, in: capabilities)
        let style = try style(choice.style, of: layer)
        var grid = WMTSGrid(
            of: try matrixSet(choice, of: layer, in: capabilities, mapCRS: mapCRS, extent), for: layer)
        let tiles = try grid.grid()
        var notes = grid.notes
        let dimensions = try dimensions(choice.dimensions, of: layer, notes: &notes)
        let format = try format(choice.format, of: layer, notes: &notes)
        let finder = WMTSAddress(
            capabilities: capabilities, layer: layer, baseURL: baseURL, encoding: choice.encoding,
            policy: policy ?? choice.urlPolicy)
        var values = [
            "layer": layer.identifier, "style": style, "tilematrixset": grid.set.identifier, "format": format,
        ]
        for dimension in dimensions { values[dimension.name.lowercased()] = dimension.value }
        let addresses = try finder.addresses(format: format, values: values, notes: &notes)
        return WMTSTileRequest(
            grid: tiles, extent: grid.extent(in: tiles), layer: layer.identifier, style: style, format: format,
            matrixSet: grid.set.identifier, dimensions: dimensions, addresses: addresses, origin: baseURL.contents,
            warnings: notes.warnings)
    }

    /// Returns the template of feature info requests for the tiles of a layer, or `nil` if the layer does not support
    /// them.
    ///
    /// - Parameters:
    ///   - tiles: the template of tile requests.
    ///   - encoding: the encoding of requests, or `nil` for URL templates if available.
    ///   - baseURL: the URL of the capabilities.
    package static func featureInfo(
        for tiles: WMTSTileRequest, encoding: WMTSOptions.Encoding? = nil, of capabilities: WMTSCapabilities,
        baseURL: BaseURL, policy: ServiceURLPolicy = .advertised
    ) -> WMTSFeatureInfoTemplate? {
        guard let layer = capabilities.layer(named: tiles.layer) else { return nil }
        let finder = WMTSAddress(
            capabilities: capabilities, layer: layer, baseURL: baseURL, encoding: encoding, policy: policy)
        return finder.featureInfo(of: tiles)
    }

    private static func layer(
        _ name: String?, in capabilities: WMTSCapabilities
    ) throws(WMTSError) -> WMTSCapabilities.Layer {
        let offers = capabilities.layers.map(\.identifier)
        guard let name else {
            guard let only = capabilities.layers.first, offers.count == 1 else { throw .noLayer(offers: offers) }
            return only
        }
        if let layer = capabilities.layer(named: name) { return layer }
        let byTitle = capabilities.layers.first { $0.title == name }?.identifier
        throw .layerNotFound(
            name, suggestion: byTitle ?? NearName.nearest(to: name, in: offers), offers: offers)
    }

    private static func style(_ name: String?, of layer: WMTSCapabilities.Layer) throws(WMTSError) -> String {
        guard let name else { return layer.defaultStyle?.identifier ?? "default" }
        // A layer that lists no styles may still have some.
        guard layer.styles.isEmpty || layer.styles.contains(where: { $0.identifier == name }) else {
            throw .styleNotFound(name, layer: layer.identifier, offers: layer.styles.map(\.identifier))
        }
        return name
    }

    private static func matrixSet(
        _ choice: WMTSOptions, of layer: WMTSCapabilities.Layer, in capabilities: WMTSCapabilities, mapCRS: CRS,
        _ extent: Extent?
    ) throws(WMTSError) -> WMTSCapabilities.MatrixSet {
        let byName = Dictionary(capabilities.matrixSets.map { ($0.identifier, $0) }) { first, _ in first }
        var sets = layer.links.compactMap { byName[$0.matrixSet] }
        if sets.isEmpty, !layer.links.isEmpty {
            throw .noMatrixSet(reasons: capabilities.warnings.prefix(5).map(\.description))
        }
        let offers = sets.map { "\($0.identifier) (\($0.crsName))" }
        if let crsName = choice.crsName {
            let crs: CRS
            do { crs = try CRS(crsName) } catch { throw .crs(error.description) }
            // The user may know a CRS that is missing or wrong in the document.
            for index in sets.indices where sets[index].crs == nil || sets[index].identifier == choice.matrixSet {
                sets[index].crsName = crsName
                sets[index].crs = crs
            }
        }
        if let name = choice.matrixSet {
            guard let set = sets.first(where: { $0.identifier == name }) else {
                throw .matrixSetNotOffered(name, offers: offers)
            }
            return set
        }
        var best: (set: WMTSCapabilities.MatrixSet, cost: Double)?
        // A single set is used, regardless of its coverage.
        let cover = sets.count > 1 ? extent.flatMap { ViewCover(of: $0, in: mapCRS) } : nil
        for set in sets {
            guard let crs = set.crs, var cost = cost(of: crs, on: mapCRS, in: extent, for: layer) else { continue }
            if let cover { cost = self.cost(cost, of: set, for: layer, leavingOutOf: cover) }
            let isBetter = best.map {
                cost < $0.cost || (cost == $0.cost && set.matrices.count > $0.set.matrices.count)
            }
            if isBetter ?? true { best = (set, cost) }
        }
        guard let best else { throw .matrixSetNotOffered(nil, offers: offers) }
        if let crsName = choice.crsName, let crs = try? CRS(crsName), best.set.crs != crs {
            guard let set = sets.first(where: { $0.crs == crs }) else {
                throw .matrixSetNotOffered(crsName, offers: offers)
            }
            return set
        }
        return best.set
    }

    /// Returns 0 for the map's CRS, 0.5 for one with the same coordinates, and otherwise the ``WarpCost``.
    private static func cost(
        of crs: CRS, on mapCRS: CRS, in extent: Extent?, for layer: WMTSCapabilities.Layer
    ) -> Double? {
        if crs == mapCRS { return 0 }
        guard crs.projection != nil, mapCRS.projection != nil else { return nil }
        if crs.hasCoordinates(of: mapCRS) { return 0.5 }
        let place = extent ?? layer.extent(in: mapCRS) ?? mapCRS.worldExtent
        // Unknown distortion is worse than any measured one, but better than no image. Degrees, which are distorted
        // everywhere except at the equator, are last.
        return place.flatMap { WarpCost.between(crs, and: mapCRS, in: $0) } ?? (crs.isGeographic ? 2e12 : 1e12)
    }

    /// Returns the cost of a set, including the part of the view without tiles.
    ///
    /// Of two sets in the map's CRS, whose cost is below 1, the one with the larger coverage is preferred.
    private static func cost(
        _ cost: Double, of set: WMTSCapabilities.MatrixSet, for layer: WMTSCapabilities.Layer,
        leavingOutOf cover: ViewCover
    ) -> Double {
        var grid = WMTSGrid(of: set, for: layer)
        guard let crs = set.crs, let reach = grid.reach() else { return cost }
        let missing = cover.missingShare(of: layer.geographicBox?.extent, outside: reach, in: crs)
        if missing == 0 { return cost }
        if cost < 1, missing <= ViewCover.bearable { return cost + missing / 2 }
        return max(cost, 1) * (1 + missing) * WarpCost.uncovered
    }

    private static func dimensions(
        _ wanted: [String: String], of layer: WMTSCapabilities.Layer, notes: inout ReaderNotes
    ) throws(WMTSError) -> [WMTSTileRequest.Dimension] {
        var left = Dictionary(wanted.map { ($0.key.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        var dimensions: [WMTSTileRequest.Dimension] = []
        for dimension in layer.dimensions {
            let name = dimension.identifier
            let value = left.removeValue(forKey: name.lowercased())?.value
            if let value, !dimension.mayHave(value) {
                let values = dimension.values
                notes.add(
                    "'\(value)' is not a value of dimension '\(name)': "
                        + values.prefix(5).joined(separator: ", ")
                        + (values.count > 5 ? " and \(values.count - 5) more" : ""))
            }
            if value == nil, dimension.defaultValue == nil {
                notes.add("dimension '\(name)' has no default; using \(dimension.standardValue)")
            }
            dimensions.append(.init(name, value ?? dimension.standardValue))
        }
        if let unknown = left.values.map(\.key).min() {
            throw .dimensionNotFound(
                unknown, layer: layer.identifier, offers: layer.dimensions.map(\.identifier))
        }
        return dimensions
    }

    private static func format(
        _ wanted: String?, of layer: WMTSCapabilities.Layer, notes: inout ReaderNotes
    ) throws(WMTSError) -> String {
        var offers = layer.formats
        for resource in layer.resources where resource.isTile && !resource.format.isEmpty {
            if !offers.contains(resource.format) { offers.append(resource.format) }
        }
        if let wanted {
            let full = wanted.contains("/") ? wanted : "image/" + (wanted.lowercased() == "jpg" ? "jpeg" : wanted)
            if offers.isEmpty {
                notes.add("the layer lists no formats; trying \(full)")
                return full
            }
            let type = WMSCapabilities.Format(full).mediaType
            let match =
                offers.first { $0 == wanted } ?? offers.first { WMSCapabilities.Format($0).mediaType == type }
                ?? offers.first { WMSCapabilities.Format($0).bareMediaType == type }
            guard let match else { throw .formatNotOffered(wanted, offers: offers) }
            return match
        }
        if offers.isEmpty {
            notes.add("the layer lists no formats; trying image/png")
            return "image/png"
        }
        // PNG is first, as it has no artefacts and supports transparency. Some formats are one or the other.
        let types = [
            "image/png", "image/png8", "image/vnd.jpeg-png", "image/jpgpng", "image/jpeg", "image/jpg", "image/webp",
            "image/gif",
        ]
        for type in types {
            if let match = offers.first(where: { WMSCapabilities.Format($0).bareMediaType == type }) { return match }
        }
        for type in types {
            // Some services write the word instead of the media type.
            if let match = offers.first(where: { "image/" + $0.lowercased() == type }) { return match }
        }
        // The content determines the actual type: the national service of China only has the format `tiles`.
        guard let match = offers.first(where: mayBeImage) else { throw .formatNotOffered(nil, offers: offers) }
        notes.add("the format '\(match)' is not a known image format; trying it, as the layer offers no other")
        return match
    }

    /// Returns whether tiles of a format may be readable images, judged by its name.
    private static func mayBeImage(_ format: String) -> Bool {
        let type = WMSCapabilities.Format(format).bareMediaType
        let others = [
            "json", "xml", "protobuf", "pbf", "mvt", "vector-tile", "html", "tiff", "jp2", "pdf", "utfgrid", "terrain",
        ]
        return !type.hasPrefix("text/") && !others.contains { type.contains($0) }
    }
}
