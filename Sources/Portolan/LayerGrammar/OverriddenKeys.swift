import PortolanFeatures
import PortolanRaster
import PortolanWeb

/// The keys of a layer without effect, since every feature states what they say in its own style.
enum OverriddenKeys {
    /// The key that makes the layer's keys override the styles of its features.
    static let key = "feature-styles"

    /// Returns a warning for each key that no feature takes.
    ///
    /// - Parameter style: the style that the keys describe.
    /// - Complexity: O(features) if features state their own styles.
    static func notes(
        on features: [Feature], style: StyleDeclaration, _ specification: LayerSpecification
    ) -> [MapWarning] {
        let stated = (LayerKind.styleKeys + LayerKind.lineKeys.map(\.0)).filter { specification[$0] != nil }
        return stated.filter { key in
            var ignored: [MapWarning] = []
            guard let others = try? specification.with(key, nil),
                let without = try? LayerKind.style(others, color: style.layerColor ?? .black, &ignored)
            else { return false }
            let (one, other) = (StyleResolver(defaults: style), StyleResolver(defaults: without))
            var isForAny = false
            let isTaken = features.contains { feature in
                guard let geometry = feature.geometry?.kind, Self.isDrawn(key, on: geometry) else { return false }
                isForAny = true
                if feature.properties["style"] == nil, feature.properties[key] != nil { return false }
                return feature.looksAsItsLayer
                    || one.styles(for: feature, warnings: &ignored) != other.styles(for: feature, warnings: &ignored)
            }
            return isForAny && !isTaken
        }
        .map { .withoutEffect($0, "every feature has its own; add \(Self.key)=false to use the key") }
    }

    /// Whether a key changes the drawing of a geometry.
    private static func isDrawn(_ key: String, on geometry: Geometry.Kind) -> Bool {
        switch geometry {
        case .point, .multiPoint: key.hasPrefix("marker-") || key == "outline"
        case .lineString, .multiLineString: !key.hasPrefix("marker-") && !key.hasPrefix("fill") && key != "outline"
        case .polygon, .multiPolygon: !key.hasPrefix("marker-") && key != "outline"
        case .collection: true
        }
    }
}
