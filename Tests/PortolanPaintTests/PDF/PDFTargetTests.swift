import Foundation
import PortolanCodecs
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import PortolanText
import Testing

@Suite struct PDFTargetTests {
    private struct Refused: Error {}

    /// The document of what `body` paints on 40 × 30 pixels.
    static func bytes(
        title: String? = nil, rights: String? = nil, pixelRatio: Double = 1,
        _ body: (inout PDFTarget) throws -> Void
    ) throws -> [UInt8] {
        let sink = Sink()
        var target = PDFTarget(fonts: SampleScene.fonts, title: title, rights: rights) { sink.bytes += $0 }
        target.beginPage(size: try SampleScene.size(40, 30), pixelRatio: pixelRatio)
        try body(&target)
        try target.finish()
        return sink.bytes
    }

    static func document(_ body: (inout PDFTarget) throws -> Void) throws -> PDFReading {
        try PDFReading(bytes(body))
    }

    final class Sink { var bytes: [UInt8] = [] }

    private static let square = Path.rectangle(x: 1, y: 2, width: 3, height: 4)

    @Test(arguments: [
        (Path.FillRule.nonZero, MapColor.black, "f\n"), (.evenOdd, .black, "f*\n"), (.evenOddJoined, .black, "B*\n"),
        (.evenOddJoined, MapColor.black.withOpacity(0.5), "f*\n"), (.evenOddSharp, .black, "B*\n"),
    ])
    func `fills have their rule, and areas with common borders a stroke`(
        rule: Path.FillRule, color: MapColor, command: String
    ) throws {
        let content = try Self.document { $0.fill(Self.square, rule: rule, color: color) }.content
        #expect(content.contains("1 2 m\n4 2 l\n4 6 l\n1 6 l\nh\n" + command))
    }

    @Test func `strokes have caps, joins, limits and dashes, and state is set once`() throws {
        let style = StrokeStyle(
            width: 2.5, cap: .round, join: .bevel, miterLimit: 3, dashes: [4, 1, 2], dashPhase: -5)
        let content = try Self.document { target in
            for _ in 0..<2 { target.stroke(Self.square, style: style, color: MapColor.brick.withOpacity(0.5)) }
        }.content
        #expect(content.contains("2.5 w\n1 J\n2 j\n3 M\n[4 1 2 4 1 2 ]9 d\n"))
        #expect(content.components(separatedBy: " RG\n").count == 2)
        #expect(content.components(separatedBy: "S\n").count == 3)
    }

    @Test func `a coordinate that is not finite or far away does not break the document`() throws {
        let paths = [
            Path.polyline([Point(x: .nan, y: 1), Point(x: 2, y: 2)]),
            Path.polyline([Point(x: .infinity, y: 1), Point(x: 2, y: 2)]),
            Path.polyline([Point(x: 1e300, y: -1e300), Point(x: 2, y: 2)]),
        ]
        let content = try Self.document { target in
            for path in paths { target.stroke(path, style: StrokeStyle(), color: .black) }
        }.content
        #expect(content.contains("8000000 -8000000 m\n2 2 l\nS\n"))
        #expect(!content.contains("nan") && !content.contains("inf"))
    }

    @Test func `equal opacities share a graphics state`() throws {
        let document = try Self.document { target in
            for _ in 0..<3 {
                target.fill(Self.square, color: MapColor.brick.withOpacity(0.5))
                target.fill(Self.square, color: .black)
            }
        }
        #expect(document.objects.values.filter { $0.contains("/ExtGState/ca") }.count == 2)
    }

