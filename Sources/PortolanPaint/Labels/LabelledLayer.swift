import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanWeb

/// A layer whose labels are collected.
struct LabelledLayer {
    let step: Scene.FeatureStep
    let looks: PixelStyles
    /// The shapes, or `nil` if no transformation to the map's CRS is available.
    let shapes: FeatureShapes?

    init(_ step: Scene.FeatureStep, viewport: Viewport, images: [NamedURL: PixelBuffer]) {
        self.step = step
        looks = PixelStyles(step, viewport: viewport, images: images)
        shapes = FeatureShapes(step, in: viewport)
    }
}

extension Scene.FeatureStep {
    /// Whether any of its styles has a mark or a label.
    var mayHaveSymbols: Bool {
        [looks.traits, looks.selectedTraits].contains { $0.contains { $0.hasLabel || $0.hasMarker } }
    }
}
