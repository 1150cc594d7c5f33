package import PortolanRaster

/// A glyph as a distance field, as MapLibre's glyph ranges contain it: 24 pixels per em.
package struct DistanceGlyph: Hashable, Sendable {
    /// The pixels per em.
    package static let pixelsPerEm = 24.0

    /// The character.
    package let scalar: Unicode.Scalar
    /// The distances from the outline, or `nil` if the glyph has no ink or is larger than
    /// ``PortolanRaster/SignedDistances/maximumSide``.
    package let field: SignedDistances?
    /// The width and height of the ink in pixels, without the margin of the field.
    package let width: Int, height: Int
    /// The distance from the pen position to the left edge of the ink, in pixels.
    package let left: Int
    /// The distance from the ascender to the upper edge of the ink in pixels, negative below it.
    package let top: Int
    /// The advance of the pen in pixels.
    package let advance: Int

    /// Measures a glyph in the way of fontnik: the box of the ink is rounded to pixels, and the advance rounded down.
    ///
    /// - Parameters:
    ///   - outline: the outline in font units, y down.
    ///   - advance: the advance in font units.
    ///   - ascent: the ascender of the face in font units.
    init(_ scalar: Unicode.Scalar, outline: Path, advance: Int, ascent: Int, unitsPerEm: Int) {
        self.scalar = scalar
        let scale = Self.pixelsPerEm / Double(unitsPerEm), ascender = Int((Double(ascent) * scale).rounded(.up))
        // FreeType's advance is a multiple of 1/64 pixel.
        self.advance = max(Int((Double(advance) * scale * 64).rounded()) / 64, 0)
        let path = outline.transformed(by: .scale(x: scale, y: scale)), limit = Double(SignedDistances.maximumSide)
        guard let box = path.boundingRectangle, box.width < limit, box.height < limit, abs(box.minX) < 65_536,
            abs(box.minY) < 65_536
        else {
            (field, width, height, left, top) = (nil, 0, 0, 0, -ascender)
            return
        }
        let edges = (
            left: Self.rounded(box.minX), right: Self.rounded(box.maxX), top: -Self.rounded(-box.minY),
            bottom: -Self.rounded(-box.maxY)
        )
        let width = edges.right - edges.left, height = edges.bottom - edges.top, margin = SignedDistances.margin
        guard width > 0, height > 0,
            let field = SignedDistances(
                path, left: edges.left - margin, top: edges.top - margin, width: width + 2 * margin,
                height: height + 2 * margin)
        else {
            (self.field, self.width, self.height, left, top) = (nil, 0, 0, 0, -ascender)
            return
        }
        (self.field, self.width, self.height, left) = (field, width, height, edges.left)
        top = -edges.top - ascender
    }

    /// Rounds to pixels from multiples of 1/64 pixel, in which FreeType states outlines.
    private static func rounded(_ value: Double) -> Int { Int(((value * 64).rounded() / 64).rounded()) }
}
