import Foundation
import PortolanGeo

/// Reading of stops and stations.
extension FeedReader {
    mutating func readStops() throws(TransitFeed.ReadError) {
        var table = try requiredTable("stops.txt", rowMemory: 400)
        let id = try table.required("stop_id"), name = table.column("stop_name"), code = table.column("stop_code")
        let details = table.column("stop_desc"), latitude = table.column("stop_lat")
        let longitude = table.column("stop_lon"), zone = table.column("zone_id"), url = table.column("stop_url")
        let type = table.column("location_type"), parent = table.column("parent_station")
        let timeZone = table.column("stop_timezone"), wheelchair = table.column("wheelchair_boarding")
        let platform = table.column("platform_code")
        var parents: [(stop: Int, id: [UInt8], line: Int)] = []
        while try table.next() {
            guard isWhole(table), newID(\.stops, table, id) != nil else { continue }
            var stop = Timetable.Stop(id: table.text(id), name: text(table, name), place: nil)
            stop.kind = Timetable.Stop.Kind(rawValue: UInt8(choice(table, type, upTo: 4))) ?? .stop
            let needsPlace = stop.kind.rawValue <= Timetable.Stop.Kind.entrance.rawValue
            stop.place = place(table, latitude, longitude, isNeeded: needsPlace)
            if stop.name.isEmpty, needsPlace { note(.empty, .warning, table, name, "the stop has no name") }
            stop.code = text(table, code)
            stop.details = text(table, details)
            stop.zone = text(table, zone)
            stop.url = text(table, url)
            stop.platform = text(table, platform)
            stop.timeZone = text(table, timeZone)
            if !stop.timeZone.isEmpty, TimeZone(identifier: stop.timeZone) == nil {
                note(.malformed, .warning, table, timeZone, "unknown time zone \(table.quoted(timeZone))")
            }
            stop.wheelchair = Timetable.Stop.Access(rawValue: UInt8(choice(table, wheelchair, upTo: 2))) ?? .unknown
            if !table.range(parent).isEmpty {
                parents.append((timetable.stops.count, Array(table.bytes[table.range(parent)]), table.line))
            }
            timetable.stops.append(stop)
        }
        // Stations may follow their stops in the file.
        for (stop, id, line) in parents {
            let number = Int(stops.number(of: id, in: id.indices))
            let kind = timetable.stops[stop].kind
            if number >= 0, number != stop,
                timetable.stops[number].kind == (kind == .boardingArea ? .stop : .station), kind != .station
            {
                timetable.stops[stop].parent = number
            } else {
                problems.add(
                    .unknownReference, .warning, file: table.file, line: line, column: "parent_station",
                    "\"\(String(decoding: id.prefix(60), as: UTF8.self))\" is not a station of this stop")
            }
        }
        rowCounts[table.file] = table.rowCount
    }

    private mutating func place(
        _ table: FeedTable, _ latitude: Int, _ longitude: Int, isNeeded: Bool
    ) -> Coordinate? {
        let ranges = (table.range(latitude), table.range(longitude))
        if ranges.0.isEmpty, ranges.1.isEmpty {
            if isNeeded { note(.empty, .warning, table, latitude, "the stop has no coordinates") }
            return nil
        }
        for (column, greatest) in [(latitude, 90.0), (longitude, 180.0)] {
            guard let degrees = table.number(column), abs(degrees) <= greatest else {
                note(.malformed, .warning, table, column, "\(table.quoted(column)) is not a coordinate in degrees")
                return nil
            }
        }
        guard let y = table.number(latitude), let x = table.number(longitude) else { return nil }
        if abs(x) < 0.001, abs(y) < 0.001 || abs(y) > 89.999 {
            note(.improbablePlace, .warning, table, latitude, "the stop is at \(y), \(x), which is not plausible")
        }
        return Coordinate(x: x, y: y)
    }
}
