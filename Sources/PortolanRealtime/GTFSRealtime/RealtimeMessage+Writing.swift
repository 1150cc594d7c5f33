public import Foundation
import PortolanGeo
public import PortolanTransit
import PortolanWeb

extension RealtimeMessage {
    /// Creates a full message with vehicles, trip updates and alerts.
    ///
    /// Coordinates have the single precision of the format, about one metre.
    ///
    /// - Parameter time: the time of the message.
    public init(
        vehicles: [VehicleReport], trips: [PortolanTransit.TripUpdate] = [], disruptions: [Disruption] = [], time: Date
    ) {
        header.version = "2.0"
        header.incrementality = .fullDataset
        header.timestamp = Self.seconds(time)
        self.vehicles = vehicles.map { Entity(id: $0.id, VehiclePosition($0)) }
        self.trips = trips.enumerated().map { Entity(id: "trip-\($0)", TripUpdate($1)) }
        alerts = disruptions.map { Entity(id: "alert-\($0.id)", Alert($0)) }
    }

    static func seconds(_ date: Date) -> UInt64? { ISOTime.seconds(date).flatMap { UInt64(exactly: $0) } }
}

extension RealtimeMessage.VehiclePosition {
    init(_ report: VehicleReport) {
        if report.trip != nil || report.line != nil {
            var descriptor = RealtimeMessage.TripDescriptor(report.trip ?? TripReference())
            descriptor.route = report.line ?? descriptor.route
            trip = descriptor
        }
        if let place = report.place {
            var position = RealtimeMessage.Position(latitude: Float(place.y), longitude: Float(place.x))
            position.bearing = report.bearing.map(Float.init)
            position.speed = report.speed.map(Float.init)
            self.position = position
        }
        timestamp = RealtimeMessage.seconds(report.time)
        stop = report.stop
        vehicle = RealtimeMessage.VehicleDescriptor(id: report.id, label: report.label)
    }
}

extension RealtimeMessage.TripDescriptor {
    init(_ reference: TripReference) {
        trip = reference.trip
        route = reference.line
        direction = reference.direction
        startDate = reference.day.map { "\($0)".filter { $0 != "-" } }
        startTime = reference.start.map(ISOTime.clockText)
    }
}

extension RealtimeMessage.TripUpdate {
    init(_ update: TripUpdate) {
        var descriptor = RealtimeMessage.TripDescriptor(update.trip)
        descriptor.relationship =
            switch update.change {
            case .scheduled: nil
            case .canceled: .canceled
            case .added: update.copyOf == nil ? .new : .duplicated
            }
        if update.change == .added, update.copyOf != nil || update.headsign != nil {
            var new = RealtimeMessage.TripProperties()
            new.headsign = update.headsign
            if let original = update.copyOf {
                (new.trip, new.startDate, new.startTime) = (descriptor.trip, descriptor.startDate, descriptor.startTime)
                descriptor.trip = original
            }
            properties = new
        }
        trip = descriptor
        stops = update.stops.map { RealtimeMessage.StopTimeUpdate($0) }
        vehicle = update.vehicle.map { RealtimeMessage.VehicleDescriptor(id: $0) }
        timestamp = update.time.flatMap(RealtimeMessage.seconds)
        delay = update.delay.map { Int(clamping: $0.components.seconds) }
    }
}

extension RealtimeMessage.StopTimeUpdate {
    init(_ time: TripUpdate.StopTime) {
        sequence = time.sequence
        stop = time.stop
        arrival = time.arrival.map { RealtimeMessage.Event($0) }
        departure = time.departure.map { RealtimeMessage.Event($0) }
        relationship =
            switch time.change {
            case .scheduled: nil
            case .skipped: .skipped
            case .unknown: .noData
            }
    }
}

extension RealtimeMessage.Event {
    init(_ time: TripUpdate.Time) {
        switch time {
        case .at(let date): self.init(time: ISOTime.seconds(date))
        case .late(let delay): self.init(delay: Int(clamping: delay.components.seconds))
        }
    }
}

extension RealtimeMessage.Alert {
    init(_ disruption: Disruption) {
        periods = disruption.periods.map {
            RealtimeMessage.TimeRange(
                start: $0.from.flatMap(RealtimeMessage.seconds), end: $0.to.flatMap(RealtimeMessage.seconds))
        }
        targets = disruption.targets.map { target in
            var selector = RealtimeMessage.Selector()
            (selector.agency, selector.route, selector.stop) = (target.agency, target.line, target.stop)
            selector.direction = target.direction
            selector.trip = target.trip.map { RealtimeMessage.TripDescriptor($0) }
            return selector
        }
        cause = Cause(name: disruption.cause)
        effect = Disruption.effects.first { $0.value == disruption.effect }?.key
        url = Self.text(disruption.url)
        header = Self.text(disruption.title)
        text = Self.text(disruption.text)
        severity =
            switch disruption.severity {
            case .unknown: nil
            case .information: .info
            case .warning: .warning
            case .severe: .severe
            }
    }

    private static func text(_ texts: [String: String]) -> RealtimeMessage.TranslatedText? {
        guard !texts.isEmpty else { return nil }
        return RealtimeMessage.TranslatedText(
            texts.sorted { $0.key < $1.key }.map {
                RealtimeMessage.Translation($0.value, language: $0.key.isEmpty ? nil : $0.key)
            })
    }
}
