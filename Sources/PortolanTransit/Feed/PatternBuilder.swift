import Dispatch
import PortolanRaster
import Synchronization

/// Groups trips into patterns: trips with the same stops in departure order, none of which overtakes another.
struct PatternBuilder {
    let trips: RawTrips
    let times: RawStopTimes
    let frequencies: [Frequency]
    let lineCount: Int
    /// The number of threads that look for overtaking trips.
    var threadCount = 1

    /// A run of a trip, shifted by an offset in seconds.
    private struct Run {
        var trip: Int32
        var offset: Int32
        var headway: Int32
    }

    /// The maximum number of patterns with equal stops that a trip is compared with before it starts another one.
    private static let maximumComparisonCount = 64

    /// The memory in bytes for each stop time and each run of a trip.
    private static let timeMemory = 8, runMemory = 64

    mutating func build(into timetable: inout Timetable, limits: TransitFeed.Limits) throws(TransitFeed.ReadError) {
        let groups = group()
        var repeating: [Int32: [Frequency]] = [:]
        for frequency in frequencies { repeating[frequency.trip, default: []].append(frequency) }
        // The sizes are computed before memory is allocated.
        var timeCount = 0, runCount = 0
        for trip in 0..<trips.count {
            let count = try runs(of: trip, repeating[Int32(trip)], made: runCount, limits: limits)
            runCount += count
            timeCount += count * times.ranges[trip].count
            guard timeCount <= limits.stopTimeCount else {
                throw .limitExceeded(file: "frequencies.txt", line: 0, what: "more than \(limits.stopTimeCount) times")
            }
        }
        let charge: MemoryCharge?
        do throws(MemoryBudget.ExceededError) {
            charge = try limits.memory?.charge(timeCount * Self.timeMemory + runCount * Self.runMemory)
        } catch { throw .memory(file: "stop_times.txt", line: 0, what: "too large for memory: \(error)") }
        defer { withExtendedLifetime(charge) {} }
        timetable.arrivals.reserveCapacity(timeCount)
        timetable.departures.reserveCapacity(timeCount)
        for chains in chains(of: groups, repeating, isMuch: timeCount > 100_000) {
            for chain in chains { emit(chain, into: &timetable) }
        }
    }

    /// Returns the chains of each group.
    private func chains(of groups: [[Int32]], _ repeating: [Int32: [Frequency]], isMuch: Bool) -> [[[Run]]] {
        @Sendable func chains(of members: [Int32]) -> [[Run]] {
            var runs: [Run] = []
            for trip in members { appendRuns(of: trip, repeating[trip], to: &runs) }
            return self.chains(of: runs)
        }
        guard isMuch, threadCount > 1 else { return groups.map(chains) }
        let results = Mutex([[[Run]]](repeating: [], count: groups.count))
        DispatchQueue.concurrentPerform(iterations: groups.count) { number in
            let own = chains(of: groups[number])
            results.withLock { $0[number] = own }
        }
        return results.withLock { $0 }
    }

    // MARK: - Trips with equal stops

    /// Returns trips grouped by line, direction, stops and rules, in order of first appearance.
    private func group() -> [[Int32]] {
        var groups: [[Int32]] = []
        var byHash: [UInt64: [Int]] = [:]
        for trip in 0..<trips.count where !times.ranges[trip].isEmpty {
            let hash = hash(of: trip)
            if let group = byHash[hash]?.first(where: { stopsAlike(Int(groups[$0][0]), trip) }) {
                groups[group].append(Int32(trip))
            } else {
                byHash[hash, default: []].append(groups.count)
                groups.append([Int32(trip)])
            }
        }
        return groups
    }

    private static let factor = UInt64.random(in: 0 ... .max) | 1

    /// Returns a hash of everything that ``stopsAlike(_:_:)`` compares.
    func hash(of trip: Int) -> UInt64 {
        var hash =
            UInt64(UInt32(bitPattern: trips.lines[trip])) << 2 | UInt64(UInt8(bitPattern: trips.directions[trip]) & 3)
        for row in times.ranges[trip] {
            let value = UInt64(UInt32(bitPattern: times.stops[row])) << 8 | UInt64(times.rules[row])
            hash = (hash ^ value) &* Self.factor
            hash ^= hash >> 29
            hash = (hash ^ UInt64(UInt32(bitPattern: times.sequences[row]))) &* Self.factor
            hash ^= hash >> 29
        }
        return hash
    }

    private func stopsAlike(_ a: Int, _ b: Int) -> Bool {
        let first = times.ranges[a], second = times.ranges[b]
        guard first.count == second.count, trips.lines[a] == trips.lines[b],
            trips.directions[a] == trips.directions[b]
        else { return false }
        var row = first.lowerBound, other = second.lowerBound
        while row < first.upperBound {
            guard times.stops[row] == times.stops[other], times.rules[row] == times.rules[other],
                times.sequences[row] == times.sequences[other]
            else { return false }
            row &+= 1
            other &+= 1
        }
        return true
    }

    // MARK: - Frequencies

