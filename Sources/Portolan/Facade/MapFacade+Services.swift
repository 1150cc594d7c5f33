public import PortolanFeatures
import PortolanGeo
import PortolanPlan
public import PortolanServices
public import PortolanStyles

extension MapFacade {
    /// The client for capabilities and layers of services.
    public var services: ServiceClient { renderer.services }

    /// Adds a WMS layer: one image per view, or tiles.
    ///
    /// ```swift
    /// try await map.addWMS("https://maps.example.org/wms", layers: ["depths", "buoys"], named: "Chart")
    /// ```
    ///
    /// - Parameters:
    ///   - url: the URL of the service.
    ///   - layers: the names of its layers, the lowest first.
    ///   - name: the name of the layer on the map; the names of the layers if `nil`.
    ///   - styles: a style for each layer; missing and empty ones are the default style.
    ///   - version: the protocol version, or `nil` for the best.
    ///   - format: the media type of images, or `nil` for the best.
    ///   - parameters: additional request parameters, such as vendor parameters.
    ///   - tiling: how the layer is divided into tiles, which remain in memory when the map moves; `nil` for one image
    ///     per view.
    ///   - position: the position among the layers.
    ///   - replacing: whether it replaces a layer with the same name, as in ``MapFacade/replaceLayer(named:with:)``.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addWMS(
        _ url: String, layers: [String], named name: String? = nil, styles: [String] = [],
        version: WMSCapabilities.Version? = nil, format: String? = nil, parameters: KeyValuePairs<String, String> = [:],
        tiling: WMSOptions.Tiling? = nil, position: MapFacade.LayerPosition = .top, replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let options = WMSOptions(
            layers: layers, styles: styles, version: version, format: format,
            extraParameters: parameters.map { GetMapRequest.Parameter($0.key, $0.value) },
            tiling: tiling)
        return try await addWMS(url, options: options, named: name, position: position, replacing: replacing)
    }

    /// Adds a WMS layer with all its options.
    ///
    /// - Parameters:
    ///   - url: the URL of the service.
    ///   - name: the name of the layer on the map; the names of the layers if `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addWMS(
        _ url: String, options: WMSOptions, named name: String? = nil, position: MapFacade.LayerPosition = .top,
        replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.wmsLayer(
                named: name ?? options.layers.joined(separator: ","), url: url, options: options, mapCRS: viewport.crs,
                around: viewport.extent)
        }
        return try add(
            layer, of: LayerSpecification(wms: url, options), position: position, replacing: replacing
        ).with(warnings)
    }

    /// Adds the tiles of a URL template in Web Mercator, the scheme of most tile servers.
    ///
    /// No request is sent before the map is drawn.
    ///
    /// ```swift
    /// try map.addXYZ("https://tile.example.org/{z}/{x}/{y}.png", named: "Base", attribution: "© Example")
    /// ```
    ///
    /// - Parameters:
    ///   - template: a URL with `{z}`, `{x}` and `{y}`, or `{-y}` if rows count from the south; `{s}` is one of
    ///     `subdomains`.
    ///   - name: the name of the layer on the map.
    ///   - levels: the available zoom levels, within 0 through 30.
    ///   - tileSize: the side length of a tile in pixels, 1 to 4096.
    ///   - attribution: the attribution on the picture.
    /// - Throws: ``MapError``, with the code ``MapError/Code/invalidArgument`` for an invalid template, levels or size.
    @discardableResult
    public func addXYZ(
        _ template: String, named name: String, levels: ClosedRange<Int> = 0...19, tileSize: Int = 256,
        subdomains: [String] = ["a", "b", "c"], attribution: String? = nil, position: MapFacade.LayerPosition = .top,
        replacing: Bool = false
    ) throws(MapError) -> AddedLayer {
        guard (0...30).contains(levels.lowerBound), levels.upperBound <= 30, (1...4096).contains(tileSize),
            let grid = TileGrid.webMercator(levels: levels, tileSize: tileSize)
        else { throw .notTiled(name) }
        let address: XYZTemplate
        do { address = try XYZTemplate(template, subdomains: subdomains) } catch { throw MapError(error) }
        let source = TileSource(grid: grid, address: .xyz(address))
        let layer = MapLayer(name: name, source: source, attribution: attribution)
        let specification = LayerSpecification(
            xyz: template, levels: levels, tileSize: tileSize, subdomains: subdomains, of: layer)
        return try add(layer, of: specification, position: position, replacing: replacing)
    }

    /// Adds the tiles of a WMS-C tile set.
    ///
    /// - Parameters:
    ///   - url: the URL of the service.
    ///   - layers: the names of the layers in the tiles, the lowest first.
    ///   - name: the name of the layer on the map; the names of the layers if `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addWMSC(
        _ url: String, layers: [String], named name: String? = nil, position: MapFacade.LayerPosition = .top,
        replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let choice = ServiceClient.TileSetOptions(layers: layers)
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.wmscLayer(
                named: name ?? layers.joined(separator: ","), url: url, options: choice, mapCRS: viewport.crs)
        }
        return try add(
            layer, of: LayerSpecification(wmsc: url, choice), position: position, replacing: replacing
        ).with(warnings)
    }

    /// Adds the tiles of a WMS-C tile set that the caller describes.
    ///
    /// No request is sent before the map is drawn. To switch to another set, add it under the same name with
    /// `replacing`.
    ///
    /// - Parameters:
    ///   - url: the URL of the service.
    ///   - set: the extent, resolutions, size, format, layers and styles of the tiles, as defined by the service.
    ///   - name: the name of the layer on the map; the names of the layers if `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``, with the code ``MapError/Code/invalidArgument`` for a set that is not a grid.
    @discardableResult
    public func addWMSC(
        _ url: String, set: WMSCTileSet, named name: String? = nil, position: MapFacade.LayerPosition = .top,
        replacing: Bool = false
    ) throws(MapError) -> AddedLayer {
        let request: WMSCTileSet.TileRequest
        do {
            request = try WMSCTileSet.TileRequest(tileSet: set, baseURL: NamedURL(url, namedBy: services.origin))
        } catch {
            throw MapError(error)
        }
        let layer = MapLayer(name: name ?? set.layers.joined(separator: ","), source: TileSource(request))
        return try add(layer, of: LayerSpecification(wmsc: url, set), position: position, replacing: replacing)
    }

    /// Adds the features at a path or URL to the vector layer: GeoJSON, another of
    /// ``RendererConfiguration/featureFormats``, or a file of ``RendererConfiguration/featureDatasets``, such as a
    /// Shapefile.
    ///
    /// - Parameters:
    ///   - address: a file path or a URL, which is the base of relative icon URLs.
    ///   - fitting: whether the map then shows all features.
    /// - Returns: the vector layer, with the collection as read.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addFeatures(from address: String, fitting: Bool = false) async throws(MapError) -> AddedLayer {
        try await readingFeatures(address) { (collection, base) throws(MapError) in
            try addFeatures(of: collection, baseURL: base, fitting: fitting)
        }
    }

    /// Adds a layer with the features at a path or URL: GeoJSON, another of ``RendererConfiguration/featureFormats``,
    /// or a file of ``RendererConfiguration/featureDatasets``, such as a Shapefile.
    ///
    /// ```swift
    /// try await map.addFeatureLayer(from: "route.geojson", named: "Route", fitting: true)
    /// ```
    ///
    /// - Parameters:
    ///   - address: a file path or a URL, which is the base of relative icon URLs.
    ///   - name: the name of the layer on the map.
    ///   - style: the style of features without their own style.
    ///   - selectedStyle: the changes to the style of selected features.
    ///   - fitting: whether the map then shows all features.
    /// - Returns: the layer, with the collection as read.
    /// - Throws: ``MapError``; the map is then unchanged.
    @discardableResult
    public func addFeatureLayer(
        from address: String, named name: String, style: StyleDeclaration = StyleDeclaration(),
        selectedStyle: StyleDeclaration? = nil, fitting: Bool = false, position: MapFacade.LayerPosition = .top,
        replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        try await readingFeatures(address) { (collection, base) throws(MapError) in
            let added = try addFeatureLayer(
                of: collection, named: name, baseURL: base, style: style, selectedStyle: selectedStyle,
                fitting: fitting, position: position, replacing: replacing)
            let specification = LayerSpecification(features: address, style: style, selectedStyle: selectedStyle)
            return added.with(note(specification, of: name))
        }
    }
}

