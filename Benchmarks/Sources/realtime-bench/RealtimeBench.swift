import Foundation
import PortolanRealtime
import PortolanTransit

#if canImport(Glibc)
import Glibc
#endif

/// Decodes GTFS Realtime and merges it into a fleet, and prints a JSON line per scene.
///
///     realtime-bench [FILE.pb] [--vehicles N] [--write FILE]
///
/// Without a file it creates N (10,000) vehicles. `decode_ms` is the time from bytes to messages, `report_ms` from messages
/// to reports, `merge_ms` from reports into a fleet that has all of them at other positions, and `first_ms` into an empty
/// one: medians of 21, in processor time of one thread. `--write` writes the message to a file for other programs.
@main struct RealtimeBench {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        func take(_ name: String) -> String? {
            guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
            defer { arguments.removeSubrange(place...(place + 1)) }
            return arguments[place + 1]
        }
        let count = take("--vehicles").flatMap { Int($0) } ?? 10_000, target = take("--write")
        let now = Date(timeIntervalSince1970: 1_795_271_200)
        let bytes: [UInt8]
        if let file = arguments.first {
            bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
        } else {
            bytes = message(of: count, shift: 0).bytes
        }
        if let target { try Data(bytes).write(to: URL(filePath: target)) }
        let earlier = message(of: count, shift: 0.001)
        var known = Fleet()
        _ = known.apply(.snapshot(earlier.reports(now: now), time: now - 60), now: now)
        var times: [String: [Double]] = [:]
        var vehicles = 0
        func timed<Value>(_ name: String, _ work: () throws -> Value) rethrows -> Value {
            let begun = processorTime()
            let value = try work()
            times[name, default: []].append(processorTime() - begun)
            return value
        }
        for _ in 0..<21 {
            let message = try timed("decode_ms") { try RealtimeMessage(bytes: bytes) }
            let reports = timed("report_ms") { message.reports(now: now) }
            var fleet = known
            // Makes a separate copy before the measurement.
            _ = fleet.apply(.reports([VehicleReport(id: "another", time: now)]), now: now)
            let change = timed("merge_ms") { fleet.apply(.snapshot(reports, time: now), now: now) }
            var empty = Fleet()
            _ = timed("first_ms") { empty.apply(.snapshot(reports, time: now), now: now) }
            vehicles = change.changed.count
        }
        let medians = times.mapValues { $0.sorted()[$0.count / 2] }
        let total = ["decode_ms", "report_ms", "merge_ms"].compactMap { medians[$0] }.reduce(0, +)
        let parts = ["decode_ms", "report_ms", "merge_ms", "first_ms"].map {
            "\"\($0)\": \(String(format: "%.2f", medians[$0] ?? 0))"
        }
        print(
            """
            {"scene": "gtfs-realtime", "bytes": \(bytes.count), "changed": \(vehicles), \(parts.joined(separator: ", ")), \
            "portolan_ms": \(String(format: "%.2f", total))}
            """)
    }

    /// Returns a message with vehicles like those of real feeds, distributed over a city.
    private static func message(of count: Int, shift: Float) -> RealtimeMessage {
        var message = RealtimeMessage()
        message.header.version = "2.0"
        message.header.timestamp = shift == 0 ? 1_795_271_160 : 1_795_271_100
        for index in 0..<count {
            var vehicle = RealtimeMessage.VehiclePosition()
            var trip = RealtimeMessage.TripDescriptor()
            (trip.trip, trip.route) = (
                "\(1000 + index % 300)_20261123_Ke_\(index % 2)_\(58_000 + index)", "\(1000 + index % 300)"
            )
            (trip.startTime, trip.startDate, trip.direction) = ("16:24:00", "20261123", index % 2)
            vehicle.trip = trip
            var position = RealtimeMessage.Position(
                latitude: 60.1 + Float(index / 100) * 0.002 + shift, longitude: 24.8 + Float(index % 100) * 0.004)
            (position.bearing, position.speed) = (Float(index % 360), 5.5)
            vehicle.position = position
            (vehicle.stopSequence, vehicle.status, vehicle.stop) = (
                index % 40, .inTransitTo, "\(1_170_000 + index % 7000)"
            )
            vehicle.timestamp = shift == 0 ? 1_795_271_158 : 1_795_271_098
            vehicle.vehicle = .init(id: "0018/\(10_000 + index)", label: "\(index % 300)")
            message.vehicles.append(.init(id: "vp-0018/\(10_000 + index)", vehicle))
        }
        return message
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }
}
