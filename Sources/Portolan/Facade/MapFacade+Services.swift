public import PortolanFeatures
import PortolanPlan
public import PortolanServices

extension MapFacade {
    /// Asks services what they offer.
    public var services: ServiceClient { renderer.services }

    /// Puts a WMS on top of the other layers: one image a view, or tiles.
    ///
    /// - Parameters:
    ///   - url: the address of the service.
    ///   - layers: the names of its layers, the bottommost first.
    ///   - name: the name of the layer on the map; the names of the layers when `nil`.
    ///   - tiling: how it is cut into tiles, which stay in memory when the map moves; `nil` for one image a view.
    /// - Returns: what a person should know of the negotiation.
    /// - Throws: ``ServiceError`` or ``FacadeError/duplicateLayer(_:)``.
    @discardableResult
    public func addWMS(
        _ url: String, layers: [String], named name: String? = nil, tiling: WMSTiling? = nil
    ) async throws -> [String] {
        let options = WMSOptions(layers: layers, tiling: tiling)
        let (layer, warnings) = try await services.wmsLayer(
            named: name ?? layers.joined(separator: ","), url: url, options: options, mapCRS: viewport.crs,
            around: viewport.extent)
        try add(layer)
        return warnings
    }

    /// Puts the tiles of a WMS-C tile set on top of the other layers.
    ///
    /// - Parameters:
    ///   - url: the address of the service.
    ///   - layers: the names of the layers in the tiles, the bottommost first.
    ///   - name: the name of the layer on the map; the names of the layers when `nil`.
    /// - Returns: what a person should know of what the service advertises.
    /// - Throws: ``ServiceError`` or ``FacadeError/duplicateLayer(_:)``.
    @discardableResult
    public func addTileSet(_ url: String, layers: [String], named name: String? = nil) async throws -> [String] {
        let (layer, warnings) = try await services.wmscLayer(
            named: name ?? layers.joined(separator: ","), url: url, choice: .init(layers: layers),
            mapCRS: viewport.crs)
        try add(layer)
        return warnings
    }

    /// Adds the features of a GeoJSON document at a path or URL to the vector layer.
    ///
    /// - Parameters:
    ///   - address: a path of a file, or a URL; icons in the document are relative to it.
    ///   - fitting: whether the map then shows all features.
    /// - Returns: the collection as read, with its warnings.
    /// - Throws: ``ServiceError`` when the document cannot be had, and what ``addFeatures(_:baseURL:fitting:)`` throws.
    @discardableResult
    public func addFeatures(at address: String, fitting: Bool = false) async throws -> FeatureCollection {
        let url = FileAddress.url(of: address)
        let (bytes, base) = try await services.content(at: url)
        do { return try addFeatures(bytes, baseURL: base, fitting: fitting) } catch {
            await services.forget(url)
            throw error
        }
    }
}

extension MapFacade {
    /// Puts a layer of a WMTS on top of the other layers.
    ///
    /// - Parameters:
    ///   - url: the address of the service or of its capabilities document.
    ///   - choice: the layer, and what is wanted of it.
    ///   - name: the name of the layer on the map; its name in the service when `nil`.
    /// - Returns: what a person should know of the negotiation.
    /// - Throws: ``ServiceError`` or ``FacadeError/duplicateLayer(_:)``.
    @discardableResult
    public func addWMTS(_ url: String, choice: WMTSChoice, named name: String? = nil) async throws -> [String] {
        let (layer, warnings) = try await services.wmtsLayer(
            named: name ?? choice.layer ?? "wmts", url: url, choice: choice, mapCRS: viewport.crs,
            around: viewport.extent)
        try add(layer)
        return warnings
    }

    /// Puts a layer of a WMTS on top of the other layers, in its default style and the best of its matrix sets.
    ///
    /// - Parameters:
    ///   - url: the address of the service or of its capabilities document.
    ///   - layer: the name of the layer in the service.
    /// - Returns: what a person should know of the negotiation.
    /// - Throws: ``ServiceError`` or ``FacadeError/duplicateLayer(_:)``.
    @discardableResult
    public func addWMTS(_ url: String, layer: String) async throws -> [String] {
        try await addWMTS(url, choice: WMTSChoice(layer: layer))
    }

    /// Puts the tiles of a Tile Map Service on top of the other layers.
    ///
    /// - Parameters:
    ///   - url: the address of the document of a map, or of one that leads there.
    ///   - map: which map of a service is meant, as in ``ServiceClient/tmsLayer(named:url:map:levels:mapCRS:)``.
    ///   - name: the name of the layer on the map; `map` or `tms` when `nil`.
    /// - Returns: what a person should know of the documents.
    /// - Throws: ``ServiceError`` or ``FacadeError/duplicateLayer(_:)``.
    @discardableResult
    public func addTMS(_ url: String, map: String? = nil, named name: String? = nil) async throws -> [String] {
        let (layer, warnings) = try await services.tmsLayer(
            named: name ?? map ?? "tms", url: url, map: map, mapCRS: viewport.crs)
        try add(layer)
        return warnings
    }
}
