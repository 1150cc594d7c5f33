import PortolanFeatures
public import PortolanFetch
public import PortolanGeo
public import PortolanWeb
import Synchronization

/// A geocoder that uses a Nominatim server (API: `search` and `reverse`, `format=jsonv2`).
///
/// The public server requires a user agent and allows one request per second. Requests are therefore delayed, and
/// results are cached.
public final class Nominatim: Geocoder {
    private let door: JSONClient
    private let pace: RequestPace
    private let known = Mutex<[String: [FoundPlace]]>([:])

    /// The maximum number of cached results.
    private static let memory = 1000

    /// `Nominatim`.
    public var name: String { door.name }

    /// Creates a geocoder.
    ///
    /// - Parameters:
    ///   - url: the URL of the server.
    ///   - userAgent: the name of the application with contact information.
    ///   - interval: the minimum time between two requests; 1 s by default, as the public server requires.
    public init(_ url: NamedURL, fetcher: Fetcher, userAgent: String, interval: Duration = .seconds(1)) {
        door = JSONClient(
            name: "Nominatim", base: url, fetcher: fetcher,
            headers: [HTTPHeader(name: "User-Agent", value: userAgent)])
        pace = RequestPace(interval)
    }

    /// Returns the places that match a name, using `search`.
    public func places(
        named text: String, near: Coordinate? = nil, limit: Int = 10
    ) async throws(RoutingError) -> [FoundPlace] {
        var query = [
            "q=\(PercentEncoding.component(text))", "format=jsonv2", "limit=\(max(1, min(limit, 40)))",
        ]
        if let near, near.isOnEarth {
            // Results within half a degree are preferred.
            let box = [near.x - 0.5, near.y + 0.5, near.x + 0.5, near.y - 0.5].map(Decimals.text)
            query.append("viewbox=" + box.joined(separator: ","))
        }
        return try await ask("search", query) { $0.arrayValue }
    }

    /// Returns the place at a coordinate, using `reverse`.
    public func place(at coordinate: Coordinate) async throws(RoutingError) -> FoundPlace? {
        try [coordinate].checked()
        let query = ["lat=\(Decimals.text(coordinate.y))", "lon=\(Decimals.text(coordinate.x))", "format=jsonv2"]
        return try await ask("reverse", query) { value in
            // If there is no place, the response is an object with an error.
            value.objectValue.map { $0["error"] == nil ? [value] : [] }
        }.first
    }

    private func ask(
        _ path: String, _ query: [String], _ list: (PropertyValue) -> [PropertyValue]?
    ) async throws(RoutingError) -> [FoundPlace] {
        let key = path + "?" + query.joined(separator: "&")
        if let found = known.withLock({ $0[key] }) { return found }
        try await pace.turn()
        // Another task may have requested the same in the meantime.
        if let found = known.withLock({ $0[key] }) { return found }
        let answer = try await door.ask(path, query: query)
        guard (200..<300).contains(answer.status), let values = list(answer.value) else { throw door.unknown(answer) }
        let found = values.prefix(100).compactMap { value -> FoundPlace? in
            // Nominatim sends numbers as strings.
            guard let members = value.objectValue, let x = members["lon"]?.looseDegree(180),
                let y = members["lat"]?.looseDegree(90), let display = members["display_name"]?.label
            else { return nil }
            let name = members["name"]?.label ?? display.split(separator: ",").first.map(String.init) ?? display
            return FoundPlace(name: name, detail: display, coordinate: Coordinate(x: x, y: y))
        }
        known.withLock { known in
            if known.count >= Self.memory { known.removeAll() }
            known[key] = found
        }
        return found
    }
}

/// A geocoder that uses a Photon server (`api` and `reverse`, GeoJSON responses).
public struct Photon: Geocoder {
    private let door: JSONClient

    /// `Photon`.
    public var name: String { door.name }

    /// Creates a geocoder.
    ///
    /// - Parameter url: the URL of the server.
    public init(_ url: NamedURL, fetcher: Fetcher, headers: [HTTPHeader] = []) {
        door = JSONClient(name: "Photon", base: url, fetcher: fetcher, headers: headers)
    }

    /// Returns the places that match a name, using `api`.
    public func places(
        named text: String, near: Coordinate? = nil, limit: Int = 10
    ) async throws(RoutingError) -> [FoundPlace] {
        var query = ["q=\(PercentEncoding.component(text))", "limit=\(max(1, min(limit, 50)))"]
        if let near, near.isOnEarth { query += ["lat=\(Decimals.text(near.y))", "lon=\(Decimals.text(near.x))"] }
        return try places(of: try await door.ask("api", query: query))
    }

    /// Returns the place at a coordinate, using `reverse`.
    public func place(at coordinate: Coordinate) async throws(RoutingError) -> FoundPlace? {
        try [coordinate].checked()
        let query = ["lat=\(Decimals.text(coordinate.y))", "lon=\(Decimals.text(coordinate.x))"]
        return try places(of: try await door.ask("reverse", query: query)).first
    }

    private func places(of answer: JSONClient.Answer) throws(RoutingError) -> [FoundPlace] {
        guard let features = answer.value.objectValue?["features"]?.arrayValue else { throw door.unknown(answer) }
        return features.prefix(100).compactMap { feature in
            guard let members = feature.objectValue?["properties"]?.objectValue,
                let place = feature.objectValue?["geometry"]?.objectValue?["coordinates"]?.position
            else { return nil }
            let street = [members["street"]?.label, members["housenumber"]?.label].compactMap { $0 }
                .joined(separator: " ")
            guard let name = members["name"]?.label ?? (street.isEmpty ? nil : street) else { return nil }
            let detail = [street.isEmpty ? nil : street, members["city"]?.label, members["country"]?.label]
                .compactMap { $0 }.filter { $0 != name }.joined(separator: ", ")
            return FoundPlace(name: name, detail: detail.isEmpty ? nil : detail, coordinate: place)
        }
    }
}

/// Enforces a minimum interval between requests.
final class RequestPace: Sendable {
    private let interval: Duration
    private let next = Mutex<ContinuousClock.Instant?>(nil)

    init(_ interval: Duration) { self.interval = interval }

    /// Waits until the next request is allowed.
    func turn() async throws(RoutingError) {
        let now = ContinuousClock.now
        let mine = next.withLock { next -> ContinuousClock.Instant in
            let mine = max(next ?? now, now)
            next = mine + interval
            return mine
        }
        guard mine > now else { return }
        do { try await Task.sleep(until: mine, clock: .continuous) } catch { throw .cancelled }
    }
}

extension PropertyValue {
    /// Returns degrees up to a limit from a number or a string.
    fileprivate func looseDegree(_ limit: Double) -> Double? {
        (doubleValue ?? stringValue.flatMap(Double.init)).flatMap { abs($0) <= limit ? $0 : nil }
    }
}
