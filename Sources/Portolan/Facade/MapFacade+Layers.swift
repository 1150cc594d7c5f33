public import PortolanPlan

extension MapFacade {
    /// Puts a layer on top of the others, but under the vector layer.
    ///
    /// - Throws: ``FacadeError/duplicateLayer(_:)``, or ``FacadeError/reservedName(_:)`` for the names of the vector layer, the
    ///   mask and the position.
    public func add(_ layer: MapLayer) throws(FacadeError) {
        guard !Self.reservedNames.contains(layer.name) else { throw .reservedName(layer.name) }
        guard self.layer(named: layer.name) == nil else { throw .duplicateLayer(layer.name) }
        let hasVectors = layers.last?.name == Self.vectorLayerName
        layers.insert(layer, at: hasVectors ? layers.count - 1 : layers.count)
    }

    /// The names of layers that the map draws by itself.
    static let ownLayerNames: Set = [maskLayerName, positionLayerName]

    private static let reservedNames = ownLayerNames.union([vectorLayerName])

    /// The layer of a name, or `nil` when there is none.
    public func layer(named name: String) -> MapLayer? { layers.first { $0.name == name } }

    /// Changes a layer in place: its visibility, opacity, content.
    ///
    /// - Throws: ``FacadeError/noSuchLayer(_:)``; ``FacadeError/duplicateLayer(_:)`` when it is given another's name;
    ///   ``FacadeError/reservedName(_:)`` when the vector layer is renamed or given content other than features.
    public func updateLayer(named name: String, _ change: (inout MapLayer) -> Void) throws(FacadeError) {
        guard let place = layers.firstIndex(where: { $0.name == name }) else { throw .noSuchLayer(name) }
        var layer = layers[place]
        change(&layer)
        if name == Self.vectorLayerName {
            guard layer.name == name, layer.features != nil else { throw .reservedName(name) }
        } else if Self.reservedNames.contains(layer.name) {
            throw .reservedName(layer.name)
        }
        guard layer.name == name || self.layer(named: layer.name) == nil else { throw .duplicateLayer(layer.name) }
        layers[place] = layer
        if selection?.layer == name { selection?.layer = layer.name }
    }

    /// Takes a layer away and returns it, or `nil` when there is none of that name.
    @discardableResult
    public func removeLayer(named name: String) -> MapLayer? {
        guard let place = layers.firstIndex(where: { $0.name == name }) else { return nil }
        if selection?.layer == name { deselect() }
        return layers.remove(at: place)
    }

    /// The layer for the app's own features, on top of all others; empty until it is first used.
    public var vectorLayer: MapLayer {
        layer(named: Self.vectorLayerName)
            ?? MapLayer(name: Self.vectorLayerName, source: FeatureSource(features: []))
    }

    /// Changes the features of the vector layer in place.
    func updateVectors<Result>(_ change: (inout FeatureSource) -> Result) -> Result {
        let place: Int
        if let last = layers.indices.last, layers[last].name == Self.vectorLayerName {
            place = last
        } else {
            layers.append(vectorLayer)
            place = layers.count - 1
        }
        guard var source = layers[place].features else {
            preconditionFailure("the vector layer has features and nothing else")
        }
        // Let go of the old content first: the features are then changed where they are, and not copied.
        layers[place].source = FeatureSource(features: [])
        defer { layers[place].source = source }
        return change(&source)
    }
}
