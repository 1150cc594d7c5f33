import Portolan
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServerCore
import Testing

/// Clauses are those of OGC 06-042 (WMS 1.3.0).
@Suite struct WMSMapTests {
    private static let red = Pixel(MapColor(red: 255, green: 0, blue: 0))
    private static let blue = Pixel(MapColor(red: 0, green: 0, blue: 255))
    private static let white = Pixel(.white)
    private static let base =
        "/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&STYLES=&FORMAT=image/png&WIDTH=40&HEIGHT=40"

    private static func map(
        _ layers: String = "square", _ box: String = "-10,-10,10,10", _ more: String = "", crs: String = "CRS:84"
    ) -> String { "\(base)&LAYERS=\(layers)&CRS=\(crs)&BBOX=\(box)\(more)" }

    @Test func `clause 7_3: a map equals the rendered picture of the bounding box`() async throws {
        let sample = try await SampleServer(), map = try sample.book.map("square")
        let viewport = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: try #require(Resolution(unitsPerPixel: 0.5)),
            size: try #require(ImageSize(width: 40, height: 40)), crs: .crs84)
        var options = RenderOptions()
        options.attribution = .none
        let drawn = try await map.renderer.render(map.layers, in: viewport, options: options)
        #expect(try await sample.pixels(Self.map()) == drawn.image)
    }

    @Test(arguments: [
        ("CRS:84", "0,-10,20,10"), ("EPSG:4326", "-10,0,10,20"), ("EPSG:4326", "-1.0E1,0e0,1E%2B1,2.0e1"),
        ("EPSG:3857", "0,-1118889.97,2226389.82,1118889.97"), ("EPSG%3A4326", "-10%2C0%2C10%2C20"),
    ])
    func `clauses 6_7_3, 6_5: axes follow the CRS, and numbers may have exponents`(
        crs: String, box: String
    ) async throws {
        let pixels = try await SampleServer().pixels(Self.map("square", box, crs: crs))
        // The square ends at five degrees, a quarter from the left.
        #expect(pixels[2, 20] == Self.red && pixels[8, 20] == Self.red)
        #expect(pixels[11, 20] == Self.white && pixels[20, 20] == Self.white)
    }

    @Test(arguments: ["&VERSION=1.1.1&SRS=EPSG:4326", "&VERSION=1.1.1&SRS=epsg:4326", "&SRS=EPSG:4326"])
    func `version 1_1_1 and earlier versions always have longitude first`(system: String) async throws {
        let target =
            "/wms?REQUEST=GetMap&STYLES=&FORMAT=image/png&WIDTH=40&HEIGHT=40&LAYERS=square&BBOX=0,-10,20,10\(system)"
        let pixels = try await SampleServer().pixels(target)
        #expect(pixels[2, 20] == Self.red && pixels[20, 20] == Self.white)
    }

    @Test(arguments: [
        ("both:low,both:high", blue), ("both:high,both:low", red), ("both", blue), ("both:high", blue),
        ("square,both:high", blue), ("both:high,square", red), ("both:low", red),
    ])
    func `clause 7_3_3_3: the leftmost layer is drawn at the bottom`(layers: String, middle: Pixel) async throws {
        let pixels = try await SampleServer().pixels(Self.map(layers))
        #expect(pixels[20, 20] == middle)
    }

    @Test func `clause 7_3_3_4: each layer may have the default style of the server`() async throws {
        let sample = try await SampleServer()
        let target = Self.map("both:low,both:high").replacing("STYLES=", with: "STYLES=,")
        #expect(try await sample.pixels(target)[20, 20] == Self.blue)
        let named = Self.map("both:low,both:high").replacing("STYLES=", with: "STYLES=default,default")
        #expect(try await sample.pixels(named)[20, 20] == Self.blue)
    }

    @Test(arguments: ["40,40,60,60", "-10,100,10,120", "500,-10,520,10"])
    func `clause 7_3_3_6: a box without content or outside the CRS gives an empty map`(box: String) async throws {
        let pixels = try await SampleServer().pixels(Self.map("square", box, "&TRANSPARENT=TRUE"))
        #expect(pixels[0, 0] == .clear && pixels[20, 20] == .clear && pixels[39, 39] == .clear)
    }

    @Test func `clause 7_3_3_8: a picture has the requested size, stretched if the box has another shape`() async throws
    {
        let sample = try await SampleServer()
        let small = Self.map().replacing("WIDTH=40&HEIGHT=40", with: "WIDTH=8&HEIGHT=5")
        let pixels = try await sample.pixels(small)
        #expect(pixels.width == 8 && pixels.height == 5)
        // From -10 to 10 in eighty pixels across and twenty down: the square is in the middle half each way.
        let flat = try await sample.pixels(Self.map().replacing("WIDTH=40&HEIGHT=40", with: "WIDTH=80&HEIGHT=20"))
        for (x, y, color) in [
            (20, 5, Self.red), (59, 14, Self.red), (19, 10, Self.white), (60, 10, Self.white), (40, 4, Self.white),
            (40, 15, Self.white),
        ] { #expect(flat[x, y] == color, "\(x), \(y)") }
    }

    @Test func `clauses 7_3_3_9 and 10: opaque on white, unless transparency or a colour is requested`() async throws {
        let sample = try await SampleServer()
        #expect(try await sample.pixels(Self.map())[1, 1] == Self.white)
        #expect(try await sample.pixels(Self.map("square", "-10,-10,10,10", "&TRANSPARENT=false"))[1, 1] == Self.white)
        #expect(try await sample.pixels(Self.map("square", "-10,-10,10,10", "&TRANSPARENT=TRUE"))[1, 1] == .clear)
        let green = Pixel(MapColor(red: 0, green: 128, blue: 64))
        #expect(try await sample.pixels(Self.map("square", "-10,-10,10,10", "&BGCOLOR=0x008040"))[1, 1] == green)
        let jpeg = Self.map("square", "-10,-10,10,10", "&TRANSPARENT=TRUE").replacing("image/png", with: "image/jpeg")
        let response = await sample.get(jpeg)
        #expect(response[header: "Content-Type"] == "image/jpeg")
        #expect(try await sample.pixels(jpeg)[1, 1].isOpaque)
    }

    @Test func `clause 7_2_4_6_9: a layer out of its scales is left out without an exception`() async throws {
        // Half a degree a pixel is what is asked for.
        for (coarsest, color) in [(0.6, Self.red), (0.4, Self.white)] {
            let sample = try await SampleServer()
            var map = try sample.book.map("square")
            map.layers[0].maximumResolution = Resolution(unitsPerPixel: coarsest)
            sample.server.replace(MapBook([map]))
            #expect(try await sample.pixels(Self.map())[20, 20] == color)
        }
    }
}

extension Pixel {
    fileprivate var isOpaque: Bool { alpha == 255 }
}
