#if GDAL
import Foundation
import PortolanArchives
import PortolanGDAL
import PortolanGeo
import PortolanRaster
import TestHelpers
import Testing

@Suite(.withGDALPrograms) struct GDALRasterTests {
    /// An image of one band as Arc/Info writes it, of values by column and row, and its path; pixels are 10 units wide, from 500000, 7000000 down.
    static func grid(
        _ name: String, in folder: TemporaryFolder, width: Int = 300, height: Int = 200, noData: Int? = nil,
        _ value: (Int, Int) -> Int
    ) throws -> String {
        var text =
            "ncols \(width)\nnrows \(height)\nxllcorner 500000\nyllcorner \(7_000_000 - 10 * height)\ncellsize 10\n"
        if let noData { text += "NODATA_value \(noData)\n" }
        for row in 0..<height { text += (0..<width).map { String(value($0, row)) }.joined(separator: " ") + "\n" }
        try folder.write(Array(text.utf8), to: name + ".asc")
        return folder.path + "/" + name + ".asc"
    }

    static func translate(
        _ source: String, _ name: String, in folder: TemporaryFolder, _ options: [String]
    ) throws -> String {
        let path = folder.path + "/" + name
        let status = try GDALSamples.run(
            "gdal_translate", ["--config", "GDAL_PAM_ENABLED", "NO"] + options + [source, path])
        try #require(status == 0, "gdal_translate of GDAL must be installed (Debian: gdal-bin)")
        return path
    }

    /// Bands put together, as an image in TIFF.
    static func colors(_ count: Int, in folder: TemporaryFolder, _ options: [String] = []) throws -> String {
        let values: [(Int, Int) -> Int] = [
            { column, _ in column % 256 }, { _, row in row }, { column, row in (column ^ row) & 255 },
            { column, _ in column < 100 ? 0 : column < 200 ? 128 : 255 },
        ]
        let bands = try (0..<count).map { try grid("band\($0)", in: folder, values[$0]) }
        let virtual = folder.path + "/bands.vrt"
        try #require(try GDALSamples.run("gdalbuildvrt", ["-separate", virtual] + bands) == 0)
        let names = ["red", "green", "blue", "alpha"].prefix(count).joined(separator: ",")
        return try translate(
            virtual, "colors.tif", in: folder,
            ["-ot", "Byte", "-a_srs", "EPSG:3067", "-a_nodata", "none", "-colorinterp", names] + options)
    }

    private static func pixel(_ image: GDALRaster, _ column: Int, _ row: Int, level: Int? = nil) throws -> Pixel {
        let grid = try image.grid(in: .webMercator), level = level ?? grid.matrices.count - 1
        let size = grid.matrices[level].tileWidth
        let tile = try #require(try image.tile(level: level, column: column / size, row: row / size))
        return Pixel(bits: tile.pixels[row % size * size + column % size])
    }

    @Test(arguments: [[], ["-co", "TILED=YES"], ["-co", "COMPRESS=DEFLATE", "-co", "INTERLEAVE=BAND"]])
    func `colours are those of the bands, pixel by pixel`(options: [String]) throws {
        let folder = try TemporaryFolder()
        let image = try GDALRaster(path: Self.colors(3, in: folder, options))
        #expect(image.name == "GTiff")
        #expect(image.notes.isEmpty)
        #expect(image.crs == (try CRS("EPSG:3067")))
        #expect(image.extent == Extent(minX: 500_000, minY: 6_998_000, maxX: 503_000, maxY: 7_000_000))
        for (column, row) in [(0, 0), (255, 0), (256, 199), (299, 199), (17, 133)] {
            let expected = Pixel(
                MapColor(red: UInt8(column % 256), green: UInt8(row), blue: UInt8((column ^ row) & 255)))
            #expect(try Self.pixel(image, column, row) == expected, "\(column) \(row)")
        }
        // Beyond the last column and row there is nothing.
        #expect(try Self.pixel(image, 300, 100) == .clear && Self.pixel(image, 100, 200) == .clear)
        #expect(try image.tile(level: 9, column: 0, row: 0) == nil)
        #expect(try image.tile(level: try image.grid().matrices.count - 1, column: 99, row: 0) == nil)
    }

