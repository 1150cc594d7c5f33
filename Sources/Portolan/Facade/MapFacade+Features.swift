public import PortolanFeatures
public import PortolanGeo
import PortolanPlan
import PortolanRaster
public import PortolanWeb

extension MapFacade {
    /// Adds the features of a document to the vector layer.
    ///
    /// The document is GeoJSON, such as a route file, or another of ``RendererConfiguration/featureFormats``.
    ///
    /// - Parameters:
    ///   - baseURL: the base URL of relative icon URLs, usually that of the document.
    ///   - fitting: whether the map then shows all features.
    /// - Returns: the vector layer, with the collection as read.
    /// - Throws: ``MapError`` if the document cannot be read or its features cannot be shown, for example if
    ///   coordinates in metres have no CRS.
    @discardableResult
    public func addFeatures(
        _ document: [UInt8], baseURL: BaseURL? = nil, fitting: Bool = false
    ) throws(MapError) -> AddedLayer {
        try addFeatures(of: collection(in: document), baseURL: baseURL, fitting: fitting)
    }

    /// Adds the features of a collection to the vector layer.
    func addFeatures(
        of collection: FeatureCollection, baseURL: BaseURL?, fitting: Bool
    ) throws(MapError) -> AddedLayer {
        var collection = collection
        collection.leaveOutMisplaced(in: collection.effectiveCRS)
        let features: [Feature]
        do { features = try collection.inDegrees().features } catch { throw MapError(any: error) }
        updateVectors { $0.append(contentsOf: features, baseURL: baseURL) }
        if let attribution = collection.foreignMembers["attribution"]?.stringValue {
            try updateLayer(named: Self.vectorLayerName) { layer in
                // Documents of one source have the same attribution.
                guard layer.attribution?.contains(attribution) != true else { return }
                layer.attribution = layer.attribution.map { "\($0) · \(attribution)" } ?? attribution
            }
        }
        if fitting, collection.boundingBox != nil { try fitFeatures() }
        return AddedLayer(names: [Self.vectorLayerName]).with(collection)
    }

    /// Returns the features in a document, in any format of the renderer.
    package func collection(in document: [UInt8]) throws(MapError) -> FeatureCollection {
        do { return try renderer.featureFormats.read(document) } catch {
            throw MapError(any: error, code: .malformedDocument)
        }
    }

    /// Adds a layer with the features of a document: GeoJSON, or another of ``RendererConfiguration/featureFormats``.
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - baseURL: the base URL of relative icon URLs, usually that of the document.
    ///   - style: the style of features without their own style. Without a colour, the layer gets one that no other
    ///     layer has.
    ///   - selectedStyle: the changes to the style of selected features.
    ///   - fitting: whether the map then shows all features.
    ///   - position: the position among the layers.
    ///   - replacing: whether it replaces a layer with the same name, as in ``MapFacade/replaceLayer(named:with:)``.
    /// - Returns: the layer, with the collection as read.
    /// - Throws: ``MapError``.
    @discardableResult
    public func addFeatureLayer(
        _ document: [UInt8], named name: String, baseURL: BaseURL? = nil, style: StyleDeclaration = StyleDeclaration(),
        selectedStyle: StyleDeclaration? = nil, fitting: Bool = false, position: MapFacade.LayerPosition = .top,
        replacing: Bool = false
    ) throws(MapError) -> AddedLayer {
        try addFeatureLayer(
            of: collection(in: document), named: name, baseURL: baseURL, style: style, selectedStyle: selectedStyle,
            fitting: fitting, position: position, replacing: replacing)
    }

    /// Adds a layer with the features of a collection.
    func addFeatureLayer(
        of collection: FeatureCollection, named name: String, baseURL: BaseURL?, style: StyleDeclaration,
        selectedStyle: StyleDeclaration?, fitting: Bool, position: MapFacade.LayerPosition, replacing: Bool
    ) throws(MapError) -> AddedLayer {
        var collection = collection
        collection.leaveOutMisplaced(in: collection.effectiveCRS)
        var style = style, color: MapColor?
        if style.strokeColor == nil, style.fillColor == nil {
            color = LayerPalette.color(besides: layers.filter { $0.name != name }.compactMap(\.layerColor))
        }
        style.layerColor = color ?? LayerPalette.colors[0]
        var source = FeatureSource(collection, baseURL: baseURL, style: style)
        source.selectedStyle = selectedStyle
        let attribution = collection.foreignMembers["attribution"]?.stringValue
        var layer = MapLayer(name: name, source: source, attribution: attribution)
        layer.layerColor = color
        let added = try add(layer, position: position, replacing: replacing).with(collection)
        if fitting, collection.boundingBox != nil { try fitFeatures() }
        return added
    }

