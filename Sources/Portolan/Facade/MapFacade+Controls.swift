import PortolanFeatures
public import PortolanGeo
import PortolanPlan
import PortolanRaster

extension MapFacade {
    /// Moves the map as an event asks, and selects what is tapped.
    ///
    /// The app forwards what its toolkit reports and draws the map when the view has changed. A tap selects a feature as
    /// ``MapFacade/touch(at:tolerance:)`` does, and keys step to the next and the previous place, unless
    /// ``MapFacade/isSelecting`` is off. A tap beside a live object that is selected or followed ends both; a place of a route stays
    /// selected.
    ///
    /// - Returns: what happened that the app may answer: taps, long presses, a box that is being drawn, and times at which it
    ///   is to send a tick.
    @discardableResult
    public func handle(_ event: InputEvent) -> [GestureAction] {
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

    /// Selects what is tapped; a tap elsewhere ends what a live object was tapped for, as its callout and following it.
    private func tap(at pixel: Point) {
        let touched = touch(at: pixel)
        if let followed = live.followed, touched?.identifier != followed.feature { stopFollowingObject() }
        if touched == nil, selectedObject != nil { deselect() }
    }

    /// Moves an animated view on to a time, as before each frame, and tells whether there is more to come.
    @discardableResult
    public func advance(to time: Duration) -> Bool {
        controls.advance(to: time)
        showControls(at: time, wakes: false)
        return controls.isMoving(at: time) || isLiveMoving(at: time)
    }

    /// Flies to a place given by longitude and latitude in degrees, at a zoom level or the present one; see
    /// ``MapFacade/advance(to:)``.
    ///
    /// - Parameter time: the time now, on the clock of the events.
    /// - Throws: ``MapError``, as with the code ``MapError/Code/outsideMap``.
    public func fly(to place: Coordinate, zoom: Double? = nil, at time: Duration) throws(MapError) {
        let view = try view(centeredOn: place, zoom: zoom)
        opening = .done
        _ = perform(.panned, at: time)
        controls.fly(to: view, at: time)
        showControls(at: time)
    }

    /// Goes back to the view before this one; `false` when there is none.
    @discardableResult
    public func goBack(at time: Duration) -> Bool {
        _ = perform(.panned, at: time)
        defer { showControls(at: time) }
        return controls.goBack(at: time)
    }

    /// Goes forward to the view that was gone back from; `false` when there is none.
    @discardableResult
    public func goForward(at time: Duration) -> Bool {
        _ = perform(.panned, at: time)
        defer { showControls(at: time) }
        return controls.goForward(at: time)
    }

    /// Goes to the view that is home: the first one that the map was opened with, unless `controls.history.home` was set.
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

    /// The bearing that points up, as a compass shows it.
    public var compass: Compass? { Compass(bearing: viewport.rotation) }

    /// Shows what the controls show at a time.
    ///
    /// What moves, and what a hand has moved, lies whole picture pixels beside what was shown before: what was painted of that
    /// is moved, and only the rest painted. A view that was asked for is shown where it is.
    ///
    /// - Parameter wakes: whether something may begin to move that frames do not know of.
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
