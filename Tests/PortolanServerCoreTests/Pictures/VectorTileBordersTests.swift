#if Text && Storage
import Foundation
import Portolan
import PortolanCodecs
import PortolanGeo
import PortolanPlan
import PortolanRaster
import TestHelpers
import Testing

@testable import PortolanPaint
@testable import PortolanServerCore

/// Tiles drawn from vector tiles, beside one picture of all of them.
///
/// `PORTOLAN_BORDERS=all` compares about 1,000 borders instead of 128.
@Suite struct VectorTileBordersTests {
    /// A square of tiles.
    struct Block: CustomTestStringConvertible, Sendable {
        let archive: String
        let level: Int, column: Int, row: Int
        /// The number of columns and rows.
        let columns: Int, rows: Int
        var ratio = 1
        /// Whether labels extend over borders.
        var hasLabels = true

        var borderCount: Int { (columns - 1) * rows + columns * (rows - 1) }
        var testDescription: String { "\(archive), level \(level), \(columns) × \(rows) tiles" }
    }

    static let blocks =
        [
            Block(archive: "helsinki", level: 15, column: 18_652, row: 9_482, columns: 4, rows: 4, hasLabels: false),
            Block(archive: "helsinki", level: 16, column: 37_306, row: 18_966, columns: 4, rows: 4),
            Block(archive: "dortmund", level: 13, column: 4_260, row: 2_722, columns: 10, rows: 4),
            Block(archive: "dortmund", level: 13, column: 4_262, row: 2_723, columns: 3, rows: 2, ratio: 2),
        ] + (ProcessInfo.processInfo.environment["PORTOLAN_BORDERS"] == "all" ? more : [])

    private static let more = [
        Block(archive: "helsinki", level: 14, column: 9_326, row: 4_741, columns: 2, rows: 2, hasLabels: false),
        Block(archive: "helsinki", level: 17, column: 74_608, row: 37_928, columns: 16, rows: 16),
        Block(archive: "dortmund", level: 14, column: 8_520, row: 5_444, columns: 20, rows: 8),
        Block(archive: "dortmund", level: 15, column: 17_048, row: 10_892, columns: 8, rows: 8),
    ]

    /// A style whose lines, dashes, discs and translucent areas all extend over borders.
    private static func style(_ archive: String) -> String {
        """
        {"version": 8,
         "sources": {"t": {"type": "vector", "url": "mbtiles://\(SampleServer.fixtures)/vector-tiles/\(archive).mbtiles"}},
         "layers": [
          {"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
          {"id": "cover", "type": "fill", "source": "t", "source-layer": "landcover",
           "paint": {"fill-color": "#33aa33", "fill-opacity": 0.4, "fill-outline-color": "#002200"}},
          {"id": "water", "type": "fill", "source": "t", "source-layer": "water",
           "paint": {"fill-color": "#3366cc", "fill-opacity": 0.5}},
          {"id": "shore", "type": "line", "source": "t", "source-layer": "water",
           "paint": {"line-color": "#000066", "line-width": 3, "line-dasharray": [4, 2, 1, 2]}},
          {"id": "roads", "type": "line", "source": "t", "source-layer": "transportation",
           "paint": {"line-color": "#cc0000", "line-width": 4, "line-dasharray": [3, 2]}},
          {"id": "wide", "type": "line", "source": "t", "source-layer": "transportation",
           "filter": ["in", "class", "motorway", "primary", "secondary"], "layout": {"line-cap": "round"},
           "paint": {"line-color": "#0000cc", "line-width": 16, "line-opacity": 0.6, "line-dasharray": [1, 2]}},
          {"id": "double", "type": "line", "source": "t", "source-layer": "transportation",
           "paint": {"line-color": "#555555", "line-width": 1, "line-gap-width": 6}},
          {"id": "spots", "type": "circle", "source": "t", "source-layer": "poi",
           "paint": {"circle-radius": 8, "circle-color": "#0088ff", "circle-opacity": 0.6}},
          {"id": "streets", "type": "symbol", "source": "t", "source-layer": "transportation_name",
           "layout": {"symbol-placement": "line", "text-field": ["coalesce", ["get", "name:latin"], ["get", "ref"]],
                      "text-font": ["DejaVu Sans"], "text-size": 12},
           "paint": {"text-color": "#000000", "text-halo-color": "#ffffff", "text-halo-width": 1}},
          {"id": "places", "type": "symbol", "source": "t", "source-layer": "place",
           "layout": {"text-field": ["get", "name:latin"], "text-font": ["DejaVu Sans"], "text-size": 16}}
         ]}
        """
    }

