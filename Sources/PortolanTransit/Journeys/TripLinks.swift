/// The trips that one vehicle runs in turn, as the feed links them: a vehicle may be coupled and uncoupled, so that one trip goes on as
/// several, and several as one (GTFS Schedule, "Linked trips").
struct TripLinks: Sendable {
    /// A trip in which passengers may stay.
    struct Next: Hashable, Sendable {
        var trip: Int32
        /// Days after the one on which the trip before began.
        var day: Int32
    }

    private var nexts: [Int32: [Next]] = [:]
    private var separated: Set<Int64> = []

    /// Finds the trips of links; what names a trip that is not there says nothing.
    init(_ timetable: Timetable) {
        guard !timetable.tripLinks.isEmpty else { return }
        let names = TripNames(timetable, wanted: timetable.tripLinks.flatMap { [$0.from, $0.to] })
        for link in timetable.tripLinks {
            // A trip that repeats stands for several: each goes on with the first that leaves after it came.
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

    /// The trips as which one goes on with its passengers.
    func next(after trip: Int32) -> [Next] { nexts[trip] ?? [] }

    /// Whether passengers must leave between two trips, whatever blocks say.
    func separates(_ trip: Int32, _ next: Int32) -> Bool { separated.contains(Self.pair(trip, next)) }
}
