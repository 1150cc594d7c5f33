public import PortolanRaster

extension GestureMachine {
    /// The effect of a gesture on a map, as recognized by a ``GestureMachine``.
    ///
    /// Lengths are view pixels, x rightward and y downward. Angles are degrees clockwise on the screen. A change with a
    /// positive duration is animated.
    public enum Action: Hashable, Sendable {
        /// The user holds the map and any motion stops.
        ///
        /// ``end(velocity:)`` follows.
        case begin
        /// Moves the picture.
        case pan(x: Double, y: Double, over: Duration = .zero)
        /// Zooms in by levels, each a factor of two, about a position; `nil` for the centre.
        case zoom(levels: Double, about: Point?, over: Duration = .zero)
        /// Rotates the picture clockwise about a position; `nil` for the centre.
        case rotate(degrees: Double, about: Point?, over: Duration = .zero)
        /// The user releases the map, with the velocity of a fling, or `nil` if none exists.
        case end(velocity: Velocity?)
        /// A tap or click at a position.
        case tap(Point)
        /// A double tap at a position.
        ///
        /// A zoom follows if the settings enable it.
        case doubleTap(Point)
        /// A long press, or a click with the secondary button, at a position.
        case longPress(Point)
        /// A box between two corners, which the app draws while it changes.
        case box(Point, Point, BoxPhase)
        /// A command without a position.
        case command(Command)
        /// A request for an ``InputEvent/Input/tick`` at this time.
        case wake(at: Duration)

        /// A velocity in view pixels per second.
        public struct Velocity: Hashable, Sendable {
            /// The rightward component.
            public var x: Double
            /// The downward component.
            public var y: Double

            /// Creates a velocity.
            public init(x: Double, y: Double) {
                self.x = x
                self.y = y
            }

            /// The speed in pixels per second.
            public var speed: Double { (x * x + y * y).squareRoot() }
        }

        /// The state of a box.
        public enum BoxPhase: Hashable, Sendable {
            /// The box changed.
            case changed
            /// The box is complete, and the map shows its content.
            case finished
            /// The box is cancelled.
            case cancelled
        }

        /// The command of a key.
        public enum Command: Hashable, Sendable, CaseIterable {
            /// Goes to the home view.
            case home
            /// Goes to the previous view.
            case back
            /// Goes to the next view.
            case forward
            /// Turns the map north up.
            case northUp
            /// Selects the next feature.
            case selectNext
            /// Selects the previous feature.
            case selectPrevious
            /// Cancels the current action, or clears the selection.
            case cancel
        }
    }
}
