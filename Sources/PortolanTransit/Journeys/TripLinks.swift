/// The links between trips that one vehicle runs in turn.
///
/// Vehicles may be coupled and split, so one trip may continue as several, and several as one (GTFS Schedule, "Linked
/// trips").
struct TripLinks: Sendable {
    /// A trip in which passengers may stay seated.
    struct Next: Hashable, Sendable {
        var trip: Int32
        /// The number of days after the service day of the previous trip.
        var day: Int32
    }

    private var nexts: [Int32: [Next]] = [:]
    private var separated: Set<Int64> = []

    /// Collects the trip links of a timetable.
    ///
    /// Links of unknown trips are ignored.
    init(_ timetable: Timetable) {
        guard !timetable.tripLinks.isEmpty else { return }
        let names = TripNames(timetable, wanted: timetable.tripLinks.flatMap { [$0.from, $0.to] })
        for link in timetable.tripLinks {
            // A repeating trip has several runs. Each continues as the first one that departs after its arrival.
            let ends = names.trips(named: link.to).compactMap { trip in
                timetable.span(of: trip).map { (trip: Int32(trip), begin: $0.begin) }
            }.sorted { $0.begin < $1.begin }
            for trip in names.trips(named: link.from) {
                guard let end = timetable.span(of: trip)?.end, let first = ends.first else { continue }
                let next = ends.first { $0.begin >= end }
                let from = Int32(trip), to = Next(trip: (next ?? first).trip, day: next == nil ? 1 : 0)
                if link.staysSeated {
                    if nexts[from]?.contains(to) != true { nexts[from, default: []].append(to) }
                } else {
                    for other in ends { separated.insert(Self.pair(from, other.trip)) }
                }
            }
        }
    }

    private static func pair(_ from: Int32, _ to: Int32) -> Int64 { Int64(from) << 32 | Int64(to) }

    var isEmpty: Bool { nexts.isEmpty }

    /// Returns the trips that continue a trip with its passengers.
    func next(after trip: Int32) -> [Next] { nexts[trip] ?? [] }

    /// Returns whether passengers must alight between two trips, regardless of blocks.
    func separates(_ trip: Int32, _ next: Int32) -> Bool { separated.contains(Self.pair(trip, next)) }
}
