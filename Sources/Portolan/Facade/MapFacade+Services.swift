public import PortolanFeatures
import PortolanGeo
import PortolanPlan
public import PortolanServices

extension MapFacade {
    /// Asks services what they offer.
    public var services: ServiceClient { renderer.services }

    /// Puts a WMS among the layers: one image a view, or tiles.
    ///
    /// - Parameters:
    ///   - url: the address of the service.
    ///   - layers: the names of its layers, the bottommost first.
    ///   - name: the name of the layer on the map; the names of the layers when `nil`.
    ///   - styles: a style for each layer; those missing or empty are the default ones.
    ///   - version: the version to speak, or `nil` for the best.
    ///   - format: the media type of images, or `nil` for the best.
    ///   - parameters: more parameters of requests, such as those of a vendor.
    ///   - tiling: how it is cut into tiles, which stay in memory when the map moves; `nil` for one image a view.
    ///   - place: where it goes; on top unless told.
    ///   - replacing: whether it takes the place of the layer of its name, as ``MapFacade/replaceLayer(named:with:)`` has it.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addWMS(
        _ url: String, layers: [String], named name: String? = nil, styles: [String] = [],
        version: WMSVersion? = nil, format: String? = nil, parameters: KeyValuePairs<String, String> = [:],
        tiling: WMSTiling? = nil, at place: LayerPlace = .top, replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let options = WMSOptions(
            layers: layers, styles: styles, version: version, format: format,
            extraParameters: parameters.map { GetMapRequest.Parameter($0.key, $0.value) },
            tiling: tiling)
        return try await addWMS(url, options: options, named: name, at: place, replacing: replacing)
    }

    /// Puts a WMS among the layers, with all that may be asked of it.
    ///
    /// - Parameters:
    ///   - url: the address of the service.
    ///   - name: the name of the layer on the map; the names of the layers when `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addWMS(
        _ url: String, options: WMSOptions, named name: String? = nil, at place: LayerPlace = .top,
        replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.wmsLayer(
                named: name ?? options.layers.joined(separator: ","), url: url, options: options, mapCRS: viewport.crs,
                around: viewport.extent)
        }
        return try add(
            layer, of: LayerSpecification(wms: url, options), at: place, replacing: replacing
        ).with(warnings)
    }

    /// Puts the tiles of a template among the layers: squares of web mercator, as most servers of tiles have them.
    ///
    /// Nothing is asked before the map is drawn.
    ///
    /// - Parameters:
    ///   - template: an address with `{z}`, `{x}` and `{y}`, or `{-y}` where rows count from the south; `{s}` is one of
    ///     `subdomains`.
    ///   - name: the name of the layer on the map.
    ///   - levels: the zoom levels that there are, within 0 through 30.
    ///   - tileSize: the side of a tile, in pixels, 1 to 4096.
    ///   - attribution: who is to be named on the picture.
    /// - Throws: ``MapError``, with the code ``MapError/Code/invalidArgument`` for a wrong template, levels or size.
    @discardableResult
    public func addXYZ(
        _ template: String, named name: String, levels: ClosedRange<Int> = 0...19, tileSize: Int = 256,
        subdomains: [String] = ["a", "b", "c"], attribution: String? = nil, at place: LayerPlace = .top,
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
        return try add(layer, of: specification, at: place, replacing: replacing)
    }

    /// Puts the tiles of a WMS-C tile set among the layers, on top unless told.
    ///
    /// - Parameters:
    ///   - url: the address of the service.
    ///   - layers: the names of the layers in the tiles, the bottommost first.
    ///   - name: the name of the layer on the map; the names of the layers when `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addTileSet(
        _ url: String, layers: [String], named name: String? = nil, at place: LayerPlace = .top,
        replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let choice = ServiceClient.TileSetChoice(layers: layers)
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.wmscLayer(
                named: name ?? layers.joined(separator: ","), url: url, choice: choice, mapCRS: viewport.crs)
        }
        return try add(
            layer, of: LayerSpecification(wmsc: url, choice), at: place, replacing: replacing
        ).with(warnings)
    }

    /// Puts the tiles of a WMS-C tile set that was set by hand among the layers, on top unless told.
    ///
    /// Nothing is asked before the map is drawn. To draw the tiles of another set, add that under the same name with
    /// `replacing`.
    ///
    /// - Parameters:
    ///   - url: the address of the service.
    ///   - set: the extent, resolutions, size, format, layers and styles of the tiles, as the service has them.
    ///   - name: the name of the layer on the map; the names of the layers when `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``, with the code ``MapError/Code/invalidArgument`` for a set that is not a grid.
    @discardableResult
    public func addTileSet(
        _ url: String, set: WMSCTileSet, named name: String? = nil, at place: LayerPlace = .top, replacing: Bool = false
    ) throws(MapError) -> AddedLayer {
        let request: WMSCTileRequest
        do { request = try WMSCTileRequest(tileSet: set, baseURL: NamedURL(url, namedBy: services.origin)) } catch {
            throw MapError(error)
        }
        let layer = MapLayer(name: name ?? set.layers.joined(separator: ","), source: TileSource(request))
        return try add(layer, of: LayerSpecification(wmsc: url, set), at: place, replacing: replacing)
    }

    /// Adds the features of a GeoJSON document at a path or URL to the vector layer.
    ///
    /// - Parameters:
    ///   - address: a path of a file, or a URL; icons in the document are relative to it.
    ///   - fitting: whether the map then shows all features.
    /// - Returns: the vector layer, with the collection as read.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addFeatures(at address: String, fitting: Bool = false) async throws(MapError) -> AddedLayer {
        try await reading(address) { (document, base) throws(MapError) in
            try addFeatures(document, baseURL: base, fitting: fitting)
        }
    }

    /// Makes a layer of the features of a document at a path or URL: GeoJSON, or another of
    /// ``RendererConfiguration/featureFormats``.
    ///
    /// It is found, changed, replaced and removed by its name, as one.
    ///
    /// - Parameters:
    ///   - address: a path of a file, or a URL; icons in the document are relative to it.
    ///   - name: the name of the layer on the map.
    ///   - style: the look of features that do not say it themselves.
    ///   - selectedStyle: their look while they are selected, over the usual one.
    ///   - fitting: whether the map then shows all features.
    /// - Returns: the layer, with the collection as read.
    /// - Throws: ``MapError``; the map is then unchanged.
    @discardableResult
    public func addGeoJSON(
        at address: String, named name: String, style: StyleDeclaration = StyleDeclaration(),
        selectedStyle: StyleDeclaration? = nil, fitting: Bool = false, at place: LayerPlace = .top,
        replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        try await reading(address) { (document, base) throws(MapError) in
            let added = try addGeoJSON(
                document, named: name, baseURL: base, style: style, selectedStyle: selectedStyle, fitting: fitting,
                at: place, replacing: replacing)
            let specification = LayerSpecification(features: address, style: style, selectedStyle: selectedStyle)
            return added.with(note(specification, of: name))
        }
    }
}

