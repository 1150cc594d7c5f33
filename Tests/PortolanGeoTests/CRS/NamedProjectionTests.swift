import PortolanGeo
import TestHelpers
import Testing

@Suite struct NamedProjectionTests {
    /// A projection of `Fixtures/projections`, and coordinates that PROJ computed.
    struct Reference: CustomTestStringConvertible, Sendable {
        var name: String
        var proj: String
        var places: [(geographic: Coordinate, projected: Coordinate)] = []
        var testDescription: String { name }
    }

    static let references: [Reference] = {
        let text = (try? Fixture.bytes("projections/reference.tsv")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").reduce(into: []) { references, line in
            let fields = line.split(separator: "\t"), numbers = fields.compactMap { Double($0) }
            if numbers.count == 4 {
                references[references.count - 1].places.append(
                    (Coordinate(x: numbers[0], y: numbers[1]), Coordinate(x: numbers[2], y: numbers[3])))
            } else if fields.count == 2 {
                references.append(Reference(name: String(fields[0]), proj: String(fields[1])))
            }
        }
    }()

    @Test(arguments: references)
    func `projections agree with PROJ to a millimetre and come back to 1e-9 degrees`(reference: Reference) throws {
        let crs = try CRS(reference.name)
        #expect(crs.name == reference.name)
        #expect(try CRS(reference.proj) == crs)
        let projection = try #require(crs.projection)
        try #require(reference.places.count == 40)
        for (geographic, expected) in reference.places {
            let projected = try #require(projection.project(geographic), "\(geographic)")
            #expect(max(abs(projected.x - expected.x), abs(projected.y - expected.y)) < 0.001, "\(geographic)")
            let back = try #require(projection.unproject(projected), "\(geographic)")
            let turn = abs((back.x - geographic.x).remainder(dividingBy: 360))
            #expect(max(turn, abs(back.y - geographic.y)) < 1e-9, "\(geographic)")
        }
    }

    @Test func `a projection has the same CRS in all its forms`() throws {
        let globe = try CRS("ortho:lon=10,lat=45")
        let pacific = try NamedProjection("+proj=robin +lon_0=150").crs  // robinson:lon=150
        let same = try NamedProjection(.robinson, [.longitude: 150]).crs
        #expect(pacific == same)
        #expect(try CRS("robinson:lon=150") == same)
        #expect(try CRS("+proj=ortho +lat_0=45 +lon_0=10") == globe)
    }

    @Test func `every method is compared with PROJ`() throws {
        let compared = try Set(Self.references.map { try NamedProjection($0.name).method })
        #expect(compared == Set(NamedProjection.Method.allCases))
    }

    @Test(arguments: NamedProjection.Method.allCases)
    func `the edge of a projection comes back to 1e-5 degrees`(method: NamedProjection.Method) throws {
        let projection = try #require(try CRS(method.example).projection)
        // The series of the transverse Mercator come back to about twenty metres at 80 degrees, so a place may be beyond.
        let isSeries = method == .transverseMercator, share = isSeries ? 1 - 1e-6 : 1 - 1e-12
        let tolerance = isSeries ? 1e-3 : 1e-5, edge: [Coordinate]
        switch projection.domain {
        case .everywhere: edge = []
        case .box(let meridian, let halfWidth, let latitudes):
            edge = (0...60).flatMap { step in
                let height = Double(step) / 60
                let latitude = latitudes.lowerBound + (latitudes.upperBound - latitudes.lowerBound) * height
                return [-1, 0, 1].map { $0 * halfWidth * share }.map {
                    Coordinate(x: (meridian ?? 0) + $0, y: latitude)
                }
            }
        case .cap(let center, let radius):
            let circle = SphereCircle(center: center, radius: radius)
            edge = (0..<120).map { circle.place(bearing: Double($0) * 3 + 0.1) }
        }
        try #require(!edge.isEmpty)
        for place in edge {
            let projected = try #require(projection.project(place), "\(place)")
            let back = try #require(projection.unproject(projected), "\(place)")
            #expect(abs(back.y - place.y) < tolerance, "\(place)")
            // All longitudes meet at a pole.
            guard abs(place.y) < 89.999 else { continue }
            #expect(abs((back.x - place.x).remainder(dividingBy: 360)) < tolerance, "\(place)")
        }
    }

    @Test(arguments: [
        ("ortho:lon=10,lat=45", Coordinate(x: -170, y: -45)), ("ortho:lat=90", Coordinate(x: 0, y: -0.2)),
        ("aeqd:lon=25,lat=60", Coordinate(x: -155, y: -60)), ("laea", Coordinate(x: 180, y: 0)),
        ("tpeqd:lon1=-40,lat1=0,lon2=40,lat2=0", Coordinate(x: 150, y: 0)),
        ("omerc:lon=-100,lat=40,azimuth=45", Coordinate(x: 80, y: 0)),
    ])
    func `places beyond the horizon are not on the map`(name: String, place: Coordinate) throws {
        #expect(try #require(try CRS(name).projection).project(place) == nil)
    }

