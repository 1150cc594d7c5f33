#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
import PortolanCodecs
import PortolanPlan
import PortolanRaster

/// An AppKit view that shows the frames of a map and forwards mouse, trackpad and wheel events.
///
/// It has not been compiled by the project, which is built and tested on Linux.
@MainActor
public final class MapView: NSView {
    /// The map.
    public let map: MapFacade
    /// Called with the gesture actions for the app: taps, long presses, boxes.
    public var onAction: ((GestureMachine.Action) -> Void)?

    private let clock = FrameClock.system
    private var frames: Task<Void, Never>?

    /// Creates a view of a map.
    public init(_ map: MapFacade) {
        self.map = map
        super.init(frame: .zero)
        wantsLayer = true
        map.controls.reducesMotion = NSWorkspace.shared.accessibilityDisplayShouldReduceMotion
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    /// Whether rows count from the top, as on the map.
    public override var isFlipped: Bool { true }

    /// Starts the frames when the view is in a window, and stops them otherwise.
    public override func viewDidMoveToWindow() {
        super.viewDidMoveToWindow()
        frames?.cancel()
        guard window != nil else { return }
        frames = Task { [weak self, map, clock] in
            for await frame in map.frames(clock: clock) { self?.layer?.contents = frame.image.cgImage }
        }
    }

    /// Sets the map to the size of the view.
    public override func layout() {
        super.layout()
        guard let size = ImageSize(width: Int(bounds.width), height: Int(bounds.height)) else { return }
        try? map.resize(to: size)
    }

    public override func mouseDown(with event: NSEvent) { handle(event, .down) }
    public override func mouseDragged(with event: NSEvent) { handle(event, .move) }
    public override func mouseUp(with event: NSEvent) { handle(event, .up) }

    public override func scrollWheel(with event: NSEvent) {
        let unit: InputEvent.Wheel.Unit = event.hasPreciseScrollingDeltas ? .pixels : .lines
        let wheel = InputEvent.Wheel(delta: -Double(event.scrollingDeltaY), unit: unit, place: place(of: event))
        handle(.wheel(wheel))
    }

    private func handle(_ event: NSEvent, _ phase: InputEvent.Phase) {
        handle(.pointer(phase, InputEvent.Pointer(place: place(of: event))))
    }

    private func handle(_ input: InputEvent.Input) {
        for action in map.handle(InputEvent(input, at: clock.now())) { onAction?(action) }
    }

    private func place(of event: NSEvent) -> Point {
        let place = convert(event.locationInWindow, from: nil)
        return Point(x: place.x, y: place.y)
    }
}
#endif
