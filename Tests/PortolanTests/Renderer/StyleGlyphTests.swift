import Foundation
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanStyles
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// Pictures of styles whose labels have characters that no font has.
@Suite(.timeLimit(.minutes(5))) struct StyleGlyphTests {
    private static let address = "https://glyphs.example/Test%20Sans/26368-26623.pbf"

    /// A layer with labels, 40 pixels apart.
    private static func layer(
        _ names: [String], glyphs: String = "https://glyphs.example/{fontstack}/{range}.pbf", base: BaseURL? = nil
    ) throws -> MapLayer {
        let text =
            #"{"text-field": ["get", "name"], "text-font": ["Test Sans"], "text-size": 24, "text-allow-overlap": true}"#
        var source = FeatureSource(
            features: names.enumerated().map { number, name in
                Feature(
                    geometry: .point(Coordinate(x: 0, y: 9784 * 40 * (Double(names.count - 1) / 2 - Double(number)))),
                    properties: ["name": .string(name)])
            }, crs: .webMercator)
        source.sheet = try StyleSheet(
            bytes: Array(
                #"{"version": 8, "glyphs": "\#(glyphs)", "layers": [{"id": "t", "type": "symbol", "layout": \#(text)}]}"#
                    .utf8))
        source.sheetBaseURL = base
        return MapLayer(name: "names", source: source)
    }

    private static func transport(_ bodies: [String: [UInt8]]) -> StubTransport { StubTransport(bodies: bodies) }

    private static func drawn(
        _ layers: [MapLayer], _ transport: StubTransport, fonts: Bool = true,
        change: (inout RendererConfiguration) -> Void = { _ in }
    ) async throws -> RenderResult {
        var configuration = World.configuration(fonts: fonts)
        change(&configuration)
        let renderer = MapRenderer(configuration: configuration, transport: transport)
        let result = try await renderer.render(layers, in: World.view(), options: World.plain())
        await renderer.flush()
        return result
    }

    /// The columns and rows of dark pixels.
    private static func ink(_ image: PixelBuffer) -> (x: ClosedRange<Int>, y: ClosedRange<Int>)? {
        var xs: [Int] = [], ys: [Int] = []
        for y in 0..<image.height {
            for x in 0..<image.width where image[x, y].green < 128 {
                xs.append(x)
                ys.append(y)
            }
        }
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return nil }
        return (left...right, top...bottom)
    }

    #if Text
    @Test func `characters that no font has are drawn from the glyphs of the style`() async throws {
        let transport = Self.transport([Self.address: GlyphBytes.boxes("東杭")])
        // The two layers share a range.
        let layers = [try Self.layer(["東東"]), try Self.layer(["杭"])]
        let first = try await Self.drawn([layers[0]], transport)
        #expect(transport.requests.map(\.url) == [Self.address])
        #expect(first.report.complete && first.report.warnings.isEmpty, "\(first.report.warnings)")
        let ink = try #require(Self.ink(first.image))
        // Two boxes of 12 pixels with a gap of 2 have their middle in the middle of 128 pixels.
        #expect(ink.x.count == 26 && ink.y.count == 12, "\(ink)")
        #expect(abs(Double(ink.x.lowerBound + ink.x.upperBound + 1) / 2 - 64) <= 1)
        let both = try await Self.drawn(
            [layers[0], MapLayer(name: "others", source: layers[1].source)], transport)
        #expect(transport.requests.count == 2 && both.report.complete)
    }

    @Test func `a second picture sends no requests`() async throws {
        let transport = Self.transport([Self.address: GlyphBytes.boxes("東")])
        let renderer = MapRenderer(configuration: World.configuration(), transport: transport)
        let layer = try Self.layer(["東"])
        let first = try await renderer.render([layer], in: World.view(), options: World.plain())
        let second = try await renderer.render([layer], in: World.view(), options: World.plain())
        #expect(first.image == second.image && transport.requests.count == 1)
    }

    @Test func `nothing is requested for characters of fonts`() async throws {
        let transport = Self.transport([:])
        let result = try await Self.drawn([try Self.layer(["Tokyo"])], transport)
        #expect(transport.requests.isEmpty && Self.ink(result.image) != nil)
    }

    @Test func `without a font, whole texts are drawn from glyphs`() async throws {
        let sans = try Fixture.bytes("glyphs/Noto Sans Regular/0-255.pbf")
        let transport = Self.transport(["https://glyphs.example/Test%20Sans/0-255.pbf": sans])
        let result = try await Self.drawn([try Self.layer(["HH"])], transport, fonts: false)
        #expect(result.report.complete && result.report.warnings.isEmpty, "\(result.report.warnings)")
        let ink = try #require(Self.ink(result.image))
        // Capital letters of Noto Sans are 17.1 pixels high at 24 pixels per em.
        #expect((17...18).contains(ink.y.count) && (29...32).contains(ink.x.count), "\(ink)")
    }

    @Test(arguments: [404, 500]) func `a missing range is reported, and the rest is drawn`(status: Int) async throws {
        let transport = StubTransport { request throws(FetchError) in HTTPResponse(status: status, url: request.url) }
        let result = try await Self.drawn([try Self.layer(["東", "Tokyo"])], transport)
        let failed = try #require(result.report.layers.first?.failed.first)
        #expect(failed.code == .status && failed.status == status, "\(failed)")
        #expect(failed.resource.hasPrefix("glyphs 'Test Sans' 26368-26623"), "\(failed)")
        #expect(!result.report.complete)
        let missing = try #require(result.report.warnings.first { $0.code == .missingCharacter })
        #expect(missing.message.hasPrefix("neither a font nor the glyphs of the style have 東 (U+6771)"))
        #expect(try #require(Self.ink(result.image)).x.count > 40)
    }

    @Test(arguments: [(Array(GlyphBytes.boxes("東").dropLast(9)), 3), ([], nil)])
    func `a corrupt range is reported with its position, and the rest is drawn`(
        bytes: [UInt8], offset: Int?
    ) async throws {
        let transport = Self.transport([Self.address: bytes])
        let result = try await Self.drawn([try Self.layer(["東", "Tokyo"])], transport)
        let warning = try #require(result.report.warnings.first { $0.code == .data })
        #expect(warning.layer == "names" && warning.place?.byteOffset == offset && warning.isLoss)
        #expect(!result.report.complete && Self.ink(result.image) != nil)
    }

    @Test func `a local style may have its glyphs in a folder, whose fonts are read one by one`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/fonts/Test Sans", withIntermediateDirectories: true)
        try folder.write(GlyphBytes.boxes("東"), to: "fonts/Test Sans/26368-26623.pbf")
        let style = BaseURL("file://\(folder.path)/style.json")
        let layer = try Self.layer(["東"], glyphs: "fonts/{fontstack}/{range}.pbf", base: style)
        let transport = Self.transport([:])
        let result = try await Self.drawn([layer], transport)
        #expect(result.report.complete && result.report.warnings.isEmpty, "\(result.report)")
        #expect(transport.requests.isEmpty && Self.ink(result.image)?.x.count == 12)
    }

    #if Storage
    @Test func `ranges in the disk cache are drawn offline`() async throws {
        let folder = try TemporaryFolder(), layer = try Self.layer(["東"])
        let transport = Self.transport([Self.address: GlyphBytes.boxes("東")])
        let first = try await Self.drawn([layer], transport) { $0.cacheFolder = folder.path }
        let none = Self.transport([:])
        let offline = try await Self.drawn([layer], none) {
            $0.cacheFolder = folder.path
            $0.isOffline = true
        }
        #expect(offline.image == first.image && offline.report.complete && none.requests.isEmpty)
        let unknown = try await Self.drawn([try Self.layer(["西"])], none) {
            $0.cacheFolder = folder.path
            $0.isOffline = true
        }
        #expect(unknown.report.layers.first?.failed.map(\.code) == [.offline] && none.requests.isEmpty)
    }
    #endif
    #endif
}
