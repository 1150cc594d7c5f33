import Foundation
import PortolanCodecs
import PortolanPaint
import PortolanRaster
import PortolanText
import PortolanXML
import Testing

@Suite struct SVGTargetTests {
    static let half = MapColor(red: 17, green: 34, blue: 51, alpha: 128)

    /// The document of what `body` paints on 40 × 30 pixels.
    static func text(
        _ options: SVGOptions = SVGOptions(), title: String? = nil, pixelRatio: Double = 1,
        _ body: (inout SVGTarget) throws -> Void
    ) throws -> String {
        var target = SVGTarget(
            size: try SampleScene.size(40, 30), pixelRatio: pixelRatio, title: title, options: options)
        try body(&target)
        let bytes = try target.finish()
        // What cannot be read must not be written.
        #expect(try XMLReader().tree(of: bytes).root.name == "svg")
        return try #require(String(validating: bytes, as: UTF8.self))
    }

    /// The lines between the document's beginning and its end, as one text.
    static func body(
        _ options: SVGOptions = SVGOptions(), _ body: (inout SVGTarget) throws -> Void
    ) throws -> String { try lines(options, body).joined(separator: "\n") }

    /// The lines between the document's beginning and its end.
    static func lines(
        _ options: SVGOptions = SVGOptions(), _ body: (inout SVGTarget) throws -> Void
    ) throws -> [Substring] {
        Array(try text(options, body).split(separator: "\n").dropFirst(2).dropLast())
    }

    static func word(_ text: String) -> ShapedText {
        ShapedText(
            outline: .rectangle(x: 4, y: 10, width: 9, height: 6), text: text,
            runs: [.init(text: text, transform: .translation(x: 4, y: 16), advance: 9)],
            font: .init(families: ["DejaVu Sans", "sans-serif"], size: 12, isBold: true))
    }

    @Test func `colour glyphs become images and shapes, or letters if text is kept as text`() throws {
        var text = Self.word("a")
        let pixels = PixelBuffer(size: try SampleScene.size(2, 2), filledWith: Pixel(.white))
        let square = Path.rectangle(x: 0, y: 0, width: 2, height: 3)
        text.colorGlyphs = [
            ShapedText.ColorGlyph(
                content: .image(pixels), transform: AffineTransform(a: 0.5, b: 0, c: 0, d: 0.5, tx: 7, ty: 8)),
            ShapedText.ColorGlyph(
                content: .layers([.init(outline: square, color: .white), .init(outline: square, color: nil)]),
                transform: .translation(x: 20, y: 1)),
        ]
        let outlines = try Self.lines { $0.draw(text, color: .black, halo: nil) }
        #expect(outlines.count == 5, "\(outlines)")
        #expect(outlines.contains { $0.contains("data:image/png;base64,") })
        #expect(outlines.contains { $0.contains("<use transform=\"matrix(.5 0 0 .5 7 8)\"") }, "\(outlines)")
        #expect(outlines.suffix(2).map { $0.contains("M20 1h2v3h-2z") } == [true, true])
        #expect(outlines.suffix(2).map { $0.contains("#fff") } == [true, false])
        let words = try Self.lines(SVGOptions(text: .text)) { $0.draw(text, color: .black, halo: nil) }
        #expect(words.count == 1 && words[0].contains(">a</text>"))
    }

