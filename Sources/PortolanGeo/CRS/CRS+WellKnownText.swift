extension CRS {
    /// Parses a CRS in well-known text, version 1 (OGC 01-009, and ESRI `.prj` files), or version 2 for name and code
    /// only.
    ///
    /// An EPSG code at the end takes precedence, then ESRI's names of the built-in systems, then the parameters of the
    /// projection: transverse Mercator, Mercator, Lambert conformal conic, Albers equal-area, polar, double and oblique
    /// ones, and those of ``NamedProjection``. Axes have x first. Other texts are parsed by the catalogue set by
    /// ``consult(_:)``. ``esriWellKnownText`` writes such a text.
    ///
    /// - Throws: ``CRSError/malformed(_:)`` for invalid text, ``CRSError/unknown(_:)`` with the name of an unsupported
    ///   system, or ``CRSError/unsupported(_:reason:)`` from such a catalogue.
    public init(wellKnownText text: String) throws(CRSError) {
        guard text.utf8.count <= 1 << 16, let root = WellKnownNode.read(text) else {
            throw .malformed(Self.quotable(text, limit: 64))
        }
        let horizontal = root.keyword == "COMPD_CS" ? root.child("PROJCS", "GEOGCS") ?? root : root
        let source = ["PROJCS", "GEOGCS"].contains(root.keyword) ? text : nil
        if let code = horizontal.code, let crs = Self.epsg(code) {
            self = crs
        } else if let crs = Self.named(horizontal) {
            self = crs
        } else if let crs = Self.projected(horizontal) {
            self = CRS(crs, wellKnownText: source)
        } else if let crs = try Self.catalog?.crs(wellKnownText: text) {
            self = CRS(crs, wellKnownText: source ?? crs.wellKnownSource)
        } else {
            throw .unknown(Self.quotable(horizontal.texts.first ?? horizontal.keyword, limit: 200))
        }
    }

    /// Returns the start of a text from a file in one line, for messages.
    private static func quotable(_ text: String, limit: Int) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(limit).map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : $0 }
            ))
    }

    /// Returns the CRS with a usual name.
    private static func named(_ node: WellKnownNode) -> CRS? {
        let name = (node.texts.first ?? "").replacing(" ", with: "_").uppercased()
        let geographic = ["WGS_84": 4326, "WGS84": 4326, "ETRS89": 4258, "NAD83": 4269, "NAD27": 4267, "GDA94": 4283]
        if let code = geographic[name] ?? EPSGNames.geographicCodes[name], node.keyword != "PROJCS" {
            guard code != 4326 else { return .crs84 }
            // Some, such as spheres, are described by their text alone.
            let crs = epsg(code)
            return crs?.projection == nil ? nil : crs
        }
        switch name {
        case "WGS_1984_WEB_MERCATOR", "WGS_84_/_PSEUDO-MERCATOR": return .webMercator
        default: break
        }
        if name.hasPrefix("WGS_84_/_UTM_ZONE_") {
            let zone = name.dropFirst("WGS_84_/_UTM_ZONE_".count)
            guard let number = Int(zone.dropLast()), (1...60).contains(number) else { return nil }
            return epsg((zone.last == "S" ? 32700 : 32600) + number)
        }
        // Several systems may have a name, and some files have a known name with other parameters.
        let candidates = (EPSGNames.projectedCodes[name] ?? []).compactMap { epsg($0) ?? esri($0) }
        guard !candidates.isEmpty, node.child("PARAMETER") != nil, let stated = projected(node) else {
            return candidates.first
        }
        return candidates.first {
            abs($0.metersPerUnit / stated.metersPerUnit - 1) < 1e-9 && $0.projection?.isNear(stated.projection) ?? false
        }
    }

    /// Returns the CRS of a projection with its parameters.
    private static func projected(_ node: WellKnownNode) -> CRS? {
        guard let geographic = node.keyword == "GEOGCS" ? node : node.child("GEOGCS"),
            let spheroid = geographic.child("DATUM")?.child("SPHEROID"), spheroid.numbers.count >= 2,
            spheroid.numbers[0] > 1e6, spheroid.numbers[0] < 1e7
        else { return nil }
        let flattening = spheroid.numbers[1] > 100 ? spheroid.numbers[1] : .infinity
        let datum = datum(geographic)
        let name = node.texts.first ?? ""
        // Angles are in the unit of the geographic system, and east of its prime meridian, which is in degrees.
        let meridian = geographic.child("PRIMEM")?.numbers.first ?? 0
        let degrees = (geographic.child("UNIT")?.numbers.first).map { $0 / Angle.radiansPerDegree } ?? 1
        guard abs(meridian) <= 180, degrees > 0.01, degrees < 60 else { return nil }
        if node.keyword == "GEOGCS" {
            guard meridian == 0, abs(degrees - 1) < 1e-9 else { return nil }
            return CRS(
                name: name, axisOrder: .eastNorth, unit: .degree, projection: LongitudeLatitude(), datumShift: datum)
        }
        // The default unit of projections is metres.
        let unit = node.child("UNIT")?.numbers.first ?? 1
        guard unit > 1e-6, unit < 1e6 else { return nil }
        var values: [String: Double] = [:]
        for parameter in node.children where parameter.keyword == "PARAMETER" {
            guard let name = parameter.texts.first?.uppercased(), let value = parameter.numbers.first, value.isFinite
            else { continue }
            let isAngle = WellKnownProjection.angles.contains(name)
            values[name] = isAngle && abs(degrees - 1) > 1e-9 ? value * degrees : value
            if meridian != 0, WellKnownProjection.longitudes.contains(name) {
                values[name] = (values[name] ?? 0) + meridian
            }
        }
        // A projection is in the unit of its ellipsoid.
        let ellipsoid = Ellipsoid(semiMajorAxis: spheroid.numbers[0] / unit, inverseFlattening: flattening)
        let method = (node.child("PROJECTION")?.texts.first ?? "").uppercased()
        let isEsri = geographic.child("DATUM")?.texts.first?.hasPrefix("D_") ?? false
        guard let projection = WellKnownProjection(method, values, isEsri: isEsri)?.projection(on: ellipsoid) else {
            return nil
        }
        return CRS(
            name: name, axisOrder: .eastNorth, unit: .length(meters: unit), projection: projection, datumShift: datum)
    }

    /// Returns the shift to WGS 84 of a datum with a known name.
    private static func datum(_ geographic: WellKnownNode) -> Ellipsoid.DatumShift? {
        let name = (geographic.child("DATUM")?.texts.first ?? "").uppercased()
        let others: [String: Datum] = [
            "NORTH_AMERICAN_DATUM_1927": .nad27, "OSGB_1936": .osgb36, "EUROPEAN_DATUM_1950": .ed50,
            "AMERSFOORT": .amersfoort,
        ]
        if let datum = others[name] { return datum.shift }
        return EPSGNames.geographicCodes[name].flatMap { EPSGSystem.system($0) }?.datum.shift
    }
}

