import PortolanPlan
public import PortolanServices

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