extension MapFacade {
    /// Puts a layer of a WMTS among the layers, on top unless told.
    ///
    /// - Parameters:
    ///   - url: the address of the service or of its capabilities document.
    ///   - choice: the layer, and what is wanted of it.
    ///   - name: the name of the layer on the map; its name in the service when `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addWMTS(
        _ url: String, choice: WMTSChoice, named name: String? = nil, at place: LayerPlace = .top,
        replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.wmtsLayer(
                named: name ?? choice.layer ?? "wmts", url: url, choice: choice, mapCRS: viewport.crs,
                around: viewport.extent)
        }
        return try add(
            layer, of: LayerSpecification(wmts: url, choice), at: place, replacing: replacing
        ).with(warnings)
    }

    /// Puts a layer of a WMTS on top of the other layers, in its default style and the best of its matrix sets.
    ///
    /// - Parameters:
    ///   - url: the address of the service or of its capabilities document.
    ///   - layer: the name of the layer in the service.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addWMTS(_ url: String, layer: String) async throws(MapError) -> AddedLayer {
        try await addWMTS(url, choice: WMTSChoice(layer: layer))
    }

    /// Puts the tiles of a Tile Map Service among the layers, on top unless told.
    ///
    /// - Parameters:
    ///   - url: the address of the document of a map, or of one that leads there.
    ///   - map: which map of a service is meant, as in ``ServiceClient/tmsLayer(named:url:map:levels:mapCRS:)``.
    ///   - name: the name of the layer on the map; `map` or `tms` when `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addTMS(
        _ url: String, map: String? = nil, named name: String? = nil, at place: LayerPlace = .top,
        replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.tmsLayer(
                named: name ?? map ?? "tms", url: url, map: map, mapCRS: viewport.crs)
        }
        return try add(
            layer, of: LayerSpecification(tms: url, map: map), at: place, replacing: replacing
        ).with(warnings)
    }
}

extension MapFacade {
    /// Puts a whole style of MapLibre among the layers, with the sources that it names, each read once: GeoJSON beside it or in
    /// it, and tiles of pictures.
    ///
    /// - Parameters:
    ///   - address: the path or URL of a style, the style itself as JSON, or the name of a built-in style: `portolan-light` or
    ///     `portolan-dark` (``/PortolanStyles/BaseMapStyle``), which need tiles for the source `openmaptiles`.
    ///   - sources: files or URLs that replace sources of the style, by their names; a layer kind may precede each, as in
    ///     `pmtiles:city.pmtiles`.
    ///   - name: the name of the layer on the map; the style's file when `nil`.
    ///   - place: where it goes; on top unless told.
    ///   - replacing: whether it takes the place of the layer of its name, as ``MapFacade/replaceLayer(named:with:)`` has it.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addStyle(
        at address: String, sources: [String: String] = [:], named name: String? = nil, at place: LayerPlace = .top,
        replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        var values = Dictionary(uniqueKeysWithValues: sources.map { ("sources.\($0.key)", $0.value) })
        values["name"] = name
        let specification = try LayerSpecification(kind: .style, source: address, values: values)
        let builder = LayerBuilder(client: services, mapCRS: viewport.crs)
        let built = try await builder.build([specification], by: connectionDeadline)
        guard let layer = built.first?.layer else { throw built.first?.failure ?? specification.error(.noFile) }
        return try add(layer, at: place, replacing: replacing).with(built.flatMap(\.warnings))
    }
}

extension MapFacade {
    /// Puts a layer among the others with the specification that makes it again when a state is restored.
    ///
    /// - Returns: the layer, with a warning if there is no such specification.
    private func add(
        _ layer: MapLayer, of specification: LayerSpecification?, at place: LayerPlace, replacing: Bool
    ) throws(MapError) -> AddedLayer {
        try add(layer, at: place, replacing: replacing).with(note(specification, of: layer.name))
    }

    /// Notes the specification that makes a layer of the map again.
    ///
    /// - Returns: a warning if there is none.
    @discardableResult
    package func note(_ specification: LayerSpecification?, of name: String) -> [MapWarning] {
        guard let specification = try? specification?.with("name", name) else { return [.notKept(layer: name)] }
        if let index = layers.firstIndex(where: { $0.name == name }) { layers[index].madeOf = specification }
        return []
    }
}
