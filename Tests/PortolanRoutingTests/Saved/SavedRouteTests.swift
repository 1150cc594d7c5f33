import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRouting
import PortolanWeb
import Testing

@Suite struct SavedRouteTests {
    @Test(arguments: ["osrm/trip-foot.json", "osrm/trip-driving.json"])
    func `a route survives saving as GeoJSON and reading`(file: String) async throws {
        let places = try RecordedServer.places()
        let provider = OSRMProvider(
            "http://osrm.example",
            fetcher: RecordedServer.fetcher(RecordedServer.always(try RecordedServer.answer(file))))
        let trip = try await provider.trip(through: places, mode: .foot)
        var visited = trip.order.map { Itinerary.Place(name: "n\($0)", coordinate: places[$0], stay: Double($0)) }
        visited[3].window = 100...2000
        visited.append(visited[0])
        let route = PlannedRoute(places: visited, legs: trip.answer.legs, mode: .foot)
        let bytes = GeoJSONWriter.write(SavedRoute.features(of: route, named: "Eight places"))
        let read = try GeoJSONReader.read(bytes)
        #expect(SavedRoute.route(of: read) == route)
        let line = try #require(read.features.lazy.compactMap(\.route).first)
        #expect(line.name == "Eight places" && abs(line.distance! * 1000 - route.distance) < 0.01)
        let itinerary = SavedRoute.itinerary(of: read)
        #expect(itinerary.isRoundTrip)
        #expect(itinerary.places == Array(visited.dropLast()))
        // The line is drawn whole: as long as its legs.
        #expect(abs(GroundLine(line.geometry.coordinates)!.length - GroundLine(route.path)!.length) < 0.01)
    }

    @Test(arguments: [[179.0, -179], [179, 180, -179], [-170, 170, -150], [160, -160, 165]])
    func `a route over the antimeridian is written in parts and read as one`(longitudes: [Double]) throws {
        let path = longitudes.enumerated().map { Coordinate(x: $1, y: Double($0)) }
        let places = [path[0], path[path.count - 1]].map { Itinerary.Place(coordinate: $0) }
        let leg = PlannedRoute.Leg(distance: 1000, duration: 60, path: path, steps: [], isEstimate: false)
        let route = PlannedRoute(places: places, legs: [leg], mode: .foot)
        let bytes = GeoJSONWriter.write(SavedRoute.features(of: route, named: "R"))
        let read = try GeoJSONReader.read(bytes)
        #expect(read.features[0].geometry?.kind == .multiLineString)
        #expect(SavedRoute.route(of: read) == route)
    }

    @Test func `GPX has the line and the places`() async throws {
        let places = try RecordedServer.places().map { Itinerary.Place(name: "P", coordinate: $0) }
        let route = try await RoutePlanner(provider: StraightLines()).route(through: Itinerary(places), mode: .foot)
        let bytes = try #require(GPXFormat().write(SavedRoute.features(of: route, named: "R")))
        let read = try GPXFormat().read(bytes, limits: FeatureLimits())
        #expect(read.features.count { $0.geometry?.kind == .point } == 8)
        #expect(SavedRoute.itinerary(of: read).places.map(\.coordinate) == route.places.map(\.coordinate))
    }

    @Test func `the points of any file become an itinerary`() throws {
        let text = """
            {"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"name": "b", "order": 2}, "geometry": {"type": "Point", "coordinates": [2, 2]}},
            {"type": "Feature", "properties": {"name": 7}, "geometry": {"type": "Point", "coordinates": [3, 3]}},
            {"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}},
            {"type": "Feature", "properties": {"name": "a", "order": 1, "stay": -5, "window": [9, 1]}, "geometry": {"type": "Point", "coordinates": [1, 1]}}]}
            """
        let itinerary = SavedRoute.itinerary(of: try GeoJSONReader.read(Array(text.utf8)))
        #expect(itinerary.places.map(\.name) == ["a", "b", "7"])
        #expect(itinerary.places[0].stay == 0)
        #expect(itinerary.places[0].window == nil)
        #expect(!itinerary.isRoundTrip)
    }

    @Test(arguments: [
        #"{}"#, #"[{"distance": 1, "duration": 1, "start": -1, "count": 2}]"#,
        #"[{"distance": 1, "duration": 1, "start": 1, "count": 9223372036854775807}]"#,
        #"[{"distance": 1, "duration": 1, "start": 0, "count": 2, "steps": [{"manoeuvre": "fly"}]}]"#, "[]",
    ])
    func `legs that do not fit the line give no route`(legs: String) throws {
        let text = """
            {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"type": "route", "mode": "foot",
            "legs": \(legs)}, "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}},
            {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [0, 0]}},
            {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 1]}}]}
            """
        let read = try GeoJSONReader.read(Array(text.utf8))
        #expect(SavedRoute.route(of: read) == nil)
        #expect(SavedRoute.itinerary(of: read).places.count == 2)
    }
}
