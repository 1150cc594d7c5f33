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

extension Geometry {
    /// Whether it is a line or may contain some.
    fileprivate var mayHaveLines: Bool {
        switch kind {
        case .lineString, .multiLineString, .collection: true
        case .point, .multiPoint, .polygon, .multiPolygon: false
        }
    }
}

extension Scene.FeatureStep {
    /// The largest number of features in view whose lines labels of other layers avoid.
    private static let largestCount = 1000

    /// Whether labels of layers below keep clear of its lines: those of features or a route, as opposed to a base map.
    var keepsLinesClear: Bool {
        content.source.keepsLinesClear && content.source.tileZoom == nil && shown.count <= Self.largestCount
            && content.looks.traits.contains { $0.lineWidth > 0 }
            && shown.contains { content.source.features[Int($0.place)].geometry?.mayHaveLines ?? false }
    }

    /// Whether any of its styles has a mark or a label.
    var mayHaveSymbols: Bool {
        [content.looks.traits, content.looks.selectedTraits].contains { $0.contains { $0.hasLabel || $0.hasMarker } }
    }
}
