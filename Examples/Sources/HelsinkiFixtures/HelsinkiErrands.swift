import Foundation
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanRaster
import PortolanRouteBook
import PortolanRouting

/// Eight places in central Helsinki, and the walking routes between them, recorded from an OSRM server.
public enum HelsinkiErrands {
    /// Returns the places, as a round trip.
    public static func itinerary() throws -> Itinerary {
        let file = HelsinkiWalk.fixtures.appending(path: "helsinki/errands.geojson")
        let collection = try GeoJSONReader.read([UInt8](Data(contentsOf: file)))
        var itinerary = SavedRoute.itinerary(of: collection)
        itinerary.isRoundTrip = true
        return itinerary
    }

    /// Returns the recorded server.
    public static func provider() -> OSRMProvider {
        OSRMProvider("http://routes.example", fetcher: Fetcher(transport: RecordedRoads()))
    }

    /// Returns the route in the given order, and the best one.
    public static func routes() async throws -> (given: PlannedRoute, best: PlannedRoute) {
        let planner = RoutePlanner(provider: provider()), itinerary = try itinerary()
        return (
            try await planner.route(through: itinerary, mode: .foot, ordering: .given),
            try await planner.route(through: itinerary, mode: .foot)
        )
    }

    /// Returns a map of a route over the city in muted colours.
    public static func map(_ route: PlannedRoute, title: String, width: Int, height: Int) async throws -> MapFacade {
        let map = try await HelsinkiCity.map(width: width, height: height, zoom: 15)
        try map.updateLayer(named: "city") { $0.opacity = 0.45 }
        try map.show(route, title: title, padding: 45)
        return map
    }

    /// Returns two pictures side by side, for comparison.
    public static func sideBySide(_ left: PixelBuffer, _ right: PixelBuffer) throws -> PixelBuffer {
        guard left.height == right.height,
            let size = ImageSize(width: left.width + right.width + 6, height: left.height)
        else { throw CocoaError(.featureUnsupported) }
        var canvas = Canvas(size: size, background: .white)
        canvas.copy(left, atX: 0, y: 0)
        canvas.copy(right, atX: left.width + 6, y: 0)
        return canvas.buffer
    }
}

/// A transport with the responses of an OSRM server by path and query.
private struct RecordedRoads: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        let file = HelsinkiWalk.fixtures.appending(path: "helsinki/routing.json")
        let path = request.url.replacing("http://routes.example/", with: "")
        guard let bytes = try? Data(contentsOf: file),
            let answers = try? JSONReader.value(bytes: [UInt8](bytes)).objectValue, let answer = answers[path],
            let body = try? JSONSerialization.data(withJSONObject: Self.object(answer))
        else { return HTTPResponse(status: 404, body: Array("not recorded".utf8), url: request.url) }
        return HTTPResponse(status: 200, body: [UInt8](body), url: request.url)
    }

    private static func object(_ value: PropertyValue) -> Any {
        switch value {
        case .null: NSNull()
        case .bool(let flag): flag
        case .integer(let number): number
        case .number(let number): number
        case .string(let text): text
        case .array(let list): list.map(object)
        case .object(let members):
            Dictionary(members.map { ($0.name, object($0.value)) }) { first, _ in first } as [String: Any]
        }
    }
}
