import PortolanGeo

/// A complete timetable in columns: agencies, lines, stops, trips, times and service days.
///
/// Trips are grouped by pattern. All trips of a pattern have the same line, direction, stops and boarding rules, and
/// none overtakes another. Times are in seconds after the start of the service day, which is twelve hours before its
/// noon (GTFS Schedule, "Time"). They exceed 24 hours for trips after midnight.
public struct Timetable: Hashable, Sendable {
    /// The agencies that operate the lines.
    public internal(set) var agencies: [Timetable.Agency] = []
    /// The stops, stations and parts of stations.
    public internal(set) var stops: [Timetable.Stop] = []
    /// The lines.
    public internal(set) var lines: [Timetable.Line] = []
    /// The service days.
    public internal(set) var calendar = Timetable.ServiceCalendar()
    /// The publisher and the validity of the feed.
    public internal(set) var feed = Timetable.FeedInfo()
    /// The transfer rules between stops.
    public internal(set) var transfers: [Timetable.TransferRule] = []
    /// The links between trips that one vehicle runs in turn.
    public internal(set) var tripLinks: [Timetable.TripLink] = []

    var patterns: [Pattern] = []
    /// The stops of the patterns, indexed by ``Pattern/stops``.
    var patternStops: [Int32] = []
    /// The boarding rules for each of ``patternStops``.
    var patternRules: [StopRules] = []
    /// The `stop_sequence` for each of ``patternStops``, which live messages refer to.
    var patternSequences: [Int32] = []
    var trips = TripTable()
    /// The arrival times in seconds of the service day, indexed by ``timeIndex(trip:stop:in:)``.
    var arrivals: [Int32] = []
    /// The departure times, indexed like ``arrivals``.
    var departures: [Int32] = []
    var shapes = ShapeTable()
    /// Headsigns, platforms and blocks, without duplicates.
    var words = TextColumn()
    /// Headsigns that apply from a stop on: word indices by index in ``departures``.
    var stopHeadsigns: [Int: Int32] = [:]

    /// Creates an empty timetable.
    public init() {}

    /// The number of trips.
    ///
    /// Each repetition of a trip by frequency counts.
    public var tripCount: Int { trips.services.count }
    /// The number of stop times.
    public var stopTimeCount: Int { departures.count }

    /// A group of trips with the same stops.
    struct Pattern: Hashable, Sendable {
        /// The line index.
        var line: Int32
        /// The direction, 0 or 1, or -1 if it is unknown.
        var direction: Int8
        /// The range of its stops in ``Timetable/patternStops``.
        var stops: Range<Int>
        /// Its trips in running order.
        var trips: Range<Int>
        /// The index of the first time of its first trip, followed by those of the next trips.
        var times: Int
    }

    /// The boarding and alighting rules of a call.
    struct StopRules: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        /// Boarding is possible (`pickup_type` other than 1).
        static let boards = StopRules(rawValue: 1)
        /// Alighting is possible (`drop_off_type` other than 1).
        static let alights = StopRules(rawValue: 2)
        /// Boarding must be arranged by phone or with the driver (`pickup_type` 2 and 3).
        static let boardsOnRequest = StopRules(rawValue: 4)
        /// Alighting must be arranged (`drop_off_type` 2 and 3).
        static let alightsOnRequest = StopRules(rawValue: 8)
        /// Times are exact (`timepoint` other than 0) rather than interpolated.
        static let timed = StopRules(rawValue: 16)
    }

    /// The properties of trips, as columns.
    struct TripTable: Hashable, Sendable {
        var ids = TextColumn()
        /// The service index.
        var services: [Int32] = []
        /// The pattern index.
        var patterns: [Int32] = []
        /// The word index, or -1.
        var headsigns: [Int32] = []
        /// The word index, or -1.
        var shortNames: [Int32] = []
        /// The word index, or -1.
        ///
        /// A vehicle runs the trips of a block in turn, and passengers may stay seated.
        var blocks: [Int32] = []
        /// The shape index, or -1.
        var shapes: [Int32] = []
        /// The raw value of ``Timetable/Stop/Access``.
        var wheelchair: [UInt8] = []
        var bicycles: [UInt8] = []
        /// The headway in seconds for trips without exact times (frequencies.txt), otherwise 0.
        var headways: [Int32] = []
    }

    /// The shapes of trips, as columns.
    struct ShapeTable: Hashable, Sendable {
        var ids = TextColumn()
        /// The end index of each shape's points.
        var ends: [Int] = []
        var longitudes: [Double] = []
        var latitudes: [Double] = []
    }

    /// Returns the index in ``arrivals`` and ``departures`` for a trip at the n-th stop of its pattern.
    func timeIndex(trip: Int, stop: Int, in pattern: Pattern) -> Int {
        pattern.times + (trip - pattern.trips.lowerBound) * pattern.stops.count + stop
    }

    /// Returns the points of a shape, in degrees.
    func path(ofShape shape: Int) -> [Coordinate] {
        guard shapes.ends.indices.contains(shape) else { return [] }
        return ((shape == 0 ? 0 : shapes.ends[shape - 1])..<shapes.ends[shape]).map {
            Coordinate(x: shapes.longitudes[$0], y: shapes.latitudes[$0])
        }
    }
}

extension Timetable {
    /// The publisher and the validity of a feed (GTFS Schedule, feed_info.txt).
    public struct FeedInfo: Hashable, Sendable {
        /// The publisher, to be credited in maps made from the feed.
        public var publisher = ""
        /// The URL of the publisher.
        public var url = ""
        /// The language of the feed (BCP 47).
        public var language = ""
        /// The version of the feed.
        public var version = ""
        /// The first valid day, or `nil`.
        public var from: ServiceDay?
        /// The last valid day, or `nil`.
        public var to: ServiceDay?

        /// Creates an empty value.
        public init() {}
    }
}

extension Timetable {
    /// The service days: calendar.txt with the exceptions of calendar_dates.txt.
    public struct ServiceCalendar: Hashable, Sendable {
        /// The days that the calendar covers, or `nil` if no service ever runs.
        public internal(set) var days: ClosedRange<ServiceDay>?
        /// The identifiers of the services.
        var ids = TextColumn()
        /// One bit for each day of ``days``, by service.
        var bits: [UInt64] = []

        /// Creates an empty calendar.
        public init() {}

        /// The number of 64-bit words for each service.
        var wordCount: Int { days.map { ($0.upperBound.daysSince1970 - $0.lowerBound.daysSince1970) / 64 + 1 } ?? 0 }

        /// Returns whether a service runs on a day.
        func runs(_ service: Int, on day: ServiceDay) -> Bool {
            guard let days, days.contains(day) else { return false }
            let bit = day.daysSince1970 - days.lowerBound.daysSince1970
            return bits[service * wordCount + bit / 64] >> UInt64(bit % 64) & 1 == 1
        }

        /// The number of services.
        public var serviceCount: Int { ids.count }
    }
}

/// A column of short texts in contiguous memory.
struct TextColumn: Hashable, Sendable {
    /// The texts in UTF-8, one after the other.
    var bytes: [UInt8] = []
    /// The end index of each text.
    var ends: [UInt32] = []

    var count: Int { ends.count }

    subscript(index: Int) -> String {
        String(decoding: bytes[range(of: index)], as: UTF8.self)
    }

    /// Returns the range of a text in ``bytes``.
    func range(of index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
    }

    /// Appends a text in UTF-8 and returns its index.
    @discardableResult
    mutating func append(_ text: some Collection<UInt8>) -> Int {
        bytes.append(contentsOf: text)
        ends.append(UInt32(bytes.count))
        return ends.count - 1
    }
}