    private static func map(_ block: Block, _ folder: TemporaryFolder) async throws -> PublishedMap {
        try folder.write(Array(style(block.archive).utf8), to: "style.json")
        var configuration = RendererConfiguration()
        configuration.fontFiles = ["\(SampleServer.fixtures)/fonts/DejaVuSans.ttf"]
        configuration.usesSystemFonts = false
        let source = MapSource(name: "map", layers: ["style:\(folder.path)/style.json"])
        return try await MapBook.open([source], configuration: configuration).map("map")
    }

    /// The identity of a placed label: its text and its box in 16ths of a pixel.
    private struct Placed: Hashable {
        let text: String
        let box: [Int]
    }

    @Test(arguments: blocks)
    func `tiles agree with one picture of all of them to the pixel`(_ block: Block) async throws {
        let folder = try TemporaryFolder(), threads = RenderThreads(count: 2)
        var settings = PictureMaker.Settings(processors: 2)
        // Other tests may keep all processors for longer than a person would wait.
        settings.deadline = .seconds(600)
        let map = try await Self.map(block, folder), maker = PictureMaker(settings), cells = TileLabels()
        let ratio = block.ratio, side = 256 * ratio
        var tiles: [(column: Int, row: Int, pixels: PixelBuffer)] = []
        var all = PlacedLabels(), known: Set<Placed> = [], crossingCount = 0
        for row in 0..<block.rows {
            for column in 0..<block.columns {
                var address = TileAddress(
                    grid: "WebMercatorQuad", level: block.level, column: block.column + column,
                    row: block.row + row, format: .png)
                address.ratio = ratio
                var request = try address.picture(of: map, labelReach: 128)
                request.background = .white
                let picture = try await maker.picture(request)
                try #require(!picture.hasHoles)
                tiles.append((column, row, try ImageDecoders.standard.decode(picture.bytes)))
                let own = await cells.labels(
                    of: request, at: try #require(request.tile), options: RenderOptions(), on: threads, now: 0)
                // A label of several tiles is painted once in the whole picture.
                let moved = own.labels.moved(x: Double(column * side), y: Double(row * side))
                all.add(
                    moved.filtered { label in
                        let sides = label.boxes.first.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] } ?? []
                        let text = label.text?.lines.map(\.text).joined(separator: "\n") ?? ""
                        let isNew = known.insert(Placed(text: text, box: sides.map { Int(($0 * 16).rounded()) }))
                            .inserted
                        if !isNew { crossingCount += 1 }
                        return isNew
                    })
            }
        }
        let grid = try #require(ServedTileGrid.named("WebMercatorQuad"))
        let first = try #require(grid.tile(block.level, block.column, block.row))
        let last = try #require(
            grid.tile(block.level, block.column + block.columns - 1, block.row + block.rows - 1))
        let view = try Viewport(
            center: Coordinate(
                x: (first.extent.minX + last.extent.maxX) / 2, y: (first.extent.maxY + last.extent.minY) / 2),
            resolution: first.resolution,
            size: try #require(ImageSize(width: 256 * block.columns, height: 256 * block.rows)),
            pixelRatio: Double(ratio), crs: grid.grid.crs)
        var options = RenderOptions()
        options.background = .white
        options.attribution = .none
        options.labels = all
        let whole = try await map.renderer.render(map.layers, in: view, options: options).image
        #expect(crossingCount > 0 || !block.hasLabels)
        for tile in tiles {
            var unlike = 0
            for y in 0..<side {
                for x in 0..<side {
                    let one = tile.pixels[x, y], other = whole[tile.column * side + x, tile.row * side + y]
                    // Coordinates are rounded in another picture, and ends of lines on a distant border differ by up to
                    // half a unit of the tile.
                    if Self.difference(one, other) > 16 { unlike += 1 }
                }
            }
            // Half a unit is up to half a pixel in tiles that are enlarged eight times.
            #expect(unlike <= (block.level > 16 ? 2 : 0), "tile \(tile.column), \(tile.row)")
        }
    }

    /// The largest difference of a channel.
    private static func difference(_ one: Pixel, _ other: Pixel) -> Int {
        zip([one.red, one.green, one.blue, one.alpha], [other.red, other.green, other.blue, other.alpha])
            .map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    @Test func `the blocks have enough borders`() {
        #expect(Self.blocks.reduce(0) { $0 + $1.borderCount } >= 100)
        #expect((Self.blocks + Self.more).reduce(0) { $0 + $1.borderCount } >= 1_000)
    }
}
#endif
