import PortolanRaster
import TestHelpers
import Testing

@Suite struct StrokedOutlineTests {
    /// Something like a letter: two rings with curves about the origin.
    private static let letter: Path = {
        var path = Path()
        path.move(to: Point(x: 0.3, y: 0))
        path.quad(control: Point(x: 9, y: -2), to: Point(x: 7.2, y: -11.4))
        path.cubic(control1: Point(x: 5, y: -14), control2: Point(x: 2, y: -12), to: Point(x: 0.7, y: -9))
        path.close()
        path.append(.circle(center: Point(x: 3.4, y: -6.1), radius: 1.6))
        return path
    }()

    private static func text(_ path: Path, halo: PlacedHalo? = nil) -> ShapedText {
        var text = ShapedText(outline: path, text: "a", runs: [], font: ShapedText.Font(families: [], size: 12))
        text.halo = halo
        return text
    }

    /// Letters, painted with their halo: stroked as they are painted, or by an outline that is known.
    private static func picture(
        _ transforms: [AffineTransform], _ halo: ShapedText.Halo, isKnown: Bool
    ) throws -> PixelBuffer {
        var path = Path()
        for transform in transforms { path.append(letter.transformed(by: transform)) }
        let outline = StrokedOutline(letter, style: halo.style, tolerance: ShapedText.Halo.tolerance)
        let placed = PlacedHalo(width: halo.width, pieces: transforms.map { (outline, $0) })
        var canvas = Canvas(size: try Canvas.size(60, 40), background: MapColor(red: 30, green: 90, blue: 60))
        canvas.draw(text(path, halo: isKnown ? placed : nil), color: .black, halo: halo)
        return canvas.buffer
    }

    @Test(arguments: [0.4, 1, 2.8, 6])
    func `a halo from a cached outline equals a stroked one`(width: Double) throws {
        let halo = ShapedText.Halo(width: width, color: MapColor(red: 255, green: 255, blue: 255, alpha: 200))
        // Upright on whole pixels, elsewhere, and one that the picture's border cuts.
        let transforms = [
            AffineTransform.translation(x: 5, y: 20), .translation(x: 21.37, y: 30.62), .translation(x: 55, y: 6),
        ]
        #expect(try Self.picture(transforms, halo, isKnown: true) == Self.picture(transforms, halo, isKnown: false))
    }

    @Test func `a halo is rotated with its letters`() throws {
        let halo = ShapedText.Halo(width: 2.6, color: .white)
        let turned = [
            AffineTransform(a: 0.8, b: 0.6, c: -0.6, d: 0.8, tx: 12, ty: 20),
            AffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 45, ty: 25),
        ]
        let known = try Self.picture(turned, halo, isKnown: true),
            stroked = try Self.picture(turned, halo, isKnown: false)
        // Turning before or after rounds otherwise.
        let differing = zip(known.pixels, stroked.pixels).count { $0 != $1 }
        #expect(differing < 4)
    }

    @Test func `a cached outline of another width is not used`() throws {
        let outline = StrokedOutline(
            Self.letter, style: ShapedText.Halo(width: 9, color: .white).style, tolerance: ShapedText.Halo.tolerance)
        let other = PlacedHalo(width: 9, pieces: [(outline, .translation(x: 20, y: 20))])
        let halo = ShapedText.Halo(width: 2, color: .white)
        let path = Self.letter.transformed(by: .translation(x: 20, y: 20))
        var with = try Canvas.clear(60, 40), without = try Canvas.clear(60, 40)
        with.draw(Self.text(path, halo: other), color: .black, halo: halo)
        without.draw(Self.text(path), color: .black, halo: halo)
        #expect(with.buffer == without.buffer)
    }

    @Test func `the memory of an outline is counted`() {
        let outline = StrokedOutline(
            Self.letter, style: ShapedText.Halo(width: 2, color: .white).style, tolerance: ShapedText.Halo.tolerance)
        #expect(outline.byteCount > 1000)
        #expect(outline.byteCount < 16_000)
    }
}
