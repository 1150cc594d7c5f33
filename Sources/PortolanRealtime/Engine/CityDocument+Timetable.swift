public import Foundation
import PortolanGeo
public import PortolanTransit

extension CityDocument {
    /// Creates the city of a timetable, or returns `nil` if no stop has a coordinate.
    ///
    /// Each line gets the most common path of each direction. Stops without lines are omitted. The area contains all
    /// stops and paths with a margin of one kilometre. The attribution is the publisher of the feed or the names of the
    /// agencies.
    ///
    /// - Parameters:
    ///   - name: the name of the city; by default that of the publisher or of the first agency.
    ///   - updated: the time of the last change of the timetable.
    /// - Complexity: linear in the patterns, trips and stops of the timetable.
    public init?(_ timetable: Timetable, name: String? = nil, updated: Date) {
        var lines: [Line] = [], linesOfStop: [Int: [Int]] = [:]
        for (index, line) in timetable.lines.enumerated() {
            var directions: Set<Int?> = [], ways: [[Coordinate]] = []
            for course in timetable.courses(ofLine: index) {
                for stop in course.stops where linesOfStop[stop]?.last != index {
                    linesOfStop[stop, default: []].append(index)
                }
                // The first course of a direction is the most common one.
                guard directions.insert(course.direction).inserted, course.path.count > 1 else { continue }
                ways.append(course.path)
            }
            // Lines without trips are omitted.
            guard !directions.isEmpty else { continue }
            lines.append(
                Line(
                    id: line.id, name: line.badge, longName: line.longName.isEmpty ? nil : line.longName,
                    mode: line.mode, color: line.color.map(Self.hexadecimal), ways: ways))
        }
        let stops: [Stop] = linesOfStop.sorted { $0.key < $1.key }.compactMap { index, served in
            let stop = timetable.stops[index]
            guard let place = stop.place, let first = served.first else { return nil }
            return Stop(
                id: stop.id, name: stop.name, mode: timetable.lines[first].mode, place: place,
                lines: served.map { timetable.lines[$0].id })
        }
        guard let area = Self.area(of: stops, lines) else { return nil }
        let publisher = timetable.feed.publisher, agencies = timetable.agencies.map(\.name)
        self.init(
            name: name ?? (publisher.isEmpty ? agencies.first ?? "" : publisher), area: area,
            attribution: publisher.isEmpty ? agencies.joined(separator: ", ") : publisher,
            updates: Updates(city: updated, lines: updated, stops: updated))
        (self.lines, self.stops) = (lines, stops)
    }

    /// Returns six hexadecimal digits, such as "00985F".
    private static func hexadecimal(_ color: UInt32) -> String {
        let digits = String(color & 0xFF_FFFF, radix: 16, uppercase: true)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Returns the bounding box of stops and paths with a margin of one kilometre, limited to the world.
    private static func area(of stops: [Stop], _ lines: [Line]) -> Extent? {
        let places = stops.map { Coordinate(longitude: $0.longitude, latitude: $0.latitude) }
        var west = Double.infinity, south = Double.infinity, east = -Double.infinity, north = -Double.infinity
        guard !places.isEmpty else { return nil }
        for place in places + lines.flatMap({ $0.coordinates.joined() }) {
            (west, east) = (min(west, place.x), max(east, place.x))
            (south, north) = (min(south, place.y), max(north, place.y))
        }
        let margin = 1000 / 111_195.0
        let wide = margin / max(0.01, cos(max(abs(south), abs(north)) * .pi / 180))
        return Extent(
            minX: max(-180, west - wide), minY: max(-90, south - margin), maxX: min(180, east + wide),
            maxY: min(90, north + margin))
    }
}
