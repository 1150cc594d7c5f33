extension NamedProjection.Method {
    /// The parameters of the method, the most important first.
    public var allowed: [NamedProjection.Parameter] {
        let always: [NamedProjection.Parameter] = [.easting, .northing, .radius]
        let own: [NamedProjection.Parameter] =
            switch self {
            case .robinson, .equalEarth, .naturalEarth, .mollweide, .eckertIV, .sinusoidal: [.longitude]
            case .winkelTripel: [.longitude, .firstLatitude]
            case .orthographic, .azimuthalEquidistant, .azimuthalEqualArea: [.longitude, .latitude]
            case .twoPointEquidistant: [.firstLongitude, .firstLatitude, .secondLongitude, .secondLatitude]
            case .albers: [.firstLatitude, .secondLatitude, .longitude, .latitude]
            case .lambertConformalConic: [.firstLatitude, .secondLatitude, .longitude, .latitude, .scale]
            case .obliqueMercator: [.longitude, .latitude, .azimuth, .gridAngle, .scale]
            case .transverseMercator: [.longitude, .latitude, .scale]
            }
        return own + always
    }

    /// The parameters without a default.
    var required: [NamedProjection.Parameter] {
        switch self {
        case .twoPointEquidistant: [.firstLongitude, .firstLatitude, .secondLongitude, .secondLatitude]
        case .albers, .lambertConformalConic: [.firstLatitude]
        case .obliqueMercator: [.azimuth]
        default: []
        }
    }

    /// A text with typical parameters, for messages and tables.
    public var example: String {
        switch self {
        case .orthographic: "ortho:lon=10,lat=45"
        case .azimuthalEquidistant: "aeqd:lon=25,lat=60"
        case .azimuthalEqualArea: "laea:lon=10,lat=52"
        case .twoPointEquidistant: "tpeqd:lon1=-74,lat1=41,lon2=25,lat2=60"
        case .albers: "albers:lat1=29.5,lat2=45.5,lon=-96,lat=23"
        case .lambertConformalConic: "lcc:lat1=49,lat2=44,lon=3,lat=46.5"
        case .obliqueMercator: "omerc:lon=-100,lat=40,azimuth=45"
        case .transverseMercator: "tmerc:lon=24,k=0.9996"
        default: "\(rawValue):lon=10"
        }
    }

    /// The names of the method in PROJ, and other names in use.
    var otherNames: [String] {
        switch self {
        case .robinson: ["robin"]
        case .equalEarth: ["eqearth", "equalearth"]
        case .winkelTripel: ["wintri", "winkel3"]
        case .naturalEarth: ["natearth", "naturalearth"]
        case .mollweide: ["moll"]
        case .eckertIV: ["eck4", "eckert-iv"]
        case .sinusoidal: ["sinu"]
        case .orthographic: ["orthographic"]
        case .azimuthalEquidistant: ["azimuthal-equidistant"]
        case .azimuthalEqualArea: ["azimuthal-equal-area", "lambert-azimuthal-equal-area"]
        case .twoPointEquidistant: ["two-point-equidistant"]
        case .albers: ["aea", "albers-equal-area"]
        case .lambertConformalConic: ["lambert", "lambert-conformal-conic"]
        case .obliqueMercator: ["oblique-mercator"]
        case .transverseMercator: ["transverse-mercator"]
        }
    }

    /// Creates the method with a name, in lower case.
    init?(named name: String) {
        guard let method = Self.allCases.first(where: { $0.rawValue == name || $0.otherNames.contains(name) }) else {
            return nil
        }
        self = method
    }
}

extension NamedProjection {
    /// Returns the projection on an ellipsoid, or `nil` if no map is possible.
    ///
    /// Projections that are defined on a sphere use the semi-major axis, as PROJ does.
    func projection(on ellipsoid: Ellipsoid) -> (any MapProjection)? {
        func value(_ parameter: Parameter, _ usual: Double = 0) -> Double { parameters[parameter] ?? usual }
        let center = Coordinate(x: value(.longitude), y: value(.latitude))
        let falseOrigin = Coordinate(x: value(.easting), y: value(.northing))
        let a = ellipsoid.semiMajorAxis, wide = 180 - 1e-9
        func world(
            _ formula: some WorldFormula, _ method: ProjectionParameters.Method, radius: Double = a,
            parallel: Double? = nil
        ) -> any MapProjection {
            WorldProjection(
                formula, radius: radius,
                parameters: ProjectionParameters(
                    method: method, ellipsoid: ellipsoid, origin: center, firstParallel: parallel,
                    falseOrigin: falseOrigin))
        }
        switch method {
        case .robinson: return world(RobinsonFormula(), .robinson)
        case .equalEarth:
            return world(EqualEarthFormula(ellipsoid), .equalEarth, radius: a * AuthalicLatitude(ellipsoid).radius)
        case .winkelTripel:
            // Winkel's parallel has the cosine 2/π.
            let parallel = parameters[.firstLatitude]
            return world(
                WinkelTripelFormula(standardParallel: parallel), .winkelTripel,
                parallel: parallel ?? 50.45977625218981)
        case .naturalEarth: return world(NaturalEarthFormula(), .naturalEarth)
        case .mollweide: return world(MollweideFormula(), .mollweide)
        case .eckertIV: return world(EckertIVFormula(), .eckertIV)
        case .sinusoidal: return world(SinusoidalFormula(ellipsoid), .sinusoidal)
        case .orthographic: return Orthographic(ellipsoid: ellipsoid, center: center, falseOrigin: falseOrigin)
        case .azimuthalEquidistant:
            return AzimuthalEquidistant(ellipsoid: ellipsoid, center: center, falseOrigin: falseOrigin)
        case .azimuthalEqualArea:
            return LambertAzimuthalEqualArea(
                ellipsoid: ellipsoid, origin: center, falseOrigin: falseOrigin, reach: 179.2)
        case .twoPointEquidistant:
            return TwoPointEquidistant(
                ellipsoid: ellipsoid, first: Coordinate(x: value(.firstLongitude), y: value(.firstLatitude)),
                second: Coordinate(x: value(.secondLongitude), y: value(.secondLatitude)), falseOrigin: falseOrigin)
        case .albers:
            return AlbersEqualArea(
                ellipsoid: ellipsoid, origin: center, standardParallels: parallels, falseOrigin: falseOrigin,
                halfWidth: wide)
        case .lambertConformalConic:
            return LambertConformalConic(
                ellipsoid: ellipsoid, origin: center, standardParallels: parallels, falseOrigin: falseOrigin,
                scaleFactor: value(.scale, 1), halfWidth: wide)
        case .obliqueMercator:
            return HotineObliqueMercator(
                ellipsoid: ellipsoid, center: center, azimuth: value(.azimuth),
                gridAngle: value(.gridAngle, value(.azimuth)), scaleFactor: value(.scale, 1), falseOrigin: falseOrigin,
                isOriginAtCenter: true)
        case .transverseMercator:
            return TransverseMercator(
                ellipsoid: ellipsoid, centralMeridian: center.x, latitudeOfOrigin: center.y,
                scaleFactor: value(.scale, 1), falseEasting: falseOrigin.x, falseNorthing: falseOrigin.y)
        }
    }

    private var parallels: (Double, Double) {
        let first = parameters[.firstLatitude] ?? 0
        return (first, parameters[.secondLatitude] ?? first)
    }
}
