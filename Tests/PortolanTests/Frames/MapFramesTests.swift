import Foundation
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanTesting
import Synchronization
import TestHelpers
import Testing

@testable import Portolan

@Suite(.timeLimit(.minutes(20))) struct MapFramesTests {
    /// A clock on which a millisecond passes with each look, and waits take no time.
    private static func clock(millisecondsPerLook step: Int = 1) -> FrameClock {
        final class Time: Sendable { let milliseconds = Mutex(0) }
        let time = Time()
        @Sendable func passed(_ more: Int) -> Duration {
            .milliseconds(
                time.milliseconds.withLock {
                    $0 += more
                    return $0
                })
        }
        return FrameClock(
            now: { passed(step) },
            sleep: { wait in
                await Task.yield()
                _ = passed(Int(wait / .milliseconds(1)) + 1)
            })
    }

    private static func features() -> FeatureSource {
        var style = StyleDeclaration()
        style.strokeWidth = 3
        style.pointRadius = 4
        style.label = "${name}"
        let line: [Coordinate] = [(-30, -20), (10, 15), (40, 0)].map { Coordinate(x: $0.0, y: $0.1) }
        return FeatureSource(
            features: [
                Feature(id: "line", geometry: .lineString(line)),
                Feature(id: "a", geometry: .point(Coordinate(x: 4, y: 3)), properties: ["name": "Inn"]),
                Feature(id: "b", geometry: .point(Coordinate(x: -7, y: -2)), properties: ["name": "Ford"]),
            ], style: style)
    }

    private static func map(_ side: Int = 96, transport: StubTransport? = nil) throws -> MapFacade {
        let map = try MapFacadeTests.facade(side, side, transport: transport)
        map.options.showsScaleBar = true
        try map.add(World.tiles())
        try map.add(MapLayer(name: "features", source: features()))
        try map.center(on: Coordinate(x: 0, y: 0), zoom: 4)
        return map
    }

    @Test func `the last frame is final and equals a refreshed picture`() async throws {
        let map = try Self.map()
        var frames = map.frames(clock: Self.clock()).makeAsyncIterator()
        let first = try #require(await frames.next())
        #expect(first.number == 1 && first.damage == [MapFrame.Area(x: 0, y: 0, width: 96, height: 96)])
        // Parts of it may come before.
        var frame = first
        while !frame.isFinal { frame = try #require(await frames.next()) }
        #expect(frame.stage == .whole && frame.viewport == map.viewport)
        #expect(frame.image == (try await map.refresh()).image)
        #expect(frame.report?.complete == true && frame.error == nil)
    }

    @Test func `random moves end in frames that equal freshly rendered pictures`() async throws {
        let map = try Self.map(), plain = try World.renderer(World.transport())
        var generator = SeededGenerator(seed: 41), finals = 0, moves = 0, before: PixelBuffer?
        func move() throws {
            moves += 1
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: try map.zoom(by: .random(in: 0.5...2, using: &generator))
            case 1: try map.rotate(to: .random(in: -40...40, using: &generator))
            case 2: try map.center(on: Coordinate(x: .random(in: -40...40, using: &generator), y: 5), zoom: 4)
            case 3: _ = try map.selectFeature(id: Bool.random(using: &generator) ? "a" : "b")
            case 4:
                try map.moveMarker(id: "mine", to: Coordinate(x: .random(in: -9...9, using: &generator), y: 1))
            default:
                try map.pan(
                    x: .random(in: -20...20, using: &generator).rounded(),
                    y: .random(in: -20...20, using: &generator).rounded())
            }
        }
        map.addPOI(id: "mine", coordinate: Coordinate(x: 1, y: 1), name: "Mine")
        for await frame in map.frames(clock: Self.clock()) {
            let damaged = MapFramesTests.patched(before, frame)
            #expect(damaged == frame.image)
            before = frame.image
            if frame.isFinal {
                finals += 1
                let fresh = try await plain.render(
                    map.layers.map { layer in
                        guard var source = layer.features, let id = map.selectedFeature?.identifier else {
                            return layer
                        }
                        source.selection = source.features.contains { $0.isIdentified(by: id) } ? id : nil
                        return MapLayer(name: layer.name, source: source, attribution: layer.attribution)
                    }, in: map.viewport, options: map.options.steady)
                #expect(frame.image == fresh.image, "after \(moves) moves")
                if finals == 40 { break }
                try move()
                // A move may change nothing that is seen, and no frame would come.
                map.options.showsNorthArrow.toggle()
            } else if moves < 4000, Int.random(in: 0..<3, using: &generator) > 0 {
                try move()
            }
        }
        #expect(finals == 40 && moves >= 39)
    }

    /// The picture before with what the frame says that is damaged put in its place.
    private static func patched(_ before: PixelBuffer?, _ frame: MapFrame) -> PixelBuffer {
        guard let before, before.size == frame.image.size else { return frame.image }
        var pixels = before.pixels
        for area in frame.damage {
            for row in area.y..<(area.y + area.height) {
                for column in area.x..<(area.x + area.width) {
                    pixels[row * before.width + column] = frame.image.pixels[row * before.width + column]
                }
            }
        }
        return PixelBuffer(size: before.size, pixels: pixels) ?? before
    }

    @Test func `while tiles load, frames show the moved, the partial and the complete picture`()
        async throws
    {
        let held = MapFacadeConnectionTests.Held(), black = try World.png(.black), isHolding = Mutex(false)
        let transport = StubTransport { request throws(FetchError) in
            if request.url.contains("/5/"), !request.url.contains("/5/15/15"), isHolding.withLock(\.self) {
                _ = await held.wait(request.url)
            }
            return HTTPResponse(status: 200, body: black, url: request.url)
        }
        let map = try MapFacadeTests.facade(64, 64, transport: transport)
        try map.add(World.tiles())
        map.addPolygon(
            id: "east",
            rings: [[(0, -80), (90, -80), (90, 80), (0, 80), (0, -80)].map { Coordinate(x: $0.0, y: $0.1) }],
            style: Style(fill: FillSymbol(color: MapColor(red: 255, green: 0, blue: 0))))
        try map.center(on: Coordinate(x: 0, y: 0), zoom: 4)
        var frames = map.frames(clock: Self.clock()).makeAsyncIterator()
        while try #require(await frames.next()).isFinal == false {}
        isHolding.withLock { $0 = true }
        try map.zoom(by: 2)
        try map.pan(x: 8, y: 0)
        let moved = try #require(await frames.next())
        #expect(moved.stage == .moved && !moved.isFinal && moved.report == nil && moved.viewport == map.viewport)
        #expect(
            moved.image[10, 10] == Pixel(.black)
                && moved.image[60, 32] == Pixel(red: 255, green: 0, blue: 0, alpha: 255))
        #expect(moved.image[38, 32] == Pixel(.black) && moved.image[42, 32] != Pixel(.black))
        let partial = try #require(await frames.next())
        #expect(partial.stage == .partial && !partial.isFinal && partial.report?.complete == false)
        held.open()
        var last = partial
        while !last.isFinal { last = try #require(await frames.next()) }
        #expect(last.stage == .whole && last.report?.complete == true)
        #expect(last.image == (try await map.refresh()).image)
    }

    /// Runs tasks one after the other, and counts their parts.
    private final class OneThread: TaskExecutor {
        let count = Mutex(0)
        private let queue = DispatchQueue(label: "frames")
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            count.withLock { $0 += 1 }
            queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test func `without moved pictures the last one is repeated, and painting uses the given executor`()
        async throws
    {
        let held = MapFacadeConnectionTests.Held(), black = try World.png(.black), thread = OneThread()
        let transport = StubTransport { request throws(FetchError) in
            if request.url.contains("/5/") { _ = await held.wait(request.url) }
            return HTTPResponse(status: 200, body: black, url: request.url)
        }
        let map = try Self.map(transport: transport)
        var painting = FramePainting()
        (painting.executor, painting.movesPictures) = (thread, false)
        var frames = map.frames(perSecond: 60, clock: Self.clock(), painting: painting).makeAsyncIterator()
        var rest = try #require(await frames.next())
        while !rest.isFinal { rest = try #require(await frames.next()) }
        let painted = thread.count.withLock(\.self)
        #expect(painted > 0)
        try map.zoom(by: 2)
        let moved = try #require(await frames.next())
        #expect(moved.stage == .moved && moved.viewport == map.viewport)
        #expect(moved.image == rest.image && moved.damage.isEmpty && moved.painting == rest.painting)
        held.open()
        var last = moved
        while !last.isFinal { last = try #require(await frames.next()) }
        #expect(last.image == (try await map.refresh()).image && thread.count.withLock(\.self) > painted)
    }

    /// A layer that is one colour everywhere, and notes the resolutions it was planned for.
    private struct Everywhere: LayerSource {
        final class Seen: Sendable { let resolutions = Mutex<[Double]>([]) }
        let features: FeatureSource
        let seen = Seen()
        var kind: String { "everywhere" }

        static func == (left: Everywhere, right: Everywhere) -> Bool { left.features == right.features }

        func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
            seen.resolutions.withLock { $0.append(view.viewport.resolution.unitsPerPixel) }
            return try features.plan(for: view, given: arrivals)
        }
    }

    /// The frames shown so far.
    @MainActor private final class Screen {
        var frames: [MapFrame] = []
    }

    @MainActor
    @Test func `the wider picture painted at rest is shown around the moved one`() async throws {
        let held = MapFacadeConnectionTests.Held(), black = try World.png(.black)
        let transport = StubTransport { request throws(FetchError) in
            _ = await held.wait(request.url)
            return HTTPResponse(status: 200, body: black, url: request.url)
        }
        let map = try MapFacadeTests.facade(64, 64, transport: transport)
        let corners = [(-90, -80), (90, -80), (90, 80), (-90, 80), (-90, -80)].map { Coordinate(x: $0.0, y: $0.1) }
        var red = StyleDeclaration()
        red.fillColor = MapColor(red: 255, green: 0, blue: 0)
        red.fillOpacity = 1
        let source = Everywhere(
            features: FeatureSource(features: [Feature(geometry: .polygon([corners]))], style: red))
        try map.add(MapLayer(name: "red", source: source))
        try map.center(on: Coordinate(x: 0, y: 0), zoom: 4)
        let screen = Screen()
        let task = Task { @MainActor in
            for await frame in map.frames(clock: Self.clock()) { screen.frames.append(frame) }
        }
        let wide = map.viewport.resolution.unitsPerPixel * 2
        #expect(await eventually { source.seen.resolutions.withLock { $0.contains(wide) } })
        #expect(await eventually { @MainActor in screen.frames.last?.isFinal == true })
        // A layer that is waited for, and a move.
        try map.add(World.tiles())
        try map.pan(x: 20, y: 0)
        #expect(await eventually { @MainActor in screen.frames.last?.stage == .moved })
        let moved = try #require(screen.frames.last { $0.stage == .moved })
        #expect(moved.image[5, 32] == Pixel(red: 255, green: 0, blue: 0, alpha: 255))
        held.open()
        #expect(await eventually { @MainActor in screen.frames.last?.isFinal == true })
        #expect(screen.frames.last?.image[5, 32] == Pixel(.black))
        task.cancel()
        await task.value
    }

    @Test func `a flight advances by itself and ends in a final frame at its destination`() async throws {
        let map = try Self.map()
        try map.fly(to: Coordinate(x: 20, y: 10), zoom: 6, at: .zero)
        let clock = TestClock()
        var views: Set<Viewport> = []
        for await frame in map.frames(clock: FrameClock(now: { clock.now }, sleep: { await clock.sleep($0) })) {
            views.insert(frame.viewport)
            if frame.isFinal { break }
            clock.advance(by: .milliseconds(50))
        }
        #expect(views.count > 5)
        #expect(abs(map.viewport.resolution.zoom(in: .webMercator) - 6) < 1e-9)
        #expect(abs(map.viewport.center.x - 2_226_389.8158654715) < 1e-6)
    }

    @Test func `live objects move from frame to frame, and the last frame is final`() async throws {
        let map = try MapFacadeTests.facade(64, 64), start = Date(timeIntervalSince1970: 1_700_000_000)
        func tram(_ longitude: Double, _ seconds: Double) -> LiveLayer.Update {
            .upsert(
                LiveLayer.Object(
                    id: "tram",
                    fix: PositionFix(place: Coordinate(longitude: longitude, latitude: 60.2), time: start + seconds),
                    kind: "tram", label: "4"))
        }
        map.clockStart = start
        try map.center(on: Coordinate(longitude: 24.94, latitude: 60.2), zoom: 14)
        try map.add(LiveLayer(), named: "trams")
        try map.updateLive(named: "trams", [tram(24.94, 0)], at: .zero)
        try map.updateLive(named: "trams", [tram(24.9415, 10)], at: .seconds(10))
        let clock = TestClock()
        clock.advance(by: .seconds(10))
        var pictures: Set<PixelBuffer> = [], paintings: [Int: PixelBuffer] = [:]
        for await frame in map.frames(clock: FrameClock(now: { clock.now }, sleep: { await clock.sleep($0) })) {
            pictures.insert(frame.image)
            let same = paintings.updateValue(frame.image, forKey: frame.painting)
            #expect(same == nil || same == frame.image, "the view rests: what is new was painted")
            if frame.isFinal { break }
            clock.advance(by: .seconds(1))
        }
        #expect(pictures.count > 5)
        #expect(!map.isLiveMoving(at: clock.now))
    }

    @Test func `live objects are advanced once per frame`() async throws {
        let map = try MapFacadeTests.facade(64, 64), start = Date(timeIntervalSince1970: 1_700_000_000)
        func tram(_ longitude: Double, _ seconds: Double) -> LiveLayer.Update {
            let place = Coordinate(longitude: longitude, latitude: 60.2)
            return .upsert(
                LiveLayer.Object(id: "tram", fix: PositionFix(place: place, time: start + seconds), kind: "tram"))
        }
        map.clockStart = start
        try map.center(on: Coordinate(longitude: 24.94, latitude: 60.2), zoom: 14)
        try map.add(LiveLayer(), named: "trams")
        try map.updateLive(named: "trams", [tram(24.94, 0)], at: .zero)
        try map.updateLive(named: "trams", [tram(24.9415, 10)], at: .seconds(10))
        // A little time passes with each look.
        let clock = TestClock(), looks = Mutex(0)
        clock.advance(by: .seconds(10))
        let ticking = FrameClock(
            now: {
                clock.now
                    + .microseconds(
                        looks.withLock { count in
                            count += 1; return count
                        })
            },
            sleep: { await clock.sleep($0) })
        let task = Task { @MainActor in
            for await _ in map.frames(perSecond: 10, clock: ticking) { clock.advance(by: .milliseconds(100)) }
        }
        #expect(await eventually { clock.now > .seconds(11) })
        task.cancel()
        await task.value
        let count = looks.withLock(\.self)
        // Some looks a frame, of which there were ten.
        #expect(count < 400, "\(count) looks")
    }

    @Test func `a frame without data has the error, and frames continue`() async throws {
        let isOff = Mutex(false), black = try World.png(.black)
        let transport = StubTransport { request throws(FetchError) in
            if isOff.withLock(\.self) { throw FetchError(.connectionLost, url: request.url, detail: "gone") }
            return HTTPResponse(status: 200, body: black, url: request.url)
        }
        let map = try MapFacadeTests.facade(64, 64, transport: transport)
        try map.add(World.tiles())
        try map.center(on: Coordinate(x: 0, y: 0), zoom: 4)
        var frames = map.frames(clock: Self.clock()).makeAsyncIterator()
        while try #require(await frames.next()).isFinal == false {}
        isOff.withLock { $0 = true }
        // No existing tile is used as a fallback.
        try map.pan(x: -1024, y: 0)
        try map.pan(x: 0, y: -1024)
        var last = try #require(await frames.next())
        while last.stage != .whole { last = try #require(await frames.next()) }
        #expect(last.error?.code == .nothingDrawn && last.isFinal)
        #expect(last.image[32, 32] == Pixel(.white) && last.report?.failedCount ?? 0 > 0)
        try map.pan(x: 1024, y: 1024)
        while last.error != nil || last.stage != .whole { last = try #require(await frames.next()) }
        #expect(last.image[32, 32] == Pixel(.black))
    }

    @MainActor
    @Test(arguments: [.comma, .plus, .home] as [InputEvent.Key])
    func `a key moves a map that has been at rest for long`(key: InputEvent.Key) async throws {
        let map = try Self.map(), screen = Screen(), clock = Self.clock()
        let task = Task { @MainActor in
            for await frame in map.frames(clock: clock) { screen.frames.append(frame) }
        }
        #expect(await eventually { @MainActor in screen.frames.last?.isFinal == true })
        try map.center(on: Coordinate(x: 1, y: 0))
        #expect(await eventually { @MainActor in screen.frames.last?.viewport == map.viewport })
        // Waits until no task is running that would check by chance. While other tests run, each turn takes as long as
        // one of their steps.
        for _ in 0..<1000 { await Task.yield() }
        let rest = map.viewport
        map.handle(InputEvent(.key(key), at: clock.now()))
        #expect(await eventually { @MainActor in screen.frames.last?.viewport != rest })
        #expect(await eventually { @MainActor in screen.frames.last?.isFinal == true })
        task.cancel()
        await task.value
    }

    @MainActor
    @Test func `frames end with their task, and invisible changes produce none`() async throws {
        let map = try Self.map(), screen = Screen()
        let task = Task { @MainActor in
            for await frame in map.frames(clock: Self.clock()) { screen.frames.append(frame) }
        }
        #expect(await eventually { @MainActor in screen.frames.last?.isFinal == true })
        let count = screen.frames.count
        // Invisible changes produce no frame.
        map.addPOI(id: "far", coordinate: Coordinate(x: 170, y: 0), name: "Far")
        map.options.offScreenMargin = 1
        try map.pan(x: 1, y: 0)
        #expect(await eventually { @MainActor in screen.frames.last?.viewport == map.viewport })
        #expect(await eventually { @MainActor in screen.frames.last?.isFinal == true })
        #expect(screen.frames.count > count)
        task.cancel()
        await task.value
    }
}
