import PortolanPlan
import PortolanRaster

extension MapPainter {
    /// The boxes of the symbols of features, and those along the lines of routes, in picture pixels.
    ///
    /// - Complexity: O(features in view).
    func markedBoxes() -> (symbols: [Rectangle], routes: [Rectangle]) {
        var symbols = MarkCollector(keepsBoxes: false), routes = MarkCollector(keepsBoxes: false)
        for layer in scene.layers where layer.opacity > 0 {
            for step in layer.nodes.flatMap(\.featureSteps) {
                let hasLines = step.keepsLinesClear
                guard hasLines || step.content.source.keepsLinesClear && step.mayHaveSymbols else { continue }
                let labelled = LabelledLayer(step, viewport: scene.viewport, images: self.symbols)
                symbols.collect(labelled, viewport: scene.viewport, includesCircles: true)
                if hasLines { routes.collectLines(labelled, 0, viewport: scene.viewport) }
            }
        }
        return (symbols.obstacles.map(\.box), routes.obstacles.map(\.box))
    }
}
