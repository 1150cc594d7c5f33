import PortolanFetch
import PortolanGeo
import PortolanRouting
import PortolanTesting
import PortolanWeb

extension FuzzKind {
    /// Answers of services of ways and of places, read as those of each of them.
    static let routes = FuzzKind(
        name: "routes", grammar: .json, corpus: ["Tests/Fuzz/Corpus/routes/*"], largest: 1 << 15,
        memory: Bound(any: 2 << 20, each: 400), time: Bound(any: 200_000_000, each: 40_000)
    ) { bytes in try waiting { try await readRoutes(bytes) } }

    /// Tables of GeoNames.
    static let geoNames = FuzzKind(
        name: "geonames", grammar: .words, corpus: ["Tests/Fuzz/Corpus/geonames/*"], read: readGeoNames)

    private static let places = [(24.948866, 60.16832), (24.94417, 60.171003), (24.946903, 60.175684)].map {
        Coordinate(x: $0.0, y: $0.1)
    }

    private static func readRoutes(_ bytes: [UInt8]) async throws -> Outcome {
        let transport = StubTransport { HTTPResponse(status: 200, body: bytes, url: $0.url) }
        let fetcher = Fetcher(transport: transport, retries: .none)
        let providers: [any RoutingProvider] = [
            OSRMProvider("http://a.example", fetcher: fetcher), ValhallaProvider("http://a.example", fetcher: fetcher),
            OpenTripPlanner("http://a.example", fetcher: fetcher),
        ]
        var words = ""
        for provider in providers {
            for count in 2...3 {
                let asked = Array(places.prefix(count))
                let legs: [PlannedRoute.Leg]?
                do throws(RoutingError) { legs = try await provider.route(through: asked, mode: .foot).legs } catch {
                    legs = nil
                    words += try refused(error.description).signature.prefix(16)
                }
                if let legs { words += try check(legs, count: count - 1) }
                do throws(RoutingError) {
                    let matrix = try await provider.matrix(of: asked, mode: .foot).matrix
                    words += matrix.count == count ? "m" : "?"
                } catch { words += try refused(error.description).signature.prefix(16) }
            }
        }
        do throws(RoutingError) {
            let itinerary = Itinerary(places.map { Itinerary.Place(coordinate: $0) }, isRoundTrip: true)
            let matrix = try StraightLines().matrix(of: places, mode: .foot).matrix
            let found = try await VROOM("http://a.example", fetcher: fetcher).bestOrder(of: itinerary, by: matrix)
            words += "v\(found.order.count)"
        } catch { words += try refused(error.description).signature.prefix(16) }
        do throws(RoutingError) {
            let found = try await Photon("http://a.example", fetcher: fetcher).places(named: "a")
            words += "p\(magnitude(found.count))"
        } catch { words += try refused(error.description).signature.prefix(16) }
        return .value(String(words.prefix(120)))
    }

    /// Numbers that can be, and steps within their legs.
    private static func check(_ legs: [PlannedRoute.Leg], count: Int) throws -> String {
        guard legs.count == count else { throw Violation("\(legs.count) legs in place of \(count)") }
        for leg in legs {
            guard leg.distance >= 0, leg.distance < .infinity, leg.duration >= 0, leg.duration < .infinity else {
                throw Violation("a leg of \(leg.distance) m and \(leg.duration) s")
            }
            for step in leg.steps where !leg.path.indices.contains(step.start) && !leg.path.isEmpty {
                throw Violation("a step at \(step.start) of \(leg.path.count)")
            }
        }
        var follower = RouteFollower(
            PlannedRoute(
                places: places.prefix(count + 1).map { Itinerary.Place(coordinate: $0) }, legs: legs, mode: .foot))
        return follower.update(places[0]) == nil ? "-" : "l"
    }

    private static func readGeoNames(_ bytes: [UInt8]) throws -> Outcome {
        do throws(RoutingError) {
            let gazetteer = try Gazetteer(geoNames: bytes, from: "a.txt")
            let found = try gazetteer.places(named: "hel", limit: 3)
            return .value("\(magnitude(gazetteer.count)) \(found.count)")
        } catch { return try refused(error.description) }
    }
}
