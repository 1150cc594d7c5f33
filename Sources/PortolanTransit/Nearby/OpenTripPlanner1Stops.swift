public import Foundation
import PortolanFeatures
public import PortolanFetch
public import PortolanGeo
import PortolanRouting
public import PortolanWeb

/// A stop finder for OpenTripPlanner 1.x servers, using the REST interface (tag v1.5.0, IndexAPI) that version 2
/// removed.
public struct OpenTripPlanner1Stops: StopFinder {
    private let door: JSONClient

    /// The maximum radius in metres.
    ///
    /// The server silently limits larger ones.
    public static let maximumMeters = 5000.0

    /// Creates a finder.
    ///
    /// - Parameters:
    ///   - router: the URL of the router, such as `http://localhost:8080/otp/routers/default`.
    ///   - headers: additional request headers, such as an API key.
    ///   - timeouts: the time limits of a request.
    public init(
        _ router: NamedURL, fetcher: Fetcher, headers: [HTTPHeader] = [],
        timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts()
    ) {
        door = JSONClient(
            name: "OpenTripPlanner 1", base: router, fetcher: fetcher, headers: headers, timeouts: timeouts)
    }

    /// `OpenTripPlanner 1`.
    public var name: String { door.name }

    /// Returns the stops within a straight distance in metres, at most 5,000.
    public func stops(near center: Coordinate, within meters: Double) async throws(StopFinderError) -> NearbyStops {
        let meters = min(try meters.checked(center), Self.maximumMeters)
        let query = [
            "lat=\(Decimals.text(center.y))", "lon=\(Decimals.text(center.x))", "radius=\(Decimals.text(meters))",
        ]
        let answer = try await asked("index/stops", query)
        guard let list = answer.value.arrayValue else { throw .service(door.unknown(answer)) }
        let stops = list.compactMap { Self.stop($0, near: center) }
        // The server returns stops in the corners of its grid as well.
        var found = NearbyStops(
            stops.filter { $0.meters <= meters }, within: meters, distance: .straight, source: name)
        found.skippedCount = list.count - stops.count
        return found
    }

    /// Returns the next arrivals at a stop within a day.
    ///
    /// - Complexity: two requests.
    public func arrivals(
        at stop: String, from time: Date, limit: Int
    ) async throws(StopFinderError) -> [NearbyStops.Arrival] {
        guard let id = stop.addingPercentEncoding(withAllowedCharacters: .alphanumerics), !id.isEmpty else {
            throw .unknownStop(stop)
        }
        let limit = min(max(0, limit), TransitAnswer.maximumArrivalCount)
        let start = TransitAnswer.seconds(time)
        let answer = try await asked(
            "index/stops/\(id)/stoptimes",
            ["startTime=\(start)", "timeRange=86400", "numberOfDepartures=\(limit)"], stop: stop)
        guard let patterns = answer.value.arrayValue else { throw .service(door.unknown(answer)) }
        // Stop times only refer to patterns.
        let routes = try await asked("index/stops/\(id)/routes", [], stop: stop)
        guard let list = routes.value.arrayValue else { throw .service(door.unknown(routes)) }
        let lines = list.compactMap(Line.init)
        var arrivals: [NearbyStops.Arrival] = []
        for value in patterns {
            guard let members = value.objectValue, let times = members["times"]?.arrayValue else {
                throw .service(door.malformed(answer.place, "a pattern has no times"))
            }
            let line = Self.line(of: members["pattern"]?.objectValue, among: lines)
            for time in times {
                guard let arrival = Self.arrival(time, line: line) else {
                    throw .service(door.malformed(answer.place, "a time has no day and seconds"))
                }
                arrivals.append(arrival)
            }
        }
        return Array(arrivals.filter { $0.time >= time }.sorted(by: NearbyStops.Arrival.isBefore).prefix(limit))
    }

    private func asked(
        _ path: String, _ query: [String], stop: String? = nil
    ) async throws(StopFinderError) -> JSONClient.Answer {
        do throws(RoutingError) {
            let answer = try await door.ask(path, query: query)
            guard (200..<300).contains(answer.status) else {
                throw .fetch(
                    FetchError(
                        .httpStatus, url: answer.place, status: answer.status, detail: "the server refuses the request")
                )
            }
            return answer
        } catch {
            // The response for an unknown stop is not JSON.
            if let stop, case .fetch(let fault) = error, fault.status == 404 { throw .unknownStop(stop) }
            throw .service(error)
        }
    }

    private static func stop(_ value: PropertyValue, near center: Coordinate) -> NearbyStops.Stop? {
        guard let members = value.objectValue, let id = identifier(members["id"]),
            let place = TransitAnswer.place(members["lat"], members["lon"])
        else { return nil }
        // Only queries by radius include a distance.
        let meters = members["dist"]?.doubleValue.flatMap { (0..<1e8).contains($0) ? $0 : nil }
        var stop = NearbyStops.Stop(
            id: id, name: members["name"]?.displayText ?? id, place: place,
            meters: meters ?? Geodesic.line(from: center, to: place).meters)
        stop.code = members["code"]?.displayText ?? ""
        return stop
    }

    /// Returns an identifier "feed:stop", which older servers send as an object.
    private static func identifier(_ value: PropertyValue?) -> String? {
        if let text = value?.stringValue { return text.isEmpty ? nil : text }
        guard let members = value?.objectValue, let id = members["id"]?.displayText, !id.isEmpty else { return nil }
        guard let agency = members["agencyId"]?.displayText ?? members["feedId"]?.displayText else { return id }
        return "\(agency):\(id)"
    }

    /// A line that serves a stop.
    private struct Line {
        var id = ""
        var name: String
        var mode: TransitMode?
        var color: UInt32?

        init(name: String) { self.name = name }

        init?(_ value: PropertyValue) {
            guard let members = value.objectValue, let id = identifier(members["id"]) else { return nil }
            func text(_ name: String) -> String? { members[name]?.displayText.flatMap { $0.isEmpty ? nil : $0 } }
            self.id = id
            name = text("shortName") ?? text("longName") ?? id
            mode = TransitAnswer.mode(members["mode"])
            color = TransitAnswer.color(members["color"])
        }
    }

    /// Returns the line of a pattern, whose identifier is the line's followed by direction and number, such as
    /// "1:9:0:01".
    private static func line(of pattern: Properties?, among lines: [Line]) -> Line {
        let id = identifier(pattern?["id"]) ?? ""
        let found = lines.filter { id.hasPrefix($0.id + ":") }.max { $0.id.utf8.count < $1.id.utf8.count }
        return found ?? Line(name: id)
    }

    private static func arrival(_ value: PropertyValue, line: Line) -> NearbyStops.Arrival? {
        guard let members = value.objectValue,
            let scheduled = TransitAnswer.date(members["serviceDay"], members["scheduledArrival"])
        else { return nil }
        var arrival = NearbyStops.Arrival(line: line.name, scheduled: scheduled)
        arrival.mode = line.mode
        arrival.color = line.color
        if members["realtime"]?.boolValue == true {
            arrival.estimated = TransitAnswer.date(members["serviceDay"], members["realtimeArrival"])
        }
        arrival.isCanceled = TransitAnswer.isCanceled(members["realtimeState"])
        arrival.headsign = members["headsign"]?.displayText ?? ""
        arrival.trip = identifier(members["tripId"])
        return arrival
    }
}
