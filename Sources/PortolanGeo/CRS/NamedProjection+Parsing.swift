extension NamedProjection {
    /// Returns whether a text can only be meant as a projection: a known name, or a PROJ string.
    static func isNamed(_ text: String) -> Bool {
        text.hasPrefix("+") || Method(named: String(text.prefix { $0 != ":" }).lowercased()) != nil
    }

    /// Parses `name` or `name:parameter=value,…`.
    static func reading(name text: String) throws(CRSError) -> NamedProjection {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first?.lowercased(), let method = Method(named: name) else {
            throw .unknownProjection(String(text.prefix(64)))
        }
        var parameters: [Parameter: Double] = [:]
        let items = parts.count > 1 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
        for item in items {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let key = String(pair[0].drop { $0 == " " }).lowercased()
            guard let parameter = Parameter(rawValue: key) ?? Self.parameter(proj: key, of: method) else {
                throw .unknownParameter(key, projection: method.rawValue, known: method.allowed.map(\.rawValue))
            }
            try add(parameter, pair.count > 1 ? String(pair[1]) : "", as: key, of: method, to: &parameters)
        }
        return try NamedProjection(method, parameters)
    }

    /// Parses a PROJ string such as `+proj=robin +lon_0=10`.
    ///
    /// Only parameters are accepted whose effect is exactly that in PROJ.
    static func reading(projString text: String) throws(CRSError) -> NamedProjection {
        var items: [(key: String, value: String)] = []
        for item in text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\n" }) {
            guard item.hasPrefix("+") else { throw .malformed(text) }
            let pair = item.dropFirst().split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = pair.first else { throw .malformed(text) }
            items.append((String(key), pair.count > 1 ? String(pair[1]) : ""))
        }
        guard let name = items.first(where: { $0.key == "proj" })?.value else { throw .malformed(text) }
        guard let method = Method(named: name), method.projNames.contains(name) else {
            throw .unknownProjection(String(name.prefix(64)))
        }
        var parameters: [Parameter: Double] = [:]
        for (key, value) in items {
            switch (key, value) {
            case ("proj", _), ("no_defs", ""), ("wktext", ""), ("type", "crs"), ("units", "m"): continue
            // These agree to a tenth of a millimetre.
            case ("datum", "WGS84"), ("datum", "NAD83"), ("ellps", "WGS84"), ("ellps", "GRS80"): continue
            case ("ellps", "sphere"): try add(.radius, "6370997", as: key, of: method, to: &parameters)
            case ("datum", _), ("ellps", _), ("units", _):
                throw .invalidParameter(
                    key, projection: method.rawValue,
                    reason: key == "units" ? "must be m" : "must be WGS84; write +R=METRES for a sphere")
            default:
                guard let parameter = Self.parameter(proj: key, of: method) else {
                    throw .unknownParameter(
                        key, projection: method.rawValue, known: method.allowed.compactMap { $0.proj(of: method) })
                }
                try add(parameter, value, as: key, of: method, to: &parameters)
            }
        }
        return try NamedProjection(method, parameters)
    }

    private static func add(
        _ parameter: Parameter, _ text: String, as key: String, of method: Method,
        to parameters: inout [Parameter: Double]
    ) throws(CRSError) {
        guard let value = Double(text), value.isFinite else {
            throw .invalidParameter(key, projection: method.rawValue, reason: "must be a number")
        }
        guard parameters.updateValue(value, forKey: parameter) == nil else {
            throw .invalidParameter(key, projection: method.rawValue, reason: "is stated twice")
        }
    }

    /// Returns the parameter with a name in PROJ.
    private static func parameter(proj key: String, of method: Method) -> Parameter? {
        if key == "k_0" { return .scale }
        return method.allowed.first { $0.proj(of: method) == key }
    }
}

extension NamedProjection.Method {
    /// The names in PROJ.
    fileprivate var projNames: [String] {
        switch self {
        case .orthographic, .azimuthalEquidistant, .azimuthalEqualArea, .twoPointEquidistant, .lambertConformalConic,
            .obliqueMercator, .transverseMercator:
            [rawValue]
        default: Array(otherNames.prefix(1))
        }
    }
}

extension NamedProjection.Parameter {
    /// Returns the name in PROJ.
    fileprivate func proj(of method: NamedProjection.Method) -> String? {
        switch self {
        case .longitude: method == .obliqueMercator ? "lonc" : "lon_0"
        case .latitude: "lat_0"
        case .firstLatitude: "lat_1"
        case .secondLatitude: "lat_2"
        case .firstLongitude: "lon_1"
        case .secondLongitude: "lon_2"
        case .azimuth: "alpha"
        case .gridAngle: "gamma"
        case .scale: "k"
        case .easting: "x_0"
        case .northing: "y_0"
        case .radius: "R"
        }
    }
}
