import Foundation
import Testing

/// Addresses of one kind of service given as another's.
@Suite(.timeLimit(.minutes(2))) struct OtherKindTests {
    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    private static let wmts =
        "<Capabilities xmlns='http://www.opengis.net/wmts/1.0' version='1.0.0'><Contents/></Capabilities>"

    @Test(
        arguments: [
            ("wms:URL;layers=a", wmts, 64, "responds as a WMTS; write wmts:URL instead"),
            ("wms:URL;layers=a", "<TileMapService/>", 64, "responds as a TMS; write tms:URL instead"),
            ("wmts:URL", "<WMS_Capabilities version='1.3.0'/>", 64, "responds as a WMS; write wms:URL instead"),
            ("wmsc:URL;layers=a", wmts, 64, "write wmts:URL instead"),
            ("tms:URL", wmts, 64, "write wmts:URL instead"),
            ("wms:URL;layers=a", "<WFS_Capabilities/>", 64, "responds as a WFS; write wfs:"),
            ("wms:URL;layers=a", #"{"tilejson":"3.0.0"}"#, 64, "responds with TileJSON; write tilejson:URL instead"),
            (
                "wms:URL/arcgis/rest/services/Base/Topo/MapServer?f=json;layers=0", #"{"currentVersion":11}"#, 64,
                "write arcgis:URL/arcgis/rest/services/Base/Topo/MapServer instead, or if WMS is enabled "
                    + "wms:URL/arcgis/services/Base/Topo/MapServer/WMSServer"
            ),
            (
                "wms:URL;layers=a", #"{"type":"FeatureCollection","features":[]}"#, 64,
                "omit the kind, as in -l URL"
            ),
            ("wms:URL;layers=a", "<!DOCTYPE html><title>Our maps</title>", 65, "responds with a web page"),
            ("URL", wmts, 64, "responds as a WMTS, not with features; write wmts:URL instead"),
        ] as [(String, String, Int32, String)])
    func `a layer of the wrong kind is rejected with the right kind`(
        layer: String, body: String, status: Int32, words: String
    ) async throws {
        let server = try LoopbackServer { _ in .init(type: "text/xml", body: Array(body.utf8)) }
        defer { server.stop() }
        let url = "\(server.url)/s"
        let ended = try await portolan.run([
            "render", "-l", layer.replacing("URL", with: url), "--center", "0,0", "--zoom", "1", "-o", "a.png",
        ])
        #expect(ended.status == status && ended.error.contains(words.replacing("URL", with: url)), "\(ended)")
        #expect(portolan.files.isEmpty)
    }
}
