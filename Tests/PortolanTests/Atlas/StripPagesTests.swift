import PortolanGeo
import Testing

@testable import Portolan

@Suite struct StripPagesTests {
    /// A route of one line.
    private func pages(_ line: [Coordinate]) -> [StripPages.Page] {
        StripPages([line], width: 200, height: 100, overlap: 0.1, isRotated: true, limit: 100)?.pages ?? []
    }

    @Test func `pages of a route that winds around north are not turned upside down in between`() {
        // Each leg leads 200 units north, and by turns a little east and a little west.
        let legs = (0...12).map { Coordinate(x: $0.isMultiple(of: 2) ? 0 : 30, y: Double($0) * 200) }
        let turns = pages(legs).map(\.rotation)
        #expect(turns.count > 10)
        for (one, next) in zip(turns, turns.dropFirst()) { #expect(abs(one - next) < 60) }
    }

    @Test func `the route enters and leaves a page at its edge`() {
        // East, and back again inside the page.
        let route = [(0, 0), (160, 0), (160, 40), (-400, 40), (-400, 300), (0, 300)].map {
            Coordinate(x: $0.0, y: $0.1)
        }
        let strip = StripPages([route], width: 200, height: 100, overlap: 0.1, isRotated: false, limit: 100)
        let found = strip?.pages ?? []
        #expect(found.count > 3)
        func share(_ place: Coordinate, on page: StripPages.Page) -> Double {
            max(abs(place.x - page.center.x) / 100, abs(place.y - page.center.y) / 50)
        }
        for page in found.dropFirst() { #expect(abs(share(page.entry, on: page) - 1) < 1e-6) }
        for page in found.dropLast() { #expect(abs(share(page.exit, on: page) - 1) < 1e-6) }
        #expect(abs(found[0].exit.y - 40) < 1e-6 && found[0].exit.x < found[0].center.x)
        #expect(found[0].entry == route[0])
    }

    @Test(arguments: [0.0, 30, 60, 120, 150, 180, 210, 240, 300, 330])
    func `a straight route keeps north up`(degrees: Double) {
        let angle = degrees * .pi / 180
        let end = Coordinate(x: 1000 * Libm.cosine(angle), y: 1000 * Libm.sine(angle))
        let found = pages([Coordinate(x: 0, y: 0), end])
        #expect(!found.isEmpty)
        for page in found { #expect(abs(page.rotation) <= 60.001) }
    }
}
