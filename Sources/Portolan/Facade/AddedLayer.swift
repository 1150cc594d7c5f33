public import PortolanFeatures
public import PortolanPlan
public import PortolanWeb

/// The layer that a call has put on a map, and the facts that came with it.
///
/// ```swift
/// let added = try await map.addWMS("https://example.org/wms", layers: ["rivers"])
/// for warning in added.warnings { log(warning) }
/// try map.moveLayer(named: added.name, to: .bottom)
/// ```
public struct AddedLayer: Sendable {
    /// The names under which the map has it, the bottommost first; one, unless a specification makes several.
    public internal(set) var names: [String]
    /// Warnings about its service, its document, and what a saved state does not keep.
    public internal(set) var warnings: [MapWarning]
    /// The area that the layer covers, or `nil` if its source does not state one.
    public internal(set) var bounds: LayerBounds?
    /// The features as read or made, or `nil` of a layer of images.
    public internal(set) var features: FeatureCollection?

    /// The title of a route, where it is another than its features say.
    package var title: String?

    init(names: [String], warnings: [MapWarning] = [], bounds: LayerBounds? = nil, features: FeatureCollection? = nil) {
        self.names = names
        self.warnings = warnings
        self.bounds = bounds
        self.features = features
    }

    /// The name under which the map has it; of several layers that of the topmost.
    public var name: String { names.last ?? "" }

    /// Takes in a layer above it.
    static func += (one: inout AddedLayer, other: AddedLayer) {
        one.names += other.names
        one.warnings += other.warnings
        one.bounds = one.names.count == other.names.count ? other.bounds : nil
        one.features = one.features ?? other.features
    }

    /// The same with the features that the layer has.
    package func with(_ features: FeatureCollection) -> AddedLayer {
        var added = self
        added.features = features
        added.warnings += features.warnings
        if let box = features.boundingBox?.extent { added.bounds = LayerBounds(box, crs: features.effectiveCRS) }
        return added
    }

    /// The same with further warnings.
    package func with(_ warnings: [MapWarning]) -> AddedLayer {
        var added = self
        added.warnings = warnings + added.warnings
        return added
    }
}
