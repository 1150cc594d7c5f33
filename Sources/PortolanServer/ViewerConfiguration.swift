#if Server
import Foundation
import Portolan
import PortolanCLI
import PortolanCity
import PortolanRealtime
import PortolanRouting
import PortolanServerCore
import PortolanTransit
import PortolanWeb
import Yams

/// The viewer configuration.
///
/// ```yaml
/// viewer:
///   services: [maps.example.org]
///   planner: osrm:https://osrm.example.org
///   geocoder: photon:https://photon.example.org
///   transit: feed.zip
///   vehicles: https://example.org/vehicles.pb
///   count: 64
///   concurrency: 1
///   memory-mib: 1024
///   patience: 60
/// ```
struct ViewerConfiguration: Sendable {
    /// The hosts whose services people may add to their map.
    private(set) var services = ViewerOffer.Services.none
    /// The resource limits of viewers.
    private(set) var budget = ViewerBudget(processors: ProcessInfo.processInfo.activeProcessorCount)
    private var planner: NamedProvider?
    private var geocoder: String?
    private var feed: String?
    private var vehicles: VehicleSource?
    private var start: Date?

    /// The local files that it consists of.
    var files: [String] { [feed].compactMap(\.self).filter(FileAddress.isLocal) }

    /// Reads the key `viewer`.
    mutating func read(_ node: Node, _ reader: YAMLReader) throws(ServerFailure) {
        for (key, node) in try reader.members(
            node, "'viewer'",
            known: [
                "services", "planner", "geocoder", "transit", "vehicles", "begins", "count", "concurrency",
                "memory-mib",
                "patience",
            ])
        {
            switch key {
            case "count": budget.count = try reader.whole(node, key, in: 1...10_000)
            case "concurrency": budget.concurrency = try reader.whole(node, key, in: 1...256)
            case "memory-mib": budget.byteCount = try reader.whole(node, key, in: 16...(1 << 20)) << 20
            case "patience": budget.patience = .seconds(try reader.whole(node, key, in: 5...86_400))
            case "services": services = try Self.services(node, reader)
            case "planner":
                let text = try reader.text(node, key)
                do throws(CommandFailure) { planner = try NamedProvider(text, option: "'planner'") } catch {
                    throw reader.failure(node, error.message)
                }
            case "geocoder":
                let text = try reader.text(node, key)
                geocoder = Self.service(in: text) == nil ? try reader.source(node, key) : text
            case "transit": feed = try reader.source(node, key)
            case "vehicles": vehicles = VehicleSource(try reader.source(node, key))
            default:
                let text = try reader.text(node, key)
                start = ISOTime.seconds(text).map { Date(timeIntervalSince1970: $0) }
                guard start != nil else {
                    throw reader.failure(node, "'begins' must be a time like 2026-11-21T16:24:00+02:00")
                }
            }
        }
        if feed == nil, vehicles != nil { throw reader.failure(node, "'vehicles' needs 'transit', a timetable") }
    }

    private static func services(
        _ node: Node, _ reader: YAMLReader
    ) throws(ServerFailure) -> ViewerOffer.Services {
        if let isAny = node.bool { return isAny ? .any : .none }
        guard let list = node.sequence else {
            throw reader.failure(node, "'services' must be true, false or a list of hosts")
        }
        var hosts: Set<String> = []
        for entry in list { hosts.insert(try reader.text(entry, "services").lowercased()) }
        return .of(hosts)
    }

    /// Returns the kind and the URL of a geocoding service, or `nil` if a text names a file.
    private static func service(in text: String) -> (kind: String, url: String)? {
        for kind in ["nominatim", "photon"] where text.hasPrefix(kind + ":http") {
            return (kind, String(text.dropFirst(kind.count + 1)))
        }
        return nil
    }

    /// Opens a geocoding service, or reads a gazetteer: a GeoNames table (`.txt`), or features with names.
    private static func geocoder(
        _ text: String, _ configuration: RendererConfiguration
    ) throws(ServerFailure) -> any Geocoder {
        if let (kind, url) = service(in: text) {
            let url = NamedURL(url, namedBy: .user), fetcher = configuration.fetcher()
            return kind == "photon"
                ? Photon(url, fetcher: fetcher, headers: configuration.headers(for: url))
                : Nominatim(url, fetcher: fetcher, userAgent: configuration.userAgent)
        }
        do {
            let bytes = try LocalFile(at: text).bytes(limit: 512 << 20)
            if text.hasSuffix(".txt") { return try Gazetteer(geoNames: bytes, from: text) }
            let collection = try MapRenderer(configuration: configuration).featureFormats.read(bytes)
            return Gazetteer(try collection.inDegrees())
        } catch { throw ServerFailure(.badData, "'geocoder': \(text): \(error)") }
    }

    /// Reads the timetable and opens the source of vehicles.
    ///
    /// - Parameter configuration: sends the requests.
    func offer(_ configuration: RendererConfiguration) async throws(ServerFailure) -> ViewerOffer {
        var offer = ViewerOffer()
        offer.services = services
        if let planner {
            offer.planner = RoutePlanner(provider: planner.provider(configuration))
            offer.modes = planner.modes
        }
        if let geocoder { offer.geocoder = try Self.geocoder(geocoder, configuration) }
        guard let feed else { return offer }
        let client = ServiceClient(configuration: configuration), begin = start ?? Date(), opened = Date()
        let timetable: Timetable
        do throws(MapError) {
            let feed = try await TransitFeed(source: feed, client: client), lost = feed.problems.lossCount
            timetable = feed.timetable
            if lost > 0 {
                ServerOutput.warn("'transit': \(lost) rows left out or cut; run portolan transit validate for details")
            }
        } catch { throw ServerFailure(.badData, "'transit': \(error.inner == nil ? error.message : error.sentence)") }
        var source: VehicleSource.Opened?
        do throws(MapError) {
            source = try await vehicles?.open(client: client, speed: .times(1), startingAt: begin)
        } catch { throw ServerFailure(.badData, "'vehicles': \(error.sentence)") }
        offer.city = PublishedCity(timetable, vehicles: source?.feed) {
            start == nil ? Date() : begin.addingTimeInterval(Date().timeIntervalSince(opened))
        }
        return offer
    }
}

extension YAMLReader {
    /// A URL, unchanged, or a path relative to the file.
    fileprivate func source(_ node: Node, _ key: String) throws(ServerFailure) -> String {
        let text = try text(node, key)
        return FileAddress.isLocal(text) ? path(text) : text
    }
}
#endif
