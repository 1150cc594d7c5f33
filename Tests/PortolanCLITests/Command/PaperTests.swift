import Foundation
import PortolanCodecs
import PortolanRaster
import TestHelpers
import Testing

/// Pictures on paper, frames, insets and atlases of the command.
@Suite struct PaperTests {
    private let portolan: BuiltCommand

    init() throws {
        portolan = try BuiltCommand()
        try portolan.write(
            #"{"type":"LineString","coordinates":[[25.0,59.99],[25.0,60.01],[24.90,60.15],[24.96,60.18],[25.02,60.16],[25.10,60.20]]}"#,
            to: "line.geojson")
    }

    private let line = ["-l", "line.geojson;stroke=#ff0000;stroke-width=3"]
    private let center = ["--center", "25,60", "--scale", "1:25000"]

    private func render(_ options: [String], _ file: String) async throws -> [UInt8] {
        let ended = try await portolan.run(["render"] + line + options + ["-o", file])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
        return try #require(portolan.file(file))
    }

    private func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    @Test func `paper has its size in pixels and in the header of PNG and JPEG files`() async throws {
        let paper = ["--paper", "A5", "--landscape", "--dpi", "150"] + center
        let png = try await render(paper, "a.png")
        let image = try ImageDecoders.standard.decode(png)
        // 210 and 148 mm at 150 pixels per inch.
        #expect("\(image.size)" == "1240x874")
        #expect(png[37..<41].elementsEqual("pHYs".utf8) && number(png[41..<45]) == 5906 && png[49] == 1)
        // The margin of 10 mm is white, without the map.
        #expect(image[20, 20] == Pixel(.white))
        let jpeg = try await render(paper, "a.jpg")
        #expect(jpeg[6..<11].elementsEqual("JFIF\0".utf8) && jpeg[13] == 1)
        #expect(number(jpeg[14..<16]) == 150 && number(jpeg[16..<18]) == 150)
        #expect("\(try ImageDecoders.standard.decode(jpeg).size)" == "1240x874")
        // Painted in bands.
        let large = try await render(["--paper", "A3", "--dpi", "320"] + center, "large.png")
        #expect(number(large[16..<20]) == 3742 && large[37..<41].elementsEqual("pHYs".utf8))
        #expect(try ImageDecoders.standard.decode(large)[30, 5200] == Pixel(.white))
    }

    @Test func `SVG and PDF files have the size of the paper`() async throws {
        let svg = String(decoding: try await render(["--paper", "A4"] + center, "a.svg"), as: UTF8.self)
        #expect(svg.contains(#"width="210mm" height="297mm""#))
        let pdf = String(decoding: try await render(["--paper", "letter"] + center, "a.pdf"), as: UTF8.self)
        #expect(pdf.contains("/MediaBox[0 0 612 792]"))
    }

