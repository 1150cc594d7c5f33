#if os(Linux)
import PortolanRaster
import PortolanServerCore
import PortolanServices
import PortolanXML
import TestHelpers
import Testing

/// Dimensions of a map's services as tiles (OGC 07-057r7, clauses 7.1.1.1 and 7.2).
@Suite struct WMTSDimensionTests {
    private typealias Sample = WMSDimensionTests.Sample

    private static let tile =
        "/wmts?SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=far&STYLE=default&FORMAT=image/png"
        + "&TILEMATRIXSET=WebMercatorQuad&TILEMATRIX=1&TILEROW=0&TILECOL=0"

    @Test func `capabilities offer the dimensions of the service, and addresses with their values`() async throws {
        let sample = try await Sample()
        defer { sample.web.stop() }
        let response = await sample.sample.get("/wmts/1.0.0/WMTSCapabilities.xml")
        let layer = try #require(try WMTSCapabilitiesReader.read(response.body).layers.first { $0.identifier == "far" })
        #expect(layer.dimensions.map(\.identifier) == ["time", "elevation"])
        let time = try #require(layer.dimensions.first)
        #expect(time.defaultValue == "2026-02-01" && time.values == ["2025", "2026-01-01/2026-12-31/P1D"])
        let root = try XMLReader().tree(of: response.body).root
        let own = try #require(root.child("Contents")?.children.first { $0.child("Identifier")?.text == "far" })
        // The order of the schema.
        let names = own.children.map(\.name)
        let places = ["Format", "Dimension", "TileMatrixSetLink", "ResourceURL"].compactMap { names.firstIndex(of: $0) }
        #expect(places.count == 4 && places == places.sorted())
        let templates = own.children.filter { $0.name == "ResourceURL" }.compactMap { $0.attribute("template") }
        #expect(templates.allSatisfy { $0.contains("/{Style}/{time}/{elevation}/{TileMatrixSet}/") })
    }

    @Test(arguments: [
        (tile + "&TIME=2026-01-01", true), (tile + "&time=2026-01-02&ELEVATION=10", false), (tile, false),
        ("/wmts/far/default/2026-01-01/0/WebMercatorQuad/1/0/0.png", true),
        ("/wmts/far/default/2026-01-01/default/WebMercatorQuad/1/0/0.png", true),
        ("/wmts/far/default/default/default/WebMercatorQuad/1/0/0.png", false),
        ("/wmts/far/default/WebMercatorQuad/1/0/0.png", false),
    ])
    func `values are passed on, by parameters and by path`(target: String, isRed: Bool) async throws {
        let sample = try await Sample()
        defer { sample.web.stop() }
        // Neither is the kept tile of the other.
        for text in [target, Self.tile, target] {
            let pixel = try await sample.sample.pixels(text)[200, 200]
            #expect(pixel == (text == target && isRed ? WMSDimensionTests.red : WMSDimensionTests.blue))
        }
    }

    @Test(arguments: [
        (tile + "&TIME=2027-01-01", "InvalidParameterValue", "time", 400),
        (tile + "&ELEVATION=5", "InvalidParameterValue", "elevation", 400),
        ("/wmts/far/default/2027-01-01/0/WebMercatorQuad/1/0/0.png", "InvalidParameterValue", "time", 404),
        ("/wmts/far/default/2026-01-01/WebMercatorQuad/1/0/0.png", "InvalidParameterValue", "layer", 404),
    ])
    func `other values are refused`(target: String, code: String, locator: String, status: Int) async throws {
        let sample = try await Sample()
        defer { sample.web.stop() }
        let root = try await sample.sample.xml(target, status: status)
        #expect(root.child("Exception")?.attribute("exceptionCode") == code)
        #expect(root.child("Exception")?.attribute("locator") == locator)
    }

    @Test func `a dimension without a default needs a value`() async throws {
        let sample = try await Sample(time: "<Dimension name='time' units='ISO8601'>2026-01-01,2026-01-02</Dimension>")
        defer { sample.web.stop() }
        let root = try await sample.sample.xml(Self.tile, status: 400)
        #expect(root.child("Exception")?.attribute("exceptionCode") == "MissingParameterValue")
        #expect(root.child("Exception")?.attribute("locator") == "time")
        #expect(try await sample.sample.pixels(Self.tile + "&TIME=2026-01-01")[200, 200] == WMSDimensionTests.red)
    }
}
#endif
