import Foundation
import Portolan
import PortolanCodecs
import PortolanRaster
import PortolanWeb
import Testing

/// Fonts and what is said of text that cannot be drawn as asked.
@Suite struct TextTests {
    private let portolan: BuiltCommand

    private static let fonts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/fonts")

    private static let view = ["--center", "0,0", "--zoom", "4", "--size", "160x80", "--attribution", "none"]

    init() throws {
        portolan = try BuiltCommand()
        try portolan.write(
            #"{"type":"Feature","properties":{"name":"Ag","code":"\#u{10FFFD}x"},"geometry":{"type":"Point","coordinates":[0,0]}}"#,
            to: "p.geojson")
        for name in ["DejaVuSans", "DejaVuSans-Bold"] {
            let bytes = try Data(contentsOf: Self.fonts.appending(path: "\(name).ttf"))
            try portolan.write([UInt8](bytes), to: "fonts/\(name).ttf")
        }
    }

    private func render(_ arguments: [String]) async throws -> (ended: BuiltCommand.Ended, image: PixelBuffer?) {
        let ended = try await portolan.run(["render", "-o", "a.png"] + Self.view + arguments)
        return (ended, try portolan.file("a.png").map { try ImageDecoders.standard.decode($0) })
    }

    #if Text
    @Test func `labels and furniture use the given font`() async throws {
        let layer = ["-l", "p.geojson;label=name", "--title", "Ag"]
        let sans = try await render(layer + ["--font", "fonts/DejaVuSans.ttf"])
        #expect(sans.ended.status == 0 && sans.ended.errors.isEmpty, "\(sans.ended.testDescription)")
        let bold = try await render(layer + ["--font", "fonts/DejaVuSans-Bold.ttf"])
        let (one, other) = (try #require(sans.image), try #require(bold.image))
        func differs(_ rows: Range<Int>) -> Bool {
            rows.contains { y in (0..<160).contains { one[$0, y] != other[$0, y] } }
        }
        // The title is bold in one and not in the other font; so is the label by the point.
        #expect(differs(0..<36) && differs(36..<60))
    }

    @Test func `a document names fonts relative to itself, and the option overrides them`() async throws {
        func document(_ font: String) throws {
            try portolan.write(
                #"{"font": \#(font), "layers": [{"source": "p.geojson", "label": "name"}]}"#, to: "map.json")
        }
        let wanted = try await render(["-l", "p.geojson;label=name", "--font", "fonts/DejaVuSans-Bold.ttf"]).image
        try document(#""fonts/DejaVuSans-Bold.ttf""#)
        #expect(try await render(["map.json"]).image == wanted)
        try document(#"["fonts/DejaVuSans-Bold.ttf", "fonts/DejaVuSans.ttf"]"#)
        let regular = try await render(["map.json"]).image
        #expect(regular != wanted && regular != nil)
        try document(#"[3]"#)
        #expect(try await render(["map.json"]).ended.status == 65)
    }

    @Test(arguments: [
        (["--font", "absent.ttf"], 66, "font 'absent.ttf': No such file"),
        (["--font", "p.geojson"], 65, "font 'p.geojson': not a TrueType or OpenType font"),
        (["--font", "No Such Family"], 64, "font 'No Such Family': no such file or installed family"),
    ])
    func `a font that cannot be used is an error`(_ arguments: [String], _ status: Int32, _ words: String) async throws
    {
        let ended = try await render(["-l", "p.geojson"] + arguments).ended
        #expect(ended.status == status)
        #expect(ended.error.contains(words), "\(ended.testDescription)")
        #expect(portolan.file("a.png") == nil)
    }

    @Test func `a character without a glyph is reported with its layer`() async throws {
        let ended = try await render(["-l", "p.geojson;label=code;name=codes", "--report", "a.json"]).ended
        #expect(ended.status == 3)
        #expect(ended.errors.contains("layer 'codes': no font has U+10FFFD; drawn as"), "\(ended.testDescription)")
        let report = try JSONDecoder().decode(RenderReport.self, from: Data(#require(portolan.file("a.json"))))
        #expect(report.warnings.count == 1 && !report.complete)
        let title = try await render(["-l", "p.geojson", "--title", "x\u{10FFFD}"]).ended
        #expect(title.errors.contains("the title: no font has U+10FFFD"))
    }
    #endif

    @Test(arguments: [
        ("nmae", "layer 'p': label: no feature has the property 'nmae'; did you mean 'name'?"),
        ("height", "layer 'p': label: no feature has the property 'height'; available: code, name"),
    ])
    func `a label of a property that no feature has is reported`(_ property: String, _ words: String) async throws {
        let ended = try await render(["-l", "p.geojson;label=\(property)"]).ended
        #expect(ended.status == 0)
        #expect(ended.errors.contains(words), "\(ended.testDescription)")
        let known = try await render(["-l", "p.geojson;label=name"]).ended.errors
        #if Text
        #expect(known.isEmpty)
        #else
        #expect(known.contains("--traits Text") && !known.contains("property"))
        #endif
    }

    #if Text
    @Test func `a label background has its colour and padding, and an invalid value is an error`() async throws {
        let plain = try await render(["-l", "p.geojson;label=name"]).image
        let boxed = try #require(
            try await render(["-l", "p.geojson;label=name;label-background=#00ff00;label-padding=6"]).image)
        let green = Pixel(red: 0, green: 255, blue: 0, alpha: 255)
        let count = (0..<80).reduce(0) { sum, y in sum + (0..<160).count { boxed[$0, y] == green } }
        // Two letters of 12 pixels with six pixels around them, less the ink.
        #expect(count > 350 && count < 700)
        #expect(plain != boxed)
        for (key, value) in [
            ("label-background", "pale"), ("label-padding", "-1"), ("label-size", "0"), ("label-size", "big"),
            ("label-color", "nil"),
        ] {
            let ended = try await render(["-l", "p.geojson;label=name;\(key)=\(value)"]).ended
            #expect(ended.status == 64)
            #expect(ended.error.contains("\(key)=\(value) is not"), "\(ended.testDescription)")
        }
    }

    @Test func `labels have the size and the colour of their layer`() async throws {
        let layer = "p.geojson;label=name;marker-size=small"
        let plain = try #require(try await render(["-l", layer]).image)
        let large = try #require(try await render(["-l", layer + ";label-size=24;label-color=#00f"]).image)
        func count(_ image: PixelBuffer, where isInk: (Pixel) -> Bool) -> Int {
            (0..<80).reduce(0) { sum, y in sum + (0..<160).count { isInk(image[$0, y]) } }
        }
        func isBlack(_ pixel: Pixel) -> Bool { max(pixel.red, pixel.green, pixel.blue) < 100 }
        func isBlue(_ pixel: Pixel) -> Bool { max(pixel.red, pixel.green) < 100 && pixel.blue > 200 }
        #expect(count(plain, where: isBlue) == 0 && count(large, where: isBlack) == 0)
        // Letters of twice the size have more than twice the ink.
        let few = count(plain, where: isBlack)
        #expect(few > 0 && count(large, where: isBlue) > 2 * few)
    }

    /// Two towns with room for one name: the colour of the neighbouring mark shows which one is drawn.
    @Test(arguments: [
        ("label-priority=people", "Much"), ("label-priority=-people", "Less"), ("label-priority=rank", "Much"),
        ("label-priority=-rank", "Less"), ("label-size=12", "Less"),
    ])
    func `the priority property decides which label is placed`(option: String, winner: String) async throws {
        // The earlier feature is the weaker one; the rank is a text and is read as the number it is.
        func town(_ name: String, _ people: Int) -> String {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"name":"\#(name)","people":\#(people),"rank":"\#(people)","style":{"default":{"labelAlign":"cm"}}}}"#
        }
        let towns = #"{"type":"FeatureCollection","features":[\#(town("Less", -7)),\#(town("Much", 20))]}"#
        try portolan.write(towns, to: "towns.geojson")
        let line = ["render", "--size", "80x40", "--center", "0,0", "--zoom", "3", "--svg-text", "-o", "t.svg", "-l"]
        let ended = try await portolan.run(line + ["towns.geojson;label=name;\(option)"])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
        let svg = String(decoding: try #require(portolan.file("t.svg")), as: UTF8.self)
        #expect(svg.contains(winner) && !svg.contains(winner == "Much" ? "Less" : "Much"), "\(svg)")
    }

    /// Thirty towns on three pixels, and one far away.
    @Test func `declutter draws only the points whose names have a place`() async throws {
        let rows = (0..<30).map { "Town \($0),\($0),\(0.01 * Double($0)),0" } + ["Far,5,10,0"]
        try portolan.write("name,people,lon,lat\n" + rows.joined(separator: "\n"), to: "towns.csv")
        let line = ["render", "--size", "300x80", "--center", "5,0", "--zoom", "5", "--svg-text", "-o", "t.svg"]
        func names() throws -> Int {
            String(decoding: try #require(portolan.file("t.svg")), as: UTF8.self).matches(of: /<text/).count
        }
        let layer = "towns.csv;label=name;label-priority=people"
        let crowded = try await portolan.run(line + ["-l", layer])
        #expect(crowded.errors.contains(" points; ';declutter=true' draws only the points whose names have a place"))
        let clear = try await portolan.run(line + ["-l", layer + ";declutter=true", "--report", "r.json"])
        #expect(clear.status == 0 && clear.errors.isEmpty, "\(clear.testDescription)")
        #expect(try names() == 2)
        let report = String(decoding: try #require(portolan.file("r.json")), as: UTF8.self)
        #expect(report.contains(#""omittedPoints" : 29"#), "\(report)")
        for (key, said) in [("label-priority=7;declutter=true", nil), ("declutter=maybe", "declutter")]
            as [(String, String?)]
        {
            let ended = try await portolan.run(line + ["-l", "towns.csv;label=name;\(key)"])
            #expect(said.map(ended.errors.contains) ?? ended.errors.isEmpty, "\(ended.testDescription)")
        }
        let idle = try await portolan.run(line + ["-l", "towns.csv;declutter=true"])
        #expect(idle.errors.contains("declutter: has no effect without the key 'label'"), "\(idle.errors)")
        let sized = try await portolan.run(line + ["-l", "towns.csv;label=name;radius=people;declutter=true"])
        #expect(sized.errors.contains("declutter"), "\(sized.errors)")
    }

    @Test func `a priority property that no feature has is reported`() async throws {
        for option in ["label-priority=poeple", "label-priority=-poeple"] {
            let ended = try await render(["-l", "p.geojson;label=name;\(option)"]).ended
            #expect(ended.errors.contains("label-priority: no feature has the property 'poeple'"), "\(ended.errors)")
        }
    }
    #endif

    @Test func `png8 writes a palette with opacity, without loss if the colours suffice`() async throws {
        let layer = ["-l", "p.geojson;label=name", "--background", "transparent"]
        let full = try await render(layer).image
        let palette = try await render(layer + ["--png8"]).image
        let bytes = try #require(portolan.file("a.png"))
        // IHDR's colour type, and a tRNS chunk.
        #expect(bytes[25] == 3)
        #expect(String(decoding: bytes, as: UTF8.self).contains("tRNS"))
        #expect(palette == full && full != nil)
        let ended = try await portolan.run(["render", "-l", "p.geojson", "--png8", "-o", "a.jpg"])
        #expect(ended.status == 64 && ended.error.contains("--png8"))
    }
}
