import Foundation
import PortolanRaster
import PortolanStyles
import Testing

@Suite struct RasterSymbolizerTests {
    static func fixture(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/geostyler-sld-parser")
        return [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    @Test(arguments: ["1.0/raster_complexRaster.sld", "1.1/raster_complexRaster.sld"])
    func `channels, contrast and colours are read from both versions`(_ name: String) throws {
        let symbolizer = try RasterSymbolizer(Self.fixture(name))
        #expect(symbolizer.opacity == 0.5)
        #expect(symbolizer.channels.map(\.name) == ["1", "3", "2"])
        #expect(symbolizer.channels[1].contrast.method == .normalize(from: nil, to: nil))
        #expect(symbolizer.channels[2].contrast.method == .histogram)
        #expect(symbolizer.channels[2].contrast.gamma == 2)
        #expect(symbolizer.contrast.method == .histogram)
        #expect(symbolizer.colorMap?.stops.map(\.value) == [-300, 200])
        #expect(symbolizer.colorMap?.stops.map(\.label) == ["label1", "label2"])
    }

    private static func read(_ content: String) throws(RasterSymbolizer.Failure) -> RasterSymbolizer {
        try RasterSymbolizer(
            Array(
                "<StyledLayerDescriptor><UserStyle><Name>a</Name><RasterSymbolizer>\(content)</RasterSymbolizer></UserStyle></StyledLayerDescriptor>"
                    .utf8))
    }

    @Test func `thresholds of Categorize belong to the value after them`() throws {
        let text = "<Value>#000000</Value><Threshold>5</Threshold><Value>#0000ff</Value>"
        let after = try #require(try Self.read("<ColorMap><Categorize>\(text)</Categorize></ColorMap>").colorMap)
        #expect(after.color(of: 4.9) == .black)
        #expect(after.color(of: 5) == MapColor(css: "#00f"))
        #expect(after.color(of: 1e9) == MapColor(css: "#00f"))
        let before = try #require(
            try Self.read("<ColorMap><Categorize thresholdsBelongTo=\"preceding\">\(text)</Categorize></ColorMap>")
                .colorMap)
        #expect(before.color(of: 5) == .black)
    }

    @Test func `values have their colour alone, and ramps go on beyond their ends`() throws {
        func map(_ type: String) throws -> RasterColorMap {
            let entries =
                "<ColorMapEntry color=\"#ff0000\" quantity=\"1\"/><ColorMapEntry color=\"#0000ff\" quantity=\"3\" opacity=\"0.5\" label=\"three\"/>"
            return try #require(try Self.read("<ColorMap type=\"\(type)\">\(entries)</ColorMap>").colorMap)
        }
        #expect(try map("values").color(of: 1) == MapColor(css: "red"))
        #expect(try map("values").color(of: 2) == nil)
        #expect(try map("ramp").color(of: -9) == MapColor(css: "red"))
        #expect(try map("ramp").color(of: 9)?.alpha == 128)
        #expect(try map("intervals").color(of: 1)?.blue == 255)
        #expect(try map("intervals").color(of: 3) == nil)
        #expect(try map("values").stops[1].label == "three")
    }

    @Test(arguments: [
        "<Opacity>x</Opacity>", "<ColorMap/>",
        "<ColorMap type=\"x\"><ColorMapEntry color=\"red\" quantity=\"1\"/></ColorMap>",
        "<ColorMap><ColorMapEntry color=\"nothing\" quantity=\"1\"/></ColorMap>",
        "<ColorMap><ColorMapEntry color=\"#fff\"/></ColorMap>",
        "<ChannelSelection><RedChannel/></ChannelSelection>",
        "<ContrastEnhancement><GammaValue>0</GammaValue></ContrastEnhancement>",
        "<ColorMap><Categorize><Value>#000</Value><Threshold>1</Threshold></Categorize></ColorMap>",
    ])
    func `invalid values are refused`(_ content: String) {
        #expect(throws: RasterSymbolizer.Failure.self) { try Self.read(content) }
    }

    @Test func `parts without effect are reported`() throws {
        #expect(try Self.read("<ShadedRelief/><OverlapBehavior/>").warnings.count == 2)
        #expect(throws: RasterSymbolizer.Failure.noSymbolizer) { try RasterSymbolizer(Array("<a/>".utf8)) }
        #expect(throws: RasterSymbolizer.Failure.noSymbolizer) {
            try RasterSymbolizer(
                Array("<a><UserStyle><Name>x</Name><RasterSymbolizer/></UserStyle></a>".utf8), styleName: "y")
        }
    }
}
