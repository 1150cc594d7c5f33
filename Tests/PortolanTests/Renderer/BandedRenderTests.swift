import Portolan
import PortolanCodecs
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanTesting
import Synchronization
import Testing

/// Pictures that are painted and encoded some rows at a time.
@Suite struct BandedRenderTests {
    private static func renderer(_ transport: StubTransport, inBands: Bool, memory: MemoryBudget) -> MapRenderer {
        var configuration = World.configuration()
        configuration.memory = memory
        if inBands { configuration.pixelCountAtOnce = 0 }
        return MapRenderer(configuration: configuration, transport: transport)
    }

    /// Tiles with different shades.
    private static func transport(except: [String: HTTPResponse] = [:]) throws -> StubTransport {
        let size = try #require(ImageSize(width: 256, height: 256))
        return StubTransport { request throws(FetchError) in
            for (part, response) in except where request.url.contains(part) { return response }
            let seed = request.url.utf8.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) }
            let pixels = (0..<UInt32(size.pixelCount)).map { index in
                0xff00_0000 | (seed &+ index &* 3 / 2) & 0x3f3f3f | (index / 256 & 0xff) << 16
            }
            let image = PixelBuffer(size: size, pixels: pixels) ?? PixelBuffer(size: size)
            return HTTPResponse(status: 200, body: (try? PNGEncoder.encode(image)) ?? [], url: request.url)
        }
    }

    private static var shapes: MapLayer {
        get throws {
            let features = (0..<40).map { number in
                let x = Double(number * 37 % 80 - 40) * 1e5, y = Double(number * 53 % 80 - 40) * 1e5
                let places = [Coordinate(x: x, y: y), Coordinate(x: x + 2e6, y: y + 1e6), Coordinate(x: x, y: y + 2e6)]
                return Feature(
                    geometry: number % 2 == 0 ? .lineString(places) : .polygon([places + places.prefix(1)]),
                    properties: ["name": .string("Label \(number)")])
            }
            var style = StyleDeclaration()
            style.label = "${name}"
            style.strokeWidth = 3
            style.fillOpacity = 0.4
            return MapLayer(
                name: "shapes", source: FeatureSource(features: features, crs: .webMercator, style: style),
                opacity: 0.7)
        }
    }

    struct View: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var crs = CRS.webMercator
        var rotation = 0.0
        var zoom = 4.0
        var pixelRatio = 1.0

        var viewport: Viewport {
            get throws {
                let resolution = try #require(Resolution(zoom: zoom, in: .webMercator))
                let unit = crs == .webMercator ? resolution.unitsPerPixel : resolution.unitsPerPixel / 111_320
                return try Viewport(
                    center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(unitsPerPixel: unit)),
                    rotation: rotation, size: #require(ImageSize(width: 500, height: 400)), pixelRatio: pixelRatio,
                    crs: crs)
            }
        }
    }

    static let views = [
        View(testDescription: "pixel for pixel"), View(testDescription: "turned", rotation: 31),
        View(testDescription: "between levels", zoom: 4.3), View(testDescription: "in another system", crs: .crs84),
        View(testDescription: "at two pixels a pixel", pixelRatio: 2),
        View(testDescription: "turned in another system", crs: .crs84, rotation: 77, zoom: 3.8),
    ]

    @Test(arguments: views)
    func `a picture painted in bands has the same pixels and report as one painted at once`(_ view: View) async throws {
        let layers = [try World.tiles(), try Self.shapes], viewport = try view.viewport
        let memory = MemoryBudget()
        let whole = try await Self.renderer(Self.transport(), inBands: false, memory: memory)
            .render(layers, in: viewport)
        let parts = try await Self.renderer(Self.transport(), inBands: true, memory: memory)
            .render(layers, in: viewport)
        #expect(parts.isPaintedInBands && !whole.isPaintedInBands)
        #expect(parts.report.complete && parts.report.requestedCount == whole.report.requestedCount)
        #expect(parts.image == whole.image)
        for rows in [64, 130] {
            var png: [UInt8] = [], jpeg: [UInt8] = []
            let count = rows * viewport.imageSize.width
            try parts.encodePNG(pixelsAtATime: count) { png += $0 }
            #expect(try ImageDecoders.standard.decode(png) == whole.image)
            try parts.encodeJPEG(background: .white, pixelsAtATime: count) { jpeg += $0 }
            #expect(try jpeg == JPEGEncoder.encode(whole.image))
        }
    }

    @Test func `a picture in bands keeps tile files in memory instead of their pixels`() async throws {
        // The pixels of ten tiles, where sixteen are wanted.
        let memory = MemoryBudget(byteLimit: 10 * 256 * 256 * 4)
        let transport = try World.transport(.black)
        let viewport = try World.view(width: 1000, height: 1000)
        var options = World.plain()
        options.maximumMissing = 1
        var configuration = World.configuration()
        configuration.memory = memory
        configuration.pixelCountAtOnce = 0
        let result = try await MapRenderer(configuration: configuration, transport: transport)
            .render([World.tiles()], in: viewport, options: options)
        #expect(result.report.complete && result.report.failedCount == 0)
        #expect(result.image == PixelBuffer(size: viewport.imageSize, filledWith: Pixel(.black)))
    }

    @Test func `a bad tile of a picture in bands leaves a gap and a report entry`() async throws {
        let bad = HTTPResponse(status: 200, body: Array(try World.png(.black).dropLast(20)), url: "")
        let result = try await Self.renderer(
            World.transport(.black, except: ["/4/8/7": bad]), inBands: true, memory: MemoryBudget()
        ).render([World.tiles()], in: World.view(), options: World.plain())
        #expect(!result.report.complete && result.report.layers[0].failed.count == 1)
        #expect(result.image[100, 10] == Pixel(.white) && result.image[10, 100] == Pixel(.black))
    }
}
