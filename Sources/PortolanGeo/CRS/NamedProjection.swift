/// A projection by name and parameters, such as `robinson`, `ortho:lon=10,lat=45` or `+proj=laea +lat_0=90`.
///
/// All angles are degrees and all lengths metres, on WGS 84 or a sphere. It can be written wherever a CRS can
/// (``CRS/init(_:)``):
///
/// ```swift
/// let globe = try CRS("ortho:lon=10,lat=45")
/// let world = try NamedProjection("+proj=robin +lon_0=150")
/// print(world)                                    // robinson:lon=150
/// ```
public struct NamedProjection: Hashable, Sendable {
    /// The method of a projection.
    public enum Method: String, Hashable, Sendable, CaseIterable {
        case robinson
        case equalEarth = "equal-earth"
        case winkelTripel = "winkel-tripel"
        case naturalEarth = "natural-earth"
        case mollweide
        case eckertIV = "eckert4"
        case sinusoidal
        case orthographic = "ortho"
        case azimuthalEquidistant = "aeqd"
        case azimuthalEqualArea = "laea"
        case twoPointEquidistant = "tpeqd"
        case albers
        case lambertConformalConic = "lcc"
        case obliqueMercator = "omerc"
        case transverseMercator = "tmerc"
    }

    /// A parameter of a projection.
    public enum Parameter: String, Hashable, Sendable, CaseIterable {
        /// The central meridian, or the longitude and latitude of the centre.
        case longitude = "lon"
        case latitude = "lat"
        /// The first and second standard parallel, or the latitudes of two points.
        case firstLatitude = "lat1"
        case secondLatitude = "lat2"
        /// The longitudes of two points.
        case firstLongitude = "lon1"
        case secondLongitude = "lon2"
        /// The azimuth of the central line, and the angle from the north of the grid to it.
        case azimuth
        case gridAngle = "grid-angle"
        /// The scale factor.
        case scale = "k"
        /// The easting and northing of the origin.
        case easting = "x"
        case northing = "y"
        /// The radius of a sphere, instead of WGS 84.
        case radius
    }

    /// The method.
    public let method: Method
    /// The stated parameters.
    public let parameters: [Parameter: Double]

    /// Creates a projection.
    ///
    /// - Throws: ``CRSError/invalidParameter(_:projection:reason:)`` if a parameter is missing, out of range, or not one
    ///   of the method.
    public init(_ method: Method, _ parameters: [Parameter: Double] = [:]) throws(CRSError) {
        self.method = method
        self.parameters = parameters
        for (parameter, value) in parameters.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            try check(parameter, value)
        }
        for parameter in method.required where parameters[parameter] == nil {
            throw invalid(parameter, "is missing, as in '\(method.example)'")
        }
        try checkCombination()
    }

    /// Parses a name with parameters, or a PROJ string.
    ///
    /// Names are those of ``Method``, and those of PROJ. Case is ignored.
    ///
    /// - Throws: ``CRSError/unknownProjection(_:)``, ``CRSError/unknownParameter(_:projection:known:)`` or
    ///   ``CRSError/invalidParameter(_:projection:reason:)``.
    public init(_ text: String) throws(CRSError) {
        guard text.utf8.count <= 256 else { throw .malformed(String(text.prefix(64)) + "…") }
        self = try text.hasPrefix("+") ? Self.reading(projString: text) : Self.reading(name: text)
    }

    /// The CRS of the projection, named by its text, with x east and y north in metres.
    public var crs: CRS {
        CRS(name: description, axisOrder: .eastNorth, unit: .meter, projection: projection(on: ellipsoid))
    }

    /// The ellipsoid: WGS 84, or a sphere of the stated radius.
    private var ellipsoid: Ellipsoid {
        parameters[.radius].map { Ellipsoid(semiMajorAxis: $0, inverseFlattening: .infinity) } ?? .wgs84
    }

    func invalid(_ parameter: Parameter, _ reason: String) -> CRSError {
        .invalidParameter(parameter.rawValue, projection: method.rawValue, reason: reason)
    }

    private func check(_ parameter: Parameter, _ value: Double) throws(CRSError) {
        guard method.allowed.contains(parameter) else {
            throw .unknownParameter(
                parameter.rawValue, projection: method.rawValue, known: method.allowed.map(\.rawValue))
        }
        let range = parameter.range
        guard range.contains(value) else {
            throw invalid(
                parameter, "must be from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))")
        }
    }

    private func checkCombination() throws(CRSError) {
        switch method {
        case .albers, .lambertConformalConic:
            let first = parameters[.firstLatitude] ?? 0, second = parameters[.secondLatitude] ?? first
            if abs(first + second) < 1e-6 {
                throw invalid(.secondLatitude, "must not be the opposite of lat1: that is a cylinder, not a cone")
            }
            if max(abs(first), abs(second)) > 89.999 { throw invalid(.firstLatitude, "must not be a pole") }
            if method == .lambertConformalConic, abs(parameters[.latitude] ?? 0) >= 90,
                (parameters[.latitude] ?? 0) * (first + second) < 0
            {
                throw invalid(.latitude, "must not be the pole that is infinitely far away")
            }
        case .twoPointEquidistant:
            guard projection(on: .wgs84) != nil else {
                throw invalid(.secondLongitude, "must not be the first point or its antipode")
            }
        case .obliqueMercator:
            if Libm.cosine((parameters[.azimuth] ?? 0) * Angle.radiansPerDegree) < -1e-12 {
                throw invalid(.azimuth, "must be from -90 to 90; of the two directions of a line, state the northern")
            }
            if abs(parameters[.latitude] ?? 0) > 89.999 { throw invalid(.latitude, "must not be a pole") }
        default: break
        }
    }
}

extension NamedProjection: CustomStringConvertible {
    /// The name with the stated parameters, which ``init(_:)-(String)`` parses.
    public var description: String {
        let stated = method.allowed.compactMap { parameter in
            parameters[parameter].map { "\(parameter.rawValue)=\(Self.text($0))" }
        }
        return method.rawValue + (stated.isEmpty ? "" : ":" + stated.joined(separator: ","))
    }

    static func text(_ number: Double) -> String {
        abs(number) < 1e15 && number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
}

extension NamedProjection.Parameter {
    /// The valid values.
    var range: ClosedRange<Double> {
        switch self {
        case .longitude, .firstLongitude, .secondLongitude, .azimuth, .gridAngle: -360...360
        case .latitude, .firstLatitude, .secondLatitude: -90...90
        case .scale: 0.001...1000
        case .easting, .northing: -1e9...1e9
        case .radius: 1e6...1e8
        }
    }
}
