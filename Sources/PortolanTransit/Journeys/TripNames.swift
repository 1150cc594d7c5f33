/// A lookup of the trips that messages and rules refer to.
struct TripNames {
    private let timetable: Timetable
    /// Trips by identifier.
    ///
    /// A trip repeated by frequency has several indices.
    private var trips: [String: [Int]] = [:]
    private var lines: [String: Int] = [:]

    init(_ timetable: Timetable, wanted: [String]) {
        self.timetable = timetable
        var hashes: Set<UInt64> = []
        for name in wanted { hashes.insert(Self.hash(name.utf8)) }
        let ids = timetable.trips.ids
        for trip in 0..<ids.count where hashes.contains(Self.hash(ids.bytes[ids.range(of: trip)])) {
            trips[ids[trip], default: []].append(trip)
        }
        for (index, line) in timetable.lines.enumerated() { lines[line.id] = index }
    }

    /// Returns the index of a line, or `nil`.
    func line(named name: String) -> Int? { lines[name] }

    /// Returns the indices of the trips with an identifier.
    func trips(named name: String) -> [Int] { trips[name] ?? [] }

    /// Returns the trips of a reference.
    ///
    /// Without an identifier, these are the trips of its line and direction, which the start time must distinguish.
    func trips(of reference: TripReference) -> [Int] {
        if let name = reference.trip { return trips[name] ?? [] }
        guard let line = reference.line.flatMap({ lines[$0] }), reference.start != nil else { return [] }
        return timetable.patterns.filter {
            Int($0.line) == line && (reference.direction == nil || reference.direction == Int($0.direction))
        }.flatMap { Array($0.trips) }
    }

    /// FNV-1a hash, which avoids creating strings for trips that are not referenced.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
