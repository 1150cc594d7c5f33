import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanServerCore
import Testing

@Suite struct StaticMapTests {
    private static let limits = ServingLimits()

    private func tileServer(_ target: String) throws(Problem) -> StaticMap {
        let request = try ServerRequest("GET", "/" + target)
        return try StaticMap(tileServer: "m", path: request.path, query: request.query, limits: Self.limits)
    }

    private func mapbox(_ target: String) throws(Problem) -> StaticMap {
        let request = try ServerRequest("GET", "/" + target)
        return try StaticMap(mapbox: "m", path: request.path, query: request.query, limits: Self.limits)
    }

    private func google(_ query: String) throws(Problem) -> StaticMap {
        try StaticMap(google: try Query(query), maps: ["m", "satellite"], limits: Self.limits)
    }

    private func facts(_ read: () throws(Problem) -> StaticMap) -> ProblemFacts? {
        do throws(Problem) {
            _ = try read()
            return nil
        } catch { return ProblemFacts(error) }
    }

    // MARK: - tileserver-gl

    @Test(arguments: [
        ("24.9,60.1,12/600x400.png", StaticMap.Place.center(Coordinate(x: 24.9, y: 60.1), zoom: 12)),
        ("24.9,60.1,12.5@30/600x400.png", .center(Coordinate(x: 24.9, y: 60.1), zoom: 12.5, bearing: 30)),
        ("-1,-2,0@-30,0/600x400.png", .center(Coordinate(x: -1, y: -2), zoom: 0, bearing: -30)),
        ("auto/600x400.png", .overlays),
    ])
    func `tileserver-gl: the position of a map is parsed`(target: String, place: StaticMap.Place) throws {
        let map = try tileServer(target)
        #expect(map.place == place)
        #expect(map.width == 600 && map.height == 400 && map.ratio == 1 && map.format == .png)
    }

    @Test func `tileserver-gl: a box, a ratio and a format are parsed`() throws {
        let map = try tileServer("24,60,25,61/30x20@2x.webp?padding=0.2&maxzoom=9")
        #expect(map.place == .box(try #require(BoundingBox(minX: 24, minY: 60, maxX: 25, maxY: 61))))
        #expect(map.ratio == 2 && map.format == .webp && map.padding == .share(0.2) && map.maximumZoom == 9)
    }

    @Test func `tileserver-gl: the style of a path overrides that of the query`() throws {
        let map = try tileServer(
            "auto/10x10.png?stroke=red&width=4&path=1,2%7C3,4&path=width:7%7Cborder:white%7Cborderwidth:2%7Cfill:blue%7C1,2%7C3,4%7C5,2"
        )
        #expect(map.overlays.count == 3)
        let first = try #require(map.overlays[0].style?.stroke), last = try #require(map.overlays[2].style?.stroke)
        #expect(first.color == MapColor(css: "red") && first.width == 4 && first.casing == nil)
        #expect(last.width == 7 && last.casing == .init(color: .white, width: 11))
        #expect(map.overlays[1].style?.fill?.color == MapColor(css: "blue"))
        #expect(map.overlays[0].feature.geometry?.coordinates == [Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4)])
    }

    @Test func `tileserver-gl: an encoded polyline may contain bars, and latlng swaps coordinates`() throws {
        // Three places of Google's description of the format.
        let map = try tileServer("auto/10x10.png?path=width:3%7Cenc:_p~iF~ps%7CU_ulLnnqC_mqNvxq%60@")
        let places = try #require(map.overlays.first?.feature.geometry?.coordinates)
        #expect(places == [(-120.2, 38.5), (-120.95, 40.7), (-126.453, 43.252)].map { Coordinate(x: $0.0, y: $0.1) })
        let turned = try tileServer("auto/10x10.png?latlng=true&marker=60.1,24.9%7Cstar-00f%7Cscale:2")
        #expect(turned.overlays.first?.feature.geometry?.coordinates == [Coordinate(x: 24.9, y: 60.1)])
        guard case .shape(let marker)? = turned.overlays.first?.style?.marker else {
            Issue.record("no shape")
            return
        }
        #expect(marker.shape == .star && marker.radius == 18 && marker.fill?.color == MapColor(css: "#00f"))
    }

