import PortolanRaster
import Testing

@testable import PortolanFeatures

@Suite struct ContourTracerTests {
    private func grid(_ rows: [[Float]]) -> RasterValues {
        var grid = RasterValues(width: rows[0].count, height: rows.count)
        grid.values = rows.flatMap { $0 }
        return grid
    }

    /// The distance of a point from the nearest of some lines.
    private func distance(_ point: SIMD2<Double>, _ lines: [[SIMD2<Double>]]) -> Double {
        var least = Double.infinity
        for line in lines {
            for (one, other) in zip(line, line.dropFirst()) {
                let way = other - one, length = (way * way).sum()
                let share = length > 0 ? min(max(((point - one) * way).sum() / length, 0), 1) : 0
                let offset = point - (one + way * share)
                least = min(least, (offset * offset).sum().squareRoot())
            }
        }
        return least
    }

    private func length(_ lines: [[SIMD2<Double>]]) -> Double {
        lines.reduce(0) { sum, line in
            zip(line, line.dropFirst()).reduce(sum) { $0 + (($1.1 - $1.0) * ($1.1 - $1.0)).sum().squareRoot() }
        }
    }

    @Test func `lines are those of gdal_contour`() throws {
        let relief = try GDALRelief.shared.get()
        let lines = ContourTracer(relief.grid).lines(interval: 50, base: 0)
        // In samples, as the positions of lines.
        let theirs = Dictionary(
            grouping: relief.contours.map { contour in
                (
                    contour.elevation,
                    contour.points.map {
                        SIMD2(
                            ($0[0] - relief.transform[0]) / relief.transform[1] - 0.5,
                            ($0[1] - relief.transform[3]) / relief.transform[5] - 0.5)
                    }
                )
            }, by: \.0
        ).mapValues { $0.map(\.1) }
        let own = Dictionary(grouping: lines, by: \.elevation).mapValues { $0.map(\.points) }
        #expect(own.keys.sorted() == theirs.keys.sorted())
        var farthest = 0.0, sum = 0.0, count = 0
        for (elevation, lines) in own {
            for point in lines.joined() {
                let distance = distance(point, theirs[elevation] ?? [])
                farthest = max(farthest, distance)
                sum += distance
                count += 1
            }
        }
        // GDAL writes a hundredth of a metre here, of 90 metres a sample.
        #expect(farthest < 0.002, "\(farthest) samples")
        #expect(sum / Double(count) < 0.0005)
        // GDAL continues lines for half a sample to the edge of the picture: beyond the centres, which are left out here.
        for (elevation, lines) in theirs {
            for point in lines.joined()
            where point.x > 0 && point.y > 0 && point.x < Double(relief.width - 1)
                && point.y < Double(relief.height - 1)
            {
                #expect(distance(point, own[elevation] ?? []) < 0.002)
            }
        }
        // Without those continuations a line may be two.
        #expect(abs(lines.count - relief.contours.count) <= 3)
        #expect(length(lines.map(\.points)) > 0.95 * length(theirs.values.flatMap { $0 }))
    }

    @Test func `a hill is one closed ring with higher ground on its right`() throws {
        let lines = ContourTracer(grid([[0, 0, 0, 0], [0, 10, 10, 0], [0, 10, 10, 0], [0, 0, 0, 0]]))
            .lines(interval: 5, base: 0).filter { $0.elevation == 5 }
        #expect(lines.count == 1)
        let ring = try #require(lines.first?.points)
        #expect(ring.first == ring.last)
        #expect(ring.count == 9)
        // Clockwise on the ground, where y grows to the south: a positive area.
        let area = zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
        #expect(area > 0)
    }

    @Test func `saddles are connected by the mean of their corners`() {
        let high = ContourTracer(grid([[10, 0], [1, 10]])).lines(interval: 5, base: 0).filter { $0.elevation == 5 }
        let low = ContourTracer(grid([[9, 0], [0, 9]])).lines(interval: 5, base: 0).filter { $0.elevation == 5 }
        #expect(high.count == 2 && low.count == 2)
        // A ridge from the north-west to the south-east leaves the other corners alone.
        #expect(high.contains { Set($0.points) == [SIMD2(0.5, 0), SIMD2(1, 0.5)] })
        #expect(low.contains { $0.points.allSatisfy { $0.x < 0.6 && $0.y < 0.6 } })
    }

    @Test func `lines end at samples without data`() {
        let lines = ContourTracer(grid([[0, 10, 0], [0, 10, .nan], [0, 10, 0], [0, 10, 0]])).lines(interval: 5, base: 0)
            .filter { $0.elevation == 5 }
        #expect(lines.count == 2)
        #expect(lines.map(\.points.count).sorted() == [2, 4])
    }

    @Test func `grids that share samples have the same lines there`() throws {
        let relief = try GDALRelief.shared.get()
        func part(_ columns: Range<Int>) -> RasterValues {
            var part = RasterValues(width: columns.count, height: relief.height)
            for row in 0..<relief.height {
                for column in columns {
                    part.values[row * part.width + column - columns.lowerBound] =
                        relief.elevations[row * relief.width + column]
                }
            }
            return part
        }
        func points(_ lines: [ContourTracer.Line], from offset: Double) -> Set<SIMD2<Double>> {
            Set(lines.flatMap(\.points).map { SIMD2((($0.x + offset) * 1e9).rounded(), ($0.y * 1e9).rounded()) })
        }
        let left = points(ContourTracer(part(0..<30)).lines(interval: 20, base: 0), from: 0)
        let right = points(ContourTracer(part(20..<48)).lines(interval: 20, base: 0), from: 20)
        let shared = left.filter { $0.x >= 20e9 }
        #expect(shared.count > 100)
        #expect(shared == right.filter { $0.x <= 29e9 })
    }

    @Test func `level ground and grids without cells have no lines`() {
        #expect(ContourTracer(grid([[5, 5], [5, 5]])).lines(interval: 5, base: 0).isEmpty)
        #expect(ContourTracer(grid([[0, 10]])).lines(interval: 5, base: 0).isEmpty)
        #expect(ContourTracer(grid([[.nan, 10], [0, .infinity]])).lines(interval: 5, base: 0).isEmpty)
        #expect(ContourTracer(grid([[0, 1e30], [0, 1e30]])).lines(interval: 5, base: 0).isEmpty)
    }
}
