import Foundation
public import PortolanFetch
import PortolanTransit
public import PortolanWeb

/// A GTFS Realtime source that polls one URL, or several for vehicles, trips and alerts.
///
/// Responses older than previous ones, which load balancers may cause, are ignored. `DIFFERENTIAL` messages are merged
/// with the previous state.
public struct GTFSRealtimeFeed: VehicleFeed {
    private let poller: FeedPoller<RealtimePollReader>

    /// The name used in messages, without secrets.
    public var name: String { poller.name }

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - addresses: the URLs of one or several messages.
    ///   - headers: additional request headers, such as an API key.
    ///   - pace: the time between two requests of a URL, at least 1 s; 30 s by default, as GTFS Realtime practice
    ///     recommends.
    public init(
        _ addresses: [NamedURL], headers: [HTTPHeader] = [], fetcher: Fetcher, pace: Duration = .seconds(30),
        limits: RealtimeMessage.Limits = RealtimeMessage.Limits()
    ) {
        self.init(addresses, headers: headers, fetcher: fetcher, pace: pace, limits: limits, clock: .system)
    }

    /// Creates a source with a custom clock, and optionally the first response of the first URL.
    package init(
        _ addresses: [NamedURL], headers: [HTTPHeader] = [], fetcher: Fetcher, pace: Duration = .seconds(30),
        limits: RealtimeMessage.Limits = RealtimeMessage.Limits(), clock: FetchClock, first: FirstAnswer? = nil
    ) {
        let name = addresses.first.map { FetchError.redacted($0.text) } ?? "GTFS Realtime"
        poller = FeedPoller(
            name: name,
            requests: addresses.map {
                HTTPRequest(to: $0, headers: headers, maximumBodyByteCount: limits.byteCount)
            }, fetcher: fetcher, pace: pace, clock: clock,
            reader: RealtimePollReader(source: name, count: addresses.count, limits: limits), first: first)
    }

    /// Returns the events, filtered by interest.
    public func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> {
        poller.events(for: interests)
    }
}

/// Merges the messages of several URLs.
struct RealtimePollReader: PolledReader {
    private let limits: RealtimeMessage.Limits
    private let source: String
    /// The last data of each URL.
    private var heard: [Heard]
    /// The latest time of all URLs, which is the time of the merged state.
    private var latest: Date?

    private struct Heard {
        var time: Date?
        /// The vehicle identifiers by entity identifier.
        var vehicles: [String: String] = [:]
        var trips: [String: TripUpdate] = [:]
        var disruptions: [String: Disruption] = [:]
        /// Whether the URL has ever sent trips, alerts or vehicles.
        var saysTrips = false, saysDisruptions = false, saysVehicles = false
    }

    init(source: String, count: Int, limits: RealtimeMessage.Limits) {
        self.source = source
        self.limits = limits
        heard = Array(repeating: Heard(), count: count)
    }

    mutating func events(of body: [UInt8], from index: Int, now: Date) throws(FeedError) -> [FeedEvent] {
        let message = try RealtimeMessage(bytes: body, source: source, limits: limits)
        let told = message.time.map { $0.plausible(now: now) }
        if let told, let before = heard[index].time, told < before { return [] }
        if let fault = message.fault { throw fault }
        heard[index].time = told ?? heard[index].time
        let isDifferential = message.header.incrementality == .differential
        let time = told ?? now, latest = max(time, latest ?? time)
        self.latest = latest
        var events: [FeedEvent] = []
        events += vehicleEvents(of: message, from: index, isDifferential: isDifferential, time: time, now: now)
        if update(
            \.trips, with: zip(message.trips.map(\.id), message.trips.map { TripUpdate($0.value) }), of: message, index)
            || heard[index].saysTrips
        {
            heard[index].saysTrips = true
            events.append(.trips(heard.flatMap { Self.sorted($0.trips) }, time: latest))
        }
        if update(\.disruptions, with: zip(message.alerts.map(\.id), message.disruptions), of: message, index)
            || heard[index].saysDisruptions
        {
            heard[index].saysDisruptions = true
            events.append(.disruptions(heard.flatMap { Self.sorted($0.disruptions) }))
        }
        if message.faultCount > 0 { events.append(.losses(message.losses)) }
        return events
    }

    private static func sorted<Value>(_ values: [String: Value]) -> [Value] {
        values.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Applies the entities of one kind, and returns whether there were any.
    private mutating func update<Value>(
        _ kind: WritableKeyPath<Heard, [String: Value]>, with told: some Sequence<(String, Value?)>,
        of message: RealtimeMessage, _ index: Int
    ) -> Bool {
        let isDifferential = message.header.incrementality == .differential
        if !isDifferential { heard[index][keyPath: kind] = [:] }
        for id in message.deleted { heard[index][keyPath: kind][id] = nil }
        var saysAny = false
        for case (let id, let value?) in told {
            heard[index][keyPath: kind][id] = value
            saysAny = true
        }
        return saysAny
    }

    private mutating func vehicleEvents(
        of message: RealtimeMessage, from index: Int, isDifferential: Bool, time: Date, now: Date
    ) -> [FeedEvent] {
        let reports = message.reports(now: now)
        let before = heard[index].vehicles
        let told = Dictionary(zip(message.vehicles.lazy.map(\.id), reports.lazy.map(\.id))) { $1 }
        if !isDifferential, heard.count == 1 || heard.indices.allSatisfy({ $0 == index || !heard[$0].saysVehicles }) {
            guard !reports.isEmpty || heard[index].saysVehicles else { return [] }
            heard[index].saysVehicles = true
            heard[index].vehicles = told
            return [.snapshot(reports, time: time)]
        }
        // With several URLs, none sends all vehicles. Vehicles that this one no longer contains are gone.
        var gone: [String] = []
        if isDifferential {
            gone = message.deleted.compactMap { before[$0] }
            for entity in message.deleted { heard[index].vehicles[entity] = nil }
            heard[index].vehicles.merge(told) { $1 }
        } else {
            let present = Set(told.values)
            gone = before.values.filter { !present.contains($0) }
            heard[index].vehicles = told
        }
        if !reports.isEmpty { heard[index].saysVehicles = true }
        var events: [FeedEvent] = []
        if !reports.isEmpty { events.append(.reports(reports)) }
        if !gone.isEmpty { events.append(.gone(gone.sorted(), since: time)) }
        return events
    }
}
