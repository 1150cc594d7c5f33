import Foundation
public import PortolanGeo
import PortolanWeb

extension RideGuide {
    /// A suggested journey without times of day: a sequence of walks and rides.
    public struct Suggestion: Hashable, Sendable {
        /// A part of the journey.
        public enum Leg: Hashable, Sendable {
            /// A walk, in metres and seconds.
            case walk(meters: Double, seconds: Int)
            /// A ride in a vehicle.
            case ride(Ride)
        }

        /// A part of the journey in a vehicle.
        public struct Ride: Hashable, Sendable {
            /// The index of the line among the guide's lines, or in ``Timetable/lines``.
            public var line: Int
            /// The line name, such as "9".
            public var name: String
            /// The destination, such as "Kamppi".
            public var headsign: String
            /// The mode of transport.
            public var mode: TransitMode
            /// The identifier and the name of the boarding stop.
            public var board: (id: String, name: String) { (boardID, boardName) }
            /// The identifier and the name of the alighting stop.
            public var alight: (id: String, name: String) { (alightID, alightName) }
            /// The number of stops after boarding, including the alighting stop.
            public var stopCount: Int
            /// The duration in seconds.
            public var seconds: Int
            /// Whether the duration is estimated from the distance.
            public var isEstimate: Bool
            /// Whether passengers stay in the vehicle of the previous ride.
            public var staysSeated = false

            var boardID: String, boardName: String, alightID: String, alightName: String
        }

        /// The walks and rides in order.
        public var legs: [Leg]

        /// The total walking and riding time in seconds, without waiting.
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

        /// The number of transfers.
        ///
        /// Staying seated does not count.
        public var transfers: Int { max(0, rides.count { !$0.staysSeated } - 1) }

        /// Creates a suggestion from its legs.
        init(legs: [Leg]) { self.legs = legs }

        /// Creates a suggestion from a journey.
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
}

extension RideGuide {
    /// The texts of suggestions in a language.
    public struct Words: Hashable, Sendable {
        private enum Phrase { case walk, stops, stay }

        /// The code of the language (BCP 47).
        public var code: String { phrases.code }
        private let phrases: Phrases<Phrase>
        private let decimalMark: String

        private init(_ code: String, _ phrases: [Phrase: String], decimalMark: String) {
            self.phrases = Phrases(code, phrases)
            self.decimalMark = decimalMark
        }

        /// English: "walk 200 m → 9 Kamppi, 6 stops → walk 120 m".
        public static let english = RideGuide.Words(
            "en", [.walk: "walk {length}", .stops: "{n} stop|{n} stops", .stay: "stay on board as {line}"],
            decimalMark: ".")
        /// Spanish: "camina 200 m → 9 Kamppi, 6 paradas → camina 120 m".
        public static let spanish = RideGuide.Words(
            "es", [.walk: "camina {length}", .stops: "{n} parada|{n} paradas", .stay: "sigue a bordo como {line}"],
            decimalMark: ",")
        /// Finnish: "kävele 200 m → 9 Kamppi, 6 pysäkkiä → kävele 120 m".
        public static let finnish = RideGuide.Words(
            "fi", [.walk: "kävele {length}", .stops: "{n} pysäkki|{n} pysäkkiä", .stay: "pysy kyydissä, linja {line}"],
            decimalMark: ",")
        /// French: "marchez 200 m → 9 Kamppi, 6 arrêts → marchez 120 m".
        public static let french = RideGuide.Words(
            "fr", [.walk: "marchez {length}", .stops: "{n} arrêt|{n} arrêts", .stay: "restez à bord, ligne {line}"],
            decimalMark: ",")
        /// Italian: "cammina 200 m → 9 Kamppi, 6 fermate → cammina 120 m".
        public static let italian = RideGuide.Words(
            "it", [.walk: "cammina {length}", .stops: "{n} fermata|{n} fermate", .stay: "resta a bordo, linea {line}"],
            decimalMark: ",")
        /// All languages.
        public static let all = [english, spanish, finnish, french, italian]

        /// Returns the texts for the first available language among codes such as `es-MX` or `fi_FI`, or English.
        public static func preferred(_ codes: [String]) -> RideGuide.Words {
            LanguageLookup.first(for: codes, among: all, code: \.code) ?? english
        }

        /// Returns the text of a suggestion.
        public func text(_ suggestion: RideGuide.Suggestion) -> String {
            suggestion.legs.map { leg in
                switch leg {
                case .walk(let meters, _): return phrases.text(.walk, ["length": length(meters)])
                case .ride(let ride):
                    let line = ride.headsign.isEmpty ? ride.name : "\(ride.name) \(ride.headsign)"
                    let named = ride.staysSeated ? phrases.text(.stay, ["line": line]) : line
                    return "\(named), \(phrases.text(.stops, count: ride.stopCount))"
                }
            }.joined(separator: " → ")
        }

        /// Formats a length: multiples of 10 m below a kilometre, tenths of a kilometre above.
        private func length(_ meters: Double) -> String {
            let tens = Int((min(max(meters, 0), 1e8) / 10).rounded()) * 10
            guard tens >= 1000 else { return "\(tens) m" }
            let tenths = (tens + 50) / 100
            return tenths % 10 == 0 ? "\(tenths / 10) km" : "\(tenths / 10)\(decimalMark)\(tenths % 10) km"
        }
    }
}

extension RideGuide {
    /// A line as a sequence of stops in one direction.
    public struct Line: Hashable, Sendable {
        /// A stop of a line.
        public struct Stop: Hashable, Sendable {
            /// The identifier.
            ///
            /// Lines that share a stop use the same identifier.
            public var id: String
            /// The name.
            public var name: String
            /// The coordinate in degrees (WGS 84): x is the longitude, y the latitude.
            public var place: Coordinate
            /// Whether passengers may board.
            public var boards = true
            /// Whether passengers may alight.
            public var alights = true

            /// Creates a stop.
            public init(id: String, name: String, place: Coordinate) {
                self.id = id
                self.name = name
                self.place = place
            }
        }

        /// The line name, such as "9".
        public var name: String
        /// The destination.
        public var headsign: String
        /// The mode of transport.
        public var mode: TransitMode
        /// The stops in order.
        public var stops: [Stop]
        /// The seconds between consecutive stops, or `nil` if they are unknown.
        public var seconds: [Int]?

        /// Creates a line.
        ///
        /// `seconds` is ignored unless it has one element fewer than `stops`.
        public init(name: String, headsign: String, mode: TransitMode = .bus, stops: [Stop], seconds: [Int]? = nil) {
            self.name = name
            self.headsign = headsign
            self.mode = mode
            self.stops = stops
            self.seconds = seconds.flatMap { $0.count == stops.count - 1 ? $0 : nil }
        }

        /// Returns the seconds to the next stop.
        ///
        /// If unknown, they are estimated from 1.3 times the straight distance and the typical speed of the mode.
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
}
