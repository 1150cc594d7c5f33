import Foundation
import PortolanFormats
import PortolanGeo
import PortolanRaster

/// A reader for the files of a feed, in the order of their references: referenced tables first, stop times last.
struct FeedReader {
    let files: FeedFiles
    let limits: TransitFeed.Limits
    /// The number of bytes of stop times that a thread reads at once.
    var pieceLength = 1 << 18
    /// The number of threads that read stop times.
    var threadCount = min(ProcessInfo.processInfo.activeProcessorCount, 8)
    var timetable = Timetable()
    var problems: TransitFeed.Problems
    /// The number of rows by file.
    var rowCounts: [String: Int] = [:]
    var agencies = TextIndex()
    var stops = TextIndex()
    var lines = TextIndex()
    var services = TextIndex()
    var shapes = TextIndex()
    var words = TextIndex()
    var trips = RawTrips()
    /// Omitted trips, whose stop times are not reported again.
    var lostTrips = TextIndex()
    var times = RawStopTimes()
    /// The memory account of the tables until the feed is read.
    var charge: MemoryCharge?
    /// The number of bytes charged for stop times.
    private var chargedTimes = 0

    init(_ files: FeedFiles, limits: TransitFeed.Limits) {
        self.files = files
        self.limits = limits
        problems = TransitFeed.Problems(limit: limits.problemCount)
        // A charge of 0 bytes always succeeds.
        charge = try? limits.memory?.charge(0)
    }

    /// Charges the memory of the stop times read so far and of their headsigns.
    mutating func charge(_ times: RawStopTimes, of file: String, line: Int) throws(TransitFeed.ReadError) {
        let more = max(0, times.memory + words.memory - chargedTimes)
        try take(more, for: file, line: line)
        chargedTimes += more
    }

    /// Charges the memory of a file.
    func take(_ byteCount: Int, for file: String, line: Int = 0) throws(TransitFeed.ReadError) {
        do throws(MemoryBudget.ExceededError) { try charge?.grow(by: byteCount) } catch {
            throw .memory(file: file, line: line, what: "too large for memory: \(error)")
        }
    }

    /// Reads the whole feed.
    mutating func read() throws(TransitFeed.ReadError) -> Timetable {
        try readAgencies()
        try readFeedInfo()
        try readCalendar()
        try readStops()
        try readLines()
        try readShapes()
        try readTrips()
        let frequencies = try readFrequencies()
        try readStopTimes()
        arrangeStopTimes()
        try readTransfers()
        var builder = PatternBuilder(
            trips: trips, times: times, frequencies: frequencies, lineCount: timetable.lines.count,
            threadCount: threadCount)
        try builder.build(into: &timetable, limits: limits)
        timetable.words = words.texts
        return timetable
    }

    /// Opens a file that may be missing or empty.
    ///
    /// - Parameter rowMemory: the approximate memory in bytes for each row besides its text; 0 if the caller charges
    ///   rows itself.
    func table(_ file: String, rowMemory: Int) throws(TransitFeed.ReadError) -> FeedTable? {
        let table = try FeedTable(file, in: files, limits: limits, charge: charge, rowMemory: rowMemory)
        guard let table, !table.names.isEmpty else { return nil }
        return table
    }

    /// Opens a required file.
    func requiredTable(_ file: String, rowMemory: Int) throws(TransitFeed.ReadError) -> FeedTable {
        guard let table = try FeedTable(file, in: files, limits: limits, charge: charge, rowMemory: rowMemory) else {
            throw .missingFile(file)
        }
        return table
    }

    /// Returns the indices of required columns in an optional file; reports missing ones and returns `nil`.
    mutating func columns(_ names: [String], of table: FeedTable) -> [Int]? {
        let places = names.map { table.column($0) }
        for (name, place) in zip(names, places) where place < 0 {
            problems.add(
                .missingColumn, .error, file: table.file, line: 1, column: name, "missing column; the file is not read")
        }
        return places.contains(-1) ? nil : places
    }

