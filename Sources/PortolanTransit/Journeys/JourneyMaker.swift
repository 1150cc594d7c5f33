import Foundation

/// Converts search results to journeys.
struct JourneyMaker {
    let planner: JourneyPlanner
    let table: RunTable
    /// The start of the base day, in seconds after 1970-01-01.
    let zero: Int
    let isMirrored: Bool
    let query: JourneyPlanner.Query
    let ends: JourneyEnds

    private var network: JourneyNetwork { planner.network }
    private var footpaths: Footpaths { isMirrored ? network.reversedFootpaths : network.footpaths }

    /// Returns the journey for a sequence of rides, or `nil` if it is empty.
    ///
    /// A search takes the first vehicle at each stop. The journey takes the last one that is early enough, so that
    /// passengers wait before the journey rather than at stops.
    func journey(_ spans: [RideSpan]) -> Journey? {
        guard !spans.isEmpty else { return nil }
        let late = mirroredBack(tightened(spans))
        guard let first = late.first, let last = late.last else { return nil }
        let forward = isMirrored ? planner.table(base, isMirrored: false) : table
        let start = forward.stop(first.run, at: first.board), end = forward.stop(last.run, at: last.alight)
        guard let access = ends.from.first(where: { Int($0.stop) == start }),
            let egress = ends.to.first(where: { Int($0.stop) == end })
        else { return nil }
        var legs: [Journey.Leg] = []
        let departure = date(forward.departure(first.run, at: first.board) - access.seconds)
        let arrival = date(forward.arrival(last.run, at: last.alight) + egress.seconds)
        if access.seconds > 0 || access.meters > 0 {
            legs.append(
                .walk(
                    Journey.Walk(
                        from: query.from, to: .stop(network.nodes.stop(start)), meters: Double(access.meters),
                        seconds: Int(access.seconds),
                        departure: departure)))
        }
        for (index, span) in late.enumerated() {
            if index > 0, !span.isSeated, let walk = walk(late[index - 1], span, forward) { legs.append(.walk(walk)) }
            var ride = ride(span, forward)
            if index > 0, !span.isSeated {
                let before = late[index - 1]
                ride.minimumTransferTime = network.leastSeconds(
                    from: forward.stop(before.run, at: before.alight), to: forward.stop(span.run, at: span.board))
            }
            legs.append(.ride(ride))
        }
        if egress.seconds > 0 || egress.meters > 0 {
            legs.append(
                .walk(
                    Journey.Walk(
                        from: .stop(network.nodes.stop(end)), to: query.to, meters: Double(egress.meters),
                        seconds: Int(egress.seconds),
                        departure: date(forward.arrival(last.run, at: last.alight)))))
        }
        return Journey(legs: legs, departure: departure, arrival: arrival)
    }

    private var base: ServiceDay {
        planner.clock.day(at: zero + 43_200)
    }

    private func date(_ seconds: Int32) -> Date { Date(timeIntervalSince1970: Double(zero + Int(seconds))) }

    /// Moves each ride to the latest run of its pattern that the next ride allows.
    private func tightened(_ spans: [RideSpan]) -> [RideSpan] {
        var spans = spans
        for index in spans.indices.dropLast().reversed() where !spans[index].isSeated && !spans[index + 1].isSeated {
            let before = index > 0 ? spans[index - 1] : nil, next = spans[index + 1]
            spans[index].run = latest(spans[index], after: before, before: next)
        }
        return spans
    }

