import PortolanRaster
import Testing

/// Distance fields beside distances from formulas.
@Suite struct SignedDistancesTests {
    /// Compares a field with the exact distance at each pixel's centre.
    private static func check(
        _ field: SignedDistances, within tolerance: Int, _ distance: (Double, Double) -> Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for row in 0..<field.height {
            for column in 0..<field.width {
                let expected = SignedDistances.value(distance(Double(column) + 0.5, Double(row) + 0.5))
                let value = field.values[row * field.width + column]
                #expect(
                    abs(Int(value) - Int(expected)) <= tolerance, "column \(column), row \(row)",
                    sourceLocation: sourceLocation)
            }
        }
    }

    /// The signed distance from a rectangle.
    private static func rectangle(_ x: Double, _ y: Double, _ box: Rectangle) -> Double {
        let dx = max(box.minX - x, x - box.maxX), dy = max(box.minY - y, y - box.maxY)
        if dx <= 0, dy <= 0 { return max(dx, dy) }
        return (max(dx, 0) * max(dx, 0) + max(dy, 0) * max(dy, 0)).squareRoot()
    }

    @Test(arguments: [(0.0, 191), (-1, 223), (1, 159), (-2, 255), (-9, 255), (5.96875, 0), (100, 0)])
    func `a pixel of distance is 32 values, and the outline 191`(distance: Double, value: Int) {
        #expect(Int(SignedDistances.value(distance)) == value)
    }

    @Test func `the distances from a rectangle are exact`() throws {
        let box = Rectangle(minX: 3.3, minY: 4.6, maxX: 17.8, maxY: 13.25)
        let path = Path.rectangle(x: box.minX, y: box.minY, width: box.width, height: box.height)
        let field = try #require(SignedDistances(path, left: 0, top: 0, width: 22, height: 18))
        Self.check(field, within: 0) { Self.rectangle($0, $1, box) }
    }

    @Test func `the distances from a ring are those of its circles`() throws {
        var path = Path.circle(center: Point(x: 2, y: -1), radius: 9.5)
        // The other direction cuts a hole.
        path.append(
            Path.circle(center: Point(x: 2, y: -1), radius: 5).transformed(
                by: AffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 4, ty: 0)))
        let field = try #require(SignedDistances(path, left: -12, top: -14, width: 28, height: 26))
        Self.check(field, within: 1) { x, y in
            let radius = ((x - 14) * (x - 14) + (y - 13) * (y - 13)).squareRoot()
            return max(radius - 9.5, 5 - radius)
        }
    }

    @Test func `edges inside the union of overlapping contours have no effect`() throws {
        var path = Path.rectangle(x: 3, y: 6, width: 20, height: 6)
        path.append(.rectangle(x: 10, y: 3, width: 6, height: 20))
        let field = try #require(SignedDistances(path, left: 0, top: 0, width: 26, height: 26))
        let cross = Path.polyline(
            [
                (3, 6), (10, 6), (10, 3), (16, 3), (16, 6), (23, 6), (23, 12), (16, 12), (16, 23), (10, 23), (10, 12),
                (3, 12),
            ].map { Point(x: $0.0, y: $0.1) }, closed: true)
        #expect(field == SignedDistances(cross, left: 0, top: 0, width: 26, height: 26))
    }

    @Test(arguments: [1, 4])
    func `the distances from a mask are near those of its shape`(density: Int) throws {
        let scale = Double(density), size = try #require(ImageSize(width: 20 * density, height: 16 * density))
        var canvas = Canvas(size: size)
        canvas.fill(.circle(center: Point(x: 10 * scale, y: 8 * scale), radius: 6.3 * scale), color: .black)
        let field = try #require(
            SignedDistances(
                coverage: canvas.buffer.pixels.map { UInt8($0 >> 24) }, width: size.width, height: size.height,
                density: density))
        #expect((field.width, field.height) == (26, 22))
        Self.check(field, within: density == 1 ? 18 : 4) { x, y in
            ((x - 13) * (x - 13) + (y - 11) * (y - 11)).squareRoot() - 6.3
        }
    }

    @Test func `a field has a limited size, and an empty shape is far from everything`() throws {
        #expect(SignedDistances(Path(), left: 0, top: 0, width: 0, height: 5) == nil)
        #expect(SignedDistances(Path(), left: 0, top: 0, width: 5, height: 100_000) == nil)
        #expect(SignedDistances(coverage: [], width: 0, height: 0) == nil)
        let field = try #require(SignedDistances(Path(), left: 0, top: 0, width: 4, height: 3))
        #expect(field.values == [UInt8](repeating: 0, count: 12))
    }
}
