import PortolanRouting

/// Finds stops and lines by their names, whatever their case and accents: "toolo" finds "Töölö".
public struct TransitSearch: Sendable {
    /// Something that was found.
    public enum Match: Hashable, Sendable {
        /// A stop, or a station, as an index of ``Timetable/stops``.
        case stop(Int)
        /// A line, as an index of ``Timetable/lines``.
        case line(Int)
    }

    private struct Entry: Sendable {
        var match: Match
        /// What it is found by: names, codes and identifiers.
        var names: [String]
        /// Stations come before their stops.
        var order: Int
    }

    private let entries: [Entry]

    /// Prepares the names of a timetable; of the stops of a station with its very name, the station alone is found.
    ///
    /// - Complexity: linear in stops and lines.
    public init(_ timetable: Timetable) {
        var entries: [Entry] = []
        for (index, line) in timetable.lines.enumerated() {
            let names = [line.shortName, line.longName, line.id].map(PlainName.of).filter { !$0.isEmpty }
            entries.append(Entry(match: .line(index), names: names, order: 0))
        }
        for (index, stop) in timetable.stops.enumerated() where stop.kind == .stop || stop.kind == .station {
            var names = [stop.name, stop.code, stop.id].map(PlainName.of)
            if let parent = stop.parent, timetable.stops[parent].name == stop.name { names[0] = "" }
            entries.append(
                Entry(match: .stop(index), names: names.filter { !$0.isEmpty }, order: stop.kind == .station ? 1 : 2))
        }
        self.entries = entries
    }

    /// What a text stands for, the best first: names that are the text, that begin with it, one of whose words does.
    ///
    /// - Parameter limit: the most that are wanted.
    /// - Complexity: linear in stops and lines.
    public func matches(_ text: String, limit: Int = 20) -> [Match] {
        let wanted = PlainName.of(text)
        guard !wanted.isEmpty, limit > 0 else { return [] }
        let found = entries.enumerated().compactMap { index, entry -> (rank: Int, order: Int, index: Int)? in
            guard let rank = entry.names.compactMap({ PlainName.rank($0, wanted) }).min() else { return nil }
            return (rank, entry.order, index)
        }
        return found.sorted { $0 < $1 }.prefix(limit).map { entries[$0.index].match }
    }
}
