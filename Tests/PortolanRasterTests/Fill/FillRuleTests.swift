import PortolanRaster
import Testing

@Suite struct FillRuleTests {
    /// A five-pointed star drawn in one stroke, so that its middle is wound twice.
    private static let star = Path.polyline(
        [
            Point(x: 50, y: 5), Point(x: 76, y: 86), Point(x: 7, y: 36), Point(x: 93, y: 36), Point(x: 24, y: 86),
        ], closed: true)

    @Test(arguments: [(FillRule.nonZero, 255), (.evenOdd, 0)])
    func `the middle of a star is inside by nonzero and outside by even-odd`(rule: FillRule, middle: Int) throws {
        var canvas = try Canvas.clear(100, 100)
        canvas.fill(Self.star, rule: rule, color: .black)
        #expect(canvas.alpha(50, 50) == middle)
        #expect(canvas.alpha(50, 20) == 255)
        #expect(canvas.alpha(20, 41) == 255)
        #expect(canvas.alpha(50, 80) == 0)
    }

    @Test(arguments: [
        (FillRule.nonZero, false, 144.0), (.nonZero, true, 144 - 25), (.evenOdd, false, 144 - 25),
        (.evenOdd, true, 144 - 25),
    ])
    func `a hole opens by direction for nonzero and always for even-odd`(
        rule: FillRule, isReversed: Bool, area: Double
    ) throws {
        var path = Path.rectangle(x: 2.5, y: 2.5, width: 12, height: 12)
        let hole = [Point(x: 6, y: 6), Point(x: 11, y: 6), Point(x: 11, y: 11), Point(x: 6, y: 11)]
        path.append(.polyline(isReversed ? hole.reversed() : hole, closed: true))
        var canvas = try Canvas.clear(20, 20)
        canvas.fill(path, rule: rule, color: .black)
        #expect(abs(canvas.area - area) < 0.1)
        #expect(canvas.alpha(8, 8) == (area < 144 ? 0 : 255))
    }

    @Test(arguments: [(FillRule.nonZero, 255), (.evenOdd, 0)])
    func `a shape drawn twice is one shape or none`(rule: FillRule, alpha: Int) throws {
        var path = Path.rectangle(x: 1, y: 1, width: 3, height: 3)
        path.append(.rectangle(x: 1, y: 1, width: 3, height: 3))
        var canvas = try Canvas.clear(5, 5)
        canvas.fill(path, rule: rule, color: .black)
        #expect(canvas.alpha(2, 2) == alpha)
        #expect(canvas.alpha(0, 0) == 0)
    }

    @Test func `both rules agree on part-covered pixels of a ring`() throws {
        var path = Path.circle(center: Point(x: 20.3, y: 19.6), radius: 15.5)
        path.append(
            Path.circle(center: Point(x: 20.3, y: 19.6), radius: 8.25).transformed(
                by: AffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: 39.2)))
        var nonZero = try Canvas.clear(40, 40), evenOdd = nonZero
        nonZero.fill(path, rule: .nonZero, color: .black)
        evenOdd.fill(path, rule: .evenOdd, color: .black)
        #expect(nonZero.buffer == evenOdd.buffer)
        #expect(abs(nonZero.area - .pi * (15.5 * 15.5 - 8.25 * 8.25)) < 1)
    }
}
