extension CRS {
    /// Parses a CRS in well-known text, version 1 (OGC 01-009, and ESRI `.prj` files), or version 2 for name and code
    /// only.
    ///
    /// An EPSG code at the end takes precedence, then ESRI's names for common systems, then the parameters of
    /// transverse Mercator, Lambert conformal conic and Albers equal-area projections, and those of ``NamedProjection``
    /// in metres. Axes have x first. Other texts
    /// are parsed by the catalogue set by ``consult(_:)``.
    ///
    /// - Throws: ``CRSError/malformed(_:)`` for invalid text, ``CRSError/unknown(_:)`` with the name of an unsupported
    ///   system, or ``CRSError/unsupported(_:reason:)`` from such a catalogue.
    public init(wellKnownText text: String) throws(CRSError) {
        guard text.utf8.count <= 1 << 16, let root = WellKnownNode.read(text) else {
            throw .malformed(Self.quotable(text, limit: 64))
        }
        let horizontal = root.keyword == "COMPD_CS" ? root.child("PROJCS", "GEOGCS") ?? root : root
        if let code = horizontal.code, let crs = Self.epsg(code) {
            self = crs
        } else if let crs = Self.named(horizontal) ?? Self.projected(horizontal) {
            self = crs
        } else if let crs = try Self.catalog?.crs(wellKnownText: text) {
            self = crs
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

    /// Returns the CRS with an ESRI name.
    private static func named(_ node: WellKnownNode) -> CRS? {
        let name = (node.texts.first ?? "").replacing(" ", with: "_").uppercased()
        let geographic = [
            "GCS_WGS_1984": 4326, "WGS_84": 4326, "WGS84": 4326, "GCS_ETRS_1989": 4258, "ETRS89": 4258,
            "GCS_NORTH_AMERICAN_1983": 4269, "NAD83": 4269, "GCS_NORTH_AMERICAN_1927": 4267, "NAD27": 4267,
            "GCS_GDA_1994": 4283, "GDA94": 4283, "GCS_OSGB_1936": 4277, "GCS_EUROPEAN_1950": 4230, "ED50": 4230,
        ]
        if let code = geographic[name] { return code == 4326 ? .crs84 : epsg(code) }
        switch name {
        case "WGS_1984_WEB_MERCATOR_AUXILIARY_SPHERE", "WGS_1984_WEB_MERCATOR", "WGS_84_/_PSEUDO-MERCATOR":
            return .webMercator
        case "BRITISH_NATIONAL_GRID": return epsg(27700)
        default: break
        }
        for (start, north, south) in [
            ("WGS_1984_UTM_ZONE_", 32600, 32700), ("WGS_84_/_UTM_ZONE_", 32600, 32700),
            ("ETRS_1989_UTM_ZONE_", 25800, 0),
            ("NAD_1983_UTM_ZONE_", 26900, 0), ("NAD_1927_UTM_ZONE_", 26700, 0),
        ] where name.hasPrefix(start) {
            let zone = name.dropFirst(start.count)
            guard let number = Int(zone.dropLast()), (1...60).contains(number) else { return nil }
            let base = zone.last == "S" ? south : north
            return base > 0 ? epsg(base + number) : nil
        }
        return nil
    }

    /// Returns the CRS of a projection with its parameters.
    private static func projected(_ node: WellKnownNode) -> CRS? {
        guard let geographic = node.keyword == "GEOGCS" ? node : node.child("GEOGCS"),
            let spheroid = geographic.child("DATUM")?.child("SPHEROID"), spheroid.numbers.count >= 2,
            spheroid.numbers[0] > 1e6, spheroid.numbers[0] < 1e7
        else { return nil }
        let flattening = spheroid.numbers[1]
        let ellipsoid = Ellipsoid(
            semiMajorAxis: spheroid.numbers[0], inverseFlattening: flattening > 100 ? flattening : .infinity)
        let datum = datum(geographic)
        let name = node.texts.first ?? ""
        if node.keyword == "GEOGCS" {
            return CRS(
                name: name, axisOrder: .eastNorth, unit: .degree, projection: LongitudeLatitude(), datumShift: datum)
        }
        var values: [String: Double] = [:]
        for parameter in node.children where parameter.keyword == "PARAMETER" {
            guard let name = parameter.texts.first, let value = parameter.numbers.first, value.isFinite else {
                continue
            }
            values[name.uppercased()] = value
        }
        // The default unit of projections is metres.
        let unit = node.child("UNIT")?.numbers.first ?? 1
        guard unit > 1e-6, unit < 1e6 else { return nil }
        let isGreenwich = geographic.child("PRIMEM")?.numbers.first ?? 0 == 0
        guard isGreenwich else { return nil }
        let origin = Coordinate(
            x: values["CENTRAL_MERIDIAN"] ?? values["LONGITUDE_OF_CENTER"] ?? 0,
            y: values["LATITUDE_OF_ORIGIN"] ?? values["LATITUDE_OF_CENTER"] ?? 0)
        let east = (values["FALSE_EASTING"] ?? 0) * unit, north = (values["FALSE_NORTHING"] ?? 0) * unit
        let falseOrigin = Coordinate(x: east, y: north)
        let parallels = values["STANDARD_PARALLEL_1"].map { ($0, values["STANDARD_PARALLEL_2"] ?? $0) }
        guard abs(origin.y) <= 90, abs(origin.x) <= 360, parallels.map({ abs($0.0) < 90 && abs($0.1) < 90 }) ?? true
        else {
            return nil
        }
        let kind = (node.child("PROJECTION")?.texts.first ?? "").uppercased()
        let projection: (any MapProjection)?
        switch kind {
        case "TRANSVERSE_MERCATOR", "GAUSS_KRUGER":
            projection = TransverseMercator(
                ellipsoid: ellipsoid, centralMeridian: origin.x, latitudeOfOrigin: origin.y,
                scaleFactor: values["SCALE_FACTOR"] ?? 1, falseEasting: east, falseNorthing: north)
        case let name where name.hasPrefix("LAMBERT_CONFORMAL_CONIC"):
            if let parallels, values["STANDARD_PARALLEL_2"] != nil, parallels.0 + parallels.1 != 0 {
                projection = LambertConformalConic(
                    ellipsoid: ellipsoid, origin: origin, standardParallels: parallels, falseOrigin: falseOrigin)
            } else if origin.y != 0 {
                projection = LambertConformalConic(
                    ellipsoid: ellipsoid, origin: origin, scaleFactor: values["SCALE_FACTOR"] ?? 1,
                    falseOrigin: falseOrigin)
            } else {
                projection = nil
            }
        case "ALBERS", "ALBERS_CONIC_EQUAL_AREA":
            projection = parallels.flatMap { parallels in
                parallels.0 + parallels.1 == 0
                    ? nil
                    : AlbersEqualArea(
                        ellipsoid: ellipsoid, origin: origin, standardParallels: parallels, falseOrigin: falseOrigin)
            }
        default: projection = unit == 1 ? NamedProjection(wellKnownName: kind, values)?.projection(on: ellipsoid) : nil
        }
        guard let projection else { return nil }
        return CRS(
            name: name, axisOrder: .eastNorth, unit: .length(meters: unit), projection: projection, datumShift: datum)
    }

    /// Returns the shift to WGS 84: from the text, or that of a datum with a known name.
    private static func datum(_ geographic: WellKnownNode) -> Ellipsoid.DatumShift? {
        let name = (geographic.child("DATUM")?.texts.first ?? "").uppercased()
        let known: [String: Datum] = [
            "D_NORTH_AMERICAN_1927": .nad27, "NORTH_AMERICAN_DATUM_1927": .nad27, "D_OSGB_1936": .osgb36,
            "OSGB_1936": .osgb36, "D_EUROPEAN_1950": .ed50, "EUROPEAN_DATUM_1950": .ed50, "D_AMERSFOORT": .amersfoort,
            "AMERSFOORT": .amersfoort, "D_DEUTSCHES_HAUPTDREIECKSNETZ": .dhdn, "D_MGI": .mgi, "D_KKJ": .kkj,
            "D_PULKOVO_1942": .pulkovo1942, "D_TOKYO": .tokyo, "D_CH1903": .ch1903, "D_NTF": .ntf,
        ]
        return known[name]?.shift
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
