/// Reading of transfer rules and of trips linked by one vehicle.
extension FeedReader {
    /// The primary key of a transfer row: table indices, or -1 for empty columns.
    private struct Key: Hashable {
        var stops: [Int32], lines: [Int32], trips: [Int32]
    }

    private struct Columns {
        let stops: [Int], lines: [Int], trips: [Int], type: Int, seconds: Int

        init(_ table: FeedTable) {
            func pair(_ name: String) -> [Int] { ["from_", "to_"].map { table.column($0 + name) } }
            stops = pair("stop_id")
            lines = pair("route_id")
            trips = pair("trip_id")
            type = table.column("transfer_type")
            seconds = table.column("min_transfer_time")
        }
    }

    mutating func readTransfers() throws(TransitFeed.ReadError) {
        guard var table = try table("transfers.txt", rowMemory: 300) else { return }
        let columns = Columns(table)
        var keys: Set<Key> = []
        while try table.next() {
            guard isWhole(table) else { continue }
            let number = table.integer(columns.type)
            guard number == FeedTable.blank || (0...5).contains(number) else {
                note(
                    .unknownValue, .error, table, columns.type,
                    "\(table.quoted(columns.type)) is not a known transfer type")
                continue
            }
            guard let stops = ends(stops, table, columns.stops, "stop"),
                let lines = ends(lines, table, columns.lines, "route"),
                let trips = ends(trips.ids, table, columns.trips, "trip")
            else { continue }
            // Trip links don't need stops, other transfers don't need trips.
            let isLink = number > 3
            if let missing = (isLink ? trips : stops).firstIndex(of: -1) {
                let column = isLink ? columns.trips[missing] : columns.stops[missing]
                note(.empty, .error, table, column, "a transfer of this kind needs both \(isLink ? "trips" : "stops")")
                continue
            }
            guard keys.count < limits.transferCount else {
                throw .limitExceeded(
                    file: table.file, line: table.line, what: "more than \(limits.transferCount) transfers")
            }
            if !keys.insert(Key(stops: stops, lines: lines, trips: trips)).inserted {
                note(.duplicate, .warning, table, columns.stops[0], "duplicate of an earlier row; using this one")
            }
            if isLink {
                link(number == 4, stops, trips, table, columns)
            } else {
                add(max(0, number), stops, lines, trips, table, columns)
            }
        }
        rowCounts[table.file] = table.rowCount
    }

    /// Returns the indices in a pair of columns, -1 for empty ones; reports unknown references and returns `nil`.
    private mutating func ends(
        _ index: TextIndex, _ table: FeedTable, _ columns: [Int], _ kind: StaticString
    ) -> [Int32]? {
        var found: [Int32] = []
        for column in columns {
            let range = table.range(column)
            guard !range.isEmpty else {
                found.append(-1)
                continue
            }
            let number = index.number(of: table.bytes, in: range)
            guard number >= 0 else {
                note(.unknownReference, .error, table, column, "unknown \(kind) \(table.quoted(column))")
                return nil
            }
            found.append(number)
        }
        return found
    }

    private mutating func link(
        _ staysSeated: Bool, _ stops: [Int32], _ trips: [Int32], _ table: FeedTable, _ columns: Columns
    ) {
        for (stop, column) in zip(stops, columns.stops)
        where stop >= 0 && timetable.stops[Int(stop)].kind == .station {
            note(.malformed, .warning, table, column, "\(table.quoted(column)) is a station, not a stop")
        }
        let ids = self.trips.ids.texts
        timetable.tripLinks.append(
            Timetable.TripLink(from: ids[Int(trips[0])], to: ids[Int(trips[1])], staysSeated: staysSeated))
    }

    private mutating func add(
        _ kind: Int32, _ stops: [Int32], _ lines: [Int32], _ trips: [Int32], _ table: FeedTable, _ columns: Columns
    ) {
        let least = table.integer(columns.seconds)
        if least < 0, least != FeedTable.blank {
            note(
                .malformed, .warning, table, columns.seconds,
                "\(table.quoted(columns.seconds)) is not a time in seconds")
        }
        var rule = Timetable.TransferRule(
            from: Int(stops[0]), to: Int(stops[1]),
            kind: Timetable.TransferRule.Kind(rawValue: UInt8(kind)) ?? .recommended,
            seconds: least >= 0 ? Int(least) : nil)
        let ids = self.trips.ids.texts
        for end in 0...1 {
            let trip = Int(trips[end]), line = Int(lines[end])
            if trip >= 0 {
                if line >= 0, self.trips.lines[trip] != lines[end] {
                    note(
                        .malformed, .warning, table, columns.lines[end],
                        "\(table.quoted(columns.trips[end])) belongs to another route; using the trip")
                }
                noteAbsence(of: trip, at: Int(stops[end]), table, columns.trips[end], columns.stops[end])
            }
            let named = trip >= 0 ? ids[trip] : nil, way = line >= 0 && trip < 0 ? line : nil
            if end == 0 {
                (rule.fromTrip, rule.fromLine) = (named, way)
            } else {
                (rule.toTrip, rule.toLine) = (named, way)
            }
        }
        timetable.transfers.append(rule)
    }

    /// Reports that a rule never applies because its trip does not stop at its stop.
    private mutating func noteAbsence(of trip: Int, at stop: Int, _ table: FeedTable, _ column: Int, _ place: Int) {
        let kind = timetable.stops[stop].kind, rows = times.ranges[trip]
        guard kind == .stop || kind == .station, !rows.isEmpty else { return }
        let isThere = rows.contains { row in
            let called = Int(times.stops[row])
            return called == stop || timetable.stops[called].parent == stop
        }
        if !isThere {
            note(
                .neverApplies, .warning, table, column,
                "\(table.quoted(column)) does not stop at \(table.quoted(place))")
        }
    }
}
