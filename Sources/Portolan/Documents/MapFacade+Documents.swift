import PortolanPaint
import PortolanPlan
import PortolanWeb

extension MapFacade {
    /// Returns a layer builder whose default colours differ from those of the map's layers.
    private func layerBuilder(for crs: CRS) -> LayerBuilder {
        var builder = LayerBuilder(client: services, mapCRS: crs)
        builder.takenColors = layers.compactMap(\.layerColor)
        return builder
    }

    /// Creates a layer from a specification and adds it on top of the others.
    ///
    /// Restoring a state (``restore(_:)``) recreates the layer from its specification. The key `cache` is for
    /// ``RendererConfiguration/layerCacheRules`` and has no effect here.
    ///
    /// - Throws: ``MapError``, with the code ``MapError/Code/duplicate`` if the map has a layer with this name.
    @discardableResult
    public func addLayer(_ specification: LayerSpecification) async throws(MapError) -> AddedLayer {
        let built = try await layerBuilder(for: viewport.crs).build([specification], by: connectionDeadline)
        if let failure = built.lazy.compactMap(\.failure).first { throw failure }
        var added = AddedLayer(names: [], warnings: built.flatMap(\.warnings))
        for layer in built.compactMap(\.layer) { added += try add(layer) }
        return added
    }

    /// Adds the layers of a document on top of the others and shows its view.
    ///
    /// The picture keeps its size. The fonts of the document are for ``RendererConfiguration/fonts`` and have no effect
    /// here.
    ///
    /// - Returns: warnings about the document, and about layers whose services cannot be reached.
    /// - Throws: ``MapError`` for an invalid layer, before the map is changed, or for an invalid view.
    @discardableResult
    public func open(_ document: MapDocument) async throws(MapError) -> [MapWarning] {
        var warnings = document.warnings, request = document.view
        request.crs = request.crs ?? viewport.crs
        let built = try await layerBuilder(for: request.mapCRS).build(
            document.layers, by: connectionDeadline)
        for layer in built where self.layer(named: layer.name) != nil { throw .duplicateLayer(layer.name) }
        for layer in built {
            warnings += layer.documentWarnings
            if let layer = layer.layer { try add(layer) }
        }
        request.setSize(viewport.size, pixelRatio: viewport.pixelRatio)
        limits = document.limits
        options.apply(document.furniture)
        let shown = layers.filter(\.isVisible)
        if let wanted = document.furniture.profile {
            do throws(RouteLine.ProfileError) {
                options.profile = try Furniture.ProfilePanel(of: shown, wanted)
                request.foot = options.footHeight
            } catch {
                warnings.append(
                    MapWarning(.data, MapWarning.Subject(member: "profile"), effect: .omitted, message: "\(error)"))
            }
        }
        viewport = try limits.clamped(request.viewport(for: shown))
        controls.history = ViewHistory(viewport)
        opening = .done
        if var home = document.home {
            home.setSize(viewport.size, pixelRatio: viewport.pixelRatio)
            home.crs = home.crs ?? viewport.crs
            controls.history.home = try home.viewport(for: shown)
        }
        if let selected = document.selected { warnings += restore(selected) }
        return warnings
    }

    /// Shows a requested view.
    ///
    /// The picture keeps its size and the map its CRS.
    ///
    /// - Throws: ``MapError``.
    package func show(_ request: ViewRequest) throws(MapError) {
        var request = request
        request.setSize(viewport.size, pixelRatio: viewport.pixelRatio)
        request.crs = viewport.crs
        open(try limits.clamped(request.viewport(for: layers.filter(\.isVisible))))
    }

    /// The state of the map, to be saved and restored.
    public var state: MapState {
        MapState(
            view: viewport, home: controls.history.home, limits: limits,
            layers: layers.map { layer in
                var kept = MapState.Layer(
                    name: layer.name, isVisible: layer.isVisible, opacity: layer.opacity,
                    specification: layer.specification)
                kept.minimumResolution = layer.minimumResolution
                kept.maximumResolution = layer.maximumResolution
                kept.group = layer.group
                return kept
            },
            selected: selection.map { MapDocument.Selection(layer: $0.layer, feature: $0.feature) },
            history: controls.history.views, historyPosition: controls.history.position)
    }

