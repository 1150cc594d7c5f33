extension NamedProjection {
    /// Creates the projection with the name of a method in well-known text, in upper case, or returns `nil` if it is not
    /// known or has an unknown or invalid parameter.
    init?(wellKnownName name: String, _ values: [String: Double]) {
        guard let method = Self.wellKnownNames[name] else { return nil }
        var parameters: [Parameter: Double] = [:]
        for (name, value) in values {
            guard let parameter = Self.wellKnownParameters[name] else { return nil }
            // Zero is the default of most; some texts state even those that a method does not have.
            if value == 0, !method.allowed.contains(parameter) { continue }
            parameters[parameter] = value
        }
        guard let projection = try? NamedProjection(method, parameters) else { return nil }
        self = projection
    }

    private static let wellKnownNames: [String: Method] = [
        "ROBINSON": .robinson, "EQUAL_EARTH": .equalEarth, "WINKEL_TRIPEL": .winkelTripel,
        "NATURAL_EARTH": .naturalEarth, "MOLLWEIDE": .mollweide, "ECKERT_IV": .eckertIV, "SINUSOIDAL": .sinusoidal,
        "ORTHOGRAPHIC": .orthographic, "AZIMUTHAL_EQUIDISTANT": .azimuthalEquidistant,
        "LAMBERT_AZIMUTHAL_EQUAL_AREA": .azimuthalEqualArea, "TWO_POINT_EQUIDISTANT": .twoPointEquidistant,
    ]

    private static let wellKnownParameters: [String: Parameter] = [
        "CENTRAL_MERIDIAN": .longitude, "LONGITUDE_OF_CENTER": .longitude, "LATITUDE_OF_ORIGIN": .latitude,
        "LATITUDE_OF_CENTER": .latitude, "STANDARD_PARALLEL_1": .firstLatitude, "FALSE_EASTING": .easting,
        "FALSE_NORTHING": .northing, "LATITUDE_OF_1ST_POINT": .firstLatitude, "LATITUDE_OF_2ND_POINT": .secondLatitude,
        "LONGITUDE_OF_1ST_POINT": .firstLongitude, "LONGITUDE_OF_2ND_POINT": .secondLongitude,
    ]
}