    @Test func `an alpha band makes pixels transparent`() throws {
        let folder = try TemporaryFolder(), image = try GDALRaster(path: Self.colors(4, in: folder))
        #expect(try Self.pixel(image, 50, 50) == .clear)
        #expect(try Self.pixel(image, 150, 50) == Pixel(MapColor(red: 150, green: 50, blue: 150 ^ 50, alpha: 128)))
        #expect(try Self.pixel(image, 250, 50) == Pixel(MapColor(red: 250, green: 50, blue: 250 ^ 50)))
    }

    @Test func `values of more than eight bits are stretched, with a note`() throws {
        let folder = try TemporaryFolder()
        let heights = try Self.grid("heights", in: folder, noData: -1) { column, row in row < 20 ? -1 : column * 10 }
        let image = try GDALRaster(
            path: Self.translate(heights, "h.tif", in: folder, ["-ot", "Int16", "-a_srs", "EPSG:3067"]))
        #expect(image.notes == ["values from 0 to 2990 are stretched from black to white"])
        #expect(try Self.pixel(image, 100, 10) == .clear)
        for column in [0, 100, 299] {
            let level = UInt8((Double(column * 10) * 255 / 2990).rounded())
            #expect(try Self.pixel(image, column, 100) == Pixel(MapColor(red: level, green: level, blue: level)))
        }
        // Nothing was written down of the values.
        #expect(!folder.files.contains { $0.hasSuffix(".aux.xml") })
    }

    @Test func `the colours of a palette are applied`() throws {
        let folder = try TemporaryFolder()
        let classes = try Self.grid("classes", in: folder) { column, _ in column / 100 }
        let virtual = """
            <VRTDataset rasterXSize="300" rasterYSize="200"><GeoTransform>500000,10,0,7000000,0,-10</GeoTransform>
            <VRTRasterBand dataType="Byte" band="1"><ColorInterp>Palette</ColorInterp><ColorTable>
            <Entry c1="255" c2="0" c3="0" c4="255"/><Entry c1="0" c2="128" c3="0" c4="255"/><Entry c1="0" c2="0" c3="64" c4="255"/>
            </ColorTable><SimpleSource><SourceFilename>\(classes)</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>
            """
        try folder.write(Array(virtual.utf8), to: "p.vrt")
        let path = try Self.translate(folder.path + "/p.vrt", "p.tif", in: folder, ["-a_srs", "EPSG:3067"])
        let image = try GDALRaster(path: path)
        #expect(try Self.pixel(image, 50, 3) == Pixel(MapColor(red: 255, green: 0, blue: 0)))
        #expect(try Self.pixel(image, 150, 3) == Pixel(MapColor(red: 0, green: 128, blue: 0)))
        #expect(try Self.pixel(image, 250, 3) == Pixel(MapColor(red: 0, green: 0, blue: 64)))
    }

