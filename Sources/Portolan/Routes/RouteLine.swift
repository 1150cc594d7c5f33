public import PortolanFeatures
public import PortolanGeo
public import PortolanPlan
public import PortolanRaster

/// The line of a route: its length, elevations and positions, and layers that show how far it has been travelled.
///
/// Of a GPX file with tracks and routes, it has the kind of the first line.
///
/// ```swift
/// if let line = RouteLine(route) {
///     let distance = line.length / 2
///     print(line.place(at: distance), line.bearing(at: distance))
/// }
/// ```
public struct RouteLine: Sendable {
    /// The name of the first line that has one, or of the collection, or `nil`.
    public let name: String?
    /// The length in metres.
    public let length: Double
    /// The elevations, or `nil` if no line of the track has any.
    public let profile: ElevationProfile?

    private let lines: [(line: GroundLine, start: Double)]
    private let whole: Geometry

    /// The colour of the marker, and its radius in view pixels.
    private static let markerColor = MapColor(red: 214, green: 40, blue: 40), markerRadius = 8.0

    /// Creates the line of a collection in degrees from its lines in order, or returns `nil` if it has none.
    ///
    /// - Complexity: O(coordinates).
    public init?(_ collection: FeatureCollection) {
        var lines: [(GroundLine, Double)] = [], start = 0.0, coordinates: [Coordinate] = [], ends: [Int] = []
        var altitudes: [Double?] = []
        let all = collection.features.filter(\.isLine), kind = all.first?.properties["gpx"]
        name = all.lazy.compactMap(\.title).first ?? collection.foreignMembers["name"]?.displayText
        for geometry in all.lazy.filter({ $0.properties["gpx"] == kind }).compactMap(\.geometry) {
            for part in geometry.parts {
                guard let line = GroundLine(Array(part)) else { continue }
                lines.append((line, start))
                start += line.length
                coordinates += part
                altitudes += part.indices.map { geometry.altitudes.isEmpty ? nil : geometry.altitudes[$0] }
                ends.append(coordinates.count)
            }
        }
        guard !lines.isEmpty else { return nil }
        self.lines = lines
        length = start
        whole = Geometry(
            kind: ends.count > 1 ? .multiLineString : .lineString, coordinates: coordinates, partEnds: ends,
            altitudes: altitudes.contains { $0 != nil } ? altitudes : [])
        profile = ElevationProfile(whole)
    }

    private func line(at distance: Double) -> (line: GroundLine, start: Double) {
        lines.last { $0.start <= distance } ?? lines[0]
    }

    /// Returns the position at a distance in metres, limited to the track, in degrees.
    public func place(at distance: Double) -> Coordinate {
        let (line, start) = line(at: distance)
        return line.place(at: distance - start)
    }

    /// Returns the direction of the track at a distance in degrees clockwise from north, as the mean over a window in
    /// metres around it.
    public func bearing(at distance: Double, over window: Double = 0) -> Double {
        let one = place(at: distance - window / 2), other = place(at: distance + window / 2)
        if GroundDistance.meters(from: one, to: other) > 0.5 { return one.bearing(to: other) }
        let (line, start) = line(at: distance)
        return line.bearing(at: distance - start, isBackward: false)
    }

    /// Returns the distance of the point that is nearest to a position in degrees, and how far away it is, in metres.
    ///
    /// - Complexity: O(coordinates).
    public func nearest(to place: Coordinate) -> (distance: Double, meters: Double) {
        var best = (distance: 0.0, meters: Double.infinity)
        for (line, start) in lines {
            let near = line.nearest(to: place)
            if near.meters < best.meters { best = (start + near.measure, near.meters) }
        }
        return best
    }

    /// Returns the centre for a camera that follows the track, without the turns of the track within a window in
    /// metres.
    public func camera(at distance: Double, over window: Double) -> Coordinate {
        let count = 16
        let here = place(at: distance)
        var x = 0.0, y = 0.0
        for step in 0...count {
            let place = place(at: distance + (Double(step) / Double(count) - 0.5) * window).nearest(to: here)
            x += place.x
            y += place.y
        }
        return Coordinate(x: x / Double(count + 1), y: y / Double(count + 1))
    }

    /// Returns a layer with the track, the part travelled so far, and a marker at the position.
    ///
    /// - Complexity: O(coordinates).
    public func layer(
        at distance: Double, color: MapColor = MapColor(red: 30, green: 90, blue: 200), named name: String = "track"
    ) -> MapLayer {
        var travelled: [[Coordinate]] = []
        for (line, start) in lines where start < distance {
            travelled.append(line.part(from: 0, to: distance - start))
        }
        var features = [
            Feature(
                id: "track",
                geometry: Geometry(kind: whole.kind, coordinates: whole.coordinates, partEnds: whole.partEnds),
                // The marker passes along the invisible casing, so that no name is there, or comes and goes.
                properties: Self.look([
                    "strokeColor": .string(color.cssText), "strokeWidth": 3, "strokeOpacity": 0.45,
                    "casingColor": "rgba(0, 0, 0, 0)", "casingWidth": .number(2 * (Self.markerRadius + 3)),
                ]))
        ]
        let parts = travelled.filter { $0.count > 1 }
        if !parts.isEmpty {
            features.append(
                Feature(
                    id: "travelled", geometry: parts.count == 1 ? .lineString(parts[0]) : .multiLineString(parts),
                    properties: Self.look([
                        "strokeColor": .string(color.cssText), "strokeWidth": 5, "strokeOpacity": 1,
                        "casingColor": "#ffffff", "casingWidth": 9,
                    ])))
        }
        features.append(
            Feature(
                id: "position", geometry: .point(place(at: distance)),
                properties: Self.look([
                    "graphicName": "circle", "pointRadius": .number(Self.markerRadius),
                    "fillColor": .string(Self.markerColor.cssText),
                    "fillOpacity": 1, "strokeColor": "#ffffff", "strokeWidth": 3,
                ])))
        return MapLayer(name: name, source: FeatureSource(features: features, crs: .crs84))
    }

    private static func look(_ look: Properties) -> Properties { ["style": ["default": .object(look)]] }
}
