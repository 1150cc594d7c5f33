extension CRS {
    /// Parses a CRS identifier in any of its spellings.
    ///
    /// It accepts `EPSG:4326`, `CRS:84`, `OGC:CRS84` (and 83 and 27), `urn:ogc:def:crs:EPSG::4326` (with or without a
    /// version, or with the single colon that some servers write), `urn:ogc:def:crs:EPSG:6.18:3:3857`, `urn:x-ogc:…`,
    /// `http://www.opengis.net/def/crs/EPSG/0/4326`, `http://www.opengis.net/gml/srs/epsg.xml#4326`, `[EPSG:4326]`, and
    /// the other codes of Web Mercator (900913, 3785, 41001, 102100, 102113) with any authority. It also accepts
    /// projections by name and PROJ string (``NamedProjection``), such as `ortho:lon=10,lat=45`. Case is ignored. Codes
    /// that the built-in catalogue lacks are looked up in the one set by ``consult(_:)``.
    ///
    /// - Throws: ``CRSError/malformed(_:)``, ``CRSError/unknown(_:)``, the errors of ``NamedProjection`` or, from such a
    ///   catalogue, ``CRSError/unsupported(_:reason:)``. `EPSG:0`, which some servers write for "none", is unknown.
    ///
    /// Follows OGC 07-092r3 (URN) and OGC 09-048r5 (URI) clause 7.
    public init(_ text: String) throws(CRSError) {
        guard text.utf8.count <= 256 else { throw .malformed(String(text.prefix(64)) + "…") }
        if NamedProjection.isNamed(text) {
            self = try NamedProjection(text).crs
            return
        }
        guard let (authority, code) = Self.split(text) else {
            // A single word can only be meant as a name.
            let isWord = text.utf8.count > 2 && text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D }
            throw isWord ? .unknownProjection(text) : .malformed(text)
        }
        switch authority {
        case "CRS", "OGC":
            switch code {
            case "84", "CRS84": self = .crs84
            case "83", "CRS83": self = .crs83
            case "27", "CRS27": self = .crs27
            default: throw .unknown(text)
            }
        case "EPSG", "ESRI", "OSGEO":
            guard let number = Int(code) else { throw .malformed(text) }
            if let crs = Self.epsg(number), authority == "EPSG" || crs == .webMercator {
                self = crs
            } else if authority == "ESRI", let crs = Self.esri(number) {
                self = crs
            } else {
                self = try Self.catalogued(authority, code, text)
            }
        default: self = try Self.catalogued(authority, code, text)
        }
    }

    /// Returns the CRS of a code from the consulted catalogue.
    private static func catalogued(_ authority: String, _ code: String, _ text: String) throws(CRSError) -> CRS {
        guard let crs = try catalog?.crs(authority: authority, code: code) else { throw .unknown(text) }
        return crs
    }

    /// NAD83, longitude first (OGC 06-042, annex B.4).
    private static let crs83 = CRS(
        name: "CRS:83", axisOrder: .eastNorth, unit: .degree, projection: LongitudeLatitude())

    /// NAD27, longitude first (OGC 06-042, annex B.5).
    private static let crs27 = CRS(
        name: "CRS:27", axisOrder: .eastNorth, unit: .degree, projection: LongitudeLatitude(),
        datumShift: Datum.nad27.shift)

    /// Returns the CRS of an EPSG code, or `nil` if it is not in the catalogue.
    ///
    /// Coordinates can be transformed in Web Mercator and ellipsoidal Mercator; in UTM zones on WGS 84, ETRS89, NAD83,
    /// GDA94, GDA2020, SIRGAS 2000 and older datums; in State Plane and the other systems of NAD83 and NAD27, in metres
    /// and in feet; in the national grids of Europe, Canada, Australia, New Zealand, Japan, Korea, China and others; in
    /// the equal-area and stereographic systems of Europe and the poles; and in the geographic systems of all these.
    /// For the other codes of the EPSG dataset only axis order and unit are known, unless a catalogue is consulted
    /// (``consult(_:)``).
    ///
    /// Older datums are shifted by seven parameters, without grids. The accuracy is usually 1 to 5 metres, 10 in ED50,
    /// NAD27 and Tokyo, and 20 in SAD69.
    public static func epsg(_ code: Int) -> CRS? {
        switch code {
        // 4979 has heights, which a map does not show.
        case 4326, 4979: return .epsg4326
        case 3857, 3785, 900_913, 102_100, 102_113, 41001: return .webMercator
        default: break
        }
        let horizontal = EPSGSystem.horizontalPart(of: code)
        guard let (axisOrder, unit) = EPSGAxes.axes(of: horizontal) else { return nil }
        guard let system = EPSGSystem.system(horizontal) else {
            // A CRS without a projection can still be requested from servers and shown.
            return (try? catalog?.crs(authority: "EPSG", code: String(code)))
                ?? CRS(name: "EPSG:\(code)", axisOrder: axisOrder, unit: unit)
        }
        return CRS(
            name: "EPSG:\(code)", axisOrder: axisOrder, unit: unit, projection: system.projection,
            datumShift: system.datum.shift)
    }

    /// Splits `text` into the authority and the code, both in upper case.
    private static func split(_ text: String) -> (authority: String, code: String)? {
        var name = text.uppercased()[...]
        while let first = name.first, first.isWhitespace || first == "[" { name.removeFirst() }
        while let last = name.last, last.isWhitespace || last == "]" { name.removeLast() }
        if let hash = name.lastIndex(of: "#"), name.hasPrefix("HTTP") {
            let path = name[..<hash]
            guard path.hasSuffix("EPSG.XML") else { return nil }
            return pair("EPSG", name[name.index(after: hash)...])
        }
        if name.hasPrefix("HTTP://") || name.hasPrefix("HTTPS://") {
            guard let range = name.firstRange(of: "/DEF/CRS/") else { return nil }
            let parts = name[range.upperBound...].split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3 else { return nil }
            return pair(parts[0], parts[2])
        }
        // Of a compound CRS a map shows the first part: EPSG:25832+5783,
        // urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5783.
        if let plus = name.firstIndex(of: "+"), name[name.index(after: plus)...].allSatisfy(\.isNumber) {
            name = name[..<plus]
        }
        if name.hasPrefix("URN:OGC:DEF:CRS,") {
            let first = name.split(separator: ",", maxSplits: 2).dropFirst().first ?? ""
            name = "URN:OGC:DEF:" + first
        }
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        if parts.first == "URN" {
            guard parts.count >= 6, parts[1] == "OGC" || parts[1] == "X-OGC", parts[2] == "DEF", parts[3] == "CRS",
                parts.count <= 8, let code = parts.last
            else { return nil }
            // OGC 07-057r7 annex E.4 itself writes a version that contains a colon: EPSG:6.18:3:3857.
            guard parts.count < 8 || parts[5...6].allSatisfy({ $0.first?.isNumber == true }) else { return nil }
            return pair(parts[4], code)
        }
        guard parts.count == 2 else { return nil }
        return pair(parts[0], parts[1])
    }

    private static func pair(_ authority: Substring, _ code: Substring) -> (String, String)? {
        guard !authority.isEmpty, !code.isEmpty else { return nil }
        return (String(authority), String(code))
    }
}
