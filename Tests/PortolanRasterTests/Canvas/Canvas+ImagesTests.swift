import PortolanRaster
import TestHelpers
import Testing

@Suite struct CanvasImagesTests {
    private static func noise(_ width: Int, _ height: Int, isOpaque: Bool, seed: UInt64) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: seed)
        var image = PixelBuffer(size: try Canvas.size(width, height))
        for y in 0..<height {
            for x in 0..<width {
                image[x, y] = Pixel(
                    MapColor(
                        red: .random(in: 0...255, using: &generator), green: .random(in: 0...255, using: &generator),
                        blue: .random(in: 0...255, using: &generator),
                        alpha: isOpaque ? 255 : .random(in: 0...255, using: &generator)))
            }
        }
        return image
    }

    @Test(arguments: [(0, 0), (3, 2), (-4, -3), (9, 9), (-6, 0), (100, 0), (0, -100)])
    func `an aligned opaque picture is copied byte for byte and clipped`(x: Int, y: Int) throws {
        let image = try Self.noise(7, 5, isOpaque: true, seed: 1)
        let background = MapColor(red: 1, green: 2, blue: 3)
        var drawn = Canvas(size: try Canvas.size(10, 10), background: background), copied = drawn, moved = drawn
        drawn.draw(image, atX: x, y: y)
        copied.copy(image, atX: x, y: y)
        moved.draw(image, transform: .translation(x: Double(x), y: Double(y)))
        for row in 0..<10 {
            for column in 0..<10 {
                let inside = (0..<7).contains(column - x) && (0..<5).contains(row - y)
                #expect(drawn.buffer[column, row] == (inside ? image[column - x, row - y] : Pixel(background)))
            }
        }
        #expect(drawn.buffer == copied.buffer)
        #expect(drawn.buffer == moved.buffer)
    }

    @Test(arguments: [Int.max, .min, .max - 3, .min + 3, 1 << 40])
    func `images outside the canvas draw nothing`(place: Int) throws {
        let image = try Self.noise(7, 5, isOpaque: true, seed: 1)
        var canvas = try Canvas.clear(4, 4)
        canvas.draw(image, atX: place, y: 0)
        canvas.draw(image, atX: 0, y: place)
        canvas.copy(image, atX: place, y: place)
        #expect(canvas.buffer == PixelBuffer(size: canvas.size))
    }

    @Test func `copy replaces and draw blends`() throws {
        let clear = PixelBuffer(size: try Canvas.size(2, 2))
        var canvas = Canvas(size: try Canvas.size(2, 2), background: .white)
        canvas.draw(clear, atX: 0, y: 0)
        #expect(canvas.alpha(0, 0) == 255)
        canvas.copy(clear, atX: 1, y: 1)
        #expect(canvas.alpha(0, 0) == 255)
        #expect(canvas.alpha(1, 1) == 0)
    }

    @Test(arguments: [(-1.0, 0), (0, 0), (.nan, 0), (0.5, 128), (1, 255), (7, 255)])
    func `opacity is clamped`(opacity: Double, alpha: Int) throws {
        let image = PixelBuffer(size: try Canvas.size(2, 2), filledWith: Pixel(.black))
        var canvas = try Canvas.clear(2, 2)
        canvas.draw(image, atX: 0, y: 0, opacity: opacity)
        #expect(canvas.alpha(1, 1) == alpha)
        var scaled = try Canvas.clear(2, 2)
        scaled.draw(image, transform: .scale(x: 2, y: 2), opacity: opacity)
        #expect(scaled.alpha(1, 1) == alpha)
    }

    @Test func `a picture of one colour gives exactly that colour at any scale and rotation`() throws {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<400 {
            let pixel = Pixel(
                MapColor(
                    red: .random(in: 0...255, using: &generator), green: .random(in: 0...255, using: &generator),
                    blue: .random(in: 0...255, using: &generator), alpha: .random(in: 1...255, using: &generator)))
            let size = try Canvas.size(
                .random(in: 1...40, using: &generator), .random(in: 1...40, using: &generator))
            let x = Double.random(in: 0.02...6, using: &generator), turn = Double.random(in: -2...2, using: &generator)
            let transform = AffineTransform(
                a: x, b: x * turn, c: -x * turn, d: x * .random(in: 0.3...3, using: &generator),
                tx: .random(in: -5...30, using: &generator), ty: .random(in: -5...30, using: &generator))
            var canvas = try Canvas.clear(32, 32)
            canvas.draw(PixelBuffer(size: size, filledWith: pixel), transform: transform)
            #expect(canvas.buffer.pixels.allSatisfy { $0 == 0 || $0 == pixel.bits })
            let inverse = try #require(transform.inverse)
            for row in 0..<32 {
                for column in 0..<32 {
                    let place = inverse(Point(x: Double(column) + 0.5, y: Double(row) + 0.5))
                    let depth = min(
                        place.x, place.y, Double(size.width) - place.x, Double(size.height) - place.y)
                    // Within a thousandth of the edge either is right.
                    if abs(depth) > 0.001 { #expect((canvas.buffer[column, row] == pixel) == (depth > 0)) }
                }
            }
        }
    }

    @Test func `quarter turns and flips move pixels without changing them`() throws {
        let image = try Self.noise(6, 4, isOpaque: false, seed: 3)
        var canvas = try Canvas.clear(4, 6)
        canvas.draw(image, transform: AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 4, ty: 0))
        var flipped = try Canvas.clear(6, 4)
        flipped.draw(image, transform: AffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 6, ty: 0))
        for y in 0..<4 {
            for x in 0..<6 {
                #expect(canvas.buffer[3 - y, x] == image[x, y])
                #expect(flipped.buffer[5 - x, y] == image[x, y])
            }
        }
    }

    @Test func `interpolation is bilinear between pixel centres and flat at the edges`() throws {
        var image = PixelBuffer(size: try Canvas.size(2, 1))
        image[0, 0] = Pixel(red: 0, green: 200, blue: 0, alpha: 200)
        image[1, 0] = Pixel(red: 100, green: 0, blue: 0, alpha: 100)
        var canvas = try Canvas.clear(8, 1)
        canvas.draw(image, transform: .scale(x: 4, y: 1))
        // Centres at 1/8, 3/8, …: weights of the second pixel 0, 0, 1/8, 3/8, 5/8, 7/8, 1, 1.
        let red = (0..<8).map { Int(canvas.buffer[$0, 0].red) }, green = (0..<8).map { Int(canvas.buffer[$0, 0].green) }
        #expect(red == [0, 0, 13, 38, 63, 88, 100, 100])
        #expect(green == [200, 200, 175, 125, 75, 25, 0, 0])
        #expect((0..<8).map { canvas.alpha($0, 0) } == [200, 200, 188, 163, 138, 113, 100, 100])
    }

    @Test func `premultiplied colours stay premultiplied`() throws {
        let image = try Self.noise(16, 16, isOpaque: false, seed: 11)
        for scale in [0.23, 0.5, 0.77, 1.9] {
            var canvas = try Canvas.clear(40, 40)
            canvas.draw(image, transform: AffineTransform(a: scale, b: 0.2, c: -0.3, d: scale, tx: 6, ty: 1))
            #expect(
                canvas.buffer.pixels.allSatisfy {
                    let pixel = Pixel(bits: $0)
                    return max(pixel.red, pixel.green, pixel.blue) <= pixel.alpha
                })
        }
    }

    @Test(arguments: [0.3, 0.25, 0.11, 0.5])
    func `a fine checkerboard shrinks to grey`(scale: Double) throws {
        var image = PixelBuffer(size: try Canvas.size(120, 120), filledWith: Pixel(.white))
        for y in 0..<120 {
            for x in 0..<120 where (x + y).isMultiple(of: 2) { image[x, y] = Pixel(.black) }
        }
        var canvas = try Canvas.clear(60, 60)
        canvas.draw(image, transform: AffineTransform(a: scale, b: 0, c: 0, d: scale, tx: 0.3, ty: 0.2))
        let side = Int(120 * scale)
        for y in 1..<(side - 1) {
            for x in 1..<(side - 1) {
                #expect(abs(Int(canvas.buffer[x, y].red) - 128) <= 15)
            }
        }
    }

    @Test func `reducing by whole factors gives rounded means`() throws {
        let image = try Self.noise(12, 9, isOpaque: false, seed: 5)
        var canvas = try Canvas.clear(4, 3)
        canvas.draw(image, transform: .scale(x: 1.0 / 3, y: 1.0 / 3))
        for y in 0..<3 {
            for x in 0..<4 {
                var sum = 0
                for row in 0..<3 {
                    for column in 0..<3 { sum += Int(image[x * 3 + column, y * 3 + row].green) }
                }
                #expect(Int(canvas.buffer[x, y].green) == (2 * sum + 9) / 18)
            }
        }
    }

    @Test func `adjacent images leave no gap at any scale`() throws {
        var generator = SeededGenerator(seed: 6)
        let tile = PixelBuffer(size: try Canvas.size(16, 16), filledWith: Pixel(.black))
        for _ in 0..<40 {
            let scale = Double.random(in: 0.1...3, using: &generator),
                shear = Double.random(in: -0.5...0.5, using: &generator)
            let map = AffineTransform(
                a: scale, b: shear, c: -shear, d: scale, tx: .random(in: -9...9, using: &generator), ty: -5.5)
            var canvas = try Canvas.clear(30, 30)
            for row in -12..<60 {
                for column in -12..<60 {
                    let place = AffineTransform.translation(x: Double(column * 16), y: Double(row * 16)).then(map)
                    let corners = [(0.0, 0.0), (16, 0), (0, 16), (16, 16)].map { place(Point(x: $0.0, y: $0.1)) }
                    guard corners.contains(where: { $0.x > -60 && $0.x < 90 && $0.y > -60 && $0.y < 90 }) else {
                        continue
                    }
                    canvas.draw(tile, transform: place)
                }
            }
            #expect(canvas.area == 900, "\(map)")
        }
    }

    @Test(arguments: [1.1, 0.7, 1.3, 2.1, 0.9])
    func `edges near pixel centres leave no gap despite rounding`(scale: Double) throws {
        let tile = PixelBuffer(size: try Canvas.size(5, 1), filledWith: Pixel(.black))
        var canvas = try Canvas.clear(300, 1)
        for column in 0..<100 {
            let offset = Double(column * 5) * scale
            canvas.draw(tile, transform: AffineTransform(a: scale, b: 0, c: 0, d: 1, tx: offset, ty: 0))
        }
        #expect(canvas.area == min(500 * scale, 300).rounded())
    }

    @Test func `smooth edges fade by coverage, and stay sharp at whole pixels`() throws {
        let symbol = PixelBuffer(size: try Canvas.size(4, 4), filledWith: Pixel(.black))
        var canvas = try Canvas.clear(8, 8)
        canvas.draw(symbol, transform: .translation(x: 1.25, y: 2), edges: .smooth)
        #expect((0..<8).map { canvas.alpha($0, 3) } == [0, 191, 255, 255, 255, 64, 0, 0])
        #expect((0..<8).map { canvas.alpha(3, $0) } == [0, 0, 255, 255, 255, 255, 0, 0])
        var aligned = try Canvas.clear(8, 8), plain = aligned
        aligned.draw(symbol, transform: .translation(x: 1, y: 2), edges: .smooth)
        plain.draw(symbol, atX: 1, y: 2)
        #expect(aligned.buffer == plain.buffer)
    }

    @Test func `extreme transforms never crash or hang`() throws {
        let image = try Self.noise(5, 5, isOpaque: false, seed: 8)
        let wild = [
            0, 1, -1, 1e300, -1e300, 1e-300, .infinity, -.infinity, .nan, 0.5, 1e9, 3e-7, .greatestFiniteMagnitude,
        ]
        var generator = SeededGenerator(seed: 10), canvas = try Canvas.clear(8, 8)
        for round in 0..<4000 {
            let v = (0..<6).map { _ in wild.randomElement(using: &generator) ?? 0 }
            canvas.draw(
                image, transform: AffineTransform(a: v[0], b: v[1], c: v[2], d: v[3], tx: v[4], ty: v[5]),
                edges: round.isMultiple(of: 2) ? .clamped : .smooth)
        }
        // Nothing of them is left in the canvas.
        var black = try Canvas.clear(8, 8)
        black.fill(.rectangle(x: 0, y: 0, width: 8, height: 8), color: .black)
        canvas.fill(.rectangle(x: 0, y: 0, width: 8, height: 8), color: .black)
        #expect(canvas.buffer == black.buffer)
    }
}
