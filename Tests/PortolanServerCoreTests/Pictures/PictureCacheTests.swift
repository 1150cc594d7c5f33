import Foundation
import Portolan
import PortolanCodecs
import PortolanFetch
import PortolanRaster
import PortolanServerCore
import TestHelpers
import Testing

/// How long pictures are kept, by what their layers are made of.
@Suite struct PictureCacheTests {
    private static let points = #"{"type": "Point", "coordinates": [0.5, 0.5]}"#

    /// A style with an icon of a sprite, and the files that it names.
    private static func style(icon: String = "dot") -> String {
        """
        {"version": 8, "sprite": "sprite", "sources": {"s": {"type": "geojson", "data": "points.geojson"}},
        "layers": [{"id": "ground", "type": "background", "paint": {"background-color": "#eeeeee"}},
        {"id": "points", "type": "symbol", "source": "s", "layout": {"icon-image": "\(icon)"}}]}
        """
    }

    private static func square(_ color: MapColor) throws -> [UInt8] {
        var canvas = PixelBuffer(size: try #require(ImageSize(width: 8, height: 8)))
        for y in 0..<8 { for x in 0..<8 { canvas[x, y] = Pixel(color) } }
        return try PNGEncoder.encode(canvas)
    }

    /// A folder with features, a style, its sprite and an icon.
    static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Array(points.utf8), to: "points.geojson")
        try folder.write(Array(style().utf8), to: "style.json")
        try folder.write(
            Array(#"{"dot": {"x": 0, "y": 0, "width": 8, "height": 8, "pixelRatio": 1}}"#.utf8), to: "sprite.json")
        try folder.write(try square(MapColor(red: 255, green: 0, blue: 0)), to: "sprite.png")
        try folder.write(try square(MapColor(red: 0, green: 128, blue: 0)), to: "icon.png")
        try folder.write(
            Array(
                #"{"type": "Feature", "properties": {"style": {"default": {"externalGraphic": "icon.png"}}}, "geometry": \#(points)}"#
                    .utf8), to: "icons.geojson")
        return folder
    }

    /// A server of the map `m` of one layer.
    static func server(
        _ layer: String, in folder: TemporaryFolder, memory: Int = 256 << 20
    ) async throws -> MapServer {
        var source = MapSource(name: "m", layers: [layer])
        source.folder = folder.path
        var configuration = RendererConfiguration()
        configuration.retries.maximumCount = 0
        var settings = MapServer.Settings(processors: 1)
        settings.pictures.deadline = .seconds(600)
        settings.pictures.memoryByteCount = memory
        return MapServer(try await MapBook.open([source], configuration: configuration), settings: settings)
    }

    private static let targets = [
        "/tiles/m/2/2/1.png", "/maps/m/static/0,0,3/64x64.png",
        "/wms?service=WMS&version=1.3.0&request=GetMap&layers=m&styles=&crs=EPSG:4326&bbox=-9,-9,9,9&width=64&height=64&format=image/png",
        "/ogc/collections/m/map?bbox=-9,-9,9,9&width=64&height=64&f=png",
    ]

    @Test(arguments: [
        "style:style.json", "points.geojson", "points.geojson;style=style.json", "points:points.geojson",
        "icons.geojson", "points:points.geojson;cluster=true",
    ])
    func `equal requests are drawn once in any layer and protocol, and a known tag costs nothing`(
        layer: String
    ) async throws {
        let folder = try Self.folder(), server = try await Self.server(layer, in: folder)
        for (number, target) in Self.targets.enumerated() {
            var bodies: Set<[UInt8]> = [], tag = ""
            for _ in 0..<3 {
                let response = await server.answer("GET", target).response
                #expect(response.status == 200, "\(target)")
                bodies.insert(response.body)
                tag = response[header: "ETag"] ?? ""
            }
            #expect(bodies.count == 1 && !tag.isEmpty)
            let again = await server.answer("GET", target, headers: [HTTPHeader(name: "If-None-Match", value: tag)])
            #expect(again.response.status == 304 && again.response[header: "ETag"] == tag)
            #expect(server.pictureFigures.drawn == number + 1)
        }
        #expect(server.pictureFigures.kept == 2 * Self.targets.count)
    }

    /// The tag that a server that has just begun gives a tile.
    private static func tag(_ layer: String, in folder: TemporaryFolder) async throws -> String {
        let response = await (try server(layer, in: folder)).answer("GET", targets[0]).response
        return response[header: "ETag"] ?? "none: \(response.status)"
    }

    @Test(arguments: [
        ("style:style.json", "points.geojson"), ("style:style.json", "style.json"), ("style:style.json", "sprite.png"),
        ("style:style.json", "sprite.json"), ("points.geojson", "points.geojson"),
        ("points.geojson;style=style.json", "style.json"), ("points.geojson;style=style.json", "sprite.png"),
        ("icons.geojson", "icon.png"), ("icons.geojson", "icons.geojson"),
    ])
    func `tags survive a restart, and change when a file changes`(layer: String, file: String) async throws {
        let folder = try Self.folder(), before = try await Self.tag(layer, in: folder)
        #expect(try await Self.tag(layer, in: folder) == before)
        switch file {
        case "points.geojson": try folder.write(Array(Self.points.replacing("0.5", with: "2").utf8), to: file)
        case "style.json": try folder.write(Array(Self.style().replacing("#eee", with: "#ddd").utf8), to: file)
        case "sprite.json":
            try folder.write(
                Array(#"{"dot": {"x": 0, "y": 0, "width": 4, "height": 4, "pixelRatio": 1}}"#.utf8), to: file)
        case "icons.geojson":
            let text = try String(contentsOfFile: "\(folder.path)/\(file)", encoding: .utf8)
            try folder.write(Array(text.replacing("0.5", with: "2").utf8), to: file)
        default: try folder.write(try Self.square(MapColor(red: 0, green: 0, blue: 255)), to: file)
        }
        #expect(try await Self.tag(layer, in: folder) != before)
    }

    @Test(arguments: [
        ("style:style.json", "sprite.png"), ("points.geojson;style=style.json", "sprite.png"),
        ("icons.geojson", "icon.png"),
    ])
    func `a file that is read for each picture is checked while the server runs`(
        layer: String, file: String
    )
        async throws
    {
        let folder = try Self.folder(), server = try await Self.server(layer, in: folder)
        let first = await server.answer("GET", Self.targets[0]).response
        try folder.write(try Self.square(MapColor(red: 0, green: 0, blue: 255)), to: file)
        let headers = [HTTPHeader(name: "If-None-Match", value: first[header: "ETag"] ?? "")]
        let second = await server.answer("GET", Self.targets[0], headers: headers).response
        #expect(second.status == 200 && second.body != first.body)
        #expect(second[header: "ETag"] != first[header: "ETag"])
        let tag = HTTPHeader(name: "If-None-Match", value: second[header: "ETag"] ?? "")
        #expect(await server.answer("GET", Self.targets[0], headers: [tag]).response.status == 304)
        #expect(server.pictureFigures.drawn == 2)
    }

    #if os(Linux)
    @Test func `responses of other servers are cached until they expire`() async throws {
        let image = try Self.square(MapColor(red: 255, green: 0, blue: 0)), listener = try LoopbackListener()
        defer { listener.stop() }
        listener.start { connection in
            guard LoopbackSocket.readHead(connection) != nil else { return }
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(image.count)\r\n"
                + "Cache-Control: max-age=600\r\nConnection: close\r\n\r\n"
            _ = LoopbackSocket.send(Array(head.utf8) + image, to: connection)
        }
        let map = try await MapBook.open(
            [MapSource(name: "m", layers: ["xyz:http://127.0.0.1:\(listener.port)/{z}/{x}/{y}.png"])],
            configuration: RendererConfiguration()
        ).map("m")
        let time = Shared(Int(Date().timeIntervalSince1970))
        let maker = PictureMaker(PictureMaker.Settings(processors: 1), now: { time.value })
        let tile = TileAddress(grid: "WebMercatorQuad", level: 1, column: 1, row: 0, format: .png)
        let request = try tile.picture(of: map, labelReach: 0)
        let first = try await maker.picture(request)
        let second = try await maker.picture(request)
        #expect(first.tag == second.tag && maker.figures.drawn == 1 && maker.figures.kept == 1)
        time.change { $0 += 599 }
        _ = try await maker.picture(request)
        #expect(maker.figures.drawn == 1)
        time.change { $0 += 10 }
        let later = try await maker.picture(request)
        #expect(later.tag == first.tag && maker.figures.drawn == 2, "the same bytes have the same tag")
    }
    #endif
}
