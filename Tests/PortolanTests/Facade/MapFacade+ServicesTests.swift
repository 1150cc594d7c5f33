import Foundation
import Portolan
import PortolanFetch
import PortolanRaster
import PortolanServices
import PortolanTesting
import TestHelpers
import Testing

@Suite struct MapFacadeTileServicesTests {
    @Test func `WMTS and TMS tiles are added as layers`() async throws {
        let wmts = try ServiceClientTests.fixture("mapproxy/wmts-rest-caps.xml")
        let tms = try ServiceClientTests.fixture("mapproxy/tms-map.xml")
        let transport = StubTransport(bodies: ["http://h/WMTSCapabilities.xml": wmts, "http://h/tms": tms])
        let map = try MapFacade(width: 64, height: 64, renderer: World.renderer(transport))
        try await map.addWMTS("http://h/WMTSCapabilities.xml", layer: "political")
        try await map.addTMS("http://h/tms")
        try await map.addWMTS(
            "http://h/WMTSCapabilities.xml", options: WMTSOptions(layer: "relief", matrixSet: "geodetic_nw"), named: "r"
        )
        #expect(map.layers.map(\.name) == ["political", "tms", "r"])
        #expect(map.layers.map(\.source.kind) == ["wmts", "tms", "wmts"])
        await #expect(throws: MapError.self) {
            try await map.addWMTS("http://h/WMTSCapabilities.xml", layer: "political")
        }
    }
}

