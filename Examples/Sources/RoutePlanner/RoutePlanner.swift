import ArgumentParser
import Foundation
import HelsinkiFixtures
import Portolan
import PortolanFetch
import PortolanFormats
import PortolanRouteBook
import PortolanRouting

/// Plans a round trip through places: in the given order and in the best order, side by side.
@main
struct RoutePlannerExample: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "RoutePlanner",
        abstract: "Draws a route through places before and after they are put in order.",
        discussion: """
            EXAMPLES
              RoutePlanner --demo
              RoutePlanner places.geojson --osrm http://localhost:5000 --mode car --output round.png
            """)

    @Argument(help: "A file of points.")
    var places: String?

    @Flag(help: "Eight places in Helsinki with recorded ways, without the network.")
    var demo = false

    @Option(help: "The address of a server of OSRM; straight lines when it is not given.")
    var osrm: String?

    @Option(help: "How one travels: car, foot or bicycle.")
    var mode = "foot"

    @Option(name: [.short, .long], help: "The picture, a PNG file.")
    var output = "route-planner.png"

    func run() async throws {
        let (given, best) = demo ? try await HelsinkiErrands.routes() : try await ownRoutes()
        let picture = try await Self.picture(given, best, isDemo: demo)
        try Data(PNGEncoder.encode(picture)).write(to: URL(filePath: output))
        for line in DirectionsText(best, in: .english).lines { print(line.sentence) }
        print(URL(filePath: output).path)
    }

    /// Returns both routes, each over its map.
    static func picture(_ given: PlannedRoute, _ best: PlannedRoute, isDemo: Bool) async throws -> PixelBuffer {
        var pictures: [PixelBuffer] = []
        for (route, title) in [(given, "As given"), (best, "In the best order")] {
            let map: MapFacade
            if isDemo {
                map = try await HelsinkiErrands.map(route, title: title, width: 640, height: 620)
            } else {
                map = try MapFacade(width: 640, height: 620)
                try map.show(route, title: title)
            }
            pictures.append(try await map.refresh().image)
        }
        return try HelsinkiErrands.sideBySide(pictures[0], pictures[1])
    }

    /// Returns routes through the user's places.
    private func ownRoutes() async throws -> (given: PlannedRoute, best: PlannedRoute) {
        guard let places else { throw ValidationError("give a file of points, or --demo") }
        guard let mode = TravelMode(rawValue: mode) else { throw ValidationError("--mode \(mode) is not known") }
        var itinerary = SavedRoute.itinerary(
            of: try FeatureFormats.standard.read([UInt8](Data(contentsOf: URL(filePath: places)))))
        itinerary.isRoundTrip = true
        var provider: any RoutingProvider = StraightLines()
        if let osrm {
            let fetcher = Fetcher(transport: systemTransport())
            provider = FallbackProvider(OSRMProvider(NamedURL(osrm, namedBy: .user), fetcher: fetcher))
        }
        let planner = PortolanRouting.RoutePlanner(provider: provider)
        return (
            try await planner.route(through: itinerary, mode: mode, ordering: .given),
            try await planner.route(through: itinerary, mode: mode)
        )
    }
}
