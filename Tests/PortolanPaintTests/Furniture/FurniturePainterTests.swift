#if Text
import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct FurniturePainterTests {
    static let land = MapColor(red: 200, green: 220, blue: 180)

    static func scene(_ width: Int, _ height: Int, _ furniture: Furniture) -> SampleScene {
        var scene = SampleScene(width: width, height: height)
        scene.background = land
        scene.furniture = furniture
        return scene
    }

    @Test func `an attribution is drawn in the bottom right corner and wraps`() throws {
        let short = Self.scene(160, 64, Furniture(attribution: "© OpenStreetMap"))
        try Golden.check(short.paint([Scene.Layer]()), "attribution")
        let long = Self.scene(160, 80, Furniture(attribution: "© OpenStreetMap contributors · Instituto Geográfico"))
        try Golden.check(long.paint([Scene.Layer]()), "attribution-wrapped")
    }

    @Test func `the information bar has its title on the left and its facts on the right`() throws {
        let bar = Furniture.InfoBar(title: "Walk", facts: ["3.2 km", "45 min"])
        let scene = Self.scene(256, 80, Furniture(attribution: "© A", infoBar: bar))
        try Golden.check(scene.paint([Scene.Layer]()), "info-bar")
    }

    @Test(arguments: [120, 200, 256, 320, 360])
    func `a long title is set smaller or truncated, and differs from other titles`(width: Int) throws {
        let facts = ["4.3 km", "1:59 h", "2 places"]
        func picture(_ title: String, _ facts: [String]) throws -> PixelBuffer {
            try Self.scene(width, 60, Furniture(infoBar: Furniture.InfoBar(title: title, facts: facts))).paint(
                [Scene.Layer]())
        }
        let titles = ["Ruta Centro ZGZ", "Ruta Norte ZGZ", "Ruta", "Camino largo de la ciudad de Zaragoza"]
        let pictures = try titles.map { try picture($0, facts) }
        for (index, one) in pictures.enumerated() {
            for other in pictures[(index + 1)...] { #expect(one.pixels != other.pixels) }
        }
        // A fact that is a text is cut as well, and neither takes all from the other.
        let text = String(repeating: "An old mill by the river ", count: 5)
        let bar = try picture("Mill", [text])
        #expect(try bar.pixels != picture("Mill", []).pixels && bar.pixels != picture("", [text]).pixels)
    }

    @Test func `a narrow information bar has a smaller title, fewer facts and an ellipsis`() throws {
        let bar = Furniture.InfoBar(title: "Ruta Centro ZGZ", facts: ["4.3 km", "1:59 h", "2 places"])
        try Golden.check(Self.scene(320, 60, Furniture(infoBar: bar)).paint([Scene.Layer]()), "info-bar-320")
        try Golden.check(Self.scene(200, 60, Furniture(infoBar: bar)).paint([Scene.Layer]()), "info-bar-200")
    }

    @Test(arguments: Furniture.Notice.Level.allCases)
    func `a notice is drawn across the top, with a sign for its level`(level: Furniture.Notice.Level) throws {
        let text = "Line 9 is diverted between Kamppi and Hakaniemi until noon, since a water main has burst"
        let furniture = Furniture(
            title: "Helsinki", notice: Furniture.Notice(text, level: level), showsNorthArrow: true)
        let picture = try Self.scene(320, 140, furniture).paint([Scene.Layer]())
        try Golden.check(picture, "notice-\(level)")
    }

    @Test func `an empty notice is not drawn`() throws {
        let silent = try Self.scene(200, 64, Furniture(title: "A", notice: Furniture.Notice(""))).paint([Scene.Layer]())
        #expect(try silent == Self.scene(200, 64, Furniture(title: "A")).paint([Scene.Layer]()))
    }

    @Test func `marks of a panel have their own colours, and plates if they are long`() throws {
        let pink = MapColor(red: 227, green: 54, blue: 153), yellow = MapColor(red: 255, green: 221, blue: 60)
        let rows = [
            Furniture.FactsPanel.Row(mark: "9", text: "Pasila", fact: "2 min", color: pink),
            Furniture.FactsPanel.Row(mark: "1003", text: "Olympiaterminaali", fact: "12:05", color: yellow),
            Furniture.FactsPanel.Row(mark: "M1", text: "Vuosaari", fact: "12:09"),
        ]
        let panel = Furniture.FactsPanel(title: "Kamppi", rows: rows, notes: ["timetable"])
        let picture = try Self.scene(520, 210, Furniture(notice: Furniture.Notice("No trams"), panel: panel))
            .paint([Scene.Layer]())
        try Golden.check(picture, "panel-marks")
    }

    @Test(
        arguments: [
            (ground: MapColor(red: 21, green: 23, blue: 28), theme: nil, isDark: true),
            (MapColor(red: 170, green: 211, blue: 223), nil, false), (.clear, nil, false),
            (MapColor(red: 21, green: 23, blue: 28), Furniture.Theme.light, false), (.white, .dark, true),
        ] as [(ground: MapColor, theme: Furniture.Theme?, isDark: Bool)])
    func `furniture has the theme that suits the background, or the chosen one`(
        ground: MapColor, theme: Furniture.Theme?, isDark: Bool
    ) throws {
        var scene = Self.scene(200, 60, Furniture(attribution: "A", title: "Map", theme: theme))
        scene.background = ground
        let picture = try scene.paint([Scene.Layer]())
        // Letters and panel of the title, both as the theme has them.
        let pixels = (0..<200).flatMap { x in (10..<40).map { picture[x, $0] } }
        let light = pixels.count { $0.red > 225 && $0.alpha > 200 },
            dark = pixels.count { $0.red < 60 && $0.alpha > 200 }
        #expect(isDark == (Furniture.Theme.matching(theme?.panel ?? ground) == .dark))
        #expect(light > 20)
        #expect(dark > 20)
        let plate = picture[100, 12]
        #expect(isDark ? plate.red < 60 : plate.red > 225, "\(plate)")
    }

    @Test func `a title is drawn at the top`() throws {
        try Golden.check(Self.scene(200, 64, Furniture(title: "Zaragoza")).paint([Scene.Layer]()), "title")
    }

    @Test func `the needle of the north arrow points north`() throws {
        try Golden.check(Self.scene(72, 72, Furniture(showsNorthArrow: true)).paint([Scene.Layer]()), "north-arrow")
        var turned = Self.scene(72, 72, Furniture(showsNorthArrow: true))
        turned.rotation = 90
        let picture = try turned.paint([Scene.Layer]())
        // East is up, so north is left of the needle's middle at (31, 41): red there, grey at the right.
        #expect(picture[24, 41].red > 150)
        #expect(picture[24, 41].green < 100)
        #expect(picture[38, 41].red > 150)
        #expect(picture[38, 41].green > 150)
        try Golden.check(picture, "north-arrow-turned")
    }

    @Test func `furniture grows with the pixel ratio`() throws {
        var scene = Self.scene(160, 80, Furniture(attribution: "© A", title: "Map", showsNorthArrow: true))
        scene.pixelRatio = 2
        try Golden.check(scene.paint([Scene.Layer]()), "furniture-2x")
    }

    /// Attributions come from servers; whatever they say, there is a picture.
    @Test func `extreme texts and sizes never crash`() throws {
        let texts = [
            String(repeating: "word ", count: 20_000), String(repeating: "\n", count: 70_000),
            "a" + String(repeating: "\u{301}", count: 70_000), "", "   ", "xyz",
        ]
        for text in texts {
            let all = Furniture(
                attribution: text, title: text, infoBar: Furniture.InfoBar(title: text, facts: [text, "1"]),
                showsNorthArrow: true)
            for (width, height) in text.count < 10 ? [(1, 1), (96, 64), (3, 200)] : [(400, 64)] {
                let picture = try Self.scene(width, height, all).paint([Scene.Layer]())
                #expect(picture.size == ImageSize(width: width, height: height))
            }
        }
    }

    @Test func `an attribution longer than the picture shows its beginning`() throws {
        let words = "Beginning " + String(repeating: "and more ", count: 40)
        let picture = try Self.scene(96, 64, Furniture(attribution: words)).paint([Scene.Layer]())
        let one = try Self.scene(96, 64, Furniture(attribution: "Beginning and\nmore and\nmore and")).paint(
            [Scene.Layer]())
        // The first line's row of pixels is the same as where nothing more follows.
        let first = try #require((0..<64).first { y in (40..<96).contains { picture[$0, y].red < 80 } })
        let same = try #require((0..<64).first { y in (40..<96).contains { one[$0, y].red < 80 } })
        #expect(first < 20)
        #expect(first < same + 20)
    }
}
#endif
