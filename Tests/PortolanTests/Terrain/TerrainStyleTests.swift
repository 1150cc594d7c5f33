import Foundation
import Portolan
import PortolanCodecs
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanStyles
import PortolanTesting
import TestHelpers
import Testing

/// MapLibre styles with sources of the type `raster-dem`.
@Suite struct TerrainStyleTests {
    private static func transport(_ style: String) -> StubTransport {
        StubTransport { (request) throws(FetchError) in
            if request.url.hasSuffix("style.json") {
                return HTTPResponse(status: 200, body: Array(style.utf8), url: request.url)
            }
            if request.url.hasSuffix("dem.json") {
                let document = #"""
                    {"tilejson": "3.0.0", "tiles": ["https://dem.example/{z}/{x}/{y}.png"], "minzoom": 11, "maxzoom": 11,
                    "encoding": "terrarium", "attribution": "The survey"}
                    """#
                return HTTPResponse(status: 200, body: Array(document.utf8), url: request.url)
            }
            let path = request.url.replacing("https://dem.example/", with: "")
            guard let bytes = try? Fixture.bytes("relief/terrarium/\(path)") else {
                return HTTPResponse(status: 404, body: [], url: request.url)
            }
            return HTTPResponse(status: 200, body: bytes, url: request.url)
        }
    }

    private static func style(_ source: String, _ layers: String) -> String {
        #"{"version": 8, "sources": {"dem": {"type": "raster-dem", \#(source)}}, "layers": [\#(layers)]}"#
    }

    private static let tiles =
        #""tiles": ["https://dem.example/{z}/{x}/{y}.png"], "tileSize": 256, "minzoom": 11, "maxzoom": 11, "encoding": "terrarium""#
    private static let shade = #"{"id": "s", "type": "hillshade", "source": "dem"}"#

    private func drawn(
        _ style: String, rotation: Double = 0
    ) async throws -> (image: PixelBuffer, warnings: [MapWarning], layer: MapLayer, failures: [String]) {
        var configuration = World.configuration(fonts: false)
        configuration.retries = .none
        let transport = Self.transport(style)
        let builder = LayerBuilder(client: ServiceClient(configuration: configuration, transport: transport))
        let built = try #require(
            try await builder.build([LayerSpecification("style:https://styles.example/style.json")]).first)
        if let failure = built.failure { throw failure }
        let layer = try #require(built.layer)
        // Without fonts.
        var unsigned = layer
        unsigned.attribution = nil
        let toMercator = try CoordinateTransform(from: .crs84, to: .webMercator)
        let viewport = try Viewport(
            center: #require(toMercator(Coordinate(longitude: -84.24, latitude: 36.25))),
            resolution: #require(Resolution(zoom: 11, in: .webMercator)), rotation: rotation,
            size: #require(ImageSize(width: 200, height: 150)))
        let result = try await MapRenderer(configuration: configuration, transport: transport).render(
            [unsigned], in: viewport, options: RenderOptions())
        let failures = result.report.layers.flatMap(\.failed).map(\.error)
        return (result.image, built.warnings + result.report.warnings, layer, failures)
    }

    @Test func `hillshade layers are drawn, and are the darker the more exaggerated`() async throws {
        func brightness(_ exaggeration: Double) async throws -> Double {
            let paint =
                #""paint": {"hillshade-exaggeration": \#(exaggeration), "hillshade-highlight-color": "rgba(0,0,0,0)"}"#
            let (image, warnings, _, _) = try await drawn(
                Self.style(Self.tiles, Self.shade.dropLast() + ", " + paint + "}"))
            #expect(warnings.isEmpty, "\(warnings)")
            return image.pixels.reduce(0) { $0 + Double($1 & 0xFF) } / Double(image.pixels.count)
        }
        let none = try await brightness(0), light = try await brightness(0.2), strong = try await brightness(0.9)
        #expect(none == 255)
        #expect(light < 253 && strong < light - 20)
    }

    @Test(arguments: ["standard", "basic", "combined", "igor", "multidirectional"])
    func `each method shades slopes and leaves no seam`(_ method: String) async throws {
        let paint = #""paint": {"hillshade-method": "\#(method)", "hillshade-illumination-direction": [315, 45]}"#
        let (image, warnings, _, _) = try await drawn(
            Self.style(Self.tiles, Self.shade.dropLast() + ", " + paint + "}"))
        #expect(warnings.isEmpty, "\(warnings)")
        #expect(Set(image.pixels).count > 50)
    }

    @Test func `TileJSON states the encoding, the levels and the attribution`() async throws {
        let (image, warnings, layer, _) = try await drawn(
            Self.style(#""url": "https://dem.example/dem.json", "tileSize": 256"#, Self.shade))
        let (same, _, _, _) = try await drawn(Self.style(Self.tiles, Self.shade))
        #expect(warnings.isEmpty, "\(warnings)")
        #expect(layer.attribution == "The survey")
        #expect(image == same)
    }

    @Test func `light is anchored to the picture or to the map`() async throws {
        func shades(_ anchor: String, direction: Int, rotation: Double) async throws -> PixelBuffer {
            let paint =
                #""paint": {"hillshade-illumination-anchor": "\#(anchor)", "hillshade-illumination-direction": \#(direction)}"#
            return try await drawn(
                Self.style(Self.tiles, Self.shade.dropLast() + ", " + paint + "}"), rotation: rotation
            ).image
        }
        let turned = try await shades("viewport", direction: 335, rotation: 90)
        #expect(turned == (try await shades("map", direction: 65, rotation: 90)))
        #expect(turned != (try await shades("map", direction: 335, rotation: 90)))
    }

    @Test func `colour relief interpolates elevations with its opacity`() async throws {
        let layer = #"""
            {"id": "c", "type": "color-relief", "source": "dem", "paint": {"color-relief-opacity": 0.5, "color-relief-color":
            ["interpolate", ["linear"], ["elevation"], 200, "#000", 1100, "#f00"]}}
            """#
        let (image, warnings, _, _) = try await drawn(Self.style(Self.tiles, layer))
        #expect(warnings.isEmpty, "\(warnings)")
        // White below: half of it shows through, and red depends on the elevation.
        #expect(image.pixels.allSatisfy { (127...129).contains($0 >> 8 & 0xFF) && $0 & 0xFF > 128 })
        #expect(Set(image.pixels.map { $0 & 0xFF }).count > 30)
    }

    @Test func `custom factors decode the same tiles`() async throws {
        let custom = Self.tiles.replacing(
            #""encoding": "terrarium""#,
            with: #"""
                "encoding": "custom", "redFactor": 256, "greenFactor": 1, "blueFactor": 0.00390625, "baseShift": 32768
                """#)
        #expect(
            try await drawn(Self.style(custom, Self.shade)).image == drawn(Self.style(Self.tiles, Self.shade)).image)
    }

    @Test func `layers and sources that do not fit are reported`() async throws {
        let raster = #"{"id": "r", "type": "raster", "source": "dem"}"#
        let failures = try await drawn(Self.style(Self.tiles, raster + ", " + Self.shade)).failures
        #expect(failures.count == 1, "\(failures)")
        let nearest = Self.shade.dropLast() + #", "paint": {"resampling": "nearest", "hillshade-shadow": "red"}}"#
        let odd = try await drawn(Self.style(Self.tiles, String(nearest))).warnings
        #expect(Set(odd.compactMap(\.subject.member)) == ["resampling", "hillshade-shadow"], "\(odd)")
    }
}
