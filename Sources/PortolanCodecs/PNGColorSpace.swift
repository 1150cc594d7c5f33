#if canImport(CPNGShim)
import CPNGShim
#endif

/// The colour space that a PNG's gAMA and cHRM chunks describe, when it is not sRGB.
///
/// Source: PNG specification, third edition, clauses on cHRM, gAMA and sRGB: sRGB overrides the others, and without
/// gAMA the primaries say nothing.
struct PNGColorSpace {
    /// The exponent of gAMA, from light to samples; positive.
    let gamma: Double

    /// Light of the file to light of sRGB, or `nil` when the primaries are sRGB's.
    let matrix: Matrix3?

    #if canImport(CPNGShim)
    /// The colour space of a file, or `nil` when its samples are sRGB already or nothing is said about them.
    init?(_ header: portolan_png_header) {
        guard header.is_srgb == 0, header.has_gamma != 0, header.gamma.isFinite, header.gamma > 0 else { return nil }
        var matrix: Matrix3?
        if header.has_chromaticities != 0 {
            matrix = RGBPrimaries(
                red: (header.red_x, header.red_y), green: (header.green_x, header.green_y),
                blue: (header.blue_x, header.blue_y), white: (header.white_x, header.white_y)
            ).matrixToSRGB()
        }
        // 0.45455 stands for the curve of sRGB; libpng's threshold for a visible difference is 5 %.
        guard matrix != nil || abs(header.gamma / 0.45455 - 1) > 0.05 else { return nil }
        gamma = header.gamma
        self.matrix = matrix
    }
    #endif
}

/// From the colours of a PNG's own colour space to sRGB.
///
/// Source: IEC 61966-2-1 for the curve of sRGB.
struct PNGColorConversion {
    /// 16-bit light to the 8-bit sample of sRGB.
    private static let sample: [UInt8] = (0...65535).map { index in
        let light = Double(index) / 65535
        let value = light <= 0.0031308 ? 12.92 * light : 1.055 * power(light, 1 / 2.4) - 0.055
        return UInt8(value * 255 + 0.5)
    }

    /// Light, 0 to 1, by sample value.
    private let light: [Double]

    /// Light of the file to light of sRGB, or `nil` when the primaries are sRGB's.
    private let matrix: Matrix3?

    /// Prepares the tables for samples from 0 to `maximum`.
    init(_ space: PNGColorSpace, maximum: Int) {
        matrix = space.matrix
        let exponent = 1 / space.gamma
        light = (0...maximum).map { power(Double($0) / Double(maximum), exponent) }
    }

    /// One packed straight pixel of 8-bit samples.
    func convert(_ straight: UInt32) -> UInt32 {
        let rgb = convert(Int(straight & 0xff), Int((straight &>> 8) & 0xff), Int((straight &>> 16) & 0xff))
        return rgb | (straight & 0xff00_0000)
    }

    /// Premultiplied packed pixels from straight 16-bit samples.
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
