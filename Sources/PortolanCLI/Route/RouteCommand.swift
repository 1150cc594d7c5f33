import ArgumentParser
import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanPaint
import PortolanRouteBook
import PortolanRouting

/// `portolan route`: a route through places, in the best order.
struct RouteCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Finds the best order of stops and a route through them.",
        usage: "portolan route <place>... [--provider <provider>] [<options>] [-o <file>]",
        discussion: """
            A PLACE is LON,LAT in degrees, or with --geocoder a name. It takes ;name=TEXT, ;stay=MINUTES, ;window=FROM-TO (minutes \
            after departure) and ;at=N (its number in the order). A file of points may have these as properties or columns. The \
            first place stays first.

            Without --provider, routes are straight lines, and distances are 1.3 times their length. The order is optimal for up to 13 places \
            between the ends; beyond that, the output states how far it may be from the optimum. -o writes .geojson, .gpx or .csv \
            (the places in order), or draws .png, .jpg, .webp, .svg or .pdf with the options of render.

            EXAMPLES
              The best order of three places on foot, and back:
                portolan route '24.9414,60.1713;name=Station' 24.9525,60.1695 \\
                  24.945,60.1690 --round-trip

              Along roads, with directions from an OSRM server:
                portolan route places.geojson --directions \\
                  --provider osrm:http://localhost:5000

              A picture over tiles, and a GPX file:
                portolan route places.geojson -o way.png \\
                  -l 'xyz:https://example.org/{z}/{x}/{y}.png'
                portolan route places.geojson -o way.gpx

              By public transport, from a GTFS timetable:
                portolan route 27.6783,62.8925 27.6409,62.8965 --mode transit \\
                  --feed kuopio.zip --departure 2016-11-16T08:00 --directions

              Places by name, in the given order, in Spanish:
                portolan route 'Rautatientori' 'Kauppatori' --geocoder places.geojson \\
                  --order given --directions --language es

            EXIT CODES
              0   found
              3   incomplete, such as straight lines if a server is down
              64  usage: invalid command line
              65  bad input data, or no route through the places
              66  input file missing
              69  service unavailable
              73  cannot write the output
              130 interrupted
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("A coordinate, a file of points, or a name.", valueName: "place"))
    var places: [String]

    @OptionGroup(title: "Route") var options: RouteOptions
    @OptionGroup(title: "Layers") var layers: LayerOptions
    @OptionGroup(title: "View") var view: ViewOptions
    @OptionGroup(title: "Text") var text: TextOptions
    @OptionGroup(title: "Furniture") var furniture: FurnitureOptions
    @OptionGroup(title: "Output") var picture: PictureOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { drawsPicture ? .draws : .ends(usual: .seconds(120)) }

    func run() async throws {
        let language = try options.language()
        let configuration = try network.configuration()
        let file = picture.output.map(OutputFile.init(path:))
        try check(file)
        let (route, isWhole) = try await Interruption.cancelling {
            let itinerary = try await RoutePlaces(
                texts: places, geocoder: try await options.geocoder(configuration, network),
                source: options.geocoder
            ).itinerary(options, network)
            let (planner, warning) = try await options.planner(configuration, offline: network.offline)
            if let warning, !picture.quiet { StandardError.warn(warning) }
            do {
                let route = try await planner.route(through: itinerary, mode: options.mode, ordering: options.order)
                return (route, !route.notes.contains(where: \.isEstimate))
            } catch let error as RoutingError { throw CommandFailure(error) }
        }
        if !picture.quiet { route.notes.forEach { StandardError.warn(RouteWords.note($0, language)) } }
        if let file { try await write(route, to: file, language) }
        if file?.isStandardOutput != true {
            let document = RouteDocument(route, language, hasDirections: options.directions)
            try OutputFile(path: "-").write(
                options.json ? JSONText.bytes(document) : Array(document.text(language).utf8))
        }
        if !isWhole { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }

    /// Whether the route is drawn as a picture, not written as features or printed.
    private var drawsPicture: Bool {
        picture.output.map { !["geojson", "json", "gpx", "csv"].contains(OutputFile(path: $0).pathExtension) } ?? false
    }

    /// Rejects contradictory options before any request.
    private func check(_ file: OutputFile?) throws {
        if options.keepLast, options.roundTrip {
            throw CommandFailure(
                .usage, "--keep-last and --round-trip contradict each other: a round trip ends at its first place")
        }
        let known = ["geojson", "json", "gpx", "csv", "png", "jpg", "jpeg", "webp", "svg", "pdf"]
        if let file, !file.isStandardOutput, !known.contains(file.pathExtension) {
            throw CommandFailure(
                .usage,
                "\(file.path): unknown extension; use .gpx, .geojson, .csv, .png, .jpg, .webp, .svg or .pdf")
        }
        if !layers.layer.isEmpty, !drawsPicture {
            throw CommandFailure(.usage, "-l needs a picture; add -o way.png")
        }
        if file?.isStandardOutput == true, options.json {
            throw CommandFailure(.usage, "the picture and --json cannot both go to standard output")
        }
        try file?.check()
    }

    private func write(_ route: PlannedRoute, to file: OutputFile, _ language: DirectionsLanguage) async throws {
        let title = options.name ?? RouteWords.title(language)
        switch file.pathExtension {
        case "geojson", "json":
            try file.write(GeoJSONWriter.write(SavedRoute.features(of: route, named: title)) + [UInt8(ascii: "\n")])
        case "csv":
            var places = SavedRoute.features(of: route, named: title)
            places.features.removeAll { $0.pointOfInterest == nil }
            try file.write(CSVFormat().write(places) ?? [])
        case "gpx":
            try file.write(GPXFormat().write(SavedRoute.features(of: route, named: title)) ?? [])
        default:
            var map = MapOptions()
            map.document = nil
            (map.layers, map.view, map.text) = (layers, view, text)
            var render = RenderCommand()
            (render.map, render.furniture, render.picture, render.network) = (map, furniture, picture, network)
            try await render.run(
                under: .plannedRoute(route), panel: Furniture.FactsPanel(route, title: title, language: language))
        }
    }
}

extension CommandFailure {
    /// A failure to find a route.
    init(_ error: RoutingError) {
        let status: ExitStatus =
            switch error {
            case .invalidItinerary, .contradiction, .unsupported: .usage
            case .invalidMatrix, .unreachable, .noRoad: .badData
            case .fetch, .refused, .malformed: .unavailable
            case .cancelled: .interrupted
            }
        self.init(status, error.description)
    }
}
