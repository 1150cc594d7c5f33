import PortolanRaster
import Testing

@Suite struct WarpMeshTests {
    @Test(arguments: [
        (0, 0, 8, 2, 2, 4, true), (0, 0, 0, 2, 2, 4, false), (0, 0, -8, 2, 2, 4, false), (0, 0, 8, 1, 4, 4, false),
        (0, 0, 8, 4, 1, 4, false), (0, 0, 8, 2, 2, 5, false), (0, 0, 8, .max, .max, 1, false),
        (.max, 0, 8, 2, 2, 4, false), (0, .min, 8, 2, 2, 4, false), (0, 0, .max, 3, 2, 6, false),
        (-1 << 40, 0, 1 << 40, 3, 2, 6, true), (0, 0, 1 << 40, 3, 2, 6, false), (-2, -2, .max, 2, 2, 4, false),
    ])
    func `a mesh is made only with matching counts and a lattice within reach`(
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
