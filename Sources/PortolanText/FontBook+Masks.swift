package import PortolanRaster
import Synchronization

/// A cache of the masks of upright texts, by their letters, positions and halo width.
struct MaskCache {
    /// The letters and their positions as numbers.
    struct Key: Hashable {
        /// For each line its position and number of letters, for each letter its outline, position and size.
        fileprivate private(set) var numbers: [UInt64] = []
        fileprivate let haloWidth: Double

        fileprivate init(_ lines: [TextLine], _ offsets: [Point], haloWidth: Double) {
            self.haloWidth = haloWidth
            numbers.reserveCapacity(lines.reduce(0) { $0 + 3 + 4 * $1.glyphs.count })
            for (line, offset) in zip(lines, offsets) {
                numbers += [offset.x.bitPattern, offset.y.bitPattern, UInt64(line.glyphs.count)]
                for glyph in line.glyphs {
                    // The cached value retains the outline.
                    numbers.append(UInt64(UInt(bitPattern: ObjectIdentifier(glyph.outline))))
                    numbers.append(glyph.origin.x.bitPattern)
                    numbers.append(glyph.origin.y.bitPattern)
                    numbers.append(glyph.scale.bitPattern)
                }
            }
        }
    }

    private static let byteLimit = 4 << 20

    private var known = BoundedCache<Key, (mask: TextMask, outlines: [GlyphOutline])>(limit: byteLimit)

    /// The approximate memory in bytes.
    var byteCount: Int { known.cost }

    /// Evicts the entries unused for the longest time until at most this many bytes remain.
    mutating func trim(to byteCount: Int) { known.trim(to: byteCount) }

    fileprivate mutating func mask(of key: Key) -> TextMask? { known.value(for: key)?.mask }

    fileprivate mutating func keep(_ mask: TextMask, of lines: [TextLine], for key: Key) {
        known.insert(
            (mask, lines.flatMap { $0.glyphs.map(\.outline) }), for: key,
            cost: mask.byteCount + key.numbers.count * 12 + 128)
    }
}

extension FontBook {
    /// Returns the mask of upright lines whose baselines start at whole pixels, or `nil` if they must be drawn by their
    /// outlines.
    ///
    /// - Parameter haloWidth: the width of the stroke around the letters, in pixels; 0 for none.
    /// - Complexity: that of drawing for lines that were not drawn before, otherwise O(letters).
    package func mask(of lines: [TextLine], at origins: [Point], haloWidth: Double) -> PlacedTextMask? {
        guard let place = origins.first, origins.count == lines.count, haloWidth >= 0, haloWidth.isFinite,
            lines.allSatisfy({ !$0.hasColorGlyphs })
        else { return nil }
        let offsets = origins.map { Point(x: $0.x - place.x, y: $0.y - place.y) }
        guard offsets.allSatisfy({ $0.x == $0.x.rounded() && $0.y == $0.y.rounded() }) else { return nil }
        let key = MaskCache.Key(lines, offsets, haloWidth: haloWidth)
        if let known = masks.withLock({ $0.mask(of: key) }) { return PlacedTextMask(known, at: place) }
        let inks = zip(lines, offsets).compactMap { line, offset in line.ink.map { ($0, offset) } }
        guard let left = inks.map({ $0.minX + $1.x }).min(), let top = inks.map({ $0.minY + $1.y }).min(),
            let right = inks.map({ $0.maxX + $1.x }).max(), let bottom = inks.map({ $0.maxY + $1.y }).max(),
            let mask = TextMask(
                ink: Rectangle(minX: left, minY: top, maxX: right, maxY: bottom), haloWidth: haloWidth,
                { text(lines, offsets, $0, haloWidth) })
        else { return nil }
        masks.withLock { $0.keep(mask, of: lines, for: key) }
        return PlacedTextMask(mask, at: place)
    }

    /// Returns the letters of lines, and their halo, relative to a point.
    private func text(_ lines: [TextLine], _ offsets: [Point], _ place: Point, _ haloWidth: Double) -> ShapedText {
        var outline = Path(), pieces: [(outline: StrokedOutline, transform: AffineTransform)]? = []
        for (line, offset) in zip(lines, offsets) {
            let transform = AffineTransform.translation(x: place.x + offset.x, y: place.y + offset.y)
            outline.append(line.outline.transformed(by: transform))
            let own = haloWidth > 0 ? halo(of: line, width: haloWidth, movedBy: { _ in transform }) : nil
            pieces = own.flatMap { own in pieces.map { $0 + own } }
        }
        var text = ShapedText(outline: outline, text: "", runs: [], font: ShapedText.Font(families: [], size: 0))
        text.halo = pieces.map { PlacedHalo(width: haloWidth, pieces: $0) }
        return text
    }
}
