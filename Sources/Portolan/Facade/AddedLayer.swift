public import PortolanFeatures
public import PortolanPlan
public import PortolanWeb

/// The layer that was added to a map, with warnings and details.
///
/// ```swift
/// let added = try await map.addWMS("https://example.org/wms", layers: ["rivers"])
/// for warning in added.warnings { log(warning) }
/// try map.moveLayer(named: added.name, to: .bottom)
/// ```
public struct AddedLayer: Sendable {
    /// The names of the layers on the map, the lowest first; one, unless a specification creates several.
    public internal(set) var names: [String]
    /// Warnings about its service, its document, and content that a saved state omits.
    public internal(set) var warnings: [MapWarning]
    /// The area that the layer covers, or `nil` if its source does not state one.
    public internal(set) var bounds: LayerBounds?
    /// The features as read or created, or `nil` for a layer of images.
    public internal(set) var features: FeatureCollection?

    /// The title of a route if it differs from that of its features.
    package var title: String?

    init(names: [String], warnings: [MapWarning] = [], bounds: LayerBounds? = nil, features: FeatureCollection? = nil) {
        self.names = names
        self.warnings = warnings
        self.bounds = bounds
        self.features = features
    }

    /// The name of the layer on the map; of several layers that of the topmost.
    public var name: String { names.last ?? "" }

    /// Adds the result for a layer above this one.
    static func += (one: inout AddedLayer, other: AddedLayer) {
        one.names += other.names
        one.warnings += other.warnings
        one.bounds = one.names.count == other.names.count ? other.bounds : nil
        one.features = one.features ?? other.features
    }

    /// Returns a copy with the features of the layer.
    package func with(_ features: FeatureCollection) -> AddedLayer {
        var added = self
        added.features = features
        added.warnings += features.warnings
        if let box = features.boundingBox?.extent { added.bounds = LayerBounds(box, crs: features.effectiveCRS) }
        return added
    }

    /// Returns a copy with additional warnings.
    package func with(_ warnings: [MapWarning]) -> AddedLayer {
        var added = self
        added.warnings = warnings + added.warnings
        return added
    }
}
