import Foundation
public import PortolanFetch
import PortolanTransit
public import PortolanWeb

/// A source of GTFS Realtime: one address for all, or one each for vehicles, trips and notices, asked again and again.
///
/// Servers behind a balancer may answer with what is older than what they answered before: that is passed over. An address that
/// tells only what changed (`DIFFERENTIAL`) adds to what it said before.
public struct GTFSRealtimeFeed: VehicleFeed {
    private let poller: FeedPoller<RealtimePollReader>

    /// What it is called in messages, without secrets.
    public var name: String { poller.name }

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - addresses: of one or several messages.
    ///   - headers: such as a key.
    ///   - pace: the time between two requests of an address, at least a second; 30 s, as the practice of the format is.
    public init(
        _ addresses: [NamedURL], headers: [HTTPHeader] = [], fetcher: Fetcher, pace: Duration = .seconds(30),
        limits: RealtimeLimits = RealtimeLimits()
    ) {
        self.init(addresses, headers: headers, fetcher: fetcher, pace: pace, limits: limits, clock: .system)
    }

    /// Makes a source with a clock of its own, and perhaps what its first address has answered already.
    package init(
        _ addresses: [NamedURL], headers: [HTTPHeader] = [], fetcher: Fetcher, pace: Duration = .seconds(30),
        limits: RealtimeLimits = RealtimeLimits(), clock: FetchClock, first: FirstAnswer? = nil
    ) {
        let name = addresses.first.map { FetchError.redacted($0.text) } ?? "GTFS Realtime"
        poller = FeedPoller(
            name: name,
            requests: addresses.map {
                HTTPRequest(to: $0, headers: headers, maximumBodyByteCount: limits.byteCount)
            }, fetcher: fetcher, pace: pace, clock: clock,
            reader: RealtimePollReader(source: name, count: addresses.count, limits: limits), first: first)
    }

    /// What is heard; what is of no interest is left out of it.
    public func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> {
        poller.events(for: interests)
    }
}

/// Puts messages of several addresses together.
struct RealtimePollReader: PolledReader {
    private let limits: RealtimeLimits
    private let source: String
    /// What each address has said last.
    private var heard: [Heard]
    /// The latest time of all addresses: what is put together of them is as new as the newest.
    private var latest: Date?

    private struct Heard {
        var time: Date?
        /// The identifiers of vehicles by those of their entities.
        var vehicles: [String: String] = [:]
        var trips: [String: TripUpdate] = [:]
        var disruptions: [String: Disruption] = [:]
        /// Whether it has ever spoken of trips or notices.
        var saysTrips = false, saysDisruptions = false, saysVehicles = false
    }

    init(source: String, count: Int, limits: RealtimeLimits) {
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

    /// Takes what a message says of one kind; whether it says anything.
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
        // Of several addresses none tells all there is: what this one does not name any more is gone.
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
