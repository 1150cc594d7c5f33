#if PROJ
import Dispatch
import Foundation
import PortolanGeo
import PortolanPROJ
import TestHelpers
import Synchronization
import Testing

@Suite struct PROJCatalogTests {
    static let catalog = PROJCatalog()

    static func system(_ text: String) throws -> CRS {
        if text.hasPrefix("+") { return try #require(try catalog.crs(projString: text)) }
        let parts = text.split(separator: ":").map(String.init)
        return try #require(try catalog.crs(authority: parts[0], code: parts[1]))
    }

    struct Known: CustomTestStringConvertible, Sendable {
        var system: String
        var place: Coordinate
        var projected: Coordinate
        var tolerance = 1e-3
        var testDescription: String { "\(system) at \(place)" }

        init(_ system: String, _ place: (Double, Double), _ projected: (Double, Double), tolerance: Double = 1e-3) {
            self.system = system
            self.place = Coordinate(x: place.0, y: place.1)
            self.projected = Coordinate(x: projected.0, y: projected.1)
            self.tolerance = tolerance
        }
    }

    static let known = [
        // pyproj 3.7.2 with PROJ 9.5.1.
        Known("ESRI:54030", (10, 50), (819_964.6102, 5_326_895.7260)),
        Known("ESRI:54030", (-120, -33), (-10_771_282.4991, -3_529_492.5069)),
        Known("ESRI:54009", (10, 50), (760_633.1862, 5_873_471.9562)),
        Known("ESRI:54009", (150, -33), (13_480_198.9671, -3_992_942.2827)),
        Known("EPSG:8857", (-120, -33), (-10_605_753.0396, -4_119_238.0489)),
        Known("EPSG:3832", (-160, -30), (5_565_974.5397, -3_482_189.0854)),
        Known("IGNF:LAMB93", (2.35, 48.85), (652_301.5648, 6_861_302.7259)),
        Known("EPSG:32661", (10, 80), (2_193_261.9368, 903_957.0916)),
        Known("EPSG:3571", (10, 80), (-193_688.7491, 1_098_463.4812)),
        // IOGP 373-7-2, the example of Cassini-Soldner (Trinidad 1903, links of Clarke).
        Known(
            "+proj=cass +lat_0=10.441666666666666 +lon_0=-61.333333333333336 +x_0=86501.46392051999 "
                + "+y_0=65379.0134283 +a=6378293.645208759 +b=6356617.987679838 +to_meter=0.201166195164",
            (-62, 10), (66644.94, 82536.22), tolerance: 0.01),
        // swisstopo: the fundamental point in Berne, rounded to a ten-thousandth of a second.
        Known("EPSG:2056", (7.438632495, 46.951082877), (2_600_000, 1_200_000), tolerance: 0.5),
    ]

    @Test(arguments: known)
    func `positions agree with reference values, and the inverse with the positions`(known: Known) throws {
        let crs = try Self.system(known.system)
        let there = try #require(try CoordinateTransform(from: .crs84, to: crs)(known.place))
        #expect(abs(there.x - known.projected.x) < known.tolerance)
        #expect(abs(there.y - known.projected.y) < known.tolerance)
        let back = try #require(try CoordinateTransform(from: crs, to: .crs84)(there))
        // The inverse of the table of Robinson ends its search a few decimetres off.
        #expect(abs(back.x - known.place.x) < 1e-5)
        #expect(abs(back.y - known.place.y) < 1e-5)
    }

    @Test(
        arguments: [
            ("EPSG:3067", 19...32, 59...71), ("EPSG:2154", -10...15, 41...52), ("EPSG:3035", -20...40, 30...72),
            ("EPSG:25830", -6...0, 35...60), ("EPSG:3857", -179...179, -80...80),
            ("EPSG:3031", -179...179, -89 ... -60),
            ("EPSG:3395", -179...179, -80...80), ("EPSG:2193", 166...179, -47 ... -34),
            ("EPSG:4258", -10...30, 35...70),
            ("EPSG:32661", -179...179, 60...89), ("EPSG:6557", -124...(-121), 42...44),
        ] as [(String, ClosedRange<Double>, ClosedRange<Double>)])
    func `built-in CRSs agree with PROJ`(
        name: String, longitudes: ClosedRange<Double>, latitudes: ClosedRange<Double>
    ) throws {
        let crs = try Self.system(name), own = try CRS(name)
        #expect(crs.axisOrder == own.axisOrder)
        #expect(abs(crs.unit.metersPerUnit / own.unit.metersPerUnit - 1) < 1e-9)
        let there = try CoordinateTransform(from: .crs84, to: crs)
        let ownThere = try CoordinateTransform(from: .crs84, to: own)
        var generator = SeededGenerator(seed: 7)
        // NAD83 in Oregon is 1 to 2 metres from WGS 84 by the ways that PROJ prefers.
        let tolerance = name == "EPSG:6557" ? 10 : crs.isGeographic ? 1e-9 : 1e-3
        for _ in 0..<500 {
            let place = Coordinate(
                x: Double.random(in: longitudes, using: &generator), y: Double.random(in: latitudes, using: &generator))
            let one = try #require(there(place)), other = try #require(ownThere(place))
            #expect(abs(one.x - other.x) < tolerance && abs(one.y - other.y) < tolerance, "\(name) at \(place)")
        }
    }

    @Test(arguments: [
        ("EPSG", "5773"), ("EPSG", "4978"), ("EPSG", "2046"), ("EPSG", "4807"), ("IAU_2015", "30100"),
    ])
    func `CRSs that no map can be drawn in are reported`(authority: String, code: String) throws {
        do {
            let crs = try Self.catalog.crs(authority: authority, code: code)
            Issue.record("\(crs?.name ?? "nil") is given out")
        } catch {
            guard case .unsupported(let name, let reason) = error else { throw error }
            #expect(name == "\(authority):\(code)")
            #expect(!reason.isEmpty)
        }
    }

    @Test(arguments: [
        ("EPSG", "999999"), ("NOBODY", "1"), ("", "4326"), ("EPSG", ""), ("EPSG", "4326' OR 1=1 --"),
        ("EPSG", "../../etc/passwd"),
        ("EPSG", String(repeating: "9", count: 100_000)),
    ])
    func `unknown codes give nil`(authority: String, code: String) throws {
        #expect(try Self.catalog.crs(authority: authority, code: code) == nil)
    }

    @Test(arguments: [
        "", "GEOGCS", "PROJCRS[\"a\"", "+proj=robin", "EPSG:4326", "+init=epsg:4326", "PROJCS[\"\u{0}\"]",
        String(repeating: "GEOGCS[", count: 5000), String(repeating: "x", count: 1 << 17),
    ])
    func `invalid well-known text gives nil`(text: String) throws {
        #expect(try Self.catalog.crs(wellKnownText: text) == nil)
    }

    @Test func `a compound CRS is drawn in its plane`() throws {
        let crs = try Self.system("EPSG:7409")  // ETRS89 and EVRF2000 height
        #expect(crs.isGeographic)
        #expect(crs.axisOrder == .northEast)
        let place = Coordinate(x: 10, y: 50)
        #expect(try CoordinateTransform(from: .crs84, to: crs)(place) == place)
    }

    @Test func `a CRS equals itself and no other`() throws {
        let one = try Self.system("ESRI:54030"), other = try Self.system("ESRI:54030")
        #expect(one == other)
        #expect(one != (try Self.system("ESRI:54009")))
        #expect(try Self.system("EPSG:27700") != CRS("EPSG:27700"))
    }

    @Test func `many threads can use one CRS at once`() throws {
        let transform = try CoordinateTransform(from: .crs84, to: Self.system("ESRI:54030"))
        let places = (0..<4000).map { Coordinate(x: Double($0 % 360) - 180, y: Double($0 % 170) - 85) }
        let expected = places.map { transform($0) }
        let wrong = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 24) { index in
            var x = places.map(\.x), y = places.map(\.y)
            var alone = 0
            if index % 2 == 0 {
                var xs = x.mutableSpan, ys = y.mutableSpan
                transform(x: &xs, y: &ys)
                alone = expected.indices.count { expected[$0] != Coordinate(x: x[$0], y: y[$0]) }
            } else {
                alone = expected.indices.count { expected[$0] != transform(places[$0]) }
            }
            wrong.withLock { $0 += alone }
        }
        #expect(expected.allSatisfy { $0 != nil })
        #expect(wrong.withLock { $0 } == 0)
    }

