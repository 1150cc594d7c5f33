import ArgumentParser
import Foundation
import HelsinkiFixtures
import Portolan

/// Mixes services into one map: WMS of different servers, each with an opacity, over the tiles of a WMS-C.
@main
struct LayerMix: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws several WMS over the tiles of a WMS-C.",
        discussion: """
            EXAMPLES
              LayerMix --demo
              LayerMix --tiles https://example.org/tiles --tile-layer base \\
                --wms 'https://example.org/wms|parcels|0.6' --wms 'https://example.com/wms|names' \\
                --center -0.88,41.65 --zoom 15 --output mix.png
            """)

    @Flag(help: "Mix recorded services of Helsinki, without the network.")
    var demo = false

    @Option(help: "The address of a WMS with tile sets.")
    var tiles: String?

    @Option(help: "The layer of the tiles.")
    var tileLayer = "base"

    @Option(help: "A WMS to draw over them: its address, its layer, and its opacity; repeatable, bottom first.")
    var wms: [String] = []

    @Option(help: "Longitude and latitude of the middle, in degrees.")
    var center = "0,0"

    @Option(help: "The zoom level.")
    var zoom = 14.0

    @Option(name: [.short, .long], help: "The picture, a PNG file.")
    var output = "mix.png"

    func run() async throws {
        let map = demo ? try await HelsinkiMix.map() : try await ownMix()
        let picture = try await map.refresh()
        try picture.writePNG(to: output)
        for layer in picture.report.layers where !layer.failed.isEmpty {
            print("missing: \(layer.name): \(layer.failed.count) of \(layer.requested)")
        }
        print(URL(filePath: output).path)
        guard picture.report.complete else { throw ExitCode(3) }
    }

    /// Returns a map of the user's services.
    private func ownMix() async throws -> MapFacade {
        let map = try MapFacade(width: 1024, height: 768),
            place = center.split(separator: ",").compactMap { Double($0) }
        guard place.count == 2 else { throw ValidationError("--center \(center) is not of the form 24.94,60.17") }
        try map.center(on: Coordinate(longitude: place[0], latitude: place[1]), zoom: zoom)
        if let tiles { try await map.addWMSC(tiles, layers: [tileLayer]) }
        for text in wms {
            let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard parts.count >= 2, let opacity = parts.count > 2 ? Double(parts[2]) : 1 else {
                throw ValidationError("--wms \(text) is not of the form address|layer|opacity")
            }
            try await map.addWMS(parts[0], layers: [parts[1]])
            try map.updateLayer(named: parts[1]) { $0.opacity = opacity }
        }
        guard !map.layers.isEmpty else { throw ValidationError("give --tiles and --wms, or --demo") }
        return map
    }
}
