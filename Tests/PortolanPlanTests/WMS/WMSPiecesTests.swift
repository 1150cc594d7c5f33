import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb
import TestHelpers
import Testing

/// Pictures larger than a service draws (pitfall 20).
@Suite struct WMSPiecesTests {
    static func source(
        _ limits: WMSRequestLimits, layers: [String] = ["a"], styles: [String] = [], gutter: Int = 64
    ) throws -> WMSSource {
        let request = try GetMapRequest(
            version: .v1_3_0, baseURL: "http://h/wms", layers: layers, styles: styles, crs: .webMercator,
            extent: #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1)), width: 1, height: 1, isTransparent: false)
        return WMSSource(request: request, limits: limits, gutter: gutter)
    }

    static func planned(_ source: WMSSource, _ view: Viewport) throws -> (mosaics: [SeenMosaic], warnings: [String]) {
        let plan = try source.planned(view)
        return (plan.seen, plan.warnings.map(\.message))
    }

    @Test func `a request over the limit is split into pieces with gutters between them`() throws {
        let view = try View.make(resolution: 1, width: 1000, height: 300)
        let source = try Self.source(WMSRequestLimits(maxWidth: 600, maxHeight: 600), gutter: 20)
        let planned = try Self.planned(source, view)
        let mosaic = try #require(planned.mosaics.first)
        #expect(planned.mosaics.count == 1)
        #expect(planned.warnings.isEmpty)
        #expect(mosaic.size == ImageSize(width: 1000, height: 300))
        #expect(mosaic.images.map(\.x) == [0, 500])
        #expect(mosaic.images.map(\.size.width) == [500, 500])
        #expect(try mosaic.images.map(WMSPlannerTests.box) == [[-500, -150, 20, 150], [-20, -150, 500, 150]])
        #expect(try mosaic.images.map { try WMSPlannerTests.value("WIDTH", $0) } == ["520", "520"])
        let whole = try #require(ImageSize(width: 520, height: 300))
        #expect(
            mosaic.images.map(\.crop) == [
                Mosaic.Crop(x: 0, y: 0, imageSize: whole), Mosaic.Crop(x: 20, y: 0, imageSize: whole),
            ])
    }

