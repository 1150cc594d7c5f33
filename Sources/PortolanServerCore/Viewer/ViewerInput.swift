import Portolan
import PortolanFeatures
import PortolanRaster

/// A batch of input events of a viewer page, in order.
///
/// ```json
/// {"seq": 7, "events": [{"t": 1203.5, "type": "pointer", "phase": "move", "id": 1, "kind": "mouse", "x": 20, "y": 31,
///   "buttons": 1, "keys": 0}]}
/// ```
/// Times are milliseconds of an arbitrary clock. Positions are in view pixels. `keys` are the bits of
/// ``/Portolan/InputEvent/Modifiers``.
struct ViewerInput: Hashable, Sendable {
    /// The sequence number of the batch, one more than that of the previous one.
    let sequence: Int
    /// The events with their times.
    let events: [InputEvent]

    /// The maximum number of events in a batch: one second of a mouse with 1000 reports per second.
    private static let limit = 1000

    /// Parses a batch.
    ///
    /// - Throws: ``Problem`` with the key.
    init(_ body: [UInt8]) throws(Problem) {
        let reader = try ViewerReader(body)
        sequence = try reader.whole("seq", in: 1...Int(Int32.max))
        guard case .array(let list)? = reader.members["events"], list.count <= Self.limit else {
            throw Problem(.badRequest, "'events' must be a list of at most \(Self.limit)", key: "events")
        }
        var events: [InputEvent] = []
        for item in list {
            guard case .object(let members) = item else {
                throw Problem(.badRequest, "an event must be an object", key: "events")
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
                throw Problem(.badRequest, "unknown phase or pointer type", key: "phase")
            }
            input = .pointer(
                phase,
                InputEvent.Pointer(
                    id: try reader.whole("id", in: Int(Int32.min)...Int(Int32.max)), kind: kind,
                    place: try place(reader),
                    buttons: .init(rawValue: try reader.whole("buttons", in: 0...3)), modifiers: try modifiers(reader)))
        case "wheel":
            guard let unit = units[try reader.text("unit")] else {
                throw Problem(.badRequest, "wheel units must be pixels, lines or pages", key: "unit")
            }
            input = .wheel(
                InputEvent.Wheel(
                    delta: try reader.number("delta", in: -1e6...1e6), unit: unit, place: try place(reader),
                    modifiers: try modifiers(reader)))
        case "key":
            let name = try reader.text("key")
            guard let key = keys[name] else { throw Problem(.badRequest, "unknown key '\(name)'", key: "key") }
            input = .key(key, try modifiers(reader))
        case "focusLost": input = .focusLost
        default: throw Problem(.badRequest, "an event must be pointer, wheel, key or focusLost", key: "type")
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

    /// Maps case names, which are the words of the page, to cases.
    private static func words<Value>(_ all: [Value]) -> [String: Value] {
        Dictionary(uniqueKeysWithValues: all.map { ("\($0)", $0) })
    }
}

/// Reads the members of a JSON object from the page.
struct ViewerReader {
    /// The members.
    let members: Properties

    /// Creates a reader of an object's members.
    init(_ members: Properties) { self.members = members }

    /// Parses a document that is a JSON object.
    ///
    /// - Throws: ``Problem`` if it is not a JSON object.
    init(_ body: [UInt8]) throws(Problem) {
        do {
            guard case .object(let members) = try JSONReader.value(bytes: body) else {
                throw Problem(.badRequest, "the body must be a JSON object")
            }
            self.members = members
        } catch let error as Problem { throw error } catch {
            throw Problem(.badRequest, "invalid JSON: \(error)")
        }
    }

    /// Reads a string of at most 1000 bytes.
    func text(_ key: String) throws(Problem) -> String {
        guard let text = members[key]?.stringValue, text.utf8.count <= 1000 else {
            throw Problem(.badRequest, "'\(key)' must be a short string", key: key)
        }
        return text
    }

    /// Reads a number in a range.
    func number(_ key: String, in range: ClosedRange<Double>) throws(Problem) -> Double {
        guard let number = members[key]?.doubleValue, range.contains(number) else {
            throw Problem(
                .badRequest, "'\(key)' must be a number from \(range.lowerBound) to \(range.upperBound)", key: key)
        }
        return number
    }

    /// Reads an integer in a range.
    func whole(_ key: String, in range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let number = members[key]?.integerValue, range.contains(number) else {
            throw Problem(
                .badRequest, "'\(key)' must be a whole number from \(range.lowerBound) to \(range.upperBound)", key: key
            )
        }
        return number
    }

    /// Reads a Boolean, or returns `nil` if the key is missing.
    func truth(_ key: String) throws(Problem) -> Bool? {
        guard let value = members[key] else { return nil }
        guard let truth = value.boolValue else {
            throw Problem(.badRequest, "'\(key)' must be true or false", key: key)
        }
        return truth
    }
}
