import Portolan
import PortolanFeatures
import PortolanServerCore
import PortolanXML
import TestHelpers
import Testing

/// The page of all maps.
@Suite struct OverviewTests {
    private static let browser = [("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"), ("Host", "h")]

    private func page(_ response: ServerResponse) throws -> XMLElement {
        // It is XML but for its document type.
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.hasPrefix("<!DOCTYPE html>\n"))
        return try XMLReader().tree(of: Array(text.dropFirst(16).utf8)).root
    }

    private func attributes(_ element: XMLElement, _ name: String) -> [String] {
        element.attributes.filter { $0.name == name }.map(\.value) + element.children.flatMap { attributes($0, name) }
    }

    @Test(arguments: [
        ("/", ""), ("/viewer", ""), ("/viewer/", "../"),
    ])
    func `a browser gets the page of all maps`(target: String, root: String) async throws {
        let sample = try await SampleServer(), response = await sample.get(target, Self.browser)
        #expect(response.status == 200 && response[header: "Content-Type"] == "text/html; charset=utf-8")
        #expect(response[header: "Vary"]?.contains("Accept") == true)
        let policy = try #require(response[header: "Content-Security-Policy"])
        #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
        let page = try page(response), links = attributes(page, "href"), values = attributes(page, "value")
        for map in ["square", "named", "both", "far"] { #expect(links.contains("\(root)viewer/\(map)")) }
        #expect(links.contains("\(root)overview/overview.css"))
        #expect(attributes(page, "src").contains("\(root)overview/square.png"))
        for address in [
            "http://h/viewer/square", "http://h/tiles/square/{z}/{x}/{y}.png", "http://h/tilejson/square.json",
            "http://h/styles/square/style.json", "http://h/wms?SERVICE=WMS&REQUEST=GetCapabilities",
            "http://h/wmts/1.0.0/WMTSCapabilities.xml", "http://h/ogc/collections/square",
        ] { #expect(values.contains(address), "\(address)") }
        let text = String(decoding: response.body, as: UTF8.self)
        for client in ["Leaflet", "OpenLayers", "MapLibre GL JS", "QGIS"] { #expect(text.contains(client)) }
        // Each copied part is there once, and nothing comes from elsewhere.
        let ids = attributes(page, "id")
        #expect(Set(ids).count == ids.count)
        #expect(Set(attributes(page, "data-copies")).isSubset(of: ids))
        #expect((links + attributes(page, "src")).allSatisfy { !$0.contains("//") })
    }

    @Test func `other clients get a list of maps with their addresses`() async throws {
        let sample = try await SampleServer()
        for accept in [[], [("Accept", "*/*")], [("Accept", "application/json, text/html")]] {
            let response = await sample.get("/", accept + [("Host", "h")])
            let document = try #require(try JSONReader.value(bytes: response.body).objectValue)
            let square = try #require(document["maps"]?.arrayValue?.first?.objectValue)
            #expect(square["name"]?.stringValue == "square" && square["title"]?.stringValue == "A square")
            #expect(square["tilejson"]?.stringValue == "http://h/tilejson/square.json")
            #expect(square["viewer"]?.stringValue == "http://h/viewer/square")
            #expect(square["ogcapi"]?.stringValue == "http://h/ogc/collections/square")
            #expect(document["wms"]?.stringValue == "http://h/wms?")
        }
    }

    @Test func `a browser goes to the viewer of the only map`() async throws {
        let sample = try await SampleServer()
        let source = MapSource(name: "one", layers: ["\(sample.folder.path)/square.geojson"])
        sample.server.replace(try await MapBook.open([source], configuration: RendererConfiguration()))
        let response = await sample.get("/", Self.browser)
        #expect(response.status == 302 && response[header: "Location"] == "viewer/one")
        #expect(await sample.get("/viewer", Self.browser).status == 200)
    }

    @Test func `an unknown map is a page of all maps for browsers and a problem for others`() async throws {
        let sample = try await SampleServer()
        for target in ["/viewer/nomap", "/viewer/a/b"] {
            let response = await sample.get(target, Self.browser)
            #expect(response.status == 404 && response[header: "Content-Type"] == "text/html; charset=utf-8")
            #expect(response[header: "Cache-Control"] == "no-store")
            let page = try page(response)
            #expect(attributes(page, "role") == ["alert"])
            #expect(attributes(page, "href").contains { $0.hasSuffix("viewer/square") })
            #expect(await sample.get(target)[header: "Content-Type"] == "application/problem+json")
        }
        #expect(await sample.answer("POST", "/viewer", Self.browser).status == 405)
    }

    @Test func `names of maps and attributions are text`() async throws {
        let sample = try await SampleServer()
        try sample.folder.write(
            Array(
                SampleServer.square.replacing("\"features\"", with: "\"attribution\": \"</script><b>\", \"features\"")
                    .utf8),
            to: "hostile.geojson")
        var sources = ["a", "b"].map { MapSource(name: $0, layers: ["\(sample.folder.path)/hostile.geojson"]) }
        sources[0].title = "<img src=x onerror=alert(1)>\""
        sample.server.replace(try await MapBook.open(sources, configuration: RendererConfiguration()))
        let response = await sample.get("/", Self.browser), text = String(decoding: response.body, as: UTF8.self)
        #expect(!text.contains("<img src=x") && !text.contains("</script><b>"))
        _ = try page(response)
    }

    @Test func `a small picture shows the map`() async throws {
        let sample = try await SampleServer()
        let one = try await sample.pixels("/overview/square.png"),
            two = try await sample.pixels("/overview/square@2x.png")
        #expect([one.width, one.height, two.width, two.height] == [320, 200, 640, 400])
        #expect(one[160, 100].red == 255 && one[160, 100].green == 0)
        #expect(one[2, 2].green == 255)
        #expect(await sample.get("/overview/square.svg").status == 400)
        #expect(await sample.get("/overview/nomap.png").status == 404)
    }

    @Test(arguments: [("/maps/", "/maps/viewer/square"), ("/maps", "/maps/viewer/square")])
    func `under a prefix links have it`(target: String, link: String) async throws {
        let sample = try await SampleServer { $0.prefix = "/maps" }
        #expect(attributes(try page(await sample.get(target, Self.browser)), "href").contains(link))
    }
}
