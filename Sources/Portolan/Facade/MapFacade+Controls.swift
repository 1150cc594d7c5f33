import PortolanFeatures
public import PortolanGeo
import PortolanPlan
import PortolanRaster

extension MapFacade {
    /// Handles an input event: moves the map, and selects tapped features.
    ///
    /// ```swift
    /// let tap = InputEvent.Pointer(place: Point(x: 512, y: 384))
    /// map.handle(InputEvent(.pointer(.down, tap), at: .zero))
    /// map.handle(InputEvent(.pointer(.up, tap), at: .milliseconds(80)))
    /// ```
    ///
    /// The app forwards the events of its UI toolkit, and draws the map when the view has changed. A tap selects a
    /// feature as in ``MapFacade/touch(_:tolerance:)``, and keys step to the next and previous feature, unless
    /// ``MapFacade/isSelecting`` is `false`. A tap outside a live object clears its selection and stops following it;
    /// the selection of a static feature remains.
    ///
    /// - Returns: actions for the app: taps, long presses, the box that is being drawn, and the times at which to send
    ///   a tick.
    @discardableResult
    public func handle(_ event: InputEvent) -> [GestureMachine.Action] {
        nextTick = nil
        if event.input != .tick { opening = .done }
        var actions = controls.handle(event)
        showControls(at: event.time, wakes: event.input != .tick)
        let moves = controls.moves
        if moves.contains(.elsewhere) { stopFollowingObject() }
        if position.phase != .off {
            if moves.contains(.elsewhere) { _ = perform(.panned, at: event.time) }
            if moves.contains(.turned) { _ = perform(.turned, at: event.time) }
            for case .wake(let time) in perform(.tick, at: event.time) { actions.append(.wake(at: time)) }
        }
        for case .wake(let time) in actions { nextTick = min(nextTick ?? time, time) }
        guard isSelecting else { return actions }
        for action in actions {
            switch action {
            case .tap(let pixel): tap(at: pixel)
            case .command(.selectNext): selectNext()
            case .command(.selectPrevious): selectPrevious()
            default: break
            }
        }
        return actions
    }

    /// Selects the tapped feature.
    ///
    /// A tap elsewhere clears the selection of a live object and stops following it.
    private func tap(at pixel: Point) {
        let touched = touch(pixel)
        if let followed = live.followed, touched?.identifier != followed.feature { stopFollowingObject() }
        if touched == nil, selectedObject != nil { deselect() }
    }

    /// Advances an animated view to a time, before each frame.
    ///
    /// Returns whether the animation continues.
    @discardableResult
    public func advance(to time: Duration) -> Bool {
        controls.advance(to: time)
        showControls(at: time, wakes: false)
        return controls.isMoving(at: time) || isLiveMoving(at: time)
    }

    /// Flies to a longitude and latitude in degrees, at a zoom level or the current one; see
    /// ``MapFacade/advance(to:)``.
    ///
    /// - Parameter time: the current time on the clock of the events.
    /// - Throws: ``MapError``, for example with the code ``MapError/Code/outsideMap``.
    public func fly(to place: Coordinate, zoom: Double? = nil, at time: Duration) throws(MapError) {
        let view = try view(centeredOn: place, zoom: zoom)
        opening = .done
        _ = perform(.panned, at: time)
        controls.fly(to: view, at: time)
        showControls(at: time)
    }

    /// Flies to the previous view of the history.
    ///
    /// Returns `false` if none exists.
    @discardableResult
    public func goBack(at time: Duration) -> Bool {
        _ = perform(.panned, at: time)
        defer { showControls(at: time) }
        return controls.goBack(at: time)
    }

    /// Flies to the next view of the history.
    ///
    /// Returns `false` if none exists.
    @discardableResult
    public func goForward(at time: Duration) -> Bool {
        _ = perform(.panned, at: time)
        defer { showControls(at: time) }
        return controls.goForward(at: time)
    }

    /// Flies to the home view: the first view of the map, unless `controls.history.home` was set.
    public func goHome(at time: Duration) {
        _ = perform(.panned, at: time)
        controls.goHome(at: time)
        showControls(at: time)
    }

    /// Turns the map north up.
    public func turnNorthUp(at time: Duration) {
        _ = perform(.turned, at: time)
        controls.turnNorthUp(at: time)
        showControls(at: time)
    }

    /// The compass for the current rotation.
    public var compass: Compass? { Compass(bearing: viewport.rotation) }

    /// Shows the view of the controls at a time.
    ///
    /// A view that is animated or moved by hand is aligned to whole picture pixels relative to the previous one, so
    /// that only the newly visible part is rendered. A programmatic view is shown exactly.
    ///
    /// - Parameter wakes: whether an animation may begin outside of the frames.
    func showControls(at time: Duration, wakes: Bool = true) {
        let exact = controls.view(at: time), isResting = !controls.isHeld && !controls.isMoving(at: time)
        isMovedByControls = true
        viewport = isResting && !controls.wasLetGo ? exact : exact.aligned(with: viewport)
        isMovedByControls = false
        if isResting, viewport != exact { controls.jump(to: viewport) }
        showLive(at: time)
        if wakes { changes.wake() }
    }
}
