extension MapFacade {
    /// Adds the tiles that a TileJSON document describes.
    ///
    /// - Parameters:
    ///   - url: the URL of the document.
    ///   - name: the name of the layer on the map.
    ///   - tileSize: the side length of a tile in pixels; `nil` for the size in the document, or 256.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addTileJSON(
        _ url: String, named name: String = "tilejson", tileSize: Int? = nil, position: MapFacade.LayerPosition = .top,
        replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let (layer, warnings) = try await connecting(to: url) { (services) throws(MapError) in
            try await services.tileJSONLayer(named: name, url: url, tileSize: tileSize)
        }
        return try add(layer, position: position, replacing: replacing).with(warnings)
    }

    /// Adds OGC API map tiles.
    ///
    /// - Parameters:
    ///   - url: the URL of the landing page, a collection or a tile set.
    ///   - choice: the collection, the tile matrix set and the format; each is optional if there is only one.
    ///   - name: the name of the layer on the map; that of the collection if `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addOGCTiles(
        _ url: String, options choice: ServiceClient.MapCollectionOptions = .init(), named name: String? = nil,
        position: MapFacade.LayerPosition = .top, replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.ogcTilesLayer(
                named: name ?? choice.collections.first ?? "oat", url: url, options: choice, mapCRS: viewport.crs)
        }
        return try add(layer, position: position, replacing: replacing).with(warnings)
    }

    /// Adds an OGC API map: one image per view.
    ///
    /// - Parameters:
    ///   - url: the URL of the landing page or a collection.
    ///   - choice: the collections, the CRS and the format; empty for the map of the whole dataset.
    ///   - name: the name of the layer on the map; the names of the collections if `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addOGCMap(
        _ url: String, options choice: ServiceClient.MapCollectionOptions = .init(), named name: String? = nil,
        position: MapFacade.LayerPosition = .top, replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let usual = choice.collections.isEmpty ? "oam" : choice.collections.joined(separator: ",")
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.ogcMapLayer(
                named: name ?? usual, url: url, options: choice, mapCRS: viewport.crs)
        }
        return try add(layer, position: position, replacing: replacing).with(warnings)
    }

    /// Adds an ArcGIS `MapServer` or `ImageServer`: its tiles, or one image per view.
    ///
    /// - Parameters:
    ///   - url: the URL of the service.
    ///   - choice: its layers, and whether tiles are requested.
    ///   - name: the name of the layer on the map; `arcgis` if `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addArcGIS(
        _ url: String, options choice: ServiceClient.ArcGISOptions = .init(), named name: String? = nil,
        position: MapFacade.LayerPosition = .top, replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.arcGISLayer(
                named: name ?? "arcgis", url: url, options: choice, mapCRS: viewport.crs)
        }
        return try add(layer, position: position, replacing: replacing).with(warnings)
    }
}
