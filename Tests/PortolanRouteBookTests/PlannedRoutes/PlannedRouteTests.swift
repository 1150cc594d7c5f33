import Foundation
import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanRouteBook
import PortolanRouting
import PortolanStyles
import PortolanWeb
import Testing

@Suite struct PlannedRouteTests {
    private static func route(_ mode: TravelMode = .foot, isRoundTrip: Bool = false) async throws -> PlannedRoute {
        let places = [(24.9487, 60.1683), (24.9442, 60.1710), (24.9469, 60.1757), (24.9501, 60.1708)].enumerated().map {
            Itinerary.Place(name: "P\($0.offset)", coordinate: Coordinate(x: $0.element.0, y: $0.element.1))
        }
        return try await RoutePlanner(provider: StraightLines())
            .route(through: Itinerary(places, isRoundTrip: isRoundTrip), mode: mode)
    }

    private static func projected(_ place: Coordinate) throws -> Coordinate {
        try #require(try CoordinateTransform(from: .crs84, to: .webMercator)(place))
    }

    @Test(arguments: TravelMode.allCases) func `each travel mode has a style`(mode: TravelMode) async throws {
        let sheet = RouteStyle.sheet(for: mode)
        #expect(sheet.warnings.isEmpty)
        #expect(RouteStyle.sheet(for: mode, isEstimate: true).warnings.isEmpty)
        #expect(Set(TravelMode.allCases.map(RouteStyle.color)).count == 4)
    }

    @Test func `a map shows the line, numbered places and a panel of legs`() async throws {
        let map = try MapFacade(width: 800, height: 600)
        let route = try await Self.route()
        try map.show(route, title: "Errands")
        let panel = try #require(map.options.panel)
        #expect(panel.rows.compactMap(\.mark) == ["1", "2", "3", "4"])
        #expect(panel.rows.count == 7)
        #expect(panel.notes.contains("shortest possible order"))
        let picture = try await map.refresh()
        #if Text
        #expect(picture.report.complete && picture.report.warnings.isEmpty)
        #else
        #expect(picture.report.complete && picture.report.warnings.map(\.code) == [.notBuiltIn])
        #endif
        // All of it is beside the panel.
        for place in route.places {
            let pixel = map.viewport.pixel(
                of: try Self.projected(place.coordinate))
            #expect(pixel.x > 270)
            #expect(pixel.x < 790)
            #expect(pixel.y > 10)
            #expect(pixel.y < 590)
        }
        // A place is found where it is drawn.
        let first = map.viewport.pixel(of: try Self.projected(route.places[0].coordinate))
        let found = await map.identify(first)
        guard case .answer(.features(let features))? = found.first(where: { $0.layer == "route" })?.outcome else {
            Issue.record("\(found)")
            return
        }
        #expect(features.contains { $0.feature.properties["order"] == 1 })
    }

