extension EPSGSystem {
    /// Returns the system of a code with an azimuthal, oblique Mercator or Mercator projection.
    static func azimuthal(_ code: Int) -> EPSGSystem? {
        switch code {
        case 3395: EPSGSystem(projection: Mercator(ellipsoid: .wgs84), datum: .wgs84)
        // Lambert azimuthal equal-area: Europe, Iceland, the pole, the National Atlas of the United States, EASE-Grid
        // and EASE-Grid 2.0.
        case 3035, 5633, 5635, 5636, 5638, 9039: equalArea(.grs80, 10, 52, 4_321_000, 3_210_000)
        case 9947: equalArea(.grs80, -19, 65, 1_700_000, 1_300_000)
        case 3571: equalArea(.wgs84, 180, 90)
        case 3572: equalArea(.wgs84, -150, 90)
        case 3573: equalArea(.wgs84, -100, 90)
        case 3574: equalArea(.wgs84, -40, 90)
        case 3575: equalArea(.wgs84, 10, 90)
        case 3576: equalArea(.wgs84, 90, 90)
        case 2163: equalArea(.clarkeAuthalicSphere, -100, 45)
        case 3408: equalArea(.authalicSphere, 0, 90)
        case 3409: equalArea(.authalicSphere, 0, -90)
        case 6931: equalArea(.wgs84, 0, 90)
        case 6932: equalArea(.wgs84, 0, -90)
        // Polar stereographic with a standard parallel.
        case 3031: polar(.wgs84, -71, 0)
        case 3032: polar(.wgs84, -71, 70, 6_000_000)
        case 3411: polar(.hughes1980, 70, -45)
        case 3412: polar(.hughes1980, -70, 0)
        case 3413: polar(.wgs84, 70, -45)
        case 3976: polar(.wgs84, -70, 0)
        case 3995: polar(.wgs84, 71, 0)
        case 3996: polar(.wgs84, 75, 0)
        case 9354: polar(.wgs84, -65, 0)
        // Polar stereographic with a scale factor: Universal Polar Stereographic and similar.
        case 5041, 32661: universalPolar(isSouth: false, 0)
        case 5042, 32761: universalPolar(isSouth: true, 0)
        case 5936: universalPolar(isSouth: false, -150)
        case 5937: universalPolar(isSouth: false, -100)
        case 5938: universalPolar(isSouth: false, -33)
        case 5939: universalPolar(isSouth: false, 18)
        case 5940: universalPolar(isSouth: false, 105)
        default: oblique(code)
        }
    }

    private static func oblique(_ code: Int) -> EPSGSystem? {
        switch code {
        case 28991: stereographic(.amersfoort, degrees(5, 23, 15.5), degrees(52, 9, 22.178), 0.9999079, 0, 0)
        case 28992:
            stereographic(.amersfoort, degrees(5, 23, 15.5), degrees(52, 9, 22.178), 0.9999079, 155_000, 463_000)
        case 3844: stereographic(.pulkovo1942In58, 25, 46, 0.99975, 500_000, 500_000)
        case 2172:
            stereographic(.pulkovo1942In58, degrees(21, 30, 10), degrees(53, 0, 7), 0.9998, 4_603_000, 5_806_000)
        case 2173:
            stereographic(.pulkovo1942In58, degrees(17, 0, 30), degrees(53, 35), 0.9998, 3_501_000, 5_999_000)
        case 2174:
            stereographic(.pulkovo1942In58, degrees(16, 40, 20), degrees(51, 40, 15), 0.9998, 3_703_000, 5_627_000)
        case 3120: stereographic(.pulkovo1942In58, degrees(21, 5), degrees(50, 37, 30), 0.9998, 4_637_000, 5_467_000)
        case 3328: stereographic(.pulkovo1942In58, degrees(19, 10), degrees(52, 10), 0.999714, 500_000, 500_000)
        case 2953: stereographic(.grs80, -66.5, 46.5, 0.999912, 2_500_000, 7_500_000)
        case 2954: stereographic(.grs80, -63, 47.25, 0.999912, 400_000, 800_000)
        case 2056: swiss(.ch1903, degrees(7, 26, 22.5), degrees(46, 57, 8.66), 1, 2_600_000, 1_200_000)
        case 21781: swiss(.ch1903, degrees(7, 26, 22.5), degrees(46, 57, 8.66), 1, 600_000, 200_000)
        case 21782: swiss(.ch1903, degrees(7, 26, 22.5), degrees(46, 57, 8.66), 1, 0, 0)
        case 23700: swiss(.hd72, degrees(19, 2, 54.8584), degrees(47, 8, 39.8174), 0.99993, 650_000, 200_000)
        default: nil
        }
    }

    private static func equalArea(
        _ datum: Datum, _ meridian: Double, _ latitude: Double, _ easting: Double = 0, _ northing: Double = 0
    ) -> EPSGSystem {
        EPSGSystem(
            projection: LambertAzimuthalEqualArea(
                ellipsoid: datum.ellipsoid, origin: Coordinate(longitude: meridian, latitude: latitude),
                falseOrigin: Coordinate(x: easting, y: northing)),
            datum: datum)
    }

    /// Returns a polar projection on the side of `parallel`, with equal easting and northing of the pole.
    private static func polar(
        _ datum: Datum, _ parallel: Double, _ meridian: Double, _ origin: Double = 0
    ) -> EPSGSystem {
        EPSGSystem(
            projection: PolarStereographic(
                ellipsoid: datum.ellipsoid, standardParallel: parallel, centralMeridian: meridian,
                falseOrigin: Coordinate(x: origin, y: origin)),
            datum: datum)
    }

    private static func universalPolar(isSouth: Bool, _ meridian: Double) -> EPSGSystem {
        EPSGSystem(
            projection: PolarStereographic(
                ellipsoid: .wgs84, isSouth: isSouth, centralMeridian: meridian, scaleFactor: 0.994,
                falseOrigin: Coordinate(x: 2_000_000, y: 2_000_000)),
            datum: .wgs84)
    }

    private static func stereographic(
        _ datum: Datum, _ meridian: Double, _ latitude: Double, _ scale: Double, _ easting: Double, _ northing: Double
    ) -> EPSGSystem {
        EPSGSystem(
            projection: ObliqueStereographic(
                ellipsoid: datum.ellipsoid, origin: Coordinate(longitude: meridian, latitude: latitude),
                scaleFactor: scale, falseOrigin: Coordinate(x: easting, y: northing)),
            datum: datum)
    }

    private static func swiss(
        _ datum: Datum, _ meridian: Double, _ latitude: Double, _ scale: Double, _ easting: Double, _ northing: Double
    ) -> EPSGSystem {
        EPSGSystem(
            projection: SwissObliqueMercator(
                ellipsoid: datum.ellipsoid, origin: Coordinate(longitude: meridian, latitude: latitude),
                scaleFactor: scale, falseOrigin: Coordinate(x: easting, y: northing)),
            datum: datum)
    }
}
