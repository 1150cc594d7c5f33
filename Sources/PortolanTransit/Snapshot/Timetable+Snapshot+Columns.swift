import PortolanGeo

/// The columns of a snapshot, in file order.
extension Timetable.Snapshot {
    mutating func code(_ coder: inout some SnapshotCoder) throws(Timetable.SnapshotError) {
        var texts = [source.url, source.entityTag, source.lastModified]
        try coder.texts(&texts)
        try coder.expect(texts.count == 3, "incomplete source")
        (source.url, source.entityTag, source.lastModified) = (texts[0], texts[1], texts[2])
        try coder.integer(&source.problemCount)
        try coder.integer(&source.lossCount)
        try codeNames(&coder)
        try codeStops(&coder)
        try codeLines(&coder)
        try codeTransfers(&coder)
        try codeCalendar(&coder)
        try codeTrips(&coder)
        try coder.integers(&timetable.arrivals)
        try coder.integers(&timetable.departures)
        try coder.texts(&timetable.shapes.ids)
        try coder.integers(&timetable.shapes.ends)
        try coder.doubles(&timetable.shapes.longitudes)
        try coder.doubles(&timetable.shapes.latitudes)
        try coder.texts(&timetable.words)
        var places = timetable.stopHeadsigns.keys.sorted(), signs = places.map { timetable.stopHeadsigns[$0] ?? -1 }
        try coder.integers(&places)
        try coder.integers(&signs)
        try coder.expect(places.count == signs.count && Set(places).count == places.count, "incomplete headsigns")
        timetable.stopHeadsigns = Dictionary(uniqueKeysWithValues: zip(places, signs))
    }

    private mutating func codeNames(_ coder: inout some SnapshotCoder) throws(Timetable.SnapshotError) {
        let feed = timetable.feed
        var texts = [feed.publisher, feed.url, feed.language, feed.version]
        var days = [feed.from, feed.to].map { $0.map { Int64($0.daysSince1970) } ?? .min }
        try coder.texts(&texts)
        try coder.integers(&days)
        try coder.expect(texts.count == 4 && days.count == 2, "incomplete publisher")
        timetable.feed.publisher = texts[0]
        timetable.feed.url = texts[1]
        timetable.feed.language = texts[2]
        timetable.feed.version = texts[3]
        (timetable.feed.from, timetable.feed.to) = (Self.day(days[0]), Self.day(days[1]))
        var agencies = timetable.agencies.flatMap { [$0.id, $0.name, $0.url, $0.timeZone, $0.language, $0.phone] }
        try coder.texts(&agencies)
        try coder.expect(agencies.count % 6 == 0, "incomplete agencies")
        timetable.agencies = stride(from: 0, to: agencies.count, by: 6).map { at in
            var agency = Timetable.Agency(name: agencies[at + 1], timeZone: agencies[at + 3])
            agency.id = agencies[at]
            agency.url = agencies[at + 2]
            agency.language = agencies[at + 4]
            agency.phone = agencies[at + 5]
            return agency
        }
    }

    private static func day(_ number: Int64) -> ServiceDay? {
        abs(number.clamped(to: -4_000_000_000, 4_000_000_000)) < 4_000_000
            ? ServiceDay(daysSince1970: Int(number)) : nil
    }

