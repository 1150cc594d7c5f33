/// Reading of service days: weekly services in calendar.txt and exceptions in calendar_dates.txt.
extension FeedReader {
    private struct Week {
        var service: Int32
        var weekdays: UInt8
        var from: Int
        var to: Int
        var line: Int
    }
    private struct Exception {
        var service: Int32
        var day: Int
        var runs: Bool
        var line: Int
    }

    mutating func readCalendar() throws(TransitFeed.ReadError) {
        let weeks = try readWeeks(), exceptions = try readExceptions()
        guard let weeks = weeks ?? (exceptions == nil ? nil : []) else { throw .missingFile("calendar.txt") }
        let kept = within(weeks, exceptions ?? [])
        let first = (kept.weeks.map(\.from) + kept.exceptions.map(\.day)).min()
        let last = (kept.weeks.map(\.to) + kept.exceptions.map(\.day)).max()
        var calendar = Timetable.ServiceCalendar()
        calendar.ids = services.texts
        guard let first, let last else {
            timetable.calendar = calendar
            return
        }
        calendar.days = ServiceDay(daysSince1970: first)...ServiceDay(daysSince1970: last)
        let wordCount = calendar.wordCount
        guard services.count <= limits.serviceDayCount / 64 / wordCount else {
            throw .limitExceeded(
                file: "calendar.txt", line: 0,
                what: "\(services.count) services over \(last - first + 1) days exceed the limit")
        }
        calendar.bits = [UInt64](repeating: 0, count: services.count * wordCount)
        for week in kept.weeks { calendar.add(week.weekdays, from: week.from, to: week.to, service: Int(week.service)) }
        for exception in kept.exceptions {
            let bit = exception.day - first, word = Int(exception.service) * wordCount + bit / 64
            let mask = UInt64(1) << UInt64(bit % 64)
            if exception.runs { calendar.bits[word] |= mask } else { calendar.bits[word] &= ~mask }
        }
        timetable.calendar = calendar
    }

    /// Clips weeks and exceptions to a window of at most ``TransitFeed/Limits/dayCount`` days that contains most rows.
    ///
    /// Years of another century are usually typing errors, and so may be one end of a range.
    ///
    /// - Complexity: O(rows · log rows) if the days span more than the limit, otherwise linear.
    private mutating func within(_ weeks: [Week], _ exceptions: [Exception]) -> (weeks: [Week], exceptions: [Exception])
    {
        let begins = weeks.map(\.from) + exceptions.map(\.day)
        guard let earliest = begins.min(), let latest = (weeks.map(\.to) + exceptions.map(\.day)).max(),
            latest - earliest >= limits.dayCount
        else { return (weeks, exceptions) }
        let first = Self.windowStart(begins.sorted(), dayCount: max(1, limits.dayCount))
        // Services share the budget of days, so that an open-ended service does not use all of it.
        let fair = first + max(64, limits.serviceDayCount / max(1, services.count) / 64 * 64) - 1
        let end = first + max(1, limits.dayCount) - 1
        let whole = (weeks.map(\.to) + exceptions.map(\.day)).filter { $0 <= end }.max() ?? first
        let last = min(end, max(fair, whole))
        let window = ServiceDay(daysSince1970: first)...ServiceDay(daysSince1970: last)
        var kept: (weeks: [Week], exceptions: [Exception]) = ([], [])
        for var week in weeks {
            let isIn = week.from <= last && week.to >= first, isWhole = week.from >= first && week.to <= last
            if !isWhole {
                problems.add(
                    .limit, isIn ? .warning : .error, file: "calendar.txt", line: week.line,
                    "\"\(services.texts[Int(week.service)])\" is far from the other dates; only \(window.lowerBound) to \(window.upperBound) are kept"
                )
            }
            guard isIn else { continue }
            (week.from, week.to) = (max(week.from, first), min(week.to, last))
            kept.weeks.append(week)
        }
        for exception in exceptions {
            if (first...last).contains(exception.day) {
                kept.exceptions.append(exception)
            } else {
                problems.add(
                    .limit, .error, file: "calendar_dates.txt", line: exception.line,
                    "\(ServiceDay(daysSince1970: exception.day)) is far from the other dates; only \(window.lowerBound) to \(window.upperBound) are kept"
                )
            }
        }
        return kept
    }

