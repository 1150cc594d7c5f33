import PortolanRaster
import Testing

@Suite struct SourceOverTests {
    /// `round(a · b / 255)` in whole numbers: the quotient of the doubled product; halves do not occur.
    private func product(_ a: Int, _ b: Int) -> Int { (2 * a * b + 255) / 510 }

    @Test func `all pairs of alpha blend by the exact formula`() throws {
        let size = try Canvas.size(256, 256)
        var below = PixelBuffer(size: size), above = below
        // Column = alpha above, row = alpha below; channels spread over what alpha allows.
        for y in 0..<256 {
            for x in 0..<256 {
                below[x, y] = Pixel(
                    red: UInt8(y), green: UInt8(y / 2), blue: UInt8(x * y / 255), alpha: UInt8(y))
                above[x, y] = Pixel(
                    red: UInt8(x), green: UInt8(x * y / 255), blue: UInt8(x / 3), alpha: UInt8(x))
            }
        }
        var canvas = Canvas(below)
        canvas.draw(above, atX: 0, y: 0)
        for y in 0..<256 {
            for x in 0..<256 {
                let s = above[x, y], d = below[x, y], rest = 255 - x, result = canvas.buffer[x, y]
                let isExact =
                    Int(result.red) == Int(s.red) + product(Int(d.red), rest)
                    && Int(result.green) == Int(s.green) + product(Int(d.green), rest)
                    && Int(result.blue) == Int(s.blue) + product(Int(d.blue), rest)
                    && Int(result.alpha) == Int(s.alpha) + product(Int(d.alpha), rest)
                if !isExact { Issue.record("alpha \(x) over \(y): \(result)") }
                if max(result.red, result.green, result.blue) > result.alpha { Issue.record("not premultiplied") }
            }
        }
    }

    @Test func `a fill colour of any alpha blends like its premultiplied pixel`() throws {
        for alpha in UInt8.min...UInt8.max {
            var canvas = Canvas(size: try Canvas.size(2, 1), background: MapColor(red: 200, green: 100, blue: 3))
            let color = MapColor(red: 17, green: 250, blue: 128, alpha: alpha), source = Pixel(color)
            canvas.fill(.rectangle(x: 0, y: 0, width: 2, height: 1), color: color)
            let rest = 255 - Int(alpha)
            #expect(Int(canvas.buffer[1, 0].red) == Int(source.red) + product(200, rest))
            #expect(Int(canvas.buffer[1, 0].green) == Int(source.green) + product(100, rest))
            #expect(Int(canvas.buffer[1, 0].blue) == Int(source.blue) + product(3, rest))
            #expect(canvas.alpha(1, 0) == 255)
        }
    }

    @Test func `an opacity multiplies every channel exactly`() throws {
        let size = try Canvas.size(256, 1)
        var image = PixelBuffer(size: size)
        for x in 0..<256 { image[x, 0] = Pixel(red: UInt8(x), green: UInt8(x / 2), blue: 0, alpha: UInt8(x)) }
        for factor in 0...255 {
            var canvas = Canvas(size: size)
            canvas.draw(image, atX: 0, y: 0, opacity: Double(factor) / 255)
            for x in 0..<256 {
                let pixel = canvas.buffer[x, 0]
                if Int(pixel.red) != product(x, factor) || Int(pixel.green) != product(x / 2, factor)
                    || Int(pixel.alpha) != product(x, factor)
                {
                    Issue.record("\(x) · \(factor): \(pixel)")
                }
            }
        }
    }
}

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
    func `each pixel of a run blends by the exact formula, wherever the run ends`(width: Int) throws {
        let background = MapColor(red: 200, green: 100, blue: 3, alpha: 180)
        for alpha in stride(from: 0, through: 255, by: 5) {
            let color = MapColor(red: 17, green: 250, blue: 128, alpha: UInt8(alpha))
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

    @Test func `neighbouring pixels blend by their own coverage`() throws {
        let background = Pixel(MapColor(red: 9, green: 200, blue: 77))
        let color = MapColor(red: 255, green: 1, blue: 30, alpha: 99)
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

    @Test(arguments: [MapColor.clear, .white, MapColor(red: 1, green: 2, blue: 3, alpha: 128)])
    func `clearing gives every pixel the colour`(color: MapColor) throws {
        for (width, height) in [(1, 1), (3, 5), (100, 63)] {
            var canvas = Canvas(size: try Canvas.size(width, height), background: .black)
            canvas.clear(to: color)
            #expect(canvas.buffer.pixels.allSatisfy { $0 == Pixel(color).bits })
        }
    }
}
