import Foundation
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanTesting
import TestHelpers
import Testing

@testable import Portolan

/// Images of items of SpatioTemporal Asset Catalogs (STAC 1.0.0).
@Suite struct STACLayerTests {
    private static let relief = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/world/relief.tif").path

    /// A folder with an image of GDAL, one of the world, and documents beside them.
    private static func folder(_ documents: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, file) in [
            ("image.tif", RemoteGeoTIFFTests.path("cog.tif")),
            ("world.tif", Self.relief),
        ] { try folder.write([UInt8](Data(contentsOf: URL(filePath: file))), to: name) }
        for (name, text) in documents { try folder.write(Array(text.utf8), to: name) }
        return folder
    }

    private static func item(_ id: String, _ time: String, _ assets: String) -> String {
        """
        {"type": "Feature", "stac_version": "1.0.0", "id": "\(id)", "geometry": null, "properties": {"datetime": "\(time)"},
         "links": [{"rel": "self", "href": "s3://elsewhere/item.json"}], "assets": {\(assets)}}
        """
    }

    private static let image =
        #""data": {"href": "./image.tif", "type": "image/tiff; application=geotiff", "roles": ["data"]}"#
    private static let world = #""visual": {"href": "world.tif"}"#
    private static let plain = #""thumbnail": {"href": "t.png", "type": "image/png"}"#

    private static func drawn(_ layers: [String]) async throws -> (image: PixelBuffer, warnings: [String]) {
        let client = ServiceClient(configuration: World.configuration())
        let built = try await LayerBuilder(client: client).build(layers.map { try LayerSpecification($0) })
        if let failure = built.compactMap(\.failure).first { throw failure }
        let result = try await MapRenderer(configuration: World.configuration()).render(
            built.compactMap(\.layer), in: RemoteGeoTIFFTests.view(pixelsPerPixel: 4), options: World.plain())
        #expect(result.report.complete)
        return (result.image, built.flatMap(\.warnings).map(\.description))
    }

    @Test(arguments: ["", ";asset=data", ";bands=1"])
    func `an item is drawn as its GeoTIFF, with the same keys`(keys: String) async throws {
        let folder = try Self.folder([
            "item.json": Self.item("a", "2026-01-01T00:00:00Z", Self.plain + "," + Self.image)
        ])
        let own = keys == ";bands=1" ? keys : ""
        let drawn = try await Self.drawn(["stac:\(folder.path)/item.json" + keys])
        #expect(try await drawn.image == Self.drawn(["geotiff:\(folder.path)/image.tif" + own]).image)
    }

    @Test(arguments: [("2026-01-02", true), ("2025-01-02", false)])
    func `of several items the newest is above the others`(time: String, isAbove: Bool) async throws {
        let items = [
            Self.item("image", "\(time)T00:00:00Z", Self.image), Self.item("world", "2026-01-01T00:00:00Z", Self.world),
        ]
        let folder = try Self.folder([
            "search.json": #"{"type": "FeatureCollection", "features": [\#(items.joined(separator: ","))]}"#,
            "a.json": items[0], "b.json": items[1],
            "collection.json": """
            {"type": "Collection", "stac_version": "1.0.0", "id": "c", "links": [
            {"rel": "root", "href": "none.json"}, {"rel": "item", "href": "./a.json"}, {"rel": "item", "href": "b.json"}]}
            """,
        ])
        let files = ["world.tif", "image.tif"].map { "geotiff:\(folder.path)/\($0)" }
        let expected = try await Self.drawn(isAbove ? files : files.reversed()).image
        for name in ["search.json", "collection.json"] {
            #expect(try await Self.drawn(["stac:\(folder.path)/\(name)"]).image == expected, "\(name)")
        }
    }

    @Test func `items beyond the limit are left out with a warning`() async throws {
        let items = (0..<30).map { Self.item("\($0)", "2026-01-\($0 + 1)T00:00:00Z", Self.world) }
        let folder = try Self.folder([
            "search.json": #"{"type": "FeatureCollection", "features": [\#(items.joined(separator: ","))]}"#
        ])
        let drawn = try await Self.drawn(["stac:\(folder.path)/search.json;limit=2"])
        #expect(drawn.warnings.count == 1 && drawn.warnings[0].contains("28 of its items were left out"))
    }

    @Test(arguments: [
        (item("a", "", plain + "," + image), ";asset=red", "has no asset 'red'; available: thumbnail, data"),
        (item("a", "", plain), "", "has no GeoTIFF; available: thumbnail"),
        (item("a", "", ""), "", "available: none"),
        (item("a", "", #""data": {"href": "s3://bucket/a.tif"}"#), "", "a s3: URL"),
        (item("a", "", #""data": {"href": "../other/a.tif"}"#), "", "files outside"),
        (#"{"type": "FeatureCollection", "features": []}"#, "", "no items"),
        (#"{"type": "FeatureCollection", "features": [{"type": "Feature"}]}"#, "", "no STAC item"),
        (#"{"type": "Collection", "stac_version": "1.0.0", "links": []}"#, "", "no items"),
        (
            #"{"type": "Collection", "stac_version": "1.0.0", "links": [{"rel": "item", "href": "doc.json"}]}"#, "",
            "no STAC item"
        ),
        ("[1, 2", "", "not a JSON document"), (#"{"type": 7}"#, "", "no STAC item"),
    ])
    func `what cannot be drawn is told`(document: String, keys: String, told: String) async throws {
        let folder = try Self.folder(["doc.json": document])
        var message = ""
        do { _ = try await Self.drawn(["stac:\(folder.path)/doc.json" + keys]) } catch { message = "\(error)" }
        #expect(message.contains(told))
    }

    @Test(arguments: ["file:///etc/hostname", "/etc/hostname.tif"])
    func `a document of a server never reaches local files`(address: String) async throws {
        let document = Self.item("a", "", #""data": {"href": "\#(address)", "type": "image/tiff"}"#)
        let transport = StubTransport { request throws(FetchError) in
            var answer = request.url.hasSuffix("item.json") ? World.answer(200, document) : World.answer(404, "none")
            answer.url = request.url
            return answer
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        var message = ""
        do {
            let specification = try LayerSpecification("stac:http://h.example/item.json")
            let built = try await LayerBuilder(client: client).build([specification])
            #expect(built[0].layer == nil)
            message = built[0].failure.map { "\($0)" } ?? ""
        } catch { message = "\(error)" }
        #expect(!message.isEmpty)
        if address.hasPrefix("file:") { #expect(message.contains("may not refer to a file: URL")) }
        #expect(transport.requests.allSatisfy { $0.url.hasPrefix("http://h.example/") })
    }
}
