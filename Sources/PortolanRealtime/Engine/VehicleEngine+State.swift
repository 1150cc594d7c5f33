public import Foundation
import PortolanGeo
public import PortolanTransit

extension VehicleEngine {
    /// The current published state of a vehicle engine.
    public struct State: Hashable, Sendable {
        /// The time of the state.
        public internal(set) var time: Date
        /// The number of published changes.
        public internal(set) var number = 0
        /// The updates of trips.
        public internal(set) var trips: [TripUpdate] = []
        /// The service alerts.
        public internal(set) var disruptions: [Disruption] = []
        var byID: [String: VehicleReport] = [:]

        /// Creates an empty state.
        public init(time: Date) { self.time = time }

        /// The vehicles sorted by identifier.
        ///
        /// - Complexity: O(*n* log *n*).
        public var vehicles: [VehicleReport] { byID.values.sorted { $0.id < $1.id } }

        /// The whole state as feed events.
        public var events: [FeedEvent] {
            [.snapshot(vehicles, time: time), .trips(trips, time: time), .disruptions(disruptions)]
        }
    }
}

extension VehicleEngine {
    /// A change published by a vehicle engine.
    public struct Change: Hashable, Sendable {
        /// The time of the change.
        public var time: Date
        /// The number of the change, from 1.
        public var number: Int
        /// New and changed vehicles, and stationary ones that would otherwise become stale soon.
        public var changed: [VehicleReport] = []
        /// The identifiers of vehicles that are gone.
        public var gone: [String] = []
        /// The updates of trips, or `nil` if they are unchanged.
        public var trips: [TripUpdate]?
        /// The service alerts, or `nil` unless they changed or one of them started or ended.
        public var disruptions: [Disruption]?

        /// Creates an empty change.
        public init(time: Date, number: Int) {
            self.time = time
            self.number = number
        }

        /// The change as feed events.
        public var events: [FeedEvent] {
            var events: [FeedEvent] = []
            if !changed.isEmpty { events.append(.reports(changed)) }
            if !gone.isEmpty { events.append(.gone(gone, since: time)) }
            if let trips { events.append(.trips(trips, time: time)) }
            if let disruptions { events.append(.disruptions(disruptions)) }
            return events
        }
    }
}

extension VehicleEngine {
    /// Decides what an engine publishes: the new and changed data of its sources in a uniform form.
    ///
    /// A stationary vehicle is published again after a third of the time in which it would become stale, as long as its
    /// source reports it. Listeners that only receive changes could not know otherwise that it still exists.
    public struct Core: Sendable {
        /// The parameters of an engine.
        public struct Settings: Hashable, Sendable {
            /// Whether bearings are rounded to the eight compass points, so that small turns are not changes.
            public var roundsBearings = false
            /// The parameters of the fleet.
            public var fleet = Fleet.Settings()

            /// Creates the default settings.
            public init() {}
        }

        private let settings: Settings
        private let prefixes: [String]
        private var fleets: [Fleet]
        private var open: [Set<String>]
        private var openOrder: [(source: Int, id: String)] = []
        private var tripsChanged = false, disruptionsChanged = false
        /// The identifiers of the published alerts that were active at the time.
        private var holding: Set<String> = []
        /// The published state.
        public private(set) var state: VehicleEngine.State

        /// Creates a core for several sources.
        ///
        /// - Parameter prefixes: the prefixes of the vehicle identifiers of each source. A duplicate prefix is made unique
        ///   with the number of its source, such as "2#".
        public init(prefixes: [String] = [""], settings: Settings = Settings(), now: Date) {
            self.prefixes = Self.distinct(prefixes)
            open = prefixes.map { _ in [] }
            self.settings = settings
            fleets = prefixes.map { _ in Fleet(settings: settings.fleet) }
            state = VehicleEngine.State(time: now)
        }

        private static func distinct(_ prefixes: [String]) -> [String] {
            // Given prefixes take precedence over generated ones.
            var taken = Set(prefixes), seen: Set<String> = []
            return prefixes.enumerated().map { index, prefix in
                if seen.insert(prefix).inserted { return prefix }
                var made = "\(index + 1)#" + prefix
                while !taken.insert(made).inserted { made = "#" + made }
                return made
            }
        }

        /// Applies an event of a source, and returns the difference.
        @discardableResult
        public mutating func take(_ event: FeedEvent, from source: Int = 0, now: Date) -> Fleet.Change {
            let change = fleets[source].apply(event, now: now)
            note(change, from: source)
            return change
        }

        /// Returns the changes since the last call, or `nil`, and forgets silent vehicles.
        public mutating func flush(now: Date) -> VehicleEngine.Change? {
            for source in fleets.indices { note(fleets[source].forget(now: now), from: source) }
            var change = VehicleEngine.Change(time: now, number: state.number + 1)
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

        /// The seconds after which a stationary vehicle is published again.
        ///
        /// With a third of the limit, a vehicle whose reports narrowly miss this time twice is still published in time.
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
}
