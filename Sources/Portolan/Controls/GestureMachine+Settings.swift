extension GestureMachine {
    /// The enabled gestures and the thresholds of a ``GestureMachine``.
    ///
    /// Distances are view pixels. Invalid numbers, such as zero pixels per level, disable the effect of the gesture.
    public struct Settings: Hashable, Sendable {
        /// The gestures that can be enabled.
        public enum Gesture: Hashable, Sendable, CaseIterable {
            /// A drag moves the map.
            case pan
            /// The map continues to move after a drag that ends in motion.
            case inertia
            /// Two fingers zoom.
            case pinch
            /// Two fingers rotate the map.
            case rotate
            /// A double tap or double click zooms in; with Shift it zooms out.
            case doubleTap
            /// A tap with two fingers zooms out.
            case twoFingerTap
            /// A vertical drag directly after a tap zooms.
            case tapDrag
            /// The wheel zooms.
            case wheel
            /// A drag with Shift draws a box, which the map then shows.
            case boxZoom
            /// Keys move the map.
            case keyboard
            /// Taps are reported.
            case tap
            /// Long presses are reported.
            case longPress
        }

        /// The zoom mode of two fingers.
        public enum Pinch: Hashable, Sendable {
            /// The picture stays under the fingers.
            case continuous
            /// The picture is stretched by `liveScale` times the pinched levels, and changes by whole levels at release.
            ///
            /// The change of the distance between the fingers decides: less than `tolerance` zooms by no level, up to
            /// `first` by one, up to `last` by two, and beyond that by three.
            case stepped(tolerance: Double = 20, first: Double = 80, last: Double = 160, liveScale: Double = 1)
        }

        /// The enabled gestures.
        public var enabled = Set(Gesture.allCases)
        /// Whether one finger and the plain wheel are left to the surrounding page.
        ///
        /// Two fingers then move the map, and the wheel zooms with Control or Command.
        public var isCooperative = false
        /// Whether a tap is reported only after ``GestureMachine/Settings/doubleTapInterval``, when no second tap can follow.
        public var tapsAreExclusive = false

        /// The distance a mouse must move to start a drag.
        public var mouseDragDistance = 3.0
        /// The distance a finger or pen must move to start a drag.
        public var touchDragDistance = 8.0

        /// The zoom levels of a double tap.
        public var doubleTapLevels = 1.0
        /// The maximum time between the end of the first tap and the start of the second.
        public var doubleTapInterval = Duration.milliseconds(300)
        /// The maximum distance between the two taps.
        public var doubleTapDistance = 30.0
        /// The levels by which a tap with two fingers zooms out.
        public var twoFingerTapLevels = 1.0
        /// The maximum duration of a tap with two fingers.
        public var twoFingerTapDuration = Duration.milliseconds(500)
        /// The drag distance per level after a tap; downward zooms in.
        public var tapDragDistancePerLevel = 128.0
        /// The minimum duration of a long press.
        public var longPressDelay = Duration.milliseconds(600)
        /// The maximum movement of a long press; an earlier drag cancels it.
        public var longPressDistance = 15.0

        /// The zoom mode of two fingers.
        public var pinch = Pinch.continuous
        /// The zoom threshold of two fingers in levels, which is subtracted from the zoom.
        public var pinchThreshold = 0.1
        /// The rotation threshold of two fingers, as an arc length on the circle between them.
        ///
        /// The angle is subtracted from the rotation.
        public var rotationThreshold = 25.0

        /// The wheel distance per level in pixels.
        public var wheelDistancePerLevel = 300.0
        /// The pixels per line of wheel movement.
        public var wheelLine = 40.0
        /// The pixels per page of wheel movement.
        public var wheelPage = 300.0
        /// The duration of the zoom animation of the wheel.
        public var wheelDuration = Duration.milliseconds(200)
        /// The upper limit of a trackpad's first step; the steps of a wheel are larger.
        public var trackpadStep = 4.0
        /// The pause after which trackpad and wheel are distinguished again.
        public var trackpadPause = Duration.milliseconds(400)
        /// The zoom factor of a trackpad pinch relative to a two-finger scroll.
        public var trackpadPinchFactor = 3.0

        /// The minimum diagonal of a box.
        public var boxDiagonal = 8.0

        /// The distance of an arrow key; three times as much with Shift.
        public var keyPanDistance = 100.0
        /// The levels of the zoom keys.
        public var keyLevels = 1.0
        /// The degrees of the rotation keys.
        public var keyDegrees = 15.0

        /// The duration of animations of taps, keys and the end of a gesture.
        public var duration = Duration.milliseconds(250)

        /// The time window at the end of a drag in which its velocity is measured.
        public var velocityWindow = Duration.milliseconds(100)
        /// The motion of the map after a drag.
        public var fling = Fling()

        /// The motion of the map after a drag; the speed halves every 139 ms.
        public struct Fling: Hashable, Sendable {
            /// The time in which the velocity falls to 1/e.
            public var timeConstant = Duration.milliseconds(200)
            /// The maximum speed in pixels per second.
            public var maximumSpeed = 3000.0
            /// The speed at which the map stops, in pixels per second.
            public var restSpeed = 50.0

            /// Creates the standard fling.
            public init() {}
        }

        /// Creates the standard settings.
        public init() {}
    }
}
