public import Portolan
import PortolanFeatures
public import PortolanGeo
public import PortolanPlan
public import PortolanTransit

extension MapLayer {
    /// Creates a layer for the lines and stops of a timetable in the style of ``/PortolanCity/TransitStyle``.
    ///
    /// - Parameters:
    ///   - lines: the identifiers of the lines to show, or `nil` for all.
    ///   - parts: the parts to draw.
    ///   - name: the name of the layer.
    /// - Complexity: linear in the patterns, trips and stops of the timetable.
    public static func timetable(
        _ timetable: Timetable, lines: Set<String>? = nil, parts: TransitStyle.Parts = TransitStyle.Parts(),
        named name: String = "transit"
    ) -> MapLayer {
        let map = TransitMap(timetable, lines: lines)
        // Of stops with the same name, those with a label come first.
        let stops =
            map.stops.filter { $0.properties["label"] != nil } + map.stops.filter { $0.properties["label"] == nil }
        var source = FeatureSource(features: (parts.lines ? map.lines : []) + (parts.stops ? stops : []), crs: .crs84)
        source.sheet = TransitStyle.sheet(parts, groups: LineGroup.groups(of: timetable, lines: lines))
        let publisher = timetable.feed.publisher
        return MapLayer(name: name, source: source, attribution: publisher.isEmpty ? nil : publisher)
    }
}

/// The lines and stops of a timetable as features.
///
/// Each direction of a line is a feature with its most common course and the properties `kind` (`line`), `id`, `name`,
/// `longName`, `mode`, `color`, `direction` and `headsign`. A stop has `kind` (`stop`), `id`, `name`, `code`, `mode`,
/// `color` and `lines`, the names of its lines. Of nearby stops with the same name, only one has it as `label`.
public struct TransitMap: Sendable {
    /// The courses of the lines.
    ///
    /// Those with the fewest trips are last, so that they are drawn on top.
    public private(set) var lines: [Feature] = []
    /// The stops of the lines.
    public private(set) var stops: [Feature] = []
    /// The course of each direction of each line, by ``VehicleMarks/pathName(line:direction:)``.
    public private(set) var paths: [String: [Coordinate]] = [:]

    /// Creates the features of a timetable.
    ///
    /// - Parameter wanted: the identifiers of the lines to include, or `nil` for all.
    /// - Complexity: linear in the patterns, trips and stops of the timetable.
    public init(_ timetable: Timetable, lines wanted: Set<String>? = nil) {
        var stopLines: [Int: [Int]] = [:]
        var drawn: [(trips: Int, feature: Feature)] = []
        for (index, line) in timetable.lines.enumerated() where wanted?.contains(line.id) ?? true {
            var directions: Set<Int?> = []
            for course in timetable.courses(ofLine: index) {
                for stop in course.stops where stopLines[stop]?.last != index {
                    stopLines[stop, default: []].append(index)
                }
                // The first course of a direction is the most common one.
                guard directions.insert(course.direction).inserted, course.path.count > 1 else { continue }
                let path = VehicleMarks.pathName(line: line.id, direction: course.direction)
                paths[path] = course.path
                if paths[line.id] == nil { paths[line.id] = course.path }
                drawn.append((course.tripCount, Self.feature(of: line, course, id: path)))
            }
        }
        lines = drawn.enumerated().sorted { ($1.element.trips, $0.offset) < ($0.element.trips, $1.offset) }
            .map(\.element.feature)
        var named: [String: [Coordinate]] = [:]
        stops = stopLines.keys.sorted().compactMap { index in
            let stop = timetable.stops[index]
            guard let place = stop.place else { return nil }
            var feature = Self.feature(of: stop, at: place, (stopLines[index] ?? []).map { timetable.lines[$0] })
            // Stops on both sides of a street have the same name, so only one of them is labelled.
            let isNear = named[stop.name]?.contains { Geodesic.line(from: $0, to: place).meters < 250 } ?? false
            if !isNear, named[stop.name, default: []].count < 100 {
                named[stop.name, default: []].append(place)
                feature.properties["label"] = .string(stop.name)
            }
            return feature
        }
    }

    private static func feature(of line: Timetable.Line, _ course: Timetable.LineCourse, id: String) -> Feature {
        var properties: Properties = ["kind": "line", "id": .string(line.id), "name": .string(line.badge)]
        if !line.longName.isEmpty { properties["longName"] = .string(line.longName) }
        properties["mode"] = .string(line.mode.rawValue)
        properties["color"] = .string(line.drawnColor.hexText)
        if let direction = course.direction { properties["direction"] = .integer(direction) }
        properties["headsign"] = .string(course.headsign)
        return Feature(id: .string(id), geometry: .lineString(course.path), properties: properties)
    }

    private static func feature(of stop: Timetable.Stop, at place: Coordinate, _ lines: [Timetable.Line]) -> Feature {
        var properties: Properties = ["kind": "stop", "id": .string(stop.id), "name": .string(stop.name)]
        if !stop.code.isEmpty { properties["code"] = .string(stop.code) }
        properties["mode"] = .string((lines.first?.mode ?? .other).rawValue)
        properties["color"] = .string((lines.first?.drawnColor ?? TransitMode.other.color).hexText)
        var names: [String] = []
        for line in lines where !names.contains(line.badge) { names.append(line.badge) }
        properties["lines"] = .string(names.joined(separator: ", "))
        return Feature(id: .string(stop.id), geometry: .point(place), properties: properties)
    }
}