    private mutating func codeStops(_ coder: inout some SnapshotCoder) throws(Timetable.SnapshotError) {
        let stops = timetable.stops
        var texts = stops.flatMap { [$0.id, $0.code, $0.name, $0.details, $0.platform, $0.zone, $0.timeZone, $0.url] }
        var places = stops.flatMap { [$0.place?.x ?? .nan, $0.place?.y ?? .nan] }
        var kinds = stops.flatMap { [$0.kind.rawValue, $0.wheelchair.rawValue] }
        var parents = stops.map { Int32($0.parent ?? -1) }
        try coder.texts(&texts)
        try coder.doubles(&places)
        try coder.bytes(&kinds)
        try coder.integers(&parents)
        let count = parents.count
        try coder.expect(
            texts.count == 8 * count && places.count == 2 * count && kinds.count == 2 * count, "incomplete stops"
        )
        guard coder.isReading else { return }
        timetable.stops = (0..<count).map { index in
            let place = Coordinate(x: places[2 * index], y: places[2 * index + 1])
            var stop = Timetable.Stop(
                id: texts[8 * index], name: texts[8 * index + 2], place: place.isFinite ? place : nil)
            stop.code = texts[8 * index + 1]
            stop.details = texts[8 * index + 3]
            stop.platform = texts[8 * index + 4]
            stop.zone = texts[8 * index + 5]
            stop.timeZone = texts[8 * index + 6]
            stop.url = texts[8 * index + 7]
            stop.kind = Timetable.Stop.Kind(rawValue: kinds[2 * index]) ?? .node
            stop.wheelchair = Timetable.Stop.Access(rawValue: kinds[2 * index + 1]) ?? .unknown
            stop.parent = parents[index] < 0 ? nil : Int(parents[index])
            return stop
        }
    }

    private mutating func codeLines(_ coder: inout some SnapshotCoder) throws(Timetable.SnapshotError) {
        let lines = timetable.lines
        var texts = lines.flatMap { [$0.id, $0.shortName, $0.longName, $0.details, $0.url, $0.mode.rawValue] }
        var numbers: [Int64] = []
        for line in lines {
            numbers.append(line.agency.map { Int64($0) } ?? -1)
            numbers.append(line.color.map { Int64($0) } ?? -1)
            numbers.append(line.textColor.map { Int64($0) } ?? -1)
            numbers.append(line.sortOrder.map { Int64($0) } ?? -1)
        }
        try coder.texts(&texts)
        try coder.integers(&numbers)
        try coder.expect(texts.count % 6 == 0 && numbers.count == texts.count / 6 * 4, "incomplete lines")
        if coder.isReading {
            timetable.lines = (0..<(texts.count / 6)).map { index in
                var line = Timetable.Line(
                    id: texts[6 * index], shortName: texts[6 * index + 1],
                    mode: TransitMode(rawValue: texts[6 * index + 5]) ?? .other)
                line.longName = texts[6 * index + 2]
                line.details = texts[6 * index + 3]
                line.url = texts[6 * index + 4]
                let values = numbers[(4 * index)..<(4 * index + 4)].map { $0 < 0 ? nil : Int($0) }
                line.agency = values[0]
                line.color = values[1].map { UInt32(truncatingIfNeeded: $0) }
                line.textColor = values[2].map { UInt32(truncatingIfNeeded: $0) }
                line.sortOrder = values[3]
                return line
            }
        }
    }

    private mutating func codeTransfers(_ coder: inout some SnapshotCoder) throws(Timetable.SnapshotError) {
        var rules: [Int] = [], trips: [String] = []
        for rule in timetable.transfers {
            rules += [rule.from, rule.to, Int(rule.kind.rawValue), rule.seconds ?? -1]
            rules += [rule.fromLine ?? -1, rule.toLine ?? -1]
            trips += [rule.fromTrip ?? "", rule.toTrip ?? ""]
        }
        try coder.integers(&rules)
        try coder.texts(&trips)
        try coder.expect(rules.count % 6 == 0 && trips.count == rules.count / 3, "incomplete transfers")
        timetable.transfers = (0..<rules.count / 6).map { number in
            let at = number * 6
            var rule = Timetable.TransferRule(
                from: rules[at], to: rules[at + 1],
                kind: Timetable.TransferRule.Kind(rawValue: UInt8(truncatingIfNeeded: rules[at + 2])) ?? .recommended,
                seconds: rules[at + 3] < 0 ? nil : rules[at + 3])
            (rule.fromLine, rule.toLine) = (
                rules[at + 4] < 0 ? nil : rules[at + 4], rules[at + 5] < 0 ? nil : rules[at + 5]
            )
            rule.fromTrip = trips[number * 2].isEmpty ? nil : trips[number * 2]
            rule.toTrip = trips[number * 2 + 1].isEmpty ? nil : trips[number * 2 + 1]
            return rule
        }
        var links = timetable.tripLinks.flatMap { [$0.from, $0.to] }
        var seats = timetable.tripLinks.map { UInt8($0.staysSeated ? 1 : 0) }
        try coder.texts(&links)
        try coder.bytes(&seats)
        try coder.expect(links.count == seats.count * 2, "incomplete trip links")
        timetable.tripLinks = seats.indices.map {
            Timetable.TripLink(from: links[2 * $0], to: links[2 * $0 + 1], staysSeated: seats[$0] != 0)
        }
    }

