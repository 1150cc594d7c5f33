import PortolanPlan
import PortolanRaster
import PortolanWeb

/// The place of the lines of a grid among the layers of a scene: above the highest areas and images, and below the lines
/// and symbols over these.
struct GridPlace {
    /// The index of the layer with the highest areas or images, or `nil` if no layer has any.
    private(set) var layer: Int?
    /// The number of nodes of that layer above these.
    private(set) var nodesAbove = 0
    /// Whether the node also has lines or marks, which belong above the grid.
    private(set) var isInside = false

    /// Finds the place in a scene.
    ///
    /// - Complexity: O(features of the layers above it).
    init(in scene: Scene, images: [NamedURL: PixelBuffer]) {
        for number in scene.layers.indices.reversed() where scene.layers[number].opacity > 0 {
            for (above, node) in scene.layers[number].nodes.reversed().enumerated() {
                guard let passes = Self.passes(of: node, in: scene.viewport, images), passes.contains(.areas) else {
                    continue
                }
                (layer, nodesAbove) = (number, above)
                // A layer that fades does so as a whole.
                isInside = passes.count > 1 && scene.layers[number].opacity >= 1
                return
            }
        }
    }

    /// The passes in which a node is painted; images count as areas.
    private static func passes(
        of node: Scene.Node, in viewport: Viewport, _ images: [NamedURL: PixelBuffer]
    ) -> Set<FeaturePainter.Pass>? {
        switch node {
        case .mosaic: return [.areas]
        case .points(let step):
            if case .heatmap = step.look { return [.areas] }
            return nil
        case .group(_, let nodes):
            return nodes.contains { passes(of: $0, in: viewport, images)?.contains(.areas) ?? false } ? [.areas] : nil
        case .features(let step):
            guard step.hasShapes, let shapes = FeatureShapes(step, in: viewport) else { return nil }
            let looks = PixelStyles(step, viewport: viewport, images: images), passes = shapes.passes(of: looks)
            // Outlines alone are lines.
            return looks.all.contains { $0.fill != nil } ? passes : passes.subtracting([.areas])
        }
    }
}
