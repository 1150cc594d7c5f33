import Foundation
import Portolan
import PortolanRaster
import Testing

/// The main purpose of the package: a route over tiles and a service, in one picture.
@Suite(.onMapServers) struct CompositionTests {
    /// A route along the parallel of 41° N and one up the meridian of 2° W, a stop, and a lake's outline with a hole.
    static let route = """
        {"type": "FeatureCollection", "features": [
          {"type": "Feature", "properties": {"id": "way", "stroke": "#ff0000", "stroke-width": 6, "stroke-opacity": 1},
           "geometry": {"type": "LineString", "coordinates": [[-6, 41], [-1, 41]]}},
          {"type": "Feature", "properties": {"id": "half", "stroke": "#0000ff", "stroke-width": 8, "stroke-opacity": 0.5},
           "geometry": {"type": "LineString", "coordinates": [[-2, 38], [-2, 40]]}},
          {"type": "Feature", "properties": {"id": "area", "fill": "#00ff00", "fill-opacity": 1, "stroke-opacity": 0},
           "geometry": {"type": "Polygon", "coordinates": [
             [[-6, 38], [-4, 38], [-4, 40], [-6, 40], [-6, 38]], [[-5.5, 38.5], [-5.5, 39.5], [-4.5, 39.5], [-4.5, 38.5], [-5.5, 38.5]]]}}
        ]}
        """

    private let unit = 40_075_016.685578488 / 256 / 64
    /// Level 6: the picture's top left pixel on the level.
    private let left = 30 * 256 + 140, top = 23 * 256 + 180
    private let width = 400, height = 300

    /// The pixel of a place in degrees, by Mercator's formula.
    private func pixel(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
        let x = (longitude + 180) / 360 * 64 * 256
        let y = (1 - asinh(tan(latitude * .pi / 180)) / .pi) / 2 * 64 * 256
        return (x - Double(left), y - Double(top))
    }

    /// One premultiplied pixel over an opaque one, in real numbers.
    private func over(_ upper: Pixel, _ lower: Pixel, opacity: Double) -> Pixel {
        let rest = 1 - Double(upper.alpha) / 255 * opacity
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8((Double(a) * opacity + Double(b) * rest).rounded()) }
        return Pixel(
            red: mix(upper.red, lower.red), green: mix(upper.green, lower.green), blue: mix(upper.blue, lower.blue),
            alpha: 255)
    }

    /// Tiles and the service's picture over each other without the house: tiles on white, the picture at 60 %.
    private func background() async throws -> PixelBuffer {
        let servers = try MapServers.running()
        let size = try #require(ImageSize(width: width, height: height))
        var picture = try await DirectTiles.xyz(servers, layer: "political", level: 6)
            .picture(columns: 30...32, rows: 23...24).part(x: 140, y: 180, size: size).onWhite
        let edge = 20_037_508.342789244
        let minX = Double(left) * unit - edge, maxY = edge - Double(top) * unit
        let box = "\(minX),\(maxY - Double(height) * unit),\(minX + Double(width) * unit),\(maxY)"
        let cities = try await PixelBuffer(
            at: servers.mapServer + "SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=countries&STYLES=outline"
                + "&CRS=EPSG:3857&BBOX=\(box)&WIDTH=\(width)&HEIGHT=\(height)&FORMAT=image/png&TRANSPARENT=TRUE"
                + "&EXCEPTIONS=XML")
        try #require(!cities.isBlank)
        for y in 0..<height {
            for x in 0..<width { picture[x, y] = over(cities[x, y], picture[x, y], opacity: 0.6) }
        }
        return picture
    }

    @Test func `a route, tiles and a WMS are drawn into one picture`() async throws {
        let servers = try MapServers.running()
        let map = try MapFacade(size: #require(ImageSize(width: width, height: height)), renderer: .fresh())
        let viewport = try TileLayers.viewport(level: 6, x: left, y: top, width: width, height: height)
        try map.setExtent(viewport.extent)
        map.options.attribution = .none
        try map.add(try await TileLayers.wmsc("EPSG:3857"))
        var outline = try await ServiceClient.shared.wmsLayer(
            named: "outline", url: servers.mapServer, options: WMSOptions(layers: ["countries"], styles: ["outline"])
        ).layer
        outline.opacity = 0.6
        try map.add(outline)
        try map.addFeatures(Array(Self.route.utf8))
        let result = try await map.refresh()
        try #require(result.report.complete)
        #expect(result.report.layers.map(\.kind) == ["wmsc", "wms", "features"])
        let image = result.image, ground = try await background()

        // The route covers five rows around its parallel, whole pixels, and ends where it ends.
        let start = pixel(-6, 41), end = pixel(-1, 41)
        let row = Int(start.y)
        for x in Int(start.x) + 4..<Int(end.x) - 4 {
            for y in row - 1...row + 1 { #expect(image[x, y] == Pixel(.init(red: 255, green: 0, blue: 0))) }
        }
        // Half a blue: half of what is under it shines through.
        let low = pixel(-2, 38), high = pixel(-2, 40)
        let column = Int(low.x)
        let blue = Pixel(red: 0, green: 0, blue: 255, alpha: 255)
        for y in Int(high.y) + 5..<Int(low.y) - 5 {
            for x in column - 2...column + 2 { #expect(isNear(image[x, y], over(blue, ground[x, y], opacity: 0.5))) }
        }
        // The area is green and its hole shows the ground.
        let green = Pixel(.init(red: 0, green: 255, blue: 0))
        let inRing = pixel(-5.75, 39), inHole = pixel(-5, 39)
        #expect(image[Int(inRing.x), Int(inRing.y)] == green)
        #expect(isNear(image[Int(inHole.x), Int(inHole.y)], ground[Int(inHole.x), Int(inHole.y)]))

        // Everywhere else there is the ground and nothing else.
        let area = (pixel(-6, 40), pixel(-4, 38))
        var count = 0, wrong = 0
        for y in 0..<height {
            for x in 0..<width {
                let cx = Double(x) + 0.5, cy = Double(y) + 0.5
                let isRoute = abs(cy - start.y) < 5 && cx > start.x - 5 && cx < end.x + 5
                let isHalf = abs(cx - low.x) < 6 && cy > high.y - 6 && cy < low.y + 6
                let isArea =
                    cx > area.0.x - 2 && cx < area.1.x + 2 && cy > area.0.y - 2 && cy < area.1.y + 2
                guard !isRoute, !isHalf, !isArea else { continue }
                count += 1
                if !isNear(image[x, y], ground[x, y]) { wrong += 1 }
            }
        }
        #expect(wrong == 0)
        #expect(count > width * height / 2)

        // And as a file.
        let file = try PNGEncoder.encode(image)
        expectSame(try ImageDecoders.standard.decode(file), image)
        if let path = ProcessInfo.processInfo.environment["PORTOLAN_KEEP_PICTURE"] {
            try Data(file).write(to: URL(filePath: path))
        }
    }

    /// Whether two opaque pixels are equal up to rounding: an opacity of 60 % and each blending are whole numbers.
    private func isNear(_ one: Pixel, _ other: Pixel) -> Bool {
        let gaps = [(one.red, other.red), (one.green, other.green), (one.blue, other.blue)].map {
            abs(Int($0) - Int($1))
        }
        return gaps.allSatisfy { $0 <= 1 } && one.alpha == 255 && other.alpha == 255
    }
}
