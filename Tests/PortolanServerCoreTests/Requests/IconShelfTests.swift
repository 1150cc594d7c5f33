#if os(Linux)
import Foundation
import Portolan
import PortolanCodecs
import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanServerCore
import TestHelpers
import Testing

/// Icons of markers in files and at URLs.
@Suite struct IconShelfTests {
    private static let green = Pixel(MapColor(red: 0, green: 128, blue: 0))

    /// A green PNG of 20 by 10 pixels.
    private static func image(_ width: Int = 20, _ height: Int = 10) throws -> [UInt8] {
        let size = try #require(ImageSize(width: width, height: height))
        return try PNGEncoder.encode(Canvas(size: size, background: MapColor(red: 0, green: 128, blue: 0)).buffer)
    }

    /// A server with an icon folder and with the icons of 127.0.0.1 and of icons.example.
    private func sample(hosts: Set<String> = ["127.0.0.1", "icons.example"]) async throws -> SampleServer {
        let icons = try TemporaryFolder()
        try icons.write(try Self.image(), to: "green.png")
        try icons.write(try Self.image(1025, 2), to: "wide.png")
        try icons.write(Array("not an image".utf8), to: "text.png")
        try FileManager.default.createDirectory(atPath: "\(icons.path)/sub", withIntermediateDirectories: false)
        try icons.write(try Self.image(), to: "sub/green.png")
        try icons.write(try Self.image(), to: ".hidden.png")
        let outside = try TemporaryFolder()
        try outside.write(try Self.image(), to: "secret.png")
        try FileManager.default.createSymbolicLink(
            atPath: "\(icons.path)/link.png", withDestinationPath: "\(outside.path)/secret.png")
        var configuration = RendererConfiguration()
        configuration.retries.maximumCount = 0
        var sample = try await SampleServer {
            $0.icons = IconShelf(folder: icons.path, hosts: hosts, configuration: configuration)
        }
        sample.extra = [icons, outside]
        return sample
    }

    private func key(of response: ServerResponse) throws -> String? {
        try JSONReader.value(bytes: response.body).objectValue?["key"]?.stringValue
    }

    @Test(arguments: ["green.png", "sub/green.png"])
    func `tileserver-gl: an icon of the folder stands above its place, with scale and offset`(
        name: String
    ) async throws {
        let sample = try await sample(), start = "/styles/square/static/40,0,3/200x100.png?marker=40,0%7C\(name)"
        let plain = try await sample.pixels(start)
        #expect(plain[100, 45] == Self.green)
        #expect(plain[91, 41] == Self.green && plain[108, 49] == Self.green)
        #expect(plain[100, 52] == Pixel(.white) && plain[88, 45] == Pixel(.white))
        let large = try await sample.pixels(start + "%7Cscale:2%7Coffset:10,0")
        // Twice as large, and 20 pixels to the right.
        #expect(large[120, 40] == Self.green && large[102, 32] == Self.green && large[98, 40] == Pixel(.white))
    }

    @Test(arguments: [
        "..%2Fgreen.png", "sub%2F..%2Fgreen.png", "%2Fetc%2Fpasswd", "link.png", ".hidden.png", "none.png", "sub",
        "text.png", "wide.png", "green.png%00", "file:%2F%2F%2Fetc%2Fpasswd", "data:image%2Fpng;base64,AAAA",
        "ftp:%2F%2F127.0.0.1%2Fa.png", "balloon", "%5C%5Chost%5Ca.png",
    ])
    func `an icon outside the folder, or that is not an image, is refused`(name: String) async throws {
        let response = await (try await sample()).get("/styles/square/static/0,0,3/20x10.png?marker=0,0%7C\(name)")
        #expect(response.status == 400)
        #expect(try key(of: response) == "marker")
    }

    @Test(arguments: ["http:%2F%2F127.0.0.1%2Fa.png", "a.png"])
    func `without a folder and hosts every icon is refused`(name: String) async throws {
        let response = await (try await SampleServer()).get(
            "/styles/square/static/0,0,3/20x10.png?marker=0,0%7C\(name)")
        #expect(response.status == 400)
        #expect(try key(of: response) == "marker")
    }

