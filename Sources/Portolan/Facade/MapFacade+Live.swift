public import Foundation
public import PortolanFeatures
import PortolanGeo
import PortolanPlan

/// The state of live layers: the time for which they are drawn, and the followed object.
struct LiveState {
    /// The date at time zero of the event clock.
    var clockStart = Date(timeIntervalSince1970: 0)
    /// The time of the last event or update.
    var time = Duration.zero
    /// The object that the map follows.
    var followed: MapFacade.Selection?
}

extension MapFacade {
    /// The date at time zero of the event clock, which relates the times of events to those of fixes.
    ///
    /// Default: 1970, for clocks that count from there.
    public var clockStart: Date {
        get { live.clockStart }
        set { live.clockStart = newValue }
    }

    /// Adds a layer of moving objects on top of the other layers, below the vector layer.
    ///
    /// The objects are drawn for the time of the last event, update or ``MapFacade/advance(to:)``.
    ///
    /// - Throws: the errors of ``MapFacade/add(_:position:replacing:)``.
    @discardableResult
    public func add(
        _ layer: LiveLayer, named name: String, position: MapFacade.LayerPosition = .top
    ) throws(MapError) -> AddedLayer {
        try add(MapLayer(name: name, source: layer), position: position)
    }

    /// Applies a batch of updates to a live layer.
    ///
    /// The next picture shows all of them.
    ///
    /// A removed object is deselected and no longer followed.
    ///
    /// - Parameter time: the current time on the clock of the events.
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName`` if there is no live layer with this name.
    @discardableResult
    public func updateLive(
        named name: String, _ updates: [LiveLayer.Update], at time: Duration
    ) throws(MapError) -> LiveLayer.Outcome {
        let date = date(at: time)
        let outcome = try changeQuietly(named: name) { $0.apply(updates, at: date) }
        showLive(at: time)
        return outcome
    }

    /// Changes a live layer in place, for example its style, settings, filter or lines.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName`` if there is no live layer with this name.
    public func changeLive<Result>(
        named name: String, _ change: (inout LiveLayer) -> Result
    ) throws(MapError) -> Result {
        defer { changes.note() }
        return try changeQuietly(named: name, change)
    }

    /// Changes a live layer in place.
    ///
    /// The frame loop is woken only if the visible content changes.
    private func changeQuietly<Result>(
        named name: String, _ change: (inout LiveLayer) -> Result
    ) throws(MapError) -> Result {
        guard let place = layers.firstIndex(where: { $0.name == name }), var live = layers[place].live else {
            throw .noSuchLayer(name)
        }
        let before = live.contentID
        notesLayers = false
        defer { notesLayers = true }
        // Release the old content first, so that the objects are changed in place and not copied.
        layers[place].source = FeatureSource(features: [])
        defer {
            layers[place].source = live
            if live.contentID != before { changes.note() }
        }
        return change(&live)
    }

    /// The selected live object with its actual fix, or `nil` if no live object is selected.
    public var selectedObject: LiveLayer.Object? {
        selection.flatMap { layer(named: $0.layer)?.live?.object($0.feature) }
    }

    // MARK: - Following

    /// The object that the map follows, or `nil`.
    public var followedObject: Feature.ID? { live.followed?.feature }

    /// Keeps an object of a live layer in the centre until the map is panned or another object is followed.
    ///
    /// The map first moves there, and then follows the object in each picture after ``MapFacade/advance(to:)``.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName``.
    public func follow(object id: Feature.ID, at time: Duration) throws(MapError) {
        guard let layer = layers.last(where: { $0.isVisible && $0.live?.object(id) != nil }) else {
            throw .noSuchFeature(id.description)
        }
        _ = perform(.follow(.none), at: time)
        follow(Selection(layer: layer.name, feature: id))
        showLive(at: time)
    }

    /// Stops following an object.
    ///
    /// The map stays at the current view.
    public func stopFollowingObject() { follow(nil) }

    /// Whether the position or an object is followed.
    var isFollowing: Bool { position.follow != .none || live.followed != nil }

    private func follow(_ object: Selection?) {
        guard object != live.followed else { return }
        live.followed = object
        controls.isFollowing = isFollowing
        broadcast(.followedObjectChanged(object?.feature))
    }

    // MARK: - Time

    /// Returns whether the picture of a live layer changes with time.
    public func isLiveMoving(at time: Duration) -> Bool {
        let date = date(at: time)
        return layers.contains { layer in
            // An object that the map follows moves the view, even if the client draws it.
            (!clientContent.layers.contains(layer.name) || live.followed?.layer == layer.name)
                && layer.isDrawn(at: viewport.resolution) && layer.live?.isMoving(at: date) == true
        }
    }

    /// Returns the time of the next change of the picture without an event or update: immediately during motion,
    /// otherwise when an object fades or disappears; `nil` if none exists.
    ///
    /// - Complexity: O(objects).
    public func nextLiveChange(after time: Duration) -> Duration? {
        let date = date(at: time)
        let changes = layers.compactMap { layer in
            layer.isDrawn(at: viewport.resolution) && !clientContent.layers.contains(layer.name)
                ? layer.live?.nextChange(after: date) : nil
        }
        return changes.min().map { $0 == date ? time : .seconds($0.timeIntervalSince(clockStart)) }
    }

    package func date(at time: Duration) -> Date { clockStart.addingTimeInterval(time.inSeconds) }

    /// Sets the time for which live layers are drawn, and follows the followed object.
    func showLive(at time: Duration) {
        live.time = max(live.time, time)
        let date = date(at: live.time)
        for layer in layers where layer.live.map({ $0.time != date }) == true {
            try? changeQuietly(named: layer.name) { $0.show(at: date) }
        }
        if selection != nil, selectedFeature == nil, let name = selection?.layer, layer(named: name)?.live != nil {
            deselect()
        }
        goWithFollowed(at: live.time)
    }

    /// Moves the map to the followed object, unless a gesture or an animation moves it.
    private func goWithFollowed(at time: Duration) {
        guard let followed = live.followed else { return }
        guard let layer = layer(named: followed.layer)?.live, layer.object(followed.feature) != nil else {
            return follow(nil)
        }
        guard !controls.isHeld, !controls.isMoving(at: time), let here = view(of: followed, in: layer, at: time) else {
            return
        }
        let way = viewport.way(to: here.center)
        if Libm.hypotenuse(way.x, way.y) < 16 || controls.reducesMotion {
            viewport = here
            return
        }
        // The destination is the future position at the end of the animation.
        let there = view(of: followed, in: layer, at: time + controls.gestures.settings.duration) ?? here
        controls.ease(to: there, at: time)
    }

    /// Returns the current view centred on an object.
    private func view(of object: Selection, in layer: LiveLayer, at time: Duration) -> Viewport? {
        guard let place = layer.place(of: object.feature, at: date(at: time)),
            let center = (try? CoordinateTransform(from: .crs84, to: viewport.crs))?(place),
            let view = try? viewport.with(center: center)
        else { return nil }
        return try? limited(view)
    }
}