    @Test func `named groups are layers in a tree, and empty ones are left out`() throws {
        let document = try Self.document { target in
            target.group(PaintGroup(name: "roads")) { roads in
                roads.fill(Self.square, color: .black)
                roads.group(PaintGroup(name: "bridges")) { $0.fill(Self.square, color: .brick) }
                roads.group(PaintGroup(name: "nothing")) { _ in }
            }
            target.group(PaintGroup(name: "Málaga")) { $0.fill(Self.square, color: .black) }
            target.group(PaintGroup(name: "roads", opacity: 0.5)) { $0.fill(Self.square, color: .leaf) }
        }
        let roads = try document.number(of: "/Name (roads)"), bridges = try document.number(of: "/Name (bridges)")
        let city = try document.number(of: "/Name <FEFF004D00E1006C006100670061>")
        let catalog = try #require(document.objects[try document.number(of: "/Type/Catalog")])
        #expect(catalog.contains("/Order[\(roads) 0 R [\(bridges) 0 R] \(city) 0 R]"))
        #expect(document.objects.values.filter { $0.contains("/Type/OCG/") }.count == 3)
        #expect(document.content.components(separatedBy: "BDC").count == 5)
        #expect(document.content.components(separatedBy: "EMC").count == 5)
    }

    @Test func `translucent groups are transparency groups, and clips are restored`() throws {
        let document = try Self.document { target in
            target.group(PaintGroup(opacity: 0.4, clip: Self.square, clipRule: .evenOdd)) { group in
                group.fill(Self.square, color: .black)
            }
            target.group(PaintGroup(opacity: 0)) { $0.fill(Self.square, color: .black) }
        }
        let form = try document.number(of: "/Group<</S/Transparency/I true")
        #expect(document.content.contains("W* n\n/G"))
        #expect(document.content.contains("/X\(form) Do\nQ\n"))
        #expect(document.objects.values.filter { $0.contains("/S/Transparency/I true") }.count == 1)
    }

    @Test func `an image has a palette or three channels, a mask if it is translucent, and is written once`() throws {
        var gradient = PixelBuffer(size: try SampleScene.size(20, 20))
        for index in 0..<400 {
            gradient[index % 20, index / 20] = Pixel(
                MapColor(red: UInt8(index % 256), green: UInt8(index / 2), blue: 7))
        }
        var icon = try SampleScene.color(.sea, 4, 4)
        icon[0, 0] = .clear
        let document = try Self.document { target in
            for place in 0..<3 {
                let shift = AffineTransform.translation(x: Double(place) * 20.5, y: 0)
                target.draw(icon, transform: shift)
                target.draw(gradient, transform: shift)
            }
        }
        let images = document.objects.values.filter { $0.contains("/Subtype/Image") }
        #expect(images.count == 3)
        #expect(images.filter { $0.contains("/ColorSpace/DeviceRGB") && $0.contains("/Colors 3") }.count == 1)
        let indexed = try #require(images.first { $0.contains("/Indexed") })
        #expect(indexed.contains("[/Indexed/DeviceRGB 0<3c6ebe>]") && indexed.contains("/SMask"))
        let mask = try document.number(of: "/ColorSpace/DeviceGray")
        #expect(document.streams[mask] == [0, 0, 255, 255, 255] + [0, 255, 255, 255, 255].repeated(3))
    }

    @Test func `a repeated image becomes a pattern`() throws {
        let tile = try SampleScene.color(.sea, 8, 8)
        let document = try Self.document { target in
            for index in 0..<9 { target.draw(tile, atX: 3 + index % 3 * 8, y: 5 + index / 3 * 8) }
        }
        let pattern = try #require(document.objects[try document.number(of: "/PatternType 1")])
        #expect(pattern.contains("/BBox[0 0 8 8]/XStep 8/YStep 8/Matrix[1 0 0 1 3 5]"))
        #expect(document.content.contains("3 5 8 8 re\n11 5 8 8 re\n"))
    }

