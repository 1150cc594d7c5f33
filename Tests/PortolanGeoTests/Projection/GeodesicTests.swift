import PortolanGeo
import Testing

/// By `geod` of PROJ 9.1.1 on the ellipsoid of WGS 84.
@Suite struct GeodesicTests {
    struct Line: Sendable {
        var one: Coordinate, other: Coordinate, bearing: Double, meters: Double

        init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ bearing: Double, _ meters: Double) {
            one = Coordinate(x: x1, y: y1)
            other = Coordinate(x: x2, y: y2)
            self.bearing = bearing
            self.meters = meters
        }
    }

    @Test(arguments: [
        Line(24.94, 60.17, 24.9401, 60.1702, 13.9891738566, 22.964122),
        Line(-3.7, 40.4, 2.35, 48.85, 24.9915365810, 1053800.186124),
        Line(0, 0, 0, 1, 0, 110574.388558), Line(0, 0, 1, 0, 90, 111319.490793),
        Line(1, 0, 0, 0, 270, 111319.490793), Line(179.9, 10, -179.9, 10.1, 63.2118534017, 24556.579653),
        Line(-0.88, 41.65, 174.76, -36.85, 34.9180577247, 19358165.839134),
        Line(10, 89.9, -170, 89.9, 0, 22338.795683), Line(5, -45, 5, 45, 0, 9969888.755955),
    ])
    func `the shortest line is as long and sets out as PROJ says`(line: Line) {
        let (meters, bearing) = Geodesic.inverse(from: line.one, to: line.other)
        #expect(abs(meters - line.meters) < 2e-4)
        let turn = abs(bearing - line.bearing)
        #expect(min(turn, 360 - turn) < 1e-6)
        let end = Geodesic.place(from: line.one, bearing: line.bearing, meters: line.meters)
        let shift = (end.x - line.other.x).remainder(dividingBy: 360)
        #expect(abs(shift) < 1e-6 && abs(end.y - line.other.y) < 1e-8)
    }

    @Test(arguments: [
        Line(24.94, 60.17, 24.950968385476, 60.177120236397, 37.5, 1000),
        Line(-3.7, 40.4, 1.233784600197, 38.040998267815, 120, 500_000),
        Line(179.99, -10, 180.035604058457, -9.999996876040, 90, 5000),
        Line(0, 0, 0, 0.000271310843, 0, 30), Line(12, 89, -74.146388656364, 88.445833498589, 300, 200_000),
        Line(50, -70, 231.132244712575, -29.228298829036, 181, 9_000_000),
    ])
    func `the end of a line is where PROJ says`(line: Line) {
        let end = Geodesic.place(from: line.one, bearing: line.bearing, meters: line.meters)
        #expect(abs((end.x - line.other.x).remainder(dividingBy: 360)) < 1e-9 && abs(end.y - line.other.y) < 1e-9)
    }

    /// 19,948,580.864 m by PROJ.
    @Test func `places on opposite sides are measured roughly, and the same place is no way off`() {
        let far = Geodesic.inverse(from: Coordinate(x: 100, y: 20), to: Coordinate(x: 280, y: -19.5))
        #expect(abs(far.meters / 19_948_580.864 - 1) < 0.005)
        #expect(Geodesic.inverse(from: Coordinate(x: 7, y: 8), to: Coordinate(x: 7, y: 8)).meters == 0)
        #expect(Geodesic.inverse(from: Coordinate(x: 0, y: 90), to: Coordinate(x: 50, y: 90)).meters < 1e-6)
        #expect(
            abs(
                Geodesic.inverse(from: Coordinate(x: 0, y: -90), to: Coordinate(x: 50, y: 90)).meters
                    - 20_003_931.458625) < 1e5)
    }
}
