import ArgumentParser
import Foundation
import HelsinkiFixtures
import Portolan
import PortolanCodecs
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster

/// Makes a strip atlas of a route: an overview, and pages that follow the route one after the other.
@main
struct StripAtlas: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a strip atlas of a route as a PDF.",
        discussion: """
            EXAMPLES
              StripAtlas --demo
              StripAtlas hike.gpx --tiles 'https://example.org/{z}/{x}/{y}.png' --crs EPSG:32632 --scale 25000
            """)

    @Argument(help: "The route: GPX, GeoJSON or KML.")
    var route: String?

    @Flag(help: "Walk through Helsinki over recorded vector tiles, without the network.")
    var demo = false

    @Option(help: "A template of tiles to draw under it.")
    var tiles: String?

    @Option(help: "The denominator of the scale on the ground.")
    var scale = 1150.0

    @Option(help: "The CRS of the pages, in which the scale is nearly the same everywhere.")
    var crs = "EPSG:32635"

    @Option(help: "Write a picture of the overview and two pages, too.")
    var picture: String?

    @Option(name: [.short, .long], help: "The document.")
    var output = "strip-atlas.pdf"

    /// The pixels per inch of the pages of the picture.
    private static let density = 96.0

    func run() async throws {
        let route = try demo ? HelsinkiHike.route() : ownRoute()
        guard let line = RouteLine(route) else { throw ValidationError("there is no line in it") }
        let system = try CRS(crs)
        let map = try demo ? await HelsinkiBaseMap.map(crs: system) : MapFacade(width: 640, height: 640)
        if let tiles { try map.addXYZ(tiles, named: "tiles") }
        try map.add(line.layer(at: 0))
        let renderer = demo ? HelsinkiWalk.renderer() : MapRenderer()

        let atlas = try atlas(of: route, line, in: system)
        var options = map.options
        options.title = line.name
        options.page = PrintPage(paper: paper, margin: Self.margin)
        options.showsScaleBar = true
        options.showsNorthArrow = true
        let document = try await renderer.pdf(of: atlas, layers: map.layers, options: options)
        try document.write(to: output)
        print("\(URL(filePath: output).path): an overview and \(atlas.count) pages")

        guard let picture else { return }
        var pages: [PixelBuffer] = []
        for index in [0, 16, 17] where index < atlas.pages.count {
            let result = try await renderer.render(
                map.layers, in: atlas.pages[index].viewport, options: atlas.options(ofPage: index, options))
            pages.append(result.pageImage)
        }
        try Data(PNGEncoder.encode(Self.stack(of: pages))).write(to: URL(filePath: picture), options: .atomic)
    }

    /// Pages of A6 with a margin of 8 mm.
    private var paper: PaperSize? { PaperSize(width: 148, height: 105) }
    private static let margin = 8 * 96 / 25.4

    /// Returns the pages along a route, each rotated so that the route runs along it.
    private func atlas(of route: FeatureCollection, _ line: RouteLine, in system: CRS) throws -> Atlas {
        var request = ViewRequest()
        request.paper = paper
        request.dotsPerInch = Self.density
        request.margin = 8
        request.scaleDenominator = scale
        request.crs = system
        let transform = try CoordinateTransform(from: route.effectiveCRS, to: system)
        request.center = line.place(at: line.length / 2)
        let lines = route.features.compactMap(\.geometry).filter { [.lineString, .multiLineString].contains($0.kind) }
        return try Atlas(
            along: lines.flatMap(\.parts).map { $0.compactMap { transform($0) } },
            on: request.viewport(for: []), isRotated: true)
    }

    /// Returns pages below each other on grey.
    private static func stack(of pages: [PixelBuffer]) throws -> PixelBuffer {
        let gap = 12, width = (pages.map(\.width).max() ?? 1) + 2 * gap
        let height = pages.reduce(gap) { $0 + $1.height + gap }
        guard let size = ImageSize(width: width, height: height) else { throw ValidationError("no pages") }
        var canvas = Canvas(size: size, background: MapColor(red: 120, green: 124, blue: 130)), y = gap
        for page in pages {
            canvas.draw(page, atX: gap, y: y)
            y += page.height + gap
        }
        return canvas.buffer
    }

    /// Reads the user's route.
    private func ownRoute() throws -> FeatureCollection {
        guard let route else { throw ValidationError("give a route, or --demo") }
        return try FeatureFormats.standard.read([UInt8](try Data(contentsOf: URL(filePath: route))))
    }
}
