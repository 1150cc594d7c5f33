import Portolan
import PortolanFeatures
import PortolanRaster

/// What a person did on the page of a viewer since the page last told: a batch of events in their order.
///
/// ```json
/// {"seq": 7, "events": [{"t": 1203.5, "type": "pointer", "phase": "move", "id": 1, "kind": "mouse", "x": 20, "y": 31,
///   "buttons": 1, "keys": 0}]}
/// ```
/// Times are milliseconds of any clock; places are view pixels; `keys` are the bits of ``/Portolan/InputEvent/Modifiers``.
struct ViewerInput: Hashable, Sendable {
    /// The number of the batch; each is one more than that before it.
    let sequence: Int
    /// What was done, and when.
    let events: [InputEvent]

    /// The most events of a batch: a second of a mouse that reports a thousand times.
    private static let limit = 1000

    /// Reads a batch.
    ///
    /// - Throws: ``Problem`` that names the key.
    init(_ body: [UInt8]) throws(Problem) {
        let reader = try ViewerReader(body)
        sequence = try reader.whole("seq", in: 1...Int(Int32.max))
        guard case .array(let list)? = reader.members["events"], list.count <= Self.limit else {
            throw Problem(.badRequest, "'events' is not a list of at most \(Self.limit)", key: "events")
        }
        var events: [InputEvent] = []
        for item in list {
            guard case .object(let members) = item else {
                throw Problem(.badRequest, "an event is not an object", key: "events")
            }
            events.append(try Self.event(ViewerReader(members)))
        }
        self.events = events
    }

    private static func event(_ reader: ViewerReader) throws(Problem) -> InputEvent {
        let time = Duration.seconds(try reader.number("t", in: 0...1e12) / 1000)
        let input: InputEvent.Input
        switch try reader.text("type") {
        case "pointer":
            guard let phase = phases[try reader.text("phase")], let kind = kinds[try reader.text("kind")] else {
                throw Problem(.badRequest, "there is no such phase, or kind of pointer", key: "phase")
            }
            input = .pointer(
                phase,
                InputEvent.Pointer(
                    id: try reader.whole("id", in: Int(Int32.min)...Int(Int32.max)), kind: kind,
                    place: try place(reader),
                    buttons: .init(rawValue: try reader.whole("buttons", in: 0...3)), modifiers: try modifiers(reader)))
        case "wheel":
            guard let unit = units[try reader.text("unit")] else {
                throw Problem(.badRequest, "a wheel counts pixels, lines or pages", key: "unit")
            }
            input = .wheel(
                InputEvent.Wheel(
                    delta: try reader.number("delta", in: -1e6...1e6), unit: unit, place: try place(reader),
                    modifiers: try modifiers(reader)))
        case "key":
            let name = try reader.text("key")
            guard let key = keys[name] else { throw Problem(.badRequest, "there is no key '\(name)'", key: "key") }
            input = .key(key, try modifiers(reader))
        case "focusLost": input = .focusLost
        default: throw Problem(.badRequest, "an event is pointer, wheel, key or focusLost", key: "type")
        }
        return InputEvent(input, at: time)
    }

    private static func place(_ reader: ViewerReader) throws(Problem) -> Point {
        Point(x: try reader.number("x", in: -1e5...1e5), y: try reader.number("y", in: -1e5...1e5))
    }

    private static func modifiers(_ reader: ViewerReader) throws(Problem) -> InputEvent.Modifiers {
        InputEvent.Modifiers(rawValue: reader.members["keys"] == nil ? 0 : try reader.whole("keys", in: 0...15))
    }

    private static let phases = words(InputEvent.Phase.allCases)
    private static let kinds = words(InputEvent.Pointer.Kind.allCases)
    private static let units = words(InputEvent.Wheel.Unit.allCases)
    private static let keys = words(InputEvent.Key.allCases)

    /// The names of cases are the words of the page.
    private static func words<Value>(_ all: [Value]) -> [String: Value] {
        Dictionary(uniqueKeysWithValues: all.map { ("\($0)", $0) })
    }
}

/// Reads the members of a JSON object that the page sends.
struct ViewerReader {
    /// The members.
    let members: Properties

    /// Takes the members of an object.
    init(_ members: Properties) { self.members = members }

    /// Reads a document that is one object.
    ///
    /// - Throws: ``Problem`` where it is none.
    init(_ body: [UInt8]) throws(Problem) {
        do {
            guard case .object(let members) = try JSONReader.value(bytes: body) else {
                throw Problem(.badRequest, "the body is not a JSON object")
            }
            self.members = members
        } catch let error as Problem { throw error } catch {
            throw Problem(.badRequest, "the body is no JSON: \(error)")
        }
    }

    /// A text of at most 1000 bytes.
    func text(_ key: String) throws(Problem) -> String {
        guard let text = members[key]?.stringValue, text.utf8.count <= 1000 else {
            throw Problem(.badRequest, "'\(key)' is not a short text", key: key)
        }
        return text
    }

    /// A number of a range.
    func number(_ key: String, in range: ClosedRange<Double>) throws(Problem) -> Double {
        guard let number = members[key]?.doubleValue, range.contains(number) else {
            throw Problem(
                .badRequest, "'\(key)' is not a number from \(range.lowerBound) to \(range.upperBound)", key: key)
        }
        return number
    }

    /// A whole number of a range.
    func whole(_ key: String, in range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let number = members[key]?.integerValue, range.contains(number) else {
            throw Problem(
                .badRequest, "'\(key)' is not a whole number from \(range.lowerBound) to \(range.upperBound)", key: key)
        }
        return number
    }

    /// Whether something is so, or `nil` where nothing is said.
    func truth(_ key: String) throws(Problem) -> Bool? {
        guard let value = members[key] else { return nil }
        guard let truth = value.boolValue else { throw Problem(.badRequest, "'\(key)' is not true or false", key: key) }
        return truth
    }
}
