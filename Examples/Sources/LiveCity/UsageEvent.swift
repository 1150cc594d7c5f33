import Foundation
import Portolan

/// A usage event of an app: ten kinds, none of which identifies a person or a place.
///
/// An event has a category, an action, a label and a number, as required by analytics services; nothing is sent from
/// here.
struct UsageEvent: Hashable, Sendable {
    /// The kinds of events.
    enum Kind: Hashable, Sendable {
        /// The app has started; with the duration.
        case loading(Duration)
        /// The rider is in a cell of the grid (``UsageGrid``).
        case region(cell: String)
        /// The stops of a line, or one stop, were switched on.
        case stopFiltering(stop: String)
        /// A stop was chosen.
        case stopSelection(stop: String)
        /// The distance of the rider from a selected stop, in metres.
        case stopLocation(stop: String, meters: Double)
        /// The duration until the departures of a stop were received.
        case stopSchedule(stop: String, Duration)
        /// The vehicles of a line were switched on.
        case lineFiltering(line: String)
        /// A vehicle was chosen.
        case vehicleSelection(vehicle: String)
        /// The distance of the rider from a selected vehicle, in metres.
        case vehicleLocation(vehicle: String, meters: Double)
        /// The route of a line was switched on.
        case routeFiltering(line: String)
    }

    /// The kind.
    let kind: Kind

    /// Creates an event.
    init(_ kind: Kind) { self.kind = kind }

    /// The subject, such as "STOP".
    var category: String { parts.category }
    /// The action, such as "Selection".
    var action: String { parts.action }
    /// The object: an identifier of the timetable, or a cell.
    var label: String { parts.label }
    /// The value: 1, milliseconds, or metres rounded to hundreds.
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

    /// Rounds metres to hundreds, so that the distance to a known place does not reveal the rider's position.
    private static func coarse(_ meters: Double) -> Int {
        meters.isFinite ? Int((min(max(meters, 0), 1e8) / 100).rounded()) * 100 : 0
    }
}

/// A coarse grid whose cells replace exact positions.
struct UsageGrid: Hashable, Sendable {
    /// The area; positions outside of it have no cell.
    let area: Extent
    /// The number of columns and rows.
    let columns: Int, rows: Int
    /// The minimum side length of a cell in metres.
    static let smallestSide = 1000.0

    /// Creates a grid of an area in degrees (WGS 84), with cells of at least a kilometre.
    init(area: Extent, columns: Int = 8, rows: Int = 8) {
        self.area = area
        let metersPerDegree = 111_000.0
        let width = area.width * metersPerDegree * max(GridCosine.of(degrees: area.center.y), 0.01)
        let height = area.height * metersPerDegree
        self.columns = min(max(columns, 1), max(Int(min(width / Self.smallestSide, 26)), 1))
        self.rows = min(max(rows, 1), max(Int(min(height / Self.smallestSide, 99)), 1))
    }

    /// Returns the cell of a coordinate, such as "C4": columns are letters from the west, rows numbers from the north;
    /// `nil` outside.
    func cell(of place: Coordinate) -> String? {
        guard place.isFinite, area.contains(place) else { return nil }
        let column = min(Int((place.x - area.minX) / area.width * Double(columns)), columns - 1)
        let row = min(Int((area.maxY - place.y) / area.height * Double(rows)), rows - 1)
        guard let letter = Unicode.Scalar(65 + column) else { return nil }
        return "\(Character(letter))\(row + 1)"
    }
}

/// The usage events, counted only with the rider's consent.
struct UsageLog: Hashable, Sendable {
    /// Whether the rider consents; withdrawing consent deletes all events.
    var isAllowed: Bool { didSet { if !isAllowed { events = [] } } }
    /// The counted events that were not taken yet.
    private(set) var events: [UsageEvent] = []
    /// The maximum number of events; the oldest are removed first.
    static let limit = 1000

    /// Creates a log, by default without consent.
    init(isAllowed: Bool = false) { self.isAllowed = isAllowed }

    /// Counts an event if the rider consents.
    mutating func count(_ kind: UsageEvent.Kind) {
        guard isAllowed else { return }
        events.append(UsageEvent(kind))
        if events.count > Self.limit { events.removeFirst(events.count - Self.limit) }
    }

    /// Returns and removes the counted events, for sending.
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

    /// The event as a line of JSON without a line end.
    ///
    /// It has no time, so that lines of many riders cannot be correlated.
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
