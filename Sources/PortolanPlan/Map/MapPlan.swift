public import PortolanRaster
public import PortolanWeb

/// What is needed for a view and what is painted of it: a plain value to compare, print and test, made without the network.
public struct MapPlan: Equatable, Sendable {
    /// The view.
    public let viewport: Viewport

    /// The colour under the bottommost layer.
    public let background: MapColor

    /// The layers that are drawn, bottom first.
    package internal(set) var layers: [PlannedLayer]

    /// What explains the layers beside the map, or `nil` when nothing does.
    public internal(set) var legend: Legend?

    /// What is not a single layer's to say: layers that the view misses, or that cannot be drawn for it.
    package private(set) var ownWarnings: [MapWarning]

    init(viewport: Viewport, background: MapColor, layers: [PlannedLayer], ownWarnings: [MapWarning]) {
        self.viewport = viewport
        self.background = background
        self.layers = layers
        self.ownWarnings = ownWarnings
    }

    /// What was left out of the plan or done otherwise, and why.
    public var warnings: [MapWarning] {
        let outside = Set(ownWarnings.lazy.filter { $0.code == .outsideView }.map(\.layer))
        // That nothing is drawn outside what a layer covers needs no second reason.
        return ownWarnings
            + layers.flatMap(\.plan.warnings).filter { $0.code != .blank || !outside.contains($0.layer) }
    }

    /// All that is needed, in drawing order, the images of the legend last; each identity once.
    public var resources: [Resource] { layers.flatMap(\.plan.resources) + legendResources }

    /// What is needed of one layer: of the layer itself, and the images in the legend that explain it.
    package func resources(of layer: PlannedLayer) -> [Resource] {
        layer.plan.resources + legendResources.filter { $0.id.layer == layer.name }
    }

    /// The images in the legend that services draw.
    package var legendResources: [Resource] {
        var seen: Set<Resource.ID> = []
        return (legend?.entries ?? []).compactMap { entry in
            guard let id = entry.imageID, let address = entry.imageURL, seen.insert(id).inserted else { return nil }
            return Resource(id: id, location: .url(address), name: "legend", rank: .infinity)
        }
    }

    /// Leaves out a layer that turned out not to be drawn.
    mutating func remove(_ place: Int, because warning: MapWarning) {
        layers.remove(at: place)
        ownWarnings.append(warning)
    }

    /// The attributions of the layers, bottom first, without those that another one holds already.
    public var attributions: [String] {
        var seen: Set<String> = []
        let distinct = layers.compactMap(\.layer.attribution).filter { !$0.isEmpty && seen.insert($0).inserted }
        return distinct.filter { text in !distinct.contains { $0 != text && $0.contains(text) } }
    }

    /// What is painted.
    public var scene: Scene {
        Scene(
            viewport: viewport, background: background,
            layers: layers.map { planned in
                Scene.Layer(
                    name: planned.name, opacity: planned.opacity,
                    transparentColor: planned.layer.transparentColor, group: planned.group,
                    nodes: planned.plan.nodes)
            }, legend: legend)
    }

    /// Whether something is drawn that needs no network.
    package var hasFeatures: Bool {
        layers.contains { planned in
            planned.plan.nodes.contains { node in
                node.featureSteps.contains { !$0.isEmpty } || node.pointSteps.contains { $0.count > 0 }
            }
        }
    }

    /// Whether a layer is to be asked again, now that this has arrived.
    package func isRevised(by arrivals: Arrivals) -> Bool { layers.contains { $0.plan.isRevised(by: arrivals) } }

    /// How large services were found to draw.
    package var foundTraits: ServiceTraits {
        layers.reduce(into: ServiceTraits()) { $0.merge($1.plan.foundTraits) }
    }
}

/// One layer of a ``MapPlan``.
package struct PlannedLayer: Equatable, Sendable {
    /// The layer.
    package let layer: MapLayer
    /// What it needs, and what is painted of it.
    package internal(set) var plan: LayerPlan

    init(_ layer: MapLayer, plan: LayerPlan) {
        self.layer = layer
        self.plan = plan
    }

    /// The name of the layer.
    package var name: String { layer.name }
    /// The kind of the layer: `wms`, `wmsc`, `wmts`, `tms`, `xyz`, `features` or one of a source's own.
    package var kind: String { layer.source.kind }
    /// The opacity, 0 to 1.
    package var opacity: Double { min(max(layer.opacity, 0), 1) }
    /// The group that it fades with, or `nil` for none.
    var group: Scene.Layer.Group? {
        layer.group.map { Scene.Layer.Group(name: $0.name, opacity: min(max($0.opacity, 0), 1)) }
    }
}
