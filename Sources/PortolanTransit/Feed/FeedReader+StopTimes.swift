import Dispatch
import PortolanRaster
import Synchronization

/// Reading of stop times.
///
/// They are by far the most rows of a feed, so their values are never converted to strings.
extension FeedReader {
    /// The indices of the columns.
    private struct StopTimeColumns {
        let trip: Int, sequence: Int, stop: Int
        let arrival: Int, departure: Int, pickup: Int, dropOff: Int, timepoint: Int
        let distance: Int, headsign: Int, window: Int

        init(_ table: FeedTable) throws(TransitFeed.ReadError) {
            trip = try table.required("trip_id")
            sequence = try table.required("stop_sequence")
            arrival = table.column("arrival_time")
            departure = table.column("departure_time")
            stop = try table.required("stop_id")
            pickup = table.column("pickup_type")
            dropOff = table.column("drop_off_type")
            timepoint = table.column("timepoint")
            distance = table.column("shape_dist_traveled")
            headsign = table.column("stop_headsign")
            window = table.column("start_pickup_drop_off_window")
        }
    }

    mutating func readStopTimes() throws(TransitFeed.ReadError) {
        var table = try requiredTable("stop_times.txt", rowMemory: 0)
        let columns = try StopTimeColumns(table)
        if threadCount > 1 { try readPieces(of: &table, columns) }
        try readRows(of: &table, columns)
        rowCounts[table.file] = table.rowCount
    }

    /// The rows that one thread read from a piece of the file.
    private struct Piece: Sendable {
        let table: FeedTable, times: RawStopTimes, problems: TransitFeed.Problems, words: TextIndex
    }

    /// Reads pieces in parallel until one must be read sequentially, because of a quote or a limit.
    private mutating func readPieces(
        of table: inout FeedTable, _ columns: StopTimeColumns
    ) throws(TransitFeed.ReadError) {
        var isRoomMade = false
        while true {
            let ranges = try table.nextPieces(threadCount * 4, of: pieceLength)
            guard ranges.count > 1 else { return }
            let whole = table, reader = withoutTimes, results = Mutex([Piece?](repeating: nil, count: ranges.count))
            let wantedCount = threadCount * 4 * pieceLength, ahead = Mutex(table.ahead(of: ranges))
            DispatchQueue.concurrentPerform(iterations: ranges.count + 1) { number in
                // The next bytes are read from the file in the meantime.
                if number == 0 { return ahead.withLock { $0.read(wantedCount) } }
                guard let piece = reader.reading(whole.piece(ranges[number - 1]), columns) else { return }
                results.withLock { $0[number - 1] = piece }
            }
            var areAllTaken = true
            let known = Int32(words.count)
            for (range, piece) in zip(ranges, results.withLock { $0 }) {
                guard let piece, times.count + piece.times.count <= limits.stopTimeCount,
                    table.rowCount + piece.table.rowCount <= limits.rowCount
                else {
                    areAllTaken = false
                    break
                }
                take(piece, behind: table.nextLine - 1, known: known)
                try charge(times, of: table.file, line: table.nextLine)
                table.skip(range, read: piece.table)
                if !isRoomMade { times.reserve(min(table.estimatedRowCount, mostTimes)) }
                isRoomMade = true
            }
            try table.take(ahead.withLock { $0 })
            guard areAllTaken else { return }
        }
    }

    /// The maximum number of stop times.
    private var mostTimes: Int {
        min(limits.stopTimeCount, (limits.memory?.byteLimit ?? .max) / RawStopTimes.rowMemory)
    }

    /// The initial state of a thread.
    ///
    /// It has no times, because shared arrays would be copied on the first append.
    private var withoutTimes: FeedReader {
        var reader = self
        reader.problems = TransitFeed.Problems(limit: limits.problemCount)
        reader.times = RawStopTimes()
        reader.charge = nil
        return reader
    }

