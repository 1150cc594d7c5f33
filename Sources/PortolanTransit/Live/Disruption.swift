public import Foundation
import PortolanWeb

/// A notice of service: what goes wrong, where, and for how long (GTFS Realtime Alert, SIRI SX).
public struct Disruption: Hashable, Sendable {
    /// How much it matters.
    public enum Severity: Int, Hashable, Sendable, Comparable {
        case unknown, information, warning, severe

        /// Whether one matters less than another.
        public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
    }

    /// What it does to the service (GTFS Realtime, Alert.Effect).
    public enum Effect: String, Hashable, Sendable {
        case noService, reducedService, significantDelays, detour, additionalService, modifiedService, stopMoved,
            noEffect
        case accessibilityIssue, other, unknown
    }

    /// The identifier within its source.
    public var id: String
    /// When it holds; always, where this is empty.
    public var periods: [Period] = []
    /// What it is about; the whole network, where this is empty.
    public var targets: [Target] = []
    /// A title, by language (BCP 47); "" stands for a language that is not told.
    public var title: [String: String] = [:]
    /// What there is to say, by language.
    public var text: [String: String] = [:]
    /// A page about it, by language.
    public var url: [String: String] = [:]
    /// Why, in the words of its source, as "STRIKE".
    public var cause = ""
    /// What it does.
    public var effect = Effect.unknown
    /// How much it matters.
    public var severity = Severity.unknown

    /// Makes a notice.
    public init(id: String) { self.id = id }

    /// A time during which it holds; open where an end is `nil`.
    public struct Period: Hashable, Sendable {
        public var from: Date?, to: Date?

        /// Makes a period.
        public init(from: Date? = nil, to: Date? = nil) {
            self.from = from
            self.to = to
        }

        /// Whether it holds at a time.
        public func contains(_ time: Date) -> Bool { from.map { $0 <= time } ?? true && to.map { time < $0 } ?? true }
    }

    /// What a notice is about: what all of its parts name together.
    public struct Target: Hashable, Sendable {
        public var agency: String?, line: String?, direction: Int?, stop: String?, trip: TripReference?
        /// What runs.
        public var mode: TransitMode?

        /// Makes a target.
        public init(
            agency: String? = nil, line: String? = nil, direction: Int? = nil, stop: String? = nil,
            trip: TripReference? = nil, mode: TransitMode? = nil
        ) {
            self.agency = agency
            self.line = line
            self.direction = direction
            self.stop = stop
            self.trip = trip
            self.mode = mode
        }
    }

    /// Whether it holds at a time.
    public func holds(at time: Date) -> Bool { periods.isEmpty || periods.contains { $0.contains(time) } }

    /// How much it matters: its severity or, where none is told, what its effect stands for.
    public var importance: Severity {
        switch (severity, effect) {
        case (.unknown, .noService): .severe
        case (.unknown, .noEffect), (.unknown, .additionalService): .information
        case (.unknown, _): .warning
        default: severity
        }
    }

    /// The notices that hold at a time, those that matter most first, then by their identifiers.
    public static func holding(among disruptions: [Disruption], at time: Date) -> [Disruption] {
        disruptions.filter { $0.holds(at: time) }.sorted { ($1.importance, $0.id) < ($0.importance, $1.id) }
    }

    /// What there is to say in one sentence: its title or, where there is none, its text; `nil` where there is neither.
    public func words(in languages: [String]) -> String? {
        [title, text].lazy.compactMap { Self.text($0, in: languages) }.first { !$0.isEmpty }
    }

    /// The text of the first of these languages that there is, then of one that is not told, of English, of any.
    ///
    /// A language also stands for its regions: "fi" for "fi-FI".
    public static func text(_ texts: [String: String], in languages: [String]) -> String? {
        if let tag = LanguageLookup.tag(for: languages, among: texts.keys) { return texts[tag] }
        return texts[""] ?? texts["en"] ?? texts.keys.min().flatMap { texts[$0] }
    }
}
