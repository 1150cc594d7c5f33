import PortolanRaster
import Testing

@Suite struct CanvasWarpTests {
    private static func gradient(_ width: Int, _ height: Int) throws -> PixelBuffer {
        var image = PixelBuffer(size: try Canvas.size(width, height))
        for y in 0..<height {
            for x in 0..<width { image[x, y] = Pixel(red: UInt8(x * 4), green: UInt8(y * 4), blue: 7, alpha: 255) }
        }
        return image
    }

    private static func mesh(
        originX: Int, originY: Int, spacing: Int, columns: Int, rows: Int, _ source: (Point) -> Point?
    ) -> WarpMesh? {
        var sources: [Point?] = []
        for row in 0..<rows {
            for column in 0..<columns {
                sources.append(
                    source(Point(x: Double(originX + column * spacing), y: Double(originY + row * spacing))))
            }
        }
        return WarpMesh(
            originX: originX, originY: originY, spacing: spacing, columns: columns, rows: rows, sources: sources)
    }

    @Test(arguments: [(0, 0, 8), (-13, -5, 7), (3, 9, 16), (-100, -100, 50)])
    func `a mesh that shifts equals a shifted image`(originX: Int, originY: Int, spacing: Int) throws {
        let image = try Self.gradient(60, 60)
        let mesh = try #require(
            Self.mesh(originX: originX, originY: originY, spacing: spacing, columns: 8, rows: 8) {
                Point(x: $0.x + 5, y: $0.y - 2)
            })
        var warped = try Canvas.clear(40, 40), drawn = warped
        warped.draw(image, through: mesh)
        drawn.draw(image, atX: -5, y: 2)
        for y in 0..<40 {
            for x in 0..<40 {
                let isInside =
                    (originX..<(originX + 7 * spacing)).contains(x)
                    && (originY..<(originY + 7 * spacing)).contains(y)
                #expect(warped.buffer[x, y] == (isInside ? drawn.buffer[x, y] : .clear), "\(x) \(y)")
            }
        }
    }

    @Test(arguments: [0.7, 2.5, 0.2])
    func `an affine mesh equals the affine transform`(scale: Double) throws {
        let image = try Self.gradient(60, 60)
        let transform = AffineTransform(a: scale, b: 0.1, c: -0.1, d: scale, tx: 6, ty: 3)
        let inverse = try #require(transform.inverse)
        let mesh = try #require(
            Self.mesh(originX: -2, originY: -2, spacing: 11, columns: 6, rows: 6) { inverse($0) })
        var warped = try Canvas.clear(40, 40), drawn = warped
        warped.draw(image, through: mesh, opacity: 0.5)
        drawn.draw(image, transform: transform, opacity: 0.5)
        for (a, b) in zip(warped.buffer.pixels, drawn.buffer.pixels) {
            let p = Pixel(bits: a), q = Pixel(bits: b)
            #expect(p.alpha == q.alpha)
            #expect(abs(Int(p.red) - Int(q.red)) <= 1)
            #expect(abs(Int(p.green) - Int(q.green)) <= 1)
        }
    }

    @Test func `a cell with a missing node is not painted`() throws {
        let image = PixelBuffer(size: try Canvas.size(64, 64), filledWith: Pixel(.black))
        for missing in [nil, Point(x: .nan, y: 0), Point(x: 0, y: .infinity)] as [Point?] {
            let mesh = try #require(
                Self.mesh(originX: 0, originY: 0, spacing: 4, columns: 4, rows: 4) {
                    $0 == Point(x: 4, y: 4) ? missing : $0
                })
            var canvas = try Canvas.clear(12, 12)
            canvas.draw(image, through: mesh)
            for y in 0..<12 {
                for x in 0..<12 { #expect(canvas.alpha(x, y) == (x < 8 && y < 8 ? 0 : 255)) }
            }
        }
    }

    @Test func `positions outside the image are not painted, however far`() throws {
        let image = PixelBuffer(size: try Canvas.size(4, 4), filledWith: Pixel(.black))
        let mesh = try #require(
            Self.mesh(originX: 0, originY: 0, spacing: 6, columns: 3, rows: 3) {
                Point(x: $0.x * 1e300, y: $0.y * -1e300)
            })
        var canvas = try Canvas.clear(12, 12)
        canvas.draw(image, through: mesh)
        #expect(canvas.buffer == PixelBuffer(size: canvas.size))
    }
}
