/// The method and parameters of a projection, from which its definition in text is written.
///
/// Angles are in degrees east of Greenwich, lengths in the unit of the ellipsoid.
struct ProjectionParameters: Hashable, Sendable {
    /// A method by its name in ESRI's well-known text.
    enum Method: String, Sendable {
        case albers = "Albers"
        case azimuthalEquidistant = "Azimuthal_Equidistant"
        case azimuthalEqualArea = "Lambert_Azimuthal_Equal_Area"
        case doubleStereographic = "Double_Stereographic"
        case eckertIV = "Eckert_IV"
        case equalEarth = "Equal_Earth"
        case gaussKruger = "Gauss_Kruger"
        case krovak = "Krovak"
        case lambertConformalConic = "Lambert_Conformal_Conic"
        case mercator = "Mercator"
        case mollweide = "Mollweide"
        case naturalEarth = "Natural_Earth"
        case northPoleStereographic = "Stereographic_North_Pole"
        case obliqueMercatorAtCenter = "Hotine_Oblique_Mercator_Azimuth_Center"
        case obliqueMercatorAtNaturalOrigin = "Hotine_Oblique_Mercator_Azimuth_Natural_Origin"
        case orthographic = "Orthographic"
        case robinson = "Robinson"
        case sinusoidal = "Sinusoidal"
        case skewOrthomorphicAtCenter = "Rectified_Skew_Orthomorphic_Center"
        case skewOrthomorphicAtNaturalOrigin = "Rectified_Skew_Orthomorphic_Natural_Origin"
        case southPoleStereographic = "Stereographic_South_Pole"
        case stereographic = "Stereographic"
        case transverseMercator = "Transverse_Mercator"
        case twoPointEquidistant = "Two_Point_Equidistant"
        case webMercator = "Mercator_Auxiliary_Sphere"
        case winkelTripel = "Winkel_Tripel"
    }

    var method: Method
    var ellipsoid: Ellipsoid
    /// The central meridian and the latitude of the origin, the centre, or the first of two points.
    var origin = Coordinate(x: 0, y: 0)
    /// The second of two points.
    var secondPoint = Coordinate(x: 0, y: 0)
    /// The standard parallels; `nil` for those that the method lacks.
    var firstParallel: Double?
    var secondParallel: Double?
    /// The scale factor, or `nil` if it is fixed.
    var scaleFactor: Double?
    /// The azimuth of the central line, or the colatitude of Krovak's axis.
    var azimuth = 0.0
    /// The angle from the north of the grid to the central line.
    var gridAngle = 0.0
    var falseOrigin = Coordinate(x: 0, y: 0)
}

/// A projection with a definition in text.
protocol DescribedProjection: MapProjection {
    /// The method and parameters, or `nil` if no text describes them.
    var parameters: ProjectionParameters? { get }
}

extension ProjectionParameters {
    /// The kind of a parameter's value.
    enum Kind { case longitude, angle, length, number }

    /// The parameters of the method in ESRI's well-known text, in their usual order.
    var esriParameters: [(name: String, kind: Kind, value: Double)] {
        let meridian = ("Central_Meridian", Kind.longitude, origin.x)
        let latitude = ("Latitude_Of_Origin", Kind.angle, origin.y)
        let scale = ("Scale_Factor", Kind.number, scaleFactor ?? 1)
        let first = ("Standard_Parallel_1", Kind.angle, firstParallel ?? 0)
        let center = [
            ("Longitude_Of_Center", Kind.longitude, origin.x), ("Latitude_Of_Center", Kind.angle, origin.y),
        ]
        // Tables state some azimuths as angles up to 360°.
        let azimuth = azimuth > 180 ? azimuth - 360 : azimuth, gridAngle = gridAngle > 180 ? gridAngle - 360 : gridAngle
        let second = secondParallel.map { [("Standard_Parallel_2", Kind.angle, $0)] } ?? []
        let rest: [(String, Kind, Double)] =
            switch method {
            case .transverseMercator, .gaussKruger, .doubleStereographic, .stereographic: [meridian, scale, latitude]
            case .lambertConformalConic: [meridian, first] + second + (scaleFactor == nil ? [] : [scale]) + [latitude]
            case .albers: [meridian, first] + second + [latitude]
            case .azimuthalEqualArea, .azimuthalEquidistant: [meridian, latitude]
            case .northPoleStereographic, .southPoleStereographic, .mercator, .winkelTripel: [meridian, first]
            case .webMercator: [meridian, first, ("Auxiliary_Sphere_Type", .number, 0)]
            case .robinson, .equalEarth, .naturalEarth, .mollweide, .eckertIV, .sinusoidal: [meridian]
            case .orthographic: center
            case .obliqueMercatorAtCenter, .obliqueMercatorAtNaturalOrigin:
                [scale, ("Azimuth", .angle, azimuth)] + center
            case .skewOrthomorphicAtCenter, .skewOrthomorphicAtNaturalOrigin:
                [scale, ("Azimuth", .angle, azimuth)] + center + [("XY_Plane_Rotation", .angle, gridAngle)]
            case .krovak:
                [("Pseudo_Standard_Parallel_1", .angle, firstParallel ?? 0), scale, ("Azimuth", .angle, azimuth)]
                    + center
                    + [("X_Scale", .number, -1), ("Y_Scale", .number, 1), ("XY_Plane_Rotation", .angle, 90)]
            case .twoPointEquidistant:
                [
                    ("Latitude_Of_1st_Point", .angle, origin.y), ("Latitude_Of_2nd_Point", .angle, secondPoint.y),
                    ("Longitude_Of_1st_Point", .longitude, origin.x),
                    ("Longitude_Of_2nd_Point", .longitude, secondPoint.x),
                ]
            }
        return [("False_Easting", .length, falseOrigin.x), ("False_Northing", .length, falseOrigin.y)] + rest
    }
}
