package import Foundation
package import PortolanTransit

/// A SIRI 2.0 delivery with vehicles (VehicleMonitoring), arrivals (StopMonitoring) and alerts (SituationExchange).
package struct SIRIDelivery: Hashable, Sendable {
    /// The time of the response, or `nil`.
    package var time: Date?
    /// The vehicles.
    package var vehicles: [VehicleReport] = []
    /// The identifiers of cancelled vehicles.
    package var cancelledVehicles: [String] = []
    /// The arrivals in document order.
    package var arrivals: [ArrivalsBoard.Arrival] = []
    /// The service alerts.
    package var disruptions: [Disruption] = []
    /// Whether the delivery has vehicles, arrivals and alerts, even if empty.
    package var isOfVehicles = false, isOfArrivals = false, isOfDisruptions = false
    /// Whether the server has more data (`MoreData`).
    package var isPartial = false
    /// The number of parts omitted because they were invalid.
    package var faultCount = 0

    /// Returns the data omitted by the parser or by the server.
    package func losses(of source: String) -> FeedLosses {
        var losses = FeedLosses(count: faultCount)
        if isPartial {
            losses.add(
                FeedError(.limitExceeded, source: source, "the server has more data than it sends at once (MoreData)"))
        }
        return losses
    }

    /// Creates an empty delivery.
    package init() {}

    /// The trip updates derived from the arrivals, one for each trip.
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
