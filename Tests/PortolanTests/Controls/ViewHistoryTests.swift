import Portolan
import Testing

@Suite struct ViewHistoryTests {
    private static func view(
        _ x: Double = 0, zoom: Double = 4, rotation: Double = 0, width: Int = 200
    ) throws -> Viewport {
        // A thousand units a pixel at zoom 4, to count in.
        let unit = 1000 * (World.exponential2(4 - zoom))
        return try Viewport(
            center: Coordinate(x: x * 1000, y: 0), resolution: #require(Resolution(unitsPerPixel: unit)),
            rotation: rotation, size: #require(ImageSize(width: width, height: 100)))
    }

    /// A tenth of a picture 200 pixels wide, a quarter of a level, five degrees.
    @Test(arguments: [
        (19.9, 4.0, 0.0, false), (20, 4, 0, true), (0, 4.24, 0, false), (0, 4.26, 0, true), (0, 3.74, 0, true),
        (0, 4, 4.9, false), (0, 4, 5, true), (0, 4, 355, true), (0, 4, 355.1, false),
    ])
    func `a view is recorded if it differs enough from the last`(
        x: Double, zoom: Double, rotation: Double, isKept: Bool
    ) throws {
        var history = ViewHistory(try Self.view())
        history.show(try Self.view(x, zoom: zoom, rotation: rotation), at: .zero)
        history.show(try Self.view(x, zoom: zoom, rotation: rotation), at: .seconds(1))
        #expect((history.views.count == 2) == isKept)
    }

    @Test(arguments: [(499, false), (500, true)])
    func `a view is recorded after resting for half a second`(milliseconds: Int, isKept: Bool) throws {
        var history = ViewHistory(try Self.view())
        #expect(history.show(try Self.view(50), at: .seconds(3)) == .milliseconds(3500))
        history.show(try Self.view(50), at: .seconds(3) + .milliseconds(milliseconds))
        #expect((history.views.count == 2) == isKept)
    }

    @Test func `back and forward go through the views, and a new move drops the forward ones`() throws {
        var history = ViewHistory(try Self.view())
        #expect(!history.canGoBack && !history.canGoForward)
        for x in 1...4 {
            history.show(try Self.view(Double(x) * 100), at: .seconds(x * 10))
            history.show(try Self.view(Double(x) * 100), at: .seconds(x * 10 + 1))
        }
        #expect(history.views.count == 5)
        #expect(try history.back() == Self.view(300))
        #expect(try history.back() == Self.view(200))
        #expect(try history.forward() == Self.view(300))
        #expect(history.canGoForward)
        // Before the map rests, the view is recorded when going back, so that going forward returns to it.
        history.show(try Self.view(900), at: .seconds(100))
        #expect(!history.canGoForward && history.forward() == nil)
        #expect(try history.back() == Self.view(300))
        #expect(try history.forward() == Self.view(900))
        #expect(try history.views == [0, 100, 200, 300, 900].map { try Self.view($0) })
        #expect(try history.home == Self.view())
    }

    @Test func `the last fifty views are kept`() throws {
        var history = ViewHistory(try Self.view())
        for x in 1...80 {
            history.show(try Self.view(Double(x) * 100), at: .seconds(x * 10))
            history.show(try Self.view(Double(x) * 100), at: .seconds(x * 10 + 1))
        }
        #expect(history.views.count == 50)
        var count = 0
        while history.back() != nil { count += 1 }
        #expect(count == 49)
        #expect(try history.views.first == Self.view(3100))
    }

    @Test func `a history is created from saved views`() throws {
        #expect(ViewHistory(views: [], position: 0) == nil)
        let views = try (0..<60).map { try Self.view(Double($0) * 100) }
        var history = try #require(ViewHistory(views: views, position: 58))
        #expect(history.views.count == 50 && history.position == 48)
        #expect(history.back() == views[57])
        #expect(try #require(ViewHistory(views: views, position: -9)).position == 0)
    }
}
