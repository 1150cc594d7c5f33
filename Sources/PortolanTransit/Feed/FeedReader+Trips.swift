/// The trips in file order, as columns.
struct RawTrips {
    var ids = TextIndex()
    var lines: [Int32] = []
    var services: [Int32] = []
    var directions: [Int8] = []
    var headsigns: [Int32] = []
    var shortNames: [Int32] = []
    var blocks: [Int32] = []
    var shapes: [Int32] = []
    var wheelchair: [UInt8] = []
    var bicycles: [UInt8] = []
    /// The line number of each trip in its file.
    var fileLines: [Int32] = []

    var count: Int { lines.count }
}

/// A repetition of a trip (frequencies.txt).
struct Frequency {
    var trip: Int32
    var from: Int32
    var to: Int32
    var headway: Int32
    var isExact: Bool
}

/// Reading of trips and of their frequencies.
extension FeedReader {
    mutating func readTrips() throws(TransitFeed.ReadError) {
        var table = try requiredTable("trips.txt", rowMemory: 100)
        let id = try table.required("trip_id"), line = try table.required("route_id")
        let service = try table.required("service_id"), headsign = table.column("trip_headsign")
        let short = table.column("trip_short_name"), direction = table.column("direction_id")
        let block = table.column("block_id"), shape = table.column("shape_id")
        let wheelchair = table.column("wheelchair_accessible"), bicycles = table.column("bikes_allowed")
        while try table.next() {
            guard isWhole(table) else { continue }
            let line = reference(lines, table, line, "route"), service = reference(services, table, service, "service")
            guard let line, let service else {
                lostTrips.insert(table.bytes, in: table.range(id))
                continue
            }
            guard newID(\.trips.ids, table, id) != nil else { continue }
            trips.lines.append(line)
            trips.services.append(service)
            let toward = table.range(direction).isEmpty ? -1 : choice(table, direction, upTo: 1)
            trips.directions.append(Int8(toward))
            trips.headsigns.append(word(table, headsign))
            trips.shortNames.append(word(table, short))
            trips.blocks.append(word(table, block))
            var way: Int32 = -1
            if !table.range(shape).isEmpty {
                way = shapes.number(of: table.bytes, in: table.range(shape))
                if way < 0 {
                    note(.unknownReference, .warning, table, shape, "unknown shape \(table.quoted(shape))")
                }
            }
            trips.shapes.append(way)
            trips.wheelchair.append(UInt8(choice(table, wheelchair, upTo: 2)))
            trips.bicycles.append(UInt8(choice(table, bicycles, upTo: 2)))
            trips.fileLines.append(Int32(clamping: table.line))
        }
        rowCounts[table.file] = table.rowCount
    }

    /// Returns the index that a value refers to; reports unknown references and returns `nil`.
    private mutating func reference(
        _ index: TextIndex, _ table: FeedTable, _ column: Int, _ kind: StaticString
    ) -> Int32? {
        let number = index.number(of: table.bytes, in: table.range(column))
        guard number < 0 else { return number }
        note(.unknownReference, .error, table, column, "unknown \(kind) \(table.quoted(column))")
        return nil
    }

    mutating func readFrequencies() throws(TransitFeed.ReadError) -> [Frequency] {
        guard var table = try table("frequencies.txt", rowMemory: 40) else { return [] }
        guard let places = columns(["trip_id", "start_time", "end_time", "headway_secs"], of: table) else { return [] }
        let id = places[0], from = places[1], to = places[2], headway = places[3]
        let exact = table.column("exact_times")
        var frequencies: [Frequency] = []
        while try table.next() {
            guard isWhole(table), let trip = reference(trips.ids, table, id, "trip") else { continue }
            let start = table.time(from), end = table.time(to), seconds = table.integer(headway)
            guard start >= 0, end >= 0 else {
                let column = start < 0 ? from : to
                note(.malformed, .error, table, column, "\(table.quoted(column)) is not a valid time")
                continue
            }
            guard seconds > 0 else {
                note(.malformed, .error, table, headway, "\(table.quoted(headway)) is not a valid headway")
                continue
            }
            guard start < end else {
                note(.backwards, .error, table, to, "the period ends before it begins")
                continue
            }
            frequencies.append(
                Frequency(
                    trip: trip, from: start, to: end, headway: seconds, isExact: choice(table, exact, upTo: 1) == 1))
        }
        rowCounts[table.file] = table.rowCount
        return frequencies
    }
}
