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
    /// - Complexity: O(features) if features state their own styles; O(1) if the first one does not.
    static func notes(
        on features: [Feature], style: StyleDeclaration, _ specification: LayerSpecification
    ) -> [MapWarning] {
        guard let first = features.first, !first.looksAsItsLayer else { return [] }
        let stated = (LayerKind.styleKeys + LayerKind.lineKeys.map(\.0)).filter { specification[$0] != nil }
        return stated.filter { key in
            var ignored: [MapWarning] = []
            guard let others = try? specification.with(key, nil),
                let without = try? LayerKind.style(others, color: style.layerColor ?? .black, &ignored)
            else { return false }
            let (one, other) = (StyleResolver(defaults: style), StyleResolver(defaults: without))
            return !features.contains { feature in
                if feature.properties["style"] == nil, feature.properties[key] != nil { return false }
                return one.styles(for: feature, warnings: &ignored) != other.styles(for: feature, warnings: &ignored)
            }
        }
        .map { .withoutEffect($0, "every feature has its own; add \(Self.key)=false to use the key") }
    }
}
