#if Text
import Foundation
import Portolan
import PortolanGeo
import TestHelpers
import Testing

@testable import PortolanPaint
@testable import PortolanServerCore

/// Labels of tiles, which are placed for cells of several tiles.
@Suite struct TileLabelsTests {
    /// A label that a tile draws: what it says, and where, in sixteenths of a pixel of the level.
    private struct Drawn: Hashable {
        let text: String
        let box: [Int]

        /// Whether any part of it is on the border at a position, or near it.
        func touches(_ place: Double, isColumn: Bool) -> Bool {
            let (low, high) = isColumn ? (box[0], box[2]) : (box[1], box[3])
            return Double(low) / 16 < place && Double(high) / 16 > place
        }
    }

    private static let level = 14, tiles = 9_320..<9_336, rows = 4_736..<4_752

    /// The coordinates of a place in tiles from the corner of the town.
    private static func place(_ x: Double, _ y: Double) -> String {
        let world = Double(1 << level)
        let longitude = (9_320 + x) / world * 360 - 180, turn = Double.pi * (1 - 2 * (4_736 + y) / world)
        return "[\(longitude), \(atan(sinh(turn)) * 180 / Double.pi)]"
    }

    /// A town of crossing streets, of shops along them, and of quarters, all with names.
    private static func town() throws -> [UInt8] {
        var random = SeededGenerator(seed: 7)
        var features: [String] = []
        func add(_ kind: String, _ coordinates: String, _ name: String) {
            features.append(
                #"{"type":"Feature","properties":{"name":"\#(name)"},"geometry":{"type":"\#(kind)","coordinates":\#(coordinates)}}"#
            )
        }
        for number in 0..<40 {
            let x = Double.random(in: 0..<16, using: &random), y = Double.random(in: 0..<16, using: &random)
            let points = (0..<12).map { step in
                place(x + Double(step) / 2 - 3, y + Double.random(in: -0.2...0.2, using: &random))
            }
            add("LineString", "[\(points.joined(separator: ","))]", "Street of \(number)")
        }
        for number in 0..<600 {
            add(
                "Point", place(.random(in: 0..<16, using: &random), .random(in: 0..<16, using: &random)),
                "Shop \(number)")
        }
        for number in 0..<60 {
            let x = Double.random(in: 0..<16, using: &random), y = Double.random(in: 0..<16, using: &random)
            let side = Double.random(in: 0.2...3, using: &random)
            let ring = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)].map { place(x + side * $0.0, y + side * $0.1) }
            add("Polygon", "[[\(ring.joined(separator: ","))]]", "Quarter \(number)")
        }
        return Array(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#.utf8)
    }

    private static func map(_ folder: TemporaryFolder) async throws -> PublishedMap {
        try folder.write(town(), to: "town.geojson")
        return try await map(of: "\(folder.path)/town.geojson;label=name")
    }

    private static func map(of layer: String) async throws -> PublishedMap {
        var configuration = RendererConfiguration()
        configuration.fontFiles = ["\(SampleServer.fixtures)/fonts/DejaVuSans.ttf"]
        configuration.usesSystemFonts = false
        let source = MapSource(name: "town", layers: [layer])
        return try await MapBook.open([source], configuration: configuration).map("town")
    }

    private static func drawn(
        _ column: Int, _ row: Int, _ ratio: Int, of map: PublishedMap, by labels: TileLabels, _ threads: RenderThreads
    ) async throws -> Set<Drawn> {
        var address = TileAddress(grid: "WebMercatorQuad", level: level, column: column, row: row, format: .png)
        address.ratio = ratio
        let request = try address.picture(of: map, labelReach: 128)
        let outcome = await labels.labels(
            of: request, at: try #require(request.tile), options: RenderOptions(), on: threads, now: 0)
        #expect(!outcome.hasHoles)
        var all: Set<Drawn> = []
        let left = Double(column * 256 * ratio), top = Double(row * 256 * ratio)
        _ = outcome.labels.contains { label in
            for box in label.boxes {
                let sides = [box.minX + left, box.minY + top, box.maxX + left, box.maxY + top]
                all.insert(
                    Drawn(
                        text: label.text?.lines.map(\.text).joined(separator: " ") ?? "",
                        box: sides.map { Int(($0 * 16).rounded()) }))
            }
            return false
        }
        return all
    }

    @Test(arguments: [1, 2])
    func `two tiles draw the same labels across their border, in any order of requests`(ratio: Int) async throws {
        let folder = try TemporaryFolder(), threads = RenderThreads(count: 2)
        let map = try await Self.map(folder)
        var known: [[Int]: Set<Drawn>] = [:]
        let labels = TileLabels()
        for row in Self.rows {
            for column in Self.tiles {
                known[[column, row]] = try await Self.drawn(column, row, ratio, of: map, by: labels, threads)
            }
        }
        var borderCount = 0, overCount = 0
        for row in Self.rows {
            for column in Self.tiles {
                for (isColumn, other) in [(true, [column + 1, row]), (false, [column, row + 1])] {
                    guard let one = known[[column, row]], let next = known[other] else { continue }
                    let place = Double((isColumn ? column + 1 : row + 1) * 256 * ratio)
                    let over = one.filter { $0.touches(place, isColumn: isColumn) }
                    // Both may have more of one that crosses both borders of a corner.
                    let along = { (drawn: Drawn) -> Bool in
                        let (low, high) = isColumn ? (drawn.box[1], drawn.box[3]) : (drawn.box[0], drawn.box[2])
                        let start = (isColumn ? row : column) * 256 * ratio * 16
                        return high > start && low < start + 256 * ratio * 16
                    }
                    #expect(
                        Set(over.filter(along))
                            == Set(next.filter { $0.touches(place, isColumn: isColumn) }.filter(along)),
                        "\(column)/\(row) and \(other)")
                    borderCount += 1
                    overCount += over.count
                }
            }
        }
        #expect(borderCount == 480 && overCount > 200)
        // Backwards, by others who know nothing of it.
        let fresh = TileLabels()
        for (place, before) in known.sorted(by: { $0.key.reversed().lexicographicallyPrecedes($1.key) }).prefix(40) {
            let again = try await Self.drawn(place[0], place[1], ratio, of: map, by: fresh, threads)
            #expect(again == before, "\(place)")
        }
    }

    @Test func `equal labels of areas are adjacent across cells as within them`() async throws {
        let folder = try TemporaryFolder(), threads = RenderThreads(count: 2), labels = TileLabels()
        let bars = (2..<60).map { number in
            let ring = [(0, 0), (1, 0), (1, 1), (0, 0)].map {
                Self.place(Double(number) / 4 + 0.02 * $0.0, 8.5 + 0.02 * $0.1)
            }
            let area = #"{"type":"Polygon","coordinates":[[\#(ring.joined(separator: ","))]]}"#
            return #"{"type":"Feature","properties":{},"geometry":\#(area)}"#
        }
        let data = #"{"type":"FeatureCollection","features":[\#(bars.joined(separator: ","))]}"#
        try folder.write(
            Array(
                #"""
                {"version":8,"sources":{"bars":{"type":"geojson","data":\#(data)}},"layers":[{"id":"bars","type":"symbol",
                 "source":"bars","layout":{"text-field":"Bar","text-font":["DejaVu Sans"],"text-size":12}}]}
                """#.utf8), to: "style.json")
        let map = try await Self.map(of: "style:\(folder.path)/style.json")
        var all: Set<Drawn> = []
        for column in Self.tiles {
            all.formUnion(try await Self.drawn(column, 4_744, 1, of: map, by: labels, threads))
        }
        #expect(all.count == bars.count)
    }

    @Test func `labels never overlap, and few are lost at the borders of cells`() async throws {
        let folder = try TemporaryFolder(), threads = RenderThreads(count: 2), labels = TileLabels()
        let map = try await Self.map(folder)
        var texts: [String: Set<Drawn>] = [:]
        for row in Self.rows {
            for column in Self.tiles {
                for drawn in try await Self.drawn(column, row, 1, of: map, by: labels, threads) {
                    texts[drawn.text, default: []].insert(drawn)
                }
            }
        }
        #expect(texts.keys.count { $0.hasPrefix("Shop") } > 300, "\(texts.count)")
        let all = texts.flatMap { text, boxes in boxes.map { (text, $0.box) } }
        for (number, one) in all.enumerated() {
            for other in all[(number + 1)...] where other.0 != one.0 {
                let isApart =
                    one.1[2] <= other.1[0] || other.1[2] <= one.1[0] || one.1[3] <= other.1[1] || other.1[3] <= one.1[1]
                #expect(isApart, "\(one) \(other)")
            }
        }
    }
}
#endif
