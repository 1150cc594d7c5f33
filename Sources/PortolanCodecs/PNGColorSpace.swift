#if canImport(CPNGShim)
import CPNGShim
#endif

/// The colour space of a PNG's gAMA and cHRM chunks, if it is not sRGB.
///
/// Source: PNG specification, third edition, clauses on cHRM, gAMA and sRGB: sRGB overrides the others, and primaries
/// without gAMA have no effect.
struct PNGColorSpace {
    /// The exponent of gAMA, from light to samples; positive.
    let gamma: Double

    /// The matrix from linear light of the file to that of sRGB, or `nil` for sRGB primaries.
    let matrix: Matrix3?

    #if canImport(CPNGShim)
    /// Returns the colour space of a file, or `nil` if its samples are sRGB or unspecified.
    init?(_ header: portolan_png_header) {
        guard header.is_srgb == 0, header.has_gamma != 0, header.gamma.isFinite, header.gamma > 0 else { return nil }
        var matrix: Matrix3?
        if header.has_chromaticities != 0 {
            matrix = RGBPrimaries(
                red: (header.red_x, header.red_y), green: (header.green_x, header.green_y),
                blue: (header.blue_x, header.blue_y), white: (header.white_x, header.white_y)
            ).matrixToSRGB()
        }
        // 0.45455 represents the sRGB curve; libpng's threshold for a visible difference is 5 %.
        guard matrix != nil || abs(header.gamma / 0.45455 - 1) > 0.05 else { return nil }
        gamma = header.gamma
        self.matrix = matrix
    }
    #endif
}

/// The conversion from a PNG's colour space to sRGB.
///
/// Source: IEC 61966-2-1 for the sRGB curve.
struct PNGColorConversion {
    /// The 8-bit sRGB sample for each 16-bit linear light value.
    private static let sample: [UInt8] = (0...65535).map { index in
        let light = Double(index) / 65535
        let value = light <= 0.0031308 ? 12.92 * light : 1.055 * power(light, 1 / 2.4) - 0.055
        return UInt8(value * 255 + 0.5)
    }

    /// The linear light, 0 to 1, by sample value.
    private let light: [Double]

    /// The matrix from linear light of the file to that of sRGB, or `nil` for sRGB primaries.
    private let matrix: Matrix3?

    /// Prepares the tables for samples from 0 to `maximum`.
    init(_ space: PNGColorSpace, maximum: Int) {
        matrix = space.matrix
        let exponent = 1 / space.gamma
        light = (0...maximum).map { power(Double($0) / Double(maximum), exponent) }
    }

    /// Converts one packed straight pixel of 8-bit samples.
    func convert(_ straight: UInt32) -> UInt32 {
        let rgb = convert(Int(straight & 0xff), Int((straight &>> 8) & 0xff), Int((straight &>> 16) & 0xff))
        return rgb | (straight & 0xff00_0000)
    }

    /// Converts straight 16-bit samples to premultiplied packed pixels.
    func convert(wide samples: [UInt16]) -> [UInt32] {
        (0..<(samples.count / 4)).map { index in
            let base = index * 4
            let rgb = convert(Int(samples[base]), Int(samples[base + 1]), Int(samples[base + 2]))
            let alpha = (UInt32(samples[base + 3]) * 255 + 32767) / 65535
            return Premultiplication.premultiplied(rgb | alpha << 24)
        }
    }

    private func convert(_ red: Int, _ green: Int, _ blue: Int) -> UInt32 {
        var rgb = (light[red], light[green], light[blue])
        if let matrix { rgb = matrix.times(rgb) }
        return Self.encode(rgb.0) | Self.encode(rgb.1) << 8 | Self.encode(rgb.2) << 16
    }

    private static func encode(_ light: Double) -> UInt32 {
        UInt32(sample[Int(max(0, min(light, 1)) * 65535 + 0.5)])
    }
}
