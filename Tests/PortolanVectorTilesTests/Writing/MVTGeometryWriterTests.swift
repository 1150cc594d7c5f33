import PortolanVectorTiles
import Testing

@Suite struct MVTGeometryWriterTests {
    private typealias Vertex = MVTGeometryWriter.Vertex

    private static func vertices(_ numbers: [Int32]) -> [Vertex] {
        stride(from: 0, to: numbers.count, by: 2).map { Vertex(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    // The examples of the specification, sections 4.3.5.1 to 4.3.5.6; all numbers take one byte.
    @Test(arguments: [([25, 17], [9, 50, 34]), ([5, 7, 3, 2], [17, 10, 14, 3, 9])] as [([Int32], [UInt8])])
    func `points are written as in the examples of the specification`(points: [Int32], bytes: [UInt8]) {
        var writer = MVTGeometryWriter()
        writer.addPoints(Self.vertices(points))
        #expect(writer.bytes == bytes)
    }

    @Test(
        arguments: [
            ([[2, 2, 2, 10, 10, 10]], [9, 4, 4, 18, 0, 16, 16, 0]),
            ([[2, 2, 2, 10, 10, 10], [1, 1, 3, 5]], [9, 4, 4, 18, 0, 16, 16, 0, 9, 17, 17, 10, 4, 8]),
        ] as [([[Int32]], [UInt8])])
    func `lines are written as in the examples of the specification`(lines: [[Int32]], bytes: [UInt8]) {
        var writer = MVTGeometryWriter()
        for line in lines {
            let isWritten = writer.addLine(Self.vertices(line))
            #expect(isWritten)
        }
        #expect(writer.bytes == bytes)
    }

    private static let polygons: [([([Int32], Bool)], [UInt8])] = [
        ([([3, 6, 8, 12, 20, 34, 3, 6], false)], [9, 6, 12, 18, 10, 12, 24, 44, 15]),
        (
            [
                ([0, 0, 10, 0, 10, 10, 0, 10], false), ([11, 11, 20, 11, 20, 20, 11, 20], false),
                ([13, 13, 13, 17, 17, 17, 17, 13], true),
            ],
            [
                9, 0, 0, 26, 20, 0, 0, 20, 19, 0, 15, 9, 22, 2, 26, 18, 0, 0, 18, 17, 0, 15, 9, 4, 13, 26, 0, 8, 8, 0,
                0, 7, 15,
            ]
        ),
    ]

    @Test(arguments: polygons)
    func `rings are written as in the examples of the specification`(rings: [([Int32], Bool)], bytes: [UInt8]) {
        var writer = MVTGeometryWriter()
        for (ring, isHole) in rings {
            let isWritten = writer.addRing(Self.vertices(ring), isHole: isHole)
            #expect(isWritten)
        }
        #expect(writer.bytes == bytes)
    }

    @Test(arguments: [false, true]) func `the winding of a ring follows its role, whatever its direction`(isHole: Bool)
    {
        let ring = Self.vertices([0, 0, 10, 0, 10, 10, 0, 12])
        for given in [ring, ring.reversed()] {
            var writer = MVTGeometryWriter()
            _ = writer.addRing(given, isHole: isHole)
            var vocabulary = MVTVocabulary()
            _ = vocabulary.key("unused")
            var layer = MVTLayerWriter(name: "a", vocabulary: vocabulary), tile: [UInt8] = []
            layer.add(id: nil, .polygons, tags: [], geometry: writer.bytes[...])
            layer.finish(into: &tile)
            let area = (try? VectorTile(tile))?.layers.first?.geometry.doubleArea(of: 0)
            #expect(area == (isHole ? -220 : 220))
        }
    }

    @Test(
        arguments: [
            [5, 5, 5, 5], [5, 5, 9, 9, 5, 5], [0, 0, 4, 0, 8, 0, 0, 0], [0, 0, 4, 4, 2, 2, 4, 4], [], [1, 1],
        ] as [[Int32]])
    func `rings without an area are left out`(numbers: [Int32]) {
        var writer = MVTGeometryWriter()
        let isWritten = writer.addRing(Self.vertices(numbers), isHole: false)
        #expect(!isWritten)
        #expect(writer.bytes.isEmpty)
    }

    @Test func `lines without a length are left out`() {
        var writer = MVTGeometryWriter()
        let areWritten = [writer.addLine(Self.vertices([7, 7, 7, 7])), writer.addLine([])]
        #expect(areWritten == [false, false])
        #expect(writer.bytes.isEmpty)
    }

    @Test func `vertices on straight lines are omitted, but a line that turns back keeps its end`() {
        var straight = MVTGeometryWriter(), short = MVTGeometryWriter(), back = MVTGeometryWriter()
        _ = straight.addLine(Self.vertices([0, 0, 3, 0, 3, 0, 9, 0, 9, 5]))
        _ = short.addLine(Self.vertices([0, 0, 9, 0, 9, 5]))
        #expect(straight.bytes == short.bytes)
        _ = back.addLine(Self.vertices([0, 0, 9, 0, 4, 0]))
        #expect(back.bytes == [9, 0, 0, 18, 18, 0, 9, 0])
        var ring = MVTGeometryWriter(), square = MVTGeometryWriter()
        _ = ring.addRing(Self.vertices([5, 0, 10, 0, 10, 10, 14, 10, 10, 10, 0, 10, 0, 0]), isHole: false)
        _ = square.addRing(Self.vertices([10, 0, 10, 10, 0, 10, 0, 0]), isHole: false)
        #expect(ring.bytes == square.bytes)
    }

    @Test func `coordinates at both ends of their range come back`() throws {
        let far = Self.vertices([.min, .max, .max, .min, 0, 0])
        var writer = MVTGeometryWriter()
        writer.addPoints(far)
        var layer = MVTLayerWriter(name: "a", vocabulary: MVTVocabulary()), tile: [UInt8] = []
        layer.add(id: nil, .points, tags: [], geometry: writer.bytes[...])
        layer.finish(into: &tile)
        let geometry = try VectorTile(tile).layers[0].geometry
        #expect(geometry.coordinates == far.flatMap { [$0.x, $0.y] })
    }
}
