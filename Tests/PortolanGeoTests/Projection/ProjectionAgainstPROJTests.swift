import PortolanGeo
import Testing

/// Compares the closed forms with PROJ's `cs2cs`: each method of projection both ways on 5,000 points, from parameters
/// written out here; and every code whose projection is built in with PROJ's own definition of it.
@Suite(.againstPROJ) struct ProjectionAgainstPROJTests {
    struct System: CustomTestStringConvertible, Sendable {
        var name: String
        var proj: String
        var base = "+datum=WGS84"
        var longitudes: ClosedRange<Double>
        var latitudes: ClosedRange<Double>
        var testDescription: String { name }
    }

    static let systems = [
        System(
            name: "EPSG:3857", proj: "+proj=webmerc +datum=WGS84", longitudes: -180...180, latitudes: -85.06...85.06),
        System(name: "EPSG:3395", proj: "+proj=merc +datum=WGS84", longitudes: -180...180, latitudes: -89...89),
        System(name: "EPSG:25830", proj: "+proj=utm +zone=30 +ellps=GRS80", longitudes: -6...0, latitudes: -80...84),
        System(name: "EPSG:25835", proj: "+proj=utm +zone=35 +ellps=GRS80", longitudes: 14...40, latitudes: 30...84),
        System(name: "EPSG:32630", proj: "+proj=utm +zone=30 +datum=WGS84", longitudes: -6...0, latitudes: 0...84),
        System(
            name: "EPSG:32601", proj: "+proj=utm +zone=1 +datum=WGS84", longitudes: -180 ... -174, latitudes: 0...84),
        System(name: "EPSG:32660", proj: "+proj=utm +zone=60 +datum=WGS84", longitudes: 174...180, latitudes: 0...84),
        System(
            name: "EPSG:32756", proj: "+proj=utm +zone=56 +south +datum=WGS84", longitudes: 150...156,
            latitudes: -80...0),
        System(name: "EPSG:3067", proj: "+proj=utm +zone=35 +ellps=GRS80", longitudes: 19...32, latitudes: 59...71),
        System(
            name: "EPSG:2180", proj: "+proj=tmerc +lat_0=0 +lon_0=19 +k=0.9993 +x_0=500000 +y_0=-5300000 +ellps=GRS80",
            longitudes: 14...25, latitudes: 49...55),
        System(
            name: "EPSG:27700",
            proj: "+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy",
            base: "+ellps=airy", longitudes: -9...3, latitudes: 49...61),
        System(
            name: "EPSG:31467", proj: "+proj=tmerc +lon_0=9 +k=1 +x_0=3500000 +ellps=bessel", base: "+ellps=bessel",
            longitudes: 5...16, latitudes: 47...55),
        System(
            name: "EPSG:2154",
            proj: "+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 +ellps=GRS80",
            longitudes: -30...40, latitudes: -40...90),
        System(
            name: "EPSG:3112", proj: "+proj=lcc +lat_0=0 +lon_0=134 +lat_1=-18 +lat_2=-36 +ellps=GRS80",
            longitudes: 90...179, latitudes: -89...50),
        System(
            name: "EPSG:27572",
            proj: "+proj=lcc +lat_1=46.8 +lat_0=46.8 +lon_0=2.33722917 +k_0=0.99987742 +x_0=600000 +y_0=2200000 "
                + "+a=6378249.2 +b=6356515", base: "+a=6378249.2 +b=6356515", longitudes: -5...10, latitudes: 41...51.5),
        System(
            name: "EPSG:3035", proj: "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80",
            longitudes: -35...45, latitudes: 24...84),
        System(
            name: "EPSG:3575", proj: "+proj=laea +lat_0=90 +lon_0=10 +datum=WGS84", longitudes: -180...180,
            latitudes: 0...90),
        System(
            name: "EPSG:6932", proj: "+proj=laea +lat_0=-90 +lon_0=0 +datum=WGS84", longitudes: -180...180,
            latitudes: -90...0),
        System(
            name: "EPSG:3408", proj: "+proj=laea +lat_0=90 +lon_0=0 +R=6371228", base: "+R=6371228",
            longitudes: -180...180, latitudes: 0...90),
        System(
            name: "EPSG:2163", proj: "+proj=laea +lat_0=45 +lon_0=-100 +R=6370997", base: "+R=6370997",
            longitudes: -170 ... -50, latitudes: 0...80),
        System(
            name: "EPSG:5070", proj: "+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +ellps=GRS80",
            longitudes: -170 ... -50, latitudes: -20...89),
        System(
            name: "EPSG:3577", proj: "+proj=aea +lat_0=0 +lon_0=132 +lat_1=-18 +lat_2=-36 +ellps=GRS80",
            longitudes: 90...179, latitudes: -89...20),
        System(
            name: "EPSG:3031", proj: "+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +datum=WGS84",
            longitudes: -180...180, latitudes: -90...0),
        System(
            name: "EPSG:3411", proj: "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +a=6378273 +b=6356889.449",
            base: "+a=6378273 +b=6356889.449", longitudes: -180...180, latitudes: 30...90),
        System(
            name: "EPSG:5041", proj: "+proj=stere +lat_0=90 +k=0.994 +x_0=2000000 +y_0=2000000 +datum=WGS84",
            longitudes: -180...180, latitudes: 0...90),
        System(
            name: "EPSG:28992",
            proj: "+proj=sterea +lat_0=52.1561605555556 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 "
                + "+ellps=bessel", base: "+ellps=bessel", longitudes: -10...20, latitudes: 40...65),
        System(
            name: "EPSG:2056",
            proj:
                "+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +x_0=2600000 +y_0=1200000 +ellps=bessel",
            base: "+ellps=bessel", longitudes: 0...15, latitudes: 40...54),
        System(
            name: "EPSG:5514",
            proj:
                "+proj=krovak +lat_0=49.5 +lon_0=24.8333333333333333 +alpha=30.28813975277778 +k=0.9999 +ellps=bessel",
            base: "+ellps=bessel", longitudes: 11...24, latitudes: 46...52),
    ]

