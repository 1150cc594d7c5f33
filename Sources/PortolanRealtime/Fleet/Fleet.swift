public import Foundation
import PortolanGeo
public import PortolanTransit

/// The current state of a source's vehicles, merged from its reports.
///
/// Older reports of a vehicle are ignored. Values that a report omits are kept while the vehicle stays on the same
/// trip. A missing bearing is derived from the movement. Silent vehicles are forgotten.
public struct Fleet: Hashable, Sendable {
    /// The parameters of a fleet.
    public struct Settings: Hashable, Sendable {
        /// The time of silence after which a vehicle is forgotten; 15 minutes by default.
        public var forgetAfter = Duration.seconds(900)
        /// The time of silence after which a vehicle is stale; 90 s by default, as GTFS Realtime practice recommends.
        public var staleAfter = Duration.seconds(90)
        /// The tolerance for report times in the future, which count as now; one minute by default.
        public var clockTolerance = Duration.seconds(60)
        /// The minimum movement in metres for a derived bearing; 3 by default.
        public var smallestMove = 3.0
        /// The maximum number of vehicles, 200,000 by default.
        ///
        /// Others are ignored.
        public var vehicleLimit = 200_000

        /// Creates the default settings.
        public init() {}
    }

    /// The difference made by an event.
    public struct Change: Hashable, Sendable {
        /// New and changed vehicles in their current state, in the order of the reports.
        public var changed: [VehicleReport] = []
        /// Vehicles with a newer but otherwise equal report.
        ///
        /// They are stationary, not silent.
        public var heard: [VehicleReport] = []
        /// The identifiers of vehicles that are gone, sorted.
        public var gone: [String] = []
        /// Reports of unknown vehicles that were ignored because they are older than ``Settings/forgetAfter``.
        public var silent: [VehicleReport] = []
        /// Whether the trip updates changed.
        public var isOfTrips = false
        /// Whether the service alerts changed.
        public var isOfDisruptions = false
        /// The new state of the source, or `nil` if it is unchanged.
        public var state: FeedEvent.State?

        /// Creates an empty change.
        public init() {}

        /// Whether nothing changed.
        ///
        /// ``heard`` vehicles do not count.
        public var isEmpty: Bool { changed.isEmpty && gone.isEmpty && !isOfTrips && !isOfDisruptions && state == nil }
    }

    /// The parameters.
    public let settings: Settings
    /// The vehicles by identifier.
    public private(set) var vehicles: [String: VehicleReport] = [:]
    /// The trip updates.
    public private(set) var trips: [TripUpdate] = []
    /// The service alerts.
    public private(set) var disruptions: [Disruption] = []
    /// The state of the source, or `nil` before its first event.
    public private(set) var state: FeedEvent.State?
    private var snapshotTime: Date?
    private var tripsTime: Date?
    private var tripIndex: [String: Int] = [:]

    /// Creates an empty fleet.
    public init(settings: Settings = Settings()) { self.settings = settings }

    /// The vehicles sorted by identifier.
    ///
    /// - Complexity: O(*n* log *n*).
    public var snapshot: [VehicleReport] { vehicles.values.sorted { $0.id < $1.id } }

    /// Applies an event of the source.
    ///
    /// - Parameter now: the current time, which replaces report times that are too far in the future.
    /// - Complexity: O(*n*) in the size of the event, and for snapshots in the number of vehicles.
    public mutating func apply(_ event: FeedEvent, now: Date) -> Change {
        var change = Change()
        switch event {
        case .reports(let reports): take(reports, now: now, into: &change)
        case .snapshot(let reports, let time): takeAll(reports, of: time, now: now, into: &change)
        case .gone(let ids, let since):
            remove(ids.filter { vehicles[$0].map { $0.time <= since } ?? false }, into: &change)
        case .trips(let updates, let time):
            guard tripsTime.map({ $0 <= time }) ?? true else { break }
            tripsTime = min(time, latest(now))
            guard updates != trips else { break }
            trips = updates
            tripIndex = [:]
            for (index, update) in updates.enumerated() {
                if let trip = update.trip.trip { tripIndex[trip] = index }
            }
            change.isOfTrips = true
        case .disruptions(let told):
            guard told != disruptions else { break }
            disruptions = told
            change.isOfDisruptions = true
        case .losses: break
        case .state(let told):
            guard told != state else { break }
            state = told
            change.state = told
        }
        return change
    }

    /// Forgets silent vehicles.
    ///
    /// - Complexity: O(*n*) in the number of vehicles.
    public mutating func forget(now: Date) -> Change {
        var change = Change()
        let oldest = now - settings.forgetAfter.seconds
        remove(vehicles.values.filter { $0.time < oldest }.map(\.id), into: &change)
        return change
    }

    /// Returns whether a report is so old that the vehicle may be elsewhere.
    public func isStale(_ report: VehicleReport, now: Date) -> Bool {
        now.timeIntervalSince(report.time) > settings.staleAfter.seconds
    }

    /// Returns the delay of a vehicle: its own, or that of its trip at its stop, or `nil` if both are unknown.
    public func delay(of report: VehicleReport) -> Duration? {
        if let delay = report.delay { return delay }
        guard let trip = report.trip?.trip, let index = tripIndex[trip] else { return nil }
        let update = trips[index]
        guard let place = update.stops.firstIndex(where: { $0.stop != nil && $0.stop == report.stop }) else {
            return update.delay ?? update.stops.lazy.compactMap(\.delay).first
        }
        // A delay holds until the next stop with a delay.
        return update.stops[place].delay ?? update.stops[..<place].lazy.reversed().compactMap(\.delay).first
            ?? update.delay
    }

    private func latest(_ now: Date) -> Date { now + settings.clockTolerance.seconds }

    private mutating func take(_ reports: [VehicleReport], now: Date, into change: inout Change) {
        let latest = latest(now), oldest = now - settings.forgetAfter.seconds
        for var report in reports {
            if report.time > latest { report.time = now }
            guard let old = vehicles[report.id] else {
                guard report.time >= oldest else {
                    change.silent.append(report)
                    continue
                }
                guard vehicles.count < settings.vehicleLimit else { continue }
                vehicles[report.id] = report
                change.changed.append(report)
                continue
            }
            guard report.time >= old.time else { continue }
            let merged = report.merged(over: old, smallestMove: settings.smallestMove)
            vehicles[report.id] = merged
            if !merged.isUnchanged(from: old) {
                change.changed.append(merged)
            } else if merged.time > old.time {
                change.heard.append(merged)
            }
        }
    }

    private mutating func takeAll(_ reports: [VehicleReport], of time: Date, now: Date, into change: inout Change) {
        guard snapshotTime.map({ $0 <= time }) ?? true else { return }
        let time = min(time, latest(now))
        snapshotTime = time
        take(reports, now: now, into: &change)
        let told = Set(reports.lazy.map(\.id))
        guard !told.isSuperset(of: vehicles.keys) else { return }
        remove(vehicles.values.filter { !told.contains($0.id) && $0.time <= time }.map(\.id), into: &change)
    }

    private mutating func remove(_ ids: [String], into change: inout Change) {
        for id in ids where vehicles.removeValue(forKey: id) != nil { change.gone.append(id) }
        change.gone.sort()
    }
}

extension TripUpdate.StopTime {
    /// The delay at this stop, or `nil` if it is not given.
    var delay: Duration? {
        for time in [departure, arrival] { if case .late(let delay) = time { return delay } }
        return nil
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