    @Test(arguments: [
        ("24.9,60.1/600x400.png", ProblemFacts(400, "place", 0)),
        ("24.9,x,3/600x400.png", ProblemFacts(400, "place", 5)),
        ("24.9,60.1,3@30,45/6x4.png", ProblemFacts(400, "place")), ("4,1,5,0/6x4.png", ProblemFacts(400, "place")),
        ("auto/6x4.bmp", ProblemFacts(400, "format")), ("auto/600.png", ProblemFacts(400, "size")),
        ("auto/6x4.png?path=1,2", ProblemFacts(400, "path")),
        ("auto/6x4.png?path=1,2%7C3", ProblemFacts(400, "path", 4)),
        ("auto/6x4.png?path=1,2%7C3,b", ProblemFacts(400, "path", 6)),
        ("auto/6x4.png?path=1,2%7Cstroke:nocolour%7C3,4", ProblemFacts(400, "path", 11)),
        ("auto/6x4.png?path=enc:%5E", ProblemFacts(400, "path", 5)),
        ("auto/6x4.png?marker=1,200", ProblemFacts(400, "marker", 0)),
        ("auto/6x4.png?width=1e9", ProblemFacts(400, "width", 0)),
        ("auto/6x4.png?linecap=sharp", ProblemFacts(400, "linecap")),
        ("nan,nan,nan/6x4.png", ProblemFacts(400, "place", 0)), ("a/b/c.png", ProblemFacts(404)),
    ])
    func `tileserver-gl: errors state their position`(target: String, expected: ProblemFacts) {
        #expect(facts { () throws(Problem) in try tileServer(target) } == expected)
    }

    // MARK: - Mapbox

    @Test func `Mapbox: zoom levels are those of tiles twice as large`() throws {
        let map = try mapbox("-122.4,37.8,9,20/500x300@2x")
        #expect(map.place == .center(Coordinate(x: -122.4, y: 37.8), zoom: 10, bearing: 20))
        #expect(map.width == 500 && map.ratio == 2 && map.format == .png)
        #expect(try mapbox("[1,2,3,4]/5x3.jpg").format == .jpg)
    }

    @Test func `Mapbox: overlays keep their order, with commas and brackets within them`() throws {
        let document =
            ##"geojson({"type":"Feature","properties":{"name":"a),b","stroke":"#0f0"},"geometry":{"type":"Point","coordinates":[1,2]}})"##
        let escaped = document.addingEscapes
        let map = try mapbox(
            "pin-s-a+9ed4bd(-122.46,37.77),path-5+f44-0.5+00f-0.25(_p~iF~ps%7CU_ulLnnqC_mqNvxq%60@),\(escaped)/auto/500x300?padding=10,20"
        )
        #expect(map.overlays.count == 4)
        guard case .shape(let pin)? = map.overlays[0].style?.marker else {
            Issue.record("no pin")
            return
        }
        #expect(pin.shape == .pin && pin.symbol == PinSymbol("a") && pin.fill?.color == MapColor(css: "#9ed4bd"))
        #expect(map.overlays[1].style?.fill?.color == MapColor(css: "#0000ff40"))
        #expect(map.overlays[2].style?.stroke?.color == MapColor(css: "#ff444480"))
        #expect(map.overlays[3].feature.properties["stroke"]?.stringValue == "#0f0")
        #expect(map.padding == .pixels(top: 10, right: 20, bottom: 10, left: 20))
    }

    @Test(arguments: [
        ("pin-x(1,2)/auto/5x5", ProblemFacts(400, "overlay", 4)),
        ("pin-s(1,2/auto/5x5", ProblemFacts(400, "overlay", 0)),
        ("pin-s(1,2),pin-s+zz(1,2)/auto/5x5", ProblemFacts(400, "overlay", 17)),
        ("pin-s(1,2)pin-s(1,2)/auto/5x5", ProblemFacts(400, "overlay", 10)),
        ("url-a.png(1,2)/auto/5x5", ProblemFacts(400, "overlay", 4)),
        ("pin-s-100(1,2)/auto/5x5", ProblemFacts(400, "overlay", 6)),
        ("pin-s-nonsense(1,2)/auto/5x5", ProblemFacts(400, "overlay", 6)),
        ("auto/5x5?addlayer=%7B", ProblemFacts(400, "addlayer")),
        ("auto/5x5?addlayer=%5B%5D", ProblemFacts(400, "addlayer")),
        ("auto/5x5?setfilter=%5B%5D", ProblemFacts(400, "layer_id")),
        ("auto/5x5?layer_id=a", ProblemFacts(400, "layer_id")),
        ("auto/5x5?setfilter=1&layer_id=a", ProblemFacts(400, "setfilter")),
        ("path-5+f00(%5E)/auto/5x5", ProblemFacts(400, "overlay", 12)), ("1,2,3,0,60/5x5", ProblemFacts(400, "place")),
        ("geojson(%7B)/auto/5x5", ProblemFacts(400, "overlay")), ("auto/5x5@9x", ProblemFacts(400, "size")),
    ])
    func `Mapbox: errors state their position`(target: String, expected: ProblemFacts) {
        #expect(facts { () throws(Problem) in try mapbox(target) } == expected)
    }

    // MARK: - Google

