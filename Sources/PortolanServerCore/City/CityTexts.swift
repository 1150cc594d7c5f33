import Foundation
import Portolan
import PortolanCity
import PortolanFeatures
import PortolanRealtime
import PortolanTransit

extension PublishedCity {
    /// Returns the next departures of a stop, formatted for the page.
    func told(board stop: Int, limit: Int = 12) -> Properties {
        let now = now(), fleet = fleet
        let live = fleet.trips.isEmpty ? board : board.applying(fleet.trips, now: now)
        let rows = live.departures(from: stop, after: now, within: 4 * 3600, limit: limit).map { call in
            let line = timetable.lines[call.line]
            var row: Properties = [
                "line": .string(line.badge), "color": .string(line.drawnColor.hexText),
                "headsign": .string(call.headsign), "clock": .string(clock(call.expected ?? call.scheduled)),
                "minutes": .integer(
                    max(0, Int(((call.expected ?? call.scheduled).timeIntervalSince(now) / 60).rounded(.down)))),
                "live": .bool(call.expected != nil),
            ]
            switch call.state {
            case .stops: break
            case .canceled: row["state"] = "cancelled"
            case .skipped: row["state"] = "does not stop"
            }
            if let delay = call.delay, abs(delay) >= 60 { row["delay"] = .integer(delay / 60) }
            if !call.platform.isEmpty { row["platform"] = .string(call.platform) }
            return PropertyValue.object(row)
        }
        let stop = timetable.stops[stop]
        let isCovered = timetable.covers(now)
        return [
            "id": .string(stop.id), "name": .string(stop.name), "rows": .array(rows), "covered": .bool(isCovered),
            "lines": .array(
                lines(at: stop.id).map { .array([.string($0.badge), .string($0.drawnColor.hexText)]) }),
        ]
    }

    private func lines(at id: String) -> [Timetable.Line] {
        stop(id).map { board.lines(atStop: $0).map { timetable.lines[$0] } } ?? []
    }

    /// Returns a journey with its legs, formatted for the page.
    func told(_ journey: Journey) -> PropertyValue {
        let legs = journey.legs.map { leg -> PropertyValue in
            switch leg {
            case .walk(let walk):
                return [
                    "mode": "walk", "meters": .integer(Int(walk.meters.rounded())), "to": .string(name(of: walk.to)),
                    "departure": .string(clock(walk.departure)), "minutes": .integer((walk.seconds + 59) / 60),
                ]
            case .ride(let ride):
                let line = timetable.lines[ride.line]
                return [
                    "mode": .string(line.mode.rawValue), "line": .string(line.badge),
                    "color": .string(line.drawnColor.hexText), "headsign": .string(ride.headsign),
                    "from": .string(timetable.stops[ride.board].name), "to": .string(timetable.stops[ride.alight].name),
                    "departure": .string(clock(ride.departure)), "arrival": .string(clock(ride.arrival)),
                    "stops": .integer(ride.stopCount), "seated": .bool(ride.staysSeated),
                ]
            }
        }
        return [
            "departure": .string(clock(journey.departure)), "arrival": .string(clock(journey.arrival)),
            "minutes": .integer(Int((journey.arrival.timeIntervalSince(journey.departure) / 60).rounded())),
            "changes": .integer(journey.transfers), "legs": .array(legs),
        ]
    }

    /// Returns the display name of an end of a journey leg.
    func name(of place: Journey.Location) -> String {
        switch place {
        case .stop(let stop): timetable.stops[stop].name
        case .stops(let stops): stops.first.map { timetable.stops[$0].name } ?? ""
        case .place(let place):
            "\(Self.rounded(abs(place.y)))° \(place.y < 0 ? "S" : "N"), \(Self.rounded(abs(place.x)))° "
                + (place.x < 0 ? "W" : "E")
        }
    }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e4).rounded() / 1e4 }

    /// Returns the stops and lines that match a search text.
    func found(_ text: String) -> PropertyValue {
        .array(
            search.matches(text, limit: 20).map { match in
                switch match {
                case .stop(let index):
                    let stop = timetable.stops[index]
                    return ["stop": .string(stop.id), "name": .string(stop.name), "code": .string(stop.code)]
                case .line(let index):
                    let line = timetable.lines[index]
                    return [
                        "line": .string(line.id), "name": .string(line.badge), "code": .string(line.longName),
                        "color": .string(line.drawnColor.hexText),
                    ]
                }
            })
    }

    /// The service alerts in effect now, preceded by the reason for missing vehicles.
    var notices: PropertyValue {
        let now = now()
        let trouble = trouble.map { [PropertyValue.string($0)] } ?? []
        return .array(
            trouble
                + fleet.disruptions.filter { $0.holds(at: now) }.prefix(10).compactMap { notice in
                    Disruption.text(notice.title, in: ["en"]).map(PropertyValue.string)
                })
    }

    /// Returns a time of day in the time zone of the timetable, such as `08:05`.
    private func clock(_ time: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = board.clock.timeZone
        let parts = calendar.dateComponents([.hour, .minute], from: time)
        func padded(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return "\(padded(parts.hour)):\(padded(parts.minute))"
    }
}
