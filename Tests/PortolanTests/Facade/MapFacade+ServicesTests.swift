import Portolan
import PortolanTesting
import Testing

@Suite struct MapFacadeTileServicesTests {
    @Test func `tiles of a WMTS and of a TMS become layers`() async throws {
        let wmts = try ServiceClientTests.fixture("mapproxy/wmts-rest-caps.xml")
        let tms = try ServiceClientTests.fixture("mapproxy/tms-map.xml")
        let transport = StubTransport(bodies: ["http://h/WMTSCapabilities.xml": wmts, "http://h/tms": tms])
        let map = try MapFacade(width: 64, height: 64, renderer: World.renderer(transport))
        try await map.addWMTS("http://h/WMTSCapabilities.xml", layer: "political")
        try await map.addTMS("http://h/tms")
        try await map.addWMTS(
            "http://h/WMTSCapabilities.xml", choice: WMTSChoice(layer: "relief", matrixSet: "geodetic_nw"), named: "r")
        #expect(map.layers.map(\.name) == ["political", "tms", "r"])
        #expect(map.layers.map(\.source.kind) == ["wmts", "tms", "wmts"])
        await #expect(throws: FacadeError.self) {
            try await map.addWMTS("http://h/WMTSCapabilities.xml", layer: "political")
        }
    }
}