extension MapFacade {
    /// Adds a WMTS layer.
    ///
    /// - Parameters:
    ///   - url: the URL of the service or its capabilities document.
    ///   - choice: the layer and its options.
    ///   - name: the name of the layer on the map; its name in the service if `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addWMTS(
        _ url: String, options choice: WMTSOptions, named name: String? = nil, position: MapFacade.LayerPosition = .top,
        replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.wmtsLayer(
                named: name ?? choice.layer ?? "wmts", url: url, options: choice, mapCRS: viewport.crs,
                around: viewport.extent)
        }
        return try add(
            layer, of: LayerSpecification(wmts: url, choice), position: position, replacing: replacing
        ).with(warnings)
    }

    /// Adds a WMTS layer on top of the other layers, with its default style and the best tile matrix set.
    ///
    /// - Parameters:
    ///   - url: the URL of the service or its capabilities document.
    ///   - layer: the name of the layer in the service.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addWMTS(_ url: String, layer: String) async throws(MapError) -> AddedLayer {
        try await addWMTS(url, options: WMTSOptions(layer: layer))
    }

    /// Adds the tiles of a Tile Map Service.
    ///
    /// - Parameters:
    ///   - url: the URL of a tile map document, or of a document that links to it.
    ///   - map: the tile map, as in ``ServiceClient/tmsLayer(named:url:map:levels:mapCRS:)``.
    ///   - name: the name of the layer on the map; `map` or `tms` if `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addTMS(
        _ url: String, map: String? = nil, named name: String? = nil, position: MapFacade.LayerPosition = .top,
        replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.tmsLayer(
                named: name ?? map ?? "tms", url: url, map: map, mapCRS: viewport.crs)
        }
        return try add(
            layer, of: LayerSpecification(tms: url, map: map), position: position, replacing: replacing
        ).with(warnings)
    }
}

