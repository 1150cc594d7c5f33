package import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// Reads a heatmap layer at a zoom: the weight of points and the colours of density.
package struct HeatmapStyler {
    /// The property in which ``symbol`` finds the weight of a point.
    package static let weightProperty = "heatmap-weight"
    private static let rampStepCount = 256

    /// The appearance of density.
    package let symbol: HeatmapSymbol
    /// The opacity of the heatmap, 0 to 1.
    package let opacity: Double
    /// Whether weights depend on the zoom.
    package let dependsOnZoom: Bool
    private var values: StyleValues

    /// Reads a layer.
    ///
    /// Properties other than the weight that depend on features have their default.
    ///
    /// - Parameter join: the table with the state of features.
    package init(_ layer: StyleSheet.Layer, zoom: Double, globalState: Properties, join: FeatureJoin? = nil) {
        var values = StyleValues(layer, at: zoom, globalState, join)
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

    /// The first evaluation failure of each property.
    package var failures: [StyleSheet.Key: EvaluationError] { values.failures }

    /// Returns the points of a feature, or the vertices of its lines and areas, with their weight, or `nil` if the
    /// layer does not draw it.
    package mutating func weighed(_ feature: Feature) -> Feature? {
        guard let points = feature.geometry?.vertices else { return nil }
        values.set(feature)
        guard values.layer.matches(values.context) else { return nil }
        let weight = values.number(.heatmapWeight, in: 0...1e300)
        guard weight > 0 else { return nil }
        return Feature(geometry: points, properties: [Self.weightProperty: .number(weight)])
    }
}

extension Geometry {
    /// The points, or the vertices of lines and areas without repeated ring ends, or `nil` without coordinates.
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
