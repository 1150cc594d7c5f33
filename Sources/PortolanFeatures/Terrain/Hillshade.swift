import PortolanGeo
package import PortolanRaster

/// Shaded relief, with the methods and the values of `gdaldem hillshade`.
package struct Hillshade: Hashable, Sendable {
    /// The methods of shading.
    package enum Method: String, Hashable, Sendable, CaseIterable {
        /// The cosine of the angle between the light and the ground.
        case standard
        /// Light from four directions, weighted by aspect (USGS Open-File Report 92-422).
        case multidirectional
        /// The shade combined with the slope, so that level ground is bright.
        case combined
        /// Shades that keep level ground and slopes towards the light bright (Igor Brejc, Maperitive).
        case igor
    }

    /// The method.
    package var method: Method
    /// The direction of the light, in degrees clockwise from north.
    package var azimuth: Double
    /// The height of the light above the horizon, in degrees.
    package var altitude: Double
    /// The colour of shades above a map, or `nil` for grey pictures.
    package var shadow: MapColor?
    /// The colour of light above a map, or `nil` for none.
    package var highlight: MapColor?

    package init(
        method: Method = .standard, azimuth: Double = 315, altitude: Double = 45, shadow: MapColor? = nil,
        highlight: MapColor? = nil
    ) {
        self.method = method
        self.azimuth = azimuth
        self.altitude = altitude
        self.shadow = shadow
        self.highlight = highlight
    }

    /// A shader, which holds the trigonometry of the light.
    package struct Shader {
        private let method: Method
        private let shadow: MapColor?, highlight: MapColor?
        private let sine: Double, cosine: Double
        /// The light towards the east and the north, times the cosine of its altitude.
        private let lightEast: Double, lightNorth: Double
        private let azimuth: Double

        package init(_ look: Hillshade) {
            method = look.method
            (shadow, highlight) = (look.shadow, look.highlight)
            (cosine, sine) = Bearing.axes(degrees: look.altitude)
            let (north, east) = Bearing.axes(degrees: look.azimuth)
            (lightEast, lightNorth) = (east * cosine, north * cosine)
            azimuth = look.azimuth * .pi / 180
        }

        /// Returns the brightness of a gradient: 1 (dark) to 255, as gdaldem writes it before rounding.
        package func brightness(east: Double, north: Double) -> Double {
            let steepness = east * east + north * north
            switch method {
            case .standard:
                let light = (sine - lightEast * east - lightNorth * north) / (1 + steepness).squareRoot()
                return light <= 0 ? 1 : 1 + 254 * light
            case .combined:
                let light = (sine - lightEast * east - lightNorth * north) / (1 + steepness).squareRoot()
                let angle = Libm.arcCosine(min(max(light, -1), 1))
                let share = 1 - angle * Libm.arcTangent(steepness.squareRoot()) * 4 / (.pi * .pi)
                return share <= 0 ? 1 : 1 + 254 * share
            case .igor:
                let slope = Libm.arcTangent(steepness.squareRoot()) * 2 / .pi
                // The angle between the light and the direction in which the ground rises.
                let aspect = Libm.arcTangent(y: east, x: north)
                var turn = abs((aspect - azimuth).remainder(dividingBy: 2 * .pi)) / .pi
                if steepness == 0 { turn = 0 }
                return 255 * (1 - slope * (1 - turn))
            case .multidirectional:
                guard steepness > 0 else { return 1 + 254 * sine }
                let diagonal = 0.5.squareRoot() * cosine
                let lights = [
                    (east + north) * diagonal, east * cosine, (east - north) * diagonal, -north * cosine,
                ]
                let southWest = 0.5 * steepness + east * north
                let weights = [southWest, east * east, steepness - southWest, north * north]
                var sum = 0.0
                for (light, weight) in zip(lights, weights) { sum += weight * max(sine + light, 0) }
                return 1 + 127 * sum / steepness / (1 + steepness).squareRoot()
            }
        }

        /// Returns the pixel of a gradient.
        package func pixel(east: Double, north: Double) -> Pixel {
            let value = brightness(east: east, north: north)
            guard shadow != nil || highlight != nil else {
                let grey = UInt8(min(max(value.rounded(), 0), 255))
                return Pixel(red: grey, green: grey, blue: grey, alpha: 255)
            }
            // Level ground is clear.
            let level = brightness(east: 0, north: 0)
            if value < level { return shadow.map { Pixel($0.scaled(by: (level - value) / level)) } ?? .clear }
            guard level < 255, let highlight else { return .clear }
            return Pixel(highlight.scaled(by: (value - level) / (255 - level)))
        }
    }
}

extension MapColor {
    /// The colour with its opacity multiplied.
    fileprivate func scaled(by share: Double) -> MapColor {
        withOpacity(Double(alpha) / 255 * min(max(share, 0), 1))
    }
}
