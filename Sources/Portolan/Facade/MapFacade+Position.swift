package import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

extension MapFacade {
    /// The name of the layer with the position, above all others.
    public static let positionLayerName = "position"

    /// Shows the user's position on the map and follows it.
    ///
    /// ```swift
    /// map.startPosition(at: .zero)
    /// let fix = PositionFix(place: Coordinate(x: -0.88, y: 41.65), time: Date())
    /// map.handle(.fix(fix), at: .seconds(1))
    /// ```
    ///
    /// The app reads a ``PositionSource`` and passes its updates to ``MapFacade/handle(_:at:)``. The position is drawn
    /// in the next picture, above all layers. It cannot be selected.
    ///
    /// - Parameter time: the current time on the clock of the events.
    /// - Returns: the resulting actions: changes, failures, and the times at which to send a tick. Listeners receive
    ///   changes and failures as well (``MapFacade/Event/position(_:)``). The other methods for positions return the same.
    @discardableResult
    public func startPosition(
        following follow: PositionControl.Follow = .follow, at time: Duration
    ) -> [PositionControl.Action] { perform(.start(follow), at: time) }

    /// Removes the position from the map.
    @discardableResult
    public func stopPosition(at time: Duration) -> [PositionControl.Action] { perform(.stop, at: time) }

    /// Changes how the map follows the position, or stops following.
    @discardableResult
    public func follow(_ follow: PositionControl.Follow, at time: Duration) -> [PositionControl.Action] {
        perform(.follow(follow), at: time)
    }

    /// Handles an update of a position source.
    @discardableResult
    public func handle(_ update: PositionUpdate, at time: Duration) -> [PositionControl.Action] {
        perform(.update(update), at: time)
    }

    /// The distance and bearing from the position to the selected feature, or `nil` if either is missing.
    ///
    /// For lines and areas, the centre of their bounding box is used.
    public var wayToSelectedFeature: RangeAndBearing? {
        guard let fix = position.fix, let selection, let feature = selectedFeature,
            let crs = layer(named: selection.layer)?.featureCRS, let box = feature.geometry?.boundingBox,
            let place = (try? CoordinateTransform(from: crs, to: .crs84))?(box.center)
        else { return nil }
        return RangeAndBearing(from: fix.place, to: place)
    }

    /// The geometry of the selected feature in degrees, or `nil` if none exists.
    package var selectedGeometry: Geometry? {
        guard let geometry = selectedFeature?.geometry, let selection,
            let crs = layer(named: selection.layer)?.featureCRS,
            let toDegrees = try? CoordinateTransform(from: crs, to: .crs84)
        else { return nil }
        return geometry.mapCoordinates { toDegrees($0) ?? Coordinate(x: .nan, y: .nan) }
    }

    /// Passes an event to the position's state machine and performs its actions.
    func perform(_ event: PositionControl.Event, at time: Duration) -> [PositionControl.Action] {
        let actions = position.handle(event, at: time)
        // Only one object is followed at a time, and a manual move of the map ends following.
        if event == .panned || position.follow != .none { stopFollowingObject() }
        for action in actions {
            switch action {
            case .wake(let time): nextTick = min(nextTick ?? time, time)
            case .show(let place, let bearing, let height): show(place, bearing: bearing, height: height, at: time)
            default: broadcast(.position(action))
            }
        }
        controls.isFollowing = isFollowing
        return actions
    }

    /// Centres the map on a coordinate, or shows it lower in the picture, unless the map is held.
    private func show(_ place: Coordinate, bearing: Double?, height: Double, at time: Duration) {
        guard !controls.isHeld, let transform = try? CoordinateTransform(from: .crs84, to: viewport.crs),
            let center = transform(place),
            let turned = try? controls.destination.with(center: center, rotation: bearing),
            let placed = try? turned.panned(x: 0, y: (height - 0.5) * Double(turned.size.height)),
            let view = try? limited(placed)
        else { return }
        controls.ease(to: view, at: time)
        showControls(at: time)
    }

    /// The position as a layer, or `nil` if none exists.
    var positionLayer: MapLayer? {
        guard let fix = position.fix else { return nil }
        let mark = PositionMark(
            fix: fix, style: positionStyle, isStale: position.phase != .live, resolution: viewport.resolution,
            crs: viewport.crs)
        // An unchanged source allows the reuse of its rendered content.
        let source = drawnPosition.flatMap { $0.mark == mark ? $0.source : nil } ?? mark.makeSource()
        drawnPosition = (mark, source)
        return MapLayer(name: Self.positionLayerName, source: source)
    }
}
