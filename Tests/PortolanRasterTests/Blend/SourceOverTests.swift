import PortolanRaster
import Testing

@Suite struct SourceOverTests {
    /// `round(a · b / 255)` by whole numbers: the quotient of the doubled product, halves up (there are none).
    private func product(_ a: Int, _ b: Int) -> Int { (2 * a * b + 255) / 510 }

    @Test func `all pairs of alpha blend as the exact rational rule says`() throws {
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

    @Test func `a filled colour of any alpha blends as its premultiplied pixel`() throws {
        for alpha in UInt8.min...UInt8.max {
            var canvas = Canvas(size: try Canvas.size(2, 1), background: Color(red: 200, green: 100, blue: 3))
            let color = Color(red: 17, green: 250, blue: 128, alpha: alpha), source = Pixel(color)
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
