/// The RAPTOR search of Delling, Pajor and Werneck ("Round-Based Public Transit Routing", 2012).
///
/// Each round adds one ride. A lane is scanned once in each round, from its first reached stop, and footpaths connect
/// the rounds.
///
/// For a range of departures, later ones are searched first, and their results bound earlier ones (rRAPTOR, ibid. 4.2).
struct RoundSearch {
    /// The ride by which a stop was reached, as indices in a run.
    struct Ride {
        var run: Int32
        /// The index of the boarding stop, or -1 if passengers stayed seated from the previous run.
        var board: Int32
        var alight: Int32
    }

    /// A walk between a stop and an end of the journey.
    struct Access: Hashable {
        var stop: Int32, seconds: Int32, meters: Float
    }

    /// The last alighting stop of a journey and the arrival time at the destination.
    struct Target {
        var stop: Int32, time: Int32
    }

    private let stopCount: Int
    private let mostRides: Int
    /// The distance between the rows of times: 0 if all rounds share one row (a single departure), otherwise the stop
    /// count.
    private let stride: Int
    /// The arrival time of rides at each stop, and the time from which vehicles can be boarded.
    private var arrivals: [Int32]
    private var readies: [Int32]
    /// The ride that reached each stop, by round.
    private var rides: [Ride]
    /// The stop from which passengers walked to board, by round; -1 for the start.
    private var origins: [Int32]
    private var isReached: [Bool], isBoardable: [Bool]
    private var reached: [Int32] = [], boardable: [Int32] = []
    private var touched: [Int32] = [], isTouched: [Bool]
    private var firstIndexes: [Int32]
    private var queue: [Int32] = []
    private var egress: [Int32]
    private var best: [Int32]
    /// The rides before passengers stayed seated, by round and continued run.
    private var seats: [Int64: Ride] = [:]
    private var seatedRounds: [Int32: Int] = [:]
    private var continuing: [Ride] = []

    /// The result of each round that improves on the previous ones.
    private(set) var targets: [Target?]

    /// Prepares a search.
    ///
    /// - Complexity: O(stops) memory, or O(stops × rounds) for a range.
    init(stopCount: Int, laneCount: Int, mostRides: Int, isRange: Bool) {
        self.stopCount = stopCount
        self.mostRides = mostRides
        stride = isRange ? stopCount : 0
        let cells = isRange ? stopCount * (mostRides + 1) : stopCount
        arrivals = Array(repeating: RunTable.never, count: cells)
        readies = arrivals
        rides = Array(repeating: Ride(run: -1, board: -1, alight: -1), count: stopCount * (mostRides + 1))
        origins = Array(repeating: -1, count: stopCount * (mostRides + 1))
        isReached = Array(repeating: false, count: stopCount)
        isBoardable = isReached
        isTouched = isReached
        firstIndexes = Array(repeating: .max, count: laneCount)
        egress = Array(repeating: RunTable.never, count: stopCount)
        best = Array(repeating: RunTable.never, count: mostRides + 1)
        targets = Array(repeating: nil, count: mostRides + 1)
    }

    /// Returns whether the memory of this search fits another one.
    func serves(stopCount: Int, laneCount: Int, mostRides: Int) -> Bool {
        stride == 0 && self.stopCount == stopCount && firstIndexes.count == laneCount && self.mostRides == mostRides
    }

    /// Clears the results.
    mutating func reset() {
        for index in arrivals.indices {
            arrivals[index] = RunTable.never
            readies[index] = RunTable.never
        }
        for index in best.indices { best[index] = RunTable.never }
    }

    /// Returns the arrival time of rides at a stop after the last search, or ``RunTable/never``.
    func arrival(at stop: Int) -> Int32 { arrivals[stride * mostRides + stop] }

