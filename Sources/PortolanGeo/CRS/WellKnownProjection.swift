/// The method of a projection in well-known text, and its parameters in degrees and in the unit of the projection.
struct WellKnownProjection {
    /// The name of the method, in upper case.
    private let method: String
    /// The parameters by name, in upper case.
    private let values: [String: Double]

    /// Whether the text is in ESRI's dialect, in which names of datums start with `D_`.
    private let isEsri: Bool

    /// The parameters that are longitudes.
    static let longitudes: Set = [
        "CENTRAL_MERIDIAN", "LONGITUDE_OF_CENTER", "LONGITUDE_OF_ORIGIN", "LONGITUDE_OF_1ST_POINT",
        "LONGITUDE_OF_2ND_POINT",
    ]

    /// The parameters that are angles.
    static let angles = longitudes.union([
        "LATITUDE_OF_ORIGIN", "LATITUDE_OF_CENTER", "STANDARD_PARALLEL_1", "STANDARD_PARALLEL_2", "AZIMUTH",
        "RECTIFIED_GRID_ANGLE", "XY_PLANE_ROTATION", "LATITUDE_OF_1ST_POINT", "LATITUDE_OF_2ND_POINT",
        "PSEUDO_STANDARD_PARALLEL_1",
    ])

    /// Creates a projection, or returns `nil` if an angle is out of range.
    init?(_ method: String, _ values: [String: Double], isEsri: Bool) {
        (self.method, self.values, self.isEsri) = (method, values, isEsri)
        let parallels = ["STANDARD_PARALLEL_1", "STANDARD_PARALLEL_2"].compactMap { values[$0] }
        guard abs(origin.y) <= 90, abs(origin.x) <= 360, parallels.allSatisfy({ abs($0) <= 90 }) else { return nil }
    }

    private var origin: Coordinate {
        Coordinate(
            x: values["CENTRAL_MERIDIAN"] ?? values["LONGITUDE_OF_CENTER"] ?? 0,
            y: values["LATITUDE_OF_ORIGIN"] ?? values["LATITUDE_OF_CENTER"] ?? 0)
    }

    private var falseOrigin: Coordinate {
        Coordinate(x: values["FALSE_EASTING"] ?? 0, y: values["FALSE_NORTHING"] ?? 0)
    }

    private var scaleFactor: Double { values["SCALE_FACTOR"] ?? 1 }

    /// Returns the projection, or `nil` if the method or a parameter is not supported.
    func projection(on ellipsoid: Ellipsoid) -> (any MapProjection)? {
        let first = values["STANDARD_PARALLEL_1"], second = values["STANDARD_PARALLEL_2"]
        switch method {
        case "TRANSVERSE_MERCATOR", "GAUSS_KRUGER":
            return TransverseMercator(
                ellipsoid: ellipsoid, centralMeridian: origin.x, latitudeOfOrigin: origin.y, scaleFactor: scaleFactor,
                falseEasting: falseOrigin.x, falseNorthing: falseOrigin.y)
        case let name where name.hasPrefix("LAMBERT_CONFORMAL_CONIC"):
            // With one parallel, older texts state it as the latitude of the origin only.
            guard let first = first ?? values["LATITUDE_OF_ORIGIN"], first + (second ?? first) != 0,
                max(abs(first), abs(second ?? first)) < 90
            else { return nil }
            return LambertConformalConic(
                ellipsoid: ellipsoid, origin: origin, standardParallels: (first, second ?? first),
                falseOrigin: falseOrigin, scaleFactor: scaleFactor)
        case "ALBERS", "ALBERS_CONIC_EQUAL_AREA":
            guard let first, first + (second ?? first) != 0, max(abs(first), abs(second ?? first)) < 90 else {
                return nil
            }
            return AlbersEqualArea(
                ellipsoid: ellipsoid, origin: origin, standardParallels: (first, second ?? first),
                falseOrigin: falseOrigin)
        case "STEREOGRAPHIC_NORTH_POLE", "STEREOGRAPHIC_SOUTH_POLE", "POLAR_STEREOGRAPHIC", "STEREOGRAPHIC":
            return polar(first, ellipsoid)
        case "DOUBLE_STEREOGRAPHIC", "OBLIQUE_STEREOGRAPHIC":
            return ObliqueStereographic(
                ellipsoid: ellipsoid, origin: origin, scaleFactor: scaleFactor, falseOrigin: falseOrigin)
        case let name where name.hasPrefix("HOTINE_OBLIQUE_MERCATOR") || name.hasPrefix("RECTIFIED_SKEW"):
            return oblique(ellipsoid)
        case "ORTHOGRAPHIC" where isEsri:
            // ESRI defines it on a sphere.
            let sphere = Ellipsoid(semiMajorAxis: ellipsoid.semiMajorAxis, inverseFlattening: .infinity)
            return Orthographic(ellipsoid: sphere, center: origin, falseOrigin: falseOrigin)
        default: return NamedProjection(wellKnownName: method, values)?.projection(on: ellipsoid)
        }
    }

    /// Returns a polar stereographic projection: with a parallel of true scale, or a scale factor at the pole.
    private func polar(_ parallel: Double?, _ ellipsoid: Ellipsoid) -> (any MapProjection)? {
        let isSouth = method == "STEREOGRAPHIC_SOUTH_POLE" || (parallel ?? 0) < 0 || origin.y < 0
        // GDAL states the parallel as the latitude of the origin.
        let isAtPole = abs(origin.y) == 90
        let stated = parallel ?? (method == "POLAR_STEREOGRAPHIC" && !isAtPole ? origin.y : nil)
        if let stated, abs(stated) != 90 {
            guard stated != 0 else { return nil }
            return PolarStereographic(
                ellipsoid: ellipsoid, standardParallel: isSouth ? -abs(stated) : abs(stated),
                centralMeridian: origin.x, falseOrigin: falseOrigin)
        }
        guard isAtPole || stated != nil else { return nil }
        return PolarStereographic(
            ellipsoid: ellipsoid, isSouth: isSouth, centralMeridian: origin.x, scaleFactor: scaleFactor,
            falseOrigin: falseOrigin)
    }

    private func oblique(_ ellipsoid: Ellipsoid) -> (any MapProjection)? {
        let isAtCenter = method.hasSuffix("_CENTER"), isAtNaturalOrigin = method.hasSuffix("_NATURAL_ORIGIN")
        // Those by two points have no azimuth.
        guard let azimuth = values["AZIMUTH"], abs(azimuth) <= 360, abs(origin.y) < 90,
            isAtCenter || isAtNaturalOrigin || method == "HOTINE_OBLIQUE_MERCATOR"
        else { return nil }
        let angle = values["XY_PLANE_ROTATION"] ?? values["RECTIFIED_GRID_ANGLE"] ?? azimuth
        return HotineObliqueMercator(
            ellipsoid: ellipsoid, center: origin, azimuth: azimuth, gridAngle: angle, scaleFactor: scaleFactor,
            falseOrigin: falseOrigin, isOriginAtCenter: isAtCenter)
    }
}
