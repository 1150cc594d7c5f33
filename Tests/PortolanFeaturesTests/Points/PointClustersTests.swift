import Foundation
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
        #expect(items.count == count)
        #expect(items.count { $0.count > 1 } == clusterCount)
        #expect(items.reduce(0) { $0 + $1.count } == 3000)
        #expect(items.map(\.count).max() == largest)
        let item = try #require(items.first { $0.id == id })
        #expect(item.count == largest)
        #expect(abs(item.place.x - longitude) < 1e-4)
        #expect(abs(item.place.y - latitude) < 1e-4)
    }

    @Test func `a query by extents gives the items within them, each once`() throws {
        let clusters = PointClusters(Self.table, Self.wide)
        let extent = try #require(Extent(minX: 9, minY: 49, maxX: 10, maxY: 50))
        let other = try #require(Extent(minX: 9.5, minY: 49.5, maxX: 60, maxY: 51))
        for zoom in 0...17 {
            let items = clusters.items(at: zoom)
            #expect(clusters.items(at: zoom, in: [extent]) == items.filter { extent.contains($0.place) })
            #expect(
                clusters.items(at: zoom, in: [extent, other])
                    == items.filter { extent.contains($0.place) || other.contains($0.place) })
            #expect(clusters.items(at: zoom, in: []).isEmpty)
        }
    }

    @Test func `beyond the largest zoom there are only points, each with its own properties`() {
        let items = Self.table.clusters(Self.few).items(at: 13)
        #expect(items.count == 3000)
        #expect(items.allSatisfy { $0.count == 1 })
        let numbers = items.flatMap { Self.table.features(of: [$0.id]) }.map { $0.properties["i"]?.integerValue }
        #expect(numbers == (0..<3000).map { $0 })
    }

    @Test(arguments: [1.7e308, -1.7e308, 24_938_415, 1261])
    func `points many turns away do not affect others`(longitude: Double) {
        func table(_ far: Int) -> PointTable {
            let near = (0..<200).map { Coordinate(x: 24.9 + Double($0) * 1e-4, y: 60.1) }
            let places = near + (0..<far).map { Coordinate(x: longitude, y: Double($0 % 40)) }
            return PointTable(FeatureCollection(features: places.map { Feature(geometry: .point($0)) }))
        }
        func places(_ far: Int, _ zoom: Int) -> [Coordinate] {
            table(far).clusters(Self.wide).items(at: zoom).map(\.place)
        }
        for zoom in 0...16 { #expect(places(800, zoom) == places(0, zoom)) }
    }

    @Test func `points at the poles and outside the world are clustered`() {
        let places = [
            Coordinate(x: 0, y: 90), Coordinate(x: 0, y: -90), Coordinate(x: 400, y: 10), Coordinate(x: -180, y: 95),
        ]
        let table = PointTable(FeatureCollection(features: places.map { Feature(geometry: .point($0)) }))
        #expect(table.clusters(Self.wide).items(at: 0).reduce(0) { $0 + $1.count } == 4)
        #expect(PointTable(FeatureCollection(features: [])).clusters(Self.wide).items(at: 3).isEmpty)
        let tiny = PointClusters.Options(radius: 1e-300)
        #expect(table.clusters(tiny).items(at: 0).count == 4)
    }

    /// The documented scheme by brute force: the points and the identifier of every cluster at each zoom.
    private static func gathered(_ table: PointTable, _ options: PointClusters.Options) -> [[[Int]]] {
        var levels: [[[Int]]] = []
        let places = table.features(of: Array(0..<table.count)).compactMap { $0.geometry?.coordinates.first }
        var level = places.enumerated().map { id, place in
            let sine = sin(place.y * .pi / 180)
            return (
                x: place.x / 360 + 0.5, y: min(max(0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi, 0), 1), count: 1,
                id: id
            )
        }
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

    /// Point patterns that reveal errors in the neighbour search.
    enum Arrangement: CaseIterable {
        /// Some evenly, some in heaps of all sizes about places of the others.
        case heaps
        /// Each a little farther than the one before, so that each waits for all before it; and the other way round.
        case line, lineBack
        /// More than are looked at to find the nearest, at a few places.
        case piles
        /// On a lattice whose sides are radii of zooms, so that many are as far as can be.
        case lattice

        func places(_ next: () -> Double) -> [Coordinate] {
            var places: [Coordinate] = []
            for number in 0..<250 {
                let part = Double(number) / 250
                switch self {
                case .heaps:
                    let other = places.randomElement(at: next())
                    guard number % 2 == 1, let other else {
                        places.append(Coordinate(x: next() * 360 - 180, y: next() * 160 - 80))
                        continue
                    }
                    var reach = 7.0
                    for _ in 0..<Int(next() * 14) { reach /= 2 }
                    places.append(
                        Coordinate(x: other.x + (next() - 0.5) * reach, y: other.y + (next() - 0.5) * reach))
                case .line: places.append(Coordinate(x: part * part * 40, y: 50))
                case .lineBack: places.append(Coordinate(x: 170 - part * 0.01, y: 50 - part * 0.001))
                case .piles:
                    let pile = Double(Int(next() * 3))
                    places.append(Coordinate(x: pile, y: pile == 1 ? 10 : 10 + next() * 1e-4))
                case .lattice:
                    let side = 360 * 40 / (512 * 64.0)
                    places.append(Coordinate(x: Double(number % 16) * side * 0.97, y: Double(number / 16) * side * 0.6))
                }
            }
            return places
        }
    }

    private static func table(_ arrangement: Arrangement, seed: UInt64) -> PointTable {
        var state = seed
        let places = arrangement.places {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / 0x1p53
        }
        return PointTable(FeatureCollection(features: places.map { Feature(geometry: .point($0)) }))
    }

    @Test(arguments: Arrangement.allCases, [1, 2, 3, 4, 5] as [UInt64])
    func `clusters equal those of a direct implementation of the scheme`(_ arrangement: Arrangement, seed: UInt64) {
        let table = Self.table(arrangement, seed: seed)
        for options in [
            PointClusters.Options(radius: 40, maximumZoom: 16), PointClusters.Options(radius: 90, maximumZoom: 9),
        ] {
            let levels = Self.gathered(table, options), clusters = table.clusters(options)
            for zoom in 0...options.maximumZoom {
                let items = clusters.items(at: zoom).map { $0.count > 1 ? [$0.count, $0.id] : [1, -1] }
                #expect(items == levels[zoom], "zoom \(zoom)")
            }
        }
    }

    @Test(arguments: Arrangement.allCases, [3, 20])
    func `groups below the minimum stay single points, and the parts of a cluster are known`(
        _ arrangement: Arrangement, least: Int
    ) {
        let table = Self.table(arrangement, seed: 7)
        let clusters = table.clusters(
            PointClusters.Options(radius: 60, maximumZoom: 14, minimumPointCount: least, keepsParts: true))
        for zoom in 0...15 {
            let items = clusters.items(at: zoom)
            #expect(items.allSatisfy { $0.count == 1 || $0.count >= least })
            let parts = items.map {
                clusters.gathered($0) {
                    [$0]
                } _: {
                    $0 + $1
                } ?? []
            }
            #expect(parts.map(\.count) == items.map(\.count))
            #expect(parts.joined().sorted() == Array(0..<table.count))
            #expect(Set(items.filter { $0.count > 1 }.map(\.id)).count == items.count { $0.count > 1 })
        }
    }

    @Test func `points in metres are clustered and found like those in degrees`() throws {
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        let degrees = Self.table(.heaps, seed: 3)
        let places = degrees.features(of: Array(0..<degrees.count)).compactMap { $0.geometry?.coordinates.first }
        var moved = FeatureCollection(
            features: places.compactMap { transform($0) }.map { Feature(geometry: .point($0)) })
        moved.crs = .webMercator
        let metres = PointTable(moved), extent = try #require(Extent(minX: -30, minY: -20, maxX: 100, maxY: 70))
        for zoom in [0, 3, 6, 11, 17] {
            let found = metres.clusters(Self.wide).items(at: zoom, in: [extent])
            #expect(found.map(\.count) == degrees.clusters(Self.wide).items(at: zoom, in: [extent]).map(\.count))
            #expect(found.allSatisfy { extent.contains($0.place) })
        }
    }
}

extension Array {
    /// The element at a part of the whole, 0 to 1.
    fileprivate func randomElement(at part: Double) -> Element? {
        isEmpty ? nil : self[Swift.min(Int(part * Double(count)), count - 1)]
    }
}
