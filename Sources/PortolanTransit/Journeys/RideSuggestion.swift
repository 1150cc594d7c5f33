import Foundation
public import PortolanGeo
import PortolanWeb

/// A way that one might take, without times of day: a card of walks and rides.
public struct RideSuggestion: Hashable, Sendable {
    /// A part of the way.
    public enum Leg: Hashable, Sendable {
        /// On foot: metres and seconds.
        case walk(meters: Double, seconds: Int)
        /// In a vehicle.
        case ride(Ride)
    }

    /// A way in a vehicle.
    public struct Ride: Hashable, Sendable {
        /// The line's place among those that were given, or in ``Timetable/lines``.
        public var line: Int
        /// Its name, as "9".
        public var name: String
        /// Where it goes, as "Kamppi".
        public var headsign: String
        /// What runs on it.
        public var mode: TransitMode
        /// Identifier and name of the stop where one boards.
        public var board: (id: String, name: String) { (boardID, boardName) }
        /// Identifier and name of the stop where one leaves.
        public var alight: (id: String, name: String) { (alightID, alightName) }
        /// The number of stops from the first on, the last included.
        public var stopCount: Int
        /// How long it takes.
        public var seconds: Int
        /// Whether that is guessed from the distance.
        public var isEstimate: Bool
        /// Whether passengers sit in the vehicle already.
        public var staysSeated = false

        var boardID: String, boardName: String, alightID: String, alightName: String
    }

    /// Walks and rides in turn.
    public var legs: [Leg]

    /// How long one walks and rides, without waiting.
    public var seconds: Int {
        legs.reduce(0) { sum, leg in
            switch leg {
            case .walk(_, let seconds): sum + seconds
            case .ride(let ride): sum + ride.seconds
            }
        }
    }

    /// The rides.
    public var rides: [Ride] { legs.compactMap { if case .ride(let ride) = $0 { ride } else { nil } } }

    /// How often one changes.
    public var transfers: Int { max(0, rides.count { !$0.staysSeated } - 1) }

    /// Makes a card of walks and rides.
    init(legs: [Leg]) { self.legs = legs }

    /// The card of a journey.
    public init(_ journey: Journey, in timetable: Timetable) {
        legs = journey.legs.map { leg in
            switch leg {
            case .walk(let walk): return .walk(meters: walk.meters, seconds: walk.seconds)
            case .ride(let ride):
                let line = timetable.lines[ride.line]
                let board = timetable.stops[ride.board], alight = timetable.stops[ride.alight]
                return .ride(
                    Ride(
                        line: ride.line, name: line.badge, headsign: ride.headsign, mode: line.mode,
                        stopCount: ride.stopCount, seconds: Int(ride.arrival.timeIntervalSince(ride.departure)),
                        isEstimate: false, staysSeated: ride.staysSeated, boardID: board.id, boardName: board.name,
                        alightID: alight.id, alightName: alight.name))
            }
        }
    }
}

/// The words of cards in a language.
public struct SuggestionWords: Hashable, Sendable {
    /// The code of the language (BCP 47).
    public let code: String
    let walk: String, stop: String, stops: String, stay: String, decimalMark: String