    /// At 60° north, a metre of web mercator is half a metre on a sphere, and 1.00252 times as much on the ellipsoid
    /// (the radius in the prime vertical).
    @Test(arguments: [["--center", "25,60"], ["--bbox", "24.9,59.9504,25.1,60.0496", "--bbox-crs", "EPSG:4326"]])
    func `the scale on paper is that on the ground at the centre`(place: [String]) async throws {
        _ = try await render(place + ["--paper", "A4", "--scale", "1:25000", "--report", "r.json"], "a.svg")
        struct Report: Decodable {
            struct View: Decodable { let resolution: Double }
            let view: View
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(try #require(portolan.file("r.json"))))
        let ground = report.view.resolution * 0.5 * 1.00252
        #expect(abs(ground / (25_000 * 0.0254 / 96) - 1) < 2e-4)
    }

    @Test(arguments: [
        (["--paper", "A9"], "--paper A9: expected A0 to A6"),
        (["--paper", "A4", "--size", "800x600"], "--size cannot be combined with --paper"),
        (["--paper", "A4", "--pixel-ratio", "2"], "--pixel-ratio cannot be combined with --paper; use --dpi"),
        (["--dpi", "300"], "--dpi needs --paper"), (["--margin", "5"], "--margin needs --paper"),
        (["--landscape"], "--landscape needs --paper"),
        (["--paper", "A4", "--dpi", "9000"], "must be between 36 and 1200"),
        (["--paper", "A0", "--dpi", "1200"], "too many pixels"),
        (["--paper", "A6", "--margin", "60"], "no room for the map"),
        (["--paper", "A4", "--scale", "1:1000", "--zoom", "3"], "cannot be combined; use one"),
        (["--frame", "miles"], "--frame miles: must be degrees, utm or mgrs"),
        (["--inset", "at=top-left"], "--inset at=top-left: expected bbox="),
        (["--inset", "bbox=1,2,3,4;size=200%"], "size=N%"), (["--locator", "at=middle"], "at=top-left|"),
    ])
    func `options that cannot be combined are usage errors`(options: [String], message: String) async throws {
        let ended = try await portolan.run(["render"] + line + options + ["-o", "a.png"])
        #expect(ended.status == 64 && ended.error.contains(message), "\(ended.testDescription)")
    }

    @Test func `the extents of insets are in the CRS of the box`() async throws {
        let box = ["--bbox", "24.8,59.9,25.2,60.3", "--bbox-crs", "EPSG:4326", "--size", "300x300"]
        let inset = "bbox=24.95,60.1,25.1,60.2;at=top-left"
        let stated = try await render(box + ["--inset", inset + ";bbox-crs=EPSG:4326"], "stated.png")
        #expect(try await render(box + ["--inset", inset], "inset.png") == stated)
        #expect(try await render(box, "none.png") != stated)
    }

    @Test func `a document keeps paper, frame and insets`() async throws {
        try portolan.write(
            """
            {"version": 1, "paper": "A5", "landscape": true, "dpi": 96, "margin": 12, "bbox": [24.9, 60.1, 25.1, 60.2],
             "bbox-crs": "EPSG:4326", "scale": "1:50000", "layers": [{"source": "line.geojson", "stroke": "#f00"}],
             "furniture": {"title": "T", "subtitle": "S", "source": "Data: none", "frame": "mgrs",
              "insets": [{"bbox": [24.95, 60.15, 25, 60.18], "bbox-crs": "EPSG:4326", "at": "top-left", "size": "25%"}],
              "locator": {"bbox": [20, 58, 30, 64], "bbox-crs": "EPSG:4326", "layers": ["line"]}}}
            """, to: "map.json")
        let written = try await portolan.run(["document", "map.json", "-o", "again.json"])
        #expect(written.status == 0, "\(written.testDescription)")
        for name in ["map", "again"] {
            let ended = try await portolan.run(["render", "\(name).json", "-o", "\(name).png"])
            #expect(ended.status == 0, "\(ended.testDescription)")
        }
        #expect(portolan.file("map.png") == portolan.file("again.png"))
        let image = try ImageDecoders.standard.decode(#require(portolan.file("map.png")))
        #expect("\(image.size)" == "794x559")
        // Another size replaces the paper.
        let ended = try await portolan.run(
            [
                "render", "map.json", "--size", "300x200", "--bbox", "24.9,60.1,25.1,60.2", "--bbox-crs", "EPSG:4326",
                "-o", "b.png",
            ])
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect("\(try ImageDecoders.standard.decode(#require(portolan.file("b.png"))).size)" == "300x200")
    }

    #if Text
    @Test(
        .enabled(if: TestRig.has(program: "qpdf") && TestRig.has(program: "pdftotext"), "needs qpdf and pdftotext"))
    func `an atlas along a route is a PDF of several pages`() async throws {
        let ended = try await portolan.run(
            ["atlas"] + line + [
                "--along", "line.geojson", "--rotate", "--scale", "1:10000", "--paper", "A5", "--landscape", "--crs",
                "EPSG:32635", "--frame", "utm", "--title", "The walk", "-o", "walk.pdf",
            ])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
        let path = portolan.folder.appending(path: "walk.pdf").path
        let checked = try Self.run("qpdf", ["--check", path])
        #expect(checked.status == 0, "\(checked.output)")
        let count = Int(try Self.run("qpdf", ["--show-npages", path]).output.filter(\.isNumber)) ?? 0
        #expect(count >= 7)
        let text = try Self.run("pdftotext", ["-layout", path, "-"]).output
        #expect(text.contains("The walk") && text.contains("2 / \(count - 1)") && text.contains("UTM 35N"))
        let document = String(decoding: try #require(portolan.file("walk.pdf")), as: UTF8.self)
        #expect(
            document.contains("/Outlines") && document.contains("/PageLabels") && document.contains("/Subtype/Link"))
    }
    #endif

    @Test func `an atlas of pictures is numbered, with the overview first`() async throws {
        let ended = try await portolan.run(
            ["atlas"] + line + ["--grid", "2x1", "--size", "200x160", "-o", "page-%02d.png"])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
        for name in ["page-00.png", "page-01.png", "page-02.png"] {
            let image = try ImageDecoders.standard.decode(#require(portolan.file(name)))
            #expect("\(image.size)" == "200x160")
        }
        #expect(portolan.file("page-03.png") == nil)
    }

    @Test(arguments: [
        (["-o", "a.png", "--grid", "2x2"], "several pages"), (["-o", "a.pdf"], "state the pages with"),
        (["-o", "a.pdf", "--along", "line.geojson"], "--along needs --scale"),
        (["-o", "a.pdf", "--grid", "0x2"], "--grid 0x2"),
        (["-o", "a.pdf", "--grid", "2x2", "--rotate"], "--rotate needs"),
        (["-o", "a.pdf", "--grid", "2x2", "--overlap", "80%"], "--overlap 80%"),
        (["-o", "a.pdf", "--grid", "2x2", "--scale", "1:5"], "--grid cannot be combined"),
        (["-o", "a.pdf", "--along", "line.geojson", "--scale", "1:1"], "more than 2000 pages"),
    ])
    func `atlas options without pages are usage errors`(options: [String], message: String) async throws {
        let ended = try await portolan.run(["atlas"] + line + options)
        #expect(ended.status == 64 && ended.error.contains(message), "\(ended.testDescription)")
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
