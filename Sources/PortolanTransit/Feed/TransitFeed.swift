/// A feed of GTFS Schedule, read: its timetable, and what was wrong with it.
///
/// Read are agency, stops, routes, trips, stop_times, calendar, calendar_dates, shapes, frequencies, transfers and feed_info; other
/// files and columns are passed over. A row that cannot be used is left out and becomes a ``FeedProblem``; only a feed without what
/// no timetable can do without is an error.
///
///     let feed = try TransitFeed(at: "kuopio.zip")
///     print(feed.timetable.stops.count, feed.problems.count)
public struct TransitFeed: Sendable {
    /// The timetable.
    public let timetable: Timetable
    /// What was wrong, and left out.
    public internal(set) var problems: FeedProblems
    /// How many rows each file has that was read, by name.
    public let rowCounts: [String: Int]

    /// Reads the files of a folder, or of a ZIP archive, in which they may stand in a folder.
    ///
    /// - Parameters:
    ///   - path: a folder or an archive on this machine.
    ///   - limits: what the feed is held to.
    /// - Throws: ``TransitFeedError``, with file and line.
    /// - Complexity: linear in the feed; a folder's files are read piece by piece.
    public init(at path: String, limits: FeedLimits = FeedLimits()) throws(TransitFeedError) {
        try self.init(FeedFiles(at: path, limits: limits), limits: limits)
    }

    /// Reads a ZIP archive in memory.
    ///
    /// - Parameters:
    ///   - bytes: the archive.
    ///   - name: the name for messages.
    ///   - limits: what the feed is held to.
    public init(
        archive bytes: [UInt8], name: String = "feed.zip", limits: FeedLimits = FeedLimits()
    ) throws(TransitFeedError) {
        try self.init(FeedFiles(archive: bytes, name: name, limits: limits), limits: limits)
    }

    /// Reads files in memory, by their names.
    public init(files: [String: [UInt8]], limits: FeedLimits = FeedLimits()) throws(TransitFeedError) {
        try self.init(FeedFiles(files), limits: limits)
    }

    init(_ files: FeedFiles, limits: FeedLimits) throws(TransitFeedError) {
        var limits = limits
        limits.byteCount = min(limits.byteCount, FeedLimits().byteCount)
        limits.rowCount = min(limits.rowCount, Int(Int32.max))
        var reader = FeedReader(files, limits: limits)
        timetable = try reader.read()
        problems = reader.problems
        rowCounts = reader.rowCounts
    }
}