    @Test func `a document has its display size, its size in pixels and its title`() throws {
        let text = try Self.text(title: "Roads & <paths>\u{1}", pixelRatio: 2) {
            $0.fill(.rectangle(x: 0, y: 0, width: 40, height: 30), color: .white)
        }
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="20" height="15" \
                viewBox="0 0 40 30">
                 <title>Roads &amp; &lt;paths&gt;</title>
                 <path d="M0 0h40v30h-40z" fill="#fff"/>
                </svg>

                """)
    }

    @Test func `shapes have their path, fill rule, colours and strokes`() throws {
        var curve = Path()
        curve.move(to: Point(x: 1.005, y: -2.5))
        curve.quad(control: Point(x: 3, y: 4), to: Point(x: 5.25, y: -6))
        curve.cubic(control1: Point(x: 5, y: 5), control2: Point(x: 6, y: 6), to: Point(x: 6.1, y: 0.05))
        curve.line(to: Point(x: 7.1, y: 1))
        curve.line(to: Point(x: 8.1, y: 1.25))
        curve.close()
        curve.append(.polyline([Point(x: 0.2, y: 0), Point(x: 10, y: 0), Point(x: 12, y: 0), Point(x: 12, y: -3)]))
        let text = try Self.body { target in
            target.fill(curve, rule: .evenOdd, color: Self.half)
            let line = Path.polyline([Point(x: 0, y: 0), Point(x: 3, y: 4)])
            target.stroke(line, style: StrokeStyle(), color: .black)
            target.stroke(
                line,
                style: StrokeStyle(width: 2.5, cap: .round, join: .bevel, dashes: [4, 1.5], dashPhase: -2),
                color: Self.half)
            target.stroke(line, style: StrokeStyle(width: 3, cap: .square, miterLimit: 0.5), color: .brick)
            // A list that our own strokes take for a solid line.
            target.stroke(line, style: StrokeStyle(width: 3, join: .round, dashes: [4, -1]), color: .brick)
        }
        #expect(
            text == #"""
                 <path d="M1-2.5q2 6.5 4.25-3.5c-.25 11 .75 12 .85 6.05l1 .95 1 .25zM.2 0h9.8 2v-3" fill="#123" \#
                fill-opacity=".502" fill-rule="evenodd"/>
                 <path d="M0 0l3 4" fill="none" stroke="#000"/>
                 <path d="M0 0l3 4" fill="none" stroke="#123" stroke-opacity=".502" stroke-width="2.5" \#
                stroke-linecap="round" stroke-linejoin="bevel" stroke-dasharray="4 1.5" stroke-dashoffset="-2"/>
                 <path d="M0 0l3 4" fill="none" stroke="#b23c2c" stroke-width="3" stroke-linecap="square" \#
                stroke-miterlimit="1"/>
                 <path d="M0 0l3 4" fill="none" stroke="#b23c2c" stroke-width="3" stroke-linejoin="round"/>
                """#)
    }

    @Test func `invisible shapes are not written, and numbers are limited to a safe range`() throws {
        let lines = try Self.lines { target in
            target.fill(Path(), color: .black)
            target.fill(.rectangle(x: 1, y: 1, width: 2, height: 2), color: .clear)
            target.stroke(.rectangle(x: 1, y: 1, width: 2, height: 2), style: StrokeStyle(width: 0), color: .black)
            target.fill(.polyline([Point(x: .nan, y: 0), Point(x: 1, y: 1)]), color: .black)
            target.group(PaintGroup(name: "empty", opacity: 0.5)) { $0.fill(Path(), color: .black) }
            var path = Path.polyline([Point(x: 0, y: .infinity), Point(x: 1, y: 1)])
            path.append(.polyline([Point(x: 1e300, y: 0), Point(x: 1, y: -1e300)]))
            target.fill(path, color: .black)
        }
        #expect(lines == [" <path d=\"M8000000 0l-7999999-8000000\" fill=\"#000\"/>"])
    }

    @Test func `groups have their opacity and clip, and unique names`() throws {
        let square = Path.rectangle(x: 1, y: 1, width: 2, height: 2)
        let text = try Self.body { target in
            target.group(PaintGroup(name: "Zürich & roads", opacity: 0.25, clip: square, clipRule: .evenOdd)) {
                $0.fill(square, color: .black)
                $0.group(PaintGroup()) { $0.fill(square, color: .white) }
            }
            for name in ["clip", "Zürich & roads", "3d", "", "a\"><b"] {
                target.group(PaintGroup(name: name)) { $0.fill(square, color: .black) }
            }
        }
        #expect(
            text == #"""
                 <clipPath id="clip"><path d="M1 1h2v2h-2z" clip-rule="evenodd"/></clipPath>
                 <g id="Zürich-roads" opacity=".25" clip-path="url(#clip)">
                  <path d="M1 1h2v2h-2z" fill="#000"/>
                  <path d="M1 1h2v2h-2z" fill="#fff"/>
                 </g>
                 <g id="clip-2">
                  <path d="M1 1h2v2h-2z" fill="#000"/>
                 </g>
                 <g id="Zürich-roads-2">
                  <path d="M1 1h2v2h-2z" fill="#000"/>
                 </g>
                 <g id="_3d">
                  <path d="M1 1h2v2h-2z" fill="#000"/>
                 </g>
                 <g id="_">
                  <path d="M1 1h2v2h-2z" fill="#000"/>
                 </g>
                 <g id="a-b">
                  <path d="M1 1h2v2h-2z" fill="#000"/>
                 </g>
                """#)
    }

    @Test func `text is written as outlines with its words, or as text with its fonts`() throws {
        func paint(_ target: inout SVGTarget) {
            target.draw(Self.word("A & \"B\"\u{7}"), color: .black, halo: ShapedText.Halo(width: 3, color: Self.half))
            var turned = Self.word("C")
            turned.runs[0].transform = AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 5, ty: 6.5)
            turned.font.isItalic = true
            target.draw(turned, color: .sea, halo: nil)
        }
        let outlines = try Self.body(SVGOptions(), paint), text = try Self.body(SVGOptions(text: .text), paint)
        #expect(
            outlines == #"""
                 <path d="M4 10h9v6h-9z" aria-label="A &amp; &quot;B&quot;" fill="#000" stroke="#123" \#
                stroke-opacity=".502" stroke-width="3" stroke-linejoin="round" paint-order="stroke"/>
                 <path d="M4 10h9v6h-9z" aria-label="C" fill="#3c6ebe"/>
                """#)
        #expect(
            text == #"""
                 <text x="4" y="16" font-family="'DejaVu Sans', sans-serif" font-size="12" font-weight="bold" \#
                textLength="9" lengthAdjust="spacingAndGlyphs" fill="#000" stroke="#123" stroke-opacity=".502" \#
                stroke-width="3" stroke-linejoin="round" paint-order="stroke">A &amp; &quot;B&quot;</text>
                 <text transform="matrix(0 1 -1 0 5 6.5)" font-family="'DejaVu Sans', sans-serif" font-size="12" \#
                font-weight="bold" font-style="italic" fill="#3c6ebe">C</text>
                """#)
    }

    @Test func `text without runs is always written as an outline`() throws {
        var word = Self.word("A")
        word.runs = []
        let lines = try Self.lines(SVGOptions(text: .text)) { $0.draw(word, color: .black, halo: nil) }
        #expect(lines == [" <path d=\"M4 10h9v6h-9z\" aria-label=\"A\" fill=\"#000\"/>"])
    }

    /// The pixels of an image in a line of a document.
    private static func pixels(_ line: Substring) throws -> PixelBuffer {
        let start = try #require(line.firstRange(of: "base64,")).upperBound
        let data = try #require(Data(base64Encoded: String(line[start...].prefix { $0 != "\"" })))
        return try ImageDecoders.standard.decode([UInt8](data))
    }

    @Test func `a small image is embedded once for all its uses`() throws {
        var icon = try SampleScene.color(.brick, 3, 2)
        icon[1, 1] = Pixel(Self.half)
        let lines = try Self.lines { target in
            target.draw(icon, transform: .translation(x: 1.5, y: 2), edges: .smooth)
            target.draw(icon, transform: .scale(x: 2, y: 0.5), opacity: 0.5)
            target.draw(icon, transform: .scale(x: 0, y: 0))
            target.draw(icon, atX: 5, y: 6, opacity: 0)
        }
        #expect(try Self.pixels(lines[0]) == icon)
        #expect(
            lines[0].hasPrefix(
                " <defs><image id=\"image\" width=\"3\" height=\"2\" preserveAspectRatio=\"none\" xlink:href=\"data:"))
        #expect(lines[0].hasSuffix("\"/></defs>"))
        #expect(
            lines.dropFirst() == [
                " <use x=\"1.5\" y=\"2\" xlink:href=\"#image\"/>",
                " <use transform=\"matrix(2 0 0 .5 0 0)\" opacity=\".5\" xlink:href=\"#image\"/>",
            ])
    }

    @Test func `adjacent tiles are joined into one image, clipped to the picture`() throws {
        let red = try SampleScene.color(.brick, 20, 20), blue = try SampleScene.color(.sea, 20, 20)
        let lines = try Self.lines { target in
            target.draw(red, atX: -5, y: 3)
            target.draw(blue, atX: 15, y: 3)
            target.draw(red, atX: 15, y: 23)
            // Not beside the others, and not as opaque.
            target.draw(blue, atX: 36, y: 24)
            target.draw(blue, atX: 56, y: 24, opacity: 0.5)
        }
        let whole = try Self.pixels(lines[0])
        #expect(whole.size == (try SampleScene.size(35, 27)))
        #expect(whole[0, 0] == Pixel(.brick))
        #expect(whole[14, 19] == Pixel(.brick))
        #expect(whole[15, 0] == Pixel(.sea))
        #expect(whole[15, 20] == Pixel(.brick))
        #expect(whole[0, 20] == .clear)
        #expect(lines[1] == " <use y=\"3\" xlink:href=\"#image\"/>")
        #expect(try Self.pixels(lines[2]) == blue)
        #expect(lines[3] == " <use x=\"36\" y=\"24\" xlink:href=\"#image-2\"/>")
        #expect(lines.count == 4)
    }

    @Test(arguments: [
        ("https://example.org/5/1/2.png?a=1&key=%22", SVGOptions.Images.linked, true),
        ("HTTP://a.example/b", .linked, true),
        ("https://example.org/5/1/2.png", .embedded, false), ("https://me:secret@example.org/a.png", .linked, false),
        ("file:///home/me/a.png", .linked, false), ("file:///home/me/a.png", .linkedWithFiles, true),
        ("/home/me/a.png", .linkedWithFiles, false), ("data:image/png;base64,AAAA", .linked, false),
        ("javascript:alert(1)", .linkedWithFiles, false), ("http:me@a/b", .linked, false),
    ])
    func `an image is linked if this is requested and its URL may be disclosed`(
        address: String, images: SVGOptions.Images, isLinked: Bool
    ) throws {
        let tile = PaintImage(try SampleScene.color(.leaf, 2, 2), address: address)
        let lines = try Self.lines(SVGOptions(images: images)) {
            $0.draw(tile, atX: 4, y: 5, opacity: 0.5)
            $0.draw(tile, transform: .scale(x: 2, y: 2), opacity: 1, edges: .clamped)
        }
        let escaped = address.replacing("&", with: "&amp;")
        let size = " width=\"2\" height=\"2\""
        guard isLinked else {
            #expect(lines.allSatisfy { !$0.contains(escaped) } && lines[0].contains("data:image/png;base64,iVBOR"))
            return
        }
        let whole: [Substring] = [
            " <image x=\"4\" y=\"5\"\(size) opacity=\".5\" preserveAspectRatio=\"none\" xlink:href=\"\(escaped)\"/>",
            " <image transform=\"matrix(2 0 0 2 0 0)\"\(size) preserveAspectRatio=\"none\" xlink:href=\"\(escaped)\"/>",
        ]
        #expect(lines == whole)
    }

    @Test func `extreme numbers, texts and names give a readable document`() throws {
        let wild = [Double.nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude, 0.005, -0.004, 1e15]
        let every = String(String.UnicodeScalarView((0..<0x3000).compactMap(Unicode.Scalar.init)))
        _ = try Self.text(SVGOptions(text: .text, images: .linked), title: every) { target in
            for a in wild {
                for b in wild {
                    let path = Path.polyline([Point(x: a, y: b), Point(x: b, y: 1), Point(x: 2, y: a)], closed: true)
                    target.fill(path, color: .black)
                    target.stroke(
                        path, style: StrokeStyle(width: a, miterLimit: b, dashes: [a, b], dashPhase: a), color: .black)
                    target.draw(
                        try SampleScene.color(.leaf, 2, 2),
                        transform: AffineTransform(a: a, b: b, c: 1, d: 0.5, tx: b, ty: a), opacity: b)
                    target.group(PaintGroup(opacity: a, clip: path)) { $0.fill(path, color: .black) }
                    var word = Self.word(every)
                    word.font = .init(families: [every, "'\""], size: a)
                    word.runs[0].transform.tx = b
                    word.runs[0].advance = a
                    target.draw(word, color: .black, halo: ShapedText.Halo(width: b, color: .white))
                }
            }
            target.group(PaintGroup(name: every)) {
                $0.fill(.rectangle(x: 0, y: 0, width: 1, height: 1), color: .black)
            }
            target.draw(
                PaintImage(try SampleScene.color(.leaf, 2, 2), address: "https://" + every), atX: .max / 2, y: .min / 2,
                opacity: 1)
        }
    }
}
