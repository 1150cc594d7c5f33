import Foundation
import Portolan
import PortolanRaster
import PortolanRealtime
import PortolanTransit

/// Trams and the metro of central Helsinki: real lines and stops, an invented timetable, and invented vehicles.
public enum HelsinkiTransit {
    /// The remark that pictures of them must show.
    public static let remark = "invented timetable and vehicles"
    /// The start of the vehicle recording: 21 November 2026, 16:24 in Helsinki.
    public static let start = Date(timeIntervalSince1970: 1_795_271_040)

    /// Returns the timetable.
    public static func timetable() throws -> Timetable { try TransitFeed(at: file("feed.zip").path).timetable }

    /// Returns five minutes of vehicle reports, one per second, with trip updates and service alerts.
    public static func records() throws -> [ReplayFeed.Record] {
        let vehicles = try ReplayFeed.records(bytes("vehicles-replay.txt"), source: "recording", start: start)
        let trips = try RealtimeMessage(bytes: bytes("trip-updates.pb"))
        let alerts = try RealtimeMessage(bytes: bytes("service-alerts.pb"))
        return [
            ReplayFeed.Record(time: start, event: .trips(trips.updates, time: start)),
            ReplayFeed.Record(time: start, event: .disruptions(alerts.disruptions)),
        ] + vehicles
    }

    /// Returns the city as a muted background for lines and stops, limited to the area with data.
    public static func city(width: Int, height: Int, zoom: Double) async throws -> MapFacade {
        let map = try HelsinkiWalk.empty(width: width, height: height)
        try map.center(on: Coordinate(longitude: 24.9443, latitude: 60.1697), zoom: zoom)
        try await map.addStyle(from: try ground(), named: "city")
        var wash = FeatureSource(features: [])
        let corners = [(24.9, 60.15), (25.0, 60.15), (25.0, 60.2), (24.9, 60.2), (24.9, 60.15)]
        wash.append(
            Feature(geometry: .polygon([corners.map { Coordinate(longitude: $0.0, latitude: $0.1) }])),
            style: Style(fill: FillSymbol(color: MapColor(red: 255, green: 255, blue: 255, alpha: 140))))
        try map.add(MapLayer(name: "wash", source: wash))
        return map
    }

    /// Returns the style of the city without layers that would compete with lines and stops, with faint names.
    private static func ground() throws -> String {
        let competing: Set = [
            "stop", "poi", "building-name", "oneway", "subway", "tram", "bus-platform", "platform", "city-name",
        ]
        let folder = HelsinkiCity.style.deletingLastPathComponent()
        guard
            var style = try JSONSerialization.jsonObject(with: Data(contentsOf: HelsinkiCity.style)) as? [String: Any],
            let sources = style["sources"] as? [String: [String: Any]], let layers = style["layers"] as? [[String: Any]]
        else { throw CocoaError(.fileReadCorruptFile) }
        style["sources"] = sources.mapValues { source in
            var source = source
            if let name = source["data"] as? String { source["data"] = folder.appending(path: name).absoluteString }
            return source
        }
        if let sprite = style["sprite"] as? String { style["sprite"] = folder.appending(path: sprite).absoluteString }
        style["layers"] = layers.filter { !competing.contains($0["id"] as? String ?? "") }.map { layer in
            guard layer["type"] as? String == "symbol" else { return layer }
            var layer = layer, paint = layer["paint"] as? [String: Any] ?? [:]
            paint["text-color"] = "#8a8f98"
            layer["paint"] = paint
            return layer
        }
        return String(
            decoding: try JSONSerialization.data(withJSONObject: style, options: [.sortedKeys]), as: UTF8.self)
    }

    /// Limits the map to the area with data, with a veil outside of it.
    public static func limit(_ map: MapFacade) throws {
        let transform = try CoordinateTransform(from: .crs84, to: map.viewport.crs)
        guard let low = transform(Coordinate(longitude: 24.9352, latitude: 60.1642)),
            let high = transform(Coordinate(longitude: 24.9534, latitude: 60.1791))
        else { return }
        map.limitingExtent = Extent(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
        map.limitingMask = MapColor(red: 70, green: 72, blue: 78, alpha: 150)
    }

    private static func file(_ name: String) -> URL {
        HelsinkiWalk.fixtures.appending(path: "helsinki/transit/\(name)")
    }

    private static func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: file(name))) }
}
