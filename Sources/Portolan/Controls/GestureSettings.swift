/// Which gestures a ``GestureMachine`` knows, and from where on it takes a movement for one of them.
///
/// Distances are view pixels. Numbers that make no sense, such as a level of no length, make the gesture do nothing.
public struct GestureSettings: Hashable, Sendable {
    /// The gestures that can be switched on and off.
    public enum Gesture: Hashable, Sendable, CaseIterable {
        /// A drag moves the map.
        case pan
        /// After a drag that ends in motion the map moves on.
        case inertia
        /// Two fingers zoom.
        case pinch
        /// Two fingers turn the map.
        case rotate
        /// A double tap or double click zooms in, with Shift out.
        case doubleTap
        /// A tap with two fingers zooms out.
        case twoFingerTap
        /// A finger that is dragged up or down right after a tap zooms.
        case tapDrag
        /// The wheel zooms.
        case wheel
        /// A drag with Shift draws a box, which the map then shows.
        case boxZoom
        /// Keys move the map.
        case keyboard
        /// Taps are told.
        case tap
        /// Long presses are told.
        case longPress
    }

    /// How two fingers zoom.
    public enum Pinch: Hashable, Sendable {
        /// The picture stays under the fingers.
        case continuous
        /// The picture is stretched under the fingers, `liveScale` times as many levels as the fingers tell; when they
        /// are lifted it goes by whole levels. How far the distance of the fingers has changed decides: less than
        /// `tolerance` none, up to `first` one, up to `last` two, and three beyond.
        case stepped(tolerance: Double = 20, first: Double = 80, last: Double = 160, liveScale: Double = 1)
    }

    /// The gestures that are known.
    public var enabled = Set(Gesture.allCases)
    /// Whether one finger and the plain wheel are left to the page around the map: two fingers move the map, and the wheel
    /// zooms with Control or Command.
    public var isCooperative = false
    /// Whether a tap is told only when no second one can follow, ``GestureSettings/doubleTapInterval`` later.
    public var tapsAreExclusive = false

    /// How far a mouse moves before it drags.
    public var mouseDragDistance = 3.0
    /// How far a finger or a pen moves before it drags.
    public var touchDragDistance = 8.0

    /// The levels of a double tap.
    public var doubleTapLevels = 1.0
    /// A second tap begins sooner than this after the end of the first.
    public var doubleTapInterval = Duration.milliseconds(300)
    /// How far the second tap may be from the first.
    public var doubleTapDistance = 30.0
    /// The levels that a tap with two fingers zooms out.
    public var twoFingerTapLevels = 1.0
    /// How long a tap with two fingers may take.
    public var twoFingerTapDuration = Duration.milliseconds(500)
    /// How far a finger is dragged after a tap for a level; downward zooms in.
    public var tapDragDistancePerLevel = 128.0
    /// How long a place is pressed for a long press.
    public var longPressDelay = Duration.milliseconds(600)
    /// How far a long press may move; where a drag begins sooner, that ends it.
    public var longPressDistance = 15.0

    /// How two fingers zoom.
    public var pinch = Pinch.continuous
    /// The levels that two fingers must tell before they zoom, which are then left out.
    public var pinchThreshold = 0.1
    /// How far two fingers must move on the circle between them before they turn the map; the angle is then left out.
    public var rotationThreshold = 25.0

    /// The pixels of a wheel for a level.
    public var wheelDistancePerLevel = 300.0
    /// The pixels of a line of a wheel.
    public var wheelLine = 40.0
    /// The pixels of a page of a wheel.
    public var wheelPage = 300.0
    /// How long a turn of the wheel moves the map.
    public var wheelDuration = Duration.milliseconds(200)
    /// The first step of a trackpad is finer than this; a wheel's is not.
    public var trackpadStep = 4.0
    /// The pause after which a trackpad and a wheel are told apart anew.
    public var trackpadPause = Duration.milliseconds(400)
    /// How much more a pinch on a trackpad zooms than two fingers that move over it.
    public var trackpadPinchFactor = 3.0

    /// The least diagonal of a box.
    public var boxDiagonal = 8.0

    /// How far an arrow key moves the map; with Shift three times as far.
    public var keyPanDistance = 100.0
    /// The levels of the keys for zooming.
    public var keyLevels = 1.0
    /// The degrees of the keys for turning.
    public var keyDegrees = 15.0

    /// How long taps, keys and what follows a gesture move the map.
    public var duration = Duration.milliseconds(250)

    /// The time at the end of a drag that its velocity is measured over.
    public var velocityWindow = Duration.milliseconds(100)
    /// How the map moves on after a drag.
    public var fling = Fling()

    /// How the map moves on after a drag: ever slower, by half every 139 ms.
    public struct Fling: Hashable, Sendable {
        /// The time in which the velocity falls to 1/e.
        public var timeConstant = Duration.milliseconds(200)
        /// The highest velocity, in pixels a second.
        public var maximumSpeed = 3000.0
        /// The velocity at which the map rests, in pixels a second.
        public var restSpeed = 50.0

        /// Makes the standard fling.
        public init() {}
    }

    /// Makes the standard settings.
    public init() {}
}