    /// Restores a saved state.
    ///
    /// Layers with the same names get their saved visibility, opacity, scales, group and order. Missing layers with a
    /// specification are recreated, and their services are contacted concurrently. The picture keeps its size. Layers
    /// that are not in the state remain, above the others.
    ///
    /// - Returns: warnings about everything that could not be restored.
    @discardableResult
    public func restore(_ state: MapState) async -> [MapWarning] {
        var warnings = state.warnings
        warnings += await restoreLayers(state)
        limits = state.limits
        let size = viewport.size, ratio = viewport.pixelRatio
        func resized(_ view: Viewport) -> Viewport? {
            try? Viewport(
                center: view.center, resolution: view.resolution, rotation: view.rotation, size: size,
                pixelRatio: ratio,
                crs: view.crs)
        }
        if let view = resized(state.view), let limited = try? limited(view) { viewport = limited }
        let history = ViewHistory(
            views: state.history.compactMap(resized), position: state.historyPosition, home: resized(state.home))
        if let history { controls.history = history }
        opening = .done
        if let selected = state.selected { warnings += restore(selected) } else { deselect() }
        return warnings
    }

    /// Saves the state to a file, atomically replacing an existing file.
    ///
    /// - Returns: warnings about omitted content, such as passwords in URLs.
    /// - Throws: ``MapError``.
    @discardableResult
    public func saveState(to path: String) throws(MapError) -> [MapWarning] { try state.write(to: path) }

    /// Restores the state in a file.
    ///
    /// If the file does not exist, nothing changes.
    ///
    /// - Returns: warnings about everything that could not be restored.
    /// - Throws: ``MapError`` if the file is damaged or unreadable; the map is then unchanged.
    @discardableResult
    public func restoreState(from path: String) async throws(MapError) -> [MapWarning] {
        let state: MapState
        do { state = try MapState(path: path, kinds: renderer.layerKinds) } catch {
            if error.code == .notFound { return [] }
            throw error
        }
        return await restore(state)
    }

    private func restoreLayers(_ state: MapState) async -> [MapWarning] {
        var warnings: [MapWarning] = [], missing: [LayerSpecification] = []
        for kept in state.layers where layer(named: kept.name) == nil {
            // Layers that an app draws itself have their own content.
            guard let specification = kept.specification else {
                warnings.append(
                    MapWarning(
                        .notRestored, layer: kept.name, effect: .omitted,
                        message: "it was not made from a specification and has not been added"))
                continue
            }
            do { missing.append(try specification.with("name", kept.name)) } catch {
                warnings.append(MapWarning(.notRestored, layer: kept.name, effect: .omitted, message: "\(error)"))
            }
        }
        // An invalid layer does not affect the others.
        let builder = layerBuilder(for: state.view.crs)
        for result in await builder.results(of: missing) {
            switch result {
            case .success(let built):
                warnings += built.documentWarnings
                guard let layer = built.layer else { continue }
                do { try add(layer) } catch {
                    warnings.append(MapWarning(.notRestored, layer: layer.name, effect: .omitted, message: "\(error)"))
                }
            case .failure(let error): warnings.append(MapWarning(.notRestored, effect: .omitted, message: "\(error)"))
            }
        }
        var rest = layers, ordered: [MapLayer] = []
        for kept in state.layers {
            guard let place = rest.firstIndex(where: { $0.name == kept.name }) else { continue }
            var layer = rest.remove(at: place)
            layer.isVisible = kept.isVisible
            layer.opacity = kept.opacity
            layer.minimumResolution = kept.minimumResolution
            layer.maximumResolution = kept.maximumResolution
            layer.group = kept.group
            ordered.append(layer)
        }
        let all = ordered + rest
        layers = all.filter { $0.name != Self.vectorLayerName } + all.filter { $0.name == Self.vectorLayerName }
        return warnings
    }

    private func restore(_ selected: MapDocument.Selection) -> [MapWarning] {
        let feature = featureLayers.first { $0.layer == selected.layer }?.features
            .first { $0.isIdentified(by: selected.feature) }
        guard let feature else {
            return [
                MapWarning(
                    .notRestored, layer: selected.layer, effect: .omitted,
                    message: "the selected feature '\(selected.feature)' does not exist")
            ]
        }
        select(feature, in: selected.layer)
        return []
    }
}

extension LayerBuilder.Built {
    /// The warnings about the layer and its service.
    fileprivate var documentWarnings: [MapWarning] {
        let lost = failure.map {
            MapWarning(.service, layer: name, effect: .omitted, message: "no data received: \($0)")
        }
        return warnings + [lost].compactMap(\.self)
    }
}

extension ServiceClient {
    /// Returns the map document or OWS Context at a URL.
    ///
    /// It has only the access rights of its server.
    ///
    /// - Throws: ``MapError``.
    public func mapDocument(from url: String) async throws(MapError) -> MapDocument {
        let bytes: [UInt8], base: BaseURL
        do { (bytes, base) = try await content(at: url) } catch { throw MapError(error) }
        return try MapDocument(bytes: bytes, base: base, kinds: configuration.layerKinds)
    }
}
