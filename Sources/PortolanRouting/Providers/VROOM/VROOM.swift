import PortolanFeatures
public import PortolanFetch
public import PortolanWeb

/// An order optimizer that uses a VROOM server (Vehicle Routing Open-source Optimization Machine, API 1.14).
///
/// It supports time windows, stays and kept ends, but not required positions, precedences, traffic and objectives other
/// than time.
public struct VROOM: Sendable {
    private let door: JSONClient

    /// Creates an optimizer.
    ///
    /// - Parameter url: the URL of the server, such as `http://localhost:3000`.
    public init(_ url: NamedURL, fetcher: Fetcher) {
        door = JSONClient(name: "VROOM", base: url, fetcher: fetcher)
    }

    /// Returns the order of places found by the server.
    ///
    /// - Parameter matrix: the travel matrix in the order of the itinerary. Times are sent in whole seconds.
    /// - Throws: ``RoutingError``, also if the itinerary uses unsupported features or a place stays unassigned.
    public func bestOrder(
        of itinerary: Itinerary, by matrix: TravelMatrix
    ) async throws(RoutingError) -> OrderSearch.VisitingOrder {
        let problem = try question(itinerary, matrix)
        let order = try order(in: try await door.ask("", body: problem), itinerary)
        let judge = try OrderProblem(itinerary, matrix, objective: .time, traffic: nil)
        if judge.gap(in: order) != nil { throw judge.unreachable(order) }
        return judge.judged(order, bound: nil, isProven: false)
    }

    /// Returns the indices of the ends to keep.
    private func ends(_ itinerary: Itinerary) -> (start: Int?, end: Int?) {
        if itinerary.isRoundTrip { return (0, 0) }
        let last = itinerary.places.count - 1
        return (itinerary.keepsFirst ? 0 : nil, itinerary.keepsLast ? last : nil)
    }

    private func question(_ itinerary: Itinerary, _ matrix: TravelMatrix) throws(RoutingError) -> PropertyValue {
        let pins = try itinerary.pins()
        let (start, end) = ends(itinerary)
        let hasInnerPins = pins.indices.contains { pins[$0] != nil && $0 != start && $0 != end }
        guard !hasInnerPins, itinerary.precedences.isEmpty else {
            throw .unsupported(provider: door.name, what: "pinned positions and precedences")
        }
        guard start != nil || end != nil, matrix.count == itinerary.places.count, matrix.count > 1 else {
            throw .invalidItinerary("VROOM needs two places and a fixed start or end")
        }
        // A missing route gets the time of one year, so that any other order is preferred.
        func seconds(_ from: Int, _ to: Int) -> PropertyValue {
            .integer(Int((matrix.duration(from: from, to: to) ?? 86_400 * 365).rounded()))
        }
        let rows = (0..<matrix.count).map { from in PropertyValue.array((0..<matrix.count).map { seconds(from, $0) }) }
        var vehicle: Properties = ["id": 1, "profile": "car"]
        if let start {
            // The start is not a job: the vehicle departs when the visit there is over.
            let first = itinerary.places[start]
            let out = Int(((first.window?.lowerBound ?? 0) + first.stay).rounded(.up))
            vehicle["start_index"] = .integer(start)
            vehicle["time_window"] = [.integer(out), .integer(4_000_000_000)]
        }
        if let end { vehicle["end_index"] = .integer(end) }
        let jobs = itinerary.places.enumerated().filter { $0.offset != start && $0.offset != end }.map { index, place in
            var job: Properties = [
                "id": .integer(index + 1), "location_index": .integer(index),
                "service": .integer(Int(place.stay.rounded())),
            ]
            if let window = place.window {
                job["time_windows"] = [
                    [.integer(Int(window.lowerBound)), .integer(Int(min(window.upperBound, 1e9)))]
                ]
            }
            return PropertyValue.object(job)
        }
        return [
            "vehicles": [.object(vehicle)], "jobs": .array(jobs), "matrices": ["car": ["durations": .array(rows)]],
        ]
    }

    private func order(in answer: JSONClient.Answer, _ itinerary: Itinerary) throws(RoutingError) -> [Int] {
        guard let members = answer.value.objectValue, let code = members["code"]?.integerValue else {
            throw door.unknown(answer)
        }
        guard code == 0 else { throw door.refused("\(code)", members["error"]?.stringValue) }
        let left = (members["unassigned"]?.arrayValue ?? []).compactMap { $0.objectValue?["id"]?.integerValue }
        guard left.isEmpty else {
            throw door.refused("unassigned", "no time for \(left.map(String.init).joined(separator: ", "))")
        }
        let (start, end) = ends(itinerary)
        let steps = members["routes"]?.arrayValue?.first?.objectValue?["steps"]?.arrayValue ?? []
        var order: [Int] = start.map { [$0] } ?? []
        for step in steps where step.objectValue?["type"]?.stringValue == "job" {
            let job = step.objectValue?["id"]?.integerValue ?? step.objectValue?["job"]?.integerValue
            guard let job, (1...itinerary.places.count).contains(job) else {
                throw door.malformed(answer.place, "a job has no id")
            }
            order.append(job - 1)
        }
        if let end, end != start { order.append(end) }
        guard order.sorted() == Array(itinerary.places.indices) else {
            throw door.malformed(answer.place, "the route does not visit each place once")
        }
        return order
    }
}