@Suite struct MapFacadeContentTests {
    private static func document(_ ids: String...) -> [UInt8] {
        let features = ids.enumerated().map { number, id in
            #"{"type":"Feature","id":"\#(id)","properties":{},"geometry":{"type":"Point","coordinates":[\#(number),0]}}"#
        }
        return Array(
            #"{"type":"FeatureCollection","attribution":"© me","features":[\#(features.joined(separator: ","))]}"#.utf8)
    }

    @Test func `a feature document is added, replaced and removed as one layer`() throws {
        let map = try MapFacadeTests.facade()
        var style = StyleDeclaration()
        style.marker = .pin
        let read = try map.addFeatureLayer(Self.document("a", "b"), named: "stops", style: style, fitting: true)
        #expect(read.features?.features.count == 2 && map.layer(named: "stops")?.attribution == "© me")
        #expect(map.layer(named: "stops")?.features?.style.marker == style.marker && map.feature(id: "b") != nil)
        try map.selectFeature(id: "b")
        #expect(throws: MapError.duplicateLayer("stops")) {
            try map.addFeatureLayer(Self.document("c"), named: "stops")
        }
        // What cannot be read leaves all as it is.
        #expect(throws: (any Error).self) {
            try map.addFeatureLayer(Array("{".utf8), named: "stops", replacing: true)
        }
        #expect(map.selectedFeature?.id == "b")
        try map.add(World.tiles("top"))
        try map.addFeatureLayer(Self.document("c"), named: "stops", replacing: true)
        #expect(map.layers.map(\.name) == ["stops", "top"] && map.selectedFeature == nil)
        #expect(map.feature(id: "a") == nil && map.feature(id: "c") != nil)
        map.removeLayer(named: "stops")
        #expect(map.feature(id: "c") == nil)
    }

    @Test func `a feature document at a URL is added as a layer`() async throws {
        let transport = StubTransport(bodies: ["http://h/stops.geojson": Self.document("a")])
        let map = try MapFacade(width: 64, height: 64, renderer: World.renderer(transport))
        try await map.addFeatureLayer(from: "http://h/stops.geojson", named: "stops", position: .bottom)
        #expect(map.layer(named: "stops")?.features?.features.count == 1)
        await #expect(throws: MapError.self) { try await map.addFeatureLayer(from: "http://h/none", named: "x") }
        #expect(map.layers.count == 1)
    }

    @Test func `tiles of a URL template are added as a layer`() async throws {
        let transport = try World.transport(.black)
        let map = try MapFacadeTests.facade(transport: transport)
        try map.addXYZ("http://{s}.h/{z}/{x}/{y}.png", named: "t", subdomains: ["q"], attribution: "© t")
        #expect(map.layer(named: "t")?.source.kind == "xyz" && map.layer(named: "t")?.attribution == "© t")
        #expect(try await map.refresh().image[128, 128] == Pixel(.black))
        #expect(transport.requests.map(\.url) == ["http://q.h/0/0/0.png"])
        #expect(throws: MapError.self) { try map.addXYZ("http://h/{z}", named: "u") }
        for (levels, size) in [(-1...3, 256), (0...31, 256), (0...3, 0), (0...3, 5000)] {
            #expect(throws: MapError.notTiled("u")) {
                try map.addXYZ("http://h/{z}/{x}/{y}", named: "u", levels: levels, tileSize: size)
            }
        }
        try map.addXYZ("http://h/{z}/{x}/{y}", named: "t", replacing: true)
        #expect(map.layers.count == 1)
    }

    @Test
    func `a WMS is requested with the given style, version, format and extra parameters`()
        async throws
    {
        let red = MapColor(red: 255, green: 0, blue: 0)
        let picture = try World.png(.black), plain = try World.png(red)
        let transport = StubTransport { request throws(FetchError) in
            let isMap = request.url.contains("GetMap")
            let text = WMSCapabilitiesText.text(version: request.url.contains("VERSION=1.1.1") ? "1.1.1" : "1.3.0")
                .replacing("<Format>image/png</Format>", with: "<Format>image/png</Format><Format>image/jpeg</Format>")
                .replacing("<Name>a</Name>", with: "<Name>a</Name><Style><Name>s1</Name><Title>S</Title></Style>")
            return HTTPResponse(
                status: 200, headers: [HTTPHeader(name: "Content-Type", value: isMap ? "image/png" : "text/xml")],
                body: isMap ? (request.url.contains("STYLES=s1&") ? picture : plain) : Array(text.utf8),
                url: request.url)
        }
        let map = try MapFacadeTests.facade(64, 64, crs: .crs84, transport: transport)
        try map.center(on: Coordinate(longitude: -4, latitude: 40), zoom: 6)
        try map.add(World.tiles("top"))
        try map.updateLayer(named: "top") { $0.isVisible = false }
        try await map.addWMS(
            "http://h/service?", layers: ["a"], named: "w", styles: ["s1"], version: .v1_1_1, format: "image/jpeg",
            parameters: ["MAP": "a b", "TIME": "2011"], position: .below("top"))
        #expect(map.layers.map(\.name) == ["w", "top"])
        #expect(try await map.refresh().image[32, 32] == Pixel(.black))
        let asked = try #require(transport.requests.map(\.url).first { $0.contains("GetMap") })
        let wanted = ["VERSION=1.1.1", "FORMAT=image/jpeg", "STYLES=s1", "MAP=a%20b", "TIME=2011", "LAYERS=a"]
        #expect(Set(asked.split { $0 == "?" || $0 == "&" }.map(String.init)).isSuperset(of: wanted), "\(asked)")
        // The usual style.
        try await map.addWMS("http://h/service?", layers: ["a"], named: "w", replacing: true)
        #expect(try await map.refresh().image[32, 32] == Pixel(red))
        // Another service behind the same name.
        try await map.addWMS("http://other/service?", layers: ["a"], named: "w", replacing: true)
        #expect(map.layers.map(\.name) == ["w", "top"])
        _ = try await map.refresh()
        let others = transport.requests.map(\.url).filter { $0.contains("other") && $0.contains("GetMap") }
        #expect(others.count == 1 && !others[0].contains("TIME"))
        await #expect(throws: MapError.duplicateLayer("w")) {
            try await map.addWMS("http://other/service?", layers: ["a"], named: "w")
        }
    }
}
