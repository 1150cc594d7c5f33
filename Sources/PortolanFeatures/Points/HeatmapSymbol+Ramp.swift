package import PortolanRaster

extension HeatmapSymbol {
    /// A named colour ramp for density.
    ///
    /// All ramps except ``maplibre`` are the perceptually uniform ones of Matplotlib and viridisLite. Low densities are
    /// translucent.
    public enum Ramp: String, CaseIterable, Sendable {
        /// Transparent, blue, cyan, green, yellow, red: the ramp of the MapLibre Style Specification.
        case maplibre
        /// From violet through green to yellow.
        case viridis
        /// From black through purple to cream.
        case magma
        /// From black through red to light yellow.
        case inferno
        /// From blue through purple to yellow.
        case plasma
        /// From blue through grey to yellow, suitable for colour-blind viewers.
        case cividis
        /// Rainbow colours from blue to red.
        case turbo

        /// The colour stops, in ascending density.
        public var stops: [HeatmapSymbol.Stop] {
            let colors = opaqueColors, last = Double(colors.count - 1)
            guard !colors.isEmpty else { return HeatmapSymbol.standardRamp }
            return colors.enumerated().map { number, color in
                let density = Double(number) / last
                return HeatmapSymbol.Stop(density: density, color: color.withOpacity(min(density * 4, 1)))
            }
        }

        /// The colours at even distances, or an empty array for ``maplibre``.
        package var opaqueColors: [MapColor] {
            colors.map { bits in
                MapColor(red: UInt8(bits >> 16), green: UInt8(bits >> 8 & 0xFF), blue: UInt8(bits & 0xFF))
            }
        }

        private var colors: [UInt32] {
            switch self {
            case .maplibre: []
            case .viridis:
                [
                    0x440154, 0x482878, 0x3E4A89, 0x31688E, 0x26828E, 0x1F9E89, 0x35B779, 0x6DCD59, 0xB4DE2C, 0xFDE725,
                ]
            case .magma:
                [
                    0x000004, 0x180F3E, 0x451077, 0x721F81, 0x9F2F7F, 0xCD4071, 0xF1605D, 0xFD9567, 0xFEC98D, 0xFCFDBF,
                ]
            case .inferno:
                [
                    0x000004, 0x1B0C42, 0x4B0C6B, 0x781C6D, 0xA52C60, 0xCF4446, 0xED6925, 0xFB9A06, 0xF7D03C, 0xFCFFA4,
                ]
            case .plasma:
                [
                    0x0D0887, 0x47039F, 0x7301A8, 0x9C179E, 0xBD3786, 0xD8576B, 0xED7953, 0xFA9E3B, 0xFDC926, 0xF0F921,
                ]
            case .cividis:
                [
                    0x00204D, 0x00336F, 0x39486B, 0x575C6D, 0x707173, 0x8A8779, 0xA69D75, 0xC4B56C, 0xE4CF5B, 0xFFEA46,
                ]
            case .turbo:
                [
                    0x30123B, 0x4662D7, 0x36AAF9, 0x1AE4B6, 0x72FE5E, 0xC7EF34, 0xFABA39, 0xF66B19, 0xCB2A04, 0x7A0403,
                ]
            }
        }
    }
}
