public import Foundation
public import PortolanFeatures
import PortolanGeo
import PortolanPlan

/// When live layers are drawn, and what is followed of them.
struct LiveState {
    /// When the clock of the events stood at zero.
    var clockStart = Date(timeIntervalSince1970: 0)
    /// The last time that was told.
    var time = Duration.zero
    /// The object that the map follows.
    var followed: MapFacade.Selection?
}

extension MapFacade {
    /// When the clock of the events stood at zero: so the times of events are those of fixes, too.
    ///
    /// 1970 unless told, for clocks that count from there.
    public var clockStart: Date {
        get { live.clockStart }
        set { live.clockStart = newValue }
    }

    /// Puts objects that move on top of the other layers, but under the vector layer.
    ///
    /// They are drawn for the time last told by an event, an update or ``MapFacade/advance(to:)``.
    ///
    /// - Throws: as ``MapFacade/add(_:at:replacing:)`` does.
    @discardableResult
    public func add(
        _ layer: LiveLayer, named name: String, at place: LayerPlace = .top
    ) throws(MapError) -> AddedLayer {
        try add(MapLayer(name: name, source: layer), at: place)
    }

    /// Takes a batch of updates of a live layer, all of which the next picture shows.
    ///
    /// A selected object stays so, and is deselected when it goes; so is one that is followed.
    ///
    /// - Parameter time: the time now, on the clock of the events.
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName`` when there is no live layer of that name.
    @discardableResult
    public func updateLive(
        named name: String, _ updates: [LiveUpdate], at time: Duration
    ) throws(MapError) -> LiveOutcome {
        let date = date(at: time)
        let outcome = try changeQuietly(named: name) { $0.apply(updates, at: date) }
        showLive(at: time)
        return outcome
    }

    /// Changes a live layer in place: its style, settings, filter and lines.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName`` when there is no live layer of that name.
    public func changeLive<Result>(
        named name: String, _ change: (inout LiveLayer) -> Result
    ) throws(MapError) -> Result {
        defer { changes.note() }
        return try changeQuietly(named: name, change)
    }

    /// Changes a live layer in place; who draws the map is woken only if it is then seen differently.
    private func changeQuietly<Result>(
        named name: String, _ change: (inout LiveLayer) -> Result
    ) throws(MapError) -> Result {
        guard let place = layers.firstIndex(where: { $0.name == name }), var live = layers[place].live else {
            throw .noSuchLayer(name)
        }
        let before = live.contentID
        notesLayers = false
        defer { notesLayers = true }
        // Let go of the old content first: the objects are then changed where they are, and not copied.
        layers[place].source = FeatureSource(features: [])
        defer {
            layers[place].source = live
            if live.contentID != before { changes.note() }
        }
        return change(&live)
    }

    /// The selected object with its true fix, or `nil` when none is, or another feature.
    public var selectedObject: LiveObject? {
        selection.flatMap { layer(named: $0.layer)?.live?.object($0.feature) }
    }

    // MARK: - Following

    /// The object that the map follows, or `nil` when it follows none.
    public var followedObject: FeatureID? { live.followed?.feature }

    /// Keeps an object of a live layer in the middle from now on, until the map is panned or something else is followed.
    ///
    /// It moves there first; then it goes with the object, in each picture that ``MapFacade/advance(to:)`` is called for.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName``.
    public func follow(object id: FeatureID, at time: Duration) throws(MapError) {
        guard let layer = layers.last(where: { $0.isVisible && $0.live?.object(id) != nil }) else {
            throw .noSuchFeature(id.description)
        }
        _ = perform(.follow(.none), at: time)
        follow(Selection(layer: layer.name, feature: id))
        showLive(at: time)
    }

    /// Follows no object any more; the map stays where it is.
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

    /// Whether something that moves is seen differently a little later.
    public func isLiveMoving(at time: Duration) -> Bool {
        let date = date(at: time)
        return layers.contains { $0.isDrawn(at: viewport.resolution) && $0.live?.isMoving(at: date) == true }
    }

    /// When the picture changes next without an event or an update: at once while something moves, else when an object fades
    /// or goes; `nil` when nothing will.
    ///
    /// - Complexity: O(objects).
    public func nextLiveChange(after time: Duration) -> Duration? {
        let date = date(at: time)
        let changes = layers.compactMap { layer in
            layer.isDrawn(at: viewport.resolution) ? layer.live?.nextChange(after: date) : nil
        }
        return changes.min().map { $0 == date ? time : .seconds($0.timeIntervalSince(clockStart)) }
    }

    package func date(at time: Duration) -> Date { clockStart.addingTimeInterval(time.inSeconds) }

    /// Draws live layers for a time from now on, and goes with what is followed.
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

    /// Moves the map to where the followed object is, unless a hand or a motion moves it.
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
        // To where the object will be by then.
        let there = view(of: followed, in: layer, at: time + controls.gestures.settings.duration) ?? here
        controls.ease(to: there, at: time)
    }

    /// The present view with an object in the middle.
    private func view(of object: Selection, in layer: LiveLayer, at time: Duration) -> Viewport? {
        guard let place = layer.place(of: object.feature, at: date(at: time)),
            let center = (try? CoordinateTransform(from: .crs84, to: viewport.crs))?(place),
            let view = try? viewport.with(center: center)
        else { return nil }
        return try? limited(view)
    }
}
