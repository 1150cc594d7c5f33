/// A GTFS Schedule feed: its timetable and the problems found in it.
///
/// The reader supports agency, stops, routes, trips, stop_times, calendar, calendar_dates, shapes, frequencies,
/// transfers and feed_info. Other files and columns are ignored. An unusable row is omitted and becomes a
/// ``TransitFeed/Problem``. Reading fails only if the feed is unreadable, lacks a required file or column, or exceeds a limit.
///
///     let feed = try TransitFeed(at: "kuopio.zip")
///     print(feed.timetable.stops.count, feed.problems.count)
public struct TransitFeed: Sendable {
    /// The timetable.
    public let timetable: Timetable
    /// The problems found while reading, including every omission.
    public internal(set) var problems: TransitFeed.Problems
    /// The number of rows of each file, by file name.
    public let rowCounts: [String: Int]

    /// Reads a feed from a folder or a ZIP archive.
    ///
    /// The files of an archive may be in a subfolder.
    ///
    /// - Parameters:
    ///   - path: the path of a folder or an archive.
    ///   - limits: the limits for untrusted feeds.
    /// - Throws: ``TransitFeed/ReadError``, with file and line.
    /// - Complexity: linear in the size of the feed; the files of a folder are read in pieces.
    public init(at path: String, limits: TransitFeed.Limits = TransitFeed.Limits()) throws(TransitFeed.ReadError) {
        try self.init(FeedFiles(at: path, limits: limits), limits: limits)
    }

    /// Reads a feed from a ZIP archive in memory.
    ///
    /// - Parameters:
    ///   - bytes: the archive.
    ///   - name: the name used in messages.
    ///   - limits: the limits for untrusted feeds.
    public init(
        archive bytes: [UInt8], name: String = "feed.zip", limits: TransitFeed.Limits = TransitFeed.Limits()
    ) throws(TransitFeed.ReadError) {
        try self.init(FeedFiles(archive: bytes, name: name, limits: limits), limits: limits)
    }

    /// Reads a feed from files in memory, by name.
    public init(
        files: [String: [UInt8]], limits: TransitFeed.Limits = TransitFeed.Limits()
    ) throws(TransitFeed.ReadError) {
        try self.init(FeedFiles(files), limits: limits)
    }

    init(_ files: FeedFiles, limits: TransitFeed.Limits) throws(TransitFeed.ReadError) {
        var limits = limits
        limits.byteCount = min(limits.byteCount, TransitFeed.Limits().byteCount)
        limits.rowCount = min(limits.rowCount, Int(Int32.max))
        var reader = FeedReader(files, limits: limits)
        timetable = try reader.read()
        problems = reader.problems
        rowCounts = reader.rowCounts
    }
}
