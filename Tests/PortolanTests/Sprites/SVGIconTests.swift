import Foundation
import Portolan
import PortolanCodecs
import PortolanRaster
import TestHelpers
import Testing

/// Icons in SVG, beside librsvg's pictures of them.
@Suite struct SVGIconTests {
    /// Documents of 48 × 48 pixels, by what they show.
    static let documents: [(name: String, content: String)] = [
        ("paths", #"<path d="M4 4h20v10l-8 6zm24 0c10 0 14 8 14 16s-6 8-14 0S18 4 28 4zM6 30q8-10 16 0t16 0v12H6z"/>"#),
        (
            "arcs",
            ##"<path fill="#c33" d="M24 4a10 10 0 1 0 .01 0zM4 40A20 12 30 0 1 44 36a6 9-20 1 1-14 4z"/><path d="m30 12a4,6 0 00-8 2l0 0z" fill="#fff"/>"##
        ),
        (
            "shapes",
            ##"<rect x="2" y="3" width="18" height="12" rx="4" ry="5" fill="teal"/><circle cx="36" cy="12" r="9" fill="gold"/><ellipse cx="14" cy="34" rx="11" ry="7"/><polygon points="28,26 44,30 34,44" fill="rgb(200,30,90)"/>"##
        ),
        (
            "strokes",
            ##"<g fill="none" stroke="#246" stroke-width="4" stroke-linejoin="round"><path d="M6 40 18 8l10 26L42 8" stroke-linecap="round"/><line x1="4" y1="44" x2="44" y2="44" stroke-dasharray="6 3" stroke-width="2"/></g>"##
        ),
        (
            "rules and opacity",
            ##"<path fill-rule="evenodd" d="M24 3 37 43 3 18h42L11 43z" fill="purple"/><g opacity=".5"><rect width="30" height="20"/><rect x="10" y="10" width="30" height="20" fill="red"/></g><circle cx="38" cy="38" r="8" fill-opacity="0.4" stroke="#000" stroke-opacity=".5"/>"##
        ),
        (
            "transforms",
            ##"<g transform="translate(24 24) rotate(30) scale(1.5,.8)"><rect x="-10" y="-10" width="20" height="20" fill="#07a"/><g transform="skewX(20)"><circle r="5" fill="#fff"/></g></g><path transform="matrix(1 0 .5 1 2 3) rotate(10 8 8)" d="M2 2h10v4H2z"/>"##
        ),
        (
            "style sheets",
            ##"<style>.a,.b{fill:#0a0} path.b { fill : none; stroke:#a00; stroke-width:3 } #c{fill:#00a}</style><path class="a" d="M2 2h14v14H2z"/><path class="b" d="M22 2h20v14H22z"/><circle id="c" cx="12" cy="34" r="9"/><circle cx="34" cy="34" r="9" style="fill:orange;stroke:black" class="a"/>"##
        ),
        (
            "uses",
            ##"<defs><path id="p" d="M0 0h10v10H0z"/><symbol id="s" viewBox="0 0 4 4"><circle cx="2" cy="2" r="2"/></symbol></defs><use href="#p" x="4" y="4" fill="blue"/><use xlink:href="#s" x="24" y="20" width="16" height="20" fill="green"/><use href="#s" opacity=".2"/><g color="red"><use href="#p" x="4" y="30" fill="currentColor"/></g>"##
        ),
        (
            "hidden",
            #"<g display="none"><rect width="48" height="48"/></g><rect x="8" y="8" width="20" height="9" visibility="hidden"/><circle cx="30" cy="30" r="10"/>"#
        ),
    ]

    private static func svg(_ content: String, _ attributes: String = #"width="48" height="48""#) -> [UInt8] {
        Array(
            """
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \(attributes)>\(content)</svg>
            """.utf8)
    }

    static let boxes = [
        #"viewBox="0 0 48 48" width="40" height="40""#, #"viewBox="-10 -4 60 30" width="50" height="40""#,
        #"viewBox="0 0 48 24" width="40" height="40" preserveAspectRatio="xMaxYMin""#,
        #"viewBox="0 0 48 24" width="40" height="40" preserveAspectRatio="none""#,
        #"viewBox="0 0 48 24" width="40" height="40" preserveAspectRatio="xMidYMax slice""#, #"viewBox="0 0 36 36""#,
        #"width="10mm" height="0.5in" viewBox="0 0 48 48""#,
    ]

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/rsvg-convert")), arguments: documents)
    func `an icon looks as librsvg draws it`(name: String, content: String) throws {
        try Self.compare(Self.svg(content), scale: 2)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/rsvg-convert")), arguments: boxes)
    func `a view box is fitted as librsvg does it`(attributes: String) throws {
        try Self.compare(Self.svg(Self.documents[2].content, attributes), scale: 1)
    }

    private static func compare(_ svg: [UInt8], scale: Double) throws {
        let icon = try SVGIcon(svg), pixels = try #require(icon.pixels(scale: scale))
        #expect(icon.losses == [])
        let folder = try TemporaryFolder(), picture = "\(folder.path)/icon.png"
        try folder.write(svg, to: "icon.svg")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/rsvg-convert")
        process.arguments = ["-z", "\(scale)", "-o", picture, "\(folder.path)/icon.svg"]
        try process.run()
        process.waitUntilExit()
        let expected = try ImageDecoders.standard.decode([UInt8](Data(contentsOf: URL(filePath: picture))))
        try #require(abs(expected.width - pixels.width) <= 1 && abs(expected.height - pixels.height) <= 1)
        var sum = 0
        for y in 0..<min(expected.height, pixels.height) {
            for x in 0..<min(expected.width, pixels.width) {
                let one = expected[x, y].bits, other = pixels[x, y].bits
                for shift in stride(from: UInt32(0), to: 32, by: 8) {
                    sum += abs(Int(one >> shift & 255) - Int(other >> shift & 255))
                }
            }
        }
        // Smooth edges differ a little from library to library.
        let mean = Double(sum) / Double(4 * pixels.pixels.count)
        guard mean > 0.6 else { return }
        Attachment.record(svg, named: "icon.svg")
        Issue.record("the mean difference is \(mean)")
    }

    @Test func `parts that are not drawn are listed`() throws {
        let icon = try SVGIcon(
            Self.svg(
                """
                <linearGradient id="g"/><rect width="9" height="9" fill="url(#g)"/><text>a</text>
                <image href="file:///etc/hostname"/><g mask="url(#m)"><circle r="4"/></g><use href="other.svg#a"/>
                """))
        #expect(icon.losses == ["<image>", "<text>", #"fill="url(#g)""#, #"mask="url(#m)""#])
    }

    @Test(arguments: [
        ("", SVGIcon.Failure.markup("")), ("<html/>", .noSVG), ("<svg/>", .noSize),
        ("<svg width='0' height='5'/>", .noSize),
        ("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg width='4' height='4'>&a;</svg>", .markup("")),
    ])
    func `a document that is no icon is refused`(text: String, expected: SVGIcon.Failure) {
        #expect {
            _ = try SVGIcon(Array(text.utf8))
        } throws: { error in
            guard case .markup? = error as? SVGIcon.Failure, case .markup = expected else {
                return error as? SVGIcon.Failure == expected
            }
            return true
        }
    }

    @Test func `uses that multiply are limited`() throws {
        var content = #"<path id="a0" d="M0 0h1v1z"/>"#
        for level in 1...30 {
            let use = ##"<use href="#a\##(level - 1)"/>"##
            content += #"<g id="a\#(level)">\#(use)\#(use)</g>"#
        }
        #expect(throws: SVGIcon.Failure.tooComplex(limit: 20_000)) { try SVGIcon(Self.svg(content)) }
        // So are those that draw nothing.
        let empty = content.replacing(#"<path id="a0" d="M0 0h1v1z"/>"#, with: #"<g id="a0"/>"#)
        #expect(throws: SVGIcon.Failure.tooComplex(limit: 20_000)) { try SVGIcon(Self.svg(empty)) }
        // A circle of references ends as well.
        _ = try SVGIcon(Self.svg(##"<g id="a"><use href="#a"/></g>"##))
    }
}