    @Test(arguments: ["ESRI:54030", "ESRI:54009", "EPSG:8857", "EPSG:3832", "EPSG:5880", "EPSG:27200", "EPSG:3571"])
    func `a domain is wide, and each position in it has coordinates`(name: String) throws {
        let crs = try Self.system(name)
        let projection = try #require(crs.projection)
        guard case .box(let meridian?, let halfWidth, let latitudes) = projection.domain else {
            Issue.record("\(projection.domain)")
            return
        }
        #expect(halfWidth > 10)
        #expect(latitudes.upperBound - latitudes.lowerBound > 15)
        for step in -50...50 {
            let x = meridian + halfWidth * Double(step) / 50
            for y in [latitudes.lowerBound, (latitudes.lowerBound + latitudes.upperBound) / 2, latitudes.upperBound] {
                #expect(projection.project(Coordinate(x: x, y: y)) != nil, "\(x) \(y)")
            }
        }
    }

    @Test func `world projections are cut opposite their central meridian`() throws {
        let domain = try #require(try Self.system("EPSG:3832").projection?.domain)
        guard case .box(let meridian?, let halfWidth, _) = domain else {
            Issue.record("\(domain)")
            return
        }
        #expect(abs(meridian - 150) < 1e-9)
        #expect(halfWidth > 179.9)
    }
}
#endif
