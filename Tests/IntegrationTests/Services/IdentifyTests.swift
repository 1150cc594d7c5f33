import Portolan
import PortolanFetch
import PortolanServices
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// The features that real servers report at a position, and the legends that they draw.
@Suite(.onMapServers, .timeLimit(.minutes(20))) struct IdentifyTests {
    /// A server, a version of WMS, and a system.
    struct Case: Sendable, CustomTestStringConvertible {
        let isMapServer: Bool
        let version: WMSCapabilities.Version
        let crs: String
        var testDescription: String { "\(isMapServer ? "MapServer" : "MapProxy") \(version) \(crs)" }
    }

    private static let cases = [true, false].flatMap { isMapServer in
        WMSCapabilities.Version.allCases.flatMap { version in
            ["EPSG:3857", "EPSG:4326", "EPSG:25830"].map {
                Case(isMapServer: isMapServer, version: version, crs: $0)
            }
        }
    }

    private static let zaragoza = Coordinate(longitude: -0.87734, latitude: 41.65606)

    private static func renderer() -> MapRenderer { MapRenderer(transport: MapServers.transport) }

    private static func service(_ isMapServer: Bool) throws -> String {
        let servers = try MapServers.running()
        return isMapServer ? servers.mapServer : servers.mapProxyService
    }

    private static func layer(
        _ renderer: MapRenderer, _ layers: [String], isMapServer: Bool, version: WMSCapabilities.Version = .v1_3_0,
        crs: String? = nil, mapCRS: CRS = .webMercator
    ) async throws -> MapLayer {
        let options = WMSOptions(layers: layers, version: version, crsName: crs)
        return try await renderer.services.wmsLayer(
            named: "w", url: service(isMapServer), options: options, mapCRS: mapCRS
        ).layer
    }

    /// A view on whose pixel (70.5, 41.5) Zaragoza is; 0.005° or about 500 m a pixel.
    private static func view(_ crs: CRS, rotation: Double = 0, ratio: Double = 1) throws -> (Viewport, Point) {
        let place = try #require(try CoordinateTransform(from: .crs84, to: crs)(zaragoza))
        let unit = crs.isGeographic ? 0.005 : 500
        let size = try #require(ImageSize(width: 180, height: 120))
        let resolution = try #require(Resolution(unitsPerPixel: unit))
        let centered = try Viewport(
            center: place, resolution: resolution, rotation: rotation, size: size, pixelRatio: ratio, crs: crs)
        let pixel = Point(x: 70.5, y: 41.5)
        return (try centered.panned(x: pixel.x - 90, y: pixel.y - 60), pixel)
    }

    private static func names(_ found: [LayerIdentification]) -> [String?] {
        found.flatMap(\.features).map { $0.feature.properties["NAME"]?.stringValue }
    }

    @Test(arguments: cases)
    func `identify returns the features drawn at the pixel`(_ one: Case) async throws {
        let renderer = Self.renderer(), crs = try CRS(one.crs)
        let layer = try await Self.layer(
            renderer, ["cities"], isMapServer: one.isMapServer, version: one.version, crs: one.crs, mapCRS: crs)
        let (view, pixel) = try Self.view(crs)
        let found = await renderer.identify([layer], in: view, pixel: pixel)
        #expect(Self.names(found).contains("Zaragoza"), "\(found)")
        for identified in found.flatMap(\.features) {
            // Version 1.0.0 has no JSON, and this server's GML no shapes.
            guard let place = identified.feature.geometry?.coordinates.first else { continue }
            #expect(abs(place.x - Self.zaragoza.x) < 0.2)
            #expect(abs(place.y - Self.zaragoza.y) < 0.2)
        }
        // Open sea, and a fifth of the picture beside the city: an answer, and nothing in it.
        let away = await renderer.identify([layer], in: view, pixel: Point(x: 30, y: 90))
        #expect(away.map(\.outcome) == [.answer(.features([]))], "\(away)")
    }

    /// The rotated view asks of a small picture, the dense one of a larger one; in a map of another system the picture
    /// is warped.
    @Test(arguments: [(30.0, 1.0), (90, 2), (0, 2), (0, 1.5)])
    func `identify finds the same position in rotated and high-density views`(
        rotation: Double, ratio: Double
    ) async throws {
        let renderer = Self.renderer()
        let layer = try await Self.layer(renderer, ["cities"], isMapServer: true)
        for crs in [CRS.webMercator, try CRS("EPSG:25830"), .epsg4326] {
            let (view, pixel) = try Self.view(crs, rotation: rotation, ratio: ratio)
            #expect(Self.names(await renderer.identify([layer], in: view, pixel: pixel)).contains("Zaragoza"), "\(crs)")
        }
    }

    @Test(arguments: [true, false], ["text", "html", "gml", "json"])
    func `identify reads every response format`(isMapServer: Bool, format: String) async throws {
        let renderer = Self.renderer()
        let layer = try await Self.layer(renderer, ["cities"], isMapServer: isMapServer)
        var options = IdentifyOptions()
        options.infoFormat = format
        let (view, pixel) = try Self.view(.webMercator)
        let found = await renderer.identify([layer], in: view, pixel: pixel, options: options)
        switch found.first?.outcome {
        case .answer(.features): #expect(Self.names(found).contains("Zaragoza"))
        case .answer(.text(let text)): #expect(format == "text" && text.contains("NAME = 'Zaragoza'"))
        case .answer(.html(let text, let source)):
            #expect(format == "html")
            #expect(text.contains("Zaragoza"))
            #expect(source.contains("<p>Zaragoza</p>"))
        case .failure(let error):
            #expect(!isMapServer && format == "gml" && error.code == .notOffered, "\(error)")
        default: Issue.record("\(found)")
        }
    }

    @Test func `layers that cannot be queried are left out of the identify request`() async throws {
        let renderer = Self.renderer()
        let layer = try await Self.layer(renderer, ["relief", "countries", "cities"], isMapServer: true)
        let (view, pixel) = try Self.view(.webMercator)
        let found = await renderer.identify([layer], in: view, pixel: pixel)
        #expect(Set(Self.names(found)).isSuperset(of: ["Spain", "Zaragoza"]))
        #expect(Set(found.flatMap(\.features).compactMap(\.layer)).contains("cities"))
    }

    @Test func `WMS-C tiles can be identified`() async throws {
        let renderer = Self.renderer()
        let layer = try await renderer.services.wmscLayer(
            named: "t", url: Self.service(false), options: .init(layers: ["political"])
        ).layer
        let (view, pixel) = try Self.view(.webMercator)
        let found = await renderer.identify([layer], in: view, pixel: pixel)
        guard case .answer(let answer)? = found.first?.outcome else {
            Issue.record("\(found)")
            return
        }
        #expect(!answer.isEmpty)
        #expect("\(answer)".contains("Spain"))
    }

    @Test(arguments: WMTSOptions.Encoding.allCases, ["EPSG:3857", "EPSG:4326"])
    func `WMTS tiles can be identified by parameters and by path`(
        encoding: WMTSOptions.Encoding, crs: String
    ) async throws {
        let renderer = Self.renderer(), crs = try CRS(crs)
        let path = encoding == .path ? "wmts/1.0.0/WMTSCapabilities.xml" : "service?"
        let layer = try await renderer.services.wmtsLayer(
            named: "t", url: MapServers.running().mapProxy + path,
            options: WMTSOptions(layer: "political", encoding: encoding), mapCRS: crs
        ).layer
        let (view, pixel) = try Self.view(crs)
        let found = await renderer.identify([layer], in: view, pixel: pixel)
        guard case .answer(let answer)? = found.first?.outcome else {
            Issue.record("\(found)")
            return
        }
        #expect(!answer.isEmpty && "\(answer)".contains("Spain"), "\(answer)")
        let relief = try await renderer.services.wmtsLayer(
            named: "r", url: MapServers.running().mapProxy + path,
            options: WMTSOptions(layer: "relief", encoding: encoding), mapCRS: crs
        ).layer
        #expect(await renderer.identify([relief], in: view, pixel: pixel).map(\.outcome) == [.notQueryable])
    }

    @Test(arguments: [true, false], [WMSCapabilities.Version.v1_0_0, .v1_1_1, .v1_3_0])
    func `legend images are fetched from their planned URLs`(
        isMapServer: Bool, version: WMSCapabilities.Version
    ) async throws {
        let renderer = Self.renderer()
        let layer = try await Self.layer(renderer, ["cities"], isMapServer: isMapServer, version: version)
        let legend = try #require(layer.legends.first)
        #expect(legend.title.hasPrefix("Cities"))
        guard let url = legend.url else {
            // Version 1.0.0 knows no legends.
            #expect(version == .v1_0_0)
            return
        }
        let image = try await PixelBuffer(at: url.text)
        #expect(image.width > 20)
        #expect(image.height > 20)
        var options = RenderOptions()
        options.showsLegend = true
        let (view, _) = try Self.view(.webMercator)
        let result = try await renderer.render([layer], in: view, options: options)
        // Whether the small picture has room for it is another matter.
        #expect(result.report.failedCount == 0 && result.report.layers[0].requested == 2)
    }

    /// Pitfall 7.
    @Test(arguments: [true, false], [WMSCapabilities.Version.v1_1_1, .v1_3_0])
    func `servers accept GetLegendGraphic in both versions`(
        isMapServer: Bool, version: WMSCapabilities.Version
    ) async throws {
        var request = GetLegendGraphicRequest(
            version: version, baseURL: .user(try Self.service(isMapServer)), layer: "cities")
        #expect(try await PixelBuffer(at: request.url).width > 20)
        request.layer = "nope"
        let response = try await MapServers.transport.send(HTTPRequest(to: request.url))
        #expect(ServiceExceptionReader.read(response.body)?.code == .layerNotDefined)
    }
}
