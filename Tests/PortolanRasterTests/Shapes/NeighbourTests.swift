import PortolanRaster
import TestHelpers
import Testing

/// Opaque areas that share borders.
@Suite struct NeighbourTests {
    /// Four areas about a place anywhere, of three colours or four, each side of which two of them share.
    private static func canvas(_ seed: UInt64, _ rule: Path.FillRule) throws -> Canvas {
        var generator = SeededGenerator(seed: seed)
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
        let middle = Point(x: number(8...12), y: number(8...12))
        let sides = [
            Point(x: number(5...15), y: -5), Point(x: 25, y: number(5...15)), Point(x: number(5...15), y: 25),
            Point(x: -5, y: number(5...15)),
        ]
        let corners = [Point(x: 25, y: -5), Point(x: 25, y: 25), Point(x: -5, y: 25), Point(x: -5, y: -5)]
        var canvas = Canvas(size: try #require(ImageSize(width: 20, height: 20)), background: .white)
        for number in 0..<4 {
            let path = Path.polyline([middle, sides[number], corners[number], sides[(number + 1) % 4]], closed: true)
            canvas.fill(path, rule: rule, color: MapColor(red: 0, green: UInt8(20 * number), blue: 0))
        }
        return canvas
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `almost nothing shows between joined neighbours, even where four meet`(seed: UInt64) throws {
        let worst = { (rule: Path.FillRule) in
            try Self.canvas(seed, rule).buffer.pixels.reduce(0) { max($0, Pixel(bits: $1).red) }
        }
        // Of four quarters a sixteenth is left.
        #expect(try worst(.evenOddJoined) <= 20 && worst(.evenOdd) > 40)
    }

    @Test func `sharp areas have no intermediate colours`() throws {
        var canvas = Canvas(size: try #require(ImageSize(width: 9, height: 9)), background: .white)
        let path = Path.polyline([Point(x: 0, y: 0), Point(x: 9, y: 2), Point(x: 4, y: 9)], closed: true)
        canvas.fill(path, rule: .evenOddSharp, color: .black)
        #expect(Set(canvas.buffer.pixels) == [Pixel(.white).bits, Pixel(.black).bits])
    }
}
