import ArgumentParser
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanRouting
import PortolanTransit
import PortolanWeb

/// The options of routes.
struct RouteOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Route with osrm:URL, valhalla:URL, otp:URL (OpenTripPlanner GraphQL) or straight.",
            valueName: "provider"))
    var provider = "straight"

    @Option(help: "Travel by car, foot, bicycle or transit.", transform: Self.word)
    var mode = TravelMode.foot

    @Option(
        help: ArgumentHelp(
            "Read this GTFS timetable for --mode transit: a ZIP archive, a folder or a URL.", valueName: "feed"))
    var feed: String?

    @Option(help: "Depart at this time with --feed, as 2026-11-23T08:00 or 08:00 (default: now).")
    var departure: String?

    @Option(help: "best: find the best order. given: keep the order.", transform: Self.word)
    var order = RoutePlanner.Ordering.best

    @Flag(help: "Return to the first place.")
    var roundTrip = false

    @Flag(help: "Keep the last place last.")
    var keepLast = false

    @Flag(help: "Let any place be the first.")
    var freeStart = false

    @Option(
        help: ArgumentHelp(
            "Minimize time or distance.", valueName: "what"))
    var objective = ObjectiveName.time

    @Option(parsing: .unconditional, help: "Set the random seed of the search.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Look up names in a feature file, a GeoNames table (.txt), nominatim:URL or photon:URL.",
            valueName: "source"))
    var geocoder: String?

    @Flag(help: "Print turn-by-turn directions.")
    var directions = false

    @Option(name: .customLong("language"), help: "Set the language of directions and texts: en or es.")
    var languageCode = "en"

    @Option(help: "Set the name of the route.")
    var name: String?

    @Flag(help: "Print JSON.")
    var json = false

    /// A value by its name.
    private static func word<Value: RawRepresentable & CaseIterable>(_ text: String) throws -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: text) else {
            let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(text)': must be one of \(words)")
        }
        return value
    }

    /// The objective of the order.
    enum ObjectiveName: String, ExpressibleByArgument, CaseIterable {
        case time, distance
    }

    func language() throws(CommandFailure) -> DirectionsLanguage {
        guard let language = DirectionsLanguage.named(languageCode) else {
            let known = DirectionsLanguage.all.map(\.code).joined(separator: " and ")
            throw CommandFailure(.usage, "--language \(languageCode): unknown; available: \(known)")
        }
        return language
    }

    /// The router, and the warnings about its timetable.
    func planner(
        _ configuration: RendererConfiguration, offline: Bool
    ) async throws -> (planner: RoutePlanner, warning: String?) {
        guard let feed else {
            if departure != nil { throw CommandFailure(.usage, "--departure needs --feed") }
            return (try servicePlanner(configuration, offline: offline), nil)
        }
        guard mode == .transit else { throw CommandFailure(.usage, "--feed needs --mode transit") }
        guard provider == "straight" else {
            throw CommandFailure(.usage, "--feed and --provider cannot be combined; remove one")
        }
        let (timetable, warning, _) = try await FeedOptions.timetable(feed, configuration)
        let time = try TransitTime(timetable, option: "--departure").date(departure)
        let routes = TransitRoutes(JourneyPlanner(timetable), departure: time)
        return (RoutePlanner(provider: routes, search: search), warning)
    }

    private var search: OrderSearch { OrderSearch(objective: objective == .time ? .time : .distance, seed: seed) }

    private func servicePlanner(
        _ configuration: RendererConfiguration, offline: Bool
    ) throws(CommandFailure) -> RoutePlanner {
        if offline, provider != "straight" {
            throw CommandFailure(.usage, "--offline sends no requests; remove --provider to use straight lines")
        }
        let named = try NamedProvider(provider, option: "--provider")
        guard named.modes.contains(mode) else {
            throw CommandFailure(
                .usage, "--mode transit needs a timetable: add --feed with a GTFS feed, or --provider otp:URL")
        }
        return RoutePlanner(provider: named.provider(configuration, languageCode: try language().code), search: search)
    }

    /// The geocoder, or `nil`.
    func geocoder(_ configuration: RendererConfiguration, _ network: NetworkOptions) async throws -> (any Geocoder)? {
        guard let geocoder else { return nil }
        let offline = network.offline
        for kind in ["nominatim", "photon"] where geocoder.hasPrefix(kind + ":http") {
            if offline { throw CommandFailure(.usage, "--offline sends no requests; use a file with --geocoder") }
            let url = NamedURL(String(geocoder.dropFirst(kind.count + 1)), namedBy: .user)
            let fetcher = configuration.fetcher()
            return kind == "photon"
                ? Photon(url, fetcher: fetcher, headers: configuration.headers(for: url))
                : Nominatim(url, fetcher: fetcher, userAgent: configuration.userAgent)
        }
        if OutputFile(path: geocoder).pathExtension == "txt" {
            let bytes: [UInt8]
            do {
                let client = ServiceClient(configuration: configuration)
                bytes = try await client.content(at: FileAddress.url(of: geocoder)).bytes
            } catch { throw CommandFailure(error, of: geocoder) }
            do { return try Gazetteer(geoNames: bytes, from: geocoder) } catch {
                throw CommandFailure(.badData, "\(error)")
            }
        }
        let collection = try await FeatureInput(source: geocoder, layer: nil).collection(network)
        do { return Gazetteer(try collection.inDegrees()) } catch {
            throw CommandFailure(.badData, "\(geocoder): \(error)")
        }
    }
}
