import Portolan
import PortolanFeatures
import PortolanServerCore
import PortolanZip
import TestHelpers
import Testing

/// Compressed responses (RFC 9110, sections 8.4 and 12.5.3).
@Suite struct CompressionTests {
    private static let gzip = [("Accept-Encoding", "gzip, deflate, br")]

    @Test(arguments: [
        "/wms?SERVICE=WMS&REQUEST=GetCapabilities", "/wmts/1.0.0/WMTSCapabilities.xml", "/ogc/api", "/viewer/viewer.js",
        "/viewer/viewer.css", "/viewer/square", "/metrics", "/ogc/tileMatrixSets/WebMercatorQuad",
    ])
    func `documents are compressed for a client that accepts it`(target: String) async throws {
        let sample = try await SampleServer(), plain = await sample.get(target)
        let packed = await sample.get(target, Self.gzip)
        #expect(plain[header: "Content-Encoding"] == nil)
        #expect(plain[header: "Vary"]?.contains("Accept-Encoding") == true)
        #expect(packed[header: "Content-Encoding"] == "gzip")
        #expect(packed[header: "Vary"] == plain[header: "Vary"])
        #expect(packed.body.count < plain.body.count / 2)
        let unpacked = try CompressedContent.gzip.unpack(packed.body[...], byteLimit: 1 << 24)
        // The metrics count the requests.
        #expect(target == "/metrics" || unpacked == plain.body)
    }

    @Test func `an SVG is compressed, and its tag is weak`() async throws {
        let sample = try await SampleServer()
        let markers = (0..<40).map { "marker=\($0),\($0 % 20)" }.joined(separator: "&")
        let target = "/maps/square/static/auto/200x100.svg?\(markers)"
        let plain = await sample.get(target), packed = await sample.get(target, Self.gzip)
        #expect(packed[header: "Content-Type"] == "image/svg+xml")
        #expect(packed[header: "Content-Encoding"] == "gzip")
        let tag = try #require(packed[header: "ETag"])
        #expect(tag == "W/" + (plain[header: "ETag"] ?? ""))
        let again = await sample.get(target, Self.gzip + [("If-None-Match", tag)])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(again[header: "Content-Encoding"] == nil)
    }

    @Test(arguments: ["/tiles/square/0/0/0.png", "/maps/square/static/0,0,3/900x900.jpg"])
    func `images are not compressed again`(target: String) async throws {
        let response = try await SampleServer().get(target, Self.gzip)
        #expect(response.status == 200)
        #expect(response[header: "Content-Encoding"] == nil)
        #expect(response[header: "Vary"] == nil)
    }

    @Test(arguments: ["", "br", "gzip;q=0", "*;q=0", "identity"])
    func `a client that does not accept gzip gets the document as it is`(accepted: String) async throws {
        let sample = try await SampleServer(), target = "/wmts/1.0.0/WMTSCapabilities.xml"
        let response = await sample.get(target, [("Accept-Encoding", accepted)])
        #expect(response[header: "Content-Encoding"] == nil)
        #expect(response.body.starts(with: "<?xml".utf8))
    }

    @Test func `a small document is sent as it is`() async throws {
        let response = try await SampleServer().get("/tilejson/square.json", Self.gzip)
        #expect(response[header: "Content-Encoding"] == nil)
        #expect(response[header: "Vary"] == "Accept-Encoding")
    }

    @Test func `Vary names the accepted types as well`() async throws {
        let response = try await SampleServer().get("/ogc/collections", Self.gzip + [("Accept", "text/html")])
        #expect(response[header: "Vary"] == "Accept, Accept-Encoding")
        #expect(response[header: "Content-Encoding"] == "gzip")
    }
}