    @Test(arguments: systems)
    func `projections agree with PROJ to a millimetre and 1e-9 degrees`(system: System) throws {
        let projection = try #require(try CRS(system.name).projection)
        let places = PROJ.places(5000, system.longitudes, system.latitudes)
        let base = "+proj=longlat " + system.base
        let reference = try PROJ.transform(places, from: base, to: system.proj)
        var worst = 0.0
        for (place, expected) in zip(places, reference) {
            let actual = try #require(projection.project(place))
            worst = max(worst, abs(actual.x - expected.x), abs(actual.y - expected.y))
        }
        #expect(worst < 0.001, "the largest difference is \(worst) m")

        let back = try PROJ.transform(reference, from: system.proj, to: base)
        // PROJ ends the series of the authalic latitude early on the way back (1.6 mm); so here the place itself counts.
        let isExact = !system.proj.contains("+proj=laea") || system.base.contains("+R=")
        var worstBack = 0.0, worstTurn = 0.0
        for (place, (projected, expected)) in zip(places, zip(reference, back)) {
            let actual = try #require(projection.unproject(projected))
            // Within kilometres of a pole the last digits of a longitude are noise.
            guard abs(place.y) < 89.9 else { continue }
            worstBack = max(worstBack, PROJ.difference(actual, expected))
            worstTurn = max(worstTurn, PROJ.difference(actual, place))
        }
        #expect(worstBack < (isExact ? 1e-9 : 2e-8), "the largest difference is \(worstBack)°")
        #expect(worstTurn < 1e-9, "places come back \(worstTurn)° off")
    }

    /// The first and last zone of each run of codes, so that no run begins or ends with a wrong one.
    @Test(arguments: zones) func `zones agree with the EPSG dataset`(zones: Zones) throws {
        for code in Set([zones.first, zones.last]) {
            let middle = zones.meridian + Double(code - zones.first) * 6
            try compare(
                code, base: zones.base, PROJ.places(2000, (middle - 4)...(middle + 4), zones.isSouth ? -80...0 : 0...84)
            )
        }
    }

    @Test(arguments: areas) func `CRSs agree with the EPSG dataset`(area: Area) throws {
        let places = PROJ.places(2000, area.longitudes, area.latitudes)
        for code in area.codes { try compare(code, base: area.base, places) }
    }

    func compare(_ code: Int, base: Int, _ places: [Coordinate]) throws {
        let crs = try CRS("EPSG:\(code)")
        let projection = try #require(crs.projection, "EPSG:\(code)")
        try #require(!places.isEmpty)
        let reference = try PROJ.transform(places, from: "EPSG:\(base)", to: crs.name)
        var worst = 0.0, worstBack = 0.0
        for (place, expected) in zip(places, reference) {
            let actual = try #require(projection.project(place), "EPSG:\(code) at \(place)")
            worst = max(worst, abs(actual.x - expected.x), abs(actual.y - expected.y))
            let back = try #require(projection.unproject(actual), "EPSG:\(code) at \(actual)")
            worstBack = max(worstBack, PROJ.difference(back, place))
        }
        worst *= crs.metersPerUnit
        #expect(worst < 0.001, "EPSG:\(code): the largest difference is \(worst) m")
        #expect(worstBack < 1e-9, "EPSG:\(code): the way back misses by \(worstBack)°")
        // The base of the definition is on the datum that is built in.
        #expect(try CRS("EPSG:\(base)").datumShift == crs.datumShift || Self.bases.contains(base), "EPSG:\(code)")
    }

    @Test func `every built-in code is compared`() {
        var compared = Set(Self.areas.flatMap(\.codes) + Self.tabled.flatMap(\.codes))
        for zones in Self.zones { compared.formUnion(zones.first...zones.last) }
        for code in 1000...33_000 {
            guard let crs = CRS.epsg(code), let projection = crs.projection, crs != .webMercator else { continue }
            guard !(projection is LongitudeLatitude), ![5698, 7405, 7415, 5554, 5555, 5556].contains(code) else {
                continue
            }
            #expect(compared.contains(code), "EPSG:\(code)")
        }
    }

    @Test(arguments: [(5698, 2154), (7405, 27700), (7415, 28992), (5554, 25831), (5555, 25832), (5556, 25833)])
    func `a compound CRS has the plane of its horizontal part`(compound: Int, plane: Int) throws {
        let crs = try CRS("EPSG:\(compound)"), horizontal = try CRS("EPSG:\(plane)")
        #expect(crs.name == "EPSG:\(compound)")
        #expect(crs.axisOrder == horizontal.axisOrder)
        #expect(try CoordinateTransform(from: crs, to: horizontal).isIdentity)
    }
}
