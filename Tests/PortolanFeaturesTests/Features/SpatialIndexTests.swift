import PortolanFeatures
import PortolanGeo
import TestHelpers
import Testing

/// The index against a look at every box.
struct SpatialIndexTests {
    @Test(arguments: [0, 1, 2, 15, 16, 17, 256, 257, 1500])
    func `queries find the same items as a linear search`(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let boxes: [BoundingBox?] = (0..<count).map { number in
            guard number % 11 != 3 else { return nil }
            let x = Double.random(in: -180...180, using: &generator)
            let y = Double.random(in: -90...90, using: &generator)
            let size = number % 3 == 0 ? 0 : Double.random(in: 0...4, using: &generator)
            return BoundingBox(minX: x, minY: y, maxX: x + size, maxY: y + size / 2)
        }
        let index = SpatialIndex(boxes)
        #expect(index.itemCount == count)
        for _ in 0..<60 {
            let center = Coordinate(
                x: Double.random(in: -190...190, using: &generator), y: Double.random(in: -95...95, using: &generator))
            let extent = try #require(
                Extent(
                    center: center, width: Double.random(in: 0.01...90, using: &generator),
                    height: Double.random(in: 0.01...90, using: &generator)))
            #expect(index.items(touching: extent) == boxes.indices.filter { boxes[$0]?.touches(extent) == true })
        }
        let world = try #require(Extent(minX: -200, minY: -100, maxX: 200, maxY: 100))
        #expect(index.items(touching: world) == boxes.indices.filter { boxes[$0] != nil })
    }

    @Test
    func `many equal boxes and boxes of any size are indexed`() throws {
        let same = SpatialIndex(Array(repeating: BoundingBox(Coordinate(x: 1, y: 1)), count: 1000))
        #expect(try same.items(touching: #require(Extent(minX: 1, minY: 0, maxX: 2, maxY: 1))).count == 1000)
        let huge = Double.greatestFiniteMagnitude
        let boxes = [
            BoundingBox(minX: -huge, minY: -huge, maxX: huge, maxY: huge), BoundingBox(Coordinate(x: huge, y: -huge)),
            BoundingBox(Coordinate(x: 0, y: 0)),
        ]
        let index = SpatialIndex(boxes)
        #expect(try index.items(touching: #require(Extent(minX: -1, minY: -1, maxX: 1, maxY: 1))) == [0, 2])
    }

    @Test
    func `features without geometry are not found`() throws {
        let features = [
            Feature(geometry: nil), Feature(geometry: .point(Coordinate(x: 1, y: 1))),
            Feature(geometry: .empty(.polygon)),
        ]
        #expect(try SpatialIndex(features).items(touching: #require(Extent(minX: 0, minY: 0, maxX: 2, maxY: 2))) == [1])
    }
}
