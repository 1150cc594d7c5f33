public import PortolanFeatures
import PortolanGeo
import PortolanPlan
public import PortolanRaster

extension MapFacade {
    /// The selected feature, or `nil` if none exists or its layer is hidden.
    public var selectedFeature: Feature? {
        guard let selection, let layer = layer(named: selection.layer), layer.isVisible else { return nil }
        return layer.feature(selection.feature)
    }

    /// Selects the feature with an identifier and returns it.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName``.
    @discardableResult
    public func selectFeature(id: Feature.ID) throws(MapError) -> Feature {
        guard let (layer, feature) = find(id) else { throw .noSuchFeature(id.description) }
        select(feature, in: layer)
        return feature
    }

    /// Selects the navigable point of interest after the selected one and returns it; the last one is followed by the
    /// first.
    ///
    /// Returns `nil` if none exists.
    @discardableResult
    public func selectNext() -> Feature? { step(by: 1) }

    /// Selects the navigable point of interest before the selected one and returns it; the first one is preceded by the
    /// last.
    ///
    /// Returns `nil` if none exists.
    @discardableResult
    public func selectPrevious() -> Feature? { step(by: -1) }

    /// The points of interest of ``MapFacade/selectNext()``, in its order.
    package var stops: [Feature] { featureLayers.flatMap(\.features.stops) }

    /// Flies to the selected feature if its centre is outside the view, or closer to the edge than `margin` view
    /// pixels.
    ///
    /// - Parameter time: the current time on the clock of the events.
    package func showSelectedFeature(margin: Double, at time: Duration) {
        guard let selection, let crs = layer(named: selection.layer)?.featureCRS,
            let middle = selectedFeature?.geometry?.boundingBox?.center,
            let place = (try? CoordinateTransform(from: crs, to: .crs84))?(middle),
            let wanted = try? view(centeredOn: place, zoom: nil)
        else { return }
        let way = viewport.way(to: wanted.center), size = viewport.size
        let room = (x: Double(size.width) / 2 - margin, y: Double(size.height) / 2 - margin)
        if abs(way.x) > room.x || abs(way.y) > room.y { try? fly(to: place, at: time) }
    }

    /// Clears the selection.
    public func deselect() {
        guard selection != nil else { return }
        selection = nil
        broadcast(.selectionChanged(nil))
    }

    /// Finds the topmost feature at a view pixel, notifies listeners, and selects the feature if it is selectable.
    ///
    /// - Parameters:
    ///   - tolerance: the maximum distance from the feature in view pixels.
    /// - Returns: the feature, or `nil` if none exists; the selection then remains.
    /// - Complexity: O(coordinates of the features in view).
    @discardableResult
    public func touch(_ pixel: Point, tolerance: Double = 12) -> Feature? {
        guard let (layer, feature) = feature(at: pixel, tolerance: tolerance) else { return nil }
        broadcast(.featureTouched(layer: layer, feature: feature))
        if feature.pointOfInterest?.isSelectable ?? true { select(feature, in: layer) }
        return feature
    }

    package func select(_ feature: Feature, in layer: String) {
        guard let id = feature.identifier else { return }
        let wanted = Selection(layer: layer, feature: id)
        guard wanted != selection else { return }
        selection = wanted
        broadcast(.selectionChanged(feature))
    }

    private func step(by direction: Int) -> Feature? {
        let stops = featureLayers.flatMap { layer, features in features.stops.map { (layer: layer, feature: $0) } }
        guard !stops.isEmpty else { return nil }
        let current = stops.firstIndex { stop in
            selection.map { $0.layer == stop.layer && $0.feature == stop.feature.identifier } ?? false
        }
        let start = current ?? (direction > 0 ? -1 : stops.count)
        let next = stops[(start + direction + stops.count) % stops.count]
        select(next.feature, in: next.layer)
        return next.feature
    }
}

extension MapFacade {
    /// Returns the topmost feature within `tolerance` view pixels of a position: markers before lines, lines before
    /// areas.
    ///
    /// The search considers what a picture of the view shows: no hidden features, all copies of the world, and markers
    /// in their drawn size.
    func feature(at pixel: Point, tolerance: Double) -> (layer: String, feature: Feature)? {
        let finder = FeatureFinder(viewport: viewport, pixel: pixel, tolerance: tolerance, symbols: foundSymbols)
        var best: (layer: String, hit: FeatureFinder.Hit)?
        for layer in layers.reversed() where layer.isDrawn(at: viewport.resolution) {
            if let hit = finder.hits(in: layer, limit: 1, below: best?.hit.rank ?? Int.max)?.first {
                best = (layer.name, hit)
            }
        }
        return best.map { ($0.layer, $0.hit.feature) }
    }
}

extension MapLayer {
    /// Returns the feature with an identifier that the layer draws; for a live layer at its actual position.
    func feature(_ id: Feature.ID) -> Feature? {
        live.map { $0.object(id)?.feature }
            ?? featureSources.lazy.compactMap { $0.features.first { $0.isIdentified(by: id) } }.first
    }

    /// The CRS of the layer's features, or `nil` if it draws none.
    var featureCRS: CRS? { live == nil ? featureSources.first?.crs : .crs84 }

    /// Returns the layer with a feature marked as selected, or with none.
    func selecting(_ id: Feature.ID?) -> MapLayer {
        var copy = self
        if var live {
            live.selection = id
            copy.source = live
        } else if var features {
            features.selection = id
            copy.source = features
        } else if var style {
            style.selection = id
            copy.source = style
        }
        return copy
    }
}

extension MapFacade {
    /// Returns what each layer has at a view pixel, the topmost layer first: features, and responses of services.
    ///
    /// ```swift
    /// for found in await map.identify(at: Point(x: 512, y: 384)) {
    ///     print(found.layer, found.features.count)
    /// }
    /// ```
    ///
    /// Labels and icons of style sheets are found at their positions in the last picture of this view.
    ///
    /// The selection does not change and listeners are not notified; see ``MapFacade/touch(_:tolerance:)`` for that.
    ///
    /// - Returns: the same as ``MapRenderer/identify(_:in:pixel:options:)``.
    public func identify(_ pixel: Point, options: IdentifyOptions = IdentifyOptions()) async -> [LayerIdentification] {
        await renderer.identify(layers, in: viewport, pixel: pixel, options: options, symbols: foundSymbols)
    }
}
