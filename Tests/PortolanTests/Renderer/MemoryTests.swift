import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanFormats
import PortolanPlan
import PortolanRaster
import PortolanTesting
import PortolanWeb
import Testing

/// The memory charge of a drawing, and the handling of content that exceeds the budget.
@Suite struct MemoryTests {
    private static func renderer(_ transport: StubTransport, _ memory: MemoryBudget) -> MapRenderer {
        var configuration = World.configuration()
        configuration.memory = memory
        return MapRenderer(configuration: configuration, transport: transport)
    }

    private static func serving(_ body: [UInt8]) -> StubTransport {
        StubTransport { request throws(FetchError) in HTTPResponse(status: 200, body: body, url: request.url) }
    }

    @Test func `tiles much larger than expected are shrunk with a warning`() async throws {
        let memory = MemoryBudget()
        let tile = try World.png(.leaf, 2560, 2560)
        let renderer = Self.renderer(Self.serving(tile), memory)
        let result = try await renderer.render([World.tiles()], in: World.view(), options: World.plain())
        #expect(result.image == PixelBuffer(size: result.image.size, filledWith: Pixel(.leaf)))
        // Four of 512 by 512 in place of four of 2560 by 2560.
        #expect(memory.byteCount == 4 * 512 * 512 * 4)
        #expect(result.report.complete && result.report.warnings.map(\.code) == [.imageSize])
        #expect(
            result.report.warnings.first?.message
                == "4 of 4 tiles have an unexpected size, the first 2560x2560 instead of 256x256 pixels; shrunk")
        renderer.removeCachedImages()
        withExtendedLifetime(result) {}
    }

    @Test(arguments: [(16, 16, "stretched"), (768, 768, "shrunk"), (256, 128, "stretched")])
    func `tiles of another size give a warning`(_ width: Int, _ height: Int, _ word: String) async throws {
        let renderer = Self.renderer(Self.serving(try World.png(.leaf, width, height)), MemoryBudget())
        let report = try await renderer.render([World.tiles()], in: World.view(), options: World.plain()).report
        #expect(report.complete && report.warnings.map(\.code) == [.imageSize])
        #expect(report.warnings.first?.message.hasSuffix(word) == true && report.warnings.first?.layer == "tiles")
    }

    @Test(arguments: [1, 512])
    func `a single pixel or twice the pixels of a tile give no warning`(_ side: Int) async throws {
        let renderer = Self.renderer(Self.serving(try World.png(.clear, side, side)), MemoryBudget())
        let report = try await renderer.render([World.tiles()], in: World.view(), options: World.plain()).report
        #expect(report.complete && report.warnings.isEmpty)
    }

    @Test func `an image above the memory budget is a typed failure, and the rest is drawn`() async throws {
        // Room for three of four tiles.
        let memory = MemoryBudget(byteLimit: 3 * 256 * 256 * 4 + 1000)
        let renderer = Self.renderer(try World.transport(.black), memory)
        var options = World.plain()
        options.maximumMissing = 1
        let result = try await renderer.render([World.tiles()], in: World.view(), options: options)
        let layer = result.report.layers[0]
        #expect(!result.report.complete && layer.requested == 4 && layer.failed.map(\.code) == [.memory])
        #expect(layer.failed[0].error.contains("256x256") && layer.failed[0].error.contains("of the limit of"))
        #expect(memory.highestByteCount <= memory.byteLimit)
        #expect(result.image.pixels.filter { $0 == Pixel(.black).bits }.count == 3 * 64 * 64)
    }

    @Test func `cached images are evicted for new ones, and memory is released`() async throws {
        let memory = MemoryBudget(byteLimit: 4 * 256 * 256 * 4)
        let renderer = Self.renderer(try World.transport(.black), memory)
        do {
            let first = try await renderer.render([World.tiles()], in: World.view())
            #expect(first.report.complete && memory.byteCount == memory.byteLimit)
        }
        // Others of another host, for which those of the first have to go.
        let second = try await renderer.render([World.tiles(host: "u.example")], in: World.view())
        #expect(second.report.complete)
        withExtendedLifetime(second) {}
    }

    @Test func `renderers can share a memory budget`() async throws {
        let memory = MemoryBudget(byteLimit: 6 * 256 * 256 * 4)
        let one = Self.renderer(try World.transport(.black), memory)
        let other = Self.renderer(try World.transport(.black), memory)
        let first = try await one.render([World.tiles()], in: World.view())
        var options = RenderOptions()
        options.maximumMissing = 1
        let second = try await other.render([World.tiles()], in: World.view(), options: options)
        #expect(first.report.failedCount == 0 && second.report.failedCount == 2)
        withExtendedLifetime((first, second)) {}
    }

    @Test func `features count towards the memory budget while a layer has them`() throws {
        let memory = MemoryBudget(byteLimit: 1 << 20)
        let places = Array(repeating: "[1,2]", count: 10_000).joined(separator: ",")
        let text = #"{"type":"Feature","properties":{},"geometry":{"type":"MultiPoint","coordinates":[\#(places)]}}"#
        var source: FeatureSource?
        do {
            let limits = FeatureLimits(memory: memory)
            source = FeatureSource(try FeatureFormats.standard.read(Array(text.utf8), limits: limits))
        }
        // As they were read and in columns.
        #expect((320_000...330_000).contains(memory.byteCount) && memory.highestByteCount >= text.utf8.count)
        source = nil
        #expect(source == nil && memory.byteCount == 0)
    }

    struct Document: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String

        init(_ name: String, _ text: String) { (testDescription, self.text) = (name, text) }
    }

    static let tooLarge = [
        Document("coordinates", #"{"type":"MultiPoint","coordinates":[\#(many("[1,2]", 200_000))]}"#),
        Document("features", #"{"type":"FeatureCollection","features":[\#(many(#"{"type":"Feature"}"#, 20_000))]}"#),
        Document("lines", many(#"{"type":"Feature","geometry":null,"properties":null}"#, 20_000, by: "\n")),
        Document("values", #"{"type":"Feature","geometry":null,"properties":{"a":[\#(many("1", 200_000))]}}"#),
        Document("parts", #"{"type":"MultiLineString","coordinates":[\#(many("[[1,2],[3,4]]", 60_000))]}"#),
        Document(
            "children",
            #"{"type":"GeometryCollection","geometries":[\#(many(#"{"type":"Point","coordinates":[1,2]}"#, 30_000))]}"#
        ),
    ]

    private static func many(_ text: String, _ count: Int, by separator: String = ",") -> String {
        Array(repeating: text, count: count).joined(separator: separator)
    }

    @Test(arguments: tooLarge)
    func `a document above the memory budget is a typed failure`(document: Document) throws {
        let bytes = Array(document.text.utf8)
        let memory = MemoryBudget(byteLimit: bytes.count + (2 << 20))
        let error = #expect(throws: GeoJSONError.self) {
            try FeatureFormats.standard.read(bytes, limits: FeatureLimits(memory: memory))
        }
        #expect(error?.code == .memory && error?.detail.contains("of the limit of") == true)
        #expect(memory.byteCount == 0 && memory.highestByteCount <= memory.byteLimit)
    }

    /// A feature in the middle with a label.
    private static func labelled(_ id: Int, _ words: String, _ template: String = "${name}") -> Feature {
        Feature(
            id: .integer(id), geometry: .point(Coordinate(x: Double(id % 7) - 3, y: Double(id / 7) - 3)),
            properties: ["name": .string(words), "style": ["default": ["label": .string(template)]]])
    }

    @Test func `a label of excessive length is truncated with a warning`() async throws {
        let feature = Self.labelled(
            1, String(repeating: "ä", count: 50_000), String(repeating: "${name}", count: 50_000))
        let layer = MapLayer(name: "names", source: FeatureSource(features: [feature]))
        let renderer = Self.renderer(try World.transport(), MemoryBudget())
        let report = try await renderer.render([layer], in: World.view()).report
        #expect(!report.complete && report.warnings.contains { $0.code == .limited && $0.layer == "names" })
    }

    #if Text
    @Test func `labels above the memory budget are left out with a warning`() async throws {
        let words = String(repeating: "word ", count: 80)
        let features = (0..<40).map { Self.labelled($0, "\(words)\($0)") }
        let layer = MapLayer(name: "names", source: FeatureSource(features: features))
        // The features themselves are not charged.
        let memory = MemoryBudget(byteLimit: 10_000)
        let renderer = Self.renderer(try World.transport(), memory)
        let report = try await renderer.render([layer], in: World.view()).report
        let told = report.warnings.filter { $0.code == .limited }
        #expect(!report.complete && told.count == 1 && told[0].message.contains("left out") && memory.byteCount == 0)
    }
    #endif
}

extension MapColor {
    fileprivate static let leaf = MapColor(red: 70, green: 130, blue: 60)
}
