extension MapFacade {
    /// Puts the tiles that a document of TileJSON describes among the layers, on top unless told.
    ///
    /// - Parameters:
    ///   - url: the address of the document.
    ///   - name: the name of the layer on the map.
    ///   - tileSize: the side of a tile in pixels; what the document says when `nil`, or else 256.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addTileJSON(
        _ url: String, named name: String = "tilejson", tileSize: Int? = nil, at place: LayerPlace = .top,
        replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let (layer, warnings) = try await connecting(to: url) { (services) throws(MapError) in
            try await services.tileJSONLayer(named: name, url: url, tileSize: tileSize)
        }
        return try add(layer, at: place, replacing: replacing).with(warnings)
    }

    /// Puts map tiles of an OGC API among the layers, on top unless told.
    ///
    /// - Parameters:
    ///   - url: the address of the landing page, of a collection or of a tile set.
    ///   - choice: the collection, the grid and the format; what there is of one may be left out.
    ///   - name: the name of the layer on the map; that of the collection when `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addOGCTiles(
        _ url: String, choice: ServiceClient.MapCollectionChoice = .init(), named name: String? = nil,
        at place: LayerPlace = .top, replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.ogcTilesLayer(
                named: name ?? choice.collections.first ?? "oat", url: url, choice: choice, mapCRS: viewport.crs)
        }
        return try add(layer, at: place, replacing: replacing).with(warnings)
    }

    /// Puts a map of an OGC API among the layers, one picture a view, on top unless told.
    ///
    /// - Parameters:
    ///   - url: the address of the landing page or of a collection.
    ///   - choice: the collections, the system and the format; empty for the map of the whole dataset.
    ///   - name: the name of the layer on the map; those of the collections when `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addOGCMap(
        _ url: String, choice: ServiceClient.MapCollectionChoice = .init(), named name: String? = nil,
        at place: LayerPlace = .top, replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let usual = choice.collections.isEmpty ? "oam" : choice.collections.joined(separator: ",")
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.ogcMapLayer(
                named: name ?? usual, url: url, choice: choice, mapCRS: viewport.crs)
        }
        return try add(layer, at: place, replacing: replacing).with(warnings)
    }

    /// Puts a `MapServer` or `ImageServer` of ArcGIS among the layers: its tiles, or one picture a view; on top unless told.
    ///
    /// - Parameters:
    ///   - url: the address of the service.
    ///   - choice: its layers, and whether tiles are taken.
    ///   - name: the name of the layer on the map; `arcgis` when `nil`.
    /// - Returns: the layer, with warnings about it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addArcGIS(
        _ url: String, choice: ServiceClient.ArcGISChoice = .init(), named name: String? = nil,
        at place: LayerPlace = .top, replacing: Bool = false
    ) async throws(MapError) -> AddedLayer {
        let (layer, warnings) = try await connecting(to: url) { [viewport] (services) throws(MapError) in
            try await services.arcGISLayer(
                named: name ?? "arcgis", url: url, choice: choice, mapCRS: viewport.crs)
        }
        return try add(layer, at: place, replacing: replacing).with(warnings)
    }
}
