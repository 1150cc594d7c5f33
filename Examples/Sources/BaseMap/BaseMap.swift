import ArgumentParser
import Foundation
import HelsinkiFixtures
import Portolan

/// Draws a base map from vector tiles, with a built-in style and in any coordinate system.
@main
struct BaseMap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws a base map from vector tiles.",
        discussion: """
            EXAMPLES
              BaseMap
              BaseMap --style portolan-dark --crs EPSG:3067 --zoom 16 --output night.png
              BaseMap --tiles city.pmtiles --center 7.43,51.497 --zoom 13
            """)

    @Option(
        help: "Vector tiles in the OpenMapTiles schema: a PMTiles or MBTiles file, or the URL of a TileJSON document.")
    var tiles = HelsinkiBaseMap.tiles.path

    @Option(help: "The style: portolan-light, portolan-dark, or a file or URL with a source named openmaptiles.")
    var style = "portolan-light"

    @Option(help: "The coordinate system of the picture.")
    var crs = "EPSG:3857"

    @Option(help: "Longitude and latitude of the centre, in degrees.")
    var center = "24.944,60.1705"

    @Option(help: "The zoom level, counted in tiles of 256 pixels.")
    var zoom = 15.5

    @Option(name: [.short, .long], help: "The picture, a PNG or SVG file.")
    var output = "base-map.png"

    func run() async throws {
        let degrees = center.split(separator: ",").compactMap { Double($0) }
        guard degrees.count == 2 else {
            throw ValidationError("--center expects LONGITUDE,LATITUDE, found '\(center)'")
        }
        let map = try await HelsinkiBaseMap.map(
            tiles: tiles, style: style, crs: try CRS(crs),
            center: Coordinate(longitude: degrees[0], latitude: degrees[1]),
            zoom: zoom)
        let picture = try await map.refresh()
        if output.hasSuffix(".svg") { try picture.writeSVG(to: output) } else { try picture.writePNG(to: output) }
        print(URL(filePath: output).path)
        guard picture.report.complete else { throw ExitCode(3) }
    }
}
