import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb
import Testing

@Suite struct ShapefileIndexTests {
    private static let places = [(1.0, 1.0), (2, 2), (3, 3), (4, 4)]

    private func read(_ shapes: [UInt8], _ index: [UInt8]?) throws -> FeatureCollection {
        try Shapefile(name: "x", shapes: shapes, index: index, table: nil, projection: nil, encoding: nil)
            .read(FeatureQuery(), limits: FeatureLimits())
    }

    @Test(arguments: [1, 2, 3], [2, 40, 41, 1000]) func `records after a gap are found by the index`(
        before: Int, count: Int
    ) throws {
        let file = ShapefileSample.points(Self.places, gap: (before, count * 2))
        let collection = try read(file.shapes, file.index)
        #expect(collection.features.map { $0.geometry?.coordinates.first?.x } == [1, 2, 3, 4])
        #expect(!collection.warnings.contains { $0.effect == .omitted })
    }

    @Test func `an index that points outside the file is ignored`() throws {
        let file = ShapefileSample.points(Self.places)
        var index = file.index
        index.replaceSubrange(100..<104, with: ShapefileSample.big(1 << 28))
        #expect(try read(file.shapes, index).features.count == 4)
        #expect(try read(file.shapes, Array(index.prefix(50))).features.count == 4)
        #expect(try read(file.shapes, [1, 2, 3]).features.count == 4)
    }

    @Test func `a damaged record affects only itself`() throws {
        let file = ShapefileSample.points(Self.places, gap: (1, 40))
        var shapes = file.shapes
        // The kind of the third shape.
        shapes.replaceSubrange((100 + 28 * 2 + 40 + 8)..<(100 + 28 * 2 + 40 + 12), with: ShapefileSample.little(8))
        let collection = try read(shapes, file.index)
        #expect(collection.features.map { $0.geometry?.coordinates.first?.x } == [1, 2, nil, 4])
        #expect(collection.warnings.contains { $0.effect == .omitted })
    }
}

@Suite struct ShapePatchTests {
    private func area(_ parts: [(kind: Int, places: [(Double, Double)])]) throws -> Geometry {
        let file = Shapefile(
            name: "x", shapes: ShapefileSample.patch(parts), table: nil, projection: nil, encoding: nil)
        let shape = try file.read(FeatureQuery(), limits: FeatureLimits()).features.first?.geometry
        return try #require(shape)
    }

    private func contains(_ geometry: Geometry, _ x: Double, _ y: Double) -> Bool {
        // By the even-odd rule, as areas are drawn.
        var isInside = false
        for ring in geometry.parts {
            for (one, other) in zip(ring, ring.dropFirst()) where (one.y > y) != (other.y > y) {
                if x < one.x + (y - one.y) / (other.y - one.y) * (other.x - one.x) { isInside.toggle() }
            }
        }
        return isInside
    }

    @Test func `triangle strips and fans fill a rectangle`() throws {
        let strip = try area([(0, [(0, 0), (0, 3), (4, 0), (4, 3)])])
        let fan = try area([(1, [(0, 0), (4, 0), (4, 3), (0, 3)])])
        for shape in [strip, fan] {
            for (x, y) in [(2.0, 0.2), (2, 2.8), (0.2, 1.5), (3.8, 1.5)] { #expect(contains(shape, x, y)) }
            #expect(!contains(shape, 4.1, 1))
            #expect(shape.polygons.count == 1 && shape.parts[0].count == 5)
        }
    }

    @Test func `stacked surfaces cover the ground once, and walls cover nothing`() throws {
        let shape = try area([
            (0, [(0, 0), (0, 3), (4, 0), (4, 3)]), (1, [(1, 1), (3, 1), (3, 2), (1, 2)]),
            (0, [(0, 0), (4, 0), (0, 0), (4, 0)]),
        ])
        #expect(contains(shape, 2, 1.5))
        #expect(contains(shape, 0.5, 0.5))
    }
}
