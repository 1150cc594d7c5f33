import ArgumentParser
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanRouting
import PortolanTransit
import PortolanWeb

/// The options that say how a route is found.
struct RouteOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "osrm:URL, valhalla:URL, otp:URL (OpenTripPlanner's GraphQL address) or straight.",
            valueName: "provider"))
    var provider = "straight"

    @Option(help: "How one travels: car, foot, bicycle or transit.", transform: Self.word)
    var mode = TravelMode.foot

    @Option(
        help: ArgumentHelp(
            "The timetable of --mode transit: a ZIP archive, a folder or a URL of GTFS.", valueName: "feed"))
    var feed: String?

    @Option(help: "When the way by --feed begins, as 2026-11-23T08:00 or 08:00 (default: now).")
    var departure: String?

    @Option(help: "best: the order is looked for; given: it stays.", transform: Self.word)
    var order = RoutePlanner.Ordering.best

    @Flag(help: "End where the way began.")
    var roundTrip = false

    @Flag(help: "Let the last place given be the last.")
    var keepLast = false

    @Flag(help: "Let any place be the first.")
    var freeStart = false

    @Option(
        help: ArgumentHelp(
            "What the order is to save: time or distance.", valueName: "what"))
    var objective = ObjectiveName.time

    @Option(parsing: .unconditional, help: "The seed of the search.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Where names are looked up: a file of features, a table of GeoNames (.txt), nominatim:URL or photon:URL.",
            valueName: "source"))
    var geocoder: String?

    @Flag(help: "Print what to do on the way.")
    var directions = false

    @Option(name: .customLong("language"), help: "The language of directions and other words: en or es.")
    var languageCode = "en"

    @Option(help: "What the route is called.")
    var name: String?

    @Flag(help: "Print JSON.")
    var json = false

    /// A value by its word.
    private static func word<Value: RawRepresentable & CaseIterable>(_ text: String) throws -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: text) else {
            let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(text)' is none of \(words)")
        }
        return value
    }

    /// What an order is to save.
    enum ObjectiveName: String, ExpressibleByArgument, CaseIterable {
        case time, distance
    }

    func language() throws(CommandFailure) -> DirectionsLanguage {
        guard let language = DirectionsLanguage.named(languageCode) else {
            let known = DirectionsLanguage.all.map(\.code).joined(separator: " and ")
            throw CommandFailure(.usage, "--language \(languageCode) is not known; there are \(known)")
        }
        return language
    }

    /// What finds the order and the ways, and what is to be told of the timetable that it goes by.
    func planner(
        _ configuration: RendererConfiguration, offline: Bool
    ) async throws -> (planner: RoutePlanner, warning: String?) {
        guard let feed else {
            if departure != nil { throw CommandFailure(.usage, "--departure goes with --feed") }
            return (try servicePlanner(configuration, offline: offline), nil)
        }
        guard mode == .transit else { throw CommandFailure(.usage, "--feed goes with --mode transit") }
        guard provider == "straight" else {
            throw CommandFailure(.usage, "--feed and --provider both say who finds the way; give one of them")
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
            throw CommandFailure(.usage, "--offline asks no server; leave out --provider for straight lines")
        }
        let named = try NamedProvider(provider, option: "--provider")
        guard named.modes.contains(mode) else {
            throw CommandFailure(
                .usage, "--mode transit needs a timetable: give a GTFS feed by --feed, or --provider otp:URL")
        }
        return RoutePlanner(provider: named.provider(configuration, languageCode: try language().code), search: search)
    }

    /// What looks names up, or `nil` when nothing does.
    func geocoder(_ configuration: RendererConfiguration, _ network: NetworkOptions) async throws -> (any Geocoder)? {
        guard let geocoder else { return nil }
        let offline = network.offline
        for kind in ["nominatim", "photon"] where geocoder.hasPrefix(kind + ":http") {
            if offline { throw CommandFailure(.usage, "--offline asks no server; give a file to --geocoder") }
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