    @Test func `icons at URLs of listed hosts are drawn in all grammars`() async throws {
        let image = try Self.image()
        let web = try SmallWebServer { _ in .init(type: "image/png", body: image) }
        defer { web.stop() }
        let sample = try await sample()
        let url = "\(web.url)/a.png".replacing("/", with: "%2F").replacing(":", with: "%3A")
        let tileServer = try await sample.pixels("/maps/square/static/40,0,3/200x100.png?marker=40,0%7C\(url)")
        #expect(tileServer[100, 45] == Self.green)
        // The middle of the icon is at its place.
        let mapbox = try await sample.pixels("/styles/v1/me/square/static/url-\(url)(40,0)/40,0,2/200x100@2x")
        #expect(mapbox.width == 400)
        #expect(mapbox[200, 100] == Self.green && mapbox[182, 92] == Self.green && mapbox[200, 112] == Pixel(.white))
        let start = "/maps/api/staticmap?map=square&center=0,40&zoom=3&size=200x100&markers="
        #expect(try await sample.pixels("\(start)icon:\(url)%7C0,40")[100, 45] == Self.green)
        let left = try await sample.pixels("\(start)anchor:topleft%7Cicon:\(url)%7C0,40")
        #expect(left[102, 52] == Self.green && left[98, 48] == Pixel(.white))
        let moved = try await sample.pixels("\(start)anchor:5,0%7Cicon:\(url)%7C0,40")
        #expect(moved[97, 2 + 50] == Self.green && moved[93, 52] == Pixel(.white))
        // A pixel of the icon is one of the picture, whatever the scale of the map.
        let dense = try await sample.pixels("\(start)icon:\(url)%7C0,40&scale=2")
        #expect(dense[200, 95] == Self.green && dense[188, 95] == Pixel(.white))
        let scaled = try await sample.pixels("\(start)icon:\(url)%7Cscale:2%7C0,40&scale=2")
        #expect(scaled[182, 95] == Self.green)
    }

    @Test func `an icon of another host is not requested, and a redirect must lead to a listed one`() async throws {
        let image = try Self.image()
        let target = try SmallWebServer { _ in .init(type: "image/png", body: image) }
        let away = target.url.replacing("127.0.0.1", with: "localhost")
        let web = try SmallWebServer { path in
            switch path {
            case "/away": .init(status: 302, headers: ["Location: \(away)/a.png"])
            case "/here": .init(status: 302, headers: ["Location: \(target.url)/a.png"])
            default: .init(status: 404)
            }
        }
        defer {
            web.stop()
            target.stop()
        }
        let sample = try await sample()
        func status(_ url: String) async -> Int {
            await sample.get("/maps/square/static/0,0,3/20x10.png?marker=0,0%7C\(url)").status
        }
        for url in [away + "/a.png", "http://127.0.0.1@localhost/a.png", "http://sub.icons.example/a.png"] {
            #expect(await status(url) == 400)
        }
        #expect(target.targets.isEmpty)
        #expect(await status(web.url + "/here") == 200)
        #expect(target.targets == ["/a.png"])
        #expect(await status(web.url + "/away") == 502)
        #expect(target.targets == ["/a.png"])
        #expect(await status(web.url + "/missing") == 502)
    }

    @Test func `a picture has at most ten different icons, and an icon that changes makes another picture`()
        async throws
    {
        let sample = try await sample(), start = "/maps/square/static/0,0,3/100x60.png?"
        for number in 1...11 { try sample.extra[0].write(try Self.image(), to: "icon\(number).png") }
        func status(_ count: Int) async -> Int {
            let many = (1...count).map { "marker=0,0%7Cicon\($0).png" }.joined(separator: "&")
            return await sample.get(start + many).status
        }
        #expect(await status(10) == 200)
        #expect(await status(11) == 400)
        let first = await sample.get(start + "marker=0,0%7Cgreen.png")
        try sample.extra[0].write(try Self.image(30, 30), to: "green.png")
        let second = await sample.get(start + "marker=0,0%7Cgreen.png")
        #expect(first.status == 200 && second.status == 200)
        #expect(first[header: "ETag"] != second[header: "ETag"])
        #expect(first.body != second.body)
    }
}
#endif