    /// English: "walk 200 m → 9 Kamppi, 6 stops → walk 120 m".
    public static let english = SuggestionWords(
        code: "en", walk: "walk {length}", stop: "1 stop", stops: "{count} stops", stay: "stay on board as {line}",
        decimalMark: ".")
    /// Spanish: "camina 200 m → 9 Kamppi, 6 paradas → camina 120 m".
    public static let spanish = SuggestionWords(
        code: "es", walk: "camina {length}", stop: "1 parada", stops: "{count} paradas",
        stay: "sigue a bordo como {line}", decimalMark: ",")
    /// Finnish: "kävele 200 m → 9 Kamppi, 6 pysäkkiä → kävele 120 m".
    public static let finnish = SuggestionWords(
        code: "fi", walk: "kävele {length}", stop: "1 pysäkki", stops: "{count} pysäkkiä",
        stay: "pysy kyydissä, linja {line}", decimalMark: ",")
    /// French: "marchez 200 m → 9 Kamppi, 6 arrêts → marchez 120 m".
    public static let french = SuggestionWords(
        code: "fr", walk: "marchez {length}", stop: "1 arrêt", stops: "{count} arrêts",
        stay: "restez à bord, ligne {line}", decimalMark: ",")
    /// Italian: "cammina 200 m → 9 Kamppi, 6 fermate → cammina 120 m".
    public static let italian = SuggestionWords(
        code: "it", walk: "cammina {length}", stop: "1 fermata", stops: "{count} fermate",
        stay: "resta a bordo, linea {line}", decimalMark: ",")
    /// All languages.
    public static let all = [english, spanish, finnish, french, italian]

    /// The first of some languages, as `es-MX` or `fi_FI`, that there is; English where there is none.
    public static func preferred(_ codes: [String]) -> SuggestionWords {
        LanguageLookup.first(for: codes, among: all, code: \.code) ?? english
    }

    /// The card in words.
    public func text(_ suggestion: RideSuggestion) -> String {
        suggestion.legs.map { leg in
            switch leg {
            case .walk(let meters, _): return walk.replacing("{length}", with: length(meters))
            case .ride(let ride):
                let line = ride.headsign.isEmpty ? ride.name : "\(ride.name) \(ride.headsign)"
                let named = ride.staysSeated ? stay.replacing("{line}", with: line) : line
                return "\(named), \(ride.stopCount == 1 ? stop : stops.replacing("{count}", with: "\(ride.stopCount)"))"
            }
        }.joined(separator: " → ")
    }

    /// Tens of metres, from a kilometre on tenths of one.
    private func length(_ meters: Double) -> String {
        let tens = Int((min(max(meters, 0), 1e8) / 10).rounded()) * 10
        guard tens >= 1000 else { return "\(tens) m" }
        let tenths = (tens + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10) km" : "\(tenths / 10)\(decimalMark)\(tenths % 10) km"
    }
}

/// A line as the order of its stops in one direction.
public struct OrderedLine: Hashable, Sendable {
    /// A stop of a line.
    public struct Stop: Hashable, Sendable {
        /// The identifier: lines that share a stop name it alike.
        public var id: String
        /// The name.
        public var name: String
        /// Longitude and latitude in degrees (WGS 84).
        public var place: Coordinate
        /// Whether one may board.
        public var boards = true
        /// Whether one may leave.
        public var alights = true

        /// Makes a stop.
        public init(id: String, name: String, place: Coordinate) {
            self.id = id
            self.name = name
            self.place = place
        }
    }

    /// Its name, as "9".
    public var name: String
    /// Where it goes.
    public var headsign: String
    /// What runs on it.
    public var mode: TransitMode
    /// Its stops in order.
    public var stops: [Stop]
    /// The seconds from each stop to the next, where they are known.
    public var seconds: [Int]?

    /// Makes a line.
    public init(name: String, headsign: String, mode: TransitMode = .bus, stops: [Stop], seconds: [Int]? = nil) {
        self.name = name
        self.headsign = headsign
        self.mode = mode
        self.stops = stops
        self.seconds = seconds.flatMap { $0.count == stops.count - 1 ? $0 : nil }
    }

    /// The seconds from a stop to the next: known, or its straight line times 1.3 at the usual speed of the mode.
    func seconds(after stop: Int) -> Int {
        if let seconds { return min(max(seconds[stop], 0), 86_400) }
        let metersPerSecond: Double =
            switch mode {
            case .subway, .rail, .monorail: 10
            case .coach: 12
            case .aerialLift, .funicular, .cableTram: 4
            case .air: 150
            default: 5.5
            }
        let meters = NearMeters.between(stops[stop].place, stops[stop + 1].place)
        return Int(min(meters * 1.3 / metersPerSecond, 86_400).rounded())
    }
}
