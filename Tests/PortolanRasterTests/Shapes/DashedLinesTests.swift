import Testing

@testable import PortolanRaster

@Suite struct DashedLinesTests {
    private static let area = Rectangle(minX: -10, minY: -10, maxX: 500, maxY: 500)

    /// The dashes of a horizontal line, as ranges of x in thousandths.
    private static func dashes(
        _ points: [Double], cuts: [Int], _ dashes: [Double] = [6, 4], in area: Rectangle = area
    ) -> [[Int]] {
        var lines = DashedLines(StrokeStyle(width: 1, dashes: dashes), in: area), path = Path()
        lines.add(points.map { Point(x: $0, y: 0) }, cuts: cuts, isClosed: false, to: &path)
        var found: [[Int]] = []
        for element in path.elements {
            switch element {
            case .move(let point): found.append([Int((point.x * 1_000).rounded())])
            case .line(let point): found[found.count - 1].append(Int((point.x * 1_000).rounded()))
            default: break
            }
        }
        return found.map { [$0[0], $0[$0.count - 1]] }
    }

    @Test func `without cuts the dashes begin with the line`() {
        #expect(Self.dashes([0, 25], cuts: []) == [[0, 6_000], [10_000, 16_000], [20_000, 25_000]])
    }

    @Test func `the middle of a dash is on a cut, and the ends of the line are not stretched`() {
        #expect(
            Self.dashes([0, 20, 34], cuts: [1])
                == [[0, 3_000], [7_000, 13_000], [17_000, 23_000], [27_000, 33_000]])
    }

    @Test func `whole dashes fit between two cuts`() {
        // 22 pixels for two dashes and gaps of 10 pixels.
        #expect(Self.dashes([0, 22], cuts: [0, 1]) == [[0, 3_300], [7_700, 14_300], [18_700, 22_000]])
        #expect(Self.dashes([0, 4], cuts: [0, 1]) == [[0, 4_000]])
    }

    @Test(arguments: [[6.0, 4], [5, 2, 1, 2], [0, 3], [3]])
    func `the pieces of a line have the dashes of the whole`(_ dashes: [Double]) {
        let points = [3.0, 41, 97, 140, 155], cuts = [1, 3]
        let whole = Self.dashes(points, cuts: cuts, dashes)
        func half(_ range: ClosedRange<Int>) -> [[Int]] {
            let own = cuts.filter(range.contains).map { $0 - range.lowerBound }
            return Self.dashes(Array(points[range]), cuts: own, dashes)
        }
        // Dashes over a cut are in both halves.
        func isCut(_ dash: [Int]) -> Bool { cuts.contains { dash.contains(Int(points[$0] * 1_000)) } }
        let pieces = [half(0...1), half(1...3), half(3...4)].flatMap { $0 }.filter { !isCut($0) }
        let uncut = whole.filter { dash in
            !cuts.contains { dash[0] <= Int(points[$0] * 1_000) && dash[1] >= Int(points[$0] * 1_000) }
        }
        #expect(pieces == uncut)
        #expect(uncut.count > 10)
    }

    @Test func `a cut ring continues over its start`() {
        var lines = DashedLines(StrokeStyle(width: 1, dashes: [6, 4]), in: Self.area), path = Path()
        let ring = [Point(x: 0, y: 0), Point(x: 30, y: 0), Point(x: 30, y: 22), Point(x: 0, y: 22)]
        lines.add(ring, cuts: [0, 2], isClosed: true, to: &path)
        let starts = path.elements.count { if case .move = $0 { true } else { false } }
        // Each half is 52 pixels long and has five dashes; those on the cuts are not divided.
        #expect(starts == 10)
        #expect(!path.elements.contains(.move(ring[0])))
    }

    @Test func `only the visible dashes of a long line are made`() {
        let found = Self.dashes([-1e9, 1e9], cuts: [0, 1], in: Rectangle(minX: 0, minY: -1, maxX: 100, maxY: 1))
        #expect((10...12).contains(found.count))
    }
}
