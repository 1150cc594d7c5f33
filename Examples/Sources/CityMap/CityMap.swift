import ArgumentParser
import Foundation
import HelsinkiFixtures
import Portolan

/// Draws a city with a full MapLibre style: one layer, whose sources are feature files next to the style.
@main
struct CityMap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws a city with a MapLibre style.",
        discussion: """
            EXAMPLES
              CityMap --demo --zoom 17 --pixel-ratio 2
              CityMap --style city.json --center 24.944,60.1716 --zoom 16 --output city.png
            """)

    @Flag(help: "Draw Helsinki, from data of OpenStreetMap that is here, without the network.")
    var demo = false

    @Option(help: "The file or URL of a MapLibre style.")
    var style: String?

    @Option(help: "Longitude and latitude of the middle, in degrees.")
    var center = "24.944,60.1716"

    @Option(help: "The zoom level, of tiles of 256 pixels: one more than the style counts.")
    var zoom = 16.0

    @Option(help: "How many pixels of the picture are as wide as one of the view.")
    var pixelRatio = 1.0

    @Option(name: [.short, .long], help: "The picture, a PNG file.")
    var output = "city.png"

    func run() async throws {
        let place = center.split(separator: ",").compactMap { Double($0) }
        guard place.count == 2 else { throw ValidationError("--center \(center) is not of the form 24.94,60.17") }
        guard demo || style != nil else { throw ValidationError("give --style, or --demo") }
        let map =
            demo
            ? try HelsinkiWalk.empty(width: 1024, height: 768, pixelRatio: pixelRatio)
            : try MapFacade(width: 1024, height: 768, pixelRatio: pixelRatio)
        try map.center(on: Coordinate(longitude: place[0], latitude: place[1]), zoom: zoom)
        let added = try await map.addStyle(from: style ?? HelsinkiCity.style.path)
        for warning in added.warnings { print("note: \(warning)") }
        let picture = try await map.refresh()
        try picture.writePNG(to: output)
        print(URL(filePath: output).path)
        guard picture.report.complete else { throw ExitCode(3) }
    }
}
