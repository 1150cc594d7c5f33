package import Foundation
import Portolan
import PortolanCity
import PortolanGeo
import PortolanPlan
package import PortolanRealtime
package import PortolanTransit
import Synchronization

/// Public transport that a server publishes: a timetable and live vehicles, shared by all viewers.
package final class PublishedCity: Sendable {
    /// The timetable.
    package let timetable: Timetable
    /// The departures of stops, from the timetable alone.
    let board: StopBoard
    /// The journey planner, from the timetable alone.
    let planner: JourneyPlanner
    /// The search for stops and lines by name.
    let search: TransitSearch
    /// The vehicle symbols.
    let marks: VehicleMarks
    /// The layer of lines and stops.
    let layer: MapLayer
    /// The paths along which vehicles move.
    let paths: [String: [Coordinate]]
    /// The current time; another time if the feed is a recording.
    let now: @Sendable () -> Date
    private let vehicles: (any VehicleFeed)?
    private let live: Mutex<Live>
    private let listening = Mutex<Task<Void, Never>?>(nil)

    /// The data received from the vehicle feed.
    private struct Live {
        var fleet = Fleet()
        /// The connection state of the feed.
        var status: ConnectionStatus
        /// The time of the latest report among the vehicles that are too old to be shown.
        var silentSince: Date?
        /// The records that could not be read most recently.
        var losses: FeedLosses?
        /// The revision number, which grows with each update.
        var revision = 0
        /// The revisions in which each vehicle was last changed or removed.
        var changed: [String: Int] = [:]
        var gone: [String: Int] = [:]
    }

    /// The changes since a revision.
    struct News {
        var change = Fleet.Change()
        var revision = 0
    }

    /// Creates a published city.
    ///
    /// - Parameters:
    ///   - vehicles: the live vehicle feed, or `nil` for none.
    ///   - now: returns the current time.
    /// - Complexity: O(*n*) in the size of the timetable.
    package init(
        _ timetable: Timetable, vehicles: (any VehicleFeed)? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.timetable = timetable
        self.vehicles = vehicles
        self.now = now
        live = Mutex(Live(status: ConnectionStatus(now: now())))
        board = StopBoard(timetable)
        planner = JourneyPlanner(timetable)
        search = TransitSearch(timetable)
        marks = VehicleMarks(timetable)
        paths = TransitMap(timetable).paths
        layer = .timetable(timetable, named: "Public transport")
    }

    /// Whether the city has a vehicle feed.
    var hasVehicles: Bool { vehicles != nil }

    /// Reads the vehicle feed until it ends or the city is deallocated.
    package func listen() {
        guard let vehicles else { return }
        let task = Task { [weak self] in
            let (interests, asking) = AsyncStream.makeStream(of: VehicleInterest.self)
            asking.yield(VehicleInterest())
            for await event in vehicles.events(for: interests) { self?.take(event) }
            asking.finish()
        }
        let earlier = listening.withLock { listening in
            defer { listening = task }
            return listening
        }
        earlier?.cancel()
    }

    deinit { listening.withLock(\.self)?.cancel() }

    /// Applies an event of the vehicle feed.
    package func take(_ event: FeedEvent) {
        let now = now()
        live.withLock { live in
            var change = live.fleet.apply(event, now: now)
            switch event {
            case .state(let state): live.status.apply(state, now: now)
            case .losses(let losses): live.losses = losses
            case .snapshot, .reports: live.silentSince = change.silent.map(\.time).max()
            default: break
            }
            let silent = live.fleet.forget(now: now)
            change.gone += silent.gone
            guard !change.isEmpty || !change.heard.isEmpty else { return }
            live.revision += 1
            for report in change.changed + change.heard {
                live.changed[report.id] = live.revision
                live.gone[report.id] = nil
            }
            for id in change.gone {
                live.changed[id] = nil
                live.gone[id] = live.revision
            }
            // A client whose revision is older than that gets the full state.
            if live.gone.count > 100_000 { live.gone = live.gone.filter { $0.value > live.revision - 1000 } }
        }
    }

    /// The reason why vehicles are missing, or `nil` if none are known to be missing.
    var trouble: String? {
        guard hasVehicles else { return nil }
        let now = now()
        return live.withLock { live in
            switch live.status.phase {
            case .starting: return live.fleet.vehicles.isEmpty ? "The vehicles are not heard yet." : nil
            case .serverError, .connectionLost, .ended:
                guard let fault = live.status.fault else { return nil }
                return "The vehicles are not heard: \(fault.reason)."
            case .live: break
            }
            if let since = live.silentSince, live.fleet.vehicles.isEmpty {
                let age = FeedAge.text(.seconds(max(0, now.timeIntervalSince(since))))
                return "The positions of the vehicles are \(age) old."
            }
            return live.losses.map { "Of the vehicles \($0)." }
        }
    }

    /// The current vehicles, trips and service alerts.
    package var fleet: Fleet { live.withLock(\.fleet) }

    /// Returns the vehicle changes since a revision, or all vehicles if there was no earlier one.
    ///
    /// - Complexity: O(*n*) in the number of vehicles.
    func news(since revision: Int) -> News {
        live.withLock { live in
            var news = News(revision: live.revision)
            guard live.revision > revision else { return news }
            news.change.changed = live.fleet.snapshot.filter { live.changed[$0.id, default: 0] > revision }
            news.change.gone = live.gone.filter { $0.value > revision }.map(\.key).sorted()
            return news
        }
    }

    /// Returns the index of a stop with an identifier.
    func stop(_ id: String) -> Int? { timetable.stops.firstIndex { $0.id == id } }
}
