import Foundation
import PortolanGeo
import PortolanTransit
import PortolanWeb
import PortolanXML

/// Parses the parts of a SIRI delivery.
struct SIRIParts {
    /// The time for parts without one.
    let now: Date
    /// The unit of `Velocity` in metres per second, or `nil`.
    let velocityUnit: Double?

    /// Parses a vehicle (`VehicleActivity`).
    ///
    /// Returns `nil` if it has no identifier.
    func vehicle(_ activity: SIRINode, time: Date?) -> VehicleReport? {
        guard let journey = activity.child("MonitoredVehicleJourney") else { return nil }
        let framed = journey.text("FramedVehicleJourneyRef", "DatedVehicleJourneyRef")
        guard let id = journey.text("VehicleRef") ?? activity.text("VehicleMonitoringRef") ?? framed else { return nil }
        let moment = journey.text("LocationRecordedAtTime") ?? activity.text("RecordedAtTime")
        var report = VehicleReport(
            id: id, time: moment.flatMap { ISOTime.date($0) } ?? time ?? now,
            place: journey.child("VehicleLocation").flatMap(place))
        report.line = journey.text("LineRef")
        report.label = journey.text("PublishedLineName")
        report.mode = journey.text("VehicleMode").flatMap(mode)
        report.headsign = headsign(journey)
        report.bearing = journey.text("Bearing").flatMap { PlainNumber.double($0) }
        if let velocityUnit {
            report.speed = journey.text("Velocity").flatMap { PlainNumber.double($0) }.map { $0 * velocityUnit }
        }
        report.delay = journey.text("Delay").flatMap { ISOTime.duration($0) }
        report.trip = trip(journey)
        report.stop = journey.text("MonitoredCall", "StopPointRef")
        return report.checked()
    }

    /// Parses a visit to a stop (`MonitoredStopVisit`).
    ///
    /// Returns `nil` if it has no stop.
    func arrival(_ visit: SIRINode) -> ArrivalsBoard.Arrival? {
        guard let journey = visit.child("MonitoredVehicleJourney"), let call = journey.child("MonitoredCall"),
            let stop = call.text("StopPointRef") ?? visit.text("MonitoringRef")
        else { return nil }
        var arrival = ArrivalsBoard.Arrival(
            stop: stop, label: journey.text("PublishedLineName") ?? journey.text("LineRef") ?? "",
            destination: call.text("DestinationDisplay") ?? headsign(journey) ?? "")
        func time(_ name: String) -> Date? { call.text(name).flatMap { ISOTime.date($0) } }
        arrival.line = journey.text("LineRef")
        arrival.direction = direction(journey)
        arrival.planned = time("AimedArrivalTime") ?? time("AimedDepartureTime")
        arrival.expected = time("ExpectedArrivalTime") ?? time("ExpectedDepartureTime")
        arrival.expectedDeparture = time("ExpectedDepartureTime")
        arrival.isCancelled =
            [call.text("ArrivalStatus"), call.text("DepartureStatus")].contains("cancelled")
            || call.text("Cancellation") == "true" || journey.text("Cancellation") == "true"
        arrival.trip = trip(journey)
        arrival.vehicle = journey.text("VehicleRef")
        arrival.order = (call.text("Order") ?? call.text("VisitNumber")).flatMap { Int($0) }
        arrival.time = visit.text("RecordedAtTime").flatMap { ISOTime.date($0) }
        return arrival
    }

    /// Parses a service alert (`PtSituationElement`).
    ///
    /// Returns `nil` if it has no number.
    func disruption(_ situation: SIRINode) -> Disruption? {
        guard let id = situation.text("SituationNumber") else { return nil }
        var notice = Disruption(id: id)
        notice.periods = situation.children("ValidityPeriod").map {
            .init(
                from: $0.text("StartTime").flatMap { ISOTime.date($0) },
                to: $0.text("EndTime").flatMap { ISOTime.date($0) })
        }
        notice.title = situation.texts("Summary")
        notice.text = situation.texts("Description")
        notice.url = Dictionary(
            (situation.child("InfoLinks")?.children("InfoLink") ?? []).compactMap { link in
                link.text("Uri").map { (link.child("Label")?.language ?? "", $0) }
            }
        ) { first, _ in first }
        notice.cause =
            [
                "MiscellaneousReason", "PersonnelReason", "EquipmentReason", "EnvironmentReason", "AlertCause",
                "ReasonName",
            ]
            .lazy.compactMap { situation.text($0) }.first ?? ""
        notice.severity = situation.text("Severity").flatMap { Self.severities[$0] } ?? .unknown
        notice.effect =
            situation.child("Consequences", "Consequence")?.text("Condition").flatMap { Self.effects[$0] } ?? .unknown
        notice.targets = situation.children("Affects").flatMap(targets)
        return notice
    }

    /// Returns whether an alert has been closed.
    func isClosed(_ situation: SIRINode) -> Bool {
        ["closed", "closing"].contains(situation.text("Progress") ?? "")
    }

