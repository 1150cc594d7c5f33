/// The coverage of a text and its halo: painted once, and drawn at any whole pixel in any colours.
///
/// The pixels are the same as those of its outline. They are accessed by pointer. Memory safety: only pixels in the
/// picture's columns are touched, on borrowed rows.
package final class TextMask: Sendable {
    /// The number of pixels above which a text has no mask.
    private static let maximumPixelCount = 1 << 16

    /// The offset from the text's position to the first pixel.
    private let left: Int
    fileprivate let top: Int
    /// The number of words per row, and of rows.
    private let wordCount: Int
    fileprivate let height: Int
    /// The coverage of four pixels per word, the first in the lowest byte; empty for the halo of a text without one.
    private let halo: [UInt32]
    private let letters: [UInt32]

    /// The memory in bytes.
    package var byteCount: Int { (halo.count + letters.count) * 4 + 128 }

    /// Paints a text, or returns `nil` if it is too large, too thin or blank.
    ///
    /// - Parameters:
    ///   - ink: the bounds of the letters relative to the text's position.
    ///   - haloWidth: the width of the stroke around the letters, or 0 for none.
    ///   - text: returns the text at a position of whole pixels.
    /// - Complexity: that of drawing the text.
    package init?(ink: Rectangle, haloWidth: Double, _ text: (_ place: Point) -> ShapedText) {
        // A thinner stroke fades, which is not a matter of coverage.
        guard haloWidth == 0 || haloWidth >= 1 else { return nil }
        let reach = haloWidth / 2 + 1
        let box = Rectangle(
            minX: ink.minX - reach, minY: ink.minY - reach, maxX: ink.maxX + reach, maxY: ink.maxY + reach)
        guard box.width > 0, box.height > 0, box.width * box.height < Double(Self.maximumPixelCount),
            abs(box.minX) < 1e6, abs(box.minY) < 1e6
        else { return nil }
        left = Int(box.minX.rounded(.down))
        top = Int(box.minY.rounded(.down))
        wordCount = (Int(box.maxX.rounded(.up)) - left + 3) / 4
        height = Int(box.maxY.rounded(.up)) - top
        guard let size = ImageSize(width: wordCount * 4, height: height) else { return nil }
        let text = text(Point(x: Double(-left), y: Double(-top)))
        func coverage(_ color: MapColor, _ halo: ShapedText.Halo?) -> [UInt32] {
            var canvas = Canvas(size: size)
            canvas.draw(text, color: color, halo: halo)
            let pixels = canvas.buffer.pixels
            return stride(from: 0, to: pixels.count, by: 4).map { first in
                var word: UInt32 = 0
                for part in 0..<4 { word |= (pixels[first + part] >> 24) << UInt32(8 * part) }
                return word
            }
        }
        letters = coverage(.white, nil)
        halo = haloWidth > 0 ? coverage(.clear, ShapedText.Halo(width: haloWidth, color: .white)) : []
    }

    /// Draws the text at a column and a row: first its halo, then its letters.
    fileprivate func draw(atX x: Int, y: Int, _ color: MapColor, halo haloColor: MapColor?, on rows: PixelRows) {
        let first = x + left, top = y + self.top, width = rows.size.width
        if let haloColor, haloColor.alpha > 0, !halo.isEmpty {
            draw(halo, Brush(Pixel(haloColor)), first, top, width, on: rows)
        }
        if color.alpha > 0 { draw(letters, Brush(Pixel(color)), first, top, width, on: rows) }
    }

    private func draw(
        _ words: [UInt32], _ brush: Brush, _ first: Int, _ top: Int, _ width: Int, on rows: PixelRows
    ) {
        let words = words.span
        for row in (top..<top + height).clamped(to: rows.range) {
            let pixels = unsafe rows.row(row)
            var index = (row - top) * wordCount, column = first
            for _ in 0..<wordCount {
                let word = words[index]
                if word != 0 {
                    let four = SIMD4(word & 0xff, word &>> 8 & 0xff, word &>> 16 & 0xff, word &>> 24)
                    if column >= 0, column + 4 <= width {
                        unsafe brush.paint(pixels + column, coverage: four)
                    } else {
                        for part in 0..<4 where four[part] != 0 && column + part >= 0 && column + part < width {
                            unsafe brush.paint(pixels + (column + part), 1, coverage: four[part])
                        }
                    }
                }
                index += 1
                column += 4
            }
        }
    }
}

/// A mask of a text at a position.
package struct PlacedTextMask: Sendable {
    private let mask: TextMask
    private let x: Int
    private let y: Int

    /// Creates a mask at a position of whole pixels, or returns `nil` for other positions.
    package init?(_ mask: TextMask, at place: Point) {
        guard abs(place.x) < 1e6, abs(place.y) < 1e6, place.x == place.x.rounded(), place.y == place.y.rounded() else {
            return nil
        }
        self.mask = mask
        x = Int(place.x)
        y = Int(place.y)
    }

    /// The vertical range of the painted pixels.
    var extent: ClosedRange<Double> {
        let top = Double(y + mask.top)
        return top...(top + Double(mask.height))
    }

    /// Draws the text.
    func draw(_ color: MapColor, halo: MapColor?, on rows: PixelRows) {
        mask.draw(atX: x, y: y, color, halo: halo, on: rows)
    }
}

extension PlacedTextMask: Hashable {
    /// Returns whether the masks are identical and at the same position.
    package static func == (left: PlacedTextMask, right: PlacedTextMask) -> Bool {
        left.mask === right.mask && left.x == right.x && left.y == right.y
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(mask))
        hasher.combine(x)
        hasher.combine(y)
    }
}
