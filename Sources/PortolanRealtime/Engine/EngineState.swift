public import Foundation
import PortolanGeo
public import PortolanTransit

/// What an engine for live vehicles has published: all there is now.
public struct EngineState: Hashable, Sendable {
    /// When it was so.
    public internal(set) var time: Date
    /// How many changes were published; each has the next number.
    public internal(set) var number = 0
    /// What became of trips.
    public internal(set) var trips: [TripUpdate] = []
    /// The notices.
    public internal(set) var disruptions: [Disruption] = []
    var byID: [String: VehicleReport] = [:]

    /// Makes an empty one.
    public init(time: Date) { self.time = time }

    /// The vehicles in the order of their identifiers.
    ///
    /// - Complexity: O(*n* log *n*).
    public var vehicles: [VehicleReport] { byID.values.sorted { $0.id < $1.id } }

    /// All there is, as a source would tell it.
    public var events: [FeedEvent] {
        [.snapshot(vehicles, time: time), .trips(trips, time: time), .disruptions(disruptions)]
    }
}

/// What an engine publishes: what became different since it published before.
public struct EngineChange: Hashable, Sendable {
    /// When it was so.
    public var time: Date
    /// The number of the change, from 1.
    public var number: Int
    /// Vehicles that are new or otherwise than before, and those that stand, are heard of still, and would be stale soon.
    public var changed: [VehicleReport] = []
    /// The identifiers of vehicles that are gone.
    public var gone: [String] = []
    /// What became of trips, where it is told anew.
    public var trips: [TripUpdate]?
    /// The notices, where they are others or one of them begins or ends to hold.
    public var disruptions: [Disruption]?

    /// Makes a change of nothing.
    public init(time: Date, number: Int) {
        self.time = time
        self.number = number
    }

    /// The change as a source would tell it.
    public var events: [FeedEvent] {
        var events: [FeedEvent] = []
        if !changed.isEmpty { events.append(.reports(changed)) }
        if !gone.isEmpty { events.append(.gone(gone, since: time)) }
        if let trips { events.append(.trips(trips, time: time)) }
        if let disruptions { events.append(.disruptions(disruptions)) }
        return events
    }
}

/// Decides what is published of what sources tell: what is new or changed, in one form.
///
/// A vehicle that stands is published again after a third of the time in which it gets stale, as long as its source tells of it: who
/// hears changes alone cannot know otherwise that it is still there. One of which its source is silent is not.
public struct EngineCore: Sendable {
    /// What is published, and how.
    public struct Settings: Hashable, Sendable {
        /// Whether bearings are rounded to the eight points of the compass, so that a small turn is no change.
        public var roundsBearings = false
        /// What is kept of vehicles, and for how long.
        public var fleet = Fleet.Settings()

        /// Makes the standard settings.
        public init() {}
    }

    private let settings: Settings
    private let prefixes: [String]
    private var fleets: [Fleet]
    private var open: [Set<String>]
    private var openOrder: [(source: Int, id: String)] = []
    private var tripsChanged = false, disruptionsChanged = false
    /// The identifiers of the published notices that held when they were published.
    private var holding: Set<String> = []
    /// All that was published.
    public private(set) var state: EngineState

    /// Makes a core for some sources.
    ///
    /// - Parameter prefixes: what stands before the identifiers of each source's vehicles, so that those of several differ; one
    ///   that is there already gets the number of its source before it, as in "2#".
    public init(prefixes: [String] = [""], settings: Settings = Settings(), now: Date) {
        self.prefixes = Self.distinct(prefixes)
        open = prefixes.map { _ in [] }
        self.settings = settings
        fleets = prefixes.map { _ in Fleet(settings: settings.fleet) }
        state = EngineState(time: now)
    }

    private static func distinct(_ prefixes: [String]) -> [String] {
        // One that is made may be one that was given: those that were given first keep theirs.
        var taken = Set(prefixes), seen: Set<String> = []
        return prefixes.enumerated().map { index, prefix in
            if seen.insert(prefix).inserted { return prefix }
            var made = "\(index + 1)#" + prefix
            while !taken.insert(made).inserted { made = "#" + made }
            return made
        }
    }

    /// Takes what a source tells, and returns what became different.
    @discardableResult
    public mutating func take(_ event: FeedEvent, from source: Int = 0, now: Date) -> Fleet.Change {
        let change = fleets[source].apply(event, now: now)
        note(change, from: source)
        return change
    }

    /// What is to be published since the last time, or `nil` where nothing is; the silent are forgotten.
    public mutating func flush(now: Date) -> EngineChange? {
        for source in fleets.indices { note(fleets[source].forget(now: now), from: source) }
        var change = EngineChange(time: now, number: state.number + 1)
        for (source, id) in openOrder {
            let name = prefixes[source] + id
            guard let report = fleets[source].vehicles[id] else {
                if state.byID.removeValue(forKey: name) != nil { change.gone.append(name) }
                continue
            }
            let shaped = shaped(report, name: name)
            if let before = state.byID[name], shaped.isUnchanged(from: before),
                shaped.time.timeIntervalSince(before.time) < repeatAfter
            {
                continue
            }
            state.byID[name] = shaped
            change.changed.append(shaped)
        }
        (open, openOrder) = (open.map { _ in [] }, [])
        if tripsChanged {
            state.trips = fleets.flatMap(\.trips)
            change.trips = state.trips
        }
        let held = Set(state.disruptions.lazy.filter { $0.holds(at: now) }.map(\.id))
        if disruptionsChanged || held != holding {
            state.disruptions = fleets.flatMap(\.disruptions)
            change.disruptions = state.disruptions
            holding = Set(state.disruptions.lazy.filter { $0.holds(at: now) }.map(\.id))
        }
        (tripsChanged, disruptionsChanged) = (false, false)
        guard !change.events.isEmpty else { return nil }
        change.gone.sort()
        (state.time, state.number) = (now, change.number)
        return change
    }

    /// After how many seconds a vehicle that stands is told again: a third, so that one of which is heard just too early the first
    /// and the second time is still told in time.
    private var repeatAfter: Double { settings.fleet.staleAfter.seconds / 3 }

    private mutating func note(_ change: Fleet.Change, from source: Int) {
        let told = change.changed + change.heard
        for id in told.lazy.map(\.id) + change.gone where open[source].insert(id).inserted {
            openOrder.append((source, id))
        }
        tripsChanged = tripsChanged || change.isOfTrips
        disruptionsChanged = disruptionsChanged || change.isOfDisruptions
    }

    private func shaped(_ report: VehicleReport, name: String) -> VehicleReport {
        var shaped = report
        shaped.id = name
        if settings.roundsBearings {
            shaped.bearing = report.bearing.map { ($0 / 45).rounded().truncatingRemainder(dividingBy: 8) * 45 }
        }
        return shaped
    }
}