    /// Returns the error text of the server.
    func errorText(_ condition: SIRINode) -> String {
        let kinds = [
            "OtherError", "AccessNotAllowedError", "NoInfoForTopicError", "AllowedResourceUsageExceededError",
            "CapabilityNotSupportedError", "InvalidDataReferencesError", "BeyondDataHorizon", "ParametersIgnoredError",
            "UnknownSubscriptionError", "ServiceNotAvailableError",
        ]
        let told = kinds.lazy.compactMap { kind in condition.child(kind).map { $0.text("ErrorText") ?? kind } }.first
        return condition.text("Description") ?? told ?? "an error"
    }

    private static let severities: [String: Disruption.Severity] = [
        "noImpact": .information, "verySlight": .information, "slight": .information, "normal": .warning,
        "severe": .severe, "verySevere": .severe,
    ]
    private static let effects: [String: Disruption.Effect] = [
        "cancelled": .noService, "noService": .noService, "disrupted": .reducedService, "irregular": .reducedService,
        "delayed": .significantDelays, "delay": .significantDelays, "diverted": .detour,
        "additionalService": .additionalService,
        "altered": .modifiedService, "stopMoved": .stopMoved, "normal": .noEffect, "normalService": .noEffect,
    ]

    private func targets(_ affects: SIRINode) -> [Disruption.Target] {
        var targets: [Disruption.Target] = []
        for network in affects.child("Networks")?.children("AffectedNetwork") ?? [] {
            for line in network.children("AffectedLine") {
                guard let id = line.text("LineRef") else { continue }
                targets.append(.init(line: id, direction: line.child("Direction").flatMap(direction)))
            }
        }
        for stop in affects.child("StopPoints")?.children("AffectedStopPoint") ?? [] {
            if let id = stop.text("StopPointRef") { targets.append(.init(stop: id)) }
        }
        for stop in affects.child("StopPlaces")?.children("AffectedStopPlace") ?? [] {
            if let id = stop.text("StopPlaceRef") { targets.append(.init(stop: id)) }
        }
        for journey in affects.child("VehicleJourneys")?.children("AffectedVehicleJourney") ?? [] {
            let trip = trip(journey)
            if trip != nil || journey.text("LineRef") != nil {
                targets.append(.init(line: journey.text("LineRef"), trip: trip?.trip == nil ? nil : trip))
            }
        }
        for agency in affects.child("Operators")?.children("AffectedOperator") ?? [] {
            if let id = agency.text("OperatorRef") { targets.append(.init(agency: id)) }
        }
        return targets
    }

    private func headsign(_ journey: SIRINode) -> String? {
        journey.text("DestinationName") ?? journey.text("DestinationDisplay")
    }

    private func trip(_ journey: SIRINode) -> TripReference? {
        let framed = journey.child("FramedVehicleJourneyRef")
        let trip =
            framed?.text("DatedVehicleJourneyRef") ?? journey.text("VehicleJourneyRef")
            ?? journey.text("DatedVehicleJourneyRef")
        let reference = TripReference(
            trip: trip, line: journey.text("LineRef"), direction: direction(journey),
            day: framed?.text("DataFrameRef").flatMap { ServiceDay(iso: $0.prefix(10)) })
        return reference == TripReference() ? nil : reference
    }

    /// Direction names differ between servers.
    ///
    /// These are the most common ones.
    private func direction(_ journey: SIRINode) -> Int? {
        switch journey.text("DirectionRef")?.lowercased() {
        case "0", "outbound": 0
        case "1", "inbound": 1
        default: nil
        }
    }

    private func mode(_ name: String) -> TransitMode? {
        switch name.lowercased() {
        case "underground", "metro": .subway
        case "tram": .tram
        case "rail", "train": .rail
        case "bus": .bus
        case "ferry", "water": .ferry
        default: TransitMode(rawValue: name)
        }
    }

    /// Parses a location with longitude and latitude, or with `Coordinates`, whose axis order depends on the reference
    /// system.
    private func place(_ location: SIRINode) -> Coordinate? {
        if let longitude = location.text("Longitude").flatMap({ PlainNumber.double($0) }),
            let latitude = location.text("Latitude").flatMap({ PlainNumber.double($0) })
        {
            return Coordinate(longitude: longitude, latitude: latitude)
        }
        guard let coordinates = location.child("Coordinates"), let text = coordinates.text else { return nil }
        let numbers = text.split { $0 == " " || $0 == "," }.compactMap { PlainNumber.double($0) }
        guard numbers.count >= 2 else { return nil }
        var system = ""
        if case .xml(let element) = coordinates { system = element.attribute("srsName") ?? "" }
        switch system.lowercased() {
        case "", "wgs84", "epsg:4326", "4326", "urn:ogc:def:crs:ogc:1.3:crs84":
            return Coordinate(longitude: numbers[0], latitude: numbers[1])
        case "urn:ogc:def:crs:epsg::4326": return Coordinate(longitude: numbers[1], latitude: numbers[0])
        default: return nil
        }
    }
}
