/// The names of the built-in systems in ESRI's well-known text.
enum EPSGNames {
    /// A geographic system.
    struct Geographic {
        let code: Int
        let name: String
        let datum: String
        let spheroid: String
        let semiMajorAxis: Double
        /// The inverse flattening; 0 for a sphere.
        let inverseFlattening: Double
        var meridian = "Greenwich"
        /// The longitude of the prime meridian in degrees.
        var meridianLongitude = 0.0
        var unit = "Degree"
        /// The usual start of the names of projected systems, `~` in the table.
        var prefix = ""

        /// The radians of a unit of angle.
        var radiansPerUnit: Double { unit == "Grad" ? 0.01570796326794897 : 0.0174532925199433 }
        /// The units of angle in a degree.
        var unitsPerDegree: Double { unit == "Grad" ? 1 / 0.9 : 1 }

        var ellipsoid: Ellipsoid {
            Ellipsoid(
                semiMajorAxis: semiMajorAxis, inverseFlattening: inverseFlattening == 0 ? .infinity : inverseFlattening)
        }
    }

    /// The geographic systems by code.
    static let geographic: [Int: Geographic] = {
        var spheroids: [Substring: (Double, Double)] = [:], systems: [Int: Geographic] = [:]
        for line in geographicLines.split(separator: "\n") {
            let parts = line.split(separator: " ")
            if parts[0] == "=" {
                spheroids[parts[1]] = (Double(parts[2]) ?? 0, Double(parts[3]) ?? 0)
                continue
            }
            guard let code = Int(parts[0]), let (axis, flattening) = spheroids[parts[3]] else { continue }
            var system = Geographic(
                code: code, name: String(parts[1]),
                datum: parts[2] == "*" ? "D_" + parts[1].dropFirst("GCS_".count) : String(parts[2]),
                spheroid: String(parts[3]), semiMajorAxis: axis, inverseFlattening: flattening)
            if parts[4] != "-" { system.prefix = String(parts[4]) }
            if parts.count > 7 {
                system.meridian = String(parts[5])
                system.meridianLongitude = Double(parts[6]) ?? 0
                system.unit = String(parts[7])
            }
            systems[code] = system
        }
        return systems
    }()

    /// The names of projected systems and the codes of their geographic systems, by code; codes above 32767 are ESRI's.
    static let projected: [Int: (name: String, base: Int)] = {
        var names: [Int: (String, Int)] = [:], base = 0, code = 0
        // `@` comes before a geographic system; a name without a code is that of the next code.
        for token in [firstHalf, secondHalf].joined(separator: " ").split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if token.first == "@" {
                base = Int(token.dropFirst()) ?? 0
                continue
            }
            let parts = token.split(separator: "=")
            code = parts.count > 1 ? Int(parts[0]) ?? 0 : code + 1
            let name = parts[parts.count - 1]
            names[code] =
                (name.first == "~" ? (geographic[base]?.prefix ?? "") + name.dropFirst() : String(name), base)
        }
        return names
    }()

    /// The codes of projected systems with a name, in upper case.
    static let projectedCodes: [String: [Int]] = projected.keys.sorted().reduce(into: [:]) { codes, code in
        codes[projected[code]?.name.uppercased() ?? "", default: []].append(code)
    }

    /// The codes of geographic systems and of their datums by name, in upper case.
    static let geographicCodes: [String: Int] = geographic.values.sorted { $0.code > $1.code }.reduce(into: [:]) {
        $0[$1.datum.uppercased()] = $1.code
        $0[$1.name.uppercased()] = $1.code
    }
}
