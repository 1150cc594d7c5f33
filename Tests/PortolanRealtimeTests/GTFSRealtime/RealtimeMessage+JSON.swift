import Foundation

@testable import PortolanRealtime

/// The message in the JSON of Protocol Buffers, to be compared with what other readers make of the same bytes.
extension RealtimeMessage {
    var json: [String: Any] {
        var entities = vehicles.map { object(("id", $0.id), ("vehicle", $0.value.json)) }
        entities += trips.map { object(("id", $0.id), ("tripUpdate", $0.value.json)) }
        entities += alerts.map { object(("id", $0.id), ("alert", $0.value.json)) }
        entities += deleted.map { ["id": $0, "isDeleted": true] }
        return object(
            (
                "header",
                object(
                    ("gtfsRealtimeVersion", header.version), ("incrementality", name(header.incrementality)),
                    ("timestamp", digits(header.timestamp)), ("feedVersion", header.feedVersion))
            ),
            ("entity", entities))
    }
}

/// Members that are there.
private func object(_ members: (String, Any?)...) -> [String: Any] {
    var object: [String: Any] = [:]
    for (name, value) in members {
        guard let value else { continue }
        if let list = value as? [Any], list.isEmpty { continue }
        object[name] = value
    }
    return object
}

/// `inTransitTo` as `IN_TRANSIT_TO`.
private func name<Value>(_ value: Value?) -> String? {
    guard let value else { return nil }
    return "\(value)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1)" : $1.uppercased() }
}

private func digits(_ number: (some BinaryInteger)?) -> String? { number.map { "\($0)" } }
private func number(_ float: Float?) -> Double? { float.flatMap { Double("\($0)") } }

extension RealtimeMessage.TripDescriptor {
    fileprivate var json: [String: Any] {
        object(
            ("tripId", trip), ("startTime", startTime), ("startDate", startDate), ("routeId", route),
            ("directionId", direction), ("scheduleRelationship", name(relationship)))
    }
}

extension RealtimeMessage.VehicleDescriptor {
    fileprivate var json: [String: Any] {
        object(("id", id), ("label", label), ("licensePlate", plate), ("wheelchairAccessible", name(access)))
    }
}

extension RealtimeMessage.VehiclePosition {
    fileprivate var json: [String: Any] {
        let place = position.map {
            object(
                ("latitude", number($0.latitude)), ("longitude", number($0.longitude)), ("bearing", number($0.bearing)),
                ("odometer", $0.odometer), ("speed", number($0.speed)))
        }
        let carriages = carriages.map {
            object(
                ("id", $0.id), ("label", $0.label), ("occupancyStatus", name($0.occupancy)),
                ("occupancyPercentage", $0.occupancyPercentage), ("carriageSequence", $0.sequence))
        }
        return object(
            ("trip", trip?.json), ("position", place), ("currentStopSequence", stopSequence),
            ("currentStatus", name(status)), ("timestamp", digits(timestamp)), ("congestionLevel", name(congestion)),
            ("stopId", stop), ("vehicle", vehicle?.json), ("occupancyStatus", name(occupancy)),
            ("occupancyPercentage", occupancyPercentage), ("multiCarriageDetails", carriages))
    }
}

extension RealtimeMessage.TripUpdate {
    fileprivate var json: [String: Any] {
        func event(_ event: RealtimeMessage.Event?) -> [String: Any]? {
            event.map {
                object(
                    ("delay", $0.delay), ("time", digits($0.time)), ("uncertainty", $0.uncertainty),
                    ("scheduledTime", digits($0.scheduled)))
            }
        }
        let stops = stops.map { stop in
            object(
                ("stopSequence", stop.sequence), ("arrival", event(stop.arrival)), ("departure", event(stop.departure)),
                ("stopId", stop.stop), ("scheduleRelationship", name(stop.relationship)),
                ("departureOccupancyStatus", name(stop.occupancy)),
                (
                    "stopTimeProperties",
                    stop.properties.map {
                        object(
                            ("assignedStopId", $0.stop), ("stopHeadsign", $0.headsign), ("pickupType", name($0.pickup)),
                            ("dropOffType", name($0.dropOff)))
                    }
                ))
        }
        let properties = properties.map {
            object(
                ("tripId", $0.trip), ("startDate", $0.startDate), ("startTime", $0.startTime), ("shapeId", $0.shape),
                ("tripHeadsign", $0.headsign), ("tripShortName", $0.shortName))
        }
        return object(
            ("trip", trip?.json), ("stopTimeUpdate", stops), ("vehicle", vehicle?.json),
            ("timestamp", digits(timestamp)),
            ("delay", delay), ("tripProperties", properties))
    }
}

extension RealtimeMessage.Alert {
    fileprivate var json: [String: Any] {
        func words(_ words: RealtimeMessage.TranslatedText?) -> [String: Any]? {
            words.map { words in
                object(
                    ("translation", words.translations.map { object(("text", $0.text), ("language", $0.language)) }))
            }
        }
        return object(
            ("activePeriod", periods.map { object(("start", digits($0.start)), ("end", digits($0.end))) }),
            (
                "informedEntity",
                targets.map {
                    object(
                        ("agencyId", $0.agency), ("routeId", $0.route), ("routeType", $0.routeType),
                        ("trip", $0.trip?.json), ("stopId", $0.stop), ("directionId", $0.direction))
                }
            ),
            ("cause", name(cause)), ("effect", name(effect)), ("url", words(url)), ("headerText", words(header)),
            ("descriptionText", words(text)), ("ttsHeaderText", words(spokenHeader)),
            ("ttsDescriptionText", words(spokenText)), ("severityLevel", name(severity)),
            ("causeDetail", words(causeDetail)), ("effectDetail", words(effectDetail)))
    }
}
