import Portolan

/// A mouse drag over an interactive map at 60 Hz: the delay from an event to the first frame and to the complete
/// picture.
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
        // Faster than the events, so that no frame has to wait.
        var frames = map.frames(perSecond: 1000, clock: time).makeAsyncIterator()
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

/// A map that is panned by a few pixels per frame, back and forth.
struct PanScene {
    let name: String
    let layers: [MapLayer]
    let viewport: Viewport

    func time(_ clock: SceneClock) async throws {
        var viewport = viewport, times: [Double] = []
        _ = try await clock.render(layers, in: viewport)
        for frame in 0..<400 {
            // Forward, then sideways, and back: new areas come into view in about half of the frames.
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
    /// Returns the movement in pixels of frame `number` of a drag at 60 Hz: in circles, so that old and new areas come
    /// into view.
    static func step(_ number: Int) -> (x: Double, y: Double) {
        [(9.0, 3.0), (-2.0, 8.0), (-9.0, -3.0), (2.0, -8.0)][number / 40 % 4]
    }

    /// Returns the time within which `percent` of the frames were complete, without the first twenty.
    static func share(_ times: [Double], _ percent: Int) -> Double {
        let warm = times.dropFirst(20).sorted()
        return warm[min(warm.count * percent / 100, warm.count - 1)]
    }
}
