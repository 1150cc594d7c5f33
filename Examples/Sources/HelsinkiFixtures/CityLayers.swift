import Portolan
import PortolanRaster

/// The city layers that the demonstration draws itself: streets and rails.
public enum CityLayers {
    private static let mainStreets: Set = ["primary", "secondary", "tertiary", "primary_link", "secondary_link"]
    private static let streets: Set = ["residential", "unclassified", "living_street", "service"]
    private static let paths: Set = ["footway", "path", "steps", "cycleway", "pedestrian"]

    /// Returns layers of streets by class, with footpaths at the bottom.
    public static func streets(_ collection: FeatureCollection) -> [MapLayer] {
        [
            layer("footpaths", collection, width: 1.4, color: .white) { paths.contains($0) },
            layer("streets", collection, width: 3.4, color: .white, casing: 4.8) { streets.contains($0) },
            layer(
                "main streets", collection, width: 5.5, color: MapColor(red: 255, green: 240, blue: 196), casing: 7
            ) { mainStreets.contains($0) },
        ]
    }

    /// Returns the railway tracks above ground.
    public static func railways(_ collection: FeatureCollection) -> MapLayer {
        var style = StyleDeclaration()
        style.strokeColor = MapColor(red: 150, green: 146, blue: 142)
        style.strokeWidth = 0.8
        style.isFilled = false
        let tracks = collection.features.filter { feature in
            feature.properties["railway"]?.stringValue == "rail" && feature.isAboveGround
        }
        return MapLayer(name: "railways", source: FeatureSource(features: tracks, style: style))
    }

    private static func layer(
        _ name: String, _ collection: FeatureCollection, width: Double, color: MapColor, casing: Double? = nil,
        _ belongs: (String) -> Bool
    ) -> MapLayer {
        var style = StyleDeclaration()
        style.strokeColor = color
        style.strokeWidth = width
        style.isFilled = false
        style.casing = casing.map { .init(color: MapColor(red: 203, green: 196, blue: 186), width: $0) }
        let features = collection.features.filter { feature in
            belongs(feature.properties["highway"]?.stringValue ?? "") && feature.isAboveGround
        }
        return MapLayer(
            name: name, source: FeatureSource(features: features, style: style),
            attribution: collection.foreignMembers["attribution"]?.stringValue)
    }
}

extension Feature {
    /// Whether the feature is neither in a tunnel nor underground.
    fileprivate var isAboveGround: Bool {
        let tunnel = properties["tunnel"]?.stringValue ?? "no"
        let layer = properties["layer"]?.displayText.flatMap { Double($0) } ?? 0
        return tunnel == "no" && layer >= 0
    }
}
