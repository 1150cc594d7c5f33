import Portolan
import PortolanCity
import PortolanCodecs
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

extension ViewerSession {
    /// The time between two messages with moving objects.
    private static let pace = Duration.milliseconds(900)
    /// The side length of a badge picture in view pixels.
    private static let badgeSide = 72

    /// Responds as soon as moving objects in or near the view are new, gone, or move otherwise than announced.
    ///
    /// - Parameter seen: the number of the last message that the page has received, or 0.
    func moving(after seen: Int, within wait: Duration) async -> ServerResponse {
        let end = clock.now() + wait
        while !isClosed {
            if let news = news(since: seen) { return ServerResponse(json: news) }
            guard clock.now() < end, !Task.isCancelled else { return ServerResponse(status: 204) }
            await clock.sleep(.milliseconds(200))
        }
        return Problem(.notFound, "the viewer was closed").response
    }

    private func news(since seen: Int) -> PropertyValue? {
        let now = clock.now(), view = facade.viewport, selected = facade.selectedObject?.id
        let isSame = marked.map { $0.view == view && $0.selected == selected && $0.filters == transit.filters } ?? false
        if seen > 0, isSame, let marked, now - marked.time < Self.pace { return nil }
        guard drawn.contains(.vehicles), let toMap = try? CoordinateTransform(from: .crs84, to: map.crs) else {
            return nil
        }
        facade.advance(to: now)
        let layer = facade.layer(named: Self.vehicleLayer)
        let live = layer.flatMap { $0.isDrawn(at: view.resolution) ? $0.live : nil }
        // Objects just outside of the view may move into it.
        let around = ImageSize(width: view.size.width * 3 / 2, height: view.size.height * 3 / 2)
        let marks = (try? live?.marks(in: view.with(size: around))) ?? []
        marked = (view, selected, transit.filters, now)
        guard let news = moving.news(of: marks, selected: selected, since: seen) else { return nil }
        var kinds: Properties = [:]
        for kind in Set(news.marks.map { $0.mark.kind ?? "" }).sorted() {
            guard let live else { break }
            let (color, isLight) = live.badgeColor(of: kind)
            kinds[kind] = ["color": .string(color.hexText), "light": .bool(isLight)]
        }
        var members: Properties = [
            "n": .integer(news.change), "kinds": .object(kinds), "gone": .array(news.gone.map { .integer($0) }),
            "marks": .array(news.marks.compactMap { told($0.mark, named: $0.name, toMap) }),
        ]
        if let chosen = news.chosen { members["chosen"] = .integer(chosen) }
        return .object(members)
    }

    /// Returns an object as a list: name, kind, label, heading, whether its report is old, milliseconds until it rests,
    /// and its way as a map coordinate followed by differences.
    private func told(_ mark: LiveLayer.Mark, named name: Int, _ toMap: CoordinateTransform) -> PropertyValue? {
        let factor = map.crs.metersPerUnit > 1000 ? 1e7 : 10.0
        func rounded(_ value: Double) -> Double { (value * factor).rounded() }
        var way: [PropertyValue] = [], last = (x: 0.0, y: 0.0)
        for place in mark.places {
            guard let place = toMap(place) else { return nil }
            let x = rounded(place.x), y = rounded(place.y)
            way += [.number((x - last.x) / factor), .number((y - last.y) / factor)]
            last = (x, y)
        }
        return [
            .integer(name), .string(mark.kind ?? ""), .string(mark.label),
            mark.heading.map { .integer(Int($0.rounded()) % 360) } ?? .null, .bool(mark.isStale),
            .integer(Int((mark.seconds * 1000).rounded())), .array(way),
        ]
    }

    /// Returns the picture of a badge, with the mark in its middle: `kind`, `direction` in degrees on the picture, and
    /// `stale`.
    ///
    /// - Throws: ``Problem`` if it cannot be rendered.
    func badge(_ query: Query) async throws(Problem) -> ServerResponse {
        let direction = try query["direction"].map { (text) throws(Problem) in
            try RequestText.number(text, "direction")
        }
        let live = facade.layer(named: Self.vehicleLayer)?.live ?? LiveLayer.vehicles()
        guard let size = ImageSize(width: Self.badgeSide, height: Self.badgeSide), let place = centerInDegrees,
            let view = try? facade.viewport.with(rotation: 0, size: size)
        else { throw Problem(.nothingToDraw, "the badge cannot be drawn here") }
        let layer = live.badge(
            of: String((query["kind"] ?? "").prefix(100)), direction: direction, isStale: query["stale"] == "1",
            at: place)
        var options = RenderOptions()
        options.background = .clear
        options.attribution = .none
        let result = try await rendered([layer], in: view, options)
        do { return ServerResponse(type: ServedFormat.png.mediaType, body: try PNGEncoder.encode(result.image)) } catch
        {
            throw Problem(.failed, "cannot encode the image: \(error)")
        }
    }
}
