/// Stop times as columns, first in file order, then sorted by trip and sequence.
struct RawStopTimes {
    /// A run of adjacent rows of one trip.
    struct Run {
        var trip: Int32
        var row: Int
        var line: Int
    }

    var stops: [Int32] = []
    var arrivals: [Int32] = []
    var departures: [Int32] = []
    var sequences: [Int32] = []
    var rules: [UInt8] = []
    /// The distance of each stop along the shape, or empty if the file has none.
    var distances: [Float] = []
    /// Headsigns that apply from a stop on, as word indices by row.
    var headsigns: [Int: Int32] = [:]
    var runs: [Run] = []
    /// The rows of each trip in order, empty for dropped trips.
    private(set) var ranges: [Range<Int>] = []
    /// The original row numbers, if the rows had to be sorted.
    private var origins: [Int32] = []

    var count: Int { stops.count }

    /// The approximate memory in bytes for each row while rows are read and sorted.
    static let rowMemory = 32

    /// The approximate memory of all rows in bytes.
    var memory: Int {
        count * Self.rowMemory + runs.count * MemoryLayout<Run>.stride + headsigns.count * 64
    }

    /// Reserves capacity for a number of rows.
    mutating func reserve(_ count: Int) {
        stops.reserveCapacity(count)
        arrivals.reserveCapacity(count)
        departures.reserveCapacity(count)
        sequences.reserveCapacity(count)
        rules.reserveCapacity(count)
    }

    /// Appends rows whose line numbers are relative to another line and whose words have other indices.
    mutating func append(_ more: RawStopTimes, behind line: Int, word: (Int32) -> Int32) {
        let start = count
        for run in more.runs { runs.append(Run(trip: run.trip, row: start + run.row, line: line + run.line)) }
        for (row, number) in more.headsigns { headsigns[start + row] = word(number) }
        stops += more.stops
        arrivals += more.arrivals
        departures += more.departures
        sequences += more.sequences
        rules += more.rules
        distances += more.distances
    }

    /// Returns the line number of a row in the file.
    func line(of row: Int) -> Int {
        let row = origins.isEmpty ? row : Int(origins[row])
        var low = 0, high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].row <= row { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        return runs[low - 1].line + row - runs[low - 1].row
    }

    /// Returns whether the rows of each trip are adjacent and in order.
    private func isOrdered(tripCount: Int) -> Bool {
        var seen = [Bool](repeating: false, count: tripCount)
        for (index, run) in runs.enumerated() {
            if index > 0, runs[index - 1].trip == run.trip {
                guard sequences[run.row - 1] < sequences[run.row] else { return false }
            } else {
                guard !seen[Int(run.trip)] else { return false }
                seen[Int(run.trip)] = true
            }
            let end = index + 1 < runs.count ? runs[index + 1].row : count
            var row = run.row + 1
            while row < end {
                guard sequences[row - 1] < sequences[row] else { return false }
                row &+= 1
            }
        }
        return true
    }

    /// The rows with a duplicate position in their trip.
    struct Duplicates {
        /// The line numbers of the first duplicates.
        var lines: [Int] = []
        /// The total number of duplicates.
        var count = 0
    }

    /// Sorts rows by trip and sequence, and returns the duplicates.
    ///
    /// - Parameter mostLines: the maximum number of line numbers in the result.
    mutating func arrange(tripCount: Int, mostLines: Int) -> Duplicates {
        ranges = [Range<Int>](repeating: 0..<0, count: tripCount)
        guard isOrdered(tripCount: tripCount) else { return sort(tripCount: tripCount, mostLines: mostLines) }
        for (index, run) in runs.enumerated() {
            let end = index + 1 < runs.count ? runs[index + 1].row : count, trip = Int(run.trip)
            ranges[trip] = (ranges[trip].isEmpty ? run.row : ranges[trip].lowerBound)..<end
        }
        return Duplicates()
    }

    private mutating func sort(tripCount: Int, mostLines: Int) -> Duplicates {
        var starts = [Int](repeating: 0, count: tripCount + 1)
        func forEachRow(_ body: (Int, Int) -> Void) {
            for (index, run) in runs.enumerated() {
                for row in run.row..<(index + 1 < runs.count ? runs[index + 1].row : count) { body(Int(run.trip), row) }
            }
        }
        forEachRow { trip, _ in starts[trip + 1] += 1 }
        for trip in 0..<tripCount { starts[trip + 1] += starts[trip] }
        var order = [Int32](repeating: 0, count: count), next = starts
        forEachRow { trip, row in
            order[next[trip]] = Int32(row)
            next[trip] += 1
        }
        var kept: [Int32] = [], duplicates = Duplicates()
        kept.reserveCapacity(count)
        for trip in 0..<tripCount {
            let rows = order[starts[trip]..<starts[trip + 1]].sorted {
                (sequences[Int($0)], $0) < (sequences[Int($1)], $1)
            }
            let start = kept.count
            for row in rows {
                if kept.count > start, let last = kept.last, sequences[Int(last)] == sequences[Int(row)] {
                    duplicates.count += 1
                    if duplicates.lines.count < mostLines { duplicates.lines.append(line(of: Int(row))) }
                } else {
                    kept.append(row)
                }
            }
            ranges[trip] = start..<kept.count
        }
        stops = kept.map { stops[Int($0)] }
        arrivals = kept.map { arrivals[Int($0)] }
        departures = kept.map { departures[Int($0)] }
        sequences = kept.map { sequences[Int($0)] }
        rules = kept.map { rules[Int($0)] }
        if !distances.isEmpty { distances = kept.map { distances[Int($0)] } }
        if !headsigns.isEmpty {
            var moved: [Int: Int32] = [:]
            for (row, old) in kept.enumerated() { moved[row] = headsigns[Int(old)] }
            headsigns = moved
        }
        origins = kept
        return duplicates
    }

    /// Drops a trip.
    mutating func drop(trip: Int) { ranges[trip] = 0..<0 }

    /// Interpolates missing times of a trip, and returns the first row whose time is earlier than the previous one.
    ///
    /// Times are interpolated by distance along the shape if all distances are known, otherwise evenly (GTFS Schedule,
    /// stop_times.txt).
    mutating func interpolate(trip: Int) -> Int? {
        let range = ranges[trip]
        var row = range.lowerBound
        while row < range.upperBound {
            if arrivals[row] == FeedTable.blank {
                var end = row
                while arrivals[end] == FeedTable.blank { end += 1 }
                fill(row..<end)
                row = end
            }
            if departures[row] < arrivals[row] || row > range.lowerBound && arrivals[row] < departures[row - 1] {
                return row
            }
            row &+= 1
        }
        return nil
    }

    /// Fills a gap between two timed stops.
    private mutating func fill(_ gap: Range<Int>) {
        let before = gap.lowerBound - 1, after = gap.upperBound
        let start = Double(departures[before]), span = Double(arrivals[after]) - start
        var isMeasured = !distances.isEmpty
        if isMeasured {
            for row in before..<after where !(distances[row] <= distances[row + 1]) { isMeasured = false }
            isMeasured = isMeasured && distances[before] < distances[after]
        }
        for row in gap {
            let share =
                isMeasured
                ? Double(distances[row] - distances[before]) / Double(distances[after] - distances[before])
                : Double(row - before) / Double(after - before)
            let time = Int32((start + span * share).rounded())
            arrivals[row] = time
            departures[row] = time
        }
    }
}
