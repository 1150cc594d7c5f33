import PortolanFeatures
public import PortolanFetch
public import PortolanGeo
public import PortolanWeb
import Synchronization

/// Finds places by a server of Nominatim (API: `search` and `reverse`, `format=jsonv2`).
///
/// The public server wants an application that names itself, and at most one request a second: requests wait for their turn, and
/// what was asked is not asked again.
public final class Nominatim: Geocoder {
    private let door: JSONClient
    private let pace: RequestPace
    private let known = Mutex<[String: [FoundPlace]]>([:])

    /// The most answers that are remembered.
    private static let memory = 1000

    /// `Nominatim`.
    public var name: String { door.name }

    /// Makes a geocoder.
    ///
    /// - Parameters:
    ///   - url: where the server is.
    ///   - userAgent: what the application is called, with a way to reach who runs it.
    ///   - interval: the least time between two requests; a second, as the public server's rules have it.
    public init(_ url: NamedURL, fetcher: Fetcher, userAgent: String, interval: Duration = .seconds(1)) {
        door = JSONClient(
            name: "Nominatim", base: url, fetcher: fetcher,
            headers: [HTTPHeader(name: "User-Agent", value: userAgent)])
        pace = RequestPace(interval)
    }

    /// The places of a name, by the service `search`.
    public func places(
        named text: String, near: Coordinate? = nil, limit: Int = 10
    ) async throws(RoutingError) -> [FoundPlace] {
        var query = [
            "q=\(PercentEncoding.component(text))", "format=jsonv2", "limit=\(max(1, min(limit, 40)))",
        ]
        if let near, near.isOnEarth {
            // What lies about a degree around it is preferred.
            let box = [near.x - 0.5, near.y + 0.5, near.x + 0.5, near.y - 0.5].map(Decimals.text)
            query.append("viewbox=" + box.joined(separator: ","))
        }
        return try await ask("search", query) { $0.arrayValue }
    }

    /// What is at a place, by the service `reverse`.
    public func place(at coordinate: Coordinate) async throws(RoutingError) -> FoundPlace? {
        try [coordinate].checked()
        let query = ["lat=\(Decimals.text(coordinate.y))", "lon=\(Decimals.text(coordinate.x))", "format=jsonv2"]
        return try await ask("reverse", query) { value in
            // Where nothing is, there is an object with an error.
            value.objectValue.map { $0["error"] == nil ? [value] : [] }
        }.first
    }

    private func ask(
        _ path: String, _ query: [String], _ list: (PropertyValue) -> [PropertyValue]?
    ) async throws(RoutingError) -> [FoundPlace] {
        let key = path + "?" + query.joined(separator: "&")
        if let found = known.withLock({ $0[key] }) { return found }
        try await pace.turn()
        // Another may have asked the same meanwhile.
        if let found = known.withLock({ $0[key] }) { return found }
        let answer = try await door.ask(path, query: query)
        guard (200..<300).contains(answer.status), let values = list(answer.value) else { throw door.unknown(answer) }
        let found = values.prefix(100).compactMap { value -> FoundPlace? in
            // Numbers are texts here.
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

/// Finds places by a server of Photon (`api` and `reverse`, answers in GeoJSON).
public struct Photon: Geocoder {
    private let door: JSONClient

    /// `Photon`.
    public var name: String { door.name }

    /// Makes a geocoder.
    ///
    /// - Parameter url: where the server is.
    public init(_ url: NamedURL, fetcher: Fetcher, headers: [HTTPHeader] = []) {
        door = JSONClient(name: "Photon", base: url, fetcher: fetcher, headers: headers)
    }

    /// The places of a name, by the service `api`.
    public func places(
        named text: String, near: Coordinate? = nil, limit: Int = 10
    ) async throws(RoutingError) -> [FoundPlace] {
        var query = ["q=\(PercentEncoding.component(text))", "limit=\(max(1, min(limit, 50)))"]
        if let near, near.isOnEarth { query += ["lat=\(Decimals.text(near.y))", "lon=\(Decimals.text(near.x))"] }
        return try places(of: try await door.ask("api", query: query))
    }

    /// What is at a place, by the service `reverse`.
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

/// Lets requests begin no sooner one after another than a server wants.
final class RequestPace: Sendable {
    private let interval: Duration
    private let next = Mutex<ContinuousClock.Instant?>(nil)

    init(_ interval: Duration) { self.interval = interval }

    /// Waits for a turn.
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
    /// A number of degrees up to a limit, which may be written as a text.
    fileprivate func looseDegree(_ limit: Double) -> Double? {
        (doubleValue ?? stringValue.flatMap(Double.init)).flatMap { abs($0) <= limit ? $0 : nil }
    }
}
