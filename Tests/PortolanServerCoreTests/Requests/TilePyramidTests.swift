import Portolan
import PortolanGeo
import PortolanServerCore
import Testing

@Suite struct TilePyramidTests {
    private func map(_ name: String = "square") async throws -> PublishedMap {
        try await SampleServer().book.map(name)
    }

    @Test func `tiles are numbered level by level, row by row`() async throws {
        let world = try #require(Extent(minX: -180, minY: -90, maxX: 180, maxY: 90))
        let tiles = try TilePyramid(of: try await map(), levels: 0...2, degrees: world, format: .webp, ratio: 2)
        #expect(tiles.count == 1 + 4 + 16)
        #expect(
            (0..<7).map { "\(tiles.tile($0))" } == ["0/0/0", "1/0/0", "1/1/0", "1/0/1", "1/1/1", "2/0/0", "2/1/0"])
        #expect("\(tiles.tile(20))" == "2/3/3")
        let tile = tiles.tile(20)
        #expect(tile.map == "square" && tile.ratio == 2 && tile.format == .webp && tile.grid == "WebMercatorQuad")
    }

    @Test(arguments: [
        // The map shows ten degrees about 0, 0: four tiles from level 1 on, as long as a tile is larger than five degrees.
        ("WebMercatorQuad", 0...3, [1, 4, 4, 4]), ("WebMercatorQuad", 7...7, [16]),
        // One tile is 180 degrees at level 0, two of them the world.
        ("WorldCRS84Quad", 0...1, [2, 4]),
    ])
    func `without an extent the tiles are those of the map`(
        grid: String, levels: ClosedRange<Int>, counts: [Int]
    )
        async throws
    {
        let tiles = try TilePyramid(of: try await map(), grid: grid, levels: levels)
        #expect(tiles.ranges.map(\.count) == counts)
        for number in 0..<tiles.count { _ = try tiles.picture(number, labelReach: 0) }
    }

    @Test func `unknown grids, levels and extents are named`() async throws {
        let map = try await map()
        func facts(_ make: () throws(Problem) -> TilePyramid) -> ProblemFacts? {
            do throws(Problem) {
                _ = try make()
                return nil
            } catch { return ProblemFacts(error) }
        }
        #expect(facts { () throws(Problem) in try TilePyramid(of: map, grid: "none") } == ProblemFacts(404, "grid"))
        #expect(facts { () throws(Problem) in try TilePyramid(of: map, levels: 3...19) } == ProblemFacts(404, "zooms"))
        let pole = Extent(minX: 0, minY: 89, maxX: 1, maxY: 90)
        #expect(facts { () throws(Problem) in try TilePyramid(of: map, degrees: pole) } == ProblemFacts(404, "bbox"))
    }

    @Test func `the name identifies the current tiles, on every worker`() async throws {
        let map = try await map(), other = try await self.map("named")
        func name(_ levels: ClosedRange<Int>, _ reach: Int = 0, ratio: Int = 1) throws -> String {
            try TilePyramid(of: map, levels: levels, ratio: ratio).name(labelReach: reach)
        }
        #expect(try name(0...3) == name(0...3))
        let names = try [
            name(0...3), name(0...4), name(1...3), name(0...3, ratio: 2),
            TilePyramid(of: other, levels: 0...3).name(labelReach: 0),
            TilePyramid(of: other, levels: 0...3).name(labelReach: 64),
        ]
        #expect(Set(names).count == names.count)
    }

    @Test func `providers whose terms forbid seeding are recognised`() async throws {
        func refusal(_ layer: String) async throws -> String? {
            let source = MapSource(name: "m", layers: [layer])
            let map = try await MapBook.open([source], configuration: RendererConfiguration()).map("m")
            return try TilePyramid(of: map, levels: 0...1).refusal?.host
        }
        #expect(try await refusal("xyz:https://tile.openstreetmap.org/{z}/{x}/{y}.png") == "openstreetmap.org")
        #expect(try await refusal("xyz:https://tiles.example.org/{z}/{x}/{y}.png") == nil)
    }
}
