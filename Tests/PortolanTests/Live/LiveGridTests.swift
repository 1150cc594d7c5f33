import TestHelpers
import Testing

@testable import Portolan

@Suite struct LiveGridTests {
    @Test func `a grid query finds all objects in an extent and few others`() throws {
        var random = SeededGenerator(seed: 5)
        var grid = LiveGrid(), places: [Coordinate] = [], cards: [LiveGrid.Card?] = []
        func place() -> Coordinate {
            Coordinate(x: Double.random(in: -180...180, using: &random), y: Double.random(in: -90...90, using: &random))
        }
        for number in 0..<4000 {
            // Half of them close together.
            var at = place()
            if number % 2 == 0 { at = Coordinate(x: at.x / 400 + 24, y: at.y / 400 + 60) }
            places.append(at)
            cards.append(grid.insert(Int32(number), at: at))
        }
        // Some move, and some go.
        for number in 0..<2000 {
            guard let card = cards[number] else { continue }
            if let moved = grid.remove(card) { cards[Int(moved.number)] = moved.card }
            cards[number] = nil
            guard number % 3 > 0 else { continue }
            places[number] = place()
            cards[number] = grid.insert(Int32(number), at: places[number])
        }
        let extents = try [
            (23.8, 59.9, 24.2, 60.1), (24, 60, 24.001, 60.001), (-180, -90, 180, 90), (170, -20, 200, 20),
            (-200, -20, -170, 20), (500, 10, 560, 40), (-1000, -95, 1000, 95), (179.99, 0, 180.01, 1),
        ].map { try #require(Extent(minX: $0.0, minY: $0.1, maxX: $0.2, maxY: $0.3)) }
        for extent in extents {
            var found: Set<Int32> = []
            grid.forEach(in: extent) { #expect(found.insert($0).inserted) }
            for number in places.indices where cards[number] != nil {
                let turn = places[number].nearest(to: extent.center)
                guard turn.y >= extent.minY, turn.y <= extent.maxY, abs(turn.x - extent.center.x) <= extent.width / 2
                else { continue }
                #expect(found.contains(Int32(number)))
            }
            #expect(found.allSatisfy { cards[Int($0)] != nil })
            guard extent.width < 1 else { continue }
            // No farther than a cell beside it.
            for number in found {
                let place = places[Int(number)].nearest(to: extent.center)
                #expect(abs(place.x - extent.center.x) <= extent.width / 2 + 1 / 64.0)
                #expect(abs(place.y - extent.center.y) <= extent.height / 2 + 1 / 64.0)
            }
        }
    }
}
