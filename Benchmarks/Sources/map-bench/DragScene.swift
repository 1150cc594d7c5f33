import Portolan

/// A drag with the mouse over an interactive map, event by event as a screen of 60 Hz has them: how long after an event the
/// first frame is there, and how long after it the whole picture.
struct DragScene {
    let name: String
    let layers: [MapLayer]
    let viewport: Viewport

    func time(_ clock: SceneClock) async throws {
        let map = try MapFacade(
            size: viewport.size, pixelRatio: viewport.pixelRatio, crs: viewport.crs, renderer: clock.renderer)
        for layer in layers { try map.add(layer) }
        map.options.attribution = .none
        try map.setExtent(viewport.extent)
        let time = FrameClock.system
        // Faster than the events come: a frame is never waited for.
        var frames = map.frames(at: 1000, clock: time).makeAsyncIterator()
        while await frames.next()?.isFinal == false {}
        var first: [Double] = [], whole: [Double] = [], moved = 0, place = Point(x: 512, y: 384)
        func move(_ phase: InputEvent.Phase) {
            map.handle(InputEvent(.pointer(phase, InputEvent.Pointer(place: place)), at: time.now()))
        }
        move(.down)
        let processor = SceneClock.processorMilliseconds
        for event in 0..<600 {
            let step = SceneClock.step(event)
            place = Point(x: place.x + step.x, y: place.y + step.y)
            let start = time.now()
            move(.move)
            guard let frame = await frames.next() else { break }
            first.append((time.now() - start) / .milliseconds(1))
            if frame.stage == .moved { moved += 1 }
            var last = frame
            while last.stage != .whole || last.viewport != map.viewport, let next = await frames.next() { last = next }
            whole.append((time.now() - start) / .milliseconds(1))
            await time.sleep(.milliseconds(16) - (time.now() - start))
        }
        let spent = (SceneClock.processorMilliseconds - processor) / 600
        SceneClock.report(
            "drag-\(name)",
            [
                ("first_ms", SceneClock.share(first, 50)), ("first_p99_ms", SceneClock.share(first, 99)),
                ("whole_ms", SceneClock.share(whole, 50)),
                ("whole_p99_ms", SceneClock.share(whole, 99)), ("moved", Double(moved)), ("cpu_ms", spent),
            ])
    }
}

/// A map that is dragged: by a few pixels each frame, to and fro.
struct PanScene {
    let name: String
    let layers: [MapLayer]
    let viewport: Viewport

    func time(_ clock: SceneClock) async throws {
        var viewport = viewport, times: [Double] = []
        _ = try await clock.render(layers, in: viewport)
        for frame in 0..<400 {
            // Ahead for a while, then aside, and back: new ground comes into view in about half of the frames.
            let step = SceneClock.step(frame)
            viewport = try viewport.panned(x: step.x, y: step.y)
            let view = viewport
            times.append(try await clock.milliseconds { _ = try await clock.render(layers, in: view) })
        }
        SceneClock.report(
            "pan-\(name)",
            [
                ("portolan_ms", SceneClock.share(times, 50)), ("p99_ms", SceneClock.share(times, 99)),
                ("worst_ms", SceneClock.share(times, 100)),
            ])
    }
}

extension SceneClock {
    /// By how much a drag of 60 Hz moves in its frame `number`, in pixels: round and round, so that old and new ground come into
    /// view.
    static func step(_ number: Int) -> (x: Double, y: Double) {
        [(9.0, 3.0), (-2.0, 8.0), (-9.0, -3.0), (2.0, -8.0)][number / 40 % 4]
    }

    /// The time within which `percent` of the frames were there, the first twenty left out.
    static func share(_ times: [Double], _ percent: Int) -> Double {
        let warm = times.dropFirst(20).sorted()
        return warm[min(warm.count * percent / 100, warm.count - 1)]
    }
}
