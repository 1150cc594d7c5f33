import PortolanFeatures
import PortolanGeo
import PortolanRaster
import TestHelpers
import Testing

/// The shapes that remain in maps of a scale.
@Suite struct SimplifiedShapesTests {
    private static let scale = 4.0

    private static func columns(_ lines: Int, _ rings: Int) -> ShapeColumns {
        var generator = SeededGenerator(seed: 11), columns = ShapeColumns()
        func place(_ index: Int) -> Coordinate {
            Coordinate(
                x: 24.9 + Double(index) * 1e-5 + .random(in: 0...4e-5, using: &generator),
                y: 60.1 + .random(in: 0...4e-5, using: &generator))
        }
        for _ in 0..<lines { _ = columns.append(.lineString((0..<60).map(place))) }
        for _ in 0..<rings {
            let ring = (0..<12).map(place)
            _ = columns.append(.polygon([ring + [ring[0]]]))
        }
        return columns
    }

    private static func projected(
        _ columns: ShapeColumns, _ cache: ProjectedShapeCache = ProjectedShapeCache()
    ) throws -> ProjectedShapes {
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        return try #require(cache.shapes(of: [columns], by: transform).first)
    }

    /// The numbers of the coordinates that are left of a part.
    private static func left(
        _ parts: inout SimplifiedParts, _ number: Int, _ shapes: ProjectedShapes, isRing: Bool = false
    ) -> [Int]? {
        var simplified = SimplifiedLine(), points: [Point] = []
        return parts.part(
            number, of: shapes, isRing: isRing, tolerance: 0.2, longSide: 256, &simplified, &points
        ).map { part in part.range.map { Int(parts.indices[$0]) } }
    }

    @Test func `thinned shapes equal those of direct simplification`() throws {
        let shapes = try Self.projected(Self.columns(20, 20)), thinned = try #require(shapes.thinned)
        var parts = thinned.take(scale: Self.scale, partCount: 40), wasThinned = false
        for number in 0..<40 {
            let range = shapes.columns.range(ofPart: number)
            func point(_ index: Int) -> Point {
                Point(x: shapes.x[index] / Self.scale, y: -shapes.y[index] / Self.scale)
            }
            let all = range.map(point)
            let expected =
                number < 20
                ? LineSimplifier.simplify(all, tolerance: 0.2) : LineSimplifier.simplifyRing(all, tolerance: 0.2)
            let left = Self.left(&parts, number, shapes, isRing: number >= 20)
            #expect(left?.map(point) ?? [] == expected)
            wasThinned = wasThinned || expected.count < all.count
        }
        #expect(wasThinned)
    }

    @Test func `one user at a time takes the cached scale, and all get the same result`() throws {
        let shapes = try Self.projected(Self.columns(5, 0)), thinned = try #require(shapes.thinned)
        var first = thinned.take(scale: Self.scale, partCount: 5)
        let left = (0..<5).map { Self.left(&first, $0, shapes) }
        thinned.giveBack(first)
        var known = thinned.take(scale: Self.scale, partCount: 5), fresh = thinned.take(scale: Self.scale, partCount: 5)
        #expect(!known.indices.isEmpty)
        #expect(fresh.indices.isEmpty)
        #expect((0..<5).map { Self.left(&known, $0, shapes) } == left)
        #expect((0..<5).map { Self.left(&fresh, $0, shapes) } == left)
        #expect(thinned.take(scale: 2 * Self.scale, partCount: 5).indices.isEmpty)
    }

    @Test func `concurrent results are merged, and the scale used longest ago is evicted`() throws {
        let columns = Self.columns(6, 0), shapes = try Self.projected(columns), thinned = try #require(shapes.thinned)
        var one = thinned.take(scale: Self.scale, partCount: 6), other = thinned.take(scale: Self.scale, partCount: 6)
        let left = (0..<6).map { $0 < 4 ? Self.left(&one, $0, shapes) : Self.left(&other, $0, shapes) }
        _ = Self.left(&other, 0, shapes)
        thinned.giveBack(one)
        thinned.giveBack(other)
        var both = thinned.take(scale: Self.scale, partCount: 6)
        let count = both.indices.count
        #expect(count == left.reduce(0) { $0 + ($1?.count ?? 0) })
        #expect((0..<6).map { Self.left(&both, $0, shapes) } == left)
        #expect(both.indices.count == count)
        // Room for one scale and a half.
        let narrow = ProjectedShapeCache(byteBudget: (count * 4 + 6 * 44 + 128) * 6)
        let second = try #require(try Self.projected(columns, narrow).thinned)
        for scale in [Self.scale, Self.scale * 1.001] {
            var parts = second.take(scale: scale, partCount: 6)
            for number in 0..<6 { _ = Self.left(&parts, number, shapes) }
            second.giveBack(parts)
        }
        #expect(second.take(scale: Self.scale, partCount: 6).indices.isEmpty)
        #expect(!second.take(scale: Self.scale * 1.001, partCount: 6).indices.isEmpty)
    }

    @Test func `nothing is cached beyond a quarter of the budget`() throws {
        let columns = Self.columns(5, 0), least = ProjectedShapeCache(byteBudget: 1 << 10)
        for (cache, isKept) in [(ProjectedShapeCache(), true), (least, false)] {
            let shapes = try Self.projected(columns, cache), thinned = try #require(shapes.thinned)
            var parts = thinned.take(scale: Self.scale, partCount: 5)
            for number in 0..<5 { _ = Self.left(&parts, number, shapes) }
            thinned.giveBack(parts)
            #expect(thinned.take(scale: Self.scale, partCount: 5).indices.isEmpty != isKept)
        }
    }

    @Test func `long segments, open rings, points and unprojected shapes are not cached`() throws {
        var columns = ShapeColumns()
        let places = [(24.9, 60.1), (24.90001, 60.1), (25.9, 60.1)].map { Coordinate(longitude: $0.0, latitude: $0.1) }
        _ = columns.append(.lineString(places))
        _ = columns.append(.polygon([places]))
        _ = columns.append(.lineString([places[0], places[0]]))
        let shapes = try Self.projected(columns), thinned = try #require(shapes.thinned)
        var parts = thinned.take(scale: Self.scale, partCount: 3), coarse = thinned.take(scale: 4e3, partCount: 3)
        #expect(Self.left(&parts, 0, shapes) == nil)
        #expect(Self.left(&coarse, 0, shapes) == [0, 2])
        #expect(Self.left(&coarse, 1, shapes, isRing: true) == nil)
        #expect(Self.left(&coarse, 2, shapes) == nil)
        let same = try CoordinateTransform(from: .crs84, to: .crs84)
        #expect(ProjectedShapeCache().shapes(of: [columns], by: same).first?.thinned == nil)
    }
}
