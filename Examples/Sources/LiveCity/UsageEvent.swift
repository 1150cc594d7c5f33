import Foundation
import Portolan

/// What an app may count of its use: ten kinds, none of which names a person or a place.
///
/// An event has a category, an action, a label and a number, as services of statistics want them; nothing is sent from here.
struct UsageEvent: Hashable, Sendable {
    /// Kinds of events.
    enum Kind: Hashable, Sendable {
        /// The app has started, in so long.
        case loading(Duration)
        /// The rider is in a cell of the grid (``UsageGrid``).
        case region(cell: String)
        /// The stops of a line, or one stop, were switched on.
        case stopFiltering(stop: String)
        /// A stop was chosen.
        case stopSelection(stop: String)
        /// How far the rider is from a stop that was chosen, in metres.
        case stopLocation(stop: String, meters: Double)
        /// How long it took to hear what comes to a stop.
        case stopSchedule(stop: String, Duration)
        /// The vehicles of a line were switched on.
        case lineFiltering(line: String)
        /// A vehicle was chosen.
        case vehicleSelection(vehicle: String)
        /// How far the rider is from a vehicle that was chosen, in metres.
        case vehicleLocation(vehicle: String, meters: Double)
        /// The route of a line was switched on.
        case routeFiltering(line: String)
    }

    /// The kind.
    let kind: Kind

    /// Makes an event.
    init(_ kind: Kind) { self.kind = kind }

    /// What it is about, as "STOP".
    var category: String { parts.category }
    /// What was done, as "Selection".
    var action: String { parts.action }
    /// Of what: an identifier of the timetable, or a cell.
    var label: String { parts.label }
    /// How much: 1, milliseconds, or metres to the next hundred.
    var value: Int { parts.value }

    private var parts: (category: String, action: String, label: String, value: Int) {
        switch kind {
        case .loading(let time): ("APPLICATION", "Loading", "elapsed time", Self.milliseconds(time))
        case .region(let cell): ("USER", "Region", cell, 1)
        case .stopFiltering(let stop): ("STOP", "Filtering", stop, 1)
        case .stopSelection(let stop): ("STOP", "Selection", stop, 1)
        case .stopLocation(let stop, let meters): ("STOP", "Location", stop, Self.coarse(meters))
        case .stopSchedule(let stop, let time): ("STOP", "Schedule", stop, Self.milliseconds(time))
        case .lineFiltering(let line): ("LINE", "Filtering", line, 1)
        case .vehicleSelection(let vehicle): ("MARKER", "Selection", vehicle, 1)
        case .vehicleLocation(let vehicle, let meters): ("MARKER", "Location", vehicle, Self.coarse(meters))
        case .routeFiltering(let line): ("ROUTE", "Filtering", line, 1)
        }
    }

    private static func milliseconds(_ time: Duration) -> Int {
        let milliseconds = Double(time.components.seconds) * 1000 + Double(time.components.attoseconds) * 1e-15
        return Int(min(max(milliseconds, 0), 1e12).rounded())
    }

    /// Metres to the next hundred: a distance to a known place must not tell where the rider is.
    private static func coarse(_ meters: Double) -> Int {
        meters.isFinite ? Int((min(max(meters, 0), 1e8) / 100).rounded()) * 100 : 0
    }
}

/// Cells of a coarse grid in place of positions: a rider is in a cell, never at a place.
struct UsageGrid: Hashable, Sendable {
    /// The area; outside of it a rider is in no cell.
    let area: Extent
    /// How many columns and rows.
    let columns: Int, rows: Int
    /// The least metres of a cell's side.
    static let smallestSide = 1000.0

    /// Makes a grid of an area in degrees (WGS 84), with cells of at least a kilometre.
    init(area: Extent, columns: Int = 8, rows: Int = 8) {
        self.area = area
        let metersPerDegree = 111_000.0
        let width = area.width * metersPerDegree * max(GridCosine.of(degrees: area.center.y), 0.01)
        let height = area.height * metersPerDegree
        self.columns = min(max(columns, 1), max(Int(min(width / Self.smallestSide, 26)), 1))
        self.rows = min(max(rows, 1), max(Int(min(height / Self.smallestSide, 99)), 1))
    }

    /// The cell of a place, as "C4": columns are letters from the west, rows numbers from the north; `nil` outside.
    func cell(of place: Coordinate) -> String? {
        guard place.isFinite, area.contains(place) else { return nil }
        let column = min(Int((place.x - area.minX) / area.width * Double(columns)), columns - 1)
        let row = min(Int((area.maxY - place.y) / area.height * Double(rows)), rows - 1)
        guard let letter = Unicode.Scalar(65 + column) else { return nil }
        return "\(Character(letter))\(row + 1)"
    }
}

/// What is counted while the rider allows it; off until then.
struct UsageLog: Hashable, Sendable {
    /// Whether the rider allows it; what was counted is forgotten when that ends.
    var isAllowed: Bool { didSet { if !isAllowed { events = [] } } }
    /// What was counted and not yet taken.
    private(set) var events: [UsageEvent] = []
    /// The most events that are kept; the oldest go first.
    static let limit = 1000

    /// Makes a log; off unless told.
    init(isAllowed: Bool = false) { self.isAllowed = isAllowed }

    /// Counts an event, where that is allowed.
    mutating func count(_ kind: UsageEvent.Kind) {
        guard isAllowed else { return }
        events.append(UsageEvent(kind))
        if events.count > Self.limit { events.removeFirst(events.count - Self.limit) }
    }

    /// Takes what was counted, to be sent on.
    mutating func take() -> [UsageEvent] {
        defer { events = [] }
        return events
    }
}

extension UsageEvent {
    private struct Form: Encodable {
        var category: String, action: String, label: String
        var value: Int
    }

    /// The event as a line of JSON, without an end; it has no time, so that lines of many riders cannot be put together.
    var line: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let form = Form(category: category, action: action, label: label, value: value)
        return ((try? encoder.encode(form)).map { [UInt8]($0) }) ?? []
    }
}

/// The cosine of an angle in degrees.
enum GridCosine {
    static func of(degrees: Double) -> Double { cos(degrees * .pi / 180) }
}
