import ArgumentParser
import Foundation
import HelsinkiFixtures
import Portolan
import PortolanCity
import PortolanCodecs
import PortolanPaint
import PortolanRealtime
import PortolanTransit

/// Draws the current public transport of a city, or follows one vehicle.
@main
struct LiveCity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws lines, stops, live vehicles, a stop's departures and disruptions of a city.",
        discussion: """
            EXAMPLES
              LiveCity --demo
              LiveCity --demo --follow RHKL00202 --output tram.png
              LiveCity --feed gtfs.zip --source https://example.org/vehicles.pb --stop Kamppi
              LiveCity --feed gtfs.zip --source mqtt://mqtt.example.org --seconds 20
            """)

    @Flag(help: "Helsinki with a recording of invented vehicles, without the network.")
    var demo = false

    @Option(help: "A timetable: GTFS as a folder, an archive or a URL.")
    var feed: String?

    @Option(help: "Live vehicles: a URL of GTFS Realtime or SIRI, stomp://, mqtt://, or a recording.")
    var source: String?

    @Option(help: "For how many seconds a source is heard.")
    var seconds = 10.0

    @Option(help: "The stop whose departures are shown.")
    var stop: String?

    @Option(help: "A vehicle that stays in the middle: the picture is then an animated PNG.")
    var follow: String?

    @Option(help: "A template of tiles to draw under it.")
    var tiles: String?

    @Option(name: [.short, .long], help: "The picture, a PNG file.")
    var output = "live-city.png"

    func run() async throws {
        guard seconds > 0, seconds <= 3600 else {
            throw ValidationError("--seconds must be above 0 and at most 3600")
        }
        if let follow {
            var animation = AnimatedPNGEncoder()
            for frame in try await frames(following: follow) { try animation.add(frame, for: .milliseconds(700)) }
            try Data(animation.finish()).write(to: URL(filePath: output), options: .atomic)
        } else {
            var screen = try await screen(width: 1240, height: 800, zoom: 16.2)
            try screen.play(until: end(of: screen))
            try await screen.map.refresh().writePNG(to: output)
        }
        print(URL(filePath: output).path)
    }

    /// Returns the time shown; in the demonstration 16:26, two minutes into its recording.
    private func end(of screen: CityScreen) -> Date {
        demo ? HelsinkiTransit.start + 120 : screen.end
    }

    /// Returns a city with its timetable and vehicle records.
    func screen(width: Int, height: Int, zoom: Double) async throws -> CityScreen {
        if demo {
            let map = try await HelsinkiTransit.city(width: width, height: height, zoom: zoom)
            try HelsinkiTransit.limit(map)
            var screen = try CityScreen(
                on: map, timetable: HelsinkiTransit.timetable(), records: HelsinkiTransit.records(),
                stop: follow == nil ? stop ?? "Rautatieasema" : stop)
            screen.name = follow == nil ? "Helsinki" : ""
            screen.remark = follow == nil ? HelsinkiTransit.remark : "invented"
            return screen
        }
        guard let feed, let source else { throw ValidationError("give --feed and --source, or --demo") }
        let map = try MapFacade(width: width, height: height)
        if let tiles { try map.addXYZ(tiles, named: "tiles") }
        let timetable = try await TransitFeed(source: feed, client: map.services).timetable
        let records = try await heard(VehicleSource(source).open(client: map.services))
        let screen = try CityScreen(on: map, timetable: timetable, records: records, stop: stop)
        try map.fitFeatures()
        return screen
    }

    /// Returns the records of a few seconds, or all records of a recording.
    private func heard(_ opened: VehicleSource.Opened) async throws -> [ReplayFeed.Record] {
        if let recording = opened.feed as? ReplayFeed { return recording.records }
        let (interests, asking) = AsyncStream.makeStream(of: VehicleInterest.self)
        asking.yield(VehicleInterest())
        let listening = Task {
            var records: [ReplayFeed.Record] = []
            for await event in opened.feed.events(for: interests) {
                records.append(ReplayFeed.Record(time: Date(), event: event))
            }
            return records
        }
        try await Task.sleep(for: .seconds(seconds))
        listening.cancel()
        return await listening.value
    }

    /// Returns pictures of a moving vehicle over all records.
    ///
    /// - Parameter seen: receives the screen after each picture was drawn.
    func frames(
        following vehicle: String, count: Int = 8, seen: (CityScreen) -> Void = { _ in }
    ) async throws -> [PixelBuffer] {
        var screen = try await screen(width: 400, height: 300, zoom: 16.7)
        let start = screen.map.clockStart, end = demo ? start + 140 : screen.end
        var frames: [PixelBuffer] = []
        for number in 0..<count {
            let time = start + end.timeIntervalSince(start) * Double(number + 1) / Double(count)
            try screen.play(until: time)
            if number == 0 {
                try screen.follow(vehicle, at: time)
                try screen.play(until: time)
            }
            screen.map.options.notice = nil
            frames.append(try await screen.map.refresh().image)
            seen(screen)
        }
        return frames
    }
}