    @Test(arguments: [
        "robinson", "mollweide", "winkel-tripel", "equal-earth", "eckert4", "sinusoidal", "natural-earth",
    ])
    func `points beside the outline are on no map`(name: String) throws {
        let projection = try #require(try CRS(name).projection)
        let side = try #require(projection.project(Coordinate(x: 180, y: 45))),
            pole = try #require(
                projection.project(Coordinate(x: 0, y: 90)))
        #expect(projection.unproject(Coordinate(x: side.x + 1000, y: side.y)) == nil)
        #expect(projection.unproject(Coordinate(x: side.x - 1000, y: side.y)) != nil)
        #expect(projection.unproject(Coordinate(x: 0, y: pole.y + 1000)) == nil)
        #expect(projection.unproject(Coordinate(x: 1e300, y: -1e300)) == nil)
    }

    @Test(arguments: [
        ("Robinson", "robinson"), ("robin", "robinson"), ("+proj=robin +lon_0=10", "robinson:lon=10"),
        ("moll:lon=-30.5", "mollweide:lon=-30.5"), ("orthographic: lon=10, lat=45", "ortho:lon=10,lat=45"),
        ("+proj=laea +lat_0=90 +lon_0=0 +R=6371228 +units=m +no_defs", "laea:lon=0,lat=90,radius=6371228"),
        ("+proj=eck4 +ellps=sphere", "eckert4:radius=6370997"), ("aea:lat_1=20,lat_2=60", "albers:lat1=20,lat2=60"),
        (
            "+proj=omerc +lat_0=4 +lonc=115 +alpha=53 +gamma=54 +k_0=0.9 +datum=WGS84 +type=crs",
            "omerc:lon=115,lat=4,azimuth=53,grid-angle=54,k=0.9"
        ),
    ])
    func `every spelling of a projection has one name`(text: String, name: String) throws {
        let crs = try CRS(text)
        #expect(crs.name == name)
        #expect(try CRS(crs.name) == crs)
        #expect(crs.unit == .meter && crs.axisOrder == .eastNorth)
    }

    @Test(arguments: [
        ("ESRI:54030", "robinson"), ("ESRI:54009", "mollweide"), ("ESRI:54042", "winkel-tripel:lat1=50.467"),
        ("ESRI:54012", "eckert4"), ("ESRI:54008", "sinusoidal"), ("ESRI:54077", "natural-earth"),
        ("EPSG:8857", "equal-earth"), ("EPSG:8859", "equal-earth:lon=150"), ("ESRI:54032", "aeqd"),
        ("ESRI:102017", "laea:lat=90"), ("ESRI:102022", "albers:lat1=20,lat2=-23,lon=25"),
    ])
    func `codes of ESRI and EPSG have their projections`(code: String, name: String) throws {
        let crs = try CRS(code), place = Coordinate(x: 30, y: 20)
        #expect(crs.name == code)
        #expect(try CRS("urn:ogc:def:crs:" + code.replacing(":", with: "::")) == crs)
        let expected = try #require(try CRS(name).projection)
        #expect(try #require(crs.projection).project(place) == expected.project(place))
    }

    @Test(arguments: [
        ("robinsen", CRSError.unknownProjection("robinsen")), ("+proj=gnom", .unknownProjection("gnom")),
        ("+proj=pipeline +step +proj=robin", .unknownProjection("pipeline")), ("+lon_0=10", .malformed("+lon_0=10")),
        ("+proj=robin lon_0=10", .malformed("+proj=robin lon_0=10")),
        ("robinson:lat=3", .unknownParameter("lat", projection: "robinson", known: ["lon", "x", "y", "radius"])),
        (
            "+proj=robin +lat_ts=3",
            .unknownParameter(
                "lat_ts", projection: "robinson", known: ["lon_0", "x_0", "y_0", "R"])
        ),
        ("ortho:lon=1,lon=2", .invalidParameter("lon", projection: "ortho", reason: "is stated twice")),
        ("ortho:lon", .invalidParameter("lon", projection: "ortho", reason: "must be a number")),
        ("ortho:lat=nan", .invalidParameter("lat", projection: "ortho", reason: "must be a number")),
        ("ortho:lat=95", .invalidParameter("lat", projection: "ortho", reason: "must be from -90 to 90")),
        (
            "+proj=robin +datum=NAD27",
            .invalidParameter(
                "datum", projection: "robinson", reason: "must be WGS84; write +R=METRES for a sphere")
        ),
        ("+proj=robin +units=us-ft", .invalidParameter("units", projection: "robinson", reason: "must be m")),
        (
            "albers",
            .invalidParameter(
                "lat1", projection: "albers", reason: "is missing, as in 'albers:lat1=29.5,lat2=45.5,lon=-96,lat=23'")
        ),
        (
            "lcc:lat1=30,lat2=-30",
            .invalidParameter(
                "lat2", projection: "lcc", reason: "must not be the opposite of lat1: that is a cylinder, not a cone")
        ),
        (
            "tpeqd:lon1=0,lat1=0,lon2=180,lat2=0",
            .invalidParameter(
                "lon2", projection: "tpeqd", reason: "must not be the first point or its antipode")
        ),
    ])
    func `an invalid projection is refused with a reason`(text: String, error: CRSError) {
        #expect(throws: error) { try CRS(text) }
    }

    @Test func `the message about an unknown projection lists all names`() {
        let list = CRSError.unknownProjection("robinsen").description
        for method in NamedProjection.Method.allCases { #expect(list.firstRange(of: method.rawValue) != nil) }
    }

    @Test func `projections of ESRI's well-known text are read`() throws {
        let text = """
            PROJCS["World_Robinson",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],
            PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Robinson"],
            PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",11.0],
            UNIT["Meter",1.0]]
            """
        let projection = try #require(try CRS(wellKnownText: text).projection), place = Coordinate(x: -120, y: 33)
        let expected = try #require(try CRS("robinson:lon=11").projection)
        #expect(projection.project(place) == expected.project(place))
    }

    @Test(arguments: [("robinson", 34_011_667.0, 17_250_000.0), ("ortho:lat=90", 12_756_250.0, 12_756_250.0)])
    func `the outline has the size of the world`(name: String, width: Double, height: Double) throws {
        let crs = try CRS(name), extent = try #require(crs.outlineExtent), outline = try #require(crs.outline)
        #expect(abs(extent.width - width) < 1000 && abs(extent.height - height) < 1000)
        #expect(outline.first == outline.last)
    }
}