    /// Searches from a departure time.
    ///
    /// - Parameters:
    ///   - start: the departure time.
    ///   - limit: an exclusive upper bound for arrivals.
    ///   - direct: the arrival time on foot without a vehicle.
    mutating func search(
        _ table: RunTable, _ footpaths: Footpaths, changes: [Int32], from accesses: [Access], to egresses: [Access],
        start: Int32, limit: Int32, direct: Int32?
    ) {
        for access in egresses { egress[Int(access.stop)] = min(egress[Int(access.stop)], access.seconds) }
        for index in targets.indices { targets[index] = nil }
        best[0] = min(best[0], min(limit, direct ?? limit))
        seats.removeAll(keepingCapacity: true)
        seatedRounds.removeAll(keepingCapacity: true)
        for access in accesses where start + access.seconds < readies[Int(access.stop)] {
            let stop = Int(access.stop)
            readies[stop] = start + access.seconds
            origins[stop] = -1
            if !isBoardable[stop] {
                isBoardable[stop] = true
                boardable.append(access.stop)
            }
        }
        for round in 1..<mostRides + 1 where !boardable.isEmpty || stride > 0 {
            carry(to: round)
            collectLanes(table)
            for lane in queue { scan(table, Int(lane), round) }
            queue.removeAll(keepingCapacity: true)
            stay(table, round)
            for stop in boardable { isBoardable[Int(stop)] = false }
            boardable.removeAll(keepingCapacity: true)
            walk(footpaths, changes, round)
        }
        for stop in boardable { isBoardable[Int(stop)] = false }
        boardable.removeAll(keepingCapacity: true)
        for stop in touched { isTouched[Int(stop)] = false }
        touched.removeAll(keepingCapacity: true)
        for access in egresses { egress[Int(access.stop)] = RunTable.never }
    }

    /// Carries the results of fewer rides over as bounds for more rides.
    private mutating func carry(to round: Int) {
        best[round] = min(best[round], best[round - 1])
        guard stride > 0 else { return }
        for stop in boardable where !isTouched[Int(stop)] {
            isTouched[Int(stop)] = true
            touched.append(stop)
        }
        let row = stride * round, before = row - stride
        for stop in touched {
            let stop = Int(stop)
            arrivals[row + stop] = min(arrivals[row + stop], arrivals[before + stop])
            readies[row + stop] = min(readies[row + stop], readies[before + stop])
        }
    }

    private mutating func collectLanes(_ table: RunTable) {
        for stop in boardable {
            for slot in Int(table.boardingStarts[Int(stop)])..<Int(table.boardingStarts[Int(stop) + 1]) {
                let (lane, index) = table.boardings[slot]
                let first = firstIndexes[Int(lane)]
                guard index < first else { continue }
                if first == .max { queue.append(lane) }
                firstIndexes[Int(lane)] = index
            }
        }
    }

