import PortolanFeatures
import PortolanGeo
public import PortolanRaster

/// Turns a view and layers into a ``DrawPlan``, without the network and without pixels.
public struct MapPlanner: Sendable {
    private let viewport: Viewport
    private let margin: Int
    private let background: Color
    private let showsLegend: Bool
    private var sizes = LearntSizes()

    /// Makes a planner.
    ///
    /// - Parameters:
    ///   - margin: view pixels around the view that are fetched but not shown; clamped to 0 through 4096.
    ///   - background: the colour under the bottommost layer.
    ///   - showsLegend: whether a legend explains the layers.
    public init(viewport: Viewport, margin: Int = 0, background: Color = .white, showsLegend: Bool = false) {
        self.viewport = viewport
        self.margin = min(max(margin, 0), 4096)
        self.background = background
        self.showsLegend = showsLegend
    }

    /// The planner for services of which something was learnt.
    package func knowing(_ sizes: LearntSizes) -> MapPlanner {
        var planner = self
        planner.sizes = sizes
        return planner
    }

    /// The plan of `layers`, bottom first.
    ///
    /// A layer that cannot be planned becomes a warning.
    ///
    /// - Complexity: O(tiles + features of the view).
    public func plan(_ layers: [MapLayer]) -> DrawPlan {
        var steps: [DrawStep] = []
        var warnings: [PlanWarning] = []
        for layer in layers where layer.isDrawn(at: viewport.resolution) {
            if let bounds = bounds(of: layer), !bounds.meets(viewport) {
                warnings.append(
                    PlanWarning(
                        layer: layer.name,
                        detail: "the view lies wholly outside what the layer covers, which is \(bounds)",
                        losesLayer: false, isOutsideView: true))
            }
            do throws(PlanProblem) {
                steps.append(
                    DrawStep(
                        layer: layer.name, kind: layer.content.kind, opacity: min(layer.opacity, 1),
                        attribution: layer.attribution, content: try content(of: layer, &warnings),
                        transparentColor: layer.transparentColor))
            } catch {
                warnings.append(PlanWarning(layer: layer.name, detail: error.description, losesLayer: true))
            }
        }
        return DrawPlan(
            viewport: viewport, background: background, steps: steps, warnings: warnings,
            legend: showsLegend ? LegendPlanner.legend(of: steps, layers: layers) : nil)
    }

    private func bounds(of layer: MapLayer) -> LayerBounds? {
        guard case .features(let source) = layer.content else { return layer.bounds }
        guard let box = source.boundingBox else { return nil }
        if source.crs.isGeographic { return LayerBounds(geographic: box) }
        return box.extent.map { LayerBounds($0, crs: source.crs) }
    }

    private func content(
        of layer: MapLayer, _ warnings: inout [PlanWarning]
    ) throws(PlanProblem) -> DrawStep.Content {
        switch layer.content {
        case .wms(let source):
            let source = source.limited(to: sizes)
            let planned = try WMSPlanner(source: source, viewport: viewport, margin: margin).planned()
            warnings += planned.warnings.map { PlanWarning(layer: layer.name, detail: $0, losesLayer: false) }
            return .mosaics(planned.mosaics)
        case .tiles(let source):
            let planner = TilePlanner(
                source: source.fitted(toPixelRatio: viewport.pixelRatio), viewport: viewport, margin: Double(margin))
            let mosaics = try planner.mosaics()
            warnings += planner.scaleWarnings(of: mosaics).map {
                PlanWarning(layer: layer.name, detail: $0, losesLayer: false)
            }
            return .mosaics(mosaics)
        case .features(let source):
            var planner = FeaturePlanner(source: source, viewport: viewport)
            let step = try planner.step()
            warnings += planner.warnings.map {
                PlanWarning(layer: layer.name, detail: $0.description, losesLayer: false)
            }
            return .features(step)
        }
    }
}
