import Foundation
import PortolanGeo
import PortolanRealtime
import PortolanTransit

extension FuzzKind {
    /// Messages of GTFS Realtime, read, put into a fleet and written again.
    static let gtfsRealtime = FuzzKind(
        name: "gtfs-realtime", grammar: .words, corpus: ["Tests/Fuzz/Corpus/gtfs-realtime/*"],
        memory: Bound(any: 2 << 20, each: 400), read: readRealtime)

    /// SIRI deliveries in XML and JSON, and legacy notices.
    static let siri = FuzzKind(
        name: "siri", grammar: .xml, corpus: ["Tests/Fuzz/Corpus/siri/*"], memory: Bound(any: 4 << 20, each: 400),
        time: Bound(any: 100_000_000, each: 20_000), read: readSIRI)

    /// Recordings of vehicles and arrivals, line by line.
    static let vehicleLines = FuzzKind(
        name: "vehicle-lines", grammar: .words, corpus: ["Tests/Fuzz/Corpus/vehicle-lines/*"],
        memory: Bound(any: 4 << 20, each: 400), time: Bound(any: 100_000_000, each: 30_000), read: readLines)

    private static let now = Date(timeIntervalSince1970: 1_795_271_200)

    private static func readRealtime(_ bytes: [UInt8]) throws -> Outcome {
        let message: RealtimeMessage
        do throws(FeedError) { message = try RealtimeMessage(bytes: bytes, source: "a.example") } catch {
            return try refused(error)
        }
        for fault in message.faults { _ = try refused(fault) }
        let again: RealtimeMessage
        do throws(FeedError) { again = try RealtimeMessage(bytes: message.bytes) } catch {
            throw Violation("what was written cannot be read: \(error)")
        }
        guard again.header == message.header, again.vehicles.count == message.vehicles.count,
            again.trips.count == message.trips.count, again.alerts.count == message.alerts.count
        else { throw Violation("what was written is not what was read") }
        let events: [FeedEvent] = [
            .snapshot(message.reports(now: now), time: now), .trips(message.updates, time: now),
            .disruptions(message.disruptions),
        ]
        return try check(events) + " \(magnitude(message.faultCount))"
    }

    private static func readSIRI(_ bytes: [UInt8]) throws -> Outcome {
        let delivery: SIRIDelivery
        do throws(FeedError) { delivery = try SIRIReader(source: "a.example").delivery(bytes, now: now) } catch {
            return try refused(error)
        }
        return try check([
            .snapshot(delivery.vehicles, time: now), .trips(delivery.updates, time: now),
            .disruptions(delivery.disruptions),
        ])
    }

    private static func readLines(_ bytes: [UInt8]) throws -> Outcome {
        var words = ""
        if let zone = TimeZone(secondsFromGMT: 7200) {
            let day = ServiceDay(daysSince1970: 20_780)
            do throws(FeedError) {
                let board = try ArrivalsBoard(text: bytes, source: "a.example", day: day, zone: zone, now: now)
                words = "a\(magnitude(board.arrivals.count)) "
            } catch { _ = try refused(error) }
        }
        let records: [ReplayFeed.Record]
        do throws(FeedError) {
            records = try ReplayFeed.records(bytes, source: "a.example", start: now)
        } catch { return try refused(error) }
        return try check(records.map(\.event)) + words
    }

    private static func refused(_ fault: FeedError) throws -> Outcome { try refused(fault.description) }

    /// The result is valid, and a fleet accepts it.
    private static func check(_ events: [FeedEvent]) throws -> Outcome {
        var fleet = Fleet()
        for event in events {
            _ = fleet.apply(event, now: now)
            let line = ReplayFeed.Record(time: now, event: event).line
            guard !line.isEmpty, (try? ReplayFeed.Record(line: line)) != nil else {
                throw Violation("an event that cannot be recorded: \(event)")
            }
        }
        for vehicle in fleet.snapshot {
            if let place = vehicle.place, abs(place.x) > 180 || abs(place.y) > 90 {
                throw Violation("a vehicle that is nowhere: \(vehicle)")
            }
            if let bearing = vehicle.bearing, !(0..<360).contains(bearing) {
                throw Violation("a bearing of \(bearing)")
            }
            _ = (fleet.delay(of: vehicle), fleet.isStale(vehicle, now: now))
        }
        let banner = DisruptionBanner(of: fleet.disruptions, at: now, in: .english)
        return .value("\(magnitude(fleet.vehicles.count)) \(magnitude(fleet.trips.count)) \(banner == nil ? "-" : "b")")
    }
}

private func + (outcome: FuzzKind.Outcome, words: String) -> FuzzKind.Outcome {
    if case .value(let shape) = outcome { .value(shape + words) } else { outcome }
}
