import Portolan
import PortolanFetch
import PortolanPaint
import PortolanRaster
import PortolanServices
import PortolanTesting
import PortolanWeb
import Synchronization
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapRendererTests {
    @Test func `a picture of four tiles has a complete report`() async throws {
        let transport = try World.transport(.black)
        let result = try await World.renderer(transport).render(
            [World.tiles()], in: World.view(), options: World.plain())
        #expect(result.image == PixelBuffer(size: result.image.size, filledWith: Pixel(.black)))
        #expect(
            Set(transport.requests.map(\.url))
                == Set(
                    [(7, 7), (8, 7), (7, 8), (8, 8)].map {
                        "http://t.example/4/\($0.0)/\($0.1).png"
                    }))
        let report = result.report
        #expect(report.complete && report.warnings.isEmpty)
        #expect(report.view.crs == "EPSG:3857" && report.view.size == [128, 128] && report.view.zoom == 4)
        #expect(report.view.rotation == 0 && report.view.pixelRatio == 1)
        let half = 64 * 40_075_016.68557849 / 4096
        #expect(zip(report.view.extent, [-half, -half, half, half]).allSatisfy { abs($0 - $1) < 1e-6 })
        let layer = try #require(report.layers.first)
        #expect(report.layers.count == 1 && layer.name == "tiles" && layer.kind == "xyz")
        #expect(layer.requested == 4 && layer.fetched == 4 && layer.cached == 0 && layer.stale == 0)
        #expect(layer.failed.isEmpty && layer.attribution == "© tiles")
        #expect(report.requestedCount == 4 && report.failedCount == 0)
        #expect(report.milliseconds.total >= report.milliseconds.fetch)
    }

    @Test func `a second picture of the same view sends no requests`() async throws {
        let transport = try World.transport()
        let renderer = World.renderer(transport)
        let first = try await renderer.render([World.tiles()], in: World.view())
        let second = try await renderer.render([World.tiles()], in: World.view())
        #expect(transport.requests.count == 4)
        #expect(second.image == first.image)
        #expect(second.report.layers[0].cached == 4 && second.report.layers[0].fetched == 0)
        renderer.removeCachedImages()
        _ = try await renderer.render([World.tiles()], in: World.view())
        #expect(transport.requests.count == 8)
    }

    struct Bad: Sendable {
        var response: HTTPResponse
        var words: [String]
    }

    static let truncated: [UInt8] = Array(((try? World.png(.black)) ?? []).dropLast(20))

    static let bad: [Bad] = [
        Bad(response: World.answer(200, World.exception, type: "image/png"), words: ["LayerNotDefined", "bäse"]),
        Bad(response: World.answer(500, World.exception, type: "text/xml"), words: ["500", "LayerNotDefined", "bäse"]),
        Bad(response: World.answer(404, "tile is gone"), words: ["404", "tile is gone"]),
        Bad(response: HTTPResponse(status: 404, url: ""), words: ["404"]),
        Bad(response: HTTPResponse(status: 200, body: truncated, url: ""), words: ["png truncated at byte"]),
        Bad(response: HTTPResponse(status: 202, url: ""), words: ["empty"]),
        Bad(response: HTTPResponse(status: 404, body: (try? World.png(.black)) ?? [], url: ""), words: ["404"]),
        Bad(response: World.answer(200, "BM for\0\0\0\0 us", type: "image/png"), words: ["BMP"]),
        Bad(response: HTTPResponse(status: 200, body: [0, 1, 2, 3, 255, 254], url: ""), words: ["neither an image"]),
    ]

    @Test(arguments: bad)
    func `a bad tile leaves a gap and a report entry`(_ bad: Bad) async throws {
        let transport = try World.transport(.black, except: ["/4/8/7": bad.response])
        let result = try await World.renderer(transport).render(
            [World.tiles()], in: World.view(), options: World.plain())
        for y in stride(from: 0, to: 128, by: 9) {
            for x in stride(from: 0, to: 128, by: 9) {
                #expect(result.image[x, y] == Pixel(x >= 64 && y < 64 ? .white : .black))
            }
        }
        let layer = result.report.layers[0]
        #expect(!result.report.complete && layer.requested == 4 && layer.fetched == 3 && layer.failed.count == 1)
        let failure = try #require(layer.failed.first)
        #expect(failure.resource.contains("4/8/7") && failure.resource.contains("http://t.example/4/8/7.png"))
        for word in bad.words { #expect(failure.error.contains(word), "\(failure.error)") }
    }

    @Test func `failed tiles are requested again`() async throws {
        let failing = Mutex(true)
        let body = try World.png(.black)
        let transport = StubTransport { request throws(FetchError) in
            let fails = request.url.contains("/8/7") && failing.withLock { $0 }
            return HTTPResponse(status: fails ? 503 : 200, body: fails ? [] : body, url: request.url)
        }
        let renderer = World.renderer(transport)
        #expect(try await !renderer.render([World.tiles()], in: World.view()).report.complete)
        failing.withLock { $0 = false }
        let second = try await renderer.render([World.tiles()], in: World.view())
        #expect(second.report.complete && second.report.layers[0].cached == 3 && second.report.layers[0].fetched == 1)
    }

    @Test func `secrets in a URL are not in the report`() async throws {
        let source = try TileSource(
            grid: #require(.webMercator()), address: .xyz(XYZTemplate("http://h/{z}/{x}/{y}?api_key=s3cret")))
        let transport = try World.transport(.black, except: ["/8/7": World.answer(404, "gone")])
        let report = try await World.renderer(transport).render(
            [MapLayer(name: "k", source: source)], in: World.view()
        ).report
        #expect(report.failedCount == 1)
        #expect(!"\(report)".contains("s3cret"))
    }

    @Test func `if everything fails there is an error with a report`() async throws {
        let transport = StubTransport { request throws(FetchError) in
            throw FetchError(.cannotConnect, url: request.url, detail: "refused")
        }
        let error = await #expect(throws: MapError.self) {
            try await World.renderer(transport).render([World.tiles()], in: World.view())
        }
        #expect(error?.code == .nothingDrawn)
        #expect(error?.message.contains("refused") == true && error?.message.contains("tiles") == true)
        #expect(error?.report?.failedCount == 4)
    }

    @Test func `features are drawn even if all tiles are missing`() async throws {
        let transport = StubTransport(bodies: [:])
        let point = Feature(id: "p", geometry: .point(Coordinate(x: 0, y: 0)))
        let result = try await World.renderer(transport).render(
            [World.tiles(), MapLayer(name: "f", source: FeatureSource(features: [point]))],
            in: World.view(), options: World.plain())
        #expect(result.image[64, 64] != Pixel(.white))
        #expect(!result.report.complete && result.report.failedCount == 4)
        #expect(result.report.layers.map(\.kind) == ["xyz", "features"])
    }

    @Test(arguments: [(0.0, false), (0.24, false), (0.25, true), (1, true), (.nan, true)])
    func `a render fails if more is missing than allowed`(maximum: Double, isDrawn: Bool) async throws {
        let transport = try World.transport(.black, except: ["/8/7": World.answer(404, "gone")])
        var options = World.plain()
        options.maximumMissing = maximum
        let renderer = World.renderer(transport)
        if isDrawn {
            _ = try await renderer.render([World.tiles()], in: World.view(), options: options)
        } else {
            let error = await #expect(throws: MapError.self) {
                try await renderer.render([World.tiles()], in: World.view(), options: options)
            }
            #expect(error?.code == .incomplete && error?.message.contains("1 of 4") == true)
            #expect(error?.message.contains("gone") == true)
        }
    }

    static func strange() throws -> MapLayer {
        let request = try GetMapRequest(
            version: .v1_3_0, baseURL: "http://w/", layers: ["a"], crs: CRS("EPSG:27200"),
            extent: #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1)), width: 1, height: 1)
        return MapLayer(name: "strange", source: WMSSource(request: request))
    }

    @Test func `a layer that cannot be planned counts as missing`() async throws {
        let renderer = try World.renderer(World.transport())
        let result = try await renderer.render([Self.strange(), World.tiles()], in: World.view())
        #expect(!result.report.complete)
        let lost = try #require(result.report.layers.first { $0.name == "strange" })
        #expect(lost.failed.count == 1 && lost.failed.first?.error.contains("EPSG:27200") == true)
        var strict = RenderOptions()
        strict.maximumMissing = 0
        let incomplete = await #expect(throws: MapError.self) {
            try await renderer.render([Self.strange(), World.tiles()], in: World.view(), options: strict)
        }
        #expect(incomplete?.code == .incomplete && incomplete?.message.contains("EPSG:27200") == true)
        let nothing = await #expect(throws: MapError.self) {
            try await renderer.render([Self.strange()], in: World.view())
        }
        #expect(nothing?.code == .nothingDrawn)
    }

    @Test func `without layers only the background is drawn`() async throws {
        var options = RenderOptions()
        options.background = MapColor(red: 1, green: 2, blue: 3)
        let result = try await World.renderer(World.transport()).render([], in: World.view(), options: options)
        #expect(result.image == PixelBuffer(size: result.image.size, filledWith: Pixel(options.background)))
        #expect(result.report.complete && result.report.layers.isEmpty)
    }

    @Test func `progress counts visible tiles one by one`() async throws {
        var options = World.plain()
        options.offScreenMargin = 300
        let transport = try World.transport(.black, except: ["/4/8/7": World.answer(404, "gone")])
        let heard = Mutex<[MapRenderer.Progress]>([])
        _ = try await World.renderer(transport).render([World.tiles()], in: World.view(), options: options) {
            progress in
            heard.withLock { $0.append(progress) }
        }
        #expect(transport.requests.count == 16)
        let steps = heard.withLock { $0 }
        #expect(steps.map(\.done) == [1, 2, 3, 4])
        #expect(steps.allSatisfy { $0.total == 4 })
    }

    @Test func `tiles of the margin are used for the next view`() async throws {
        let transport = try World.transport()
        let renderer = World.renderer(transport)
        var options = World.plain()
        options.offScreenMargin = 300
        let report = try await renderer.render([World.tiles()], in: World.view(), options: options).report
        #expect(report.layers[0].requested == 4)
        let before = transport.requests.count
        _ = try await renderer.render([World.tiles()], in: World.view().panned(x: 200, y: 0), options: World.plain())
        #expect(transport.requests.count == before)
    }

    @Test func `a failed tile of the margin does not count as missing`() async throws {
        var options = World.plain()
        options.offScreenMargin = 300
        options.maximumMissing = 0
        let transport = try World.transport(.black, except: ["/4/6/": World.answer(404, "gone")])
        let report = try await World.renderer(transport).render([World.tiles()], in: World.view(), options: options)
            .report
        #expect(report.complete)
    }

    @Test func `a cancelled render has its own error code`() async throws {
        let transport = StubTransport { request throws(FetchError) in
            do { try await Task.sleep(for: .seconds(60)) } catch {
                throw FetchError(.cancelled, url: request.url, detail: "")
            }
            return HTTPResponse(status: 200, url: request.url)
        }
        let renderer = World.renderer(transport), layer = try World.tiles(), view = try World.view()
        let task = Task { try await renderer.render([layer], in: view) }
        #expect(await eventually { !transport.requests.isEmpty })
        task.cancel()
        let error = await #expect(throws: MapError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `header fields are sent only to their host`() async throws {
        var configuration = World.configuration()
        configuration.headers = [
            .init(host: "A.example", header: HTTPHeader(name: "Authorization", value: "secret")),
            .init(header: HTTPHeader(name: "X-All", value: "yes")),
        ]
        let transport = try World.transport()
        let renderer = MapRenderer(configuration: configuration, transport: transport)
        _ = try await renderer.render(
            [World.tiles("a", host: "a.example"), World.tiles("b", host: "b.example")], in: World.view())
        #expect(transport.requests.count == 8)
        for request in transport.requests {
            let isA = request.url.hasPrefix("http://a.example/")
            #expect(request.header("Authorization") == (isA ? "secret" : nil))
            #expect(request.header("X-All") == "yes")
        }
    }

    @Test func `icons can be data URLs, and a missing one is reported`() async throws {
        let icon = try World.png(MapColor(red: 255, green: 0, blue: 0), 8, 8)
        let data = "data:image/png;base64," + Base64Text.encode(icon)
        func poi(_ id: String, _ x: Double, _ address: String) -> Feature {
            Feature(
                id: .string(id), geometry: .point(Coordinate(longitude: x, latitude: 0)),
                properties: ["style": ["default": ["externalGraphic": .string(address)]]])
        }
        let source = FeatureSource(features: [poi("here", 0, data), poi("gone", 1, "http://h/gone.png")])
        let result = try await World.renderer(StubTransport(bodies: [:])).render(
            [MapLayer(name: "f", source: source)], in: World.view(), options: World.plain())
        #expect(result.image[64, 64] == Pixel(MapColor(red: 255, green: 0, blue: 0)))
        #expect(result.report.layers[0].requested == 2 && result.report.layers[0].fetched == 1)
        #expect(result.report.layers[0].failed.first?.resource == "icon http://h/gone.png")
    }

    #if Text
    @Test func `text without a font is an error`() async throws {
        let renderer = MapRenderer(configuration: World.configuration(fonts: false), transport: try World.transport())
        let error = await #expect(throws: MapError.self) {
            try await renderer.render([World.tiles()], in: World.view())
        }
        #expect(error?.code == .noFont && error?.report?.requestedCount == 4)
        _ = try await renderer.render([World.tiles()], in: World.view(), options: World.plain())
    }

    @Test func `the attribution is that of the layers, none, or a given text`() async throws {
        let renderer = try World.renderer(World.transport())
        var options = World.plain()
        let layers = [try World.tiles("a"), try World.tiles("b")]
        let none = try await renderer.render(layers, in: World.view(), options: options).image
        options.attribution = .automatic
        let both = try await renderer.render(layers, in: World.view(), options: options).image
        options.attribution = .text("© a · © b")
        let text = try await renderer.render(layers, in: World.view(), options: options).image
        #expect(both == text && both != none)
    }

    @Test(
        arguments: [
            ("© a, © b", nil), ("Data: © b and\n© a", nil), ("© a", "© b"), ("© ab, © b", "© a"),
            ("Own survey", "© a · © b"),
        ] as [(String, String?)])
    func `attributions that the source line contains are not repeated`(_ source: String, _ left: String?) async throws {
        let renderer = try World.renderer(World.transport()), view = try World.view(width: 400, height: 200)
        let layers = [try World.tiles("a"), try World.tiles("b")]
        var options = World.plain()
        options.page = PrintPage(source: source)
        options.attribution = left.map { .text($0) } ?? .none
        let expected = try await renderer.render(layers, in: view, options: options).image
        options.attribution = .automatic
        #expect(try await renderer.render(layers, in: view, options: options).image == expected)
    }

    @Test(
        arguments: [
            ("© Open Maps", "© Open Maps, licence 1"),
            ("Own survey; © Open Maps, 2026", "Own survey; © Open Maps, licence 1, 2026"),
            ("© Open Mapsters", nil), ("Open Maps", nil),
        ] as [(String, String?)])
    func `a source line that states the beginning of an attribution gets the rest`(
        _ source: String, _ whole: String?
    ) async throws {
        let renderer = try World.renderer(World.transport()), view = try World.view(width: 500, height: 200)
        let layers = [try World.tiles("Open Maps, licence 1")]
        var options = World.plain()
        options.page = PrintPage(source: whole ?? source)
        options.attribution = whole == nil ? .text("© Open Maps, licence 1") : .none
        let expected = try await renderer.render(layers, in: view, options: options).pageImage
        options.page = PrintPage(source: source)
        options.attribution = .automatic
        #expect(try await renderer.render(layers, in: view, options: options).pageImage == expected)
    }

    @Test func `a source line that is cut replaces no attribution`() async throws {
        let renderer = try World.renderer(World.transport()), layers = [try World.tiles("a")]
        var options = World.plain()
        options.page = PrintPage(source: String(repeating: "survey ", count: 40) + "© a")
        options.attribution = .text("© a")
        let expected = try await renderer.render(layers, in: World.view(), options: options).image
        options.attribution = .automatic
        #expect(try await renderer.render(layers, in: World.view(), options: options).image == expected)
    }
    #endif

    @Test func `layers with the same tiles share the requests`() async throws {
        let transport = try World.transport()
        let report = try await World.renderer(transport).render(
            [World.tiles("a"), World.tiles("b")], in: World.view()
        ).report
        #expect(transport.requests.count == 4)
        #expect(report.layers.map(\.requested) == [4, 4])
    }
}

/// Base64 as RFC 4648 section 4 has it.
enum Base64Text {
    static func encode(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for place in 0..<4 { text.append(place <= part.count ? digits[bits >> (18 - 6 * place) & 63] : "=") }
        }
        return text
    }
}
