#if canImport(UIKit) && !os(watchOS)
public import UIKit
import PortolanCodecs
import PortolanPlan
import PortolanRaster

/// A UIKit view that shows the frames of a map and forwards touches.
///
/// It has not been compiled by the project, which is built and tested on Linux.
@MainActor
public final class MapView: UIView {
    /// The map.
    public let map: MapFacade
    /// Called with the gesture actions for the app: taps, long presses, boxes.
    public var onAction: ((GestureMachine.Action) -> Void)?

    private let clock = FrameClock.system
    private var frames: Task<Void, Never>?
    private var numbers: [ObjectIdentifier: Int] = [:]

    /// Creates a view of a map.
    public init(_ map: MapFacade) {
        self.map = map
        super.init(frame: .zero)
        isMultipleTouchEnabled = true
        map.controls.reducesMotion = UIAccessibility.isReduceMotionEnabled
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    /// Starts the frames when the view is in a window, and stops them otherwise.
    public override func didMoveToWindow() {
        super.didMoveToWindow()
        frames?.cancel()
        guard window != nil else { return }
        frames = Task { [weak self, map, clock] in
            for await frame in map.frames(clock: clock) { self?.layer.contents = frame.image.cgImage }
        }
    }

    /// Sets the map to the size of the view.
    public override func layoutSubviews() {
        super.layoutSubviews()
        guard let size = ImageSize(width: Int(bounds.width), height: Int(bounds.height)) else { return }
        try? map.resize(to: size)
    }

    public override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { handle(touches, .down) }
    public override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { handle(touches, .move) }
    public override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { handle(touches, .up) }
    public override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { handle(touches, .cancel) }

    private func handle(_ touches: Set<UITouch>, _ phase: InputEvent.Phase) {
        for touch in touches {
            let number = numbers[ObjectIdentifier(touch)] ?? (numbers.values.max() ?? 0) + 1
            numbers[ObjectIdentifier(touch)] = phase == .down || phase == .move ? number : nil
            let place = touch.location(in: self)
            let pointer = InputEvent.Pointer(id: number, kind: .touch, place: Point(x: place.x, y: place.y))
            for action in map.handle(InputEvent(.pointer(phase, pointer), at: clock.now())) { onAction?(action) }
        }
    }
}
#endif
