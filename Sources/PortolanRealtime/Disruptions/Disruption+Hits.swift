public import Foundation
public import PortolanTransit

extension Disruption {
    /// Whether it is about a line, in one direction of it or in any.
    ///
    /// A notice about the whole network is about each; one about a single stop of a line, or a single trip, is not. One about
    /// an agency or a mode as a whole is about the lines of which these are known.
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

    /// Whether it is about a stop, for those who go by some lines or by any.
    public func hits(stop: String, lines: Set<String>? = nil) -> Bool {
        targets.contains { target in
            target.stop == stop && (target.line == nil || lines?.contains(target.line ?? "") ?? true)
        }
    }

    /// Whether it is about a vehicle: its line, its trip or its stop.
    public func hits(_ report: VehicleReport) -> Bool {
        if let line = report.line, hits(line: line, direction: report.trip?.direction, mode: report.mode) {
            return true
        }
        if let trip = report.trip?.trip, targets.contains(where: { $0.trip?.trip == trip }) { return true }
        return report.stop.map { hits(stop: $0, lines: report.line.map { [$0] }) } ?? false
    }

    /// The identifiers of the lines it names, sorted.
    public var lines: [String] { Set(targets.compactMap(\.line)).sorted() }

    /// The identifiers of the stops it names, sorted.
    public var stops: [String] { Set(targets.compactMap(\.stop)).sorted() }
}

/// What a banner tells of the notices in effect.
public struct DisruptionBanner: Hashable, Sendable {
    /// The most that one of them matters.
    public var severity: Disruption.Severity
    /// The texts, those that matter most first, then by their identifiers.
    public var texts: [String]
    /// The identifiers of the notices, in the same order.
    public var ids: [String]

    /// Makes a banner of the notices that hold at a time, or `nil` where none does.
    ///
    /// - Parameters:
    ///   - lines: the lines a rider looks at, or `nil` for all; notices about others are left out.
    ///   - names: what riders call lines, by identifier.
    ///   - read: the identifiers of notices that were read, which are left out.
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
