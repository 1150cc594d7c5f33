import Foundation
import Testing

@testable import Portolan

@Suite struct PositionMarkTests {
    private static func map(_ accuracy: Double?, heading: Double? = nil, at place: Coordinate) throws -> MapFacade {
        let map = try MapFacadeTests.facade(200, 200)
        try map.center(on: Coordinate(longitude: place.x, latitude: min(max(place.y, -80), 80)), zoom: 10)
        map.startPosition(following: .none, at: .zero)
        let time = Date(timeIntervalSince1970: 1000)
        map.handle(.fix(PositionFix(place: place, time: time, accuracy: accuracy, heading: heading)), at: .zero)
        return map
    }

    private static let helsinki = Coordinate(longitude: 24.94, latitude: 60.17)

    private static func parts(_ map: MapFacade) throws -> [Geometry] {
        try #require(map.positionLayer?.features).features.compactMap(\.geometry)
    }

    @Test func `a pan keeps the painted position, a zoom does not`() throws {
        let map = try Self.map(50, heading: 30, at: Self.helsinki)
        let first = try #require(map.positionLayer?.features).contentID
        try map.pan(x: 37, y: 11)
        #expect(map.positionLayer?.features?.contentID == first)
        try map.zoom(by: 2)
        #expect(map.positionLayer?.features?.contentID != first)
        map.stopPosition(at: .zero)
        #expect(map.positionLayer == nil)
    }

    @Test(arguments: [(24.94, 60.17, 300.0), (179.999, -16.8, 400), (15, 78, 900_000), (-70, 0, 0.5)])
    func `the accuracy circle has its radius on the ground`(
        longitude: Double, latitude: Double, accuracy: Double
    ) throws {
        let place = Coordinate(longitude: longitude, latitude: latitude)
        let parts = try Self.parts(Self.map(accuracy, at: place))
        #expect(parts.map(\.kind) == [.polygon, .point])
        for point in parts[0].coordinates {
            let way = try #require(RangeAndBearing(from: place, to: point))
            #expect(abs(way.meters - accuracy) < 1e-3)
            // Whole on both sides of the antimeridian.
            #expect(abs(point.x - place.x) < 90)
        }
    }

    @Test(arguments: [(nil, 60.0), (0, 60), (2e7, 60), (1000, 89.999)] as [(Double?, Double)])
    func `there is no circle for an unknown accuracy or around a pole`(accuracy: Double?, latitude: Double) throws {
        let place = Coordinate(longitude: 10, latitude: latitude)
        #expect(try Self.parts(Self.map(accuracy, at: place)).map(\.kind) == [.point])
    }

    @Test(arguments: [0.0, 45, 200, 359])
    func `the cone is 34 pixels long and centred on the heading`(heading: Double) throws {
        let map = try Self.map(nil, heading: heading, at: Self.helsinki)
        let parts = try Self.parts(map)
        #expect(parts.map(\.kind) == [.polygon, .point])
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        let middle = map.viewport.pixel(of: try #require(transform(Self.helsinki)))
        let arc = parts[0].coordinates.dropFirst().dropLast()
        for point in arc {
            let shown = map.viewport.pixel(of: try #require(transform(point)))
            #expect(abs(shown.distance(to: middle) - 34) < 0.2)
        }
        let bearings = try arc.map { try #require(RangeAndBearing(from: Self.helsinki, to: $0)).bearing }
        let turns = bearings.map { ($0 - heading).remainder(dividingBy: 360) }
        #expect(abs((turns.max() ?? 0) - 30) < 1e-6 && abs((turns.min() ?? 0) + 30) < 1e-6)
    }
}
