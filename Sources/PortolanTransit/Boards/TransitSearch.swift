import PortolanRouting

/// A search for stops and lines by name, ignoring case and accents: "toolo" finds "Töölö".
public struct TransitSearch: Sendable {
    /// A search result.
    public enum Match: Hashable, Sendable {
        /// A stop or a station, as an index into ``Timetable/stops``.
        case stop(Int)
        /// A line, as an index into ``Timetable/lines``.
        case line(Int)
    }

    private struct Entry: Sendable {
        var match: Match
        /// The searchable names, codes and identifiers.
        var names: [String]
        /// The sort order between equal ranks: stations before stops.
        var order: Int
    }

    private let entries: [Entry]

    /// Indexes the names of a timetable.
    ///
    /// Stops with the same name as their station are represented by the station.
    ///
    /// - Complexity: linear in the number of stops and lines.
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

    /// Returns the matches for a text, best first: exact names, then names that begin with it, then names with a word
    /// that begins with it.
    ///
    /// - Parameter limit: the maximum number of matches.
    /// - Complexity: linear in the number of stops and lines.
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
