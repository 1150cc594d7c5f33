import Foundation
import PortolanCodecs
import PortolanFeatures
import PortolanPaint
import PortolanRaster
import PortolanText
import TestHelpers
import Testing

/// PDF documents rendered, read and checked by Poppler and qpdf, beside our own pixels.
@Suite(
    .enabled(
        if: TestRig.has(program: "pdftoppm") && TestRig.has(program: "qpdf"),
        "needs pdftoppm of Poppler and qpdf, which Scripts/install test installs"))
struct PDFPictureTests {
    /// The most by which a channel may differ on average, of 255.
    private static let tolerance = 1.5
    /// The resolution of Poppler's picture as a multiple of ours, to which it is reduced: at a low one its edges are
    /// lighter than their coverage.
    private static let enlargement = 4

    /// A document in a folder of its own, which is removed with `body`.
    private static func withFile<T>(_ pdf: [UInt8], _ body: (URL) throws -> T) throws -> T {
        let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "map.pdf")
        try Data(pdf).write(to: file)
        return try body(file)
    }

    /// Runs a program, and returns its status and output.
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

    private static func check(
        _ pdf: [UInt8], _ expected: PixelBuffer, _ name: String, pixelRatio: Double = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let actual = try withFile(pdf) { file in
            let (status, message) = try run("qpdf", ["--check", file.path])
            #expect(status == 0, "\(name): \(message)", sourceLocation: sourceLocation)
            let picture = file.deletingPathExtension().path
            let (drawn, error) = try run(
                "pdftoppm",
                ["-r", "\(96 * pixelRatio * Double(enlargement))", "-png", "-singlefile", file.path, picture])
            try #require(drawn == 0, "\(name): \(error)", sourceLocation: sourceLocation)
            #expect(error == "", sourceLocation: sourceLocation)
            let large = try ImageDecoders.standard.decode([UInt8](Data(contentsOf: URL(filePath: picture + ".png"))))
            let size = try #require(
                ImageSize(width: large.width / enlargement, height: large.height / enlargement))
            var canvas = Canvas(size: size)
            let scale = 1 / Double(enlargement)
            canvas.draw(large, transform: .scale(x: scale, y: scale))
            return canvas.buffer
        }
        try #require(actual.size == expected.size, sourceLocation: sourceLocation)
        var sum = 0
        for (one, other) in zip(actual.pixels, expected.pixels) where one != other {
            for shift in stride(from: UInt32(0), to: 24, by: 8) {
                sum += abs(Int(one >> shift & 255) - Int(other >> shift & 255))
            }
        }
        let mean = Double(sum) / Double(3 * expected.pixels.count)
        if let folder = ProcessInfo.processInfo.environment["PORTOLAN_PDF_PICTURES"] {
            print("\(name): mean difference \(mean)")
            let base = URL(filePath: folder).appending(path: name)
            try Data(pdf).write(to: base.appendingPathExtension("pdf"))
            try Data(PNGEncoder.encode(expected)).write(to: base.appendingPathExtension("png"))
            try Data(PNGEncoder.encode(actual)).write(to: base.appendingPathExtension("pdf.png"))
        }
        guard mean > tolerance else { return }
        Attachment.record(pdf, named: "\(name).pdf", sourceLocation: sourceLocation)
        Attachment.record(try PNGEncoder.encode(expected), named: "\(name).png", sourceLocation: sourceLocation)
        Issue.record("\(name): the mean difference is \(mean)", sourceLocation: sourceLocation)
    }

    /// A kind of painting.
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let paint: @Sendable (inout Drawing) throws -> Void

        init(_ name: String, _ paint: @escaping @Sendable (inout Drawing) throws -> Void) {
            testDescription = name
            self.paint = paint
        }
    }

    private static func picture() throws -> PixelBuffer {
        var picture = PixelBuffer(size: try SampleScene.size(48, 40))
        for y in 0..<40 {
            for x in 0..<48 {
                let wave: Double = sin(Double(x) / 7) * cos(Double(y) / 9)
                picture[x, y] = Pixel(
                    MapColor(
                        red: UInt8(128 + 100 * wave), green: UInt8(5 * x), blue: UInt8(6 * y),
                        alpha: x + y < 20 ? 0 : x > 30 ? 120 : 255))
            }
        }
        return picture
    }

    private static func strokes(_ dashes: [Double]) -> @Sendable (inout Drawing) -> Void {
        { drawing in
            for (column, cap) in StrokeSheetTests.caps.enumerated() {
                for (row, join) in StrokeSheetTests.joins.enumerated() {
                    let place = AffineTransform.translation(x: Double(column) * 70, y: Double(row) * 54)
                    for path in [StrokeSheetTests.zigzag, StrokeSheetTests.ring] {
                        drawing.stroke(
                            path.transformed(by: place),
                            style: StrokeStyle(
                                width: 9, cap: cap, join: join.0, miterLimit: join.limit, dashes: dashes, dashPhase: -5
                            ), color: MapColor.sea.withOpacity(0.7))
                    }
                }
            }
        }
    }

    private static var rings: Path {
        var rings = Path.circle(center: Point(x: 60, y: 60), radius: 50)
        rings.append(.circle(center: Point(x: 64, y: 62), radius: 25))
        return rings
    }

    static let kinds = [
        Kind("strokes-solid", strokes([])), Kind("strokes-dashed", strokes([17, 12])),
        Kind("strokes-odd-dashes", strokes([17, 6, 3])), Kind("strokes-dotted", strokes([0, 13])),
        Kind("hairlines") { drawing in
            for index in 0..<20 {
                let width = Double(index + 1) / 10, x = 5 + Double(index) * 10
                drawing.stroke(
                    .polyline([Point(x: x, y: 5), Point(x: x + 9, y: 200)]), style: StrokeStyle(width: width),
                    color: .black)
            }
        },
        Kind("fill-rules") { drawing in
            for (index, rule) in [Path.FillRule.nonZero, .evenOdd, .evenOddJoined, .evenOddSharp].enumerated() {
                let place = AffineTransform.translation(x: Double(index % 2) * 100, y: Double(index / 2) * 100)
                drawing.fill(rings.transformed(by: place), rule: rule, color: MapColor.leaf.withOpacity(0.6))
            }
        },
        Kind("joined-areas") { drawing in
            for index in 0..<8 {
                let x = 10 + Double(index) * 23.4
                drawing.fill(
                    .rectangle(x: x, y: 10, width: 23.4, height: 190), rule: .evenOddJoined,
                    color: index % 2 == 0 ? .leaf : .brick)
            }
        },
        Kind("curves") { drawing in
            var path = Path()
            path.move(to: Point(x: 10, y: 100))
            path.quad(control: Point(x: 60, y: 0), to: Point(x: 100, y: 100))
            path.cubic(control1: Point(x: 130, y: 180), control2: Point(x: 170, y: 20), to: Point(x: 200, y: 200))
            path.close()
            drawing.fill(path, rule: .evenOdd, color: .sea)
            drawing.stroke(path, style: StrokeStyle(width: 3, join: .round), color: .black)
        },
        Kind("groups") { drawing in
            drawing.fill(rings, rule: .evenOdd, color: .leaf)
            drawing.group(PaintGroup(name: "a", opacity: 0.6, clip: rings, clipRule: .evenOdd)) { drawing in
                drawing.fill(.rectangle(x: 0, y: 0, width: 80, height: 120), color: .brick)
                drawing.group(PaintGroup(name: "b", opacity: 0.5)) {
                    $0.stroke(
                        .rectangle(x: 9, y: 9, width: 90, height: 90), style: StrokeStyle(width: 9), color: .black)
                    $0.fill(.rectangle(x: 30, y: 30, width: 90, height: 90), color: .sea)
                }
            }
            drawing.group(PaintGroup(clip: .rectangle(x: 120, y: 120, width: 60, height: 60))) {
                $0.fill(.circle(center: Point(x: 120, y: 120), radius: 70), color: .sea)
            }
        },
        Kind("images") { drawing in
            let picture = try picture()
            drawing.draw(picture, atX: -9, y: -5)
            drawing.draw(picture, atX: 39, y: -5)
            drawing.draw(
                picture, transform: AffineTransform(a: 1.3, b: 0, c: 0, d: 1.1, tx: 4.3, ty: 50.6), opacity: 0.7)
            drawing.draw(picture, transform: AffineTransform(a: 0.8, b: 0.6, c: -0.6, d: 0.8, tx: 150, ty: 10))
            drawing.draw(picture, transform: AffineTransform(a: 0.4, b: 0, c: 0, d: 0.4, tx: 150, ty: 110))
        },
        Kind("pattern") { drawing in
            let tile = try picture()
            drawing.group(PaintGroup(opacity: 0.8, clip: rings.transformed(by: .scale(x: 1.8, y: 1.7)))) { group in
                for row in 0..<6 { for column in 0..<5 { group.draw(tile, atX: column * 48 - 20, y: row * 40 - 30) } }
            }
        },
        Kind("marks") { drawing in
            let circle = Path.circle(center: Point(x: 0, y: 0), radius: 4)
            let mark = Mark([
                .fill(circle, .nonZero, MapColor.brick.withOpacity(0.8)),
                .stroke(circle, StrokeStyle(width: 1.5), .white),
            ]).prepared()
            drawing.draw(mark, at: (0..<150).map { Point(x: Double($0 * 37 % 211), y: Double($0 * 53 % 197)) })
        },
    ]

    @Test(arguments: kinds) func `each kind of paint looks the same in a PDF and in pixels`(kind: Kind) throws {
        let size = try SampleScene.size(210, 216)
        var drawing = Drawing(), canvas = Canvas(size: size, background: .white)
        drawing.fill(Path(Rectangle(size)), color: .white)
        try kind.paint(&drawing)
        canvas.paint(drawing)
        let sink = PDFTargetTests.Sink()
        var target = PDFTarget(fonts: SampleScene.fonts) { sink.bytes += $0 }
        target.beginPage(size: size)
        target.paint(drawing)
        try target.finish()
        try Self.check(sink.bytes, canvas.buffer, kind.testDescription)
    }

    #if Text
    private static func pdf(_ painter: MapPainter, _ options: PDFOptions = PDFOptions()) throws -> [UInt8] {
        let sink = PDFTargetTests.Sink()
        try painter.pdf(options) { sink.bytes += $0 }
        return sink.bytes
    }

    @Test(arguments: [(1.0, 0.0), (2, 0), (1, 30)])
    func `a complete map looks the same as a PDF and as a raster picture`(pixelRatio: Double, rotation: Double) throws {
        let painter = try SVGPictureTests.map {
            $0.pixelRatio = pixelRatio
            $0.rotation = rotation
        }
        for text in PDFOptions.Text.allCases {
            try Self.check(
                Self.pdf(painter, PDFOptions(text: text)), painter.paint().image,
                "map-\(pixelRatio)x-\(rotation)-\(text)", pixelRatio: pixelRatio)
        }
    }

    @Test func `labels of all kinds can be extracted as text`() throws {
        let bytes = try Self.pdf(SVGPictureTests.map())
        let text = try Self.withFile(bytes) { try Self.run("pdftotext", ["-layout", $0.path, "-"]).output }
        for label in ["© Nobody & sons", "Sinuous Road", "Málaga", "Two", "lines", "Walk", "3.2 km"] {
            #expect(text.contains(label), "\(text)")
        }
        // Letters with halos are shown once.
        #expect(text.components(separatedBy: "Málaga").count == 2)
    }

    @Test(arguments: [
        "Ærøskøbing", "Афины", "Αθήνα", "Cafe\u{301}", "office fluff", "מפה", "مدينة", "हिन्दी",
    ])
    func `text of each script can be extracted as it was written`(text: String) throws {
        let sink = PDFTargetTests.Sink()
        var target = PDFTarget(fonts: SampleScene.fonts) { sink.bytes += $0 }
        let request = FontRequest(families: ["DejaVu Sans"]), size = try SampleScene.size(200, 60)
        let line = try SampleScene.fonts.shape(text, request: request, size: 20)
        target.beginPage(size: size)
        target.draw(line.shaped(by: .translation(x: 20, y: 40)), color: .black, halo: nil)
        try target.finish()
        var canvas = Canvas(size: size, background: .white)
        canvas.draw(line.shaped(by: .translation(x: 20, y: 40)), color: .black, halo: nil)
        try Self.check(sink.bytes, canvas.buffer, "text-\(text)")
        let found = try Self.withFile(sink.bytes) { try Self.run("pdftotext", [$0.path, "-"]).output }
        // Directional marks of the program are no part of the text.
        let plain = found.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint && $0 != "\u{0C}" }
        let trimmed = String(String.UnicodeScalarView(plain)).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(trimmed == text)
    }
    #endif
}
