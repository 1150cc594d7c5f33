import ArgumentParser
import Foundation
import HelsinkiFixtures
import Portolan
import PortolanRouteBook

/// Draws a picture of a route over tiles and a map service, with its places and a bar of facts.
///
/// The bar shows facts about the route, or about the place selected with `--select`.
@main
struct RouteSnapshot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws a route over a WMS-C and a WMS into a picture.",
        discussion: """
            EXAMPLES
              RouteSnapshot --demo
              RouteSnapshot route.geojson --tiles https://example.org/service --tile-layer base \\
                --wms https://example.org/wms --wms-layer labels --select poi03 --output route.png
            """)

    @Argument(help: "The route, a GeoJSON file.")
    var route: String?

    @Flag(help: "Draw the walk through Helsinki from recorded services, without the network.")
    var demo = false

    @Option(help: "The address of a WMS with tile sets.")
    var tiles: String?

    @Option(help: "The layer of the tiles.")
    var tileLayer = "base"

    @Option(help: "The address of a WMS to draw over the tiles.")
    var wms: String?

    @Option(help: "The layer of that WMS.")
    var wmsLayer = "labels"

    @Option(help: "The identifier of the place to select; the first one when it is not given.")
    var select: String?

    @Option(help: "The bearing that points up, in degrees.")
    var rotation: Double?

    @Option(help: "Width and height, as 1024x768 (default: 640x1100 for --demo, else 1024x768).")
    var size: String?

    @Option(name: [.short, .long], help: "The picture, a PNG or SVG file.")
    var output = "route.png"

    func run() async throws {
        let size = size ?? (demo ? "640x1100" : "1024x768"), sides = size.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2 else { throw ValidationError("--size \(size) is not of the form 1024x768") }
        let map =
            demo
            ? try await HelsinkiWalk.map(width: sides[0], height: sides[1])
            : try await ownRoute(width: sides[0], height: sides[1])
        if let select {
            try map.selectFeature(id: .string(select))
            map.options.infoBar = map.selectedPlace?.infoBar
        } else {
            map.selectNext()
        }
        let picture = try await map.refresh()
        if output.hasSuffix(".svg") { try picture.writeSVG(to: output) } else { try picture.writePNG(to: output) }
        for layer in picture.report.layers {
            for failure in layer.failed { print("missing: \(layer.name): \(failure.resource): \(failure.error)") }
        }
        print(URL(filePath: output).path)
        guard picture.report.complete else { throw ExitCode(3) }
    }

    /// Returns a map of the user's route over the user's services.
    private func ownRoute(width: Int, height: Int) async throws -> MapFacade {
        guard let route else { throw ValidationError("give a route, or --demo") }
        let map = try MapFacade(width: width, height: height)
        if let tiles { try await map.addWMSC(tiles, layers: [tileLayer]) }
        if let wms { try await map.addWMS(wms, layers: [wmsLayer]) }
        try map.rotate(to: rotation ?? 0)
        map.options.infoBar = try await map.addRoute(from: route).facts?.infoBar
        // Leaves room for the bar.
        try map.fitFeatures(padding: 50)
        return map
    }
}
