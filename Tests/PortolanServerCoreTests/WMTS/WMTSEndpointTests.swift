import PortolanRaster
import PortolanServerCore
import PortolanServices
import PortolanXML
import Testing

/// Clauses are those of OGC 07-057r7 (WMTS 1.0.0).
@Suite struct WMTSEndpointTests {
    private static let tile =
        "/wmts?SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=square&STYLE=default&FORMAT=image/png"
        + "&TILEMATRIXSET=WebMercatorQuad&TILEMATRIX=1&TILEROW=0&TILECOL=0"

    @Test(arguments: [
        ("SERVICE=WMTS&", "", "MissingParameterValue", "service", 400),
        ("REQUEST=GetTile&", "", "MissingParameterValue", "request", 400),
        ("TILEROW=0&", "", "MissingParameterValue", "tilerow", 400),
        ("SERVICE=WMTS", "SERVICE=WMS", "InvalidParameterValue", "service", 400),
        ("LAYER=square", "LAYER=nothing", "InvalidParameterValue", "layer", 400),
        ("STYLE=default", "STYLE=other", "InvalidParameterValue", "style", 400),
        ("image/png", "image/nothing", "InvalidParameterValue", "format", 400),
        ("WebMercatorQuad", "Mars", "InvalidParameterValue", "tilematrixset", 400),
        ("TILEMATRIX=1", "TILEMATRIX=99", "InvalidParameterValue", "tilematrix", 400),
        ("TILEMATRIX=1&", "TILEMATRIX=19&", "InvalidParameterValue", "tilematrix", 400),
        ("TILEROW=0", "TILEROW=2", "TileOutOfRange", "tilerow", 400),
        ("TILECOL=0", "TILECOL=2", "TileOutOfRange", "tilecol", 400),
        ("TILECOL=0", "TILECOL=x", "InvalidParameterValue", "tilecol", 400),
        ("REQUEST=GetTile", "REQUEST=GetNothing", "OperationNotSupported", "request", 501),
    ])
    func `clauses 7_2_2_2, 10_1: errors have a code and a locator`(
        part: String, change: String, code: String, locator: String, status: Int
    ) async throws {
        let target = Self.tile.replacing(part, with: change)
        let root = try await SampleServer().xml(target, status: status)
        #expect(root.name == "ExceptionReport" && root.attribute("version") == "1.1.0")
        #expect(root.child("Exception")?.attribute("exceptionCode") == code)
        #expect(root.child("Exception")?.attribute("locator") == locator)
    }

    @Test func `clause 7_1: versions are negotiated`() async throws {
        let sample = try await SampleServer()
        let base = "/wmts?SERVICE=WMTS&REQUEST=GetCapabilities&ACCEPTVERSIONS="
        let failed = try await sample.xml(base + "2.0.0,3.1.0", status: 400)
        #expect(failed.child("Exception")?.attribute("exceptionCode") == "VersionNegotiationFailed")
        #expect(try await sample.xml(base + "2.0.0,1.0.0").attribute("version") == "1.0.0")
    }

    @Test(arguments: [
        tile, "/wmts/square/default/WebMercatorQuad/1/0/0.png",
        tile.lowercased().replacing("webmercatorquad", with: "WebMercatorQuad").replacing("gettile", with: "GetTile"),
    ])
    func `clauses 7_2, 10_2: a tile has the size of its level, by parameters and by path`(target: String) async throws {
        let sample = try await SampleServer(), pixels = try await sample.pixels(target)
        #expect(pixels.width == 256 && pixels.height == 256)
        #expect(pixels == (try await sample.pixels("/tiles/square/1/0/0.png")))
        #expect(pixels[255, 255] == Pixel(MapColor(red: 255, green: 0, blue: 0)) && pixels[0, 0] == .clear)
    }

    @Test(arguments: [
        "/wmts/square/default/WebMercatorQuad/1/2/0.png", "/wmts/nothing/default/WebMercatorQuad/1/0/0.png",
        "/wmts/square/default/WebMercatorQuad/1/0/0.gif", "/wmts/square/other/WebMercatorQuad/1/0/0.png",
        "/wmts/square/default/Mars/1/0/0.png", "/wmts/square/default/WebMercatorQuad/one/0/0.png", "/wmts/1.0.0",
    ])
    func `clause 10_2: an unknown path is not found`(target: String) async throws {
        #expect(try await SampleServer().xml(target, status: 404).name == "ExceptionReport")
    }

    @Test func `each layer of a map has its own tiles`() async throws {
        let sample = try await SampleServer()
        let path = "default/WorldCRS84Quad/5/16/32.png"
        let low = try await sample.pixels("/wmts/both:low/\(path)"),
            whole = try await sample.pixels("/wmts/both/\(path)")
        #expect(low[4, 4] == Pixel(MapColor(red: 255, green: 0, blue: 0)))
        #expect(whole[4, 4] == Pixel(MapColor(red: 0, green: 0, blue: 255)))
    }

    @Test(arguments: [
        "/wmts?SERVICE=WMTS&REQUEST=GetCapabilities", "/wmts/1.0.0/WMTSCapabilities.xml",
    ])
    func `clause 7_1_1_2: the client of this library reads layers, grids and templates`(target: String) async throws {
        let sample = try await SampleServer()
        let root = try await sample.xml(target)
        for grid in try #require(root.child("Contents")).children("TileMatrixSet") {
            let scales = grid.children("TileMatrix").compactMap { $0.text(of: "ScaleDenominator").flatMap(Double.init) }
            #expect(scales.count > 18 && Set(scales).count == scales.count)
        }
        let capabilities = try WMTSCapabilitiesReader.read(await sample.get(target).body)
        #expect(capabilities.layers.map(\.identifier) == ["square", "named", "both", "both:high", "both:low", "far"])
    }

    @Test func `clause 7_3: features at a pixel of a tile are returned`() async throws {
        let sample = try await SampleServer()
        let base = Self.tile.replacing("GetTile", with: "GetFeatureInfo") + "&INFOFORMAT=text/plain"
        let hit = await sample.get(base + "&I=255&J=255")
        #expect(String(decoding: hit.body, as: UTF8.self).contains("fill = #ff0000"))
        let path = await sample.get("/wmts/square/default/WebMercatorQuad/1/0/0/255/255.txt")
        #expect(path.body == hit.body)
        let outside = try await sample.xml(base + "&I=256&J=0", status: 400)
        #expect(outside.child("Exception")?.attribute("exceptionCode") == "PointIJOutOfRange")
    }
}