    @Test func `the travelled part is drawn in grey`() async throws {
        let map = try MapFacade(width: 400, height: 300)
        map.options.attribution = .none
        let route = try await Self.route()
        try map.show(route)
        let fresh = try await map.refresh().image
        var follower = RouteFollower(route)
        let legs = route.legs
        // A third of the way along the second leg.
        let from = try #require(legs[1].path.first), to = try #require(legs[1].path.last)
        func along(_ part: Double) -> Coordinate {
            Coordinate(x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part)
        }
        let start = follower.update(from), found = follower.update(along(1.0 / 3))
        let progress = try #require(found)
        #expect(start != nil)
        try map.show(progress, of: route)
        let image = try await map.refresh().image
        let travelled = Pixel(MapColor(red: 0x8b, green: 0x92, blue: 0x9c))
        func pixel(_ part: Double) throws -> Pixel {
            let place = map.viewport.pixel(of: try Self.projected(along(part)))
            return image[Int(place.x), Int(place.y)]
        }
        #expect(try pixel(0.25) == travelled && pixel(0.42) != travelled)
        #expect(!fresh.pixels.contains(travelled.bits))
        // As long as it was said to be.
        let grey = try #require(
            map.layer(named: "route")?.features?.features.first { $0.properties["type"] == "travelled" }?.geometry)
        let length = zip(grey.coordinates, grey.coordinates.dropFirst()).reduce(0) {
            $0 + Geodesic.line(from: $1.0, to: $1.1).meters
        }
        #expect(abs(length - progress.metersDone) < 0.01)
        // Beyond its end all of it is grey, and the beginning of it has none.
        for (meters, isGrey) in [(0.0, false), (-5, false), (1e9, true), (.nan, false)] {
            let layer = MapLayer.plannedRoute(route, travelled: meters)
            #expect(layer.features?.features.contains { $0.properties["type"] == "travelled" } == isGrey)
        }
        #expect(throws: MapError.noSuchLayer("other")) { try map.show(progress, of: route, named: "other") }
    }

    @Test func `a route over the antimeridian takes the short way on the map`() async throws {
        let places = [179.9, -179.9].map { Itinerary.Place(coordinate: Coordinate(x: $0, y: -17)) }
        let route = try await RoutePlanner(provider: StraightLines()).route(through: Itinerary(places), mode: .car)
        let map = try MapFacade(width: 500, height: 400)
        try map.show(route)
        // 21 km lie between them.
        #expect(map.viewport.extent(margin: 0).width < 60_000)
        let features = try #require(map.layers.last?.features).features
        #expect(features.compactMap(\.geometry).contains { abs(($0.coordinates.last?.x ?? 0) - 180.1) < 1e-9 })
    }

    @Test func `a second route replaces the first`() async throws {
        let map = try MapFacade(width: 600, height: 400)
        try map.show(try await Self.route(), title: "One")
        try map.show(try await Self.route(.car, isRoundTrip: true))
        #expect(map.layers.count { $0.name == "route" } == 1)
        #expect(map.options.panel == nil)
        let places = try #require(map.layers.last?.features).features.filter { $0.properties["type"] == "poi" }
        #expect(places.count == 4)
        #expect(places.count { $0.properties["flag"] != nil } == 1)
    }

    @Test
    func `a route is saved, listed with its places, opened, saved again and removed`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let book = RouteBook(folder: folder.path)
        let route = try await Self.route()
        let saved = try book.save(route, named: "Errands")
        #expect(saved.name == "Errands")
        #expect(saved.placeCount == 4)
        #expect(try book.routes().routes.map(\.placeCount) == [4])
        #expect(SavedRoute.route(of: try book.route(saved.id).collection)?.legs == route.legs)
        let longer = try await Self.route(.car, isRoundTrip: true)
        let again = try book.save(longer, named: "Errands", replacing: saved.id)
        #expect(try book.routes().routes.count == 1)
        #expect(SavedRoute.route(of: try book.route(again.id).collection)?.mode == .car)
        // The same route under another's name is not taken for that one's.
        let other = try book.save(route, named: "Other")
        #expect(throws: MapError.self) { try book.save(longer, named: "Errands", replacing: other.id) }
        try book.remove(other.id)
        try book.remove(again.id)
        #expect(try book.routes().routes.isEmpty)
    }

    @Test(arguments: [
        (
            VisitingOrderSample(proven: true, cost: 10, bound: 10), "shortest possible order",
            "el orden más corto posible"
        ),
        (
            VisitingOrderSample(proven: false, cost: 103, bound: 100), "at most 3.0 % longer than the best order",
            "como mucho un 3,0 % más largo que el mejor"
        ),
        (VisitingOrderSample(proven: false, cost: 103, bound: 0), "a good order, not proven", "buen orden, sin prueba"),
    ])
    func `the quality of an order is described in text`(sample: VisitingOrderSample, english: String, spanish: String) {
        let order = OrderSearch.VisitingOrder(
            order: [0, 1], cost: sample.cost, bound: sample.bound, isProven: sample.proven, late: [])
        #expect(RouteWords.proof(of: order) == english)
        #expect(RouteWords.proof(of: order, .spanish) == spanish)
    }

    struct VisitingOrderSample: Sendable {
        var proven: Bool
        var cost: Double
        var bound: Double
    }
}