extension MapProjection {
    /// Returns whether another projection maps points in the middle of the domain to the same coordinates.
    fileprivate func isNear(_ other: (any MapProjection)?) -> Bool {
        let center: Coordinate =
            switch domain {
            case .box(let meridian, _, let latitudes):
                Coordinate(x: meridian ?? 0, y: (latitudes.lowerBound + latitudes.upperBound) / 2)
            case .cap(let center, _): center
            case .everywhere: Coordinate(x: 0, y: 0)
            }
        return [(0.0, 1.0), (2, -2)].allSatisfy { x, y in
            let place = Coordinate(x: center.x + x, y: center.y + (center.y > 80 ? -3 : 3) + y)
            guard let one = project(place), let two = other?.project(place) else { return false }
            return abs(one.x - two.x) < 0.01 && abs(one.y - two.y) < 0.01
        }
    }
}

/// A node of well-known text: `KEYWORD["text", 1.5, PART[…]]`.
struct WellKnownNode {
    let keyword: String
    var texts: [String] = []
    var numbers: [Double] = []
    var children: [WellKnownNode] = []

    /// Returns the first child with one of several keywords.
    func child(_ keywords: String...) -> WellKnownNode? { children.first { keywords.contains($0.keyword) } }

    /// The EPSG code of the node itself.
    var code: Int? {
        guard let authority = children.last(where: { $0.keyword == "AUTHORITY" || $0.keyword == "ID" }),
            authority.texts.first?.uppercased() == "EPSG"
        else { return nil }
        return authority.texts.dropFirst().first.flatMap { Int($0) }
            ?? authority.numbers.first.flatMap { Int(exactly: $0) }
    }

    /// Parses a text, or returns `nil` if it is invalid.
    static func read(_ text: String) -> WellKnownNode? {
        let bytes = Array(text.utf8)
        var index = 0
        return node(bytes, &index, depth: 0)
    }

    private static func skipBlanks(_ bytes: [UInt8], _ index: inout Int) {
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    }

    private static func node(_ bytes: [UInt8], _ index: inout Int, depth: Int) -> WellKnownNode? {
        guard depth < 16 else { return nil }
        skipBlanks(bytes, &index)
        let start = index
        while index < bytes.count,
            (0x41...0x5A).contains(bytes[index] & 0xDF) || bytes[index] == 0x5F || (0x30...0x39).contains(bytes[index])
        {
            index += 1
        }
        var node = WellKnownNode(keyword: String(decoding: bytes[start..<index], as: UTF8.self).uppercased())
        skipBlanks(bytes, &index)
        guard index < bytes.count, bytes[index] == UInt8(ascii: "[") || bytes[index] == UInt8(ascii: "(") else {
            // A word such as NORTH.
            return node.keyword.isEmpty ? nil : node
        }
        repeat {
            index += 1
            skipBlanks(bytes, &index)
            guard index < bytes.count else { return nil }
            let first = bytes[index]
            if first == UInt8(ascii: "\"") {
                let end = bytes[(index + 1)...].firstIndex(of: first) ?? bytes.count
                node.texts.append(String(decoding: bytes[(index + 1)..<end], as: UTF8.self))
                index = end + 1
            } else if (0x30...0x39).contains(first) || first == UInt8(ascii: "-") || first == UInt8(ascii: ".") {
                let start = index
                while index < bytes.count, ![0x2C, 0x5D, 0x29].contains(bytes[index]), bytes[index] > 0x20 {
                    index += 1
                }
                guard let number = Double(String(decoding: bytes[start..<index], as: UTF8.self)) else { return nil }
                node.numbers.append(number)
            } else {
                guard let child = self.node(bytes, &index, depth: depth + 1) else { return nil }
                node.children.append(child)
            }
            skipBlanks(bytes, &index)
        } while index < bytes.count && bytes[index] == UInt8(ascii: ",")
        guard index < bytes.count, bytes[index] == UInt8(ascii: "]") || bytes[index] == UInt8(ascii: ")") else {
            return nil
        }
        index += 1
        return node
    }
}
