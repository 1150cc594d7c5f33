package import Foundation
package import PortolanTransit

/// What a server tells by SIRI 2.0: where vehicles are (VehicleMonitoring), when they come to stops (StopMonitoring), and what
/// goes wrong (SituationExchange).
package struct SIRIDelivery: Hashable, Sendable {
    /// When it was made, or `nil` where it does not tell.
    package var time: Date?
    /// Where vehicles are.
    package var vehicles: [VehicleReport] = []
    /// The identifiers of vehicles that are no longer told of.
    package var cancelledVehicles: [String] = []
    /// When vehicles come to stops, in the order told.
    package var arrivals: [LiveArrival] = []
    /// Notices.
    package var disruptions: [Disruption] = []
    /// Whether it holds deliveries of vehicles, of arrivals, of notices, be they empty.
    package var isOfVehicles = false, isOfArrivals = false, isOfDisruptions = false
    /// Whether there is more than it holds (`MoreData`).
    package var isPartial = false
    /// How many parts were left out as they could not be read.
    package var faultCount = 0

    /// What was left out, by the reader or by the server.
    package func losses(of source: String) -> FeedLosses {
        var losses = FeedLosses(count: faultCount)
        if isPartial {
            losses.add(
                FeedError(.limitExceeded, source: source, "there is more than the server sends at once (MoreData)"))
        }
        return losses
    }

    /// Makes an empty one.
    package init() {}

    /// What becomes of trips by the arrivals, one for each trip.
    package var updates: [TripUpdate] {
        var order: [TripReference] = [], updates: [TripReference: TripUpdate] = [:]
        for arrival in arrivals {
            guard let trip = arrival.trip, trip.trip != nil else { continue }
            if updates[trip] == nil { order.append(trip) }
            var update = updates[trip] ?? TripUpdate(trip: trip, vehicle: arrival.vehicle, time: arrival.time)
            if arrival.isCancelled {
                update.stops.append(.init(sequence: arrival.order, stop: arrival.stop, change: .skipped))
            } else {
                update.stops.append(
                    .init(
                        sequence: arrival.order, stop: arrival.stop, arrival: arrival.expected.map { .at($0) },
                        departure: arrival.expectedDeparture.map { .at($0) }))
            }
            updates[trip] = update
        }
        return order.compactMap { updates[$0] }
    }
}
