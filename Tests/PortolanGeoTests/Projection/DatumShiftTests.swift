import PortolanGeo
import Testing

/// Compares the shifts with PROJ's for the same seven parameters, which are written here as EPSG's operations have them.
@Suite struct DatumShiftTests {
    struct Datum: CustomTestStringConvertible, Sendable {
        var code: Int
        var ellipsoid: String
        var parameters: String
        var longitudes: ClosedRange<Double>
        var latitudes: ClosedRange<Double>
        var testDescription: String { "EPSG:\(code)" }
    }

    /// The geographic system, its ellipsoid, its bounds (west, east, south, north), three translations in metres, three
    /// rotations of the
    /// position vector in seconds, and the scale in parts per million.
    static let datums: [Datum] =
        """
        4202 aust_SA 112 155 -44 -10 -117.808,-51.536,137.784,0.303,0.446,0.234,-0.29
        4203 aust_SA 112 155 -44 -10 -117.763,-51.51,139.061,0.292,0.443,0.277,-0.191
        4289 bessel 3 7.3 50.7 53.7 565.4171,50.3319,465.5524,-0.398957388243134,0.343987817378283,-1.87740163998045,4.0725
        4313 intl 2.5 6.5 49.4 51.6 -106.8686,52.2978,-103.7239,0.3366,-0.457,1.8422,-1.2747
        4149 bessel 5.9 10.5 45.8 47.9 674.374,15.056,405.346
        4150 bessel 5.9 10.5 45.8 47.9 674.374,15.056,405.346
        4274 intl -10 -6 36 43 -239.749,88.181,30.488,0.263,0.082,1.211,2.229
        4314 bessel 5 15.1 47 55.1 598.1,73.7,418.2,0.202,0.045,-2.455,6.7
        4230 intl -10 30 34 72 -87,-98,-121
        4121 GRS80 19 28.3 34.8 41.8 -199.87,74.79,246.62
        4237 GRS67 16 23 45 49 52.17,-71.82,-14.9
        4611 intl 113.8 114.5 22.1 22.6 -162.619,-276.959,-161.764,0.067753,-2.243648,-1.158828,-1.094246
        4299 mod_airy -11 -5 51 56 482.5,-130.6,564.6,-1.042,-0.214,-0.631,8.15
        4300 mod_airy -11 -5 51 56 482.5,-130.6,564.6,-1.042,-0.214,-0.631,8.15
        4141 GRS80 34 36 29 33 -48,55,52
        4123 intl 19 32 59 70.5 -96.062,-82.428,-121.753,4.801,0.345,-1.376,1.496
        4207 intl -10 -6 36 43 -288.885,-91.744,126.244,-1.691,0.41,-0.211,-4.598
        4181 intl 5.7 6.6 49.4 50.2 -189.6806,18.3463,-42.7695,-0.33746,-3.09264,2.53861,0.4598
        4312 bessel 9.5 17.2 46.4 49.1 577.326,90.129,463.919,5.137,1.474,5.297,2.4232
        3906 bessel 13 23 40 47 682,-203,480
        4265 intl 6 19 36 48 -104.1,-49.1,-9.9,0.971,-2.917,0.714,-11.68
        4267 clrk66 -125 -66 24 50 -8,160,176
        4273 bess_nor 4 32 57 72 278.3,93,474.5,7.889,0.05,-6.61,6.21
        4275 clrk80ign -5 10 41 51.5 -168,-60,320
        4272 intl 166 179 -47.5 -34 59.47,-5.04,187.44,0.47,-0.1,1.024,-4.5993
        4277 airy -9 2.1 49.7 61 446.448,-125.157,542.06,0.15,0.247,0.842,-20.489
        4284 krass 19 180 41 82 23.57,-140.95,-79.8,0,0.35,0.79,-0.22
        4179 krass 14 25 43 55 33.4,-146.6,-76.3,-0.359,-0.053,0.844,-0.84
        4178 krass 9 23 48 55 24,-123,-94,0.02,-0.25,-0.13,1.1
        4200 krass 19 180 41 82 24.47,-130.89,-81.56,0,0,0.13,-0.22
        4124 bessel 10 25 55 69.1 414.1,41.3,603.1,-0.855,2.141,-7.023,0
        4618 aust_SA -82 -34 -56 13 -57,1,-41
        4156 bessel 12 23 47 51.1 572.213,85.334,461.94,4.9732,1.529,5.2484,3.5378
        4301 bessel 123 154 20 46 -146.414,507.337,680.507
        4322 WGS72 -180 180 -89 89 0,0,4.5,0,0,0.554,0.2263
        """.split(separator: "\n").map { line in
            let words = line.split(separator: " "), sides = words[2...5].compactMap { Double($0) }
            return Datum(
                code: Int(words[0]) ?? 0, ellipsoid: Self.ellipsoid(String(words[1])), parameters: String(words[6]),
                longitudes: sides[0]...sides[1], latitudes: sides[2]...sides[3])
        }

