public import Foundation
import PortolanGeo
public import PortolanTransit
import PortolanWeb

extension RealtimeMessage {
    /// The time of the message, or `nil`.
    public var time: Date? { VehicleReport.moment(header.timestamp) }

    /// Returns the vehicle reports.
    ///
    /// Reports without a time get that of the message. A vehicle without an identifier gets that of its entity.
    ///
    /// - Parameter now: the time for reports if the message has none either.
    public func reports(now: Date) -> [VehicleReport] {
        let time = time ?? now
        return vehicles.map { VehicleReport($0.value, entity: $0.id, time: time) }
    }

    /// The trip updates.
    public var updates: [PortolanTransit.TripUpdate] {
        trips.compactMap { PortolanTransit.TripUpdate($0.value) }
    }

    /// The service alerts.
    public var disruptions: [Disruption] { alerts.map { Disruption(id: $0.id, $0.value) } }
}

extension VehicleReport {
    init(_ said: RealtimeMessage.VehiclePosition, entity: String, time: Date) {
        let id = said.vehicle?.id ?? said.vehicle?.plate ?? ""
        var report = VehicleReport(
            id: id.isEmpty ? entity : id, time: Self.moment(said.timestamp) ?? time,
            place: said.position.flatMap { position in
                guard let longitude = position.longitude, let latitude = position.latitude else { return nil }
                return Coordinate(longitude: Double(longitude), latitude: Double(latitude))
            })
        report.line = said.trip?.route
        report.label = said.vehicle?.label
        report.bearing = said.position?.bearing.map(Double.init)
        report.speed = said.position?.speed.map(Double.init)
        report.trip = said.trip.map { TripReference($0) }
        report.stop = said.stop
        self = report.checked()
    }
}

extension TripReference {
    init(_ said: RealtimeMessage.TripDescriptor) {
        self.init(
            trip: said.trip, line: said.route, direction: said.direction.flatMap { $0 <= 1 ? $0 : nil },
            day: said.startDate.flatMap { ServiceDay(iso: $0) }, start: said.startTime.flatMap { ISOTime.clock($0) })
    }
}

extension TripUpdate {
    /// Returns `nil` if the update has no trip.
    init?(_ said: RealtimeMessage.TripUpdate) {
        guard let descriptor = said.trip else { return nil }
        var trip = TripReference(descriptor)
        let change: Change
        switch descriptor.relationship {
        case .canceled, .deleted: change = .canceled
        case .added, .new: change = .added
        case .duplicated:
            // The copy has its own identifier and start. The update does not apply to the copied trip.
            change = .added
            trip.trip = said.properties?.trip
            trip.day = said.properties?.startDate.flatMap { ServiceDay(iso: $0) } ?? trip.day
            trip.start = said.properties?.startTime.flatMap { ISOTime.clock($0) } ?? trip.start
        case .scheduled, .unscheduled, .replacement, nil: change = .scheduled
        }
        self.init(
            trip: trip, change: change, stops: said.stops.map { StopTime($0) },
            delay: said.delay.map { .seconds($0) }, vehicle: said.vehicle?.id,
            time: VehicleReport.moment(said.timestamp))
        guard change == .added else { return }
        copyOf = descriptor.relationship == .duplicated ? descriptor.trip : nil
        headsign = said.properties?.headsign
    }
}

extension TripUpdate.StopTime {
    init(_ said: RealtimeMessage.StopTimeUpdate) {
        let change: Change =
            switch said.relationship {
            case .skipped: .skipped
            case .noData: .unknown
            default: .scheduled
            }
        self.init(
            sequence: said.sequence, stop: said.stop, change: change,
            arrival: change == .scheduled ? said.arrival.flatMap { TripUpdate.Time($0) } : nil,
            departure: change == .scheduled ? said.departure.flatMap { TripUpdate.Time($0) } : nil)
    }
}

extension TripUpdate.Time {
    /// An absolute time takes precedence over a delay.
    ///
    /// Returns `nil` if both are missing.
    init?(_ said: RealtimeMessage.Event) {
        if let time = said.time, time > 0, let moment = VehicleReport.moment(UInt64(time)) {
            self = .at(moment)
        } else if let delay = said.delay {
            self = .late(.seconds(delay))
        } else {
            return nil
        }
    }
}

extension Disruption {
    init(id: String, _ said: RealtimeMessage.Alert) {
        self.init(id: id)
        periods = said.periods.map {
            Period(from: VehicleReport.moment($0.start), to: VehicleReport.moment($0.end))
        }
        targets = said.targets.map {
            Target(
                agency: $0.agency, line: $0.route ?? $0.trip?.route, direction: $0.direction, stop: $0.stop,
                trip: $0.trip.map { TripReference($0) }, mode: $0.routeType.map { TransitMode(routeType: $0) })
        }
        title = Self.texts(said.header)
        text = Self.texts(said.text)
        url = Self.texts(said.url)
        cause = said.cause.map(\.name) ?? ""
        effect = said.effect.flatMap { Self.effects[$0] } ?? .unknown
        severity =
            switch said.severity {
            case .info: .information
            case .warning: .warning
            case .severe: .severe
            case .unknownSeverity, nil: .unknown
            }
    }

    private static func texts(_ said: RealtimeMessage.TranslatedText?) -> [String: String] {
        Dictionary((said?.translations ?? []).map { ($0.language ?? "", $0.text) }) { first, _ in first }
    }

    static let effects: [RealtimeMessage.Alert.Effect: Effect] = [
        .noService: .noService, .reducedService: .reducedService, .significantDelays: .significantDelays,
        .detour: .detour, .additionalService: .additionalService, .modifiedService: .modifiedService,
        .otherEffect: .other, .unknownEffect: .unknown, .stopMoved: .stopMoved, .noEffect: .noEffect,
        .accessibilityIssue: .accessibilityIssue,
    ]
}

extension RealtimeMessage.Alert.Cause {
    private static let names = [
        "UNKNOWN_CAUSE", "OTHER_CAUSE", "TECHNICAL_PROBLEM", "STRIKE", "DEMONSTRATION", "ACCIDENT", "HOLIDAY",
        "WEATHER", "MAINTENANCE", "CONSTRUCTION", "POLICE_ACTIVITY", "MEDICAL_EMERGENCY", "SPECIAL_EVENT",
    ]

    /// The name in the specification, such as "STRIKE".
    public var name: String { Self.names[rawValue - 1] }

    /// Creates the cause with a name from the specification, or returns `nil`.
    public init?(name: String) {
        guard let index = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: index + 1)
    }
}
