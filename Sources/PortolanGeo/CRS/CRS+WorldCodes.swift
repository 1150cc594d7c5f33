extension EPSGSystem {
    /// Returns the system of an EPSG code of the whole earth.
    static func world(_ code: Int) -> EPSGSystem? {
        switch code {
        case 8857: equalEarth(0)
        case 8858: equalEarth(-90)
        case 8859: equalEarth(150)
        default: nil
        }
    }

    private static func equalEarth(_ meridian: Double) -> EPSGSystem? {
        guard let named = try? NamedProjection(.equalEarth, [.longitude: meridian]),
            let projection = named.projection(on: .wgs84)
        else { return nil }
        return EPSGSystem(projection: projection, datum: .wgs84)
    }
}

extension CRS {
    /// Returns the CRS of a code of ESRI, or `nil` if it is not built in.
    static func esri(_ code: Int) -> CRS? {
        guard let (text, datum) = esriDefinition(code), let named = try? NamedProjection(text),
            let projection = named.projection(on: named.parameters[.radius] == nil ? datum.ellipsoid : .sphere(named))
        else { return nil }
        return CRS(
            name: "ESRI:\(code)", axisOrder: .eastNorth, unit: .meter, projection: projection, datumShift: datum.shift)
    }

    /// The projections of ESRI's codes for the world, continents and poles, and their datums.
    private static func esriDefinition(_ code: Int) -> (String, Datum)? {
        switch code {
        case 54008: ("sinusoidal", .wgs84)
        case 54009: ("mollweide", .wgs84)
        case 54012: ("eckert4", .wgs84)
        case 54030: ("robinson", .wgs84)
        case 54031: ("tpeqd:lon1=0,lat1=0,lon2=60,lat2=60", .wgs84)
        case 54032: ("aeqd", .wgs84)
        case 54035: ("equal-earth", .wgs84)
        case 54042: ("winkel-tripel:lat1=50.467", .wgs84)
        case 54077: ("natural-earth", .wgs84)
        case 102001: ("albers:lat1=50,lat2=70,lon=-96,lat=40", .grs80)
        case 102002: ("lcc:lat1=50,lat2=70,lon=-96,lat=40", .grs80)
        case 102003: ("albers:lat1=29.5,lat2=45.5,lon=-96,lat=37.5", .grs80)
        case 102004: ("lcc:lat1=33,lat2=45,lon=-96,lat=39", .grs80)
        case 102007: ("albers:lat1=8,lat2=18,lon=-157,lat=13", .grs80)
        case 102008: ("albers:lat1=20,lat2=60,lon=-96,lat=40", .grs80)
        case 102009: ("lcc:lat1=20,lat2=60,lon=-96,lat=40", .grs80)
        case 102011: ("sinusoidal:lon=15", .wgs84)
        case 102012: ("lcc:lat1=30,lat2=62,lon=105", .wgs84)
        case 102013: ("albers:lat1=43,lat2=62,lon=10,lat=30", .ed50)
        case 102014: ("lcc:lat1=43,lat2=62,lon=10,lat=30", .ed50)
        case 102015: ("lcc:lat1=-5,lat2=-42,lon=-60,lat=-32", .sad69)
        case 102016: ("aeqd:lat=90", .wgs84)
        case 102017: ("laea:lat=90", .wgs84)
        case 102019: ("aeqd:lat=-90", .wgs84)
        case 102020: ("laea:lat=-90", .wgs84)
        case 102022: ("albers:lat1=20,lat2=-23,lon=25", .wgs84)
        case 102024: ("lcc:lat1=20,lat2=-23,lon=25", .wgs84)
        case 102025: ("albers:lat1=15,lat2=65,lon=95,lat=30", .wgs84)
        case 102027: ("lcc:lat1=15,lat2=65,lon=95,lat=30", .wgs84)
        case 102028: ("albers:lat1=7,lat2=-32,lon=125,lat=-15", .wgs84)
        case 102030: ("lcc:lat1=7,lat2=-32,lon=125,lat=-15", .wgs84)
        case 102033: ("albers:lat1=-5,lat2=-42,lon=-60,lat=-32", .sad69)
        case 102035: ("ortho:lat=90,radius=6378137", .wgs84)
        case 102037: ("ortho:lat=-90,radius=6378137", .wgs84)
        case 102039: ("albers:lat1=29.5,lat2=45.5,lon=-96,lat=23", .grs80)
        default: nil
        }
    }
}

extension Ellipsoid {
    /// The sphere of a projection's stated radius.
    fileprivate static func sphere(_ named: NamedProjection) -> Ellipsoid {
        Ellipsoid(semiMajorAxis: named.parameters[.radius] ?? wgs84.semiMajorAxis, inverseFlattening: .infinity)
    }
}
