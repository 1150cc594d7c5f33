public import PortolanRaster

/// What a gesture does to a map, as a ``GestureMachine`` finds it in events.
///
/// Lengths are view pixels, x rightward and y downward; angles are degrees clockwise as seen. A change that is given a
/// time is smooth, and at once where that is zero.
public enum GestureAction: Hashable, Sendable {
    /// The map is held: what moves it stops. It is followed by ``end(velocity:)``.
    case begin
    /// The picture is moved.
    case pan(x: Double, y: Double, over: Duration = .zero)
    /// The picture is enlarged by levels, each twice as large, about a place or, with `nil`, the middle.
    case zoom(levels: Double, about: Point?, over: Duration = .zero)
    /// The picture is turned clockwise about a place or, with `nil`, the middle.
    case rotate(degrees: Double, about: Point?, over: Duration = .zero)
    /// The map is let go, with the velocity of a fling, or `nil` where it rests.
    case end(velocity: Velocity?)
    /// A place was tapped, or clicked.
    case tap(Point)
    /// A place was tapped twice; a zoom follows where the settings say so.
    case doubleTap(Point)
    /// A place was pressed long, or clicked with the secondary button.
    case longPress(Point)
    /// A box between two corners, for the app to draw while it changes.
    case box(Point, Point, BoxPhase)
    /// Something that needs no place.
    case command(Command)
    /// Nothing yet: a ``InputEvent/Input/tick`` is wanted at this time.
    case wake(at: Duration)

    /// A velocity in view pixels a second.
    public struct Velocity: Hashable, Sendable {
        /// Rightward.
        public var x: Double
        /// Downward.
        public var y: Double

        /// Makes a velocity.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }

        /// Pixels a second, whatever the direction.
        public var speed: Double { (x * x + y * y).squareRoot() }
    }

    /// What becomes of a box.
    public enum BoxPhase: Hashable, Sendable {
        /// It was drawn so far.
        case changed
        /// It is wanted: the map shows what is within.
        case finished
        /// It is given up.
        case cancelled
    }

    /// What a key asks for.
    public enum Command: Hashable, Sendable, CaseIterable {
        /// Goes to the home view.
        case home
        /// Goes to the view before.
        case back
        /// Goes to the view after.
        case forward
        /// Turns north up.
        case northUp
        /// Selects the next place.
        case selectNext
        /// Selects the previous place.
        case selectPrevious
        /// Gives up what is being done, or the selection.
        case cancel
    }
}
