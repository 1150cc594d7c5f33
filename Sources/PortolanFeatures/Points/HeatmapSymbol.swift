import PortolanGeo
public import PortolanRaster

/// The style of a heatmap: the density of points around a position, coloured by a ramp.
///
/// A point contributes `0.4 · weight · intensity` at its position, and less around it, by a normal distribution whose
/// standard deviation is a third of the radius. The contribution ends where it is invisible, which is farther away for
/// heavy points. The heatmap layers of MapLibre work in the same way.
public struct HeatmapSymbol: Hashable, Sendable {
    /// A colour stop of the ramp.
    public struct Stop: Hashable, Sendable {
        /// The density, 0 to 1.
        ///
        /// Higher densities have the colour of 1.
        public var density: Double
        /// The colour.
        public var color: MapColor

        /// Creates a colour stop.
        public init(density: Double, color: MapColor) {
            self.density = density
            self.color = color
        }
    }

    /// The approximate reach of a point of weight 1, in view pixels, 1 to 500.
    public var radius: Double
    /// The factor for the weight of each point.
    public var intensity: Double
    /// The name of the property with the weight of a point, or `nil` for weight 1.
    public var weightProperty: String?
    /// The weight that is scaled to 1 and limits heavier ones, or `nil` to use weights unchanged.
    public var fullWeight: Double?
    /// The colour stops, in ascending density.
    ///
    /// Colours between them are interpolated.
    public var ramp: [Stop]
    /// Whether the intensity is reduced where most crowded points would have the highest colour.
    package var fitsCrowds = false

    /// Creates a heatmap symbol.
    public init(
        radius: Double = 30, intensity: Double = 1, weightProperty: String? = nil,
        fullWeight: Double? = nil, ramp: [Stop] = HeatmapSymbol.standardRamp
    ) {
        self.radius = radius.isFinite ? min(max(radius, 1), 500) : 30
        self.intensity = intensity.isFinite ? max(intensity, 0) : 1
        self.weightProperty = weightProperty
        self.fullWeight = fullWeight.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        self.ramp = ramp.filter { $0.density.isFinite }.sorted { $0.density < $1.density }
    }

    /// Transparent, blue, cyan, green, yellow, red: the ramp of the MapLibre Style Specification.
    public static let standardRamp = [
        Stop(density: 0, color: MapColor(red: 0, green: 0, blue: 255, alpha: 0)),
        Stop(density: 0.1, color: MapColor(red: 65, green: 105, blue: 225)),
        Stop(density: 0.3, color: MapColor(red: 0, green: 255, blue: 255)),
        Stop(density: 0.5, color: MapColor(red: 0, green: 255, blue: 0)),
        Stop(density: 0.7, color: MapColor(red: 255, green: 255, blue: 0)),
        Stop(density: 1, color: MapColor(red: 255, green: 0, blue: 0)),
    ]

    /// The contribution of a point of weight 1 at its own position: the height of the normal distribution.
    package static let height = 0.3989422804014327
    /// The density below which nothing is visible: a sixteenth of a step of an 8-bit value.
    private static let least = 1.0 / 255 / 16

    /// Returns the distance in view pixels at which a contribution of the given height is still visible.
    package func reach(ofDensity density: Double) -> Double {
        guard density > Self.least else { return 0 }
        return radius / 3 * (-2 * Libm.logarithm(Self.least / min(density, 1e12))).squareRoot()
    }

    /// The maximum distance at which a point may be visible, in view pixels.
    package var largestReach: Double {
        let weight = weightProperty == nil || fullWeight != nil ? 1 : 1e6
        return reach(ofDensity: weight * intensity * Self.height)
    }

    /// The density amid evenly spread points, one in each square with the radius as its side: the integral of the
    /// normal distribution.
    private static let evenDensity = height * 2 * .pi / 9

    /// Returns the symbol with an intensity at which crowded points just have the highest colour.
    ///
    /// - Parameter count: the number of points in a crowded square with the radius as its side.
    package func fitting(crowdOf count: Double) -> HeatmapSymbol {
        var symbol = self
        if count * Self.evenDensity > 1 { symbol.intensity /= count * Self.evenDensity }
        return symbol
    }

    /// Returns the weight of a point for its property value.
    package func weight(of number: Double?) -> Double {
        guard let number, number > 0 else { return 0 }
        return fullWeight.map { min(number / $0, 1) } ?? number
    }

    /// Returns the premultiplied red, green, blue and alpha of a density, 0 to 1.
    package func components(at density: Double) -> SIMD4<Double> {
        guard let first = ramp.first, let last = ramp.last else { return .zero }
        if density <= first.density { return first.color.premultiplied }
        if density >= last.density { return last.color.premultiplied }
        let upper = ramp.firstIndex { $0.density > density } ?? ramp.count - 1
        let low = ramp[upper - 1], high = ramp[upper]
        let part = (density - low.density) / (high.density - low.density)
        return low.color.premultiplied * (1 - part) + high.color.premultiplied * part
    }
}

extension MapColor {
    fileprivate var premultiplied: SIMD4<Double> {
        let alpha = Double(alpha) / 255
        return SIMD4(Double(red) / 255 * alpha, Double(green) / 255 * alpha, Double(blue) / 255 * alpha, alpha)
    }
}
