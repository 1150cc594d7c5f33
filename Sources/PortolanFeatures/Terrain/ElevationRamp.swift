package import PortolanRaster

/// Colours for elevations, slopes or directions, interpolated between stops; values beyond them have the outermost colour.
package struct ElevationRamp: Hashable, Sendable {
    /// A value and its premultiplied colour, 0 to 1 in each channel.
    package struct Stop: Hashable, Sendable {
        /// The value.
        package var value: Double
        /// The premultiplied colour.
        package var color: SIMD4<Double>

        package init(_ value: Double, _ color: SIMD4<Double>) {
            self.value = value
            self.color = color
        }

        package init(_ value: Double, _ color: MapColor) {
            let alpha = Double(color.alpha) / 255
            self.init(
                value,
                SIMD4(Double(color.red), Double(color.green), Double(color.blue), 255) / 255
                    * SIMD4(alpha, alpha, alpha, alpha))
        }
    }

    /// The stops, in ascending order.
    package let stops: [Stop]

    /// Creates a ramp; stops that are not numbers are left out, and sorted by value.
    package init(_ stops: [Stop]) {
        self.stops = stops.filter { $0.value.isFinite }.sorted { $0.value < $1.value }
    }

    /// Returns the premultiplied colour of a value.
    ///
    /// - Complexity: O(log stops).
    package func color(of value: Double) -> SIMD4<Double> {
        guard let first = stops.first, let last = stops.last, !value.isNaN else { return .zero }
        if value <= first.value { return first.color }
        if value >= last.value { return last.color }
        var low = 0, high = stops.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if stops[middle].value <= value { low = middle } else { high = middle }
        }
        let share = (value - stops[low].value) / (stops[high].value - stops[low].value)
        return stops[low].color * (1 - share) + stops[high].color * share
    }
}

extension ElevationRamp {
    private static func ramp(_ stops: [(Double, UInt32)]) -> ElevationRamp {
        ElevationRamp(
            stops.map { value, bits in
                Stop(
                    value,
                    MapColor(
                        red: UInt8(bits >> 16 & 0xFF), green: UInt8(bits >> 8 & 0xFF), blue: UInt8(bits & 0xFF)))
            })
    }

    /// Hypsometric tints: blue seas, green lowland, brown mountains and white peaks, in metres.
    package static let hypsometric = ramp([
        (-8_000, 0x4A7BA6), (-4_000, 0x6FA2CC), (-200, 0xA9CFE8), (-1, 0xD2EAF7), (0, 0xA8C9A1), (100, 0xB5D3A7),
        (300, 0xD6E3B5), (600, 0xF0EBC4), (1_000, 0xE8D5A5), (1_500, 0xD9BC8B), (2_000, 0xC6A077), (3_000, 0xB08B75),
        (4_000, 0xD0C5C0), (5_500, 0xFFFFFF),
    ])

    /// Slopes in degrees, from white over orange to dark red.
    package static let slope = ramp([
        (0, 0xFFFFFF), (15, 0xFEE8C8), (25, 0xFDD49E), (30, 0xFDBB84), (35, 0xFC8D59), (45, 0xD7301F), (90, 0x7F0000),
    ])

    /// Directions in degrees: north blue, east green, south red, west violet.
    package static let aspect = ramp([
        (0, 0x4575B4), (45, 0x74ADD1), (90, 0xA6D96A), (135, 0xFEE08B), (180, 0xD73027), (225, 0xF46D43),
        (270, 0x9970AB), (315, 0x7B83B9), (360, 0x4575B4),
    ])
}
