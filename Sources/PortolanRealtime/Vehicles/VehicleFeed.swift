public import Foundation
public import PortolanTransit

/// A source of live vehicles: a broker, a server that is asked again and again, a file that is played.
///
/// Sources come back by themselves after a loss, and tell of it; they hand on what they hear in order.
public protocol VehicleFeed: Sendable {
    /// What it is called in messages, without secrets.
    var name: String { get }

    /// What is heard, until the stream is no longer read, its task is cancelled, or the source is at its end.
    ///
    /// - Parameter interests: what is asked for; the newest counts, and a source that cannot choose gives all.
    func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent>
}

/// What a source of live vehicles tells.
public enum FeedEvent: Hashable, Sendable {
    /// What is said of some vehicles; the others stay as they are.
    case reports([VehicleReport])
    /// All vehicles that there are; what is not among them is gone.
    case snapshot([VehicleReport], time: Date)
    /// Vehicles that are gone since a time.
    case gone([String], since: Date)
    /// What became of trips: all that is known.
    case trips([TripUpdate], time: Date)
    /// The notices of service: all that there are.
    case disruptions([Disruption])
    /// What of an answer or a recording could not be read: the other events are without it.
    case losses(FeedLosses)
    /// How the source is.
    case state(FeedState)
}

extension FeedEvent {
    /// The vehicles that it tells of.
    package var reports: [VehicleReport] {
        switch self {
        case .reports(let reports), .snapshot(let reports, _): reports
        case .gone, .trips, .disruptions, .losses, .state: []
        }
    }

    /// The time for which it holds, or `nil` where it tells none.
    package var time: Date? {
        switch self {
        case .reports(let reports): reports.map(\.time).max()
        case .snapshot(_, let time), .trips(_, let time), .gone(_, let time): time
        case .disruptions, .losses, .state: nil
        }
    }
}

/// How a source of live vehicles is.
public enum FeedState: Hashable, Sendable {
    /// It is being reached.
    case connecting
    /// It has let us in; whether it has taken the subscription is not known yet.
    case connected
    /// It is heard.
    case live
    /// It was lost, and is tried again after a time.
    case lost(FeedError, retry: Duration)
    /// It is at its end, or has been given up.
    case ended(FeedError?)
}
