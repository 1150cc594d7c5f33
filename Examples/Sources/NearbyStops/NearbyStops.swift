import ArgumentParser
import Foundation
import HelsinkiFixtures
import Portolan
import PortolanCity
import PortolanFetch
import PortolanTransit

/// Draws the stops around a coordinate, and the departures of the nearest one.
@main
struct NearbyStopsExample: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "NearbyStops",
        abstract: "Draws the stops around a place with their distances, and the next departures of the nearest one.",
        discussion: """
            EXAMPLES
              NearbyStops --demo
              NearbyStops --feed gtfs.zip --near 27.68,62.89 --meters 500
              NearbyStops --otp http://localhost:8080/otp/routers/default --near -74.08175,4.60971
              NearbyStops --otp http://localhost:8080/otp/gtfs/v1 --near 24.94,60.17 --tiles 'https://example.org/{z}/{x}/{y}.png'
            """)

    @Flag(help: "Helsinki by an invented timetable, without the network.")
    var demo = false

    @Option(help: "OpenTripPlanner: the address of a router (version 1), or of its GraphQL (version 2).")
    var otp: String?

    @Option(help: "A timetable: GTFS as a folder, an archive or a URL.")
    var feed: String?

    @Option(help: "Longitude and latitude of the place, in degrees.")
    var near: String?

    @Option(help: "How far stops may be, in metres.")
    var meters = 1000.0

    @Option(help: "A file of travel cards, the first of which is shown.")
    var cards: String?

    @Option(help: "A template of tiles to draw under it.")
    var tiles: String?

    @Option(name: [.short, .long], help: "The picture, a PNG file.")
    var output = "nearby-stops.png"

    func run() async throws {
        let (map, _) = try await demo ? demonstration() : picture()
        try await map.refresh().writePNG(to: output)
        print(URL(filePath: output).path)
    }

    /// Returns the stops around the railway square of Helsinki, with a fictitious card.
    func demonstration() async throws -> (map: MapFacade, screen: NearbyScreen) {
        let map = try await HelsinkiTransit.city(width: 1024, height: 720, zoom: 16.3)
        let place = Coordinate(longitude: 24.9452, latitude: 60.1697)
        let timetable = try HelsinkiTransit.timetable()
        var screen = NearbyScreen(
            finder: TimetableStops(StopBoard(timetable)), within: 300, now: HelsinkiTransit.start + 120,
            timeZone: timetable.timeZone(ofStop: 0))
        await screen.take(.located(place))
        await screen.chooseNearest()
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())/cards.json")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        var strip = try CardStrip(path: file.path)
        let card = try strip.add("1010 0000 0000 1234", named: "Tullave")
        try screen.draw(on: map, card: card.label)
        map.options.title = "Stops nearby · invented timetable"
        try map.center(on: Coordinate(longitude: 24.9428, latitude: 60.1697), zoom: 16.3)
        return (map, screen)
    }

    /// Returns the stops around the user's coordinate.
    private func picture() async throws -> (map: MapFacade, screen: NearbyScreen) {
        let numbers = (near ?? "").split(separator: ",").compactMap { Double($0) }
        guard numbers.count == 2 else { throw ValidationError("--near is longitude and latitude, as 24.94,60.17") }
        let map = try MapFacade(width: 1024, height: 720)
        if let tiles { try map.addXYZ(tiles, named: "tiles") }
        let finder: any StopFinder
        var timeZone = TimeZone.current
        if let otp {
            let fetcher = Fetcher(transport: systemTransport()), address = NamedURL(otp, namedBy: .user)
            finder =
                otp.contains("/routers/")
                ? OpenTripPlanner1Stops(address, fetcher: fetcher) : OpenTripPlanner2Stops(address, fetcher: fetcher)
        } else if let feed {
            let timetable = try await TransitFeed(source: feed, client: map.services).timetable
            if !timetable.stops.isEmpty { timeZone = timetable.timeZone(ofStop: 0) }
            finder = TimetableStops(StopBoard(timetable))
        } else {
            throw ValidationError("give --otp or --feed, or --demo")
        }
        var screen = NearbyScreen(finder: finder, within: meters, now: Date(), timeZone: timeZone)
        await screen.take(.located(Coordinate(longitude: numbers[0], latitude: numbers[1])))
        await screen.chooseNearest()
        try screen.draw(on: map, card: try cards.flatMap { try CardStrip(path: $0).cards.first?.label })
        map.options.title = "Stops nearby"
        try map.fitFeatures()
        return (map, screen)
    }
}
