import Foundation
import PortolanBeacons
import PortolanGeo
import PortolanTransit
import Testing

@Suite struct BusGuideTests {
    private static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

    @Test func `cooperatives, routes and stops are read, with the notice that they are invented`()
        throws
    {
        let guide = try GuideSample.guide()
        #expect(guide.cooperatives.count == 3)
        #expect(guide.routes.count == 6)
        #expect(guide.stops.count == 30)
        #expect(guide.problems.isEmpty)
        #expect(guide.notice.hasPrefix("Invented"))
        #expect(guide.stops.filter { $0.beacon != nil }.count == 10)
        #expect(guide.cooperatives.first { $0.id == "condor" }?.mail == "info@condor.example")
    }

    @Test func `a route has its cooperative, hours, duration, path and ordered stops`()
        throws
    {
        let guide = try GuideSample.guide()
        let route = try #require(guide.routes.first { $0.id == "A1" })
        #expect(route.cooperative.map { guide.cooperatives[$0].name } == "Cooperativa Cóndor Azul")
        #expect(route.direction == "Valle Hondo")
        #expect(route.firstHour == "05:30")
        #expect(route.lastHour == "22:00")
        #expect(route.minutes == 38)
        #expect(route.stops.count == 12)
        #expect(route.path.count == 45)
        #expect(!route.isLoop)
        #expect(guide.stops[route.stops[0]].name == "Ñañaro")
        #expect(zip(route.measures, route.measures.dropFirst()).allSatisfy { $0 < $1 })
        #expect(abs((route.measures.last ?? 0) - route.length) < 1)
        let back = try #require(guide.routes.first { $0.id == "A2" })
        #expect(back.stops == route.stops.reversed())
        let loop = try #require(guide.routes.first { $0.id == "C" })
        #expect(loop.isLoop)
        #expect(loop.stops.first == loop.stops.last)
        #expect(loop.stops.count == 9)
        #expect(abs((loop.measures.last ?? 0) - loop.length) < 1)
    }

    @Test func `a stop code or a beacon gives the stop with its routes`()
        throws
    {
        let guide = try GuideSample.guide()
        let byCode = try guide.detection(of: StopCode("qbus:stop:Q01?v=1"))
        #expect(byCode.stop.name == "Ñañaro")
        #expect(byCode.source.rawValue == "QR")
        #expect(byCode.routes.map(\.id) == ["A2", "A1", "X"])
        let beacon = try #require(BeaconAdvertisement.Identity("\(Self.uuid)/1/100"))
        let byBeacon = try guide.detection(of: beacon)
        #expect(byBeacon.stop == byCode.stop)
        #expect(byBeacon.source == .beacon)
        let address = "https://qbus.example/stop/1?uuid=\(Self.uuid)&major=1&minor=100"
        #expect(try guide.detection(of: StopCode(address)).stop == byCode.stop)
    }

