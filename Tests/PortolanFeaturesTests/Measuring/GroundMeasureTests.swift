import PortolanFeatures
import PortolanGeo
import TestHelpers
import Testing

@Suite struct GroundMeasureTests {
    /// A square of a degree at the equator: by GeographicLib's planimeter.
    private static let square = [(0.0, 0.0), (1, 0), (1, 1), (0, 1), (0, 0)].map { Coordinate(x: $0.0, y: $0.1) }
    private static let squareArea = 12_308_778_361.469
    private static let tolerance = MeasuringTolerance.squareMeters(of: squareArea)

    @Test func `the area excludes holes, in any winding order`() throws {
        let hole = Self.square.map { Coordinate(x: 0.25 + $0.x / 2, y: 0.25 + $0.y / 2) }
        let whole = try GroundMeasure(.polygon([Self.square]))
        #expect(abs(whole.area - Self.squareArea) < Self.tolerance)
        #expect(abs(whole.perimeter - 443_770.917) < 0.01)
        let inner = try GroundMeasure(.polygon([hole.reversed()]))
        for ring in [hole, hole.reversed()] {
            let holed = try GroundMeasure(.polygon([Self.square.reversed(), ring]))
            #expect(abs(holed.area - (whole.area - inner.area)) < 1e-3)
            #expect(abs(holed.perimeter - (whole.perimeter + inner.perimeter)) < 1e-6)
            #expect(holed.length == 0)
        }
    }

    @Test func `coordinates in any CRS are measured on the ground`() throws {
        let mercator = try CRS("EPSG:3857"), transform = try CoordinateTransform(from: .crs84, to: mercator)
        let line = Geometry.lineString([Coordinate(x: 24.9414, y: 60.1713), Coordinate(x: 24.7453, y: 59.4370)])
        let degrees = try GroundMeasure(line).length
        // By GeodSolve.
        #expect(abs(degrees - 82_544.647906) < 0.001)
        let moved = try #require(line.mapWholeCoordinates { transform($0) })
        #expect(try abs(GroundMeasure(moved, in: mercator).length - degrees) < 1e-3)
    }

    @Test func `collections are summed, and points measure zero`() throws {
        let all = Geometry.collection([
            .point(Coordinate(x: 3, y: 4)), .polygon([Self.square]), .lineString(Array(Self.square.prefix(2))),
            .multiPolygon([[Self.square], [Self.square]]),
        ])
        let measure = try GroundMeasure(all)
        #expect(abs(measure.area - 3 * Self.squareArea) < 3 * Self.tolerance)
        #expect(abs(measure.length - 111_319.490793) < MeasuringTolerance.meters)
        #expect(try GroundMeasure(.empty(.polygon)) == GroundMeasure())
    }

    @Test func `a position outside the globe gives NaN, and an unknown CRS an error`() throws {
        #expect(try GroundMeasure(.lineString([Coordinate(x: 0, y: 0), Coordinate(x: 0, y: 95)])).length.isNaN)
        #expect(throws: CRSError.self) { try GroundMeasure(.polygon([Self.square]), in: CRS("EPSG:999999")) }
    }
}
