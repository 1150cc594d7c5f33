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
    func `the length and bearing of a geodesic agree with PROJ`(line: Line) {
        let (meters, bearing) = (
            Geodesic.line(from: line.one, to: line.other).meters, Geodesic.line(from: line.one, to: line.other).bearing
        )
        #expect(abs(meters - line.meters) < 2e-4)
        let turn = abs(bearing - line.bearing)
        #expect(min(turn, 360 - turn) < 1e-6)
        let end = Geodesic.place(from: line.one, bearing: line.bearing, meters: line.meters)
        let shift = (end.x - line.other.x).remainder(dividingBy: 360)
        #expect(abs(shift) < 1e-6)
        #expect(abs(end.y - line.other.y) < 1e-8)
    }

    @Test(arguments: [
        Line(24.94, 60.17, 24.950968385476, 60.177120236397, 37.5, 1000),
        Line(-3.7, 40.4, 1.233784600197, 38.040998267815, 120, 500_000),
        Line(179.99, -10, 180.035604058457, -9.999996876040, 90, 5000),
        Line(0, 0, 0, 0.000271310843, 0, 30), Line(12, 89, -74.146388656364, 88.445833498589, 300, 200_000),
        Line(50, -70, 231.132244712575, -29.228298829036, 181, 9_000_000),
    ])
    func `the end of a geodesic agrees with PROJ`(line: Line) {
        let end = Geodesic.place(from: line.one, bearing: line.bearing, meters: line.meters)
        #expect(abs((end.x - line.other.x).remainder(dividingBy: 360)) < 1e-9)
        #expect(abs(end.y - line.other.y) < 1e-9)
    }

    /// 19,948,580.864 m by PROJ.
    @Test func `antipodal positions are measured, and equal positions have distance zero`() {
        let far = Geodesic.line(from: Coordinate(x: 100, y: 20), to: Coordinate(x: 280, y: -19.5))
        #expect(abs(far.meters - 19_948_580.864) < 1e-3)
        #expect(Geodesic.line(from: Coordinate(x: 7, y: 8), to: Coordinate(x: 7, y: 8)).meters == 0)
        #expect(Geodesic.line(from: Coordinate(x: 0, y: 90), to: Coordinate(x: 50, y: 90)).meters < 1e-6)
        let poles = Geodesic.line(from: Coordinate(x: 0, y: -90), to: Coordinate(x: 50, y: 90))
        #if Drivers
        #expect(abs(poles.meters - 20_003_931.458625) < 1e-5)
        #else
        #expect(abs(poles.meters - 20_003_931.458625) < 5e-3)
        #endif
    }

    @Test func `invalid positions give NaN`() {
        for place in [Coordinate(x: .nan, y: 0), Coordinate(x: 0, y: 91), Coordinate(x: .infinity, y: 0)] {
            #expect(Geodesic.line(from: place, to: Coordinate(x: 1, y: 1)).meters.isNaN)
            #expect(Geodesic.ring([place, Coordinate(x: 1, y: 1), Coordinate(x: 2, y: 0)]).area.isNaN)
        }
    }

    #if Drivers && os(Linux)
    @Test func `invalid ellipsoids give NaN`() {
        let axes = [(-1.0, 1.0), (0, 1), (.nan, 1), (.infinity, 1), (1, -1), (1, 0), (1, .nan), (1, .infinity)]
        for (major, minor) in axes {
            let ellipsoid = Ellipsoid(semiMajorAxis: major, semiMinorAxis: minor)
            let place = Coordinate(x: 1, y: 1), ring = [place, Coordinate(x: 2, y: 1), Coordinate(x: 2, y: 2)]
            #expect(Geodesic.line(from: place, to: ring[1], on: ellipsoid).meters.isNaN)
            #expect(Geodesic.place(from: place, bearing: 45, meters: 1, on: ellipsoid).x.isNaN)
            #expect(Geodesic.ring(ring, on: ellipsoid).area.isNaN)
        }
    }
    #endif

    /// A row of the test set that Karney published with his algorithms, in its order.
    struct Published: Sendable {
        var one: Coordinate, other: Coordinate, bearing: Double, onward: Double, meters: Double

        init(
            _ y1: Double, _ x1: Double, _ bearing: Double, _ y2: Double, _ x2: Double, _ onward: Double,
            _ meters: Double
        ) {
            one = Coordinate(x: x1, y: y1)
            other = Coordinate(x: x2, y: y2)
            self.bearing = bearing
            self.onward = onward
            self.meters = meters
        }
    }

    static let published = [
        Published(
            35.60777, -139.44815, 111.098748429560326, -11.17491, -69.95921, 129.289270889708762, 8935244.5604818305),
        Published(
            55.52454, 106.05087, 22.020059880982801, 77.03196, 197.18234, 109.112041110671519, 4105086.1713924406),
        Published(-21.97856, 142.59065, -32.44456876433189, 41.84138, 98.56635, -41.84359951440466, 8394328.894657671),
        Published(
            -66.99028, 112.2363, 173.73491240878403, -12.70631, 285.90344, 2.512956620913668, 11150344.2312080241),
        Published(
            -17.42761, 173.34268, -159.033557661192928, -15.84784, 5.93557, -20.787484651536988, 16076603.1631180673),
        Published(
            32.84994, 48.28919, 150.492927788121982, -56.28556, 202.29132, 48.113449399816759, 16727068.9438164461),
        Published(6.96833, 52.74123, 92.581585386317712, -7.39675, 206.17291, 90.721692165923907, 17102477.2496958388),
        Published(
            -50.56724, -16.30485, -105.439679907590164, -33.56571, -94.97412, -47.348547835650331, 6455670.5118668696),
        Published(
            -58.93002, -8.90775, 140.965397902500679, -8.91104, 133.13503, 19.255429433416599, 11756066.0219864627),
        Published(-68.82867, -74.28391, 93.774347763114881, -50.63005, -8.36685, 34.65564085411343, 3956936.926063544),
        Published(
            -10.62672, -32.0898, -86.426713286747751, 5.883, -134.31681, -80.473780971034875, 11470869.3864563009),
        Published(
            -21.76221, 166.90563, 29.319421206936428, 48.72884, 213.97627, 43.508671946410168, 9098627.3986554915),
        Published(
            -19.79938, -174.47484, 71.167275780171533, -11.99349, -154.35109, 65.589099775199228, 2319004.8601169389),
        Published(-11.95887, -116.94513, 92.712619830452549, 4.57352, 7.16501, 78.64960934409585, 13834722.5801401374),
        Published(
            -87.85331, 85.66836, -65.120313040242748, 66.48646, 16.09921, -4.888658719272296, 17286615.3147144645),
        Published(
            1.74708, 128.32011, -101.584843631173858, -11.16617, 11.87109, -86.325793296437476, 12942901.1241347408),
    ]

    private static func isSame(_ bearing: Double, _ other: Double, within tolerance: Double) -> Bool {
        abs((bearing - other).remainder(dividingBy: 360)) < tolerance
    }

    #if Drivers
    @Test(arguments: published)
    func `geodesics agree with the published test set to nanometres`(row: Published) {
        let line = Geodesic.line(from: row.one, to: row.other)
        #expect(abs(line.meters - row.meters) < 1e-7)
        #expect(Self.isSame(line.bearing, row.bearing, within: 1e-12))
        #expect(Self.isSame(line.finalBearing, row.onward, within: 1e-12))
        #expect(line.bearing >= 0)
        #expect(line.bearing < 360)
        #expect(line.finalBearing >= 0)
        #expect(line.finalBearing < 360)
        let end = Geodesic.place(from: row.one, bearing: row.bearing, meters: row.meters)
        #expect(Self.isSame(end.x, row.other.x, within: 1e-12))
        #expect(abs(end.y - row.other.y) < 1e-12)
    }
    #endif

    @Test(arguments: published)
    func `the fallback series agrees with the test set to a fifth of a millimetre`(row: Published) {
        let series = GeodesicSeries(.wgs84), line = series.line(from: row.one, to: row.other)
        #expect(abs(line.meters - row.meters) < 2e-4)
        #expect(Self.isSame(line.bearing, row.bearing, within: 1e-8))
        #expect(Self.isSame(line.finalBearing, row.onward, within: 1e-8))
        let end = series.place(from: row.one, bearing: row.bearing, meters: row.meters)
        #expect(Self.isSame(end.x, row.other.x, within: 1e-8))
        #expect(abs(end.y - row.other.y) < 1e-8)
    }

    /// From the tests of GeographicLib's Planimeter: latitudes and longitudes, perimeter, area.
    @Test(arguments: [
        ([89.0, 0, 89, 90, 89, 180, 89, 270], 631819.8745, 24_952_305_678.0),
        ([-89, 0, -89, 90, -89, 180, -89, 270], 631819.8745, -24_952_305_678.0),
        ([0, -1, -1, 0, 0, 1, 1, 0], 627598.2731, 24_619_419_146.0),
        ([90, 0, 0, 0, 0, 90], 30_022_685, 63_758_202_715_511.0),
        ([9, -0.00000000000001, 9, 180, 9, 0], 36_026_861, 0),
    ])
    func `rings agree with GeographicLib's tests, and the series approximately`(
        numbers: [Double], perimeter: Double, area: Double
    ) {
        let places = stride(from: 0, to: numbers.count, by: 2).map {
            Coordinate(longitude: numbers[$0 + 1], latitude: numbers[$0])
        }
        let ring = Geodesic.ring(places)
        #if Drivers
        #expect(abs(ring.meters - perimeter) < 1)
        #expect(abs(ring.area - area) < 1)
        #endif
        let closed = Geodesic.ring(places + [places[0]])
        #expect(closed == ring)
        let series = GeodesicSeries(.wgs84).ring(places.flatMap { [$0.x, $0.y] })
        #expect(abs(series.area - area) <= 0.005 * abs(area) + 1e6)
    }

    /// By GeodSolve on the sphere of radius 6,371,000 m a degree of the equator is 111,194.92664 m.
    @Test func `another ellipsoid gives other lengths, and does not affect the first`() {
        let sphere = Ellipsoid(semiMajorAxis: 6_371_000, semiMinorAxis: 6_371_000)
        let one = Coordinate(x: 0, y: 0), other = Coordinate(x: 1, y: 0)
        #expect(abs(Geodesic.line(from: one, to: other, on: sphere).meters - 111_194.926645) < 1e-5)
        #expect(abs(Geodesic.line(from: one, to: other).meters - 111_319.490793) < 1e-5)
    }
}
