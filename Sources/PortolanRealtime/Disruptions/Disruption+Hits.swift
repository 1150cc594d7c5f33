public import Foundation
public import PortolanTransit

extension Disruption {
    /// Returns whether the alert affects a line, optionally in one direction.
    ///
    /// An alert for the whole network affects every line, an alert for a single stop or trip affects none. An alert for
    /// an agency or a mode affects the lines for which these are given.
    public func hits(line: String, direction: Int? = nil, agency: String? = nil, mode: TransitMode? = nil) -> Bool {
        targets.isEmpty
            || targets.contains { target in
                guard target.stop == nil, target.trip?.trip == nil,
                    direction == nil || target.direction == nil || target.direction == direction
                else { return false }
                if let named = target.line { return named == line }
                guard target.agency != nil || target.mode != nil else { return false }
                return (target.agency == nil || target.agency == agency) && (target.mode == nil || target.mode == mode)
            }
    }

    /// Returns whether the alert affects a stop, optionally only for passengers of some lines.
    public func hits(stop: String, lines: Set<String>? = nil) -> Bool {
        targets.contains { target in
            target.stop == stop && (target.line == nil || lines?.contains(target.line ?? "") ?? true)
        }
    }

    /// Returns whether the alert affects a vehicle by its line, trip or stop.
    public func hits(_ report: VehicleReport) -> Bool {
        if let line = report.line, hits(line: line, direction: report.trip?.direction, mode: report.mode) {
            return true
        }
        if let trip = report.trip?.trip, targets.contains(where: { $0.trip?.trip == trip }) { return true }
        return report.stop.map { hits(stop: $0, lines: report.line.map { [$0] }) } ?? false
    }

    /// The identifiers of the affected lines, sorted.
    public var lines: [String] { Set(targets.compactMap(\.line)).sorted() }

    /// The identifiers of the affected stops, sorted.
    public var stops: [String] { Set(targets.compactMap(\.stop)).sorted() }
}

/// The content of a banner for active alerts.
public struct DisruptionBanner: Hashable, Sendable {
    /// The highest severity of the alerts.
    public var severity: Disruption.Severity
    /// The texts, the most severe first, then by identifier.
    public var texts: [String]
    /// The identifiers of the alerts, in the same order.
    public var ids: [String]

    /// Creates a banner for the alerts that are active at a time, or returns `nil` without such alerts.
    ///
    /// - Parameters:
    ///   - lines: the lines of interest, or `nil` for all. Alerts for other lines are omitted.
    ///   - names: the displayed line names, by identifier.
    ///   - read: the identifiers of alerts that were read, which are omitted.
    public init?(
        of disruptions: [Disruption], at time: Date, lines: Set<String>? = nil, names: [String: String] = [:],
        read: Set<String> = [], in language: LiveLanguage, languages: [String] = []
    ) {
        let holding = Disruption.holding(among: disruptions, at: time).filter { notice in
            guard !read.contains(notice.id) else { return false }
            guard let lines, !notice.lines.isEmpty else { return true }
            return notice.lines.contains { lines.contains($0) }
        }
        guard !holding.isEmpty else { return nil }
        severity = holding[0].importance
        ids = holding.map(\.id)
        texts = holding.map { Self.text(of: $0, names: names, in: language, languages: languages + [language.code]) }
    }

    private static func text(
        of notice: Disruption, names: [String: String], in language: LiveLanguage, languages: [String]
    ) -> String {
        let named = notice.lines.map { names[$0] ?? $0 }.joined(separator: ", ")
        let about =
            notice.lines.isEmpty
            ? (notice.targets.isEmpty ? language[.affectsAll] : "")
            : language.text(.affectsLines, ["lines": named])
        let said = notice.words(in: languages) ?? ""
        return [about, said].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}
