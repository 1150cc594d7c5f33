import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

extension MapFacade {
    /// The topmost feature within `tolerance` view pixels of a place: marks before lines, lines before areas.
    func feature(at pixel: Point, tolerance: Double) -> (layer: String, feature: Feature)? {
        var best: (layer: String, feature: Feature, rank: Int)?
        for layer in layers.reversed() where layer.isDrawn(at: viewport.resolution) {
            guard case .features(let source) = layer.content,
                let transform = try? CoordinateTransform(from: source.crs, to: viewport.crs)
            else { continue }
            for feature in source.features.reversed() {
                guard let geometry = feature.geometry else { continue }
                let rank = Self.rank(of: geometry)
                if let best, best.rank <= rank { continue }
                let isTouched = HitTest.touches(pixel, geometry, tolerance: tolerance) { coordinate in
                    transform(coordinate).map(viewport.pixel(of:))
                }
                if isTouched { best = (layer.name, feature, rank) }
            }
        }
        return best.map { ($0.layer, $0.feature) }
    }

    /// How hard a geometry is to hit: what is smaller is looked for first.
    private static func rank(of geometry: Geometry) -> Int {
        switch geometry.kind {
        case .point, .multiPoint: 0
        case .lineString, .multiLineString: 1
        case .polygon, .multiPolygon: 2
        case .collection: geometry.children.map(rank(of:)).min() ?? 3
        }
    }
}
