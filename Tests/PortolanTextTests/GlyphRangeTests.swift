import PortolanRaster
import PortolanText
import TestHelpers
import Testing

/// Expected areas and bounds are those of the outlines of Noto Sans 2.004 at 24 pixels per em, by fontTools.
@Suite struct GlyphRangeTests {
    private static func noto() throws -> GlyphRange {
        try GlyphRange(Fixture.bytes(of: Fixture.fonts + "../glyphs/Noto Sans Regular/0-255.pbf"), start: 0)
    }

    /// The area with its sign, and the bounds, of a path of straight lines.
    private static func measure(_ path: Path) -> (area: Double, bounds: [Double]) {
        var area = 0.0, ring: [Point] = []
        for element in path.elements {
            switch element {
            case .move(let point): ring = [point]
            case .line(let point): ring.append(point)
            case .quad, .cubic: break
            case .close:
                for (one, next) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
                    area += (one.x * next.y - next.x * one.y) / 2
                }
            }
        }
        let box = path.controlBounds ?? (0, 0, 0, 0)
        return (area, [box.minX, -box.maxY, box.maxX, -box.minY])
    }

    struct Letter: CustomTestStringConvertible {
        let scalar: Unicode.Scalar
        let area: Double
        let bounds: [Double]
        var testDescription: String { "\(scalar)" }

        init(_ scalar: Unicode.Scalar, _ area: Double, _ bounds: [Double]) {
            (self.scalar, self.area, self.bounds) = (scalar, area, bounds)
        }
    }

    @Test(arguments: [
        Letter("A", 81.55, [0.0, 0.0, 15.31, 17.21]), Letter("H", 90.68, [2.33, 0.0, 15.43, 17.14]),
        Letter("O", 99.31, [1.46, -0.24, 17.28, 17.4]), Letter("e", 69.91, [1.32, -0.24, 12.31, 13.1]),
        Letter("g", 98.2, [1.32, -5.76, 12.72, 13.1]), Letter("x", 56.61, [0.43, 0.0, 12.26, 12.86]),
        Letter("y", 68.89, [0.02, -5.76, 12.24, 12.86]), Letter("8", 92.32, [1.18, -0.24, 12.53, 17.38]),
        Letter("&", 111.3, [1.27, -0.24, 17.52, 17.4]), Letter("@", 132.11, [1.39, -2.14, 20.18, 17.14]),
        Letter("Å", 97.38, [0.0, 0.0, 15.31, 21.07]), Letter("ß", 97.02, [2.04, -0.24, 14.06, 18.36]),
    ])
    func `outlines of distance fields equal those of the font`(_ letter: Letter) throws {
        let (area, bounds) = Self.measure(try #require(try Self.noto().path(of: letter.scalar)))
        #expect(abs(abs(area) / letter.area - 1) < 0.03, "\(abs(area)) instead of \(letter.area)")
        // Sharp tips are rounded.
        for (side, expected) in zip(bounds, letter.bounds) { #expect(abs(side - expected) < 0.55, "\(bounds)") }
    }

    @Test func `metrics are those of the document, and white space has no outline`() throws {
        let range = try Self.noto()
        #expect(range.glyphCount == 195)
        #expect([" ", "A", "H", "g"].map { range.advance(of: $0) } == [6, 15, 17, 14])
        #expect(try #require(range.path(of: " ")).isEmpty)
        #expect(range.path(of: "Ω") == nil && range.advance(of: "Ω") == nil)
    }

    @Test func `a straight edge has few points, and a hole runs in the opposite direction`() throws {
        var ring = GlyphBytes.Glyph(65)
        (ring.width, ring.height, ring.left, ring.top) = (16, 16, 0, -25)
        // Between the squares with sides of 16 and 8.
        ring.field = GlyphBytes.field(16, 16) { x, y in
            let reach = max(abs(x - 8), abs(y - 8))
            return max(reach - 8, 4 - reach)
        }
        let range = try GlyphRange(GlyphBytes.range([GlyphBytes.Glyph(66), ring]), start: 0)
        let box = try #require(range.path(of: "B"))
        #expect((6...12).contains(box.elements.count), "\(box.elements)")
        #expect(abs(abs(Self.measure(box).area) - 144) < 2)
        #expect(abs(abs(Self.measure(try #require(range.path(of: "A"))).area) - (256 - 64)) < 2)
    }

    @Test func `a field of any values has closed contours`() throws {
        var generator = SeededGenerator(seed: 7)
        var glyph = GlyphBytes.Glyph(65)
        (glyph.width, glyph.height) = (5, 4)
        for _ in 0..<200 {
            glyph.field = (0..<110).map { _ in
                let values = [0, 191, 192, 255, UInt8.random(in: 0...255, using: &generator)]
                return values.randomElement(using: &generator) ?? 0
            }
            let path = try #require(try GlyphRange(GlyphBytes.range([glyph]), start: 0).path(of: "A"))
            let moves = path.elements.count { if case .move = $0 { true } else { false } }
            #expect(moves == path.elements.count { $0 == .close })
            #expect(path.elements.flatMap(\.points).allSatisfy { $0.x.isFinite && $0.y.isFinite })
        }
    }

    @Test func `malformed glyphs and those of other ranges are skipped`() throws {
        var short = GlyphBytes.Glyph(65), huge = GlyphBytes.Glyph(66), far = GlyphBytes.Glyph(67)
        short.field = [1, 2, 3]
        (huge.width, huge.field) = (256, [UInt8](repeating: 0, count: 262 * 18))
        far.left = 128
        let other = GlyphBytes.Glyph(300)
        let range = try GlyphRange(GlyphBytes.range([short, huge, far, other, GlyphBytes.Glyph(68)]), start: 0)
        #expect(range.glyphCount == 1 && range.hasGlyph(for: "D"))
    }

    @Test func `invalid documents are refused with the position`() throws {
        let whole = GlyphBytes.boxes("AB")
        #expect(throws: GlyphRangeError.malformed(byteOffset: 3, reason: "a field exceeds its message")) {
            try GlyphRange(Array(whole.dropLast()), start: 0)
        }
        #expect(throws: GlyphRangeError.noFont) { try GlyphRange([], start: 0) }
        #expect(throws: GlyphRangeError.tooLong(count: 2 << 20, limit: 1 << 20)) {
            try GlyphRange([UInt8](repeating: 0, count: 2 << 20), start: 0)
        }
        let many = TileBytes.field(1, [UInt8]([[UInt8]](repeating: [0x1A, 0], count: 1 << 15).joined()))
        #expect { try GlyphRange(many, start: 0) } throws: { error in
            if case .tooManyGlyphs(_, 1 << 14) = error as? GlyphRangeError { true } else { false }
        }
        for count in 0..<whole.count { _ = try? GlyphRange(Array(whole.prefix(count)), start: 0) }
        let page = Array("<!DOCTYPE html><title>Not found</title>".utf8)
        #expect(throws: GlyphRangeError.self) { try GlyphRange(page, start: 0) }
    }
}
