import Foundation
import PortolanGeo
import PortolanTransit

/// The JSON form of a record.
struct RecordForm: Codable {
    var t: Double
    var event: String
    var vehicles: [VehicleForm]?
    var gone: [String]?
    var since: Double?
    var trips: [TripForm]?
    var disruptions: [DisruptionForm]?
    var state: String?
    var retry: Double?
    var fault: FaultForm?
    var count: Int?
    var faults: [FaultForm]?

    init(_ record: ReplayFeed.Record) {
        t = Self.seconds(record.time)
        switch record.event {
        case .reports(let reports):
            event = "reports"
            vehicles = reports.map { VehicleForm($0) }
        case .snapshot(let reports, let time):
            event = "snapshot"
            vehicles = reports.map { VehicleForm($0) }
            since = Self.seconds(time)
        case .gone(let ids, let time):
            event = "gone"
            gone = ids
            since = Self.seconds(time)
        case .trips(let updates, let time):
            event = "trips"
            trips = updates.map { TripForm($0) }
            since = Self.seconds(time)
        case .disruptions(let notices):
            event = "disruptions"
            disruptions = notices.map { DisruptionForm($0) }
        case .losses(let losses):
            event = "losses"
            (count, faults) = (losses.count, losses.faults.map { FaultForm($0) })
        case .state(let told):
            event = "state"
            switch told {
            case .connecting: state = "connecting"
            case .connected: state = "connected"
            case .live: state = "live"
            case .lost(let fault, let wait): (state, retry, self.fault) = ("lost", wait.seconds, FaultForm(fault))
            case .ended(let fault): (state, self.fault) = ("ended", fault.map { FaultForm($0) })
            }
        }
    }

    /// The error for an invalid record.
    struct Misfit: Error {}

    var record: ReplayFeed.Record {
        get throws {
            ReplayFeed.Record(time: try Self.date(t), event: try told)
        }
    }

    private var told: FeedEvent {
        get throws {
            switch event {
            case "reports": return .reports(try (vehicles ?? []).map { try $0.report })
            case "snapshot":
                return .snapshot(try (vehicles ?? []).map { try $0.report }, time: try Self.date(since ?? t))
            case "gone": return .gone(gone ?? [], since: try Self.date(since ?? t))
            case "trips": return .trips(try (trips ?? []).map { try $0.update }, time: try Self.date(since ?? t))
            case "disruptions": return .disruptions(try (disruptions ?? []).map { try $0.disruption })
            case "losses":
                return .losses(FeedLosses(count: count ?? 0, faults: try (faults ?? []).map { try $0.fault }))
            case "state": return .state(try feedState)
            default: throw Misfit()
            }
        }
    }

    private var feedState: FeedEvent.State {
        get throws {
            switch state {
            case "connecting": return .connecting
            case "connected": return .connected
            case "live": return .live
            case "lost":
                guard let fault, let retry, (0...1e9).contains(retry) else { throw Misfit() }
                return .lost(try fault.fault, retry: .seconds(retry))
            case "ended": return .ended(try fault?.fault)
            default: throw Misfit()
            }
        }
    }

    /// Returns seconds since 1970 with three decimals, or 0 for an invalid date.
    static func seconds(_ date: Date) -> Double {
        let seconds = date.timeIntervalSince1970
        return abs(seconds) < 1e12 ? (seconds * 1000).rounded() / 1000 : 0
    }

    static func date(_ seconds: Double) throws -> Date {
        guard abs(seconds) < 1e12 else { throw Misfit() }
        return Date(timeIntervalSince1970: seconds)
    }

    /// The JSON form of an error.
    struct FaultForm: Codable {
        var code: String, source: String, reason: String
        var offset: Int?, line: Int?

        init(_ fault: FeedError) {
            (code, source, reason) = (fault.code.rawValue, fault.source, fault.reason)
            (offset, line) = (fault.offset, fault.line)
        }

        var fault: FeedError {
            get throws {
                guard let code = FeedError.Code(rawValue: code) else { throw Misfit() }
                return FeedError(code, source: source, offset: offset, line: line, reason)
            }
        }
    }
}

/// The JSON form of a vehicle.
struct VehicleForm: Codable {
    var id: String
    var t: Double
    var lon: Double?, lat: Double?
    var line: String?, label: String?, mode: String?, headsign: String?, stop: String?
    var bearing: Double?, speed: Double?, delay: Double?
    var trip: TripReferenceForm?

    init(_ report: VehicleReport) {
        id = report.id
        t = RecordForm.seconds(report.time)
        (lon, lat) = (report.place?.x, report.place?.y)
        (line, label, headsign, stop) = (report.line, report.label, report.headsign, report.stop)
        mode = report.mode?.rawValue
        (bearing, speed, delay) = (report.bearing, report.speed, report.delay?.seconds)
        trip = report.trip.map { TripReferenceForm($0) }
    }

    var report: VehicleReport {
        get throws {
            var report = VehicleReport(id: id, time: try RecordForm.date(t))
            if let lon, let lat { report.place = Coordinate(longitude: lon, latitude: lat) }
            (report.line, report.label, report.headsign, report.stop) = (line, label, headsign, stop)
            report.mode = mode.flatMap { TransitMode(rawValue: $0) }
            (report.bearing, report.speed, report.delay) = (bearing, speed, try TripForm.duration(delay))
            report.trip = trip?.reference
            return report.checked()
        }
    }
}

/// The JSON form of a trip reference.
struct TripReferenceForm: Codable {
    var id: String?, line: String?, day: String?
    var direction: Int?, start: Int?

    init(_ reference: TripReference) {
        (id, line, direction, start) = (reference.trip, reference.line, reference.direction, reference.start)
        day = reference.day.map { "\($0)" }
    }

    var reference: TripReference {
        TripReference(
            trip: id, line: line, direction: Self.direction(direction), day: day.flatMap { ServiceDay(iso: $0) },
            start: start.flatMap { (0..<360_000).contains($0) ? $0 : nil })
    }

    /// Returns a valid direction, 0 or 1, or `nil`.
    static func direction(_ number: Int?) -> Int? { number.flatMap { (0...1).contains($0) ? $0 : nil } }
}
