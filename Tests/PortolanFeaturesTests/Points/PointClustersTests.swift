import PortolanGeo
import Testing

@testable import PortolanFeatures

/// Against supercluster 8.0.1, run over the same points.
@Suite struct PointClustersTests {
    /// Points of a linear congruential generator, two thirds of them around one place.
    private static let table: PointTable = {
        var state: UInt64 = 1
        func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / 0x1p53
        }
        let features = (0..<3000).map { number -> Feature in
            var x = next() * 340 - 170, y = next() * 150 - 75
            if number % 3 > 0 {
                x = 10 + x / 170
                y = 50 + y / 75
            }
            return Feature(geometry: .point(Coordinate(x: x, y: y)), properties: ["i": .integer(number)])
        }
        return PointTable(FeatureCollection(features: features))
    }()

    private static let wide = PointClusters.Options(radius: 50, maximumZoom: 16)
    private static let few = PointClusters.Options(radius: 40, maximumZoom: 12, minimumPointCount: 5)

    @Test(arguments: [
        (wide, 0, 35, 34, 2059, 3033, 10.0802, 49.9882), (wide, 2, 370, 242, 2003, 3035, 9.9937, 50.0063),
        (wide, 4, 878, 119, 2000, 3037, 9.9936, 50.0061), (wide, 6, 1011, 15, 362, 3039, 10.2742, 49.6974),
        (wide, 8, 1170, 164, 29, 5217, 9.7393, 49.0875), (wide, 10, 2222, 508, 6, 35939, 10.5974, 50.3543),
        (wide, 12, 2929, 67, 3, 32805, 10.6998, 49.5668), (wide, 14, 2992, 8, 2, 21799, 10.4266, 49.3458),
        // Of clusters of five the levels 0 and 8 are not compared: what is left over goes on in the order of supercluster's tree.
        (few, 2, 839, 34, 2002, 3067, 9.9971, 50.0055),
        (few, 4, 1001, 1, 2000, 3037, 9.9936, 50.0061), (few, 6, 1020, 19, 220, 3199, 9.5072, 50.4917),
        (few, 10, 2988, 3, 5, 40131, 10.6029, 50.3582),
    ])
    func `clusters are those of supercluster`(
        _ options: PointClusters.Options, _ zoom: Int, _ count: Int, _ clusterCount: Int, _ largest: Int, _ id: Int,
        _ longitude: Double, _ latitude: Double
    ) throws {
        let items = Self.table.clusters(options).items(at: zoom)
        #expect(items.count == count && items.count { $0.count > 1 } == clusterCount)
        #expect(items.reduce(0) { $0 + $1.count } == 3000 && items.map(\.count).max() == largest)
        let item = try #require(items.first { $0.id == id })
        #expect(item.count == largest)
        #expect(abs(item.place.x - longitude) < 1e-4 && abs(item.place.y - latitude) < 1e-4)
    }

    @Test func `a zoom is the same whether coarser ones were asked for before, and so is a part of it`() throws {
        let (forward, backward) = (PointClusters(Self.table, Self.wide), PointClusters(Self.table, Self.wide))
        let down = (0...17).reversed().map { forward.items(at: $0) }, up = (0...17).map { backward.items(at: $0) }
        #expect(down.reversed() == up)
        let extent = try #require(Extent(minX: 9, minY: 49, maxX: 10, maxY: 50))
        for (zoom, items) in up.enumerated() {
            #expect(backward.items(at: zoom, in: [extent]) == items.filter { extent.contains($0.place) })
            #expect(backward.items(at: zoom, in: []).isEmpty)
        }
    }

    @Test func `beyond the largest zoom there are points alone, each with its own properties`() {
        let items = Self.table.clusters(Self.few).items(at: 13)
        #expect(items.count == 3000 && items.allSatisfy { $0.count == 1 })
        let numbers = items.flatMap { Self.table.features(of: [$0.id]) }.map { $0.properties["i"]?.integerValue }
        #expect(numbers == (0..<3000).map { $0 })
    }

    @Test func `points at the poles and without a place do no harm`() {
        let places = [
            Coordinate(x: 0, y: 90), Coordinate(x: 0, y: -90), Coordinate(x: 400, y: 10), Coordinate(x: -180, y: 95),
        ]
        let table = PointTable(FeatureCollection(features: places.map { Feature(geometry: .point($0)) }))
        #expect(table.clusters(Self.wide).items(at: 0).reduce(0) { $0 + $1.count } == 4)
        #expect(PointTable(FeatureCollection(features: [])).clusters(Self.wide).items(at: 3).isEmpty)
        let tiny = PointClusters.Options(radius: 1e-300)
        #expect(table.clusters(tiny).items(at: 0).count == 4)
    }

    /// The scheme as it is told, each compared with each: of each zoom what every cluster stands for, and its identifier.
    private static func gathered(_ places: [(x: Double, y: Double)], _ options: PointClusters.Options) -> [[[Int]]] {
        var levels: [[[Int]]] = []
        var level = places.enumerated().map { (x: $1.x, y: $1.y, count: 1, id: $0) }
        for zoom in stride(from: options.maximumZoom, through: 0, by: -1) {
            let radius = options.radius / (512 * Double(1 << zoom))
            var isTaken = level.map { _ in false }, next: [(x: Double, y: Double, count: Int, id: Int)] = []
            for first in level.indices where !isTaken[first] {
                let near = level.indices.filter { other in
                    let x = level[other].x - level[first].x, y = level[other].y - level[first].y
                    return other != first && !isTaken[other] && x * x + y * y <= radius * radius
                }
                let all = [first] + near, count = all.reduce(0) { $0 + level[$1].count }
                for place in all { isTaken[place] = true }
                guard !near.isEmpty else {
                    next.append(level[first])
                    continue
                }
                let x = all.reduce(0) { $0 + level[$1].x * Double(level[$1].count) } / Double(count)
                let y = all.reduce(0) { $0 + level[$1].y * Double(level[$1].count) } / Double(count)
                next.append((x, y, count, first << 5 + (zoom + 1) + places.count))
            }
            level = next
            levels.append(level.map { $0.count > 1 ? [$0.count, $0.id] : [1, -1] })
        }
        return levels.reversed()
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `whoever is passed over has no neighbour`(seed: UInt64) {
        var state = seed
        func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / 0x1p53
        }
        // Some evenly, some in heaps of all sizes about places of the others.
        var places: [(x: Double, y: Double)] = []
        for number in 0..<250 {
            let other = places.randomElement(at: next())
            guard number % 2 == 1, let other else {
                places.append((next(), 0.1 + next() * 0.8))
                continue
            }
            var reach = 0.02
            for _ in 0..<Int(next() * 14) { reach /= 2 }
            places.append((other.x + (next() - 0.5) * reach, other.y + (next() - 0.5) * reach))
        }
        let options = PointClusters.Options(radius: 40, maximumZoom: 16)
        var tree = ClusterTree(
            places.map(\.x), places.map(\.y), rows: places.indices.map { Int32($0) },
            order: places.indices.map { Int32($0) }, options)
        let levels = Self.gathered(places, options)
        for zoom in [16, 13, 11, 9, 7, 5, 3, 0] {
            let items = tree.items(at: zoom, in: [PointClusters.Box()])
            #expect(items.map { $0.count > 1 ? [$0.count, $0.id] : [1, -1] } == levels[zoom], "zoom \(zoom)")
        }
    }
}

extension Array {
    /// The element at a part of the whole, 0 to 1.
    fileprivate func randomElement(at part: Double) -> Element? {
        isEmpty ? nil : self[Swift.min(Int(part * Double(count)), count - 1)]
    }
}