    private func reading(_ piece: consuming FeedTable, _ columns: StopTimeColumns) -> Piece? {
        var table = piece, reader = self
        do { try reader.readRows(of: &table, columns) } catch { return nil }
        guard !table.hasQuotes else { return nil }
        return Piece(table: table, times: reader.times, problems: reader.problems, words: reader.words)
    }

    private mutating func take(_ piece: Piece, behind line: Int, known: Int32) {
        // Words that the thread added may have other indices here.
        var numbers: [Int32: Int32] = [:]
        for word in piece.times.headsigns.values.sorted() where word >= known && numbers[word] == nil {
            let texts = piece.words.texts
            numbers[word] = words.insert(texts.bytes, in: texts.range(of: Int(word))).number
        }
        times.append(piece.times, behind: line) { numbers[$0] ?? $0 }
        problems.add(piece.problems, behind: line)
    }

    /// Reads the rows of a table into ``times``.
    private mutating func readRows(of table: inout FeedTable, _ columns: StopTimeColumns) throws(TransitFeed.ReadError)
    {
        // Local copies, because each row accesses the columns.
        let trip = columns.trip, sequence = columns.sequence, arrival = columns.arrival, departure = columns.departure
        let stop = columns.stop, pickup = columns.pickup, dropOff = columns.dropOff, timepoint = columns.timepoint
        let distance = columns.distance, headsign = columns.headsign, window = columns.window
        var rows = RawStopTimes()
        swap(&rows, &times)
        defer { swap(&rows, &times) }
        var lastID: [UInt8] = [], lastTrip: Int32 = -1, lastStop = 0
        // A stop is usually followed by the same stop as last time.
        var followers = [Int32](repeating: 0, count: stops.count)
        // Whether the next row continues the current run.
        var isRunning = false
        while try table.next() {
            if table.fault != nil, !isWhole(table) {
                isRunning = false
                lastID = []
                continue
            }
            if !(trip == 0 && table.repeatsFirst && !lastID.isEmpty), !table.holds(trip, lastID) {
                isRunning = false
                lastID = Array(table.bytes[table.range(trip)])
                // Trips usually have the same order as in trips.txt.
                lastTrip = trips.ids.number(of: table.bytes, in: table.range(trip), probably: lastTrip + 1)
            }
            guard lastTrip >= 0 else {
                if lostTrips.number(of: table.bytes, in: table.range(trip)) < 0 {
                    note(.unknownReference, .error, table, trip, "unknown trip \(table.quoted(trip))")
                }
                continue
            }
            let number = stops.number(
                of: table.bytes, in: table.range(stop), probably: followers.isEmpty ? -1 : followers[lastStop])
            guard number >= 0, timetable.stops[Int(number)].kind == .stop, table.range(window).isEmpty else {
                noteStop(table, stop, number)
                isRunning = false
                continue
            }
            followers[lastStop] = number
            lastStop = Int(number)
            let place = table.integer(sequence)
            guard place >= 0 else {
                note(.malformed, .error, table, sequence, "\(table.quoted(sequence)) is not a valid sequence number")
                isRunning = false
                continue
            }
            guard rows.count < limits.stopTimeCount else {
                throw .limitExceeded(
                    file: table.file, line: table.line, what: "more than \(limits.stopTimeCount) times")
            }
            var arrives = table.time(arrival), departs = table.time(departure)
            if arrives == FeedTable.malformed || departs == FeedTable.malformed {
                let column = arrives == FeedTable.malformed ? arrival : departure
                note(.malformed, .warning, table, column, "\(table.quoted(column)) is not a valid time")
                if arrives < 0 { arrives = FeedTable.blank }
                if departs < 0 { departs = FeedTable.blank }
            }
            if arrives < 0 { arrives = departs }
            if departs < 0 { departs = arrives }
            if !isRunning {
                rows.runs.append(RawStopTimes.Run(trip: lastTrip, row: rows.count, line: table.line))
                isRunning = true
            }
            if distance >= 0 { rows.distances.append(table.number(distance).map { Float($0) } ?? .nan) }
            if headsign >= 0, !table.range(headsign).isEmpty {
                let word = word(table, headsign)
                if word != trips.headsigns[Int(lastTrip)] { rows.headsigns[rows.count] = word }
            }
            var rule: Timetable.StopRules = [.boards, .alights]
            if pickup >= 0 || dropOff >= 0 { rule = rules(table, pickup, dropOff) }
            if arrives >= 0, timepoint < 0 || choice(table, timepoint, upTo: 1) == 1 || table.range(timepoint).isEmpty {
                rule.insert(.timed)
            }
            // The first rows give an estimate of the total.
            if rows.count == 1000 { rows.reserve(min(table.estimatedRowCount, mostTimes)) }
            if rows.count & 0xFFFF == 0xFFFF { try charge(rows, of: table.file, line: table.line) }
            rows.stops.append(number)
            rows.arrivals.append(arrives)
            rows.departures.append(departs)
            rows.sequences.append(place)
            rows.rules.append(rule.rawValue)
        }
    }

