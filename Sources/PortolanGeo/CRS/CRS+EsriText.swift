extension CRS {
    /// The definition in well-known text 1 in ESRI's dialect, as `.prj` files have it, or `nil` if that cannot state it.
    ///
    /// ``init(wellKnownText:)`` parses it. The text of a system that was parsed from well-known text 1 is returned
    /// unchanged. There is none for custom projections, and for the orthographic projection of an ellipsoid, which ESRI
    /// defines on a sphere only.
    public var esriWellKnownText: String? {
        if let text = wellKnownSource { return text }
        guard let projection else { return nil }
        let code = esriCode
        if projection is LongitudeLatitude {
            return code.flatMap { EPSGNames.geographic[$0] }.map { Self.text(of: $0) }
        }
        guard var parameters = (projection as? any DescribedProjection)?.parameters else { return nil }
        let named = code.flatMap { EPSGNames.projected[$0] }
        if let named, parameters.method == .transverseMercator,
            named.name.contains("Gauss") || named.name.contains("_GK_") && !named.name.hasPrefix("MGI_")
        {
            // The same projection, by its name in these systems.
            parameters.method = .gaussKruger
        }
        guard let base = named.flatMap({ EPSGNames.geographic[$0.base] }) ?? Self.base(of: parameters, datumShift),
            parameters.fit(base.ellipsoid, metersPerUnit: unit.metersPerUnit)
        else { return nil }
        let values = parameters.esriParameters.map { name, kind, value in
            let stated: Double =
                switch kind {
                case .longitude where base.meridianLongitude != 0:
                    Self.rounded((value - base.meridianLongitude) * base.unitsPerDegree)
                case .longitude, .angle:
                    base.unitsPerDegree == 1 ? value : Self.rounded(value * base.unitsPerDegree)
                case .length, .number: value
                }
            // Zero has no sign.
            return #"PARAMETER["\#(name)",\#(stated + 0)]"#
        }
        let title = named?.name ?? name.replacing("\"", with: "'")
        return #"PROJCS["\#(title)",\#(Self.text(of: base)),PROJECTION["\#(parameters.method.rawValue)"],"#
            + values.joined(separator: ",") + "," + Self.text(of: unit) + "]"
    }

    /// The code of the EPSG dataset or of ESRI.
    private var esriCode: Int? {
        switch name {
        case "CRS:84": return 4326
        case "CRS:83": return 4269
        case "CRS:27": return 4267
        default: break
        }
        return switch registered {
        case ("EPSG", let code)?: EPSGSystem.horizontalPart(of: code)
        case ("ESRI", let code)?: code
        default: nil
        }
    }

    /// Returns the geographic system of a projection without a code: that of its ellipsoid.
    private static func base(
        of parameters: ProjectionParameters, _ shift: Ellipsoid.DatumShift?
    ) -> EPSGNames.Geographic? {
        guard shift == nil else { return nil }
        let ellipsoid = parameters.ellipsoid
        if ellipsoid == .wgs84 { return EPSGNames.geographic[4326] }
        if ellipsoid == .grs80 { return EPSGNames.geographic[4019] }
        guard ellipsoid.semiMajorAxis > 1e6 else { return nil }
        let label = ellipsoid.flattening == 0 ? "Sphere" : "User_Defined"
        return EPSGNames.Geographic(
            code: 0, name: "GCS_\(label)", datum: "D_\(label)",
            spheroid: ellipsoid.flattening == 0 ? label : "User_Defined_Spheroid",
            semiMajorAxis: ellipsoid.semiMajorAxis,
            inverseFlattening: ellipsoid.flattening == 0 ? 0 : 1 / ellipsoid.flattening)
    }

    private static func text(of system: EPSGNames.Geographic) -> String {
        #"GEOGCS["\#(system.name)",DATUM["\#(system.datum)",SPHEROID["\#(system.spheroid)",\#(system.semiMajorAxis),"#
            + #"\#(system.inverseFlattening)]],PRIMEM["\#(system.meridian)",\#(system.meridianLongitude)],"#
            + #"UNIT["\#(system.unit)",\#(system.radiansPerUnit)]]"#
    }

    private static func text(of unit: CRS.Unit) -> String {
        let meters = unit.metersPerUnit
        let label = meters == 1 ? "Meter" : meters == 0.3048 ? "Foot" : meters == 1200.0 / 3937 ? "Foot_US" : "Unit"
        return #"UNIT["\#(label)",\#(meters)]"#
    }

    /// Removes what the difference to a prime meridian and other units add to the last digits.
    private static func rounded(_ angle: Double) -> Double { (angle * 1e11).rounded() / 1e11 }
}

extension ProjectionParameters {
    /// Relates the parameters to the ellipsoid of a geographic system, which is in metres.
    ///
    /// - Returns: whether the text would describe the same projection.
    fileprivate mutating func fit(_ base: Ellipsoid, metersPerUnit: Double) -> Bool {
        // ESRI's orthographic projection is that of a sphere with the semi-major axis.
        let flattening = method == .orthographic ? 0 : base.flattening
        guard abs(ellipsoid.flattening - flattening) < 1e-10 else { return false }
        let scale = ellipsoid.semiMajorAxis * metersPerUnit / base.semiMajorAxis
        guard abs(scale - 1) > 1e-11 else { return true }
        // Michigan's ellipsoid is enlarged by the elevation of the state.
        guard method == .lambertConformalConic else { return false }
        scaleFactor = ((scaleFactor ?? 1) * scale * 1e13).rounded() / 1e13
        return true
    }
}
