/// Times of trips at stops, in columns: first as their file has them, then by trip and place.
struct RawStopTimes {
    /// Rows of one trip that stand together.
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
    /// How far along the shape each stop lies; nothing where the file does not say.
    var distances: [Float] = []
    /// What a trip shows from a stop on, as words, by row.
    var headsigns: [Int: Int32] = [:]
    var runs: [Run] = []
    /// The rows of each trip, in their order; empty for those that are left out.
    private(set) var ranges: [Range<Int>] = []
    /// The rows of the file, where they had to be put in order.
    private var origins: [Int32] = []

    var count: Int { stops.count }

    /// About how many bytes of memory a row takes while rows are read and put in order.
    static let rowMemory = 32

    /// About how many bytes of memory the rows take.
    var memory: Int {
        count * Self.rowMemory + runs.count * MemoryLayout<Run>.stride + headsigns.count * 64
    }

    /// Makes room for as many rows.
    mutating func reserve(_ count: Int) {
        stops.reserveCapacity(count)
        arrivals.reserveCapacity(count)
        departures.reserveCapacity(count)
        sequences.reserveCapacity(count)
        rules.reserveCapacity(count)
    }

    /// Takes rows that follow, whose lines are counted from behind another and whose words have other numbers.
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

    /// The line of the file where a row stands.
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

    /// Whether each trip's rows stand together, in their order.
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

    /// The rows whose place in their trip is taken already.
    struct Duplicates {
        /// The lines of the first ones.
        var lines: [Int] = []
        /// The number of them all.
        var count = 0
    }

    /// Puts rows in the order of trips and places; gives those whose place in their trip is taken already.
    ///
    /// - Parameter mostLines: the most lines that are kept.
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

    /// Leaves a trip out.
    mutating func drop(trip: Int) { ranges[trip] = 0..<0 }

    /// Gives stops without times theirs, between those that have some; tells the first row that goes backwards.
    ///
    /// By the way along the shape where it is known for all, else evenly (GTFS Schedule, stop_times.txt).
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

    /// Fills a gap whose neighbours have times.
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
