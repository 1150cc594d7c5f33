import PortolanGeo
public import PortolanRaster

/// How many points are drawn as heat: the density of what lies around a place, coloured by a ramp.
///
/// A point gives `0.4 · weight · intensity` at its place, and less around it, along a normal distribution of a third of the radius,
/// which ends where nothing is seen of it: the farther off, the heavier the point. So do the heatmap layers of MapLibre.
public struct HeatmapSymbol: Hashable, Sendable {
    /// A colour of the ramp.
    public struct Stop: Hashable, Sendable {
        /// The density, 0 to 1; what is denser looks as 1 does.
        public var density: Double
        /// The colour.
        public var color: Color

        /// Makes a stop.
        public init(density: Double, color: Color) {
            self.density = density
            self.color = color
        }
    }

    /// How far a point of weight 1 reaches, about, in view pixels, 1 to 500.
    public var radius: Double
    /// What the weight of each point is multiplied by.
    public var intensity: Double
    /// The name of the property that holds the weight of a point, or `nil` where each counts as 1.
    public var weightProperty: String?
    /// The weight that counts as 1, as does what is heavier; `nil` where weights count as they are.
    public var fullWeight: Double?
    /// The colours, in ascending density; between them they are mixed.
    public var ramp: [Stop]

    /// Makes a symbol.
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

    /// Nothing, blue, cyan, green, yellow, red: the ramp of the MapLibre Style Specification.
    public static let standardRamp = [
        Stop(density: 0, color: Color(red: 0, green: 0, blue: 255, alpha: 0)),
        Stop(density: 0.1, color: Color(red: 65, green: 105, blue: 225)),
        Stop(density: 0.3, color: Color(red: 0, green: 255, blue: 255)),
        Stop(density: 0.5, color: Color(red: 0, green: 255, blue: 0)),
        Stop(density: 0.7, color: Color(red: 255, green: 255, blue: 0)),
        Stop(density: 1, color: Color(red: 255, green: 0, blue: 0)),
    ]

    /// What a point of weight 1 gives at its own place: the height of the normal distribution.
    package static let height = 0.3989422804014327
    /// The density of which nothing is seen: a sixteenth of what a byte tells apart.
    private static let least = 1.0 / 255 / 16

    /// How far what gives a density at its place can be seen, in view pixels.
    package func reach(ofDensity density: Double) -> Double {
        guard density > Self.least else { return 0 }
        return radius / 3 * (-2 * Libm.logarithm(Self.least / min(density, 1e12))).squareRoot()
    }

    /// How far a point may be seen, in view pixels.
    package var largestReach: Double {
        let weight = weightProperty == nil || fullWeight != nil ? 1 : 1e6
        return reach(ofDensity: weight * intensity * Self.height)
    }

    /// How much a point counts by the number that it has.
    package func weight(of number: Double?) -> Double {
        guard let number, number > 0 else { return 0 }
        return fullWeight.map { min(number / $0, 1) } ?? number
    }

    /// The premultiplied red, green, blue and alpha of a density, 0 to 1.
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

extension Color {
    fileprivate var premultiplied: SIMD4<Double> {
        let alpha = Double(alpha) / 255
        return SIMD4(Double(red) / 255 * alpha, Double(green) / 255 * alpha, Double(blue) / 255 * alpha, alpha)
    }
}
