import PortolanFeatures
import PortolanRaster
import PortolanWeb

extension TerrainLook {
    /// The approximate number of ticks.
    private static let tickCount = 4.0

    /// The heading of the layer in a legend, or `nil` if it has no legend.
    package var legendTitle: String? {
        switch self {
        case .hillshade, .styleShade: nil
        case .colorRelief: "Elevation"
        case .slope: "Slope"
        case .aspect: "Aspect"
        case .contours: "Contour interval"
        }
    }

    /// Returns the sample of the colours, or `nil` if there are none.
    ///
    /// - Parameter elevations: the elevations in view, to which the colours of elevations are limited, or `nil` if they are
    ///   unknown.
    func legendSymbol(over elevations: ClosedRange<Double>?) -> Legend.Symbol? {
        let ramp: ElevationRamp, unit: String
        var range: ClosedRange<Double>?
        switch self {
        case .hillshade, .styleShade, .contours: return nil
        case .colorRelief(let own): (ramp, unit, range) = (own, " m", elevations)
        case .slope(let own, _, _, let isPercent): (ramp, unit) = (own, isPercent ? " %" : "°")
        case .aspect(let own, _): (ramp, unit) = (own, "°")
        }
        guard let first = ramp.stops.first?.value, let last = ramp.stops.last?.value, first < last else { return nil }
        let shown = range ?? first...last, low = shown.lowerBound, span = shown.upperBound - low
        guard span > 0, span.isFinite else { return nil }
        var texts: [Double: String] = [:]
        if case .aspect = self {
            for (degrees, name) in [(0.0, "N"), (90, "E"), (180, "S"), (270, "W"), (360, "N")] { texts[degrees] = name }
        } else {
            let step = ContourLook.rounded(span / Self.tickCount)
            for value in stride(from: (low / step).rounded(.up) * step, through: shown.upperBound, by: step) {
                texts[value] = NumberText.decimal(value) + unit
            }
        }
        let values = Set(ramp.stops.map(\.value) + [low, shown.upperBound] + texts.keys).filter(shown.contains).sorted()
        let steps = values.map { value in
            Legend.Scale.Step(
                value: (value - low) / span, color: ramp.color(of: value).straight, text: texts[value] ?? "")
        }
        return Legend.Symbol(kind: .ramp, style: Style(), scale: Legend.Scale(steps: steps))
    }
}

extension SIMD4<Double> {
    /// A premultiplied colour without premultiplication.
    fileprivate var straight: MapColor {
        func channel(_ part: Double) -> UInt8 { UInt8((Swift.min(Swift.max(part, 0), 1) * 255).rounded()) }
        guard w > 0 else { return .clear }
        return MapColor(red: channel(x / w), green: channel(y / w), blue: channel(z / w), alpha: channel(w))
    }
}
