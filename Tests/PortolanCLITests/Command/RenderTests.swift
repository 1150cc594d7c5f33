import Foundation
import Portolan
import PortolanCodecs
import PortolanGeo
import PortolanRaster
import TestHelpers
import Testing

/// Pictures drawn from files alone.
@Suite struct RenderTests {
    @Test func `a bounding box in degrees on a map in metres is reported`() async throws {
        let portolan = try BuiltCommand()
        try portolan.write(#"{"type":"Point","coordinates":[0,40]}"#, to: "p.geojson")
        let box = ["render", "-l", "p.geojson", "--bbox=-10,35,5,45", "-o", "a.png", "--size", "64x64"]
        let ended = try await portolan.run(box)
        #expect(ended.status == 0)
        #expect(ended.errors.contains("looks like degrees") && ended.errors.contains("--bbox-crs EPSG:4326"))
        let told = try await portolan.run(box + ["--bbox-crs", "EPSG:4326"])
        #expect(told.status == 0 && !told.errors.contains("looks like degrees"))
    }

    private static let box = """
        {"type":"Feature","properties":{"fill":"#ff0000","fill-opacity":1,"stroke-opacity":0},
         "geometry":{"type":"Polygon","coordinates":[[[-1,-1],[1,-1],[1,1],[-1,1],[-1,-1]]]}}
        """

    private let portolan: BuiltCommand

    init() throws {
        portolan = try BuiltCommand()
        try portolan.write(Self.box, to: "box.geojson")
    }

    private func picture(_ name: String) throws -> PixelBuffer {
        try ImageDecoders.standard.decode(#require(portolan.file(name)))
    }

    @Test func `a view of a GeoParquet file is drawn without reading what is outside`() async throws {
        let fixture = "covering.parquet"
        var bytes = try Fixture.bytes("geoparquet/covering.parquet")
        try portolan.write(bytes, to: fixture)
        let view = ["--bbox", "20.1,0,23.4,1", "--crs", "EPSG:4326", "--size", "900x300", "--quiet"]
        let whole = try await portolan.run(["convert", fixture, "whole.geojson"])
        #expect(whole.status == 0, "\(whole.testDescription)")
        for (source, output) in [(fixture, "part.png"), ("whole.geojson", "whole.png")] {
            let ended = try await portolan.run(["render", "-l", source + ";fill=#808000", "-o", output] + view)
            #expect(ended.status == 0, "\(ended.testDescription)")
        }
        #expect(try picture("part.png") == picture("whole.png"))
        // The first row group is damaged after the mark of four bytes.
        for place in 4..<80 { bytes[place] = 0xFF }
        try portolan.write(bytes, to: "damaged.parquet")
        let part = try await portolan.run(["render", "-l", "damaged.parquet;fill=#808000", "-o", "damaged.png"] + view)
        #expect(part.status == 0, "\(part.testDescription)")
        #expect(try picture("damaged.png") == picture("whole.png"))
        // A legend and an overview need the rest.
        for option in [["--legend"], ["--locator", "auto"]] {
            let ended = try await portolan.run(["render", "-l", "damaged.parquet", "-o", "b.png"] + view + option)
            #expect(ended.status == 65, "\(ended.testDescription)")
        }
    }

    @Test func `a polygon and the background have the requested colours`() async throws {
        let ended = try await portolan.run([
            "render", "-l", "box.geojson", "--crs", "EPSG:4326", "--bbox", "-2,-2,2,2", "--size", "80x80",
            "--background", "#0000ff", "-o", "a.png",
        ])
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(ended.errors.isEmpty && ended.output.isEmpty)
        let image = try picture("a.png")
        #expect("\(image.size)" == "80x80")
        #expect(image[40, 40] == Pixel(red: 255, green: 0, blue: 0, alpha: 255))
        #expect(image[5, 5] == Pixel(red: 0, green: 0, blue: 255, alpha: 255))
        // Two degrees of four: the middle half.
        #expect(image[22, 40].red == 255 && image[17, 40].red == 0)
        #expect(image[40, 57].red == 255 && image[40, 62].red == 0)
    }

    @Test func `a bounding box is extended to the picture's aspect ratio, not stretched`() async throws {
        _ = try await portolan.run([
            "render", "-l", "box.geojson", "--crs", "EPSG:4326", "--bbox", "-1,-1,1,1", "--size", "120x40", "-o",
            "a.png", "--report", "a.json",
        ])
        let report = try JSONDecoder().decode(RenderReport.self, from: Data(#require(portolan.file("a.json"))))
        let expected: [Double] = [-3, -1, 3, 1]
        #expect(zip(report.view.extent, expected).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    @Test func `the pixel ratio scales the picture, not the view`() async throws {
        _ = try await portolan.run([
            "render", "-l", "box.geojson", "--center", "0,0", "--zoom", "6", "--size", "50x30", "--pixel-ratio", "2",
            "-o", "a.png", "--report", "a.json",
        ])
        let image = try picture("a.png")
        #expect("\(image.size)" == "100x60")
        let report = try JSONDecoder().decode(RenderReport.self, from: Data(#require(portolan.file("a.json"))))
        #expect(report.view.size == [50, 30])
        #expect(report.view.pixelRatio == 2)
        #expect(abs(report.view.zoom - 6) < 1e-9)
        // The world's 40 075 016.686 m in 256 pixels, halved six times.
        #expect(abs(report.view.resolution - 2_445.98490512564) < 1e-6)
    }

    @Test func `without a view the features are fitted`() async throws {
        _ = try await portolan.run(["render", "-l", "box.geojson", "--size", "300x300", "-o", "a.png"])
        let image = try picture("a.png")
        #expect(image[150, 150].green < 10)
        #expect(image[44, 150].green < 10 && image[36, 150].green > 245)
    }

    @Test func `a hyphen as output writes a PNG to standard output`() async throws {
        let ended = try await portolan.run(["render", "-l", "box.geojson", "--size", "20x10", "-o", "-"])
        #expect(ended.status == 0)
        #expect(ended.output.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(try ImageDecoders.standard.decode(ended.output).width == 20)
        #expect(portolan.files == ["box.geojson"])
    }

    #if Images
    @Test func `the extension webp selects WebP, lossless unless a quality is given`() async throws {
        let line = ["render", "-l", "box.geojson", "--size", "64x64", "--background", "transparent", "-o"]
        for arguments in [
            ["a.png"], ["a.WEBP"], ["b.webp", "--quality", "50"], ["a.jpg", "--quality", "20"], ["b.jpg"],
        ] {
            let ended = try await portolan.run(line + arguments)
            #expect(ended.status == 0, "\(ended.testDescription)")
        }
        func picture(_ name: String) throws -> PixelBuffer {
            try ImageDecoders.standard.decode(try #require(portolan.file(name)))
        }
        #expect(try picture("a.WEBP") == picture("a.png"))
        #expect(try picture("b.webp").size == picture("a.png").size && picture("b.webp") != picture("a.png"))
        #expect(try #require(portolan.file("b.webp")).count != #require(portolan.file("a.WEBP")).count)
        #expect(try #require(portolan.file("a.jpg")).count < #require(portolan.file("b.jpg")).count)
    }
    #endif

    @Test func `the extension jpg selects JPEG`() async throws {
        _ = try await portolan.run(["render", "-l", "box.geojson", "--size", "64x64", "-o", "a.JPG"])
        let bytes = try #require(portolan.file("a.JPG"))
        #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF]))
        let image = try ImageDecoders.standard.decode(bytes)
        #expect(image[32, 32].red > 240 && image[32, 32].green < 20)
    }

    @Test func `features are read from standard input`() async throws {
        let input = try FileHandle(forReadingFrom: portolan.folder.appending(path: "box.geojson"))
        let ended = try await portolan.run(
            ["render", "--layer", "-", "--size", "60x60", "-o", "a.png"], input: input)
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(try picture("a.png")[30, 30] == Pixel(red: 255, green: 0, blue: 0, alpha: 255))
    }

    @Test func `a semicolon in a file name is written as %3B`() async throws {
        try portolan.write(Self.box, to: "a;b.geojson")
        let ended = try await portolan.run(["render", "-l", "a%3Bb.geojson;name=x", "--size", "60x60", "-o", "a.png"])
        #expect(ended.status == 0, "\(ended.testDescription)")
    }

    @Test func `a new picture replaces the old one, and a failure keeps it`() async throws {
        try portolan.write("old", to: "a.png")
        let refused = try await portolan.run(["render", "-l", "none.geojson", "-o", "a.png"])
        #expect(refused.status == 66)
        #expect(portolan.file("a.png") == Array("old".utf8))
        _ = try await portolan.run(["render", "-l", "box.geojson", "--size", "60x60", "-o", "a.png"])
        #expect(try picture("a.png").width == 60)
        #expect(portolan.files == ["a.png", "box.geojson"])
    }

    @Test func `layers are drawn from bottom to top`() async throws {
        for (layers, color) in [(["#00ff00", "#0000ff"], "#0000ff"), (["#0000ff", "#00ff00"], "#00ff00")] {
            try portolan.write(Self.box.replacing("#ff0000", with: layers[0]), to: "one.geojson")
            try portolan.write(Self.box.replacing("#ff0000", with: layers[1]), to: "two.geojson")
            _ = try await portolan.run([
                "render", "-l", "one.geojson", "-l", "two.geojson", "--size", "60x60", "-o", "a.png",
            ])
            #expect(try picture("a.png")[30, 30] == Pixel(try #require(MapColor(css: color))))
        }
    }

    @Test func `a layer's opacity lets the background through`() async throws {
        _ = try await portolan.run([
            "render", "-l", "box.geojson;opacity=0.5", "--background", "transparent", "--size", "60x60", "-o", "a.png",
        ])
        #expect((127...128).contains(try picture("a.png")[30, 30].alpha))
        #expect(try picture("a.png")[0, 0].alpha == 0)
    }

    @Test func `quiet prints nothing`() async throws {
        let ended = try await portolan.run([
            "render", "-l", "box.geojson", "--size", "60x60", "-o", "a.png", "--quiet",
        ])
        #expect(ended.errors.isEmpty && ended.output.isEmpty)
    }

    @Test func `the rotation is the bearing at the top of the picture`() async throws {
        let east = Self.box.replacing(
            "[[[-1,-1],[1,-1],[1,1],[-1,1],[-1,-1]]]", with: "[[[4,-1],[6,-1],[6,1],[4,1],[4,-1]]]")
        try portolan.write(east, to: "east.geojson")
        let ended = try await portolan.run([
            "render", "-l", "east.geojson", "--crs", "EPSG:4326", "--center", "0,0", "--resolution", "0.1", "--size",
            "160x160", "--rotation", "90", "-o", "a.png", "--report", "a.json",
        ])
        #expect(ended.status == 0, "\(ended.testDescription)")
        let image = try picture("a.png")
        // Five degrees east are fifty pixels up.
        #expect(image[80, 30] == Pixel(red: 255, green: 0, blue: 0, alpha: 255))
        #expect(image[130, 80] == Pixel(.white))
    }

    #if Text
    @Test func `title, north arrow and attribution are drawn on request`() async throws {
        let view = [
            "render", "-l", "box.geojson", "--bbox", "20,20,21,21", "--bbox-crs", "EPSG:4326", "--size", "300x200",
        ]
        _ = try await portolan.run(view + ["-o", "plain.png"])
        let ended = try await portolan.run(
            view + ["--title", "-Title-", "--north-arrow", "--attribution", "Who", "-o", "a.png"])
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(try Set(ink(in: picture("plain.png"))) == [])
        // Top left or centre, top right, bottom: each has ink now.
        let inked = try Set(ink(in: picture("a.png")))
        #expect(inked.isSuperset(of: ["top", "top right", "bottom"]))
    }
    #endif

    /// The parts of a picture that are not white all over.
    private func ink(in image: PixelBuffer) -> [String] {
        var parts: [String] = []
        for y in 0..<image.height {
            for x in 0..<image.width where image[x, y] != Pixel(.white) {
                if y > image.height * 3 / 4 { parts.append("bottom") }
                if y < image.height / 3 { parts.append(x > image.width * 3 / 4 ? "top right" : "top") }
            }
        }
        return parts
    }
}