    @Test func `pieces cover the picture once, within the limits, and show their own ground`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            let limit = Int.random(in: 60...700, using: &random), high = Int.random(in: 60...700, using: &random)
            let view = try View.make(
                x: .random(in: -1e6...1e6, using: &random), y: .random(in: -1e6...1e6, using: &random),
                resolution: .random(in: 1...50, using: &random), width: .random(in: 1...900, using: &random),
                height: .random(in: 1...900, using: &random))
            let gutter = Int.random(in: 0...100, using: &random)
            let source = try Self.source(WMSRequestLimits(maxWidth: limit, maxHeight: high), gutter: gutter)
            let mosaic = try #require(try Self.planned(source, view).mosaics.first)
            guard mosaic.size == view.imageSize else { continue }
            var covered = 0
            for image in mosaic.images {
                let asked = image.crop?.imageSize ?? image.size
                #expect(asked.width <= limit)
                #expect(asked.height <= high)
                #expect(
                    image.x + image.size.width <= mosaic.size.width && image.y + image.size.height <= mosaic.size.height
                )
                covered += image.size.pixelCount
                let box = try WMSPlannerTests.box(image)
                let left = mosaic.topLeft.x + Double(image.x - (image.crop?.x ?? 0)) * mosaic.resolutionX
                let top = mosaic.topLeft.y - Double(image.y - (image.crop?.y ?? 0)) * mosaic.resolutionY
                #expect(abs(box[0] - left) < 1e-6 && abs(box[3] - top) < 1e-6)
                #expect(abs(box[2] - box[0] - Double(asked.width) * mosaic.resolutionX) < 1e-6)
            }
            #expect(covered == mosaic.size.pixelCount)
        }
    }

    @Test func `each copy of the world is split into its own pieces`() throws {
        let view = try View.make(x: 20_037_508, resolution: 100, width: 1000, height: 100)
        let mosaic = try #require(
            try Self.planned(Self.source(WMSRequestLimits(maxWidth: 300, maxHeight: 300)), view).mosaics.first)
        let edge = 20_037_508.342789245
        var column = 0
        for image in mosaic.images.sorted(by: { $0.x < $1.x }) {
            #expect(image.x == column)
            column += image.size.width
            let box = try WMSPlannerTests.box(image)
            #expect(box[0] >= -edge && box[2] <= edge)
        }
        #expect(column == 1000)
    }

    @Test(arguments: [(3000, 2048), (2049, 2048), (2000, 1024), (800, 512), (512, nil)] as [(Int, Int?)])
    func `without a stated limit, the size of an image determines the next one to try`(width: Int, next: Int?) throws {
        let view = try View.make(width: width, height: 100)
        let source = try Self.source(WMSRequestLimits())
        let image = try #require(try Self.planned(source, view).mosaics.first?.images.first)
        #expect(image.crop == nil)
        #expect(source.sideIfRefused(image.size) == next)
        let stated = try Self.source(WMSRequestLimits(maxWidth: 4000, maxHeight: 4000))
        #expect(stated.sideIfRefused(image.size) == nil)
    }

    @Test(arguments: [2048, 1024, 1000])
    func `pieces stay within the learned limit of their service`(side: Int) throws {
        let view = try View.make(width: 5000, height: 2100)
        let source = try Self.source(WMSRequestLimits())
        var traits = ServiceTraits()
        traits.note(side, of: source.request.baseURL.text)
        traits.note(100, of: "http://another/")
        func images(_ source: WMSSource) throws -> [SeenImage] {
            try source.planned(view, traits: traits).seen.flatMap(\.images)
        }
        let pieces = try images(source)
        #expect(pieces.map(\.size.pixelCount).reduce(0, +) == view.size.pixelCount)
        for piece in pieces {
            let size = piece.crop?.imageSize ?? piece.size
            #expect(max(size.width, size.height) <= side)
        }
        // What a service states itself goes before what its refusals seem to say.
        let stated = try Self.source(WMSRequestLimits(maxWidth: 6000, maxHeight: 6000))
        #expect(try images(stated).count == 1)
    }

    @Test func `layers over the limit become several mosaics, the first layers at the bottom`() throws {
        let source = try Self.source(
            WMSRequestLimits(maxLayers: 2), layers: ["a", "b", "c", "d", "e"], styles: ["", "x", "", "y"])
        let mosaics = try Self.planned(source, View.make()).mosaics
        let images = mosaics.compactMap(\.images.first)
        #expect(try images.map { try WMSPlannerTests.value("LAYERS", $0) } == ["a,b", "c,d", "e"])
        #expect(try images.map { try WMSPlannerTests.value("STYLES", $0) } == [",x", ",y", ""])
        #expect(try images.map { try WMSPlannerTests.value("TRANSPARENT", $0) } == ["FALSE", "TRUE", "TRUE"])
    }

    @Test func `a layer out of its scales is not requested, with a warning`() throws {
        // A pixel of a metre is a scale of 1:3571.
        let scales = [WMSScaleRange(maximum: 1000), WMSScaleRange(), WMSScaleRange(minimum: 10_000)]
        let source = try Self.source(WMSRequestLimits(scales: scales), layers: ["near", "all", "far"])
        let planned = try Self.planned(source, View.make(resolution: 1))
        #expect(try planned.mosaics.flatMap(\.images).map { try WMSPlannerTests.value("LAYERS", $0) } == ["all"])
        #expect(
            planned.warnings == [
                "'near' is drawn to 1:1000, but the view has 1:3571; not requested",
                "'far' is drawn from 1:10000, but the view has 1:3571; not requested",
            ])
        let none = try Self.source(WMSRequestLimits(scales: [WMSScaleRange(maximum: 1000)]))
        let plan = try MapPlanner(viewport: View.make(resolution: 1)).plan([MapLayer(name: "n", source: none)])
        #expect(plan.shownURLs.isEmpty)
        #expect(plan.warnings.map(\.code) == [.outOfScale])
    }

    @Test func `in scales, a degree has its length at the equator`() throws {
        let request = try GetMapRequest(
            version: .v1_3_0, baseURL: "http://h/wms", layers: ["a"], crs: .crs84,
            extent: #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1)), width: 1, height: 1)
        // 0.001 degrees are 111.32 m, a scale of 1:397 570.
        let view = try View.make(resolution: 0.001, crs: .crs84)
        for (maximum, isDrawn) in [(390_000.0, true), (250_000, false)] {
            let source = WMSSource(
                request: request, limits: WMSRequestLimits(scales: [WMSScaleRange(maximum: maximum)]))
            #expect(try Self.planned(source, view).mosaics.isEmpty != isDrawn)
        }
    }

    @Test func `a high-density picture uses the scale of the view`() throws {
        let source = try Self.source(WMSRequestLimits(scales: [WMSScaleRange(minimum: 3000)]))
        let planned = try Self.planned(source, View.make(resolution: 1, pixelRatio: 3))
        #expect(planned.mosaics.count == 1)
        #expect(try WMSPlannerTests.value("DPI", #require(planned.mosaics.first?.images.first)) == "270")
    }
}
