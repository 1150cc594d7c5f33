import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanTesting
import Synchronization
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct RetainedPictureTests {
    /// Features that note for which views they were planned.
    private struct Noted: LayerSource {
        final class Views: Sendable {
            private let sizes = Mutex<[[Int]]>([])
            func note(_ viewport: Viewport) {
                sizes.withLock { $0.append([viewport.size.width, viewport.size.height]) }
            }
            /// The sizes of the views since the last look.
            func take() -> [[Int]] {
                sizes.withLock { sizes in
                    defer { sizes = [] }
                    return sizes
                }
            }
        }

        var features: FeatureSource
        let views = Views()
        var kind: String { "noted" }
        var bounds: LayerBounds? { nil }

        static func == (left: Noted, right: Noted) -> Bool { left.features == right.features }

        func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
            views.note(view.viewport)
            return try features.plan(for: view, given: arrivals)
        }
    }

    private static func features() -> FeatureSource {
        var generator = SeededGenerator(seed: 17)
        func place() -> Coordinate {
            Coordinate(
                longitude: .random(in: -9...9, using: &generator), latitude: .random(in: -9...9, using: &generator))
        }
        var style = StyleDeclaration()
        style.strokeWidth = 3
        style.fillOpacity = 0.5
        style.pointRadius = 5
        var features: [Feature] = []
        for number in 0..<40 {
            let corners = (0..<4).map { _ in place() }
            let geometry: Geometry =
                switch number % 3 {
                case 0: .point(corners[0])
                case 1: .lineString(corners)
                default: .polygon([corners + [corners[0]]])
                }
            features.append(Feature(id: .integer(number), geometry: geometry))
        }
        return FeatureSource(features: features, style: style)
    }

    private static func renderer(retains: Bool, _ transport: StubTransport) -> MapRenderer {
        var configuration = World.configuration()
        configuration.retainsPictures = retains
        return MapRenderer(configuration: configuration, transport: transport)
    }

    private static func view(rotation: Double = 0, pixelRatio: Double = 1) throws -> Viewport {
        let view = try World.view()
        return try Viewport(
            center: view.center, resolution: view.resolution, rotation: rotation, size: view.size,
            pixelRatio: pixelRatio)
    }

    /// The largest difference of a channel.
    private static func difference(_ a: PixelBuffer, _ b: PixelBuffer) -> Int {
        var largest = 0
        for y in 0..<a.height {
            for x in 0..<a.width where a[x, y] != b[x, y] {
                let p = a[x, y], q = b[x, y]
                for (one, other) in [(p.red, q.red), (p.green, q.green), (p.blue, q.blue)] {
                    largest = max(largest, abs(Int(one) - Int(other)))
                }
            }
        }
        return largest
    }

    @Test(arguments: [(0.0, 1.0), (0, 2), (30, 1)])
    func `panning paints only the new strips and gives the same picture`(
        rotation: Double, pixelRatio: Double
    ) async throws {
        let source = Noted(features: Self.features()), transport = try World.transport()
        let layers = [try World.tiles(), MapLayer(name: "f", source: source)]
        let keeping = Self.renderer(retains: true, transport), plain = Self.renderer(retains: false, transport)
        var viewport = try Self.view(rotation: rotation, pixelRatio: pixelRatio)
        _ = try await keeping.render(layers, in: viewport, options: World.plain())
        #expect(source.views.take() == [[128, 128]])
        for (x, y) in [(7.0, 0.0), (0, -5), (3, 4), (-12, 9), (0, 0), (-1, -1), (127, 0)] {
            viewport = try viewport.panned(x: x, y: y)
            let kept = try await keeping.render(layers, in: viewport, options: World.plain()).image
            let strips = [[Int(abs(x)), 128], [128 - Int(abs(x)), Int(abs(y))]].filter { !$0.contains(0) }
            #expect(source.views.take() == [[128, 128]] + strips, "\(x) \(y)")
            let whole = try await plain.render(layers, in: viewport, options: World.plain()).image
            _ = source.views.take()
            // A shape that reaches out of the view is simplified for the view, by less than a fifth of a pixel.
            #expect(Self.difference(kept, whole) <= 51, "\(x) \(y)")
        }
    }

    @Test func `panned tiles and shapes equal a full render pixel for pixel`() async throws {
        let points = Self.features().features.filter { if case .point? = $0.geometry?.kind { true } else { false } }
        let transport = try World.transport(except: ["/4/7/8": World.answer(404, "gone")])
        let layers = [try World.tiles(), MapLayer(name: "f", source: FeatureSource(features: points))]
        let keeping = Self.renderer(retains: true, transport), plain = Self.renderer(retains: false, transport)
        var viewport = try Self.view()
        for (x, y) in [(0.0, 0.0), (7, 0), (0, -5), (3, 4), (-12, 9), (-1, -1), (100, 0)] {
            viewport = try viewport.panned(x: x, y: y)
            let kept = try await keeping.render(layers, in: viewport, options: World.plain()).image
            #expect(kept == (try await plain.render(layers, in: viewport, options: World.plain()).image), "\(x) \(y)")
        }
    }

    private struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (inout FeatureSource, inout Viewport, inout Double) throws -> Void
    }

    private static let changes: [Change] = [
        Change(testDescription: "half a pixel") { _, view, _ in view = try view.panned(x: 0.5, y: 0) },
        Change(testDescription: "a jump") { _, view, _ in view = try view.panned(x: 400, y: 0) },
        Change(testDescription: "zoom") { _, view, _ in view = try view.zoomed(by: 2) },
        Change(testDescription: "a feature") { source, _, _ in
            source.update(2) { $0.geometry = .point(Coordinate(x: 0, y: 0)) }
        },
        Change(testDescription: "a feature more") { source, _, _ in
            source.append(Feature(geometry: .point(Coordinate(x: 0, y: 0))))
        },
        Change(testDescription: "a feature less") { source, _, _ in source.removeAll { $0.id == 2 } },
        Change(testDescription: "the style") { source, _, _ in source.style.strokeWidth = 1 },
        Change(testDescription: "the selection") { source, _, _ in source.selection = .integer(2) },
        Change(testDescription: "the opacity") { _, _, opacity in opacity = 0.5 },
    ]

    @Test(arguments: changes) private func `a changed layer or view is repainted whole`(change: Change) async throws {
        let transport = try World.transport()
        let keeping = Self.renderer(retains: true, transport), plain = Self.renderer(retains: false, transport)
        var source = Self.features(), viewport = try Self.view(), opacity = 1.0
        func layers() -> [MapLayer] { [MapLayer(name: "f", source: source, opacity: opacity)] }
        _ = try await keeping.render(layers(), in: viewport, options: World.plain())
        try change.apply(&source, &viewport, &opacity)
        let kept = try await keeping.render(layers(), in: viewport, options: World.plain()).image
        #expect(kept == (try await plain.render(layers(), in: viewport, options: World.plain()).image))
    }

    @Test func `a late tile appears in the retained picture`() async throws {
        let lost = World.answer(404, "gone"), isThere = Mutex(false), body = try World.png(.black)
        let transport = StubTransport { request throws(FetchError) in
            request.url.hasSuffix("/4/8/8.png") && !isThere.withLock(\.self)
                ? lost : HTTPResponse(status: 200, body: body, url: request.url)
        }
        let keeping = Self.renderer(retains: true, transport)
        let first = try await keeping.render([World.tiles()], in: World.view(), options: World.plain()).image
        isThere.withLock { $0 = true }
        let view = try World.view().panned(x: 1, y: 0)
        let second = try await keeping.render([World.tiles()], in: view, options: World.plain()).image
        #expect(first[100, 100] != Pixel(.black) && second[100, 100] == Pixel(.black))
    }

    @Test func `small shift errors do not accumulate`() async throws {
        let source = Noted(features: Self.features()), transport = try World.transport()
        let keeping = Self.renderer(retains: true, transport)
        var viewport = try Self.view()
        var painted = 0
        for _ in 0..<50 {
            _ = try await keeping.render(
                [MapLayer(name: "f", source: source)], in: viewport, options: World.plain())
            viewport = try viewport.panned(x: 1.00004, y: 0)
            // A whole view, and a strip where only a part was painted.
            if source.views.take().count == 1 { painted += 1 }
        }
        #expect(painted > 10 && painted < 40)
    }
}
