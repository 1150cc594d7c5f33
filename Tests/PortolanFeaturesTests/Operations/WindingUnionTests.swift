import TestHelpers
import Testing

@testable import PortolanFeatures

@Suite struct WindingUnionTests {
    private static func square(_ x: Int, _ y: Int, _ side: Int) -> [GridPoint] {
        [(0, 0), (side, 0), (side, side), (0, side)].map { GridPoint(x: x + $0.0, y: y + $0.1) }
    }

    @Test func `crossing paths form one ring, and two by the even-odd rule`() throws {
        let paths = [Self.square(0, 0, 10), Self.square(5, 5, 10)]
        let ring = try #require(WindingUnion.rings(paths)).map(Set.init)
        let corners = [(0, 0), (10, 0), (10, 5), (15, 5), (15, 15), (5, 15), (5, 10), (0, 10)]
        #expect(ring == [Set(corners.map { GridPoint(x: $0.0, y: $0.1) })])
        #expect(WindingUnion.rings(paths, .evenOdd)?.map(\.count) == [6, 6])
        #expect(WindingUnion.rings([]) == [])
    }

    @Test func `paths that cross too often give nil`() {
        var random = SeededGenerator(seed: 1)
        let path = (0..<8000).map { _ in
            GridPoint(
                x: .random(in: 0...GridPoint.most, using: &random), y: .random(in: 0...GridPoint.most, using: &random))
        }
        #expect(WindingUnion.rings([path]) == nil)
    }
}