    @Test func `Google: a centre, markers and paths are parsed, latitude first`() throws {
        let map = try google(
            "center=60.1,24.9&zoom=12&size=600x400&scale=2&format=jpg&markers=color:0x0000ff%7Clabel:S%7C60,25%7C61,26&path=weight:3%7Ccolor:orange%7C60,25%7C61,26"
        )
        #expect(map.place == .center(Coordinate(x: 24.9, y: 60.1), zoom: 12))
        #expect(map.ratio == 2 && map.format == .jpg && map.overlays.count == 3)
        #expect(map.overlays[0].style?.stroke?.width == 3)
        #expect(map.overlays[2].feature.geometry?.coordinates == [Coordinate(x: 26, y: 61)])
        #expect(try google("center=60,24&size=6x4&visible=61,25").place == .around(Coordinate(x: 24, y: 60)))
        #expect(try google("size=6x4&visible=61,25%7C60,24").place == .overlays)
    }

    @Test(arguments: [
        ("center=1,2&zoom=3", ProblemFacts(400, "size")), ("size=6x4", ProblemFacts(400, "center")),
        ("size=6x4&center=Helsinki&zoom=3", ProblemFacts(400, "center", 0)),
        ("size=6x4&center=1,2&zoom=99", ProblemFacts(400, "zoom")),
        ("size=6x4&markers=anchor:middle%7C1,2", ProblemFacts(400, "markers", 7)),
        ("size=6x4&markers=anchor:1,9999%7C1,2", ProblemFacts(400, "markers", 7)),
        ("size=6x4&markers=scale:3%7C1,2", ProblemFacts(400, "markers", 6)),
        ("size=6x4&center=1,2&zoom=1&format=gif", ProblemFacts(400, "format")),
        ("size=6x4&center=1,2&zoom=1&language=english", ProblemFacts(400, "language")),
        ("size=6x4&center=1,2&zoom=1&maptype=hybrid", ProblemFacts(400, "maptype")),
        ("size=6x4&markers=label:AB%7C1,2", ProblemFacts(400, "markers", 6)),
        ("size=6x4&path=colour:red%7C1,2%7C3,4", ProblemFacts(400, "path", 0)),
        ("size=6x4&center=1,2&zoom=1&scale=0", ProblemFacts(400, "scale")),
    ])
    func `Google: errors state their position`(query: String, expected: ProblemFacts) {
        #expect(facts { () throws(Problem) in try google(query) } == expected)
    }

    @Test func `Google: a map type can be the name of a map, and a scale enlarges markers`() throws {
        #expect(try google("center=1,2&zoom=3&size=6x4&maptype=satellite").map == "satellite")
        #expect(try google("center=1,2&zoom=3&size=6x4&maptype=roadmap").map == "m")
        #expect(try google("center=1,2&zoom=3&size=6x4&map=other&maptype=roadmap").map == "other")
        let map = try google("size=6x4&markers=scale:2%7Csize:mid%7C1,2&client=c&channel=d&signature=e&region=fi")
        guard case .shape(let marker)? = map.overlays.first?.style?.marker else {
            Issue.record("no pin")
            return
        }
        #expect(marker.radius == 15)
        #expect(map.ignored == ["region"])
    }

    @Test(arguments: ["embassy", "bus", "bank-JP", "7", "42", "a", "zoo", "fuel-15"])
    func `Mapbox: a pin has a Maki icon, a letter or a number up to 99`(label: String) throws {
        let map = try mapbox("pin-l-\(label)+f44(1,2)/auto/5x5")
        guard case .shape(let marker)? = map.overlays.first?.style?.marker else {
            Issue.record("no pin")
            return
        }
        #expect(marker.symbol == PinSymbol(label))
        #expect(marker.symbol != nil)
    }

    // MARK: - Features of clients

    @Test func `references in the features of a client are removed`() throws {
        let document =
            ##"{"type":"Feature","properties":{"externalGraphic":"http://127.0.0.1/a.png","style":{"externalGraphic":"file:///etc/passwd"},"marker-color":"#f00"},"geometry":{"type":"Point","coordinates":[1,2]}}"##
        let overlays = try Overlay.features(Array(document.utf8), key: "body", limits: Self.limits)
        #expect(overlays.first?.feature.properties.names == ["marker-color"])
        #expect(overlays.first?.feature.foreignMembers.isEmpty == true)
    }
}

extension String {
    /// The text as a part of a path.
    fileprivate var addingEscapes: String {
        utf8.map { byte in
            let scalar = UnicodeScalar(byte)
            return scalar.properties.isAlphabetic || (0x30...0x39).contains(byte)
                ? String(scalar) : "%" + String(Int(byte) + 256, radix: 16).suffix(2)
        }.joined()
    }
}
