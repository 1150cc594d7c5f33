import Testing

@testable import PortolanPlan

@Suite struct LineImportanceTests {
    /// Douglas–Peucker as in its definition, by recursion.
    private static func simplified(_ line: [(x: Double, y: Double)], tolerance: Double) -> [Int] {
        func distance(_ p: (x: Double, y: Double), _ a: (x: Double, y: Double), _ b: (x: Double, y: Double)) -> Double {
            let dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy
            let t = length == 0 ? 0 : min(max(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0), 1)
            let x = p.x - a.x - t * dx, y = p.y - a.y - t * dy
            return (x * x + y * y).squareRoot()
        }
        func kept(_ first: Int, _ last: Int) -> [Int] {
            guard last - first > 1 else { return [] }
            var farthest = first + 1, greatest = -1.0
            for index in (first + 1)..<last {
                let own = distance(line[index], line[first], line[last])
                if own > greatest { (farthest, greatest) = (index, own) }
            }
            guard greatest >= tolerance else { return [] }
            return kept(first, farthest) + [farthest] + kept(farthest, last)
        }
        return [0] + kept(0, line.count - 1) + [line.count - 1]
    }

    @Test(arguments: [0.05, 0.3, 1, 4, 100])
    func `the vertices at least as important as a tolerance are those of Douglas-Peucker`(tolerance: Double) {
        var state: UInt64 = 7
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24)
        }
        for _ in 0..<20 {
            var line: [(x: Double, y: Double)] = [(0, 0)]
            for _ in 0..<300 {
                line.append((line[line.count - 1].x + random(), line[line.count - 1].y + random() - 0.5))
            }
            var computer = LineImportance(), importance = [Float](repeating: 0, count: line.count)
            computer.compute(line.map(\.x), line.map(\.y), line.indices, into: &importance)
            let kept = line.indices.filter { importance[$0] >= Float(tolerance * tolerance) }
            #expect(kept == Self.simplified(line, tolerance: tolerance))
        }
    }

    @Test func `a spiral that splits at its end each time takes little time, and keeps all positions near`() {
        // Each split of such a line removes one vertex: without pieces, this would take 10 thousand million steps.
        let count = 100_000
        let x = (0..<count).map { Double($0) }, y = (0..<count).map { Double($0) * Double($0) / 1e9 }
        var computer = LineImportance(), importance = [Float](repeating: 0, count: count)
        computer.compute(x, y, 0..<count, into: &importance)
        #expect(importance[0] == .infinity)
        #expect(importance[count - 1] == .infinity)
        #expect(importance.allSatisfy { $0 >= 0 })
    }
}