    /// Returns the number of runs of a trip.
    private func runs(
        of trip: Int, _ frequencies: [Frequency]?, made: Int, limits: TransitFeed.Limits
    ) throws(TransitFeed.ReadError) -> Int {
        guard !times.ranges[trip].isEmpty else { return 0 }
        guard let frequencies else { return 1 }
        let count = frequencies.reduce(0) { $0 + Int(($1.to - $1.from - 1) / $1.headway) + 1 }
        guard count + made <= limits.frequencyTripCount + trips.count else {
            throw .limitExceeded(
                file: "frequencies.txt", line: 0, what: "more than \(limits.frequencyTripCount) trips")
        }
        return count
    }

    private func appendRuns(of trip: Int32, _ frequencies: [Frequency]?, to runs: inout [Run]) {
        guard let frequencies else {
            runs.append(Run(trip: trip, offset: 0, headway: 0))
            return
        }
        // The stop times of a repeating trip only give durations.
        let first = times.departures[times.ranges[Int(trip)].lowerBound]
        for frequency in frequencies {
            for start in stride(from: frequency.from, to: frequency.to, by: Int(frequency.headway)) {
                runs.append(
                    Run(trip: trip, offset: start - first, headway: frequency.isExact ? 0 : frequency.headway))
            }
        }
    }

    // MARK: - Overtaking

    private func chains(of runs: [Run]) -> [[Run]] {
        guard runs.count > 1 else { return runs.isEmpty ? [] : [runs] }
        // Sort keys combine the first departure, the last arrival and the file order in one number.
        let keys = runs.map { key($0) }
        let order: [Int]
        if zip(keys, keys.dropFirst()).allSatisfy({ $0 <= $1 }) {
            order = Array(runs.indices)
        } else {
            order = runs.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
        }
        var chains: [[Run]] = []
        for index in order {
            let run = runs[index]
            let tried = chains.indices.suffix(Self.maximumComparisonCount)
            if let chain = tried.first(where: { follows(run, chains[$0][chains[$0].count - 1]) }) {
                chains[chain].append(run)
            } else {
                chains.append([run])
            }
        }
        return chains
    }

    private func key(_ run: Run) -> Int {
        let range = times.ranges[Int(run.trip)]
        let departure = Int(times.departures[range.lowerBound] + run.offset)
        return departure << 32 + Int(times.arrivals[range.upperBound - 1] + run.offset)
    }

    /// Returns whether a run is nowhere ahead of an earlier one.
    private func follows(_ run: Run, _ earlier: Run) -> Bool {
        let range = times.ranges[Int(run.trip)]
        let other = times.ranges[Int(earlier.trip)].lowerBound - range.lowerBound
        let later = run.offset - earlier.offset
        let arrivals = times.arrivals.span, departures = times.departures.span
        var row = range.lowerBound
        while row < range.upperBound {
            guard arrivals[row] &+ later >= arrivals[row &+ other],
                departures[row] &+ later >= departures[row &+ other]
            else { return false }
            row &+= 1
        }
        return true
    }

    // MARK: - Output

    private func emit(_ chain: [Run], into timetable: inout Timetable) {
        guard let first = chain.first else { return }
        let trip = Int(first.trip), range = times.ranges[trip], stopCount = timetable.patternStops.count
        let tripCount = timetable.trips.services.count, pattern = Int32(timetable.patterns.count)
        timetable.patterns.append(
            Timetable.Pattern(
                line: trips.lines[trip], direction: trips.directions[trip],
                stops: stopCount..<(stopCount + range.count), trips: tripCount..<(tripCount + chain.count),
                times: timetable.departures.count))
        timetable.patternStops.append(contentsOf: times.stops[range])
        timetable.patternSequences.append(contentsOf: times.sequences[range])
        for row in range { timetable.patternRules.append(Timetable.StopRules(rawValue: times.rules[row])) }
        for run in chain {
            let trip = Int(run.trip), range = times.ranges[trip]
            timetable.trips.ids.append(trips.ids.texts.bytes[trips.ids.texts.range(of: trip)])
            timetable.trips.services.append(trips.services[trip])
            timetable.trips.patterns.append(pattern)
            timetable.trips.headsigns.append(trips.headsigns[trip])
            timetable.trips.shortNames.append(trips.shortNames[trip])
            timetable.trips.blocks.append(trips.blocks[trip])
            timetable.trips.shapes.append(trips.shapes[trip])
            timetable.trips.wheelchair.append(trips.wheelchair[trip])
            timetable.trips.bicycles.append(trips.bicycles[trip])
            timetable.trips.headways.append(run.headway)
            if !times.headsigns.isEmpty {
                let moved = timetable.departures.count - range.lowerBound
                for row in range { if let word = times.headsigns[row] { timetable.stopHeadsigns[row + moved] = word } }
            }
            if run.offset == 0 {
                timetable.arrivals.append(contentsOf: times.arrivals[range])
                timetable.departures.append(contentsOf: times.departures[range])
            } else {
                for row in range {
                    timetable.arrivals.append(times.arrivals[row] + run.offset)
                    timetable.departures.append(times.departures[row] + run.offset)
                }
            }
        }
    }
}
