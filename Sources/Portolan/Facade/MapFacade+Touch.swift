import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

extension MapFacade {
    /// The topmost feature within `tolerance` view pixels of a place: marks before lines, lines before areas.
    ///
    /// What is looked at is what a picture of the view would show: nothing hidden, each copy of the world, marks as large
    /// as they are drawn.
    func feature(at pixel: Point, tolerance: Double) -> (layer: String, feature: Feature)? {
        let finder = FeatureFinder(viewport: viewport, pixel: pixel, tolerance: tolerance)
        var best: (layer: String, hit: FeatureFinder.Hit)?
        for layer in layers.reversed() where layer.isDrawn(at: viewport.resolution) {
            if let hit = finder.hits(in: layer, limit: 1, below: best?.hit.rank ?? Int.max)?.first {
                best = (layer.name, hit)
            }
        }
        return best.map { ($0.layer, $0.hit.feature) }
    }
}
