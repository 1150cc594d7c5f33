import Foundation
import Testing

@testable import Portolan

@Suite struct LiveShapeTests {
    /// Metres east and north of a place on the equator, as degrees.
    private static func place(_ x: Double, _ y: Double) -> Coordinate {
        Coordinate(longitude: x / 111_319.49, latitude: y / 110_574.27)
    }

    /// East for 200 m, then north for 200 m.
    private static let corner = [place(0, 0), place(200, 0), place(200, 200)]

    /// Where an object is seen, in metres, that moved along the corner from one place to another in ten seconds.
    private static func seen(
        from: (Double, Double), to: (Double, Double), after seconds: Double, shape: [Coordinate] = corner,
        settings: LiveLayer.Settings = LiveLayer.Settings()
    ) throws -> (x: Double, y: Double) {
        var layer = LiveLayer(settings: settings)
        layer.setShape("s", along: shape)
        for (number, at) in [from, to].enumerated() {
            let time = LiveLayerTests.start + Double(number) * 10
            let fix = PositionFix(place: place(at.0, at.1), time: time)
            layer.apply([.upsert(LiveLayer.Object(id: "a", fix: fix, shape: "s"))], at: time)
        }
        let place = try #require(layer.place(of: "a", at: LiveLayerTests.start + 10 + seconds))
        return (place.x * 111_319.49, place.y * 110_574.27)
    }

    @Test(arguments: [(0.0, 100.0, 0.0), (2.5, 150, 0), (5, 200, 0), (7.5, 200, 50), (10, 200, 100)])
    func `an object follows the corner of its shape`(seconds: Double, x: Double, y: Double) throws {
        let seen = try Self.seen(from: (100, 0), to: (200, 100), after: seconds)
        #expect(abs(seen.x - x) < 0.1 && abs(seen.y - y) < 0.1)
    }

    @Test func `an object starts and ends at its fixes even beside the shape`() throws {
        let start = try Self.seen(from: (100, 12), to: (210, 100), after: 0)
        #expect(abs(start.x - 100) < 1e-6 && abs(start.y - 12) < 1e-6)
        let middle = try Self.seen(from: (100, 12), to: (210, 100), after: 5)
        #expect(abs(middle.x - 205) < 0.1 && abs(middle.y - 6) < 0.1)
        let end = try Self.seen(from: (100, 12), to: (210, 100), after: 10)
        #expect(abs(end.x - 210) < 1e-6 && abs(end.y - 100) < 1e-6)
    }

    @Test func `an object far from its shape moves straight`() throws {
        let seen = try Self.seen(from: (100, 0), to: (140, 80), after: 5)
        #expect(abs(seen.x - 120) < 1e-6 && abs(seen.y - 40) < 1e-6)
    }

    /// A loop of 4 km whose ends lie side by side: the short way between them is not along it.
    @Test func `a long detour along the shape is not used for a short step`() throws {
        let loop = [
            Self.place(0, 0), Self.place(1000, 0), Self.place(1000, 1000), Self.place(0, 1000), Self.place(0, 30),
        ]
        let seen = try Self.seen(from: (0, 0), to: (0, 30), after: 5, shape: loop)
        #expect(abs(seen.x) < 1e-6 && abs(seen.y - 15) < 1e-6)
    }

    @Test(arguments: [
        [], [Coordinate(x: 0, y: 0)], [Coordinate(x: 1, y: 1), Coordinate(x: 1, y: 1)],
        [Coordinate(x: 0, y: 0), Coordinate(x: .nan, y: 0)], [Coordinate(x: 0, y: 0), Coordinate(x: 0, y: 91)],
    ])
    func `an invalid shape is refused`(places: [Coordinate]) {
        var layer = LiveLayer()
        let isLine = layer.setShape("s", along: places), isForgotten = layer.setShape("s", along: nil)
        #expect(!isLine && isForgotten)
    }
}