    /// Adds a point of interest to the vector layer: a marker with a label.
    ///
    /// ```swift
    /// map.addPOI(id: 1, coordinate: Coordinate(x: -0.8773, y: 41.6561), name: "Zaragoza")
    /// ```
    ///
    /// - Parameters:
    ///   - id: the identifier of the feature.
    ///   - coordinate: longitude and latitude in degrees.
    ///   - icon: the image of the marker (a path, a URL or `data:`), or `nil` for the marker of `style`.
    ///   - style: the complete style, which may omit the label; `nil` for the style of the layer or the default.
    /// - Returns: the vector layer, with the added feature.
    @discardableResult
    public func addPOI(
        id: Feature.ID, coordinate: Coordinate, name: String, description: String? = nil, icon: String? = nil,
        style: Style? = nil, isSelectable: Bool = true, isNavigable: Bool = true
    ) -> AddedLayer {
        var properties: Properties = [
            "type": "poi", "id": id.propertyValue, "name": .string(name), "selectable": .bool(isSelectable),
            "navigable": .bool(isNavigable),
        ]
        if let description { properties["description"] = .string(description) }
        var look: Properties = [:]
        if style == nil, vectorLayer.features?.style == StyleDeclaration() {
            look = [
                "fillColor": .string(LayerPalette.colors[0].cssText), "fillOpacity": 1, "strokeColor": "#ffffff",
                "strokeWidth": 1.5, "label": "${name}", "labelOutlineColor": "#ffffff", "labelOutlineWidth": 2,
            ]
        }
        if let icon { look["externalGraphic"] = .string(FileAddress.url(of: icon)) }
        if !look.isEmpty { properties["style"] = ["default": .object(look)] }
        return add(
            Feature(id: id, geometry: .point(coordinate), properties: properties), style: icon == nil ? style : nil)
    }

    /// Adds a line to the vector layer.
    ///
    /// - Parameters:
    ///   - id: the identifier of the feature.
    ///   - places: longitudes and latitudes in degrees.
    ///   - style: the style, or `nil` for that of the layer.
    /// - Returns: the vector layer, with the added feature.
    @discardableResult
    public func addLine(
        id: Feature.ID, through places: [Coordinate], name: String? = nil, style: Style? = nil
    ) -> AddedLayer {
        var properties: Properties = ["type": "route", "id": id.propertyValue]
        if let name { properties["name"] = .string(name) }
        return add(Feature(id: id, geometry: .lineString(places), properties: properties), style: style)
    }

    /// Adds a polygon to the vector layer.
    ///
    /// - Parameters:
    ///   - id: the identifier of the feature.
    ///   - rings: the outer ring and then the holes, longitudes and latitudes in degrees.
    ///   - style: the style, or `nil` for that of the layer.
    /// - Returns: the vector layer, with the added feature.
    @discardableResult
    public func addPolygon(
        id: Feature.ID, rings: [[Coordinate]], name: String? = nil, style: Style? = nil
    ) -> AddedLayer {
        var properties: Properties = ["id": id.propertyValue]
        if let name { properties["name"] = .string(name) }
        return add(Feature(id: id, geometry: .polygon(rings), properties: properties), style: style)
    }

    private func add(_ feature: Feature, style: Style?) -> AddedLayer {
        updateVectors { source in
            if let style { source.append(feature, style: style) } else { source.append(feature) }
        }
        return AddedLayer(names: [Self.vectorLayerName]).with(FeatureCollection(features: [feature]))
    }

    /// Moves a point of the vector layer to a longitude and latitude in degrees.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName``.
    public func moveMarker(id: Feature.ID, to place: Coordinate) throws(MapError) {
        let isThere = updateVectors { $0.update(id) { $0.geometry = .point(place) } }
        guard isThere else { throw .noSuchFeature(id.description) }
    }

    /// Removes a feature from the vector layer and returns whether it existed.
    @discardableResult
    public func removeFeature(id: Feature.ID) -> Bool {
        let isThere = updateVectors { source in
            guard source.features.contains(where: { $0.isIdentified(by: id) }) else { return false }
            source.removeAll { $0.isIdentified(by: id) }
            return true
        }
        if isThere, let selection, selection.layer == Self.vectorLayerName, selectedFeature == nil { deselect() }
        return isThere
    }

    /// Returns the first feature with an identifier, from the topmost layer down, or `nil` if none exists.
    public func feature(id: Feature.ID) -> Feature? { find(id)?.feature }

    func find(_ id: Feature.ID) -> (layer: String, feature: Feature)? {
        for layer in layers.reversed() where layer.isVisible {
            if let feature = layer.feature(id) { return (layer.name, feature) }
        }
        return nil
    }

    /// The visible layers with features, the lowest first.
    var featureLayers: [(layer: String, features: [Feature])] {
        layers.compactMap { layer in
            let sources = layer.featureSources
            guard layer.isVisible, let first = sources.first else { return nil }
            return (layer.name, sources.count == 1 ? first.features : sources.flatMap(\.features))
        }
    }
}

extension FeatureCollection {
    /// Returns the features in longitude and latitude.
    ///
    /// - Throws: ``/PortolanGeo/CRSError``.
    package func inDegrees() throws -> FeatureCollection {
        let toDegrees = try CoordinateTransform(from: effectiveCRS, to: .crs84)
        guard !toDegrees.isIdentity else { return self }
        var moved = self
        moved.features = features.map { $0.moved(by: toDegrees) }
        moved.crs = nil
        return moved
    }
}

extension Feature {
    /// Returns the feature in another CRS.
    ///
    /// Coordinates that cannot be transformed become NaN.
    fileprivate func moved(by transform: CoordinateTransform) -> Feature {
        var copy = self
        copy.geometry = geometry?.mapCoordinates { transform($0) ?? Coordinate(x: .nan, y: .nan) }
        return copy
    }
}
