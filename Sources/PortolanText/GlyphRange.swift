import PortolanProtobuf
package import PortolanRaster
import Synchronization

/// The glyphs of a font for 256 consecutive characters, as signed distance fields: a document at the `glyphs` address
/// of a MapLibre style.
///
/// Metrics are in pixels at 24 pixels per em. A field has a border of three pixels on each side, and 192 of 256 steps
/// lie outside the letter, 32 for each pixel. Malformed glyphs are skipped, as in MapLibre; their characters are missing.
///
/// Sources: MapLibre Style Specification 8, "Glyphs"; the messages `glyphs`, `fontstack` and `glyph` of the format.
package final class GlyphRange: Sendable {
    /// The number of characters in a range.
    package static let length: UInt32 = 256
    /// The pixels per em of metrics and fields.
    static let pixelsPerEm = 24.0
    /// The distance of the baseline below the origin of `top`, in pixels.
    ///
    /// The origin is the font's ascent, which the format does not state. MapLibre centres a line 17 pixels below it; for
    /// the fonts of most styles that is 8 pixels above the baseline, a third of an em.
    static let baseline = 25.0
    /// The usual descent, in ems.
    static let descentShare = 0.29
    private static let border = 3
    /// The most bytes of a document; those of Chinese characters have a quarter of it.
    package static let byteLimit = 1 << 20
    private static let glyphLimit = 1 << 14

    /// The metrics of a glyph, and the position of its field in the document.
    private struct Glyph {
        var id: UInt64?
        var width: UInt64 = 0, height: UInt64 = 0, advance: UInt64 = 0
        var left = 0, top = 0
        var field = 0..<0

        /// Whether it has plausible metrics and a field of the right size.
        var isValid: Bool {
            guard max(width, height, advance) < 256, (-128..<128).contains(left), (-128..<128).contains(top) else {
                return false
            }
            let border = 2 * UInt64(GlyphRange.border)
            return width == 0 || height == 0 || UInt64(field.count) == (width + border) * (height + border)
        }
    }

    /// The first character, a multiple of 256.
    package let start: UInt32
    /// The approximate number of bytes, without outlines.
    package var byteCount: Int { bytes.count + glyphs.count * MemoryLayout<Glyph>.stride * 2 }
    /// The number of characters with a glyph.
    package var glyphCount: Int { glyphs.count }
    private let bytes: [UInt8]
    private let glyphs: [UInt32: Glyph]
    /// The outlines traced so far; at most one for each glyph.
    private let outlines = Mutex<[UInt32: GlyphOutline]>([:])

    /// Reads a document.
    ///
    /// - Parameter start: the first character of the requested range. Glyphs outside the range are skipped.
    /// - Complexity: O(bytes).
    package init(_ bytes: [UInt8], start: UInt32) throws(GlyphRangeError) {
        guard bytes.count <= Self.byteLimit else { throw .tooLong(count: bytes.count, limit: Self.byteLimit) }
        var glyphs: [UInt32: Glyph] = [:], count = 0, hasFont = false
        do throws(WireError) {
            let span = bytes.span
            var file = WireCursor(0..<bytes.count)
            while let field = try file.next(in: span) {
                guard field.number == 1, field.isBytes else { continue }
                hasFont = true
                var font = WireCursor(field.start..<field.end)
                while let field = try font.next(in: span) {
                    guard field.number == 3, field.isBytes else { continue }
                    count += 1
                    guard count <= Self.glyphLimit else {
                        throw WireError(field.start, .limitExceeded, "too many glyphs")
                    }
                    let glyph = try Self.glyph(field, in: span)
                    guard let id = glyph.id, id >= UInt64(start), id < UInt64(start) + UInt64(Self.length),
                        glyph.isValid
                    else { continue }
                    glyphs[UInt32(id)] = glyph
                }
            }
        } catch {
            throw error.code == .limitExceeded && count > Self.glyphLimit
                ? .tooManyGlyphs(byteOffset: error.offset, limit: Self.glyphLimit)
                : .malformed(byteOffset: error.offset, reason: "\(error.reason)")
        }
        guard hasFont else { throw .noFont }
        self.start = start
        self.bytes = bytes
        self.glyphs = glyphs
    }

    private static func glyph(_ field: WireField, in bytes: Span<UInt8>) throws(WireError) -> Glyph {
        var glyph = Glyph(), message = WireCursor(field.start..<field.end)
        while let field = try message.next(in: bytes) {
            switch (field.number, field.kind) {
            case (1, .varint): glyph.id = field.bits
            case (2, .bytes): glyph.field = field.start..<field.end
            case (3, .varint): glyph.width = field.bits
            case (4, .varint): glyph.height = field.bits
            case (5, .varint): glyph.left = field.signed ?? 0
            case (6, .varint): glyph.top = field.signed ?? 0
            case (7, .varint): glyph.advance = field.bits
            default: break
            }
        }
        return glyph
    }

    /// Returns whether the range has a glyph for a character.
    package func hasGlyph(for scalar: Unicode.Scalar) -> Bool { glyphs[scalar.value] != nil }

    /// Returns the advance of a character in pixels at 24 pixels per em, or `nil` if there is no glyph.
    package func advance(of scalar: Unicode.Scalar) -> Double? { glyphs[scalar.value].map { Double($0.advance) } }

    /// Returns the outline of a character at 24 pixels per em, relative to its origin on the baseline, y down; `nil` if
    /// there is no glyph.
    ///
    /// - Complexity: O(pixels) the first time.
    func outline(of scalar: Unicode.Scalar) -> GlyphOutline? {
        guard let glyph = glyphs[scalar.value] else { return nil }
        return outlines.withLock { outlines in
            if let known = outlines[scalar.value] { return known }
            let outline = GlyphOutline(path(of: glyph))
            outlines[scalar.value] = outline
            return outline
        }
    }

    private func path(of glyph: Glyph) -> Path {
        guard glyph.width > 0, glyph.height > 0 else { return Path() }
        let border = Self.border
        let contours = DistanceContours(
            values: bytes[glyph.field], width: Int(glyph.width) + 2 * border, height: Int(glyph.height) + 2 * border)
        // Values are those at the centres of pixels.
        return contours.path(
            movedBy: Point(
                x: Double(glyph.left - border) + 0.5, y: -Double(glyph.top) - Double(border) + 0.5 - Self.baseline))
    }
}

extension GlyphRange {
    /// Returns the outline of a character as a path, at 24 pixels per em, y down; `nil` if there is no glyph.
    package func path(of scalar: Unicode.Scalar) -> Path? { outline(of: scalar)?.path }
}