    private mutating func scan(_ table: RunTable, _ number: Int, _ round: Int) {
        let lane = table.lanes[number], count = lane.count
        let start = Int(firstIndexes[number])
        firstIndexes[number] = .max
        let row = stride * round, before = stride * (round - 1)
        var run = lane.runs, times = 0, board = Int32(-1)
        for index in start..<count {
            let stop = Int(table.stops[lane.stops + index])
            if run < lane.runs {
                let arrival = table.arrivals[times + index]
                if arrival < arrivals[row + stop], arrival < best[round],
                    table.rules[lane.stops + index] & Timetable.StopRules.alights.rawValue != 0
                {
                    reach(
                        stop, arrival, Ride(run: Int32(lane.firstRun + run), board: board, alight: Int32(index)), round)
                }
            }
            guard isBoardable[stop], index + 1 < count,
                table.rules[lane.stops + index] & Timetable.StopRules.boards.rawValue != 0
            else { continue }
            let ready = readies[before + stop]
            // Finds the earliest of the previous runs that has not departed yet.
            var low = 0, high = run
            if run < lane.runs, run == 0 || table.departures[lane.times + (run - 1) * count + index] < ready {
                continue
            }
            while low < high {
                let middle = (low + high) / 2
                if table.departures[lane.times + middle * count + index] < ready {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            guard low < run else { continue }
            let first = lane.times + low * count
            guard table.departures[first + index] < best[round] else { continue }
            run = low
            times = first
            board = Int32(index)
        }
        guard table.hasNextRuns, run < lane.runs else { return }
        // Each run that can still be boarded may continue as a different trip.
        for later in run..<lane.runs where table.goesOn(lane.firstRun + later) {
            continuing.append(Ride(run: Int32(lane.firstRun + later), board: board, alight: Int32(count - 1)))
        }
    }

    /// Stays seated in vehicles that continue as other trips.
    private mutating func stay(_ table: RunTable, _ round: Int) {
        let row = stride * round
        while let ride = continuing.popLast() {
            let end = table.arrival(ride.run, at: ride.alight)
            guard end < best[round] else { continue }
            for next in table.nextRuns(after: Int(ride.run)) { stay(table, in: next, after: ride, end, row, round) }
        }
    }

    private mutating func stay(
        _ table: RunTable, in next: Int32, after ride: Ride, _ end: Int32, _ row: Int, _ round: Int
    ) {
        guard seatedRounds[next] ?? .max > round, table.departure(next, at: 0) >= end else { return }
        seatedRounds[next] = round
        seats[Int64(round) << 32 | Int64(next)] = ride
        let lane = table.lane(of: next), times = table.times(of: next)
        // Passengers cannot alight at the first stop of a trip.
        for index in 1..<lane.count
        where table.rules[lane.stops + index] & Timetable.StopRules.alights.rawValue != 0 {
            let stop = Int(table.stops[lane.stops + index]), arrival = table.arrivals[times + index]
            if arrival < arrivals[row + stop], arrival < best[round], arrival >= end {
                reach(stop, arrival, Ride(run: next, board: -1, alight: Int32(index)), round)
            }
        }
        continuing.append(Ride(run: next, board: -1, alight: Int32(lane.count - 1)))
    }

    private mutating func reach(_ stop: Int, _ arrival: Int32, _ ride: Ride, _ round: Int) {
        arrivals[stride * round + stop] = arrival
        rides[stopCount * round + stop] = ride
        if !isReached[stop] {
            isReached[stop] = true
            reached.append(Int32(stop))
        }
        let there = arrival + egress[stop]
        if there < best[round] {
            best[round] = there
            targets[round] = Target(stop: Int32(stop), time: there)
        }
    }

    private mutating func walk(_ footpaths: Footpaths, _ changes: [Int32], _ round: Int) {
        let row = stride * round, bound = best[round]
        for from in reached {
            let stop = Int(from)
            isReached[stop] = false
            if stride > 0, !isTouched[stop] {
                isTouched[stop] = true
                touched.append(from)
            }
            guard round < mostRides else { continue }
            let arrival = arrivals[row + stop]
            board(stop, arrival + min(changes[stop], RunTable.never), from, row, round, bound)
            for way in footpaths.range(from: stop) {
                board(Int(footpaths.ends[way]), arrival + footpaths.readies[way], from, row, round, bound)
            }
        }
        reached.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    private mutating func board(_ stop: Int, _ ready: Int32, _ from: Int32, _ row: Int, _ round: Int, _ bound: Int32) {
        guard ready < readies[row + stop], ready < bound else { return }
        readies[row + stop] = ready
        origins[stopCount * round + stop] = from
        if !isBoardable[stop] {
            isBoardable[stop] = true
            boardable.append(Int32(stop))
        }
    }

    /// Returns the rides of the journey that ends in a round.
    func rides(_ table: RunTable, to stop: Int32, round: Int) -> [RideSpan] {
        var spans: [RideSpan] = [], stop = stop, round = round
        while round > 0 {
            var ride = rides[stopCount * round + Int(stop)]
            guard ride.run >= 0 else { return [] }
            while ride.board < 0 {
                guard let before = seats[Int64(round) << 32 | Int64(ride.run)] else { return [] }
                spans.append(RideSpan(run: ride.run, board: 0, alight: ride.alight, isSeated: true))
                ride = before
            }
            spans.append(RideSpan(run: ride.run, board: ride.board, alight: ride.alight, isSeated: false))
            round -= 1
            let boarded = table.stop(ride.run, at: ride.board)
            let origin = origins[stopCount * round + boarded]
            stop = round > 0 ? origin : stop
            guard round == 0 || origin >= 0 else { return [] }
        }
        return spans.reversed()
    }
}

/// A part of a run between two of its stops.
struct RideSpan: Hashable, Sendable {
    var run: Int32, board: Int32, alight: Int32
    /// Whether passengers stay seated from the vehicle's previous trip.
    var isSeated: Bool
}