    /// Returns whether a row is usable, and reports its fault otherwise.
    @inline(__always)
    mutating func isWhole(_ table: borrowing FeedTable) -> Bool {
        guard let fault = table.fault else { return true }
        return report(fault, file: table.file, line: table.line)
    }

    private mutating func report(_ fault: RowScanner.Fault, file: String, line: Int) -> Bool {
        switch fault {
        case .tooManyValues:
            problems.add(.tooManyValues, .notice, file: file, line: line, "more values than columns")
            return true
        case .unclosedQuote:
            problems.add(.quoting, .error, file: file, line: line, "unclosed quote")
        case .textBehindQuote:
            problems.add(.quoting, .error, file: file, line: line, "text after a closing quote")
        }
        return false
    }

    /// Adds a problem of a value.
    mutating func note(
        _ kind: TransitFeed.Problem.Kind, _ severity: TransitFeed.Problem.Severity, _ table: FeedTable, _ column: Int,
        _ what: @autoclosure () -> String
    ) {
        problems.add(
            kind, severity, file: table.file, line: table.line,
            column: column >= 0 && column < table.names.count ? table.names[column] : nil, what())
    }

    /// Returns the text of a value; invalid UTF-8 is reported.
    mutating func text(_ table: FeedTable, _ column: Int) -> String {
        let range = table.range(column)
        guard !range.isEmpty else { return "" }
        if let text = String(validating: table.bytes[range], as: UTF8.self) { return text }
        note(.encoding, .warning, table, column, "invalid UTF-8")
        return table.text(column)
    }

    /// Returns the index of a text in ``words``, or -1 if it is empty.
    mutating func word(_ table: FeedTable, _ column: Int) -> Int32 {
        let range = table.range(column)
        guard !range.isEmpty else { return -1 }
        let (number, isNew) = words.insert(table.bytes, in: range)
        if isNew { _ = text(table, column) }
        return number
    }

    /// Returns the index of a new identifier; reports empty and duplicate ones and returns `nil`.
    mutating func newID(
        _ index: WritableKeyPath<FeedReader, TextIndex>, _ table: FeedTable, _ column: Int
    ) -> Int32? {
        let range = table.range(column)
        guard !range.isEmpty else {
            note(.empty, .error, table, column, "the identifier is empty")
            return nil
        }
        let (number, isNew) = self[keyPath: index].insert(table.bytes, in: range)
        guard isNew else {
            note(.duplicate, .error, table, column, "duplicate \(table.quoted(column))")
            return nil
        }
        return number
    }

    /// Returns a number from 0 to a maximum, or 0 if it is empty; other values are reported.
    mutating func choice(_ table: FeedTable, _ column: Int, upTo greatest: Int32) -> Int32 {
        let value = table.integer(column)
        guard value != FeedTable.blank else { return 0 }
        guard (0...greatest).contains(value) else {
            note(.unknownValue, .warning, table, column, "\(table.quoted(column)) is not a valid value")
            return 0
        }
        return value
    }

    private mutating func readAgencies() throws(TransitFeed.ReadError) {
        var table = try requiredTable("agency.txt", rowMemory: 300)
        let id = table.column("agency_id"), name = try table.required("agency_name")
        let zone = try table.required("agency_timezone"), url = table.column("agency_url")
        let language = table.column("agency_lang"), phone = table.column("agency_phone")
        while try table.next() {
            guard isWhole(table) else { continue }
            // A single agency may omit its identifier.
            guard agencies.insert(table.bytes, in: table.range(id)).isNew else {
                note(.duplicate, .error, table, id, "duplicate \(table.quoted(id))")
                continue
            }
            var agency = Timetable.Agency(name: text(table, name), timeZone: text(table, zone))
            if agency.name.isEmpty { note(.empty, .warning, table, name, "the agency has no name") }
            if TimeZone(identifier: agency.timeZone) == nil {
                note(.malformed, .warning, table, zone, "unknown time zone \(table.quoted(zone))")
            }
            agency.id = text(table, id)
            agency.url = text(table, url)
            agency.language = text(table, language)
            agency.phone = text(table, phone)
            timetable.agencies.append(agency)
        }
        rowCounts[table.file] = table.rowCount
        if timetable.agencies.isEmpty {
            problems.add(.empty, .warning, file: table.file, "no agency; times are read as UTC")
        } else if ServiceDay.Clock.knownTimeZone(of: timetable) == nil {
            problems.add(
                .malformed, .warning, file: table.file, column: "agency_timezone",
                "no known time zone; times are read as UTC")
        }
    }