    @Test func `an unknown code or beacon is an error`() throws {
        let guide = try GuideSample.guide()
        #expect(throws: BusGuide.ParseError.unknownStop(.stop(id: "Q99"))) { try guide.detection(of: .stop(id: "Q99")) }
        let beacon = try #require(BeaconAdvertisement.Identity("\(Self.uuid)/9/9"))
        let error = #expect(throws: BusGuide.ParseError.unknownStop(.beacon(beacon))) {
            try guide.detection(of: beacon)
        }
        #expect(error?.words(in: "es-EC") == "Esta parada no está en la guía.")
    }

    @Test func `a beacon log gives the detected stop`() throws {
        let log = try BeaconLog(
            bytes: Array("1 beacon \(Self.uuid)/1/100 -59 -50\n2 beacon \(Self.uuid)/7/7 -59 -90".utf8), from: "walk")
        let guide = try GuideSample.guide()
        let found = log.replayed().compactMap { told -> String? in
            guard case .entered(let beacon, _) = told.event else { return nil }
            return (try? guide.detection(of: beacon))?.stop.name
        }
        #expect(found == ["Ñañaro"])
    }

    @Test(arguments: [
        ("nanaro", "stop Ñañaro"), ("ÑAÑARO", "stop Ñañaro"),
        ("cooperativa cond", "cooperative Cooperativa Cóndor Azul"),
        ("condor", "cooperative Cooperativa Cóndor Azul"), ("exprés", "route Exprés X"), ("EXPRES x", "route Exprés X"),
        ("anfora", "stop El Ánfora"), ("rio claro", "stop Río Claro"), ("b", "route B"), ("zzz", "nothing"),
        ("", "nothing"),
        ("  ¿? ", "nothing"),
    ])
    func `search ignores accents and case`(text: String, expected: String) throws {
        let guide = try GuideSample.guide()
        let first =
            switch guide.search(text).first {
            case .cooperative(let index): "cooperative \(guide.cooperatives[index].name)"
            case .route(let index): "route \(guide.routes[index].name)"
            case .stop(let index): "stop \(guide.stops[index].name)"
            case nil: "nothing"
            }
        #expect(first == expected)
        #expect(guide.search(text, limit: 1).count <= 1)
    }

    @Test func `cooperatives are listed by name, each with its routes`() throws {
        let guide = try GuideSample.guide()
        #expect(guide.cooperatives(named: "").map(\.id) == ["condor", "nandu", "rio"])
        #expect(guide.cooperatives(named: "ñandu").map(\.id) == ["nandu"])
        #expect(guide.routes(of: 0).map(\.id) == ["A2", "A1", "X"])
        #expect(guide.routes(of: 1).map(\.id) == ["C"])
    }

    @Test func `at most five nearby stops are listed, the nearest first`() throws {
        let guide = try GuideSample.guide()
        let near = guide.stops(near: Coordinate(x: -78.499, y: -0.176), within: 3000)
        #expect(near.count == 5)
        #expect(near.map(\.meters) == near.map(\.meters).sorted())
        #expect(guide.stops(near: Coordinate(x: 0, y: 0), within: 3000).isEmpty)
    }

    @Test func `a route without a list has the stops along its path`() throws {
        let stops =
            GuideSample.stop("b", 0.01, 0.0002) + GuideSample.stop("a", 0.002, 0) + GuideSample.stop("c", 0.005, 0.01)
        let guide = try BusGuide(kml: GuideSample.kml(stops + GuideSample.route("r", "0,0 0.02,0")))
        #expect(guide.routes[0].stops.map { guide.stops[$0].id } == ["a", "b"])
        let back = try BusGuide(kml: GuideSample.kml(stops + GuideSample.route("r", "0.02,0 0,0")))
        #expect(back.routes[0].stops.map { back.stops[$0].id } == ["b", "a"])
    }

    @Test(arguments: [("trolleybus", TransitMode.trolleybus), ("subway", .subway), ("", .bus), ("hovercraft", .other)])
    func `routes can have other modes than bus`(word: String, mode: TransitMode) throws {
        let stops = GuideSample.stop("a", 0, 0) + GuideSample.stop("b", 0.01, 0)
        let guide = try BusGuide(kml: GuideSample.kml(stops + GuideSample.route("r", "0,0 0.01,0", ["mode": word])))
        #expect(guide.routes.map(\.mode) == [mode])
        #expect(guide.orderedLines.map(\.mode) == [mode])
    }

    @Test func `search results are limited to the given number`() throws {
        let placemarks = (0..<2000).map { GuideSample.stop("s\($0)", Double($0) * 1e-4, 0) }.joined()
        let guide = try BusGuide(kml: GuideSample.kml(placemarks))
        #expect(guide.search("stop s1999").count == 1)
        #expect(guide.search("stop", limit: 7).count == 7)
    }

    @Test func `invalid data are omitted and reported`() throws {
        let kml = GuideSample.kml(
            GuideSample.stop("a", 0, 0) + GuideSample.stop("a", 1, 1) + GuideSample.stop("", 0, 0)
                + GuideSample.stop("b", 0.01, 0, "<Data name=\"uuid\"><value>x</value></Data>")
                + GuideSample.route("r", "0,0 0.02,0", ["stops": "a,b zz", "minutes": "-1", "cooperative": "none"]))
        let list = #"[{"id": 7, "name": "Seven"}, {"id": 7, "name": "Again"}, {"id": "x"}, 3]"#
        let guide = try BusGuide(kml: kml, cooperatives: Array(list.utf8))
        #expect(guide.cooperatives.map(\.id) == ["7"] && guide.stops.count == 2 && guide.routes[0].minutes == nil)
        #expect(guide.routes[0].stops.count == 2 && guide.problems.count == 8, "\(guide.problems)")
    }

    @Test(arguments: [("", "[]"), ("<kml>", "[]"), ("<kml/>", "{"), ("<kml/>", "{}"), ("not a document", "[]")])
    func `an invalid guide is an error that names the document`(kml: String, list: String) {
        #expect(throws: BusGuide.ParseError.self) { try BusGuide(kml: Array(kml.utf8), cooperatives: Array(list.utf8)) }
    }

    @Test func `a guide can be a KMZ file`() throws {
        let guide = try BusGuide(kml: ArchiveSample.guide)
        #expect(guide.stops.map(\.name) == ["A", "B"])
        #expect(guide.routes.map(\.id) == ["R"])
        #expect(guide.routes.first?.stops == [0, 1])
    }
}
