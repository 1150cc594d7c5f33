public import Foundation
import PortolanGeo
public import PortolanTransit

/// The vehicles that a source tells of, as they are known now: what it said of each, put together.
///
/// The newest report of a vehicle counts, and an older one is passed over; what a report does not say stays as it was said
/// before, as long as the vehicle is on the same trip. A bearing that is not told is that of the way from the place before.
/// Vehicles of which nothing is heard are forgotten.
public struct Fleet: Hashable, Sendable {
    /// What a fleet keeps, and for how long.
    public struct Settings: Hashable, Sendable {
        /// After which time of silence a vehicle is forgotten; 15 minutes.
        public var forgetAfter = Duration.seconds(900)
        /// After which time of silence a vehicle is stale; 90 s, as the practice of GTFS Realtime is.
        public var staleAfter = Duration.seconds(90)
        /// How far in the future a report may lie before its time counts as now; a minute.
        public var clockTolerance = Duration.seconds(60)
        /// How far a vehicle must have moved for its bearing to be derived, in metres; 3.
        public var smallestMove = 3.0
        /// The most vehicles that are kept, 200,000; others are passed over.
        public var vehicleLimit = 200_000

        /// Makes the standard settings.
        public init() {}
    }

    /// What became different.
    public struct Change: Hashable, Sendable {
        /// Vehicles that are new or otherwise than before, as they are now, in the order in which they were told.
        public var changed: [VehicleReport] = []
        /// Vehicles that are as before, but of which newer news came: they stand, and are not silent.
        public var heard: [VehicleReport] = []
        /// The identifiers of vehicles that are gone, sorted.
        public var gone: [String] = []
        /// Reports of unknown vehicles that were passed over, as they are older than ``Settings/forgetAfter``.
        public var silent: [VehicleReport] = []
        /// Whether what is known of trips was told anew.
        public var isOfTrips = false
        /// Whether the notices are others.
        public var isOfDisruptions = false
        /// How the source is now, where that is new.
        public var state: FeedState?

        /// Makes a change of nothing.
        public init() {}

        /// Whether nothing became different; vehicles that were heard of again are as before.
        public var isEmpty: Bool { changed.isEmpty && gone.isEmpty && !isOfTrips && !isOfDisruptions && state == nil }
    }

    /// What is kept, and for how long.
    public let settings: Settings
    /// The vehicles by their identifiers.
    public private(set) var vehicles: [String: VehicleReport] = [:]
    /// What is known of trips.
    public private(set) var trips: [TripUpdate] = []
    /// The notices that there are.
    public private(set) var disruptions: [Disruption] = []
    /// How the source is, or `nil` before it was heard of.
    public private(set) var state: FeedState?
    private var snapshotTime: Date?
    private var tripsTime: Date?
    private var tripIndex: [String: Int] = [:]

    /// Makes an empty fleet.
    public init(settings: Settings = Settings()) { self.settings = settings }

    /// The vehicles in the order of their identifiers.
    ///
    /// - Complexity: O(*n* log *n*).
    public var snapshot: [VehicleReport] { vehicles.values.sorted { $0.id < $1.id } }

    /// Takes what a source tells.
    ///
    /// - Parameter now: the time; reports from later than it lie at it.
    /// - Complexity: O(*n*) in what is told, and in the vehicles where that is all there are.
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

    /// Forgets vehicles of which nothing was heard for too long.
    ///
    /// - Complexity: O(*n*) in the vehicles.
    public mutating func forget(now: Date) -> Change {
        var change = Change()
        let oldest = now - settings.forgetAfter.seconds
        remove(vehicles.values.filter { $0.time < oldest }.map(\.id), into: &change)
        return change
    }

    /// Whether so long nothing was heard of a vehicle that it may be elsewhere.
    public func isStale(_ report: VehicleReport, now: Date) -> Bool {
        now.timeIntervalSince(report.time) > settings.staleAfter.seconds
    }

    /// How late a vehicle is: what it says, else what is known of its trip at its stop; `nil` where nothing is.
    public func delay(of report: VehicleReport) -> Duration? {
        if let delay = report.delay { return delay }
        guard let trip = report.trip?.trip, let index = tripIndex[trip] else { return nil }
        let update = trips[index]
        guard let place = update.stops.firstIndex(where: { $0.stop != nil && $0.stop == report.stop }) else {
            return update.delay ?? update.stops.lazy.compactMap(\.delay).first
        }
        // A delay holds until the next one that is told.
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
    /// How late it is here, where that is told.
    var delay: Duration? {
        for time in [departure, arrival] { if case .late(let delay) = time { return delay } }
        return nil
    }
}

extension Duration {
    /// The length in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
