import Foundation
import PortolanTransit

/// The JSON form of a trip update.
struct TripForm: Codable {
    var trip: TripReferenceForm
    var change: String?
    var stops: [Stop]?
    var delay: Double?
    var vehicle: String?
    var t: Double?
    var copyOf: String?, headsign: String?

    init(_ update: TripUpdate) {
        trip = TripReferenceForm(update.trip)
        change =
            switch update.change {
            case .scheduled: nil
            case .canceled: "canceled"
            case .added: "added"
            }
        stops = update.stops.isEmpty ? nil : update.stops.map { Stop($0) }
        (delay, vehicle, t) = (update.delay?.seconds, update.vehicle, update.time.map(RecordForm.seconds))
        (copyOf, headsign) = (update.copyOf, update.headsign)
    }

    var update: TripUpdate {
        get throws {
            let change: TripUpdate.Change =
                try Self.choice(change, ["canceled": .canceled, "added": .added]) ?? .scheduled
            var update = TripUpdate(
                trip: trip.reference, change: change, stops: try (stops ?? []).map { try $0.time },
                delay: try Self.duration(delay), vehicle: vehicle, time: try t.map(RecordForm.date))
            (update.copyOf, update.headsign) = (copyOf, headsign)
            return update
        }
    }

    /// Returns a duration, or throws if it is out of range.
    static func duration(_ seconds: Double?) throws -> Duration? {
        guard let seconds else { return nil }
        guard abs(seconds) < 1e10 else { throw RecordForm.Misfit() }
        return .milliseconds(Int((seconds * 1000).rounded()))
    }

    /// Returns the value for a word, or `nil` if the word is missing; throws for unknown words.
    static func choice<Value>(_ word: String?, _ values: [String: Value]) throws -> Value? {
        guard let word else { return nil }
        guard let value = values[word] else { throw RecordForm.Misfit() }
        return value
    }

    /// The JSON form of a stop update.
    struct Stop: Codable {
        var sequence: Int?, stop: String?, change: String?
        var arrival: Double?, departure: Double?
        var arrivalDelay: Double?, departureDelay: Double?

        init(_ time: TripUpdate.StopTime) {
            (sequence, stop) = (time.sequence, time.stop)
            change =
                switch time.change {
                case .scheduled: nil
                case .skipped: "skipped"
                case .unknown: "unknown"
                }
            (arrival, arrivalDelay) = Self.parts(time.arrival)
            (departure, departureDelay) = Self.parts(time.departure)
        }

        private static func parts(_ time: TripUpdate.Time?) -> (Double?, Double?) {
            switch time {
            case .at(let date): (RecordForm.seconds(date), nil)
            case .late(let delay): (nil, delay.seconds)
            case nil: (nil, nil)
            }
        }

        private static func time(_ moment: Double?, _ delay: Double?) throws -> TripUpdate.Time? {
            if let moment { return .at(try RecordForm.date(moment)) }
            return try TripForm.duration(delay).map { .late($0) }
        }

        var time: TripUpdate.StopTime {
            get throws {
                TripUpdate.StopTime(
                    sequence: sequence, stop: stop,
                    change: try TripForm.choice(change, ["skipped": .skipped, "unknown": .unknown]) ?? .scheduled,
                    arrival: try Self.time(arrival, arrivalDelay), departure: try Self.time(departure, departureDelay))
            }
        }
    }
}

/// The JSON form of a service alert.
struct DisruptionForm: Codable {
    struct Period: Codable { var from: Double?, to: Double? }

    struct Target: Codable {
        var agency: String?, line: String?, stop: String?, mode: String?
        var direction: Int?
        var trip: TripReferenceForm?
    }

    var id: String
    var periods: [Period]?
    var targets: [Target]?
    var title: [String: String]?, text: [String: String]?, url: [String: String]?
    var cause: String?, effect: String?
    var severity: Int?

    init(_ notice: Disruption) {
        func some<Value: Collection>(_ value: Value) -> Value? { value.isEmpty ? nil : value }
        id = notice.id
        periods = some(
            notice.periods.map { Period(from: $0.from.map(RecordForm.seconds), to: $0.to.map(RecordForm.seconds)) })
        targets = some(
            notice.targets.map {
                Target(
                    agency: $0.agency, line: $0.line, stop: $0.stop, mode: $0.mode?.rawValue, direction: $0.direction,
                    trip: $0.trip.map { TripReferenceForm($0) })
            })
        (title, text, url, cause) = (some(notice.title), some(notice.text), some(notice.url), some(notice.cause))
        effect = notice.effect == .unknown ? nil : notice.effect.rawValue
        severity = notice.severity == .unknown ? nil : notice.severity.rawValue
    }

    var disruption: Disruption {
        get throws {
            var notice = Disruption(id: id)
            notice.periods = try (periods ?? []).map {
                .init(from: try $0.from.map(RecordForm.date), to: try $0.to.map(RecordForm.date))
            }
            notice.targets = (targets ?? []).map {
                .init(
                    agency: $0.agency, line: $0.line, direction: TripReferenceForm.direction($0.direction),
                    stop: $0.stop,
                    trip: $0.trip?.reference, mode: $0.mode.flatMap { TransitMode(rawValue: $0) })
            }
            (notice.title, notice.text, notice.url) = (title ?? [:], text ?? [:], url ?? [:])
            notice.cause = cause ?? ""
            notice.effect = effect.flatMap { Disruption.Effect(rawValue: $0) } ?? .unknown
            notice.severity = severity.flatMap { Disruption.Severity(rawValue: $0) } ?? .unknown
            return notice
        }
    }
}