    @Test func `a mark is written once for all its points`() throws {
        let mark = Mark([.fill(.circle(center: Point(x: 0, y: 0), radius: 3), .nonZero, .brick)])
        let document = try Self.document { target in
            target.draw(mark, at: [Point(x: 1, y: 2), Point(x: .nan, y: 2), Point(x: 30.25, y: 4)])
            target.draw(mark, at: [Point(x: 5, y: 6)])
        }
        let form = try document.number(of: "/BBox[-4 -4 4 4]")
        #expect(
            document.content.contains(
                "q 1 0 0 1 1 2 cm /X\(form) Do Qq 1 0 0 1 30.25 4 cm /X\(form) Do Q".replacing("Qq", with: "Q\nq")))
        #expect(document.objects.values.filter { $0.contains("/BBox[-4 -4 4 4]") }.count == 1)
    }

    @Test(arguments: [(1.0, "30 22.5"), (2, "15 11.25")])
    func `a pixel is three quarters of a point`(pixelRatio: Double, size: String) throws {
        let document = try PDFReading(Self.bytes(pixelRatio: pixelRatio) { $0.fill(Self.square, color: .black) })
        #expect(try document.objects[document.number(of: "/Type/Page/")]?.contains("/MediaBox[0 0 \(size)]") == true)
    }

    @Test func `a large page has larger units`() throws {
        let sink = Sink()
        var target = PDFTarget(fonts: SampleScene.fonts) { sink.bytes += $0 }
        target.beginPage(size: try SampleScene.size(40_000, 10))
        try target.finish()
        let document = try PDFReading(sink.bytes)
        let page = try #require(document.objects[document.number(of: "/Type/Page/")])
        #expect(page.contains("/MediaBox[0 0 10000 2.5]/UserUnit 3"))
    }

    @Test func `a document has several pages`() throws {
        let sink = Sink()
        var target = PDFTarget(fonts: SampleScene.fonts) { sink.bytes += $0 }
        for width in [10, 20] {
            target.beginPage(size: try SampleScene.size(width, 10))
            target.fill(Self.square, color: .black)
            target.endPage()
        }
        try target.finish()
        let document = try PDFReading(sink.bytes)
        #expect(document.objects.values.filter { $0.contains("/Type/Page/") }.count == 2)
        #expect(try document.objects[document.number(of: "/Type/Pages")]?.contains("/Count 2") == true)
    }

    @Test func `large content is passed on in pieces of a megabyte`() throws {
        let sink = Sink()
        var largest = 0,
            target = PDFTarget(fonts: SampleScene.fonts) { piece in
                sink.bytes += piece
            }
        target.beginPage(size: try SampleScene.size(40, 30))
        target.group(PaintGroup(name: "a", clip: Self.square)) { group in
            for index in 0..<60_000 {
                group.fill(
                    .rectangle(x: Double(index % 997) / 7, y: Double(index % 991) / 3, width: 5.25, height: 1.5),
                    color: index % 2 == 0 ? .black : .brick)
                largest = max(largest, sink.bytes.count)
            }
        }
        #expect(largest > 100_000)
        try target.finish()
        let document = try PDFReading(sink.bytes)
        #expect(document.streams.values.allSatisfy { $0.count < 1_100_000 })
        #expect(document.content.components(separatedBy: "f\n").count == 60_001)
    }

    @Test func `errors of the receiver end the document`() throws {
        var target = PDFTarget(fonts: SampleScene.fonts) { _ in throw Refused() }
        target.beginPage(size: try SampleScene.size(4, 3))
        target.fill(Self.square, color: .black)
        #expect(throws: Refused.self) { try target.finish() }
    }

    @Test func `title and attribution are metadata, and the same map gives the same bytes`() throws {
        let make = { try Self.bytes(title: "A (b) \\", rights: "© <Nobody>") { $0.fill(Self.square, color: .black) } }
        let bytes = try make(), document = try PDFReading(bytes)
        #expect(try bytes == make())
        #expect(try document.objects[document.number(of: "/Creator")]?.contains("/Title (A \\(b\\) \\\\)") == true)
        let packet = document.text(try document.number(of: "/Type/Metadata"))
        #expect(packet.contains("<dc:rights><rdf:Alt><rdf:li xml:lang=\"x-default\">© &lt;Nobody&gt;</rdf:li>"))
        let other = try Self.bytes { $0.fill(Self.square, color: .brick) }
        #expect(try PDFReading(other).trailer.suffix(120) != document.trailer.suffix(120))
    }

    #if Text
    private static func line(_ text: String, size: Double = 10) throws -> TextLine {
        try SampleScene.fonts.shape(text, request: FontRequest(families: ["DejaVu Sans"]), size: size)
    }

    @Test func `text is shown by glyphs of an embedded subset that maps back to characters`() throws {
        let line = try Self.line("Roads"), place = AffineTransform.translation(x: 3, y: 20)
        let document = try Self.document {
            $0.draw(line.shaped(by: place), color: .black, halo: .init(width: 2, color: .white))
        }
        let font = try #require(document.objects[document.number(of: "/Subtype/Type0")])
        #expect(font.contains(/\/BaseFont\/[A-Z]{6}\+DejaVuSans\/Encoding\/Identity-H/))
        let map = document.text(try #require(font.firstMatch(of: /ToUnicode (\d+) 0/).flatMap { Int($0.1) }))
        #expect(map.contains("5 beginbfchar") && map.contains("> <0052>\n"))
        let file = try document.number(of: "/Length1"), subset = try #require(document.streams[file])
        #expect(subset.count < 20_000 && subset.starts(with: [0, 1, 0, 0]))
        #expect(document.content.contains(" Tf\n1 0 0 1 ") == false)
        #expect(document.content.contains("10 Tf\n1 0 0 -1 3 20 Tm\n[<"))
        // The halo is below the letters.
        let content = document.content
        let halo = try #require(content.firstRange(of: "S\n")), letters = try #require(content.firstRange(of: "BT\n"))
        #expect(halo.lowerBound < letters.lowerBound)
    }

    @Test func `rotated text is replaced by its characters in reading order`() throws {
        let line = try Self.line("Åbo"), turned = AffineTransform(a: 0.8, b: 0.6, c: -0.6, d: 0.8, tx: 4, ty: 5)
        let content = try Self.document { $0.draw(line.shaped(by: turned), color: .black, halo: nil) }.content
        #expect(content.contains("/Span<</ActualText<FEFF00C50062006F>>>BDC\nBT\n"))
        #expect(content.contains(".8 .6 .6 -.8 4 5 Tm\n"))
    }

    @Test func `glyphs without a font are outlines below invisible text`() throws {
        let line = TextLine(
            outline: Self.square, advance: 9, ascent: 5, descent: 0, missingGlyphCount: 0, text: "Tallinn",
            font: .init(families: [], size: 10))
        let document = try Self.document { $0.draw(line.shaped(by: .identity), color: .black, halo: nil) }
        #expect(document.content.contains("4 6 l"))
        let font = try #require(document.objects[document.number(of: "/Subtype/Type3")])
        let map = document.text(try #require(font.firstMatch(of: /ToUnicode (\d+) 0/).flatMap { Int($0.1) }))
        #expect(map.contains("<01> <00540061006C006C0069006E006E>"))
        #expect(document.content.contains("[<01>]TJ"))
    }
    #endif

    @Test(arguments: [
        (CRS.webMercator, "/Type/PROJCS/EPSG 3857"), (.crs84, "/Type/GEOGCS/EPSG 4326"),
        (.epsg4326, "/Type/GEOGCS/EPSG 4326"),
    ])
    func `a page states its system and the degrees of its corners`(crs: CRS, system: String) throws {
        let sink = Sink()
        var target = PDFTarget(fonts: SampleScene.fonts) { sink.bytes += $0 }
        var scene = SampleScene(width: 40, height: 20)
        scene.resolution = crs == .webMercator ? 1000 : 0.01
        target.beginPage(try scene.viewport(crs))
        try target.finish()
        let document = try PDFReading(sink.bytes)
        let page = try #require(document.objects[document.number(of: "/Type/Page/")])
        #expect(page.contains("/GCS<<\(system)>>"))
        let match = try #require(page.firstMatch(of: /GPTS\[([^\]]*)\]/))
        let degrees = match.1.split(separator: " ").compactMap { Double($0) }
        // Latitude and longitude from the lower left, in both systems.
        let (north, east) = crs == .webMercator ? (0.0898311174990, 0.1796630568239) : (0.1, 0.2)
        let expected = [-north, -east, north, -east, north, east, -north, east]
        #expect(degrees.count == 8 && zip(degrees, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    }
}

extension [UInt8] {
    fileprivate func repeated(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in self } }
}