    private mutating func codeCalendar(_ coder: inout some SnapshotCoder) throws(Timetable.SnapshotError) {
        var days: [Int64] = []
        if let range = timetable.calendar.days {
            days = [Int64(range.lowerBound.daysSince1970), Int64(range.upperBound.daysSince1970)]
        }
        try coder.integers(&days)
        try coder.texts(&timetable.calendar.ids)
        try coder.integers(&timetable.calendar.bits)
        guard !days.isEmpty else { return }
        let ends = days.map { Self.day($0) }
        guard days.count == 2, let first = ends[0], let last = ends[1], first <= last else {
            return try coder.expect(false, "incomplete days")
        }
        timetable.calendar.days = first...last
    }

    private mutating func codeTrips(_ coder: inout some SnapshotCoder) throws(Timetable.SnapshotError) {
        let patterns = timetable.patterns
        var numbers: [Int] = []
        for pattern in patterns {
            numbers += [Int(pattern.line), Int(pattern.direction), pattern.times]
            numbers += [pattern.stops.lowerBound, pattern.stops.upperBound]
            numbers += [pattern.trips.lowerBound, pattern.trips.upperBound]
        }
        try coder.integers(&numbers)
        try coder.expect(numbers.count % 7 == 0, "incomplete patterns")
        var made: [Timetable.Pattern] = []
        for at in stride(from: 0, to: numbers.count, by: 7) {
            let line = numbers[at], direction = numbers[at + 1], times = numbers[at + 2]
            let stops = (numbers[at + 3], numbers[at + 4]), trips = (numbers[at + 5], numbers[at + 6])
            let isWhole =
                line >= 0 && line <= Int(Int32.max) && abs(direction.clamped(to: -9, 9)) <= 1 && times >= 0
                && stops.0 >= 0 && stops.0 <= stops.1 && trips.0 >= 0 && trips.0 <= trips.1
            try coder.expect(isWhole, "incomplete pattern")
            made.append(
                Timetable.Pattern(
                    line: Int32(line), direction: Int8(direction), stops: stops.0..<stops.1, trips: trips.0..<trips.1,
                    times: times))
        }
        timetable.patterns = made
        try coder.integers(&timetable.patternStops)
        try coder.integers(&timetable.patternSequences)
        var rules = timetable.patternRules.map(\.rawValue)
        try coder.bytes(&rules)
        timetable.patternRules = rules.map { Timetable.StopRules(rawValue: $0) }
        try coder.texts(&timetable.trips.ids)
        try coder.integers(&timetable.trips.services)
        try coder.integers(&timetable.trips.patterns)
        try coder.integers(&timetable.trips.headsigns)
        try coder.integers(&timetable.trips.shortNames)
        try coder.integers(&timetable.trips.blocks)
        try coder.integers(&timetable.trips.shapes)
        try coder.bytes(&timetable.trips.wheelchair)
        try coder.bytes(&timetable.trips.bicycles)
        try coder.integers(&timetable.trips.headways)
    }
}

extension FixedWidthInteger {
    fileprivate func clamped(to low: Self, _ high: Self) -> Self { Swift.min(Swift.max(self, low), high) }
}