    /// Reports why a row has no usable stop.
    private mutating func noteStop(_ table: FeedTable, _ column: Int, _ number: Int32) {
        if table.range(column).isEmpty || number >= 0 && timetable.stops[Int(number)].kind == .stop {
            note(.unsupported, .notice, table, column, "demand-responsive services are not supported")
        } else if number < 0 {
            note(.unknownReference, .error, table, column, "unknown stop \(table.quoted(column))")
        } else {
            note(.notBoardable, .error, table, column, "\(table.quoted(column)) is not a boarding stop")
        }
    }

    private mutating func rules(_ table: FeedTable, _ pickup: Int, _ dropOff: Int) -> Timetable.StopRules {
        var rules: Timetable.StopRules = []
        let boarding = choice(table, pickup, upTo: 3), leaving = choice(table, dropOff, upTo: 3)
        if boarding != 1 { rules.insert(.boards) }
        if boarding > 1 { rules.insert(.boardsOnRequest) }
        if leaving != 1 { rules.insert(.alights) }
        if leaving > 1 { rules.insert(.alightsOnRequest) }
        return rules
    }

    /// Sorts stop times, interpolates missing ones and drops invalid trips.
    mutating func arrangeStopTimes() {
        let file = "stop_times.txt"
        let duplicates = times.arrange(tripCount: trips.count, mostLines: limits.problemCount)
        for number in 0..<duplicates.count {
            problems.add(
                .duplicate, .error, file: file, line: number < duplicates.lines.count ? duplicates.lines[number] : 0,
                column: "stop_sequence", "duplicate sequence number in the trip")
        }
        for trip in 0..<trips.count {
            let range = times.ranges[trip]
            guard range.count >= 2 else {
                problems.add(
                    .tooFewStops, .error, file: "trips.txt", line: Int(trips.fileLines[trip]), column: "trip_id",
                    "\"\(trips.ids.texts[trip])\" has \(range.isEmpty ? "no stop" : "a single stop")")
                times.drop(trip: trip)
                continue
            }
            if let end = [range.lowerBound, range.upperBound - 1].first(where: { times.arrivals[$0] < 0 }) {
                problems.add(
                    .untimedEnd, .error, file: file, line: times.line(of: end), column: "arrival_time",
                    "\"\(trips.ids.texts[trip])\" has no time at its \(end == range.lowerBound ? "first" : "last") stop"
                )
                times.drop(trip: trip)
                continue
            }
            if let row = times.interpolate(trip: trip) {
                problems.add(
                    .backwards, .error, file: file, line: times.line(of: row), column: "arrival_time",
                    "\"\(trips.ids.texts[trip])\" goes back in time")
                times.drop(trip: trip)
            }
        }
    }
}