    private mutating func readFeedInfo() throws(TransitFeed.ReadError) {
        guard var table = try table("feed_info.txt", rowMemory: 0) else { return }
        let publisher = table.column("feed_publisher_name"), url = table.column("feed_publisher_url")
        let language = table.column("feed_lang"), version = table.column("feed_version")
        let from = table.column("feed_start_date"), to = table.column("feed_end_date")
        while try table.next() {
            guard isWhole(table), table.rowCount == 1 else { continue }
            timetable.feed.publisher = text(table, publisher)
            timetable.feed.url = text(table, url)
            timetable.feed.language = text(table, language)
            timetable.feed.version = text(table, version)
            for (column, isFirst) in [(from, true), (to, false)] where !table.range(column).isEmpty {
                let day = table.day(column)
                if day == nil {
                    note(.malformed, .warning, table, column, "\(table.quoted(column)) is not a valid date")
                }
                if isFirst { timetable.feed.from = day } else { timetable.feed.to = day }
            }
        }
        rowCounts[table.file] = table.rowCount
    }

    private mutating func readLines() throws(TransitFeed.ReadError) {
        var table = try requiredTable("routes.txt", rowMemory: 300)
        let id = try table.required("route_id"), agency = table.column("agency_id")
        let short = table.column("route_short_name"), long = table.column("route_long_name")
        let type = try table.required("route_type"), details = table.column("route_desc")
        let url = table.column("route_url"), color = table.column("route_color")
        let textColor = table.column("route_text_color"), order = table.column("route_sort_order")
        while try table.next() {
            guard isWhole(table), newID(\.lines, table, id) != nil else { continue }
            let kind = table.integer(type)
            if kind < 0 || !((0...7).contains(kind) || (11...12).contains(kind) || (100...1799).contains(kind)) {
                note(.unknownValue, .warning, table, type, "unknown route type \(table.quoted(type))")
            }
            var line = Timetable.Line(
                id: table.text(id), shortName: text(table, short), mode: TransitMode(routeType: Int(kind)))
            line.longName = text(table, long)
            if line.shortName.isEmpty, line.longName.isEmpty {
                note(.empty, .warning, table, short, "the route has neither a short nor a long name")
            }
            line.details = text(table, details)
            line.url = text(table, url)
            line.color = colorValue(table, color)
            line.textColor = colorValue(table, textColor)
            let place = table.integer(order)
            line.sortOrder = place >= 0 ? Int(place) : nil
            if table.range(agency).isEmpty {
                line.agency = timetable.agencies.count == 1 ? 0 : nil
            } else {
                let number = agencies.number(of: table.bytes, in: table.range(agency))
                line.agency = number < 0 ? nil : Int(number)
                if number < 0 {
                    note(.unknownReference, .warning, table, agency, "unknown agency \(table.quoted(agency))")
                }
            }
            timetable.lines.append(line)
        }
        rowCounts[table.file] = table.rowCount
    }

    private mutating func colorValue(_ table: FeedTable, _ column: Int) -> UInt32? {
        guard !table.range(column).isEmpty else { return nil }
        let color = table.color(column)
        if color == nil { note(.malformed, .warning, table, column, "\(table.quoted(column)) is not a valid colour") }
        return color
    }
}
