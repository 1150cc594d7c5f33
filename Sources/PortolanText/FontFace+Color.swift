#if Text && !canImport(CoreText)
import CFreeType
import PortolanRaster

/// Colour glyphs: layers of outlines (COLR, version 0) and bitmaps (CBDT, sbix).
///
/// Source: OpenType 1.9.1, the tables COLR, CPAL and CBDT.
extension FontFace {
    /// The maximum number of layers, and of pixels per side, of a glyph.
    private static let layerLimit = 256, sideLimit = 1024

    /// Returns a colour glyph, or `nil` if it is a plain outline.
    func figure(of glyph: UInt32, segments limit: Int) throws(TextError) -> ColorFigure? {
        guard isColored else { return nil }
        if let layers = try layers(of: glyph, segments: limit) {
            return ColorFigure(.layers(layers), transform: .identity)
        }
        return pixels(of: glyph)
    }

    /// Returns the layers of a glyph in the colours of the font's first palette, bottom first, or `nil` if it has none.
    private func layers(of glyph: UInt32, segments limit: Int) throws(TextError) -> [ShapedText.ColorGlyph.Layer]? {
        var palette = unsafe FT_Palette_Data()
        var colors: UnsafeMutablePointer<FT_Color>?
        guard unsafe FT_Palette_Data_Get(handle, &palette) == 0, unsafe FT_Palette_Select(handle, 0, &colors) == 0,
            let colors = unsafe colors
        else { return nil }
        // FreeType provides as many entries as the palettes have.
        let count = unsafe Int(palette.num_palette_entries)
        var iterator = unsafe FT_LayerIterator()
        var layer: FT_UInt = 0, index: FT_UInt = 0, found: [(glyph: UInt32, color: MapColor?)] = []
        while found.count < Self.layerLimit,
            unsafe FT_Get_Color_Glyph_Layer(handle, glyph, &layer, &index, &iterator) != 0
        {
            // The last index means the text colour.
            let entry = Int(index) < count ? unsafe colors[Int(index)] : nil
            found.append(
                (layer, entry.map { MapColor(red: $0.red, green: $0.green, blue: $0.blue, alpha: $0.alpha) }))
        }
        guard !found.isEmpty else { return nil }
        var layers: [ShapedText.ColorGlyph.Layer] = []
        for (glyph, color) in found {
            var pen = OutlinePen(limit: limit)
            try draw(glyph, with: &pen)
            layers.append(ShapedText.ColorGlyph.Layer(outline: pen.path, color: color))
        }
        return layers
    }

    /// Returns the bitmap of a glyph, positioned relative to its origin, or `nil` if it has none.
    private func pixels(of glyph: UInt32) -> ColorFigure? {
        guard let pixelsPerEm, unsafe FT_Load_Glyph(handle, glyph, FT_Int32(FT_LOAD_COLOR)) == 0,
            let slot = unsafe handle.pointee.glyph, unsafe slot.pointee.format == FT_GLYPH_FORMAT_BITMAP
        else { return nil }
        let bitmap = unsafe slot.pointee.bitmap
        let width = unsafe Int(bitmap.width), height = unsafe Int(bitmap.rows), pitch = unsafe Int(bitmap.pitch)
        guard unsafe Int(bitmap.pixel_mode) == Int(FT_PIXEL_MODE_BGRA.rawValue), pitch >= width * 4,
            max(width, height) <= Self.sideLimit, let size = ImageSize(width: width, height: height),
            let bytes = unsafe bitmap.buffer
        else { return nil }
        // The bitmap has `height` rows of `pitch` bytes; its pixels are premultiplied blue, green, red and alpha.
        let packed = (0..<size.pixelCount).map { place -> UInt32 in
            let start = place / width * pitch + place % width * 4
            func channel(_ offset: Int, _ shift: UInt32) -> UInt32 { unsafe UInt32(bytes[start + offset]) << shift }
            return channel(2, 0) | channel(1, 8) | channel(0, 16) | channel(3, 24)
        }
        guard let image = PixelBuffer(size: size, pixels: packed) else { return nil }
        let unit = Double(unitsPerEm) / Double(pixelsPerEm)
        let left = unsafe Double(slot.pointee.bitmap_left), top = unsafe Double(slot.pointee.bitmap_top)
        return ColorFigure(
            .image(image),
            transform: AffineTransform(a: unit, b: 0, c: 0, d: unit, tx: left * unit, ty: -top * unit))
    }
}
#endif