    @Test func `overviews become levels, and missing ones are derived from the coarsest`() throws {
        let folder = try TemporaryFolder()
        let gray = try Self.grid("gray", in: folder, width: 2048, height: 1024) { column, _ in column < 1024 ? 40 : 200
        }
        let path = try Self.translate(
            gray, "g.tif", in: folder, ["-ot", "Byte", "-a_srs", "EPSG:3067", "-co", "TILED=YES"])
        let plain = try GDALRaster(path: path)
        #expect(try plain.grid().matrices.map { $0.resolution.unitsPerPixel } == [80, 40, 20, 10])
        try #require(try GDALSamples.run("gdaladdo", ["-r", "average", path, "2"]) == 0)
        let image = try GDALRaster(path: path)
        #expect(try image.grid().matrices.map { $0.resolution.unitsPerPixel } == [80, 40, 20, 10])
        for level in 0..<4 {
            let width = 2048 >> (3 - level)
            for image in [plain, image] {
                let left = try Self.pixel(image, width / 4, 5, level: level),
                    right = try Self.pixel(image, width - 1, 5, level: level)
                #expect(
                    left == Pixel(MapColor(red: 40, green: 40, blue: 40))
                        && right == Pixel(MapColor(red: 200, green: 200, blue: 200)))
            }
        }
    }

    @Test func `an image without a CRS needs one to be given`() throws {
        let folder = try TemporaryFolder()
        let image = try GDALRaster(path: Self.grid("nowhere", in: folder) { column, _ in column % 256 })
        #expect(image.crs == nil)
        #expect(throws: ArchiveError.self) { try image.grid() }
        #expect(try image.grid(in: .webMercator).crs == .webMercator)
    }

    private static func code(_ path: String) -> ArchiveError.Code? {
        do { _ = try GDALRaster(path: path) } catch { return error.code }
        return nil
    }

    @Test func `images without a position, virtual ones and URLs are rejected`() throws {
        let folder = try TemporaryFolder(), path = try Self.colors(3, in: folder)
        #expect(Self.code(path) == nil)
        #expect(GDALRaster.recognizes(path: path))
        #expect(
            Self.code(folder.path + "/bands.vrt") == .wrongFormat
                && !GDALRaster.recognizes(path: folder.path + "/bands.vrt"))
        let flat = try Self.translate(path, "flat.png", in: folder, ["-of", "PNG"])
        #expect(Self.code(flat) == .wrongFormat)
        let aslant = folder.path + "/flat.pgw"
        try Data("10\n1\n1\n-10\n0\n0\n".utf8).write(to: URL(filePath: aslant))
        #expect(Self.code(flat) == .wrongFormat)
        try Data("10\n0\n0\n-10\n5\n-5\n".utf8).write(to: URL(filePath: aslant))
        #expect(Self.code(flat) == nil)
        let server = try LoopbackListener()
        server.start { _ in }
        defer { server.stop() }
        for name in [
            "/vsicurl/http://127.0.0.1:\(server.port)/a.tif", "http://127.0.0.1:\(server.port)/a.tif",
            "GTIFF_DIR:1:\(path)", "",
        ] {
            #expect(Self.code(name) == .cannotOpen, "\(name)")
        }
        #expect(server.connectionCount == 0)
    }

    @Test func `a file that only claims to be an overview is not opened`() throws {
        let folder = try TemporaryFolder(), path = try Self.colors(3, in: folder)
        func connections(_ work: () throws -> Void) throws -> Int {
            let server = try LoopbackListener()
            server.start { _ in }
            defer { server.stop() }
            let text = """
                <GDAL_WMS><Service name="TMS"><ServerUrl>http://127.0.0.1:\(server.port)/${z}/${x}/${y}.png</ServerUrl></Service>
                <DataWindow><UpperLeftX>0</UpperLeftX><UpperLeftY>100</UpperLeftY><LowerRightX>150</LowerRightX>
                <LowerRightY>0</LowerRightY><TileLevel>0</TileLevel><SizeX>150</SizeX><SizeY>100</SizeY></DataWindow>
                <BandsCount>3</BandsCount><BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY></GDAL_WMS>
                """
            try folder.write(Array(text.utf8), to: "colors.tif.ovr")
            try work()
            return server.connectionCount
        }
        let own = try connections {
            let image = try GDALRaster(path: path)
            for level in 0..<(try image.grid().matrices.count) { _ = try image.tile(level: level, column: 0, row: 0) }
        }
        #expect(own == 0)
        // GDAL's own program asks for the overview's tiles.
        let control = try connections {
            try GDALSamples.run("gdal_translate", ["-outsize", "150", "100", path, folder.path + "/small.tif"])
        }
        #expect(control > 0)
    }

    @Test func `damaged images give pixels or an error`() throws {
        let folder = try TemporaryFolder()
        _ = try Self.colors(3, in: folder, ["-co", "COMPRESS=DEFLATE", "-co", "TILED=YES"])
        let whole = try folder.bytes("colors.tif")
        var generator = SeededGenerator(seed: 5), opened = 0
        for round in 0..<200 {
            var bytes = whole
            if round % 4 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
            // Most breakable content is in the directory, at either end.
            for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
                let near = Int.random(in: 0..<min(bytes.count, 600), using: &generator)
                let index = Bool.random(using: &generator) ? near : bytes.count - 1 - near
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            try folder.write(bytes, to: "broken.tif")
            do throws(ArchiveError) {
                let image = try GDALRaster(path: folder.path + "/broken.tif")
                opened += 1
                for level in 0..<(try image.grid(in: .webMercator).matrices.count) {
                    _ = try image.tile(level: level, column: 0, row: 0)
                }
            } catch { #expect(!error.detail.contains("\n")) }
        }
        #expect(opened > 10)
    }
}
#endif
