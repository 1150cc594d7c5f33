import Foundation
import Portolan
import PortolanRaster
import PortolanRouteBook
import PortolanRouting
import TestHelpers
import Testing

/// The route app of the article, as it is printed there.
@Suite(.timeLimit(.minutes(5))) struct RouteAppArticleTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures").path

    @Test func `A route app in an hour`() async throws {
        let temporary = try TemporaryFolder(), folder = temporary.path + "/routes"
        let file = Self.fixtures + "/routes/helsinki-walk.geojson", style = Self.fixtures + "/helsinki/city-style.json"
        let map = try MapFacade(width: 390, height: 844)

        let book = RouteBook(folder: folder)
        let walk = try await book.add(from: file, named: "Harbour walk", by: map.services)

        for route in try book.routes().routes {
            print(route.name, route.kilometers ?? 0, "km,", route.placeCount, "places")
        }
        let found = try book.search("café")

        try await map.addStyle(from: style)
        let added = try map.addRoute(book.route(walk.id))
        map.options.infoBar = added.facts?.infoBar
        try map.fitFeatures(padding: 50)  // clear of the bar
        let picture = try await map.refresh()

        let place = try book.step(walk.id, by: 1)
        if let id = place.id { try map.selectFeature(id: id) }
        if let panel = map.selectedPlace {
            print(panel.name ?? "", panel.text ?? "")
            map.options.infoBar = panel.infoBar
        }

        let events = map.events()
        let listener = Task {
            for await event in events {
                if case .selectionChanged(let feature) = event {
                    print("selected:", feature?.properties["name"] as Any)
                }
            }
        }
        map.touch(Point(x: 195, y: 400))
        listener.cancel()

        let clock = FrameClock.system
        map.handle(InputEvent(.pointer(.down, InputEvent.Pointer(place: Point(x: 200, y: 300))), at: clock.now()))
        map.handle(InputEvent(.pointer(.move, InputEvent.Pointer(place: Point(x: 150, y: 320))), at: clock.now()))
        map.handle(InputEvent(.pointer(.up, InputEvent.Pointer(place: Point(x: 150, y: 320))), at: clock.now()))
        for await frame in map.frames() {
            print(frame.image.size, frame.damage.count)  // upload the changed rectangles
            if frame.isFinal { break }
        }

        try map.fitFeatures(padding: 50)
        map.turnNorthUp(at: clock.now())

        let path = [
            Coordinate(longitude: 24.9493, latitude: 60.1683), Coordinate(longitude: 24.9493, latitude: 60.1690),
        ]
        map.startPosition(following: .follow, at: clock.now())
        for await update in ReplayedPositions.along(path, metersPerSecond: 20) {
            map.handle(update, at: clock.now())
        }
        if let way = map.wayToSelectedFeature { print(way) }
        map.stopPosition(at: clock.now())

        let recording = try book.record(named: "Today")
        try recording.add(PositionFix(place: path[0], time: Date(timeIntervalSince1970: 0), accuracy: 5))
        try recording.add(PositionFix(place: path[1], time: Date(timeIntervalSince1970: 60), accuracy: 5))
        let today = try recording.finish()

        let state = folder + ".json"
        try map.saveState(to: state)
        let warnings = try await map.restoreState(from: state)

        try picture.writePNG(to: folder + ".png")
        let document = try book.route(walk.id).document
        print(document.count, "bytes")

        let errands = Itinerary(
            [
                Itinerary.Place(name: "Station", coordinate: Coordinate(longitude: 24.9414, latitude: 60.1718)),
                Itinerary.Place(name: "Market", coordinate: Coordinate(longitude: 24.9522, latitude: 60.1676)),
                Itinerary.Place(name: "Library", coordinate: Coordinate(longitude: 24.9380, latitude: 60.1740)),
            ], isRoundTrip: true)
        let planned = try await RoutePlanner(provider: StraightLines()).route(through: errands, mode: .foot)
        try map.show(planned, title: "Errands")
        try book.save(planned, named: "Errands")

        #expect(found.map(\.id) == [walk.id])
        #expect(picture.report.complete)
        #expect(today?.placeCount == 0)
        #expect(warnings.isEmpty)
        #expect(planned.places.map(\.name) == ["Station", "Market", "Library", "Station"])
        #expect(try book.routes().routes.count == 3)
    }
}
