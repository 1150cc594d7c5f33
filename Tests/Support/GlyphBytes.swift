/// Writes glyph ranges for tests.
package enum GlyphBytes {
    /// A glyph with its field.
    package struct Glyph {
        package var id: Int
        package var width = 12, height = 12, left = 1, top = -13, advance = 14
        /// The values of the field, or `nil` for those of a box of the width and height.
        package var field: [UInt8]?

        package init(_ id: Int) { self.id = id }
    }

    /// A range with a font that has boxes for some characters.
    package static func boxes(_ characters: String, font: String = "Test Sans") -> [UInt8] {
        range(characters.unicodeScalars.map { Glyph(Int($0.value)) }, font: font)
    }

    /// A range with one font.
    package static func range(_ glyphs: [Glyph], font: String = "Test Sans") -> [UInt8] {
        TileBytes.field(
            1,
            TileBytes.field(1, font) + TileBytes.field(2, "0-255")
                + glyphs.flatMap { TileBytes.field(3, message($0)) })
    }

    private static func message(_ glyph: Glyph) -> [UInt8] {
        func sint(_ value: Int) -> Int { value << 1 ^ value >> 63 }
        return TileBytes.field(1, glyph.id) + TileBytes.field(2, glyph.field ?? box(glyph.width, glyph.height))
            + TileBytes.field(3, glyph.width) + TileBytes.field(4, glyph.height)
            + TileBytes.field(5, sint(glyph.left)) + TileBytes.field(6, sint(glyph.top))
            + TileBytes.field(7, glyph.advance)
    }

    /// The distance field of a box, with a border of three pixels.
    package static func box(_ width: Int, _ height: Int) -> [UInt8] {
        field(width, height) { x, y in
            let x = max(-x, x - Double(width)), y = max(-y, y - Double(height))
            return x > 0 && y > 0 ? (x * x + y * y).squareRoot() : max(x, y)
        }
    }

    /// A distance field with a border of three pixels.
    ///
    /// - Parameter distance: the distance to the outline, negative inside, of a point from the upper left corner.
    package static func field(_ width: Int, _ height: Int, _ distance: (Double, Double) -> Double) -> [UInt8] {
        (0..<height + 6).flatMap { row in
            (0..<width + 6).map { column in
                // As in the generators of glyph ranges: 8 pixels are 256 steps, and a quarter of them lies inside.
                let number = (distance(Double(column) - 2.5, Double(row) - 2.5) * 32 + 64).rounded(.down)
                return UInt8(255 - min(max(number, 0), 255))
            }
        }
    }
}
