public import PortolanRaster

/// Something that a person did to a map, as a toolkit reports it: the input of a ``GestureMachine``.
public struct InputEvent: Hashable, Sendable {
    /// When it happened, since any fixed moment; the same moment for all events of a map.
    public var time: Duration
    /// What happened.
    public var input: Input

    /// Makes an event.
    public init(_ input: Input, at time: Duration) {
        self.input = input
        self.time = time
    }

    /// What happened.
    public enum Input: Hashable, Sendable {
        /// A finger, a pen or the mouse touched the map, moved or left it.
        case pointer(Phase, Pointer)
        /// A wheel was turned, or two fingers moved over a trackpad.
        case wheel(Wheel)
        /// A key was pressed, or repeated while it is held.
        case key(Key, Modifiers = [])
        /// The time that a ``GestureAction/wake(at:)`` asked for has come, or a frame is about to be shown.
        case tick
        /// The map no longer receives events: what was begun is given up.
        case focusLost
    }

    /// What a pointer did.
    public enum Phase: Hashable, Sendable, CaseIterable {
        /// It touched the map, or a button was pressed.
        case down
        /// It moved.
        case move
        /// It left the map, or all buttons were released.
        case up
        /// The system took it over, as for a gesture of its own: an end without a fling or a tap.
        case cancel
    }

    /// A finger, a pen or the mouse.
    public struct Pointer: Hashable, Sendable {
        /// The kinds of pointers, which differ in how precise they are.
        public enum Kind: Hashable, Sendable, CaseIterable {
            /// A mouse or a trackpad's cursor.
            case mouse
            /// A finger.
            case touch
            /// A pen.
            case pen
        }

        /// The buttons of a mouse.
        public struct Buttons: OptionSet, Hashable, Sendable {
            /// The bits.
            public let rawValue: Int
            /// Makes a set of buttons from its bits.
            public init(rawValue: Int) { self.rawValue = rawValue }
            /// The button that selects and drags, or the contact of a finger.
            public static let primary = Buttons(rawValue: 1)
            /// The button for menus.
            public static let secondary = Buttons(rawValue: 2)
        }

        /// A number that is the pointer's own while it is down.
        public var id: Int
        /// The kind of pointer.
        public var kind: Kind
        /// Where it is, in view pixels.
        public var place: Point
        /// The buttons that are down; for a mouse that moves with none its release was missed.
        public var buttons: Buttons
        /// The keys that are held.
        public var modifiers: Modifiers

        /// Makes a pointer.
        public init(
            id: Int = 0, kind: Kind = .mouse, place: Point, buttons: Buttons = .primary, modifiers: Modifiers = []
        ) {
            self.id = id
            self.kind = kind
            self.place = place
            self.buttons = buttons
            self.modifiers = modifiers
        }
    }

    /// Keys that are held while something else is done.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int
        /// Makes a set of modifiers from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Shift.
        public static let shift = Modifiers(rawValue: 1)
        /// Control; browsers set it for a pinch on a trackpad as well.
        public static let control = Modifiers(rawValue: 2)
        /// Alt, or Option.
        public static let alternate = Modifiers(rawValue: 4)
        /// Command, or the Windows key.
        public static let command = Modifiers(rawValue: 8)
    }

    /// A turn of a wheel.
    public struct Wheel: Hashable, Sendable {
        /// What ``Wheel/delta`` counts, as browsers tell it (DOM Level 3 Events, `deltaMode`).
        public enum Unit: Hashable, Sendable, CaseIterable {
            /// View pixels.
            case pixels
            /// Lines of text.
            case lines
            /// Pages.
            case pages
        }

        /// How far, in ``Wheel/unit``; more than zero towards the person, which zooms out.
        public var delta: Double
        /// What `delta` counts.
        public var unit: Unit
        /// Where the pointer is, in view pixels.
        public var place: Point
        /// The keys that are held.
        public var modifiers: Modifiers

        /// Makes a turn of a wheel.
        public init(delta: Double, unit: Unit = .pixels, place: Point, modifiers: Modifiers = []) {
            self.delta = delta
            self.unit = unit
            self.place = place
            self.modifiers = modifiers
        }
    }

    /// The keys that a map understands; others are not forwarded.
    public enum Key: Hashable, Sendable, CaseIterable {
        case arrowLeft, arrowRight, arrowUp, arrowDown
        /// `+`, and `=` of keyboards where it needs Shift.
        case plus
        /// `-`.
        case minus
        /// `,`: turns the picture to the left.
        case comma
        /// `.`: turns the picture to the right.
        case period
        /// `0`: turns north up.
        case zero
        case home
        /// `n`: the next place.
        case n
        /// `p`: the previous place.
        case p
        case escape
    }
}
