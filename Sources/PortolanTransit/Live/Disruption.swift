public import Foundation
import PortolanWeb

/// A service alert: the problem, the affected services and its periods (GTFS Realtime Alert, SIRI SX).
public struct Disruption: Hashable, Sendable {
    /// The severity of an alert.
    public enum Severity: Int, Hashable, Sendable, Comparable {
        case unknown, information, warning, severe

        /// Returns whether the first severity is lower than the second.
        public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
    }

    /// The effect on the service (GTFS Realtime, Alert.Effect).
    public enum Effect: String, Hashable, Sendable {
        case noService, reducedService, significantDelays, detour, additionalService, modifiedService, stopMoved,
            noEffect
        case accessibilityIssue, other, unknown
    }

    /// The identifier within its source.
    public var id: String
    /// The active periods.
    ///
    /// An empty array means always.
    public var periods: [Period] = []
    /// The affected services.
    ///
    /// An empty array means the whole network.
    public var targets: [Target] = []
    /// The title by language (BCP 47); the key "" means an unspecified language.
    public var title: [String: String] = [:]
    /// The text by language.
    public var text: [String: String] = [:]
    /// The URL of a page with details, by language.
    public var url: [String: String] = [:]
    /// The cause as given by the source, such as "STRIKE".
    public var cause = ""
    /// The effect on the service.
    public var effect = Effect.unknown
    /// The severity.
    public var severity = Severity.unknown

    /// Creates an alert.
    public init(id: String) { self.id = id }

    /// A period in which an alert is active.
    ///
    /// A `nil` end is open.
    public struct Period: Hashable, Sendable {
        public var from: Date?, to: Date?

        /// Creates a period.
        public init(from: Date? = nil, to: Date? = nil) {
            self.from = from
            self.to = to
        }

        /// Returns whether the period contains a time.
        public func contains(_ time: Date) -> Bool { from.map { $0 <= time } ?? true && to.map { time < $0 } ?? true }
    }

    /// A selector of affected services.
    ///
    /// All of its properties must match.
    public struct Target: Hashable, Sendable {
        public var agency: String?, line: String?, direction: Int?, stop: String?, trip: TripReference?
        /// The mode of transport, or `nil`.
        public var mode: TransitMode?

        /// Creates a target.
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

    /// Returns whether the alert is active at a time.
    public func holds(at time: Date) -> Bool { periods.isEmpty || periods.contains { $0.contains(time) } }

    /// The severity, or a severity derived from the effect if it is unknown.
    public var importance: Severity {
        switch (severity, effect) {
        case (.unknown, .noService): .severe
        case (.unknown, .noEffect), (.unknown, .additionalService): .information
        case (.unknown, _): .warning
        default: severity
        }
    }

    /// Returns the active alerts at a time, the most important first, then by identifier.
    public static func holding(among disruptions: [Disruption], at time: Date) -> [Disruption] {
        disruptions.filter { $0.holds(at: time) }.sorted { ($1.importance, $0.id) < ($0.importance, $1.id) }
    }

    /// Returns the title, or the text if there is no title, in the best language, or `nil` if both are missing.
    public func words(in languages: [String]) -> String? {
        [title, text].lazy.compactMap { Self.text($0, in: languages) }.first { !$0.isEmpty }
    }

    /// Returns the text in the first available language, then the unspecified language, English or any other.
    ///
    /// A language code also matches its regions: "fi" matches "fi-FI".
    public static func text(_ texts: [String: String], in languages: [String]) -> String? {
        if let tag = LanguageLookup.tag(for: languages, among: texts.keys) { return texts[tag] }
        return texts[""] ?? texts["en"] ?? texts.keys.min().flatMap { texts[$0] }
    }
}
