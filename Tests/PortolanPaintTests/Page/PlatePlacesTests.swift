import PortolanRaster
import Testing

@testable import PortolanPaint

@Suite struct PlatePlacesTests {
    private static let map = Rectangle(minX: 0, minY: 0, maxX: 400, maxY: 300)

    private static func page(_ x: Double, _ y: Double) -> [Point] {
        [(x, y), (x + 160, y), (x + 160, y + 120), (x, y + 120)].map { Point(x: $0.0, y: $0.1) }
    }

    private static func places(
        _ pages: [[Point]], elements: [Rectangle] = [], symbols: [Rectangle] = [], routes: [Rectangle] = []
    ) -> PlatePlaces {
        PlatePlaces(outlines: pages, elements: elements, symbols: symbols, routes: routes, in: map)
    }

    @Test func `a number is in the middle of its page if nothing is there`() {
        var places = Self.places([Self.page(20, 20)])
        let plate = places.take(0, width: 18, height: 18)
        #expect(plate == Rectangle(minX: 91, minY: 71, maxX: 109, maxY: 89))
    }

    @Test func `a number keeps clear of symbols, routes, other pages and their outlines`() throws {
        let pin = Rectangle(minX: 90, minY: 60, maxX: 110, maxY: 90)
        let route = (0..<40).map {
            Rectangle(minX: 20, minY: Double($0) * 3 + 20, maxX: 100, maxY: Double($0) * 3 + 23)
        }
        let pages = [Self.page(20, 20), Self.page(120, 60)]
        var places = Self.places(pages, symbols: [pin], routes: route)
        for number in pages.indices {
            let taken = places.take(number, width: 18, height: 18), plate = try #require(taken)
            #expect(!plate.overlaps(pin) && !route.contains(where: plate.overlaps))
            for (other, corners) in pages.enumerated() {
                let (first, last) = (corners[0], corners[2])
                let page = Rectangle(minX: first.x, minY: first.y, maxX: last.x, maxY: last.y)
                #expect(other == number ? page.encloses(plate) : !page.overlaps(plate))
            }
        }
    }

    @Test func `numbers never overlap, and lack if there is no room`() {
        var places = Self.places(Array(repeating: Self.page(20, 20), count: 300))
        let plates = (0..<300).compactMap { places.take($0, width: 40, height: 30) }
        #expect(plates.count == 9)
        for (number, plate) in plates.enumerated() {
            #expect(!plates[(number + 1)...].contains(where: plate.overlaps))
        }
    }
}
