public import PortolanPlan

extension MapFacade {
    /// The position of a layer among the layers of a map, always below the vector layer.
    public enum LayerPosition: Hashable, Sendable {
        /// Above all others.
        case top
        /// Below all others.
        case bottom
        /// Directly above the layer with a name.
        case above(String)
        /// Directly below the layer with a name.
        case below(String)
    }
}

extension MapFacade {
    /// Adds a layer at a position, by default on top, but below the vector layer.
    ///
    /// A layer whose group exists on the map gets the group's visibility and opacity.
    ///
    /// - Parameter replacing: whether it replaces a layer with the same name; see
    ///   ``MapFacade/replaceLayer(named:with:)``.
    /// - Throws: ``MapError`` with the code ``MapError/Code/duplicate``; ``MapError/Code/unknownName`` if the reference
    ///   layer does not exist; or ``MapError/Code/reservedName`` for the names of the vector layer, the mask and the
    ///   position.
    @discardableResult
    public func add(
        _ layer: MapLayer, position: MapFacade.LayerPosition = .top, replacing: Bool = false
    ) throws(MapError) -> AddedLayer {
        let added = AddedLayer(names: [layer.name], bounds: layer.bounds ?? layer.source.bounds)
        guard !Self.reservedNames.contains(layer.name) else { throw .reservedName(layer.name) }
        guard self.layer(named: layer.name) == nil else {
            guard replacing else { throw .duplicateLayer(layer.name) }
            try replaceLayer(named: layer.name, with: layer)
            return added
        }
        layers.insert(inItsGroup(layer), at: try index(of: position))
        return added
    }

    /// Moves a layer to another position.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName`` if it or the reference layer does not exist,
    ///   or ``MapError/Code/reservedName`` for the vector layer, which stays on top.
    public func moveLayer(named name: String, to place: MapFacade.LayerPosition) throws(MapError) {
        guard name != Self.vectorLayerName else { throw .reservedName(name) }
        guard let layer = layer(named: name) else { throw .noSuchLayer(name, among: layers.map(\.name)) }
        guard place != .above(name), place != .below(name) else { return }
        _ = try index(of: place)
        layers.removeAll { $0.name == name }
        layers.insert(layer, at: try index(of: place))
    }

    /// Replaces the content of a layer, for example by another service.
    ///
    /// Its name, position, group, visibility, opacity and scales are kept; everything else is that of the new layer. A
    /// selected feature remains selected if the new content has it.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName``, or ``MapError/Code/reservedName`` for the
    ///   vector layer.
    public func replaceLayer(named name: String, with layer: MapLayer) throws(MapError) {
        guard name != Self.vectorLayerName else { throw .reservedName(name) }
        guard let place = layers.firstIndex(where: { $0.name == name }) else {
            throw .noSuchLayer(name, among: layers.map(\.name))
        }
        let old = layers[place]
        var new = layer
        new.name = name
        new.group = old.group
        new.isVisible = old.isVisible
        new.opacity = old.opacity
        new.minimumResolution = old.minimumResolution
        new.maximumResolution = old.maximumResolution
        layers[place] = new
        if selection?.layer == name, selectedFeature == nil { deselect() }
    }

    /// Returns the index in ``MapFacade/layers`` for a position.
    private func index(of place: MapFacade.LayerPosition) throws(MapError) -> Int {
        let end = layers.last?.name == Self.vectorLayerName ? layers.count - 1 : layers.count
        func find(_ name: String) throws(MapError) -> Int {
            guard let index = layers.firstIndex(where: { $0.name == name }) else {
                throw .noSuchLayer(name, among: layers.map(\.name))
            }
            return index
        }
        switch place {
        case .top: return end
        case .bottom: return 0
        case .above(let name): return min(try find(name) + 1, end)
        case .below(let name): return try find(name)
        }
    }

    /// The names of the layers that the map draws itself.
    static let ownLayerNames: Set = [maskLayerName, positionLayerName]

    private static let reservedNames = ownLayerNames.union([vectorLayerName])

    /// Returns the layer with a name, or `nil` if none exists.
    public func layer(named name: String) -> MapLayer? { layers.first { $0.name == name } }

    /// Changes a layer in place, for example its visibility, opacity or content.
    ///
    /// ```swift
    /// try map.updateLayer(named: "rivers") { $0.opacity = 0.5 }
    /// ```
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName``; ``MapError/Code/duplicate`` if the new name
    ///   exists; ``MapError/Code/reservedName`` if the vector layer is renamed or gets content other than features.
    public func updateLayer(named name: String, _ change: (inout MapLayer) -> Void) throws(MapError) {
        guard let place = layers.firstIndex(where: { $0.name == name }) else {
            throw .noSuchLayer(name, among: layers.map(\.name))
        }
        var layer = layers[place]
        change(&layer)
        if name == Self.vectorLayerName {
            guard layer.name == name, layer.features != nil else { throw .reservedName(name) }
        } else if Self.reservedNames.contains(layer.name) {
            throw .reservedName(layer.name)
        }
        guard layer.name == name || self.layer(named: layer.name) == nil else { throw .duplicateLayer(layer.name) }
        let isJoining = layer.group?.name != layers[place].group?.name
        layers[place] = isJoining ? inItsGroup(layer) : layer
        if !isJoining, let group = layer.group { share(group) }
        if selection?.layer == name { selection?.layer = layer.name }
    }

    /// Removes a layer and returns it, or returns `nil` if none has this name.
    @discardableResult
    public func removeLayer(named name: String) -> MapLayer? {
        guard let place = layers.firstIndex(where: { $0.name == name }) else { return nil }
        if selection?.layer == name { deselect() }
        return layers.remove(at: place)
    }

    // MARK: - Groups

    /// The groups of layers, in the order of their lowest layers.
    public var groups: [MapLayer.Group] {
        var seen: Set<String> = []
        return layers.compactMap(\.group).filter { seen.insert($0.name).inserted }
    }

    /// Changes the name, visibility or opacity of a group of layers.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName``, or ``MapError/Code/duplicate`` if the new
    ///   name exists.
    public func updateGroup(named name: String, _ change: (inout MapLayer.Group) -> Void) throws(MapError) {
        guard var group = groups.first(where: { $0.name == name }) else {
            throw .noSuchGroup(name, among: groups.map(\.name))
        }
        change(&group)
        guard group.name == name || !groups.contains(where: { $0.name == group.name }) else {
            throw .duplicateGroup(group.name)
        }
        for place in layers.indices where layers[place].group?.name == name { layers[place].group = group }
    }

    /// Removes all layers of a group and returns them, the lowest first.
    @discardableResult
    public func removeGroup(named name: String) -> [MapLayer] {
        layers.filter { $0.group?.name == name }.compactMap { removeLayer(named: $0.name) }
    }

    /// Returns a layer with the visibility and opacity of its group.
    private func inItsGroup(_ layer: MapLayer) -> MapLayer {
        guard let group = groups.first(where: { $0.name == layer.group?.name }) else { return layer }
        var copy = layer
        copy.group = group
        return copy
    }

    /// Sets the group of all layers in it.
    private func share(_ group: MapLayer.Group) {
        for place in layers.indices where layers[place].group?.name == group.name { layers[place].group = group }
    }

    // MARK: - The vector layer

    /// The layer for the app's own features, above all others; empty until it is first used.
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
        // Release the old content first, so that the features are changed in place and not copied.
        layers[place].source = FeatureSource(features: [])
        defer { layers[place].source = source }
        return change(&source)
    }
}
