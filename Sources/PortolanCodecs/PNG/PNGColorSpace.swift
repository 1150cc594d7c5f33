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
