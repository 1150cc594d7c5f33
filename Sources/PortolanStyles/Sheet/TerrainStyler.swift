package import PortolanFeatures
import PortolanGeo

/// Reads a layer of shaded relief or colour relief at a zoom.
package struct TerrainStyler {
    /// The distance between the elevations for which an expression is evaluated, in metres.
    ///
    /// It is doubled until there are few enough; colours between them are interpolated.
    private static let leastStep = 0.5
    private static let largestStepCount = 4_096

    private var values: StyleValues

    package init(_ layer: StyleSheet.Layer, zoom: Double, globalState: Properties) {
        values = StyleValues(layer, at: zoom, globalState)
    }

    /// The first evaluation failure of each property.
    package var failures: [StyleSheet.Key: EvaluationError] { values.failures }

    /// Returns the light of a layer of shaded relief.
    ///
    /// - Parameter rotation: the rotation of the view in degrees clockwise, to which light may be anchored.
    package mutating func light(rotation: Double) -> ReliefLight {
        let turn = values.word(.hillshadeIlluminationAnchor) == "map" ? 0 : rotation
        let directions = values.numbers(.hillshadeIlluminationDirection)
        let altitudes = values.numbers(.hillshadeIlluminationAltitude)
        let shadows = colors(.hillshadeShadowColor), highlights = colors(.hillshadeHighlightColor)
        let count = max(directions.count, altitudes.count, shadows.count, highlights.count)
        // A short list ends with its last value.
        func value<Value>(_ list: [Value], _ index: Int, _ otherwise: Value) -> Value {
            list.isEmpty ? otherwise : list[min(index, list.count - 1)]
        }
        let sources = (0..<count).map { index in
            ReliefLight.Source(
                azimuth: (value(directions, index, 335) + turn) * .pi / 180,
                altitude: min(max(value(altitudes, index, 45), 0), 90) * .pi / 180,
                shadow: value(shadows, index, .zero), highlight: value(highlights, index, .zero))
        }
        return ReliefLight(
            method: ReliefLight.Method(rawValue: values.word(.hillshadeMethod)) ?? .standard, sources: sources,
            accent: values.value(.hillshadeAccentColor)?.colorValue?.premultiplied ?? .zero,
            exaggeration: values.number(.hillshadeExaggeration, in: 0...1))
    }

    private mutating func colors(_ key: StyleSheet.Key) -> [SIMD4<Double>] {
        switch values.value(key) {
        case .colorArray(let colors)?: colors.map(\.premultiplied)
        case .color(let color)?: [color.premultiplied]
        default: []
        }
    }

    /// Returns the colours of a layer of colour relief for a range of elevations.
    package mutating func ramp(over range: ClosedRange<Double>) -> ElevationRamp {
        guard values.layer.states(.colorReliefColor) else { return ElevationRamp([]) }
        var step = Self.leastStep
        while (range.upperBound - range.lowerBound) / step > Double(Self.largestStepCount) { step *= 2 }
        // At multiples of the step, so that neighbouring pictures agree.
        let first = (range.lowerBound / step).rounded(.down), last = (range.upperBound / step).rounded(.up)
        guard abs(first) < 1e9, abs(last) < 1e9 else { return ElevationRamp([]) }
        return ElevationRamp(
            (Int(first)...Int(last)).map { number in
                values.context.elevation = Double(number) * step
                return ElevationRamp.Stop(
                    Double(number) * step, values.value(.colorReliefColor)?.colorValue?.premultiplied ?? .zero)
            })
    }
}

extension StyleColor {
    /// The colour with red, green and blue multiplied by the opacity.
    fileprivate var premultiplied: SIMD4<Double> { SIMD4(red * alpha, green * alpha, blue * alpha, alpha) }
}
