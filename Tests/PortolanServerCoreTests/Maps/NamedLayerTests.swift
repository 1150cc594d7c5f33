import Portolan
import PortolanServerCore
import TestHelpers
import Testing

@Suite struct NamedLayerTests {
    @Test(arguments: [
        ("square", "square"), ("both", "both"), ("both:high", "both:high"), ("high", "both:high"), ("low", "both:low"),
        // A map with one layer is that layer.
        ("square:square", "square"), ("label", "named"), ("named:label", "named"),
        ("none", nil), ("both:none", nil), ("none:high", nil), (":high", nil), ("", nil),
    ])
    func `a layer is found with and without the name of its map`(name: String, found: String?) async throws {
        #expect(try await SampleServer().book.namedLayer(name)?.name == found)
    }

    @Test func `a name that several maps have needs that of the map, and the name of a map comes first`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(SampleServer.square.utf8), to: "a.geojson")
        let layers = ["\(folder.path)/a.geojson;name=roads", "\(folder.path)/a.geojson;name=one"]
        let others = ["\(folder.path)/a.geojson;name=roads", "\(folder.path)/a.geojson;name=two"]
        let sample = try await SampleServer()
        sample.server.replace(
            try await MapBook.open(
                [MapSource(name: "one", layers: layers), MapSource(name: "other", layers: others)],
                configuration: RendererConfiguration()))
        let book = sample.server.book
        #expect(book.namedLayer("roads") == nil)
        #expect(book.namedLayer("one")?.isWhole == true)
        #expect(book.namedLayer("two")?.name == "other:two")
        let wms =
            "/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&STYLES=&CRS=CRS:84&BBOX=-10,-10,10,10&WIDTH=20&HEIGHT=20&FORMAT=image/png&LAYERS="
        #expect(await sample.get(wms + "two").status == 200)
        let fault = await sample.get(wms + "roads")
        #expect(fault.status == 400)
        #expect(String(decoding: fault.body, as: UTF8.self).contains("use one:roads or other:roads"))
        for target in [
            "/ogc/collections/two", "/ogc/collections/two/map?width=20&height=20",
            "/wmts/two/default/WebMercatorQuad/0/0/0.png",
            "/tms/1.0.0/two",
        ] {
            #expect(await sample.get(target).status == 200, "\(target)")
        }
        #expect(await sample.get("/ogc/collections/roads").status == 404)
    }
}
