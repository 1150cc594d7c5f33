public import PortolanPlan

extension MapFacade {
    /// Puts a layer on top of the others, but under the vector layer.
    ///
    /// - Throws: ``FacadeError/duplicateLayer(_:)``.
    public func add(_ layer: MapLayer) throws(FacadeError) {
        guard self.layer(named: layer.name) == nil else { throw .duplicateLayer(layer.name) }
        let hasVectors = layers.last?.name == Self.vectorLayerName
        layers.insert(layer, at: hasVectors ? layers.count - 1 : layers.count)
    }

    /// The layer of a name, or `nil` when there is none.
    public func layer(named name: String) -> MapLayer? { layers.first { $0.name == name } }

    /// Changes a layer in place: its visibility, opacity, content.
    ///
    /// - Throws: ``FacadeError/noSuchLayer(_:)``; ``FacadeError/duplicateLayer(_:)`` when it is given another's name.
    public func updateLayer(named name: String, _ change: (inout MapLayer) -> Void) throws(FacadeError) {
        guard let place = layers.firstIndex(where: { $0.name == name }) else { throw .noSuchLayer(name) }
        var layer = layers[place]
        change(&layer)
        guard layer.name == name || self.layer(named: layer.name) == nil else { throw .duplicateLayer(layer.name) }
        layers[place] = layer
    }

    /// Takes a layer away and returns it, or `nil` when there is none of that name.
    @discardableResult
    public func removeLayer(named name: String) -> MapLayer? {
        guard let place = layers.firstIndex(where: { $0.name == name }) else { return nil }
        if selection?.layer == name { deselect() }
        return layers.remove(at: place)
    }

    /// The layer for the app's own features, on top of all others; it comes to be when it is first used.
    public var vectorLayer: MapLayer {
        if let layer = layer(named: Self.vectorLayerName) { return layer }
        let layer = MapLayer(name: Self.vectorLayerName, content: .features(FeatureSource(features: [])))
        layers.append(layer)
        return layer
    }

    /// Changes the features of the vector layer.
    func updateVectors<Result>(_ change: (inout FeatureSource) -> Result) -> Result {
        var layer = vectorLayer
        var source = if case .features(let source) = layer.content { source } else { FeatureSource(features: []) }
        let result = change(&source)
        layer.content = .features(source)
        if let place = layers.firstIndex(where: { $0.name == Self.vectorLayerName }) { layers[place] = layer }
        return result
    }
}
