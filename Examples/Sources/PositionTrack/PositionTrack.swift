import ArgumentParser
import Foundation
import HelsinkiFixtures
import Portolan
import PortolanCodecs
import PortolanFeatures
import PortolanFormats
import PortolanRaster
import PortolanRouteBook

/// Replays a recorded track as the position on a map, and writes an animated PNG.
@main
struct PositionTrack: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replays a track as the position on a map, into an animated PNG.",
        discussion: """
            EXAMPLES
              PositionTrack --demo
              PositionTrack walk.gpx --tiles 'https://example.org/{z}/{x}/{y}.png' --follow
              PositionTrack drive.nmea --speed 60 --output drive.png
            """)

    @Argument(help: "The track: GPX, GeoJSON with times, or NMEA sentences.")
    var track: String?

    @Flag(help: "Walk through Helsinki over a recorded service, without the network.")
    var demo = false

    @Option(help: "A template of tiles to draw under it.")
    var tiles: String?

    @Flag(help: "Keep the position in the middle, with where it goes to up.")
    var follow = false

    @Option(help: "How many times faster than it was.")
    var speed = 240.0

    @Option(help: "Pictures a second.")
    var rate = 5

    @Option(name: [.short, .long], help: "The animated PNG.")
    var output = "track.png"

    func run() async throws {
        guard speed > 0, speed.isFinite, (1...60).contains(rate) else {
            throw ValidationError("--speed is more than zero, --rate 1 to 60")
        }
        let map = demo ? try await HelsinkiWalk.city(width: 320, height: 550) : try MapFacade(width: 640, height: 480)
        if let tiles { try map.addXYZ(tiles, named: "tiles") }
        let positions = try await positions(by: map)
        guard let start = positions.fixes.first?.time else { throw ValidationError("there are no positions in it") }
        map.addLine(
            id: "track", through: positions.fixes.map(\.place),
            style: Style(stroke: LineSymbol(color: MapColor(red: 30, green: 90, blue: 200, alpha: 110), width: 4)))
        map.options.infoBar = Furniture.InfoBar(title: "")
        if demo { try HelsinkiWalk.show(all: map) } else { try map.fitFeatures(padding: 24) }
        map.startPosition(following: follow ? .followWithCourse : .none, at: .zero)

        var animation = AnimatedPNGEncoder(), recorder = TrackRecorder(), coming = positions.fixes[...]
        let step = 1 / Double(rate), length = positions.duration / .seconds(1) / speed
        for picture in 0...Int((length / step).rounded(.up)) {
            let time = Duration.seconds(Double(picture) * step), moment = start + Double(picture) * step * speed
            while let fix = coming.first, fix.time <= moment {
                recorder.add(fix)
                map.handle(.fix(fix), at: time)
                coming.removeFirst()
            }
            map.advance(to: time)
            map.options.infoBar = Furniture.InfoBar(
                title: String(format: "%.2f km", recorder.meters / 1000),
                facts: [RouteFacts.hours(recorder.duration / .seconds(60))])
            try animation.add(try await map.refresh().image, for: .seconds(step))
        }
        try Data(animation.finish()).write(to: URL(filePath: output), options: .atomic)
        print(URL(filePath: output).path)
    }

    /// Returns the positions of the user's track, or a simulated walk.
    private func positions(by map: MapFacade) async throws -> ReplayedPositions {
        guard let path = demo ? HelsinkiWalk.route.path : track else {
            throw ValidationError("give a track, or --demo")
        }
        let document = [UInt8](try Data(contentsOf: URL(filePath: path)))
        guard FeatureFormats.standard.format(recognizing: document) != nil else {
            let log = ReplayedPositions.nmea(document)
            if let first = log.problems.first {
                let text = "\(path): \(log.problems.count) damaged sentences are left out, the first on \(first)\n"
                FileHandle.standardError.write(Data(text.utf8))
            }
            guard !log.source.fixes.isEmpty else { throw ValidationError("\(path): there are no positions in it") }
            return log.source
        }
        let collection = try FeatureFormats.standard.read(document)
        guard demo else { return .recorded(collection) }
        let line = collection.features.lazy.compactMap(\.route).first?.geometry.coordinates ?? []
        return .along(line, metersPerSecond: 1.4, every: .seconds(2))
    }
}
