import PortolanGeo
package import PortolanRaster

/// Shaded relief as MapLibre draws it (MapLibre Style Specification, Layers, `hillshade`).
///
/// The formulas are those of MapLibre GL JS and MapLibre Native; colours are premultiplied.
package struct ReliefLight: Hashable, Sendable {
    /// The methods of the property `hillshade-method`.
    package enum Method: String, Hashable, Sendable, CaseIterable {
        case standard, basic, combined, igor, multidirectional
    }

    /// A source of light.
    package struct Source: Hashable, Sendable {
        /// The direction of the light in radians, clockwise from the north of the grid.
        package var azimuth: Double
        /// The height above the horizon in radians.
        package var altitude: Double
        /// The premultiplied colours of slopes that face away from the light and towards it.
        package var shadow, highlight: SIMD4<Double>

        package init(azimuth: Double, altitude: Double, shadow: SIMD4<Double>, highlight: SIMD4<Double>) {
            self.azimuth = azimuth
            self.altitude = altitude
            self.shadow = shadow
            self.highlight = highlight
        }
    }

    /// The method.
    package var method: Method
    /// The sources of light; only ``Method/multidirectional`` uses more than the first.
    package var sources: [Source]
    /// The premultiplied colour of steep ground, for ``Method/standard``.
    package var accent: SIMD4<Double>
    /// The intensity, 0 to 1.
    package var exaggeration: Double

    package init(method: Method, sources: [Source], accent: SIMD4<Double>, exaggeration: Double) {
        self.method = method
        self.sources = sources
        self.accent = accent
        self.exaggeration = exaggeration
    }

    /// The largest gradient, before it is corrected for the latitude.
    private static let steepest = 4.0

    /// Returns the factor of gradients in tiles of a zoom level: more than 1 below level 15.
    package static func factor(atZoom zoom: Double) -> Double {
        guard zoom < 15 else { return 1 }
        return Libm.power2((15 - zoom) * (zoom < 2 ? 0.4 : zoom < 4.5 ? 0.35 : 0.3))
    }

    /// Returns the premultiplied colour of a gradient, 0 to 1 in each channel.
    ///
    /// - Parameters:
    ///   - east: the rise to the east per metre of the projected grid, times ``factor(atZoom:)``.
    ///   - north: the same to the north.
    ///   - scale: the metres on the ground per metre of the projected grid: the cosine of the latitude for Web Mercator.
    package func color(east: Double, north: Double, scale: Double) -> SIMD4<Double> {
        // The rise to the east and to the south.
        var x = min(max(east, -Self.steepest), Self.steepest) / scale
        var y = min(max(-north, -Self.steepest), Self.steepest) / scale
        guard let light = sources.first else { return .zero }
        if method == .standard { return standard(x, y, light) }
        x *= exaggeration * 2
        y *= exaggeration * 2
        switch method {
        case .standard: return .zero
        case .basic: return Self.basic(x, y, light)
        case .combined:
            let angle = Libm.arcCosine(min(max(Self.cosine(x, y, light), 0), 1))
            let slope = Libm.arcTangent(Libm.hypotenuse(x, y)) * 4 / (.pi * .pi)
            return light.shadow * (angle * slope) + light.highlight * ((.pi / 2 - angle) * slope)
        case .igor:
            let slope = Libm.arcTangent(Libm.hypotenuse(x, y)) * 2 / .pi, turn = 1 - Self.turn(x, y, light)
            return light.shadow * (slope * turn) + light.highlight * (slope * (1 - turn))
        case .multidirectional:
            return sources.reduce(SIMD4.zero) { $0 + Self.basic(x, y, $1) / Double(sources.count) }
        }
    }

    private func standard(_ x: Double, _ y: Double, _ light: Source) -> SIMD4<Double> {
        let slope = Libm.arcTangent(0.625 * Libm.hypotenuse(x, y)), base = 1.875 - exaggeration * 1.75
        let steepness =
            exaggeration == 0.5
            ? slope : (Libm.power(base, slope) - 1) / (Libm.power(base, .pi / 2) - 1) * (.pi / 2)
        let strength = min(max(exaggeration * 2, 0), 1), turn = Self.turn(x, y, light)
        let steep = accent * ((1 - Libm.cosine(steepness)) * strength)
        let shade = (light.shadow * (1 - turn) + light.highlight * turn) * (Libm.sine(steepness) * strength)
        return steep * (1 - shade.w) + shade
    }

    private static func basic(_ x: Double, _ y: Double, _ light: Source) -> SIMD4<Double> {
        let shade = min(max(cosine(x, y, light), 0), 1)
        return shade > 0.5 ? light.highlight * (2 * shade - 1) : light.shadow * (1 - 2 * shade)
    }

    /// The cosine of the angle between the light and the ground.
    private static func cosine(_ x: Double, _ y: Double, _ light: Source) -> Double {
        let flat = Libm.cosine(light.altitude)
        let across = y * Libm.cosine(light.azimuth) - x * Libm.sine(light.azimuth)
        return (Libm.sine(light.altitude) + across * flat) / (1 + x * x + y * y).squareRoot()
    }

    /// How much the ground faces the light, 0 to 1.
    private static func turn(_ x: Double, _ y: Double, _ light: Source) -> Double {
        let aspect = x != 0 ? Libm.arcTangent(y: y, x: -x) : y > 0 ? .pi / 2 : -.pi / 2
        let turns = (aspect + light.azimuth + .pi) / .pi + 0.5
        return abs(turns - 2 * (turns / 2).rounded(.down) - 1)
    }
}

extension SIMD4<Double> {
    /// The pixel of a premultiplied colour with channels from 0 to 1.
    package var pixel: Pixel {
        func byte(_ value: Double) -> UInt8 { UInt8((Swift.min(Swift.max(value, 0), 1) * 255).rounded()) }
        let alpha = byte(w)
        return Pixel(
            red: Swift.min(byte(x), alpha), green: Swift.min(byte(y), alpha), blue: Swift.min(byte(z), alpha),
            alpha: alpha)
    }
}