extension MapFacade {
    /// Adds a complete MapLibre style with its sources, each read once: external or inline GeoJSON, and raster tiles.
    ///
    /// - Parameters:
    ///   - address: a file path, a URL, or the style itself as JSON.
    ///   - sources: replacements for sources of the style, as layer texts.
    ///   - language: the language of labels, or `nil` for that of the style.
    ///   - name: the name of the layer on the map; the file name of the style if `nil`.
    ///   - position: the position among the layers.
    ///   - replacing: whether it replaces a layer with the same name, as in ``MapFacade/replaceLayer(named:with:)``.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addStyle(
        from address: String, sources: [String: String] = [:], language: LabelLanguage? = nil,
        named name: String? = nil, position: MapFacade.LayerPosition = .top, replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        var values = Dictionary(uniqueKeysWithValues: sources.map { ("sources.\($0.key)", $0.value) })
        values["name"] = name
        values["language"] = language?.tag
        let specification = try LayerSpecification(kind: .style, source: address, values: values)
        let builder = LayerBuilder(client: services, mapCRS: viewport.crs)
        let built = try await builder.build([specification], by: connectionDeadline)
        guard let layer = built.first?.layer else { throw built.first?.failure ?? specification.error(.noFile) }
        return try add(layer, position: position, replacing: replacing).with(built.flatMap(\.warnings))
    }
}

extension MapFacade {
    /// Adds a layer with the specification that recreates it when a state is restored.
    ///
    /// - Returns: the layer, with a warning if there is no specification.
    private func add(
        _ layer: MapLayer, of specification: LayerSpecification?, position: MapFacade.LayerPosition, replacing: Bool
    ) throws(MapError) -> AddedLayer {
        try add(layer, position: position, replacing: replacing).with(note(specification, of: layer.name))
    }

    /// Records the specification that recreates a layer of the map.
    ///
    /// - Returns: a warning if there is no specification.
    @discardableResult
    package func note(_ specification: LayerSpecification?, of name: String) -> [MapWarning] {
        guard let specification = try? specification?.with("name", name) else { return [.notKept(layer: name)] }
        if let index = layers.firstIndex(where: { $0.name == name }) { layers[index].madeOf = specification }
        return []
    }
}
