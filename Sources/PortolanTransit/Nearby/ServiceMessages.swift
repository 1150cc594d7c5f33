public import Foundation

extension ServiceMessages {
    /// A service alert for display.
    public struct Message: Hashable, Sendable, Identifiable {
        /// The identifier of the alert within its source.
        public var id: String
        /// The title, or the beginning of the text.
        public var title: String
        /// The text, or an empty string.
        public var text: String
        /// The severity.
        public var severity: Disruption.Severity
        /// The identifiers of the affected nearby stops; empty if the alert concerns more than stops.
        public var stops: [String]
        /// The URL of a page with details, or an empty string.
        public var url: String
    }
}

/// Selects alerts for nearby stops, each once until it changes.
public struct ServiceMessages: Hashable, Sendable {
    /// The alerts shown so far, by identifier.
    ///
    /// A changed alert is shown again.
    public private(set) var told: [String: Disruption]

    /// Creates a memory of shown alerts.
    public init(told: [String: Disruption] = [:]) { self.told = told }

    /// Returns new messages for nearby stops and the lines that serve them, the most severe first.
    ///
    /// - Parameters:
    ///   - disruptions: all current and future alerts. Others are forgotten.
    ///   - stops: the identifiers of nearby stops.
    ///   - lines: the identifiers of lines that serve them.
    ///   - languages: the preferred languages, best first (BCP 47).
    /// - Complexity: O(alerts × targets).
    public mutating func new(
        among disruptions: [Disruption], stops: Set<String>, lines: Set<String> = [], at time: Date,
        in languages: [String]
    ) -> [ServiceMessages.Message] {
        var messages: [ServiceMessages.Message] = []
        for disruption in Disruption.holding(among: disruptions, at: time) where told[disruption.id] != disruption {
            guard let near = Self.stops(of: disruption, among: stops, lines: lines) else { continue }
            told[disruption.id] = disruption
            let text = Disruption.text(disruption.text, in: languages) ?? ""
            guard let words = disruption.words(in: languages) else { continue }
            let title = words == text ? String(text.prefix(80)) : words
            messages.append(
                ServiceMessages.Message(
                    id: disruption.id, title: title, text: text, severity: disruption.importance, stops: near,
                    url: Disruption.text(disruption.url, in: languages) ?? ""))
        }
        let present = Set(disruptions.map(\.id))
        told = told.filter { present.contains($0.key) }
        return messages
    }

    /// Returns the nearby stops that an alert affects, or `nil` if it concerns other services.
    private static func stops(of disruption: Disruption, among stops: Set<String>, lines: Set<String>) -> [String]? {
        guard !disruption.targets.isEmpty else { return [] }
        var near: Set<String> = []
        var concerns = false
        for target in disruption.targets {
            let line = target.line ?? target.trip?.line
            // All properties of a target must match.
            if let stop = target.stop {
                guard stops.contains(stop), line.map(lines.contains) ?? true else { continue }
                near.insert(stop)
                concerns = true
            } else if let line {
                concerns = concerns || lines.contains(line)
            } else if target.trip == nil {
                concerns = true
            }
        }
        return concerns ? near.sorted() : nil
    }
}
