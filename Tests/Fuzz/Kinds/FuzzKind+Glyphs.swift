import PortolanRaster
import PortolanText

extension FuzzKind {
    /// Glyph ranges of styles: outlines are closed and lie near their glyph.
    static let glyphRange = FuzzKind(
        name: "glyph-range", grammar: .words, corpus: ["Tests/Fuzz/Corpus/glyph-range/*"],
        memory: Bound(any: 4 << 20, each: 400), time: Bound(any: 200_000_000, each: 60_000), read: readGlyphRange)

    private static func readGlyphRange(_ bytes: [UInt8]) throws -> Outcome {
        let range: GlyphRange
        do throws(GlyphRangeError) {
            range = try GlyphRange(bytes, start: 0)
        } catch {
            guard error.byteOffset ?? 0 <= bytes.count else { throw Violation("a position beyond the document") }
            return try refused(error.description)
        }
        var count = 0, elements = 0
        for value in UInt8.min...UInt8.max {
            let scalar = Unicode.Scalar(value)
            guard let path = range.path(of: scalar) else { continue }
            count += 1
            elements += path.elements.count
            guard range.hasGlyph(for: scalar), let advance = range.advance(of: scalar), (0..<256).contains(advance)
            else { throw Violation("an advance that no glyph has") }
            let isNear = path.elements.allSatisfy { element in
                switch element {
                case .move(let point), .line(let point): abs(point.x) < 512 && abs(point.y) < 512
                case .close: true
                case .quad, .cubic: false
                }
            }
            guard isNear else { throw Violation("an outline far from its glyph") }
        }
        guard count == range.glyphCount else { throw Violation("glyphs outside the range") }
        return .value("\(magnitude(count)) \(magnitude(elements))")
    }
}
