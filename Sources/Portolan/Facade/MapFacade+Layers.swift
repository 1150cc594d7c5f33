public import PortolanPlan

/// Where a layer goes among the others of a map; under the vector layer in any case.
public enum LayerPlace: Hashable, Sendable {
    /// Above all others.
    case top
    /// Under all others.
    case bottom
    /// Just above the layer of a name.
    case above(String)
    /// Just under the layer of a name.
    case below(String)
}

extension MapFacade {
    /// Puts a layer among the others, on top unless told, but under the vector layer.
    ///
    /// A layer of a group that the map has takes on the group's visibility and opacity.
    ///
    /// - Parameter replacing: whether it takes the place of the layer of its name, if there is one; see
    ///   ``MapFacade/replaceLayer(named:with:)``.
    /// - Throws: ``MapError`` with the code ``MapError/Code/duplicate``, ``MapError/Code/unknownName`` for the layer beside which it goes, or
    ///   ``MapError/Code/reservedName`` for the names of the vector layer, the mask and the position.
    @discardableResult
    public func add(
        _ layer: MapLayer, at place: LayerPlace = .top, replacing: Bool = false
    ) throws(MapError) -> AddedLayer {
        let added = AddedLayer(names: [layer.name], bounds: layer.bounds ?? layer.source.bounds)
        guard !Self.reservedNames.contains(layer.name) else { throw .reservedName(layer.name) }
        guard self.layer(named: layer.name) == nil else {
            guard replacing else { throw .duplicateLayer(layer.name) }
            try replaceLayer(named: layer.name, with: layer)
            return added
        }
        layers.insert(inItsGroup(layer), at: try index(of: place))
        return added
    }

    /// Moves a layer to another place among the others.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName`` for it or the layer beside which it goes; ``MapError/Code/reservedName`` for
    ///   the vector layer, which stays on top.
    public func moveLayer(named name: String, to place: LayerPlace) throws(MapError) {
        guard name != Self.vectorLayerName else { throw .reservedName(name) }
        guard let layer = layer(named: name) else { throw .noSuchLayer(name, among: layers.map(\.name)) }
        guard place != .above(name), place != .below(name) else { return }
        _ = try index(of: place)
        layers.removeAll { $0.name == name }
        layers.insert(layer, at: try index(of: place))
    }

    /// Puts another content behind the name of a layer, such as another service.
    ///
    /// Its name, place, group, visibility, opacity and scales stay; all that belongs to the content is the new layer's. A feature
    /// that is selected stays so if the new content has it.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName``, or ``MapError/Code/reservedName`` for the vector layer.
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

    /// The index in ``MapFacade/layers`` at which a layer has a place.
    private func index(of place: LayerPlace) throws(MapError) -> Int {
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

    /// The names of layers that the map draws by itself.
    static let ownLayerNames: Set = [maskLayerName, positionLayerName]

    private static let reservedNames = ownLayerNames.union([vectorLayerName])

    /// The layer of a name, or `nil` when there is none.
    public func layer(named name: String) -> MapLayer? { layers.first { $0.name == name } }

    /// Changes a layer in place: its visibility, opacity, content.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName``; ``MapError/Code/duplicate`` when it is given another's name;
    ///   ``MapError/Code/reservedName`` when the vector layer is renamed or given content other than features.
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

    /// Takes a layer away and returns it, or `nil` when there is none of that name.
    @discardableResult
    public func removeLayer(named name: String) -> MapLayer? {
        guard let place = layers.firstIndex(where: { $0.name == name }) else { return nil }
        if selection?.layer == name { deselect() }
        return layers.remove(at: place)
    }

    // MARK: - Groups

    /// The groups of layers, in the order of their bottommost layers.
    public var groups: [MapLayer.Group] {
        var seen: Set<String> = []
        return layers.compactMap(\.group).filter { seen.insert($0.name).inserted }
    }

    /// Changes what the layers of a group have in common: its name, visibility and opacity.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName``; ``MapError/Code/duplicate`` when it is given another's name.
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

    /// Takes all layers of a group away and returns them, bottom first.
    @discardableResult
    public func removeGroup(named name: String) -> [MapLayer] {
        layers.filter { $0.group?.name == name }.compactMap { removeLayer(named: $0.name) }
    }

    /// A layer with what its group has in common.
    private func inItsGroup(_ layer: MapLayer) -> MapLayer {
        guard let group = groups.first(where: { $0.name == layer.group?.name }) else { return layer }
        var copy = layer
        copy.group = group
        return copy
    }

    /// Gives all layers of a group what one of them has.
    private func share(_ group: MapLayer.Group) {
        for place in layers.indices where layers[place].group?.name == group.name { layers[place].group = group }
    }

    // MARK: - The vector layer

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
