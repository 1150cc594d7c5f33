package import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

extension MapFacade {
    /// The name of the layer that the position is drawn in, above all others.
    public static let positionLayerName = "position"

    /// Shows the position on the map from now on, and follows it.
    ///
    /// The app reads a ``PositionSource`` and hands on what it reports; the position is drawn with the next picture, above
    /// all layers, and can be neither selected nor stepped to.
    ///
    /// - Parameter time: the time now, on the clock of the events.
    /// - Returns: what follows, as does what the other methods return: changes, failures, and times at which a tick is wanted.
    ///   Listeners hear of the changes and failures, too (``MapEvent/position(_:)``).
    @discardableResult
    public func startPosition(
        following follow: PositionControl.Follow = .follow, at time: Duration
    ) -> [PositionControl.Action] { perform(.start(follow), at: time) }

    /// Takes the position off the map.
    @discardableResult
    public func stopPosition(at time: Duration) -> [PositionControl.Action] { perform(.stop, at: time) }

    /// Follows the position in another way, or no longer.
    @discardableResult
    public func follow(_ follow: PositionControl.Follow, at time: Duration) -> [PositionControl.Action] {
        perform(.follow(follow), at: time)
    }

    /// Takes what a source of positions reports.
    @discardableResult
    public func handle(_ update: PositionUpdate, at time: Duration) -> [PositionControl.Action] {
        perform(.update(update), at: time)
    }

    /// How far and in which direction the selected feature is from the position; `nil` when one of them is not there.
    ///
    /// Of lines and areas the middle of their box counts.
    public var wayToSelectedFeature: RangeAndBearing? {
        guard let fix = position.fix, let selection, let feature = selectedFeature,
            let crs = layer(named: selection.layer)?.featureCRS, let box = feature.geometry?.boundingBox,
            let place = (try? CoordinateTransform(from: crs, to: .crs84))?(box.center)
        else { return nil }
        return RangeAndBearing(from: fix.place, to: place)
    }

    /// The geometry of the selected feature in degrees; `nil` if nothing is selected that has one.
    package var selectedGeometry: Geometry? {
        guard let geometry = selectedFeature?.geometry, let selection,
            let crs = layer(named: selection.layer)?.featureCRS,
            let toDegrees = try? CoordinateTransform(from: crs, to: .crs84)
        else { return nil }
        return geometry.mapCoordinates { toDegrees($0) ?? Coordinate(x: .nan, y: .nan) }
    }

    /// Lets the position's machine know of something, and does what it asks for.
    func perform(_ event: PositionControl.Event, at time: Duration) -> [PositionControl.Action] {
        let actions = position.handle(event, at: time)
        // One thing is followed at a time, and none once the map is moved by hand.
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

    /// Moves the map so that a place is in the middle, or lower; not while it is held.
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

    /// The position as a layer, or `nil` when there is none.
    var positionLayer: MapLayer? {
        guard let fix = position.fix else { return nil }
        let mark = PositionMark(
            fix: fix, style: positionStyle, isStale: position.phase != .live, resolution: viewport.resolution,
            crs: viewport.crs)
        // The same source as long as it draws the same: what was painted of it is then kept.
        let source = drawnPosition.flatMap { $0.mark == mark ? $0.source : nil } ?? mark.makeSource()
        drawnPosition = (mark, source)
        return MapLayer(name: Self.positionLayerName, source: source)
    }
}
