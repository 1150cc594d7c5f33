public import Foundation
public import PortolanTransit

/// A source of live vehicles: a broker, a polled server or a recording.
///
/// Sources reconnect automatically and report connection losses. Events are delivered in the order of arrival.
public protocol VehicleFeed: Sendable {
    /// The name used in messages, without secrets.
    var name: String { get }

    /// Returns the events until the stream is released, its task is cancelled or the source ends.
    ///
    /// - Parameter interests: the vehicles of interest. The latest value counts. Sources that cannot filter deliver
    ///   everything.
    func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent>
}

/// An event of a vehicle source.
public enum FeedEvent: Hashable, Sendable {
    /// New reports of some vehicles.
    ///
    /// Others are unchanged.
    case reports([VehicleReport])
    /// All vehicles.
    ///
    /// Others are gone.
    case snapshot([VehicleReport], time: Date)
    /// The identifiers of vehicles that are gone since a time.
    case gone([String], since: Date)
    /// All trip updates, which replace the previous ones.
    case trips([TripUpdate], time: Date)
    /// All service alerts, which replace the previous ones.
    case disruptions([Disruption])
    /// The parts of a response or a recording that were omitted because they were invalid.
    case losses(FeedLosses)
    /// The state of the source changed.
    case state(FeedEvent.State)
}

extension FeedEvent {
    /// The vehicle reports of the event.
    package var reports: [VehicleReport] {
        switch self {
        case .reports(let reports), .snapshot(let reports, _): reports
        case .gone, .trips, .disruptions, .losses, .state: []
        }
    }

    /// The time of the event, or `nil`.
    package var time: Date? {
        switch self {
        case .reports(let reports): reports.map(\.time).max()
        case .snapshot(_, let time), .trips(_, let time), .gone(_, let time): time
        case .disruptions, .losses, .state: nil
        }
    }
}

extension FeedEvent {
    /// The state of a vehicle source.
    public enum State: Hashable, Sendable {
        /// The source is connecting.
        case connecting
        /// The connection is established, but the subscription is not confirmed yet.
        case connected
        /// Data are being received.
        case live
        /// The connection was lost, and will be retried after a delay.
        case lost(FeedError, retry: Duration)
        /// The source has ended or has been given up.
        case ended(FeedError?)
    }
}
