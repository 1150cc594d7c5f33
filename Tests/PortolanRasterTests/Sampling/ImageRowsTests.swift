import PortolanRaster
import TestHelpers
import Testing

@Suite struct ImageRowsTests {
    /// Bilinear interpolation in floating point, with what is outside clear or the nearest pixel.
    private func value(
        _ image: PixelBuffer, _ x: Double, _ y: Double, _ edges: PaintImage.Edges, _ shift: UInt32
    ) -> Double {
        let column = (x - 0.5).rounded(.down), row = (y - 0.5).rounded(.down)
        let fx = x - 0.5 - column, fy = y - 0.5 - row
        func channel(_ column: Int, _ row: Int) -> Double {
            let isInside = column >= 0 && row >= 0 && column < image.width && row < image.height
            if !isInside, edges == .smooth { return 0 }
            let pixel = image[min(max(column, 0), image.width - 1), min(max(row, 0), image.height - 1)]
            return Double(pixel.bits >> shift & 255)
        }
        let left = Int(column), top = Int(row)
        return (channel(left, top) * (1 - fx) + channel(left + 1, top) * fx) * (1 - fy)
            + (channel(left, top + 1) * (1 - fx) + channel(left + 1, top + 1) * fx) * fy
    }

    @Test(arguments: [PaintImage.Edges.clamped, .smooth])
    func `scaled, shifted and flipped pictures are bilinear at every pixel`(edges: PaintImage.Edges) throws {
        var generator = SeededGenerator(seed: 21)
        for round in 0..<150 {
            let size = try Canvas.size(.random(in: 1...19, using: &generator), .random(in: 1...9, using: &generator))
            var image = PixelBuffer(size: size)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    image[x, y] = Pixel(
                        MapColor(
                            red: .random(in: 0...255, using: &generator),
                            green: .random(in: 0...255, using: &generator),
                            blue: .random(in: 0...255, using: &generator),
                            alpha: .random(in: 0...255, using: &generator)))
                }
            }
            let scale = round.isMultiple(of: 3) ? 1 : Double.random(in: 0.55...4, using: &generator)
            let transform = AffineTransform(
                a: round.isMultiple(of: 2) ? scale : -scale, b: 0, c: 0,
                d: round.isMultiple(of: 5) ? -scale : scale * 1.1,
                tx: .random(in: -10...30, using: &generator), ty: .random(in: -5...20, using: &generator))
            let inverse = try #require(transform.inverse)
            var canvas = try Canvas.clear(27, 18)
            canvas.draw(image, transform: transform, edges: edges)
            let margin = edges == .smooth ? 0.5 : 0
            for row in 0..<18 {
                for column in 0..<27 {
                    let place = inverse(Point(x: Double(column) + 0.5, y: Double(row) + 0.5))
                    let depth = min(
                        place.x + margin, place.y + margin, Double(size.width) + margin - place.x,
                        Double(size.height) + margin - place.y)
                    // Within a thousandth of the edge either is right.
                    if abs(depth) < 0.001 { continue }
                    for shift: UInt32 in [0, 8, 16, 24] {
                        let expected = depth > 0 ? value(image, place.x, place.y, edges, shift) : 0
                        let difference = abs(Double(canvas.buffer[column, row].bits >> shift & 255) - expected)
                        // Places are rounded to 256ths of a pixel, half of one in each direction, and the result too.
                        if difference > 1.51 { Issue.record("\(column) \(row): \(difference), \(transform)") }
                    }
                }
            }
        }
    }
}

@Suite struct WarpMeshTests {
    @Test(arguments: [
        (0, 0, 8, 2, 2, 4, true), (0, 0, 0, 2, 2, 4, false), (0, 0, -8, 2, 2, 4, false), (0, 0, 8, 1, 4, 4, false),
        (0, 0, 8, 4, 1, 4, false), (0, 0, 8, 2, 2, 5, false), (0, 0, 8, .max, .max, 1, false),
        (.max, 0, 8, 2, 2, 4, false), (0, .min, 8, 2, 2, 4, false), (0, 0, .max, 3, 2, 6, false),
        (-1 << 40, 0, 1 << 40, 3, 2, 6, true), (0, 0, 1 << 40, 3, 2, 6, false), (-2, -2, .max, 2, 2, 4, false),
    ])
    func `a mesh needs matching counts and a lattice within bounds`(
        x: Int, y: Int, spacing: Int, columns: Int, rows: Int, count: Int, isValid: Bool
    ) throws {
        let mesh = WarpMesh(
            originX: x, originY: y, spacing: spacing, columns: columns, rows: rows,
            sources: [Point?](repeating: Point(x: 1, y: 1), count: count))
        #expect((mesh != nil) == isValid)
        guard let mesh else { return }
        var canvas = try Canvas.clear(5, 5)
        canvas.draw(PixelBuffer(size: try Canvas.size(2, 2), filledWith: Pixel(.black)), through: mesh)
        #expect(canvas.alpha(2, 2) == 255)
    }
}
