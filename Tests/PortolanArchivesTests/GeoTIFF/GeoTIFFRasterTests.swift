import Foundation
import PortolanCodecs
import PortolanGeo
import PortolanRaster
import TestHelpers
import Testing

@testable import PortolanArchives

/// Images that GDAL wrote; `Fixtures/geotiff/make.py` states what GDAL reads from them.
@Suite struct GeoTIFFRasterTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/geotiff")
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".tif") }.map { String($0.dropLast(4)) }.sorted()

    static func path(_ name: String) -> String { folder.appending(path: "\(name).tif").path }

    @Test func `there are images of all kinds`() { #expect(Self.names.count == 67) }

    @Test(arguments: names)
    func `pixels are those that GDAL reads`(_ name: String) throws {
        #if !Images
        guard name != "webp", !name.hasPrefix("lerc"), !name.hasPrefix("zstd") else { return }
        #endif
        let image = try GeoTIFFRaster(path: Self.path(name))
        let grid = try image.grid(), finest = grid.matrices.count - 1
        #expect(image.crs == CRS.epsg(32632))
        #expect(image.extent == Extent(minX: 500_000, minY: 5_499_470, maxX: 500_750, maxY: 5_500_000))
        let tile = try #require(try image.tile(level: finest, column: 0, row: 0))
        let bytes = Array(try Data(contentsOf: Self.folder.appending(path: "\(name).png")))
        let expected = try ImageDecoders.standard.decode(bytes)
        var largest = 0
        for y in 0..<expected.height {
            for x in 0..<expected.width {
                let one = tile[x, y], other = expected[x, y]
                let channels = [
                    (one.red, other.red), (one.green, other.green), (one.blue, other.blue), (one.alpha, other.alpha),
                ]
                for (one, other) in channels { largest = max(largest, abs(Int(one) - Int(other))) }
            }
        }
        // Decoders of JPEG differ by their rounding.
        #expect(largest <= (name.hasPrefix("jpeg") ? 3 : 1))
        #expect(tile[expected.width, 0].alpha == 0)
    }

    private struct BandFacts: Decodable {
        let count: Int
        let sum: Double
        let diagonal: [Double?]
    }

    @Test func `values of bands are those that GDAL reads`() throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "values.json"))
        let facts = try JSONDecoder().decode([String: [BandFacts]].self, from: data)
        #expect(facts.count == Self.names.count)
        for (name, bands) in facts {
            #if !Images
            guard name != "webp", !name.hasPrefix("lerc"), !name.hasPrefix("zstd") else { continue }
            #endif
            let image = try GeoTIFFRaster(path: Self.path(name)), finest = try image.grid().matrices.count - 1
            #expect(image.bandCount == bands.count)
            for (index, expected) in bands.enumerated() {
                let found = try #require(try image.values(level: finest, column: 0, row: 0, band: index + 1))
                let valid = found.values.filter { !$0.isNaN }
                // GDAL has no mask for its alpha band itself; decoders of JPEG differ by their rounding.
                let isAlpha = image.image.alphaBand == index + 1
                if !isAlpha { #expect(valid.count == expected.count, "\(name) \(index + 1)") }
                let sum = valid.reduce(0.0) { $0 + Double($1) }
                let slack = name.hasPrefix("jpeg") ? 3.0 * 53 * 75 : max(abs(expected.sum) * 1e-5, 1)
                if !isAlpha { #expect(abs(sum - expected.sum) <= slack, "\(name) \(index + 1)") }
                for (place, value) in expected.diagonal.enumerated() where !isAlpha {
                    let own = found.values[place * 4 * found.width + place * 4]
                    guard let value else {
                        #expect(own.isNaN, "\(name) \(place)")
                        continue
                    }
                    #expect(
                        abs(Double(own) - value) <= (name.hasPrefix("jpeg") ? 3 : max(abs(value) * 1e-6, 1e-3)),
                        "\(name) \(place)")
                }
            }
        }
    }

    @Test func `values have the scale and offset of the file, and bands their descriptions`() throws {
        let image = try GeoTIFFRaster(path: Self.path("scaled"))
        #expect(image.image.bandNames == [1: "height 1", 2: "height 2"])
        let error = #expect(throws: ArchiveError.self) { try image.values(level: 0, column: 0, row: 0, band: 3) }
        #expect(error?.detail == "there is no band 3, only 2")
        #expect(try image.values(level: 9, column: 0, row: 0, band: 1) == nil)
    }

    @Test(arguments: [
        ("int16-little", "values from -100 to"), ("five-bands", "first three bands"),
        ("float32-big", "stretched from black"),
    ])
    func `decisions are told`(_ name: String, _ words: String) throws {
        #expect(try GeoTIFFRaster(path: Self.path(name)).notes.contains { $0.contains(words) })
    }

    @Test func `overviews are levels, and their masks belong to them`() throws {
        let image = try GeoTIFFRaster(path: Self.path("mask"))
        let grid = try image.grid()
        #expect(grid.matrices.count == 2)
        let coarse = try #require(try image.tile(level: 0, column: 0, row: 0))
        #expect(coarse[15, 12].alpha == 255)
        #expect(coarse[1, 1].alpha == 0)
        #expect(try image.tile(level: 0, column: 1, row: 0) == nil)
        #expect(try image.tile(level: 2, column: 0, row: 0) == nil)
    }

    @Test func `a CRS is needed, and may be given`() throws {
        let folder = try TemporaryFolder()
        var bytes = Array(try Data(contentsOf: Self.folder.appending(path: "rgb-none-strips-pixel.tif")))
        // The field of the CRS becomes an unknown one.
        let field: [UInt8] = [0xAF, 0x87]
        let place = try #require(bytes.indices.dropLast().first { Array(bytes[$0...$0 + 1]) == field })
        bytes[place] = 0xFF
        let path = folder.path + "/a.tif"
        try Data(bytes).write(to: URL(filePath: path))
        let image = try GeoTIFFRaster(path: path)
        #expect(image.crs == nil)
        #expect(throws: ArchiveError.self) { try image.grid() }
        #expect(try image.grid(in: .webMercator).crs == .webMercator)
    }

    @Test func `other files are refused`() throws {
        #expect(!GeoTIFFRaster.recognizes(path: Self.folder.appending(path: "mask.png").path))
        #expect(GeoTIFFRaster.recognizes(path: Self.path("mask")))
        for name in ["mask.png", "nothing.tif"] {
            let error = #expect(throws: ArchiveError.self) {
                try GeoTIFFRaster(path: Self.folder.appending(path: name).path)
            }
            #expect(error?.code == (name == "mask.png" ? .wrongFormat : .cannotOpen))
        }
    }

    // MARK: - Damaged files

    /// Opens a file and reads its finest tile; errors are expected.
    private static func read(_ bytes: [UInt8], at path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
        do throws(ArchiveError) {
            let image = try GeoTIFFRaster(path: path), grid = try image.grid(in: .webMercator)
            for level in grid.matrices.indices.suffix(2) { _ = try image.tile(level: level, column: 0, row: 0) }
            _ = try image.values(level: grid.matrices.count - 1, column: 0, row: 0, band: 1)
            _ = try image.layout()
        } catch { #expect(!error.detail.isEmpty) }
    }

    @Test(arguments: [
        "rgb-lzw-tiles-pixel", "rgb-packbits-strips-band", "float32-little", "jpeg-ycbcr", "mask", "int16-big-bigtiff",
        "zstd-rgb", "lerc-float32", "lerc_zstd-rgb", "lerc-rgba",
    ])
    func `cut and changed files give pixels or errors`(_ name: String) throws {
        let whole = Array(try Data(contentsOf: Self.folder.appending(path: "\(name).tif")))
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.tif"
        for count in stride(from: 0, to: whole.count, by: max(1, whole.count / 60)) {
            try Self.read(Array(whole.prefix(count)), at: path)
        }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<400 {
            var bytes = whole
            // Directories lie at the beginning or the end.
            let isHead = Bool.random(using: &generator)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let range = isHead ? 0..<min(600, bytes.count) : 0..<bytes.count
                bytes[Int.random(in: range, using: &generator)] =
                    [0, 1, 0x7F, 0xFF, UInt8.random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
            }
            try Self.read(bytes, at: path)
        }
    }

    @Test func `directories that lead in a circle are refused`() throws {
        // A little-endian TIFF whose only directory has no field and names itself as the next one.
        let bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0]
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.tif"
        try Data(bytes).write(to: URL(filePath: path))
        #expect(throws: ArchiveError.self) { try GeoTIFFRaster(path: path) }
    }
}
