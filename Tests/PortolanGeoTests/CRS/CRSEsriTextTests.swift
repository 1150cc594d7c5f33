import TestHelpers
import Testing

@testable import PortolanGeo

/// Definitions in ESRI's well-known text, compared with those of PROJ (`Fixtures/projections/esri.tsv`).
@Suite struct CRSEsriTextTests {
    static let references: [(name: String, text: String)] = {
        let lines = (try? Fixture.bytes("projections/esri.tsv")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return lines.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t")
            // ESRI's name of the unit.
            return fields.count == 2
                ? (String(fields[0]), String(fields[1]).replacing("\"US survey foot\"", with: "\"Foot_US\"")) : nil
        }
    }()

    /// A text without its numbers, and these.
    private static func parts(_ text: String) -> (words: String, numbers: [Double]) {
        var rest = "", numbers: [Double] = []
        for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            guard index.isMultiple(of: 2) else {
                rest += "\"\(part)\""
                continue
            }
            for item in part.split(whereSeparator: { ",[]".contains($0) }) {
                if let number = Double(item) { numbers.append(number) } else { rest += item }
            }
        }
        return (rest, numbers)
    }

    @Test func `there are references`() { #expect(Self.references.count == 65) }

    @Test(arguments: references)
    func `a definition is that of PROJ`(name: String, text: String) throws {
        let crs = try CRS(name)
        let own = Self.parts(try #require(crs.esriWellKnownText)), other = Self.parts(text)
        #expect(own.words == other.words)
        try #require(own.numbers.count == other.numbers.count)
        for (one, two) in zip(own.numbers, other.numbers) {
            #expect(abs(one - two) <= 1e-12 * max(abs(two), 1), "\(one) \(two)")
        }
        let back = try CRS(wellKnownText: text)
        // ESRI has another code for the same system.
        #expect(back.name == ["EPSG:4326": "CRS:84", "ESRI:54035": "EPSG:8857"][name] ?? name)
    }

    @Test func `each system with a code has a definition that is read back`() throws {
        var count = 0
        for code in 1024...32_767 {
            guard let crs = CRS.epsg(code), crs.projection != nil, crs.epsgCode == code || code == 4326 else {
                continue
            }
            guard let text = crs.esriWellKnownText else {
                Issue.record("\(crs)")
                continue
            }
            count += 1
            let back = try CRS(wellKnownText: text)
            #expect(back.unit == crs.unit, "\(crs)")
            #expect(back.datumShift == crs.datumShift, "\(crs) \(back)")
            if back == crs || crs.isGeographic { continue }
            let middle = Self.place(in: crs), one = try #require(crs.projection?.project(middle), "\(crs)")
            let other = try #require(back.projection?.project(middle), "\(crs)")
            #expect(max(abs(one.x - other.x), abs(one.y - other.y)) < 1e-3, "\(crs) \(back)")
        }
        #expect(count > 3000)
    }

    /// A place in the middle of the domain, away from special points.
    private static func place(in crs: CRS) -> Coordinate {
        switch crs.domain {
        case .box(let meridian, _, let latitudes):
            Coordinate(x: (meridian ?? 0) + 3, y: (latitudes.lowerBound + latitudes.upperBound) / 2 + 7)
        case .cap(let center, _): Coordinate(x: center.x + 3, y: center.y + (center.y > 80 ? -5 : 5))
        case .everywhere, nil: Coordinate(x: 3, y: 5)
        }
    }

    @Test(arguments: [
        "robinson:lon=10", "equal-earth", "winkel-tripel", "winkel-tripel:lon=-90,lat1=50.467", "natural-earth",
        "mollweide", "eckert4:lon=-70", "sinusoidal:lon=15", "aeqd:lon=25,lat=60", "laea:lon=10,lat=52", "laea:lat=-90",
        "tpeqd:lon1=-74,lat1=41,lon2=25,lat2=60", "albers:lat1=29.5,lat2=45.5,lon=-96,lat=23",
        "lcc:lat1=49,lat2=44,lon=3,lat=46.5", "lcc:lat1=49,lat2=44,lon=3,lat=46.5,k=0.999",
        "lcc:lat1=-30,lon=20,lat=-40", "omerc:lon=-100,lat=40,azimuth=45",
        "omerc:lon=115,lat=4,azimuth=53.3,grid-angle=53.1,k=0.99984", "tmerc:lon=24,k=0.9996,x=500000",
        "ortho:lon=10,lat=45,radius=6371000", "robinson:radius=6371000", "laea:lon=3,lat=4,radius=1737400",
    ])
    func `a projection by name has a definition that is read back`(name: String) throws {
        let crs = try CRS(name), back = try CRS(wellKnownText: try #require(crs.esriWellKnownText))
        #expect(back.name == name)
        let place = Coordinate(x: 5, y: 7), one = crs.projection?.project(place),
            other = back.projection?.project(place)
        guard let one, let other else {
            #expect(one == nil && other == nil)
            return
        }
        #expect(max(abs(one.x - other.x), abs(one.y - other.y)) < 1e-6)
    }

    @Test func `custom projections and the orthographic one of an ellipsoid have no definition`() throws {
        struct Flat: MapProjection {
            func forward(_ geographic: Coordinate) -> Coordinate? { geographic }
            func inverse(_ projected: Coordinate) -> Coordinate? { projected }
        }
        #expect(CRS(name: "x", axisOrder: .eastNorth, unit: .meter, projection: Flat()).esriWellKnownText == nil)
        #expect(CRS(name: "x", axisOrder: .eastNorth, unit: .meter).esriWellKnownText == nil)
        #expect(try CRS("ortho:lon=10,lat=45").esriWellKnownText == nil)
    }

    @Test func `a definition that was read is kept`() throws {
        let text = #"""
            PROJCS["Our town",GEOGCS["Here",DATUM["D_Here",SPHEROID["Bessel",6377397.155,299.1528128]],PRIMEM["Greenwich",0],
            UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["Central_Meridian",8],UNIT["Meter",1]]
            """#
        #expect(try CRS(wellKnownText: text).esriWellKnownText == text)
        // A known system has its usual one.
        let known = try CRS(wellKnownText: #"PROJCS["WGS 84 / UTM zone 35N",AUTHORITY["EPSG","32635"]]"#)
        #expect(known.esriWellKnownText?.hasPrefix(#"PROJCS["WGS_1984_UTM_Zone_35N","#) ?? false)
    }
}
