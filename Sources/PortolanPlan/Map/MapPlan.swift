public import PortolanRaster
public import PortolanWeb

/// The resources a view needs, and its drawing: a plain value to compare, print and test, created without network
/// access.
///
/// ```swift
/// let plan = MapPlanner(viewport: viewport).plan(layers)
/// for resource in plan.resources { print(resource.name, resource.location) }
/// ```
public struct MapPlan: Equatable, Sendable {
    /// The view.
    public let viewport: Viewport

    /// The colour under the bottommost layer.
    public let background: MapColor

    /// The colour of the earth's disc or sheet under the layers, or `nil`.
    package internal(set) var sphere: MapColor?

    /// The layers that are drawn, bottom first.
    package internal(set) var layers: [PlannedLayer]

    /// The legend beside the map, or `nil`.
    public internal(set) var legend: Legend?

    /// Warnings that concern no single drawn layer, such as layers outside the view.
    package private(set) var ownWarnings: [MapWarning]

    init(viewport: Viewport, background: MapColor, layers: [PlannedLayer], ownWarnings: [MapWarning]) {
        self.viewport = viewport
        self.background = background
        self.layers = layers
        self.ownWarnings = ownWarnings
    }

    /// Omissions and changes in the plan, and their reasons.
    public var warnings: [MapWarning] {
        let outside = Set(ownWarnings.lazy.filter { $0.code == .outsideView }.map(\.layer))
        // A layer outside its stated bounds needs no second warning.
        return ownWarnings
            + layers.flatMap(\.plan.warnings).filter { $0.code != .blank || !outside.contains($0.layer) }
    }

    /// All needed resources in drawing order, with the legend images last; each identity once.
    public var resources: [Resource] { layers.flatMap(\.plan.resources) + legendResources }

    /// Returns the resources of one layer, including the images of its legend.
    package func resources(of layer: PlannedLayer) -> [Resource] {
        layer.plan.resources + legendResources.filter { $0.id.layer == layer.name }
    }

    /// The legend images that services draw.
    package var legendResources: [Resource] {
        var seen: Set<Resource.ID> = []
        return (legend?.entries ?? []).compactMap { entry in
            guard let id = entry.imageID, let address = entry.imageURL, seen.insert(id).inserted else { return nil }
            return Resource(id: id, location: .url(address), name: "legend", rank: .infinity)
        }
    }

    /// Removes a layer that turned out not to be drawn.
    mutating func remove(_ place: Int, because warning: MapWarning) {
        layers.remove(at: place)
        ownWarnings.append(warning)
    }

    /// The attributions of the layers, bottom first, without those that another one contains.
    public var attributions: [String] {
        var seen: Set<String> = []
        let distinct = layers.compactMap(\.layer.attribution).filter { !$0.isEmpty && seen.insert($0).inserted }
        return distinct.filter { text in !distinct.contains { $0 != text && $0.contains(text) } }
    }

    /// The parts of the attributions that lead to pages, besides addresses that are written in them.
    package var attributionLinks: [AttributionLink] { layers.flatMap(\.layer.attributionLinks) }

    /// The drawing.
    public var scene: Scene {
        Scene(
            viewport: viewport, background: background,
            layers: layers.map { planned in
                Scene.Layer(
                    name: planned.name, opacity: planned.opacity,
                    transparentColor: planned.layer.transparentColor, group: planned.group,
                    nodes: planned.plan.nodes)
            }, legend: legend, sphere: sphere)
    }

    /// Whether anything is drawn that needs no network.
    package var hasFeatures: Bool {
        layers.contains { planned in
            planned.plan.nodes.contains { node in
                node.featureSteps.contains { !$0.isEmpty } || node.pointSteps.contains { $0.count > 0 }
            }
        }
    }

    /// Whether a layer must be planned again with these arrivals.
    package func isRevised(by arrivals: Arrivals) -> Bool { layers.contains { $0.plan.isRevised(by: arrivals) } }

    /// The image sizes that services were found to draw.
    package var foundTraits: ServiceTraits {
        layers.reduce(into: ServiceTraits()) { $0.merge($1.plan.foundTraits) }
    }
}

/// A layer of a ``MapPlan``.
package struct PlannedLayer: Equatable, Sendable {
    /// The layer.
    package let layer: MapLayer
    /// The resources it needs, and its drawing.
    package internal(set) var plan: LayerPlan

    init(_ layer: MapLayer, plan: LayerPlan) {
        self.layer = layer
        self.plan = plan
    }

    /// The name of the layer.
    package var name: String { layer.name }
    /// The kind of the layer: `wms`, `wmsc`, `wmts`, `tms`, `xyz`, `features` or that of a custom source.
    package var kind: String { layer.source.kind }
    /// The opacity, 0 to 1.
    package var opacity: Double { min(max(layer.opacity, 0), 1) }
    /// The group with which it fades, or `nil`.
    var group: Scene.Layer.Group? {
        layer.group.map { Scene.Layer.Group(name: $0.name, opacity: min(max($0.opacity, 0), 1)) }
    }
}