    /// Returns the first day of the window of `dayCount` days that contains most of the sorted days; ties go to the one
    /// nearest to 1970.
    private static func windowStart(_ days: [Int], dayCount: Int) -> Int {
        var best = (start: 0, count: 0), end = 0
        for (place, day) in days.enumerated() {
            while end < days.count, days[end] - day < dayCount { end += 1 }
            let count = end - place
            if count > best.count || count == best.count && abs(day) < abs(best.start) { best = (day, count) }
        }
        return best.start
    }

    private mutating func readWeeks() throws(TransitFeed.ReadError) -> [Week]? {
        guard var table = try table("calendar.txt", rowMemory: 100) else { return nil }
        let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        guard let places = columns(["service_id", "start_date", "end_date"] + names, of: table) else { return nil }
        let id = places[0], from = places[1], to = places[2], weekdays = places.dropFirst(3)
        var weeks: [Week] = []
        while try table.next() {
            guard isWhole(table), let service = newID(\.services, table, id) else { continue }
            guard let first = table.day(from), let last = table.day(to) else {
                let column = table.day(from) == nil ? from : to
                note(.malformed, .error, table, column, "\(table.quoted(column)) is not a valid date")
                continue
            }
            guard first <= last else {
                note(.backwards, .error, table, to, "the service ends before it begins")
                continue
            }
            var bits: UInt8 = 0
            for (day, column) in weekdays.enumerated() where choice(table, column, upTo: 1) == 1 { bits |= 1 << day }
            weeks.append(
                Week(
                    service: service, weekdays: bits, from: first.daysSince1970, to: last.daysSince1970,
                    line: table.line))
        }
        rowCounts[table.file] = table.rowCount
        return weeks
    }

    private mutating func readExceptions() throws(TransitFeed.ReadError) -> [Exception]? {
        guard var table = try table("calendar_dates.txt", rowMemory: 60) else { return nil }
        guard let places = columns(["service_id", "date", "exception_type"], of: table) else { return nil }
        let id = places[0], date = places[1], type = places[2]
        var exceptions: [Exception] = []
        while try table.next() {
            guard isWhole(table) else { continue }
            guard !table.range(id).isEmpty else {
                note(.empty, .error, table, id, "the identifier is empty")
                continue
            }
            guard let day = table.day(date) else {
                note(.malformed, .error, table, date, "\(table.quoted(date)) is not a valid date")
                continue
            }
            let kind = table.integer(type)
            guard kind == 1 || kind == 2 else {
                note(.unknownValue, .error, table, type, "\(table.quoted(type)) must be 1 or 2")
                continue
            }
            let service = services.insert(table.bytes, in: table.range(id)).number
            exceptions.append(Exception(service: service, day: day.daysSince1970, runs: kind == 1, line: table.line))
        }
        rowCounts[table.file] = table.rowCount
        return exceptions
    }
}

extension Timetable.ServiceCalendar {
    /// Adds the days of a weekly service in a range.
    ///
    /// Bit 0 means Monday.
    ///
    /// - Complexity: linear in the number of words of a service.
    fileprivate mutating func add(_ weekdays: UInt8, from: Int, to: Int, service: Int) {
        guard let days else { return }
        let start = days.lowerBound, low = from - start.daysSince1970, high = to - start.daysSince1970
        for word in (low / 64)...(high / 64) {
            var mask: UInt64 = 0
            let weekday = start.advanced(by: word * 64).weekday
            for offset in 0..<7 where weekdays >> UInt8((weekday + offset) % 7) & 1 == 1 {
                mask |= Self.everySeventh << UInt64(offset)
            }
            if word == low / 64 { mask &= ~0 << UInt64(low % 64) }
            if word == high / 64 { mask &= ~0 >> UInt64(63 - high % 64) }
            bits[service * wordCount + word] |= mask
        }
    }

    /// The bits 0, 7, 14 … 63.
    ///
    /// After a shift by less than seven, each still marks a single weekday.
    private static let everySeventh: UInt64 = stride(from: 0, to: 64, by: 7).reduce(0) { $0 | 1 << UInt64($1) }
}
