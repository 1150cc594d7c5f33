package import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// What a layer of a style that draws the density of points says at a zoom: how dense each makes it, and what colour that has.
package struct HeatmapStyler {
    /// The name under which ``symbol`` finds the weight of a point.
    package static let weightProperty = "heatmap-weight"
    private static let rampStepCount = 256

    /// How density is drawn.
    package let symbol: HeatmapSymbol
    /// How opaque the whole is, 0 to 1.
    package let opacity: Double
    /// Whether points may weigh otherwise at another zoom.
    package let dependsOnZoom: Bool
    private var values: StyleValues

    /// Reads a layer; what depends on features besides the weight has its default.
    package init(_ layer: StyleSheet.Layer, zoom: Double, globalState: Properties) {
        var values = StyleValues(layer, at: zoom, globalState)
        let radius = values.number(.heatmapRadius, in: 1...500)
        let intensity = values.number(.heatmapIntensity, in: 0...1e6)
        opacity = values.number(.heatmapOpacity, in: 0...1)
        var ramp = HeatmapSymbol.standardRamp
        if layer.states(.heatmapColor) {
            ramp = (0..<Self.rampStepCount).map { step in
                let density = Double(step) / Double(Self.rampStepCount - 1)
                values.context.heatmapDensity = density
                return HeatmapSymbol.Stop(
                    density: density, color: values.value(.heatmapColor)?.colorValue?.color ?? .clear)
            }
        }
        symbol = HeatmapSymbol(
            radius: radius, intensity: intensity, weightProperty: Self.weightProperty, ramp: ramp)
        dependsOnZoom = !layer.isZoomConstant
        self.values = values
    }

    /// What could not be computed for some feature, by the property.
    package var failures: [StyleSheet.Key: EvaluationError] { values.failures }

    /// The points of a feature, or the vertices of its lines and areas, with their weight, or `nil` where the layer does not draw it.
    package mutating func weighed(_ feature: Feature) -> Feature? {
        guard let points = feature.geometry?.vertices else { return nil }
        values.context.set(feature)
        guard values.layer.matches(values.context) else { return nil }
        let weight = values.number(.heatmapWeight, in: 0...1e300)
        guard weight > 0 else { return nil }
        return Feature(geometry: points, properties: [Self.weightProperty: .number(weight)])
    }
}

extension Geometry {
    /// The points, or the vertices of lines and areas, each ring's first once; `nil` where there are none.
    fileprivate var vertices: Geometry? {
        if kind == .point || kind == .multiPoint { return self }
        var places: [Coordinate] = [], rest = [self]
        while let geometry = rest.popLast() {
            rest += geometry.children
            let isArea = geometry.kind == .polygon || geometry.kind == .multiPolygon
            for part in geometry.parts { places += isArea ? part.dropLast() : part[...] }
        }
        return places.isEmpty ? nil : .multiPoint(places)
    }
}
