public import PortolanFeatures
import PortolanGeo
public import PortolanPlan
import PortolanRaster
public import PortolanWeb

extension MapLayer {
    /// Creates a layer of a route: the line with a light casing, labelled places, and markers at its start and end.
    ///
    /// Features keep their own styles.
    ///
    /// - Parameters:
    ///   - collection: the route.
    ///   - baseURL: the base URL of relative icon URLs.
    /// - Complexity: O(n log n) in the features.
    public static func route(
        _ collection: FeatureCollection, baseURL: BaseURL? = nil, named name: String = "route"
    ) -> MapLayer {
        let collection = collection.withPlaces()
        var source = FeatureSource(
            features: collection.features.map(labelled) + ends(of: collection), crs: collection.effectiveCRS,
            baseURL: baseURL, style: routeStyle)
        source.hold(collection.charge)
        return MapLayer(
            name: name, source: source, attribution: collection.foreignMembers["attribution"]?.stringValue)
    }

    private static var routeStyle: StyleDeclaration {
        var style = StyleDeclaration()
        style.strokeWidth = 4
        style.casing = .init(color: .white, width: 8)
        style.label = "${label}"
        style.fontSize = 12
        style.labelOutlineColor = .white
        style.labelOutlineWidth = 2
        // Names of places are also tried farther away, clear of the line.
        style.labelPriority = "1"
        return style
    }

    /// Returns a place with a label: its name up to a dash, as the text after it is an explanation that does not fit on
    /// a map.
    private static func labelled(_ feature: Feature) -> Feature {
        guard feature.properties["label"] == nil, let name = feature.pointOfInterest?.name,
            let short = name.split(separator: " - ", maxSplits: 1).first
        else { return feature }
        var feature = feature
        feature.properties["label"] = .string(String(short))
        return feature
    }

    /// Returns markers at the end and the start of the first line, and none where the route has its own places.
    ///
    /// If both may overlap, the end is a ring around the start.
    private static func ends(of collection: FeatureCollection) -> [Feature] {
        guard let line = collection.features.first(where: \.isLine)?.geometry, let start = line.coordinates.first,
            let end = line.coordinates.last
        else { return [] }
        let marks = [(end, "end", "#c62828", line.isRoundTrip ? 10.0 : 6), (start, "start", "#2e7d32", 6)]
        let places = collection.features.compactMap(\.pointOfInterest?.coordinate)
        let free = marks.filter { mark in !places.contains { GroundDistance.meters(from: $0, to: mark.0) < 30 } }
        return free.map { place, kind, color, radius in
            Feature(
                geometry: .point(place),
                properties: [
                    "type": "mark", "mark": .string(kind),
                    "style": [
                        "default": [
                            "graphicName": "circle", "pointRadius": .number(radius), "fillColor": .string(color),
                            "fillOpacity": 1,
                            "strokeColor": "#ffffff", "strokeWidth": 2,
                        ]
                    ],
                ])
        }
    }
}

extension Geometry {
    /// Whether a line in degrees ends so near to its start that marks of both would overlap on a picture of it.
    var isRoundTrip: Bool {
        guard let start = coordinates.first, let end = coordinates.last, let box = BoundingBox(coordinates) else {
            return false
        }
        let span = GroundDistance.meters(
            from: Coordinate(x: box.minX, y: box.minY), to: Coordinate(x: box.maxX, y: box.maxY))
        return GroundDistance.meters(from: start, to: end) < max(span * 0.02, 30)
    }
}
