import Foundation
import Portolan
import PortolanCodecs
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// Bands of an image in the colours of keys and of SLDs; the pictures beside it are those of NumPy.
@Suite struct RasterLayerTests {
    static func built(_ keys: String, file: String = "values.tif") async throws -> LayerBuilder.Built {
        let client = ServiceClient(configuration: World.configuration())
        let built = try await LayerBuilder(client: client).build([
            LayerSpecification("geotiff:\(RemoteGeoTIFFTests.path(file))" + keys)
        ])
        return built[0]
    }

    static func picture(_ keys: String) async throws -> PixelBuffer {
        let layer = try #require(try await built(keys).layer)
        let view = try Viewport(
            center: Coordinate(x: 2_771_000, y: 8_439_000),
            resolution: #require(Resolution(unitsPerPixel: 10)), size: #require(ImageSize(width: 200, height: 200)))
        var options = World.plain()
        options.background = .clear
        return try await MapRenderer(configuration: World.configuration()).render([layer], in: view, options: options)
            .image
    }

    static func expectEqual(_ image: PixelBuffer, _ name: String) throws {
        let expected = try ImageDecoders.standard.decode(RemoteGeoTIFFTests.bytes("\(name).png"))
        var largest = 0
        for (one, other) in zip(image.pixels, expected.pixels) {
            for shift in stride(from: 0, to: 32, by: 8) {
                largest = max(largest, abs(Int(one >> UInt32(shift) & 0xFF) - Int(other >> UInt32(shift) & 0xFF)))
            }
        }
        #expect(largest <= 1, "\(name)")
    }

    @Test(arguments: [
        (";bands=4,2,1;range=0..3000", "bands"), (";bands=nir,2,1;range=0..3000", "bands"),
        (";bands=4,2,1;range=0..3000,0..3000,0..3000;gamma=1,1,1", "bands"),
        (";bands=4,2,1", "percentiles"), (";bands=4,2,1;range=2%..98%", "percentiles"),
        (";bands=1;range=500..3000;gamma=2", "gamma"),
        (";bands=2;ramp=1000:#f00,2500:#0f0,4000:#00f", "ramp"),
        (";bands=2;breaks=2000,3000;palette=-ylorbr", "classes"),
    ])
    func `bands are drawn in the colours of keys`(_ keys: String, _ name: String) async throws {
        try Self.expectEqual(try await Self.picture(keys), name)
    }

    @Test func `classes have equally many pixels, or the same width`() async throws {
        for (keys, shares) in [(";bands=2;classes=4", 0.24...0.26), (";bands=2;classes=2;method=equal", 0.4...0.6)] {
            let image = try await Self.picture(keys)
            var counts: [UInt32: Int] = [:]
            for pixel in image.pixels where pixel != 0 { counts[pixel, default: 0] += 1 }
            let total = Double(counts.values.reduce(0, +))
            #expect(total == 200 * 200 - 40 * 60)
            for count in counts.values { #expect(shares.contains(Double(count) / total)) }
        }
    }

    static func sld(_ content: String) -> String {
        """
        <StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>a</Name><UserStyle>\
        <Name>b</Name><FeatureTypeStyle><Rule><RasterSymbolizer>\(content)</RasterSymbolizer></Rule></FeatureTypeStyle>\
        </UserStyle></NamedLayer></StyledLayerDescriptor>
        """
    }

    static let normalized = """
        <ContrastEnhancement><Normalize><VendorOption name="minValue">0</VendorOption>\
        <VendorOption name="maxValue">3000</VendorOption></Normalize></ContrastEnhancement>
        """
    static let gray =
        "<ChannelSelection><GrayChannel><SourceChannelName>2</SourceChannelName></GrayChannel></ChannelSelection>"

    static let styles = [
        (
            "<ChannelSelection>"
                + zip(["Red", "Green", "Blue"], [4, 2, 1]).map {
                    "<\($0)Channel><SourceChannelName>\($1)</SourceChannelName>\(normalized)</\($0)Channel>"
                }.joined() + "</ChannelSelection>", "bands"
        ),
        (
            gray
                + """
                <ColorMap><ColorMapEntry color="#ff0000" quantity="1000"/><ColorMapEntry color="#00ff00" quantity="2500"/>\
                <ColorMapEntry color="#0000ff" quantity="4000"/></ColorMap>
                """, "ramp"
        ),
        (
            gray
                + """
                <ColorMap><Interpolate fallbackValue="#ffffff"><LookupValue>Rasterdata</LookupValue>\
                <InterpolationPoint><Data>1000</Data><Value>#ff0000</Value></InterpolationPoint>\
                <InterpolationPoint><Data>2500</Data><Value>#00ff00</Value></InterpolationPoint>\
                <InterpolationPoint><Data>4000</Data><Value>#0000ff</Value></InterpolationPoint></Interpolate></ColorMap>
                """, "ramp"
        ),
        (
            gray
                + """
                <ColorMap type="intervals"><ColorMapEntry color="#ff0000" quantity="1500"/>\
                <ColorMapEntry color="#00ff00" quantity="2500"/></ColorMap>
                """, "intervals"
        ),
    ]

    @Test(arguments: styles.indices) func `bands are drawn in the colours of an SLD`(_ index: Int) async throws {
        let (content, name) = Self.styles[index], folder = try TemporaryFolder()
        try Self.sld(content).write(toFile: folder.path + "/a.sld", atomically: true, encoding: .utf8)
        try Self.expectEqual(try await Self.picture(";style=\(folder.path)/a.sld"), name)
    }

    @Test func `a histogram makes all levels of brightness equally frequent`() async throws {
        let folder = try TemporaryFolder()
        try Self.sld(Self.gray + "<ContrastEnhancement><Histogram/></ContrastEnhancement><Opacity>0.5</Opacity>")
            .write(toFile: folder.path + "/a.sld", atomically: true, encoding: .utf8)
        let built = try await Self.built(";style=\(folder.path)/a.sld")
        #expect(built.layer?.opacity == 0.5)
        let image = try await Self.picture(";style=\(folder.path)/a.sld;opacity=1")
        var counts = [Int](repeating: 0, count: 4)
        for pixel in image.pixels where pixel >> 24 == 255 { counts[Int(pixel & 0xFF) / 64] += 1 }
        let total = counts.reduce(0, +)
        #expect(total == 200 * 200 - 40 * 60)
        for count in counts { #expect(abs(count - total / 4) < total / 50) }
    }

    @Test(arguments: [
        (";bands=9", "4"), (";bands=1,2", "three"), (";bands=x", "first band is 1"), (";range=5", "0..3000"),
        (";range=0..1,0..2", "one for each"), (";gamma=0", "0.01"), (";ramp=viridos", "viridis"),
        (";ramp=1:nocolour", "0:#000"),
        (";ramp=viridis;gamma=2", "no effect"), (";ramp=viridis;bands=1,2,3", "one band"),
        (";ramp=viridis;classes=3", "cannot be combined"), (";palette=blues", "needs classes"),
        (";method=jenks", "needs classes"),
        (";values=1:red,1:blue", "twice"), (";classes=0", "1"), (";resampling=lanczos", "cubic"),
        (";style-name=a", "needs a style"),
        (";style={}", "SLD"), (";classes=3;method=categories", "values="),
    ])
    func `keys that cannot be used are refused with a remedy`(_ keys: String, _ part: String) async throws {
        let error = await #expect(throws: MapError.self) { try await Self.built(keys) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test func `classes and ramps are listed in the legend`() async throws {
        for (keys, texts) in [
            (";bands=2;values=1:red,2:#00f", ["1", "2"]), (";bands=2;ramp=1000:#f00,2500:#0f0", ["1000", "2500"]),
            (";bands=2;breaks=1500,2500", ["", "1,500 – 2,500", ""]),
        ] {
            let layer = try #require(try await Self.built(keys).layer)
            let view = try RemoteGeoTIFFTests.view()
            let plan = MapPlanner(viewport: view, showsLegend: true).plan([layer])
            guard case .symbols(let symbols, _)? = plan.scene.legend?.entries.first?.content else {
                Issue.record("no symbols for \(keys)")
                continue
            }
            #expect(symbols.count == texts.count)
            for (symbol, text) in zip(symbols, texts) where !text.isEmpty { #expect(symbol.text == text) }
        }
    }

    @Test func `classes are not mixed between pixels, other images are unless asked`() async throws {
        func resampling(_ keys: String) async throws -> ImageResampling? {
            try await Self.built(keys).layer?.tiles?.resampling
        }
        #expect(try await resampling("") == .bilinear)
        #expect(try await resampling(";classes=3") == .nearest)
        #expect(try await resampling(";classes=3;resampling=cubic") == .cubic)
        #expect(try await resampling(";resampling=nearest") == .nearest)
    }
}
