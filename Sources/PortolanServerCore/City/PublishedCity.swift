package import Foundation
import Portolan
import PortolanCity
import PortolanGeo
import PortolanPlan
package import PortolanRealtime
package import PortolanTransit
import Synchronization

/// Public transport that a server shows: a timetable, and the vehicles that are heard of, once for all who look at them.
package final class PublishedCity: Sendable {
    /// The timetable.
    package let timetable: Timetable
    /// What leaves stops, by the timetable alone.
    let board: StopBoard
    /// What finds journeys, by the timetable alone.
    let planner: JourneyPlanner
    /// What finds stops and lines by name.
    let search: TransitSearch
    /// What vehicles look like.
    let marks: VehicleMarks
    /// Its lines and stops.
    let layer: MapLayer
    /// The courses along which vehicles move.
    let paths: [String: [Coordinate]]
    /// What the time is: now, unless what is heard is of another time.
    let now: @Sendable () -> Date
    private let vehicles: (any VehicleFeed)?
    private let live: Mutex<Live>
    private let listening = Mutex<Task<Void, Never>?>(nil)

    /// What was heard.
    private struct Live {
        var fleet = Fleet()
        /// How the source is.
        var status: ConnectionStatus
        /// When the newest of the vehicles that are too old to be shown was heard of.
        var silentSince: Date?
        /// What could not be read last.
        var losses: FeedLosses?
        /// Counts the news.
        var revision = 0
        /// In which news a vehicle changed, or went, last.
        var changed: [String: Int] = [:]
        var gone: [String: Int] = [:]
    }

    /// What has changed since some news.
    struct News {
        var change = Fleet.Change()
        var revision = 0
    }

    /// Makes a city.
    ///
    /// - Parameters:
    ///   - vehicles: what is heard of vehicles, or `nil` for none.
    ///   - now: what the time is.
    /// - Complexity: linear in the timetable.
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

    /// Whether vehicles are heard of.
    var hasVehicles: Bool { vehicles != nil }

    /// Listens to the vehicles from now on, until the source has ended or the city goes.
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

    /// Takes what a source tells.
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
            // Who has looked away for that long is told of all again.
            if live.gone.count > 100_000 { live.gone = live.gone.filter { $0.value > live.revision - 1000 } }
        }
    }

    /// Why vehicles are missing, or `nil` where none are as far as is known.
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

    /// The vehicles, the trips and the notices as they are now.
    package var fleet: Fleet { live.withLock(\.fleet) }

    /// What has become of vehicles since earlier news; of all where there were none.
    ///
    /// - Complexity: linear in the vehicles.
    func news(since revision: Int) -> News {
        live.withLock { live in
            var news = News(revision: live.revision)
            guard live.revision > revision else { return news }
            news.change.changed = live.fleet.snapshot.filter { live.changed[$0.id, default: 0] > revision }
            news.change.gone = live.gone.filter { $0.value > revision }.map(\.key).sorted()
            return news
        }
    }

    /// The index of a stop by its identifier.
    func stop(_ id: String) -> Int? { timetable.stops.firstIndex { $0.id == id } }
}
