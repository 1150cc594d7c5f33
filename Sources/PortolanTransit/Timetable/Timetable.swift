import PortolanGeo

/// A whole timetable in columns: who runs what, where it stops, when, and on which days.
///
/// Trips are kept by pattern: those of one pattern have the same line and direction and stop at the same stops in the same order
/// under the same rules, and none overtakes another. Times are seconds after the beginning of a service day, which is twelve
/// hours before its noon (GTFS Schedule, "Time"); they pass 24 hours where a night does.
public struct Timetable: Hashable, Sendable {
    /// Who runs the lines.
    public internal(set) var agencies: [Agency] = []
    /// The stops, and parts of stations.
    public internal(set) var stops: [TransitStop] = []
    /// The lines.
    public internal(set) var lines: [TransitLine] = []
    /// On which days services run.
    public internal(set) var calendar = ServiceCalendar()
    /// Who publishes the feed, and for which days.
    public internal(set) var feed = FeedInfo()
    /// How passengers change between stops.
    public internal(set) var transfers: [TransferRule] = []
    /// Which trips one vehicle runs in turn.
    public internal(set) var tripLinks: [TripLink] = []

    var patterns: [Pattern] = []
    /// The stops of patterns, by ``Pattern/stops``.
    var patternStops: [Int32] = []
    /// What may be done at each of ``patternStops``.
    var patternRules: [StopRules] = []
    /// What messages count ``patternStops`` by: the `stop_sequence` of the feed.
    var patternSequences: [Int32] = []
    var trips = TripTable()
    /// When trips arrive, by ``timeIndex(trip:stop:in:)``, in seconds of the service day.
    var arrivals: [Int32] = []
    /// When they depart.
    var departures: [Int32] = []
    var shapes = ShapeTable()
    /// Headsigns, platforms, and blocks, each once.
    var words = TextColumn()
    /// What a trip shows from a stop on, where it differs from its headsign: words, by index of ``departures``.
    var stopHeadsigns: [Int: Int32] = [:]

    /// Makes a timetable of nothing.
    public init() {}

    /// How many trips there are; a trip that repeats by its frequency counts as often as it runs.
    public var tripCount: Int { trips.services.count }
    /// How many times of trips at stops there are.
    public var stopTimeCount: Int { departures.count }

    /// Trips that stop alike.
    struct Pattern: Hashable, Sendable {
        /// The line.
        var line: Int32
        /// The direction, 0 or 1, or -1 where it is not told.
        var direction: Int8
        /// Its stops in ``Timetable/patternStops``.
        var stops: Range<Int>
        /// Its trips, in the order in which they run.
        var trips: Range<Int>
        /// Where the times of its first trip begin; those of the next follow.
        var times: Int
    }

    /// What passengers may do where a trip stops.
    struct StopRules: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        /// Boarding is possible (`pickup_type` other than 1).
        static let boards = StopRules(rawValue: 1)
        /// Leaving is possible (`drop_off_type` other than 1).
        static let alights = StopRules(rawValue: 2)
        /// Boarding must be arranged: by telephone or with the driver (`pickup_type` 2 and 3).
        static let boardsOnRequest = StopRules(rawValue: 4)
        /// Leaving must be arranged (`drop_off_type` 2 and 3).
        static let alightsOnRequest = StopRules(rawValue: 8)
        /// Times are exact (`timepoint` other than 0), not guessed between others.
        static let timed = StopRules(rawValue: 16)
    }

    /// What is known of trips, by number.
    struct TripTable: Hashable, Sendable {
        var ids = TextColumn()
        /// The service by whose days it runs.
        var services: [Int32] = []
        /// Its pattern.
        var patterns: [Int32] = []
        /// Words, or -1.
        var headsigns: [Int32] = []
        /// Words, or -1.
        var shortNames: [Int32] = []
        /// Words, or -1: a vehicle runs the trips of a block one after the other, and passengers may stay seated.
        var blocks: [Int32] = []
        /// The shape, or -1.
        var shapes: [Int32] = []
        /// Of ``TransitStop/Access``.
        var wheelchair: [UInt8] = []
        var bicycles: [UInt8] = []
        /// How far apart in seconds trips run whose times are not exact (frequencies.txt), else 0.
        var headways: [Int32] = []
    }

    /// The ways of trips, by number.
    struct ShapeTable: Hashable, Sendable {
        var ids = TextColumn()
        /// Where the points of each shape end.
        var ends: [Int] = []
        var longitudes: [Double] = []
        var latitudes: [Double] = []
    }

    /// Where the time of a trip at the n-th stop of its pattern stands in ``arrivals`` and ``departures``.
    func timeIndex(trip: Int, stop: Int, in pattern: Pattern) -> Int {
        pattern.times + (trip - pattern.trips.lowerBound) * pattern.stops.count + stop
    }

    /// The points of a shape, in degrees.
    func path(ofShape shape: Int) -> [Coordinate] {
        guard shapes.ends.indices.contains(shape) else { return [] }
        return ((shape == 0 ? 0 : shapes.ends[shape - 1])..<shapes.ends[shape]).map {
            Coordinate(x: shapes.longitudes[$0], y: shapes.latitudes[$0])
        }
    }
}

/// Who publishes a feed, and for which days (GTFS Schedule, feed_info.txt).
public struct FeedInfo: Hashable, Sendable {
    /// Who publishes it: to be named beside what is drawn of it.
    public var publisher = ""
    /// The publisher's page.
    public var url = ""
    /// The language of its texts (BCP 47).
    public var language = ""
    /// Its version.
    public var version = ""
    /// The first day it tells of, or `nil`.
    public var from: ServiceDay?
    /// The last one, or `nil`.
    public var to: ServiceDay?

    /// Makes an empty one.
    public init() {}
}

/// On which days services run: calendar.txt with the exceptions of calendar_dates.txt.
public struct ServiceCalendar: Hashable, Sendable {
    /// The days about which it knows, or `nil` when no service ever runs.
    public internal(set) var days: ClosedRange<ServiceDay>?
    /// The identifiers of services.
    var ids = TextColumn()
    /// A bit for each day of ``days``, by service.
    var bits: [UInt64] = []

    /// Makes a calendar on which nothing runs.
    public init() {}

    /// Words of bits a service has.
    var wordCount: Int { days.map { ($0.upperBound.daysSince1970 - $0.lowerBound.daysSince1970) / 64 + 1 } ?? 0 }

    /// Whether a service runs on a day.
    func runs(_ service: Int, on day: ServiceDay) -> Bool {
        guard let days, days.contains(day) else { return false }
        let bit = day.daysSince1970 - days.lowerBound.daysSince1970
        return bits[service * wordCount + bit / 64] >> UInt64(bit % 64) & 1 == 1
    }

    /// How many services there are.
    public var serviceCount: Int { ids.count }
}

/// Many short texts in one piece of memory, by number.
struct TextColumn: Hashable, Sendable {
    /// The texts in UTF-8, one after the other.
    var bytes: [UInt8] = []
    /// Where each text ends.
    var ends: [UInt32] = []

    var count: Int { ends.count }

    subscript(index: Int) -> String {
        String(decoding: bytes[range(of: index)], as: UTF8.self)
    }

    /// Where a text lies in ``bytes``.
    func range(of index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
    }

    /// Takes a text in UTF-8 and tells its number.
    @discardableResult
    mutating func append(_ text: some Collection<UInt8>) -> Int {
        bytes.append(contentsOf: text)
        ends.append(UInt32(bytes.count))
        return ends.count - 1
    }
}
