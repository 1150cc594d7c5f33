public import PortolanFeatures
import PortolanGeo
import PortolanPlan
public import PortolanRaster

extension MapFacade {
    /// The feature that is shown as selected, or `nil` when none is.
    public var selectedFeature: Feature? {
        guard let selection, let layer = layer(named: selection.layer), layer.isVisible else { return nil }
        return layer.feature(selection.feature)
    }

    /// Selects the feature with an identifier and returns it.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName``.
    @discardableResult
    public func selectFeature(id: FeatureID) throws(MapError) -> Feature {
        guard let (layer, feature) = find(id) else { throw .noSuchFeature(id.description) }
        select(feature, in: layer)
        return feature
    }

    /// Selects the navigable point of interest after the selected one, the first one after the last; `nil` when there
    /// is none.
    @discardableResult
    public func selectNext() -> Feature? { step(by: 1) }

    /// Selects the navigable point of interest before the selected one, the last one before the first; `nil` when
    /// there is none.
    @discardableResult
    public func selectPrevious() -> Feature? { step(by: -1) }

    /// The places that ``MapFacade/selectNext()`` steps through, in its order.
    package var stops: [Feature] { featureLayers.flatMap(\.features.stops) }

    /// Flies to the selected feature where its middle is not seen, or nearer to the border than `margin` view pixels.
    ///
    /// - Parameter time: the time now, on the clock of the events.
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

    /// Selects nothing.
    public func deselect() {
        guard selection != nil else { return }
        selection = nil
        broadcast(.selectionChanged(nil))
    }

    /// Finds the topmost feature at a view pixel, tells listeners that it was touched, and selects it when it is
    /// selectable.
    ///
    /// - Parameters:
    ///   - tolerance: how far beside a feature a touch may be, in view pixels.
    /// - Returns: the feature, or `nil` when there is none there; the selection then stays.
    /// - Complexity: O(coordinates of the features in view).
    @discardableResult
    public func touch(at pixel: Point, tolerance: Double = 12) -> Feature? {
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
    /// The topmost feature within `tolerance` view pixels of a place: marks before lines, lines before areas.
    ///
    /// What is looked at is what a picture of the view would show: nothing hidden, each copy of the world, marks as large
    /// as they are drawn.
    func feature(at pixel: Point, tolerance: Double) -> (layer: String, feature: Feature)? {
        let finder = FeatureFinder(viewport: viewport, pixel: pixel, tolerance: tolerance, symbols: shownSymbols)
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
    /// The feature with an identifier that the layer draws; of a live layer at its true place.
    func feature(_ id: FeatureID) -> Feature? {
        live.map { $0.object(id)?.feature }
            ?? featureSources.lazy.compactMap { $0.features.first { $0.isIdentified(by: id) } }.first
    }

    /// The system of the layer's features, or `nil` when it draws none.
    var featureCRS: CRS? { live == nil ? featureSources.first?.crs : .crs84 }

    /// The layer with a feature shown as selected, or with none.
    func selecting(_ id: FeatureID?) -> MapLayer {
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
    /// What the layers of the map have at a view pixel, the topmost layer first: features drawn here, and what services
    /// answer.
    ///
    /// Of what a style draws texts and icons are found where the last picture of this view showed them.
    ///
    /// Nothing is selected and no listener told; see ``MapFacade/touch(at:tolerance:)`` for that.
    ///
    /// - Returns: what ``MapRenderer/identify(_:in:at:options:)`` does.
    public func identify(at pixel: Point, options: IdentifyOptions = IdentifyOptions()) async -> [LayerIdentification] {
        await renderer.identify(layers, in: viewport, at: pixel, options: options, symbols: shownSymbols)
    }
}