    /// Ellipsoids that PROJ has under another name, or with fewer digits than the EPSG dataset.
    private static func ellipsoid(_ name: String) -> String {
        switch name {
        case "GRS67": "+a=6378160 +rf=298.247167427"
        case "bess_nor": "+a=6377492.018 +rf=299.1528128"
        case "mod_airy": "+a=6377340.189 +rf=299.3249646"
        case "WGS72": "+a=6378135 +rf=298.26"
        case "clrk80ign": "+a=6378249.2 +b=6356515"
        default: "+ellps=" + name
        }
    }

    /// A second of arc of the earth's radius, in degrees of the meridian: a centimetre.
    static let centimeter = 0.01 / 111_320

    @Test(.againstPROJ, arguments: datums) func `datum shifts agree with PROJ to a centimetre`(datum: Datum) throws {
        let crs = try CRS("EPSG:\(datum.code)")
        let transform = try CoordinateTransform(from: crs, to: .crs84)
        #expect(!transform.isIdentity)
        let source = "+proj=longlat \(datum.ellipsoid) +towgs84=\(datum.parameters)"
        let target = "+proj=longlat +datum=WGS84"
        let places = PROJ.places(2000, datum.longitudes, datum.latitudes)
        let reference = try PROJ.transform(places, from: source, to: target)
        let back = try PROJ.transform(places, from: target, to: source)
        var worst = 0.0, worstBack = 0.0, worstTurn = 0.0
        for (place, (there, here)) in zip(places, zip(reference, back)) {
            let moved = try #require(transform(place)), returned = try #require(transform.inverse(place))
            worst = max(worst, PROJ.difference(moved, there))
            worstBack = max(worstBack, PROJ.difference(returned, here))
            worstTurn = max(worstTurn, PROJ.difference(try #require(transform.inverse(moved)), place))
        }
        // In longitude a centimetre is more degrees toward the poles.
        #expect(worst < Self.centimeter, "\(worst)°")
        #expect(worstBack < Self.centimeter, "\(worstBack)°")
        #expect(worstTurn < 2 * Self.centimeter, "\(worstTurn)°")
    }

    @Test(.againstPROJ) func `datum shifts equal those that PROJ uses for official CRSs`() throws {
        // Without a grid of PROJ, its first choice for the area.
        for (code, longitudes, latitudes) in [
            ("EPSG:31370", 2.6...6.3, 49.6...51.4), ("EPSG:2169", 5.8...6.5, 49.5...50.1),
            ("EPSG:2326", 113.9...114.4, 22.2...22.5), ("EPSG:2100", 20.5...26.0, 36.0...41.0),
        ] {
            let places = PROJ.places(500, longitudes, latitudes)
            let reference = try PROJ.transform(places, from: "EPSG:4326", to: code)
            let transform = try CoordinateTransform(from: .crs84, to: CRS(code))
            var worst = 0.0
            for (place, expected) in zip(places, reference) {
                let actual = try #require(transform(place))
                worst = max(worst, abs(actual.x - expected.x), abs(actual.y - expected.y))
            }
            #expect(worst < 0.02, "\(code): \(worst) m")
        }
    }

    @Test func `every geographic CRS with a datum shift is compared`() throws {
        let compared = Set(Self.datums.map(\.code))
        for code in 1000...33_000 {
            guard let crs = CRS.epsg(code), crs.projection is LongitudeLatitude, crs.datumShift != nil else { continue }
            #expect(compared.contains(code), "EPSG:\(code)")
        }
    }

    @Test func `a copy of the world beyond 180 degrees stays the same copy`() throws {
        let transform = try CoordinateTransform(from: CRS("EPSG:4322"), to: .crs84)
        for turn in [-720.0, -360, 0, 360] {
            for longitude in [-179.99999, -90, 0, 90, 179.99999] {
                let place = try #require(transform(Coordinate(longitude: longitude + turn, latitude: 50)))
                #expect(abs(place.x - longitude - turn) < 0.001)
            }
        }
    }

    @Test func `two CRSs on one older datum need no shift`() throws {
        let zones = try CoordinateTransform(from: CRS("EPSG:31467"), to: CRS("EPSG:31468"))
        let degrees = try CoordinateTransform(from: CRS("EPSG:4314"), to: CRS("EPSG:31468"))
        let place = Coordinate(longitude: 10.5, latitude: 50)
        let there = try #require(degrees(place))
        let one = try #require(try CoordinateTransform(from: CRS("EPSG:4314"), to: CRS("EPSG:31467"))(place))
        let other = try #require(zones(one))
        #expect(abs(other.x - there.x) < 1e-6)
        #expect(abs(other.y - there.y) < 1e-6)
    }
}