    /// Returns the latest run of a ride's pattern that reaches the next ride and does not depart before the previous
    /// ride arrives.
    private func latest(_ span: RideSpan, after before: RideSpan?, before next: RideSpan) -> Int32 {
        let end = table.departure(next.run, at: next.board), goal = table.stop(next.run, at: next.board)
        var best = span.run, departure = table.departure(span.run, at: span.board)
        for number in table.lanesBeside(table.lanesOfRuns[Int(span.run)]) {
            let lane = table.lanes[number]
            guard let need = need(Int(table.stops[lane.stops + Int(span.alight)]), goal) else { continue }
            // The runs of a lane are sorted by time.
            var low = 0, high = lane.runs
            while low < high {
                let middle = (low + high) / 2
                if table.arrivals[lane.times + middle * lane.count + Int(span.alight)] <= end - need {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            guard low > 0 else { continue }
            let run = Int32(lane.firstRun + low - 1), leaves = table.departure(run, at: span.board)
            guard leaves > departure, run != span.run else { continue }
            if let before {
                let start = table.stop(before.run, at: before.alight), board = table.stop(run, at: span.board)
                guard let change = self.need(start, board),
                    table.arrival(before.run, at: before.alight) + change <= leaves
                else { continue }
            }
            (best, departure) = (run, leaves)
        }
        return best
    }

    /// Returns the minimum transfer time in seconds between two nodes, or `nil` if there is no footpath.
    private func need(_ from: Int, _ to: Int) -> Int32? {
        if from == to { return network.changes[from] < RunTable.never ? network.changes[from] : nil }
        return footpaths.range(from: from).lazy.filter { Int(footpaths.ends[$0]) == to }
            .map { footpaths.readies[$0] }.min()
    }

    private func mirroredBack(_ spans: [RideSpan]) -> [RideSpan] {
        guard isMirrored else { return spans }
        let turned = spans.reversed().map { span in
            let last = Int32(table.lane(of: span.run).count - 1)
            return RideSpan(
                run: table.mirror(span.run), board: last - span.alight, alight: last - span.board,
                isSeated: span.isSeated)
        }
        // Staying seated is a property of the later ride.
        return turned.indices.map { index in
            var span = turned[index]
            span.isSeated = index > 0 && turned[index - 1].isSeated
            return span
        }
    }

    private func walk(_ before: RideSpan, _ after: RideSpan, _ table: RunTable) -> Journey.Walk? {
        let from = table.stop(before.run, at: before.alight), to = table.stop(after.run, at: after.board)
        let ends = (network.nodes.stop(from), network.nodes.stop(to))
        guard ends.0 != ends.1, let way = network.footpaths.way(from: from, to: to) else { return nil }
        return Journey.Walk(
            from: .stop(ends.0), to: .stop(ends.1), meters: Double(network.footpaths.meters[way]),
            seconds: Int(network.footpaths.walks[way]), departure: date(table.arrival(before.run, at: before.alight)))
    }

    private func ride(_ span: RideSpan, _ table: RunTable) -> Journey.Ride {
        guard table.trips[Int(span.run)] >= 0 else { return added(span, table) }
        let timetable = network.timetable, lane = table.lane(of: span.run)
        let pattern = timetable.patterns[Int(lane.pattern)]
        let trip = Int(table.trips[Int(span.run)])
        let day = base.advanced(by: Int(table.days[Int(span.run)]))
        let offset = planner.clock.start(of: day)
        let first = timetable.timeIndex(trip: trip, stop: 0, in: pattern)
        var live: LiveTimes.Times?
        if !planner.live.isEmpty, case .runs(let known) = planner.live.news(of: trip, on: day) { live = known }
        let times = table.times(of: span.run)
        func scheduled(_ time: Int32) -> Date { Date(timeIntervalSince1970: Double(offset + Int(time))) }
        let calls = (Int(span.board)...Int(span.alight)).map { index in
            var call = Journey.Call(
                stop: Int(timetable.patternStops[pattern.stops.lowerBound + index]),
                arrival: scheduled(timetable.arrivals[first + index]),
                departure: scheduled(timetable.departures[first + index]))
            guard let live else { return call }
            let arrival = table.arrivals[times + index], departure = table.departures[times + index]
            call.isSkipped = arrival >= RunTable.never
            if !call.isSkipped {
                if live.knowsArrival[index] { call.expectedArrival = date(arrival) }
                if live.knowsDeparture[index] { call.expectedDeparture = date(departure) }
            }
            return call
        }
        let shown = timetable.headsign(trip: trip, time: first + Int(span.board))
        let headway = Int(timetable.trips.headways[trip])
        return Journey.Ride(
            line: Int(pattern.line), direction: pattern.direction < 0 ? nil : Int(pattern.direction), trip: trip,
            tripID: timetable.trips.ids[trip], day: day,
            headsign: !shown.isEmpty ? shown : timetable.endName(of: pattern), staysSeated: span.isSeated,
            headway: headway > 0 ? headway : nil, calls: calls)
    }

    /// Returns a ride in an added trip.
    private func added(_ span: RideSpan, _ table: RunTable) -> Journey.Ride {
        let trip = planner.live.added.trips[-1 - Int(table.trips[Int(span.run)])]
        func date(_ seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
        let calls = trip.calls[Int(span.board)...Int(span.alight)].map { call in
            Journey.Call(
                stop: Int(call.stop), arrival: date(call.plannedArrival), departure: date(call.plannedDeparture),
                expectedArrival: call.knowsArrival ? date(call.arrival) : nil,
                expectedDeparture: call.knowsDeparture ? date(call.departure) : nil)
        }
        return Journey.Ride(
            line: Int(trip.line), direction: trip.direction, trip: -1, tripID: trip.id, day: trip.day,
            headsign: trip.headsign, staysSeated: false, headway: nil, calls: calls)
    }
}

extension Timetable {
    /// Returns the headsign of a trip at a stop time, or an empty string.
    func headsign(trip: Int, time: Int) -> String {
        let word = stopHeadsigns.isEmpty ? trips.headsigns[trip] : stopHeadsigns[time] ?? trips.headsigns[trip]
        return word >= 0 ? words[Int(word)] : ""
    }

    /// Returns the name of the last stop of a pattern.
    func endName(of pattern: Pattern) -> String {
        pattern.stops.isEmpty ? "" : stops[Int(patternStops[pattern.stops.upperBound - 1])].name
    }
}
