public import Foundation
import PortolanFeatures
public import PortolanFetch
public import PortolanGeo
import PortolanRouting
public import PortolanWeb

/// A stop finder for OpenTripPlanner 2 servers, using the GTFS GraphQL API (schema of version 2.9).
public struct OpenTripPlanner2Stops: StopFinder {
    private let door: JSONClient

    /// The maximum number of stops, requested in pages of ``pageCount``.
    public static let maximumCount = 1000
    /// The number of stops in a page.
    public static let pageCount = 100

    /// Creates a finder.
    ///
    /// - Parameters:
    ///   - url: the URL of the API, such as `http://localhost:8080/otp/gtfs/v1`.
    ///   - headers: additional request headers, such as `digitransit-subscription-key`.
    ///   - timeouts: the time limits of a request.
    public init(
        _ url: NamedURL, fetcher: Fetcher, headers: [HTTPHeader] = [],
        timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts()
    ) {
        door = JSONClient(
            name: "OpenTripPlanner 2", base: url, fetcher: fetcher, headers: headers, timeouts: timeouts)
    }

    /// `OpenTripPlanner 2`.
    public var name: String { door.name }

    private static let nearby = """
        query Nearby($lat: Float!, $lon: Float!, $radius: Int!, $first: Int!, $after: String) { \
        stopsByRadius(lat: $lat, lon: $lon, radius: $radius, first: $first, after: $after) { \
        pageInfo { hasNextPage endCursor } edges { node { distance stop { gtfsId name code lat lon vehicleMode \
        platformCode } } } } }
        """

    /// Returns the stops within a walking distance in metres, rounded up.
    ///
    /// - Complexity: one request for each ``pageCount`` stops, up to ``maximumCount``.
    public func stops(near center: Coordinate, within meters: Double) async throws(StopFinderError) -> NearbyStops {
        let meters = try meters.checked(center).rounded(.up)
        var stops: [NearbyStops.Stop] = []
        var skipped = 0
        var cursor: String?
        var isCut = false
        repeat {
            var variables: Properties = [
                "lat": .number(center.y), "lon": .number(center.x), "radius": .integer(Int(meters)),
                "first": .integer(Self.pageCount),
            ]
            if let cursor { variables["after"] = .string(cursor) }
            let (data, place) = try await asked(Self.nearby, variables)
            guard let page = data["stopsByRadius"]?.objectValue, let edges = page["edges"]?.arrayValue else {
                throw .service(door.malformed(place, "it has no stops"))
            }
            for edge in edges {
                if let stop = Self.stop(edge) { stops.append(stop) } else { skipped += 1 }
            }
            let info = page["pageInfo"]?.objectValue
            let next = info?["hasNextPage"]?.boolValue == true ? info?["endCursor"]?.stringValue : nil
            // Guards against servers whose pages do not advance.
            let advances = next != nil && next != cursor && !edges.isEmpty
            isCut = next != nil && (!advances || stops.count + skipped >= Self.maximumCount)
            cursor = isCut || !advances ? nil : next
        } while cursor != nil
        var found = NearbyStops(stops, within: meters, distance: .walking, source: name)
        found.skippedCount = skipped
        found.isCut = isCut
        return found
    }

    private static let times = """
        query Arrivals($id: String!, $count: Int!, $start: Long!) { stop(id: $id) { \
        stoptimesWithoutPatterns(numberOfDepartures: $count, startTime: $start, timeRange: 86400) { scheduledArrival \
        realtimeArrival realtime realtimeState serviceDay headsign trip { gtfsId route { shortName longName mode \
        color } } } } }
        """

    /// Returns the next arrivals at a stop within a day.
    public func arrivals(
        at stop: String, from time: Date, limit: Int
    ) async throws(StopFinderError) -> [NearbyStops.Arrival] {
        let limit = min(max(1, limit), TransitAnswer.maximumArrivalCount)
        let variables: Properties = [
            "id": .string(stop), "count": .integer(limit), "start": .integer(TransitAnswer.seconds(time)),
        ]
        let (data, place) = try await asked(Self.times, variables)
        guard let found = data["stop"] else { throw .service(door.malformed(place, "it has no stop")) }
        guard let members = found.objectValue else { throw .unknownStop(stop) }
        guard let list = members["stoptimesWithoutPatterns"]?.arrayValue else {
            throw .service(door.malformed(place, "the stop has no times"))
        }
        var arrivals: [NearbyStops.Arrival] = []
        for value in list {
            guard let arrival = Self.arrival(value) else {
                throw .service(door.malformed(place, "a time has no day and seconds"))
            }
            arrivals.append(arrival)
        }
        return Array(arrivals.sorted(by: NearbyStops.Arrival.isBefore).prefix(limit))
    }

    /// Returns the data of a response.
    ///
    /// GraphQL may report errors besides data, with any status code.
    private func asked(
        _ query: String, _ variables: Properties
    ) async throws(StopFinderError) -> (data: Properties, place: String) {
        let body: PropertyValue = ["query": .string(query), "variables": .object(variables)]
        do throws(RoutingError) {
            let answer = try await door.ask("", body: body)
            guard let members = answer.value.objectValue else { throw door.unknown(answer) }
            if let error = members["errors"]?.arrayValue?.first?.objectValue {
                let kind = error["extensions"]?.objectValue?["classification"]?.stringValue
                throw door.refused(kind ?? "error", error["message"]?.stringValue)
            }
            guard let data = members["data"]?.objectValue else { throw door.unknown(answer) }
            return (data, answer.place)
        } catch { throw .service(error) }
    }

    private static func stop(_ edge: PropertyValue) -> NearbyStops.Stop? {
        guard let node = edge.objectValue?["node"]?.objectValue, let members = node["stop"]?.objectValue,
            let id = members["gtfsId"]?.stringValue, !id.isEmpty,
            let meters = node["distance"]?.doubleValue, (0..<1e8).contains(meters),
            let place = TransitAnswer.place(members["lat"], members["lon"])
        else { return nil }
        var stop = NearbyStops.Stop(id: id, name: members["name"]?.displayText ?? id, place: place, meters: meters)
        stop.code = members["code"]?.displayText ?? ""
        stop.mode = TransitAnswer.mode(members["vehicleMode"])
        stop.platform = members["platformCode"]?.displayText ?? ""
        return stop
    }

    private static func arrival(_ value: PropertyValue) -> NearbyStops.Arrival? {
        guard let members = value.objectValue,
            let scheduled = TransitAnswer.date(members["serviceDay"], members["scheduledArrival"])
        else { return nil }
        let trip = members["trip"]?.objectValue, route = trip?["route"]?.objectValue
        func text(_ value: PropertyValue?) -> String? { value?.stringValue.flatMap { $0.isEmpty ? nil : $0 } }
        var arrival = NearbyStops.Arrival(
            line: text(route?["shortName"]) ?? text(route?["longName"]) ?? "", scheduled: scheduled)
        if members["realtime"]?.boolValue == true {
            arrival.estimated = TransitAnswer.date(members["serviceDay"], members["realtimeArrival"])
        }
        arrival.isCanceled = TransitAnswer.isCanceled(members["realtimeState"])
        arrival.headsign = members["headsign"]?.displayText ?? ""
        arrival.mode = TransitAnswer.mode(route?["mode"])
        arrival.color = TransitAnswer.color(route?["color"])
        arrival.trip = text(trip?["gtfsId"])
        return arrival
    }
}
