import ArgumentParser
import Foundation
import HelsinkiFixtures
import Portolan
import PortolanCodecs
import PortolanFeatures
import PortolanFormats
import PortolanPaint
import PortolanRaster

/// Makes a film of a hike: a marker moves along the track, and below the map along its elevation profile.
@main
struct HikeFilm: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a film of a hike over a map, with its elevation profile.",
        discussion: """
            EXAMPLES
              HikeFilm --demo
              HikeFilm hike.gpx --tiles 'https://example.org/{z}/{x}/{y}.png' --follow --output hike.gif
            """)

    @Argument(help: "The track with elevations: GPX, GeoJSON or KML.")
    var track: String?

    @Flag(help: "Walk through Helsinki over recorded tiles, without the network. The elevations are invented.")
    var demo = false

    @Option(help: "A template of tiles to draw under it.")
    var tiles: String?

    @Flag(help: "Keep the marker in the middle.")
    var follow = false

    @Option(help: "The length of the film in seconds.")
    var seconds = 6.0

    @Option(help: "Pictures a second.")
    var rate = 6

    @Option(name: [.short, .long], help: "The film: an animated .png, .gif or .webp.")
    var output = "hike-film.png"

    func run() async throws {
        guard (0.1...600).contains(seconds), (1...60).contains(rate) else {
            throw ValidationError("--seconds is 0.1 to 600, --rate 1 to 60")
        }
        let route = try demo ? HelsinkiHike.route() : ownRoute()
        guard let line = RouteLine(route) else { throw ValidationError("there is no line in it") }
        let map = try demo ? await HelsinkiBaseMap.map(width: 480, height: 600) : MapFacade(width: 640, height: 640)
        if let tiles { try map.addXYZ(tiles, named: "tiles") }
        var profile = try Furniture.ProfilePanel(of: route)
        profile.title = line.name
        profile.slopes = .standard
        map.options.profile = profile
        try map.add(line.layer(at: 0))
        try map.fitFeatures(padding: 24)

        var animation = encoder
        let count = max(Int((seconds * Double(rate)).rounded()), 2)
        for picture in 0..<count {
            let distance = line.length * Double(picture) / Double(count - 1)
            try map.add(line.layer(at: distance), replacing: true)
            map.options.profile?.position = distance
            if follow { try map.center(on: line.camera(at: distance, over: line.length / 30), zoom: 15.5) }
            try animation.add(try await map.refresh().image, for: .seconds(1) / rate)
        }
        try Data(animation.finish()).write(to: URL(filePath: output), options: .atomic)
        print(URL(filePath: output).path)
    }

    /// The encoder for the output.
    private var encoder: any AnimationEncoder {
        switch URL(filePath: output).pathExtension.lowercased() {
        case "gif": GIFEncoder()
        case "webp": AnimatedWebPEncoder()
        default: AnimatedPNGEncoder()
        }
    }

    /// Reads the user's track.
    private func ownRoute() throws -> FeatureCollection {
        guard let track else { throw ValidationError("give a track, or --demo") }
        return try FeatureFormats.standard.read([UInt8](try Data(contentsOf: URL(filePath: track))))
    }
}
