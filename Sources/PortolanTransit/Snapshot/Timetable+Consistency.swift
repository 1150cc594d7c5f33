extension TextColumn {
    /// A description of an invalid text range, or `nil`.
    var inconsistency: String? {
        var last: UInt32 = 0
        for end in ends {
            guard end >= last else { return "invalid text offsets" }
            last = end
        }
        return Int(last) == bytes.count ? nil : "texts do not fill their bytes"
    }
}

extension Timetable {
    /// A description of an index that is out of range, or `nil` if the timetable is consistent and safe to read.
    ///
    /// - Complexity: linear in the size of the timetable.
    var inconsistency: String? {
        for column in [calendar.ids, trips.ids, shapes.ids, words] {
            if let what = column.inconsistency { return what }
        }
        /// Returns whether all numbers are valid indices, with -1 as an optional missing value.
        func lead(_ numbers: [Int32], to count: Int, orNone: Bool = false) -> Bool {
            numbers.allSatisfy { Int($0) < count && $0 >= (orNone ? -1 : 0) }
        }
        let count = trips.services.count
        guard
            [
                trips.ids.count, trips.patterns.count, trips.headsigns.count, trips.shortNames.count,
                trips.blocks.count, trips.shapes.count, trips.wheelchair.count, trips.bicycles.count,
                trips.headways.count,
            ].allSatisfy({ $0 == count }), lead(trips.services, to: calendar.serviceCount),
            lead(trips.patterns, to: patterns.count), lead(trips.headsigns, to: words.count, orNone: true),
            lead(trips.shortNames, to: words.count, orNone: true), lead(trips.blocks, to: words.count, orNone: true),
            lead(trips.shapes, to: shapes.ends.count, orNone: true), trips.headways.allSatisfy({ $0 >= 0 })
        else { return "incomplete trips" }
        guard calendar.bits.count.isMultiple(of: max(1, calendar.wordCount)),
            calendar.bits.count
                == calendar.serviceCount.multipliedReportingOverflow(by: calendar.wordCount).partialValue
        else { return "incomplete days" }
        guard patternRules.count == patternStops.count, patternSequences.count == patternStops.count,
            lead(patternStops, to: stops.count), arrivals.count == departures.count
        else { return "incomplete patterns" }
        // Patterns must be contiguous, so that each trip and time belongs to one of them.
        var stop = 0, trip = 0, time = 0
        for (number, pattern) in patterns.enumerated() {
            let (times, isTooMany) = pattern.trips.count.multipliedReportingOverflow(by: pattern.stops.count)
            guard lines.indices.contains(Int(pattern.line)), pattern.stops.lowerBound == stop,
                pattern.trips.lowerBound == trip,
                pattern.times == time, pattern.stops.upperBound <= patternStops.count, !isTooMany,
                times <= departures.count - time, pattern.trips.upperBound <= count,
                trips.patterns[pattern.trips].allSatisfy({ Int($0) == number })
            else { return "incomplete patterns" }
            (stop, trip, time) = (pattern.stops.upperBound, pattern.trips.upperBound, time + times)
        }
        guard stop == patternStops.count, trip == count, time == departures.count else {
            return "incomplete patterns"
        }
        let day: Int32 = 10_000_000
        guard arrivals.allSatisfy({ $0 > -day && $0 < day }), departures.allSatisfy({ $0 > -day && $0 < day }) else {
            return "invalid times"
        }
        guard patterns.allSatisfy(goesOn) else { return "times are not in order" }
        guard shapes.ends.count == shapes.ids.count, shapes.longitudes.count == shapes.latitudes.count,
            shapes.ends.last ?? 0 == shapes.longitudes.count,
            zip([0] + shapes.ends, shapes.ends).allSatisfy({ $0 <= $1 })
        else { return "incomplete shapes" }
        guard stops.allSatisfy({ $0.parent.map(stops.indices.contains) ?? true }),
            lines.allSatisfy({ $0.agency.map(agencies.indices.contains) ?? true }),
            transfers.allSatisfy({
                stops.indices.contains($0.from) && stops.indices.contains($0.to)
                    && ($0.fromLine.map(lines.indices.contains) ?? true)
                    && ($0.toLine.map(lines.indices.contains) ?? true)
            }),
            stopHeadsigns.allSatisfy({
                departures.indices.contains($0.key) && $0.value >= 0 && Int($0.value) < words.count
            })
        else { return "an index is out of range" }
        return nil
    }

    /// Returns whether the times of each trip never decrease, and no trip overtakes the previous one.
    ///
    /// Searches for the next departure depend on both.
    private func goesOn(_ pattern: Pattern) -> Bool {
        let count = pattern.stops.count
        var place = pattern.times
        for trip in 0..<pattern.trips.count {
            for stop in 0..<count {
                guard arrivals[place] <= departures[place], stop == 0 || departures[place - 1] <= arrivals[place],
                    trip == 0
                        || arrivals[place - count] <= arrivals[place] && departures[place - count] <= departures[place]
                else { return false }
                place += 1
            }
        }
        return true
    }
}
