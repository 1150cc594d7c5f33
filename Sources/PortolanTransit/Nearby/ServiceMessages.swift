public import Foundation

/// A notice of service as it is shown to a person.
public struct ServiceMessage: Hashable, Sendable, Identifiable {
    /// The identifier of the notice within its source.
    public var id: String
    /// A title, or the beginning of the text.
    public var title: String
    /// What there is to say, or nothing.
    public var text: String
    /// How much it matters.
    public var severity: Disruption.Severity
    /// The identifiers of the stops nearby that it is about; none where it is about more.
    public var stops: [String]
    /// A page about it, or nothing.
    public var url: String
}

/// Makes messages of the notices that concern where a person is, each once until it changes.
public struct ServiceMessages: Hashable, Sendable {
    /// What was told, by identifier of the notice: a notice that changes is told again.
    public private(set) var told: [String: Disruption]

    /// Makes a memory of what was told.
    public init(told: [String: Disruption] = [:]) { self.told = told }

    /// The messages that are new, the most severe first, for stops nearby and lines that stop there.
    ///
    /// - Parameters:
    ///   - disruptions: all notices that hold or will; those that are gone are forgotten.
    ///   - stops: identifiers of stops nearby.
    ///   - lines: identifiers of lines that stop there.
    ///   - languages: what the person reads, the best first (BCP 47).
    /// - Complexity: O(notices × targets).
    public mutating func new(
        among disruptions: [Disruption], stops: Set<String>, lines: Set<String> = [], at time: Date,
        in languages: [String]
    ) -> [ServiceMessage] {
        var messages: [ServiceMessage] = []
        for disruption in Disruption.holding(among: disruptions, at: time) where told[disruption.id] != disruption {
            guard let near = Self.stops(of: disruption, among: stops, lines: lines) else { continue }
            told[disruption.id] = disruption
            let text = Disruption.text(disruption.text, in: languages) ?? ""
            guard let words = disruption.words(in: languages) else { continue }
            let title = words == text ? String(text.prefix(80)) : words
            messages.append(
                ServiceMessage(
                    id: disruption.id, title: title, text: text, severity: disruption.importance, stops: near,
                    url: Disruption.text(disruption.url, in: languages) ?? ""))
        }
        let present = Set(disruptions.map(\.id))
        told = told.filter { present.contains($0.key) }
        return messages
    }

    /// The stops nearby that a notice is about; `nil` where it is about others.
    private static func stops(of disruption: Disruption, among stops: Set<String>, lines: Set<String>) -> [String]? {
        guard !disruption.targets.isEmpty else { return [] }
        var near: Set<String> = []
        var concerns = false
        for target in disruption.targets {
            let line = target.line ?? target.trip?.line
            // All that a target names must fit.
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
