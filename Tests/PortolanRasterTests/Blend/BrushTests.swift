import PortolanRaster
import Testing

@Suite struct BrushTests {
    /// `round(a · b / 255)` by whole numbers.
    private func product(_ a: Int, _ b: Int) -> Int { (2 * a * b + 255) / 510 }

    private func check(_ pixel: Pixel, _ source: Pixel, _ coverage: Int, over below: Pixel) -> Bool {
        let rest = 255 - product(Int(source.alpha), coverage)
        func isExact(_ result: UInt8, _ source: UInt8, _ below: UInt8) -> Bool {
            Int(result) == product(Int(source), coverage) + product(Int(below), rest)
        }
        return isExact(pixel.red, source.red, below.red) && isExact(pixel.green, source.green, below.green)
            && isExact(pixel.blue, source.blue, below.blue) && isExact(pixel.alpha, source.alpha, below.alpha)
    }

    @Test(arguments: 1...14)
    func `each pixel of a run is blended as the exact rational rule says, wherever the run ends`(width: Int) throws {
        let background = Color(red: 200, green: 100, blue: 3, alpha: 180)
        for alpha in stride(from: 0, through: 255, by: 5) {
            let color = Color(red: 17, green: 250, blue: 128, alpha: UInt8(alpha))
            for part in [0.1, 0.5, 0.999, 1] {
                for start in [0, 1, 3] where start < width {
                    var canvas = Canvas(size: try Canvas.size(width, 1), background: background)
                    canvas.fill(.rectangle(x: Double(start), y: 0, width: 99, height: part), color: color)
                    let coverage = Int(part * 255 + 0.5)
                    for x in 0..<width {
                        let isRight = check(
                            canvas.buffer[x, 0], Pixel(color), x < start ? 0 : coverage, over: Pixel(background))
                        if !isRight { Issue.record("\(x) of \(width), \(color), \(part): \(canvas.buffer[x, 0])") }
                    }
                }
            }
        }
    }

    @Test func `neighbours with coverage of their own are blended each by its own`() throws {
        let background = Pixel(Color(red: 9, green: 200, blue: 77))
        let color = Color(red: 255, green: 1, blue: 30, alpha: 99)
        // One pixel column a step higher than the one before it.
        for width in [4, 7, 8, 40] {
            var path = Path()
            for x in 0..<width {
                path.append(.rectangle(x: Double(x), y: 0, width: 1, height: Double(x % 11) / 10))
            }
            var canvas = try Canvas.clear(width, 1)
            canvas.clear(to: background.color)
            canvas.fill(path, color: color)
            for x in 0..<width {
                let coverage = Int(Double(x % 11) / 10 * 255 + 0.500_000_001)
                if !check(canvas.buffer[x, 0], Pixel(color), coverage, over: background) {
                    Issue.record("\(x) of \(width): \(canvas.buffer[x, 0])")
                }
            }
        }
    }

    @Test(arguments: [Color.clear, .white, Color(red: 1, green: 2, blue: 3, alpha: 128)])
    func `clearing gives every pixel the colour, whatever was there`(color: Color) throws {
        for (width, height) in [(1, 1), (3, 5), (100, 63)] {
            var canvas = Canvas(size: try Canvas.size(width, height), background: .black)
            canvas.clear(to: color)
            #expect(canvas.buffer.pixels.allSatisfy { $0 == Pixel(color).bits })
        }
    }
}
