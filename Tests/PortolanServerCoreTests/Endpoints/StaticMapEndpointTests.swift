import PortolanRaster
import PortolanServerCore
import Testing

@Suite struct StaticMapEndpointTests {
    private static let red = Pixel(MapColor(red: 255, green: 0, blue: 0))
    private static let blue = Pixel(MapColor(red: 0, green: 0, blue: 255))

    @Test(arguments: [
        "/maps/square/static/0,0,3/200x100.png", "/styles/v1/me/square/static/0,0,2/200x100",
        "/staticmap?map=square&center=0,0&zoom=3&size=200x100",
    ])
    func `all request grammars draw the same place alike`(target: String) async throws {
        let pixels = try await SampleServer().pixels(target)
        #expect(pixels.width == 200 && pixels.height == 100)
        // Ten degrees at level 3 are 57 pixels.
        #expect(pixels[100, 50] == Self.red && pixels[73, 50] == Self.red && pixels[70, 50] == Pixel(.white))
    }

    @Test func `a path is drawn over the map, and auto fits it`() async throws {
        let pixels = try await SampleServer().pixels(
            "/maps/square/static/auto/200x100@2x.png?padding=0&path=stroke:blue%7Cwidth:4%7C-20,0%7C20,0")
        #expect(pixels.width == 400)
        #expect(pixels[2, 100] == Self.blue && pixels[397, 100] == Self.blue)
        #expect(pixels[200, 100] == Self.blue && pixels[200, 110] == Self.red)
    }

    @Test func `long paths and GeoJSON are accepted by POST`() async throws {
        let sample = try await SampleServer()
        let line =
            ##"{"type":"Feature","properties":{"stroke":"#0000ff","stroke-width":4,"stroke-opacity":1},"geometry":{"type":"LineString","coordinates":[[-20,0],[20,0]]}}"##
        let target = "/maps/square/static/auto/200x100.png?padding=0"
        let bodies = [
            ("application/geo+json", line), ("application/json", line),
            ("application/json", ##"{"path":["stroke:#0000ff|width:4|-20,0|20,0"]}"##),
            ("application/x-www-form-urlencoded", "path=stroke:%230000ff%7Cwidth:4%7C-20,0%7C20,0"),
        ]
        for (type, body) in bodies {
            let response = await sample.answer("POST", target, [("Content-Type", type)], body: body)
            #expect(response.status == 200, "\(type): \(String(decoding: response.body, as: UTF8.self))")
            let pixels = try ImageReading.pixels(response.body)
            #expect(pixels[100, 50] == Self.blue, "\(type)")
        }
        #expect(await sample.answer("POST", target, [("Content-Type", "text/plain")], body: "x").status == 415)
        #expect(await sample.answer("POST", target, [("Content-Type", "application/json")], body: "{").status == 400)
    }

    @Test(arguments: [
        ("/maps/square/static/auto/20x10.png", 422), ("/maps/square/static/0,0,3/4097x10.png", 400),
        ("/maps/square/static/0,0,3/2049x10@2x.png", 400), ("/maps/square/static/0,0,3/0x10.png", 400),
        ("/maps/square/static/0,91,3/20x10.png", 400), ("/maps/square/static/0,0,25/20x10.png", 400),
        ("/maps/square/other", 404), ("/styles/v1/me/square/other/0,0,2/20x10", 404),
    ])
    func `an invalid request gets a problem response`(target: String, status: Int) async throws {
        #expect(await (try SampleServer()).get(target).status == status)
    }

    @Test(arguments: [
        ("2160x1350", 200), ("1440x900@2x", 200), ("3840x2160", 200), ("4096x2048", 200), ("4096x2049", 400),
        ("2048x1025@2x", 400), ("8192x1024", 400),
    ])
    func `a screen of 4096 by 2048 pixels is the largest picture by default`(size: String, status: Int) async throws {
        #expect(await (try SampleServer()).get("/maps/square/static/0,0,3/\(size).svg").status == status)
    }

    @Test func `limits are checked before anything is drawn`() async throws {
        let sample = try await SampleServer { settings in
            settings.limits.overlays = 2
            settings.limits.vertices = 10
            settings.limits.pixels = 30_000
            settings.limits.targetBytes = 2000
            settings.limits.bodyBytes = 100
        }
        let start = "/maps/square/static/auto/20x10.png?"
        let mark = "marker=1,2&", path = "path=1,2%7C3,4&"
        #expect(await sample.get(start + mark + mark).status == 200)
        #expect(await sample.get(start + mark + mark + mark).status == 400)
        #expect(await sample.get(start + "path=" + (1...11).map { "\($0),2" }.joined(separator: "%7C")).status == 400)
        #expect(await sample.get(start + path + "path=1,2").status == 400)
        #expect(await sample.get("/maps/square/static/0,0,3/200x200.png").status == 400)
        #expect(await sample.get(start + String(repeating: "a", count: 2000)).status == 414)
        let body = String(repeating: " ", count: 101)
        #expect(await sample.answer("POST", start, [], body: body).status == 413)
        #expect(sample.server.pictureFigures.drawn == 1)
    }

    @Test func `an SVG contains the shapes`() async throws {
        let response = await (try SampleServer()).get("/maps/square/static/0,0,3/200x100.svg")
        #expect(response[header: "Content-Type"] == "image/svg+xml")
        #expect(String(decoding: response.body, as: UTF8.self).contains("<path"))
    }

    @Test func `a PDF is georeferenced`() async throws {
        let response = await (try SampleServer()).get("/maps/square/static/0,0,3/200x100.pdf")
        #expect(response[header: "Content-Type"] == "application/pdf")
        let document = String(decoding: response.body, as: UTF8.self)
        #expect(document.hasPrefix("%PDF-1.7\n") && document.contains("/GCS<</Type/PROJCS/EPSG 3857>>"))
    }
}
