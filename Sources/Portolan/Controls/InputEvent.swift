public import PortolanRaster

/// An input event of a UI toolkit, for a ``GestureMachine``.
public struct InputEvent: Hashable, Sendable {
    /// The time since a fixed moment, which is the same for all events of a map.
    public var time: Duration
    /// The event.
    public var input: Input

    /// Creates an event.
    public init(_ input: Input, at time: Duration) {
        self.input = input
        self.time = time
    }

    /// The kind of an event.
    public enum Input: Hashable, Sendable {
        /// A finger, a pen or the mouse touched the map, moved or left it.
        case pointer(Phase, Pointer)
        /// A wheel was turned, or two fingers moved over a trackpad.
        case wheel(Wheel)
        /// A key was pressed, or repeated while it is held.
        case key(Key, Modifiers = [])
        /// A time requested by ``GestureMachine/Action/wake(at:)`` was reached, or a frame is about to be shown.
        case tick
        /// The map no longer receives events; the active gesture is cancelled.
        case focusLost
    }

    /// The phase of a pointer event.
    public enum Phase: Hashable, Sendable, CaseIterable {
        /// It touched the map, or a button was pressed.
        case down
        /// It moved.
        case move
        /// It left the map, or all buttons were released.
        case up
        /// The system took over the pointer, for example for a system gesture.
        ///
        /// The gesture ends without a fling or a tap.
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
            /// Creates a set of buttons from its bits.
            public init(rawValue: Int) { self.rawValue = rawValue }
            /// The button that selects and drags, or the contact of a finger.
            public static let primary = Buttons(rawValue: 1)
            /// The button for menus.
            public static let secondary = Buttons(rawValue: 2)
        }

        /// An identifier that is unique while the pointer is down.
        public var id: Int
        /// The kind of pointer.
        public var kind: Kind
        /// The position in view pixels.
        public var place: Point
        /// The pressed buttons.
        ///
        /// A mouse move without buttons means that the release was missed.
        public var buttons: Buttons
        /// The pressed modifier keys.
        public var modifiers: Modifiers

        /// Creates a pointer.
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

    /// Modifier keys that are held during another event.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int
        /// Creates a set of modifiers from its bits.
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

    /// A wheel movement.
    public struct Wheel: Hashable, Sendable {
        /// The unit of ``Wheel/delta``, as in browsers (DOM Level 3 Events, `deltaMode`).
        public enum Unit: Hashable, Sendable, CaseIterable {
            /// View pixels.
            case pixels
            /// Lines of text.
            case lines
            /// Pages.
            case pages
        }

        /// The amount in ``Wheel/unit``; positive towards the user, which zooms out.
        public var delta: Double
        /// The unit of `delta`.
        public var unit: Unit
        /// The position of the pointer in view pixels.
        public var place: Point
        /// The pressed modifier keys.
        public var modifiers: Modifiers

        /// Creates a wheel movement.
        public init(delta: Double, unit: Unit = .pixels, place: Point, modifiers: Modifiers = []) {
            self.delta = delta
            self.unit = unit
            self.place = place
            self.modifiers = modifiers
        }
    }

    /// The keys that a map handles.
    ///
    /// Do not forward others.
    public enum Key: Hashable, Sendable, CaseIterable {
        case arrowLeft, arrowRight, arrowUp, arrowDown
        /// `+`, or `=` on keyboards where `+` needs Shift.
        case plus
        /// `-`.
        case minus
        /// `,`: rotates the picture to the left.
        case comma
        /// `.`: rotates the picture to the right.
        case period
        /// `0`: turns the map north up.
        case zero
        case home
        /// `n`: selects the next feature.
        case n
        /// `p`: selects the previous feature.
        case p
        case escape
    }
}
