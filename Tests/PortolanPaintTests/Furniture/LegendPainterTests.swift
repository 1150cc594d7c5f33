#if Text
import Foundation
import PortolanCodecs
import PortolanFeatures
import PortolanPaint
import PortolanPlan
import PortolanRaster
import PortolanWeb
import Testing

@Suite struct LegendPainterTests {
    private static let road = LineSymbol(
        color: MapColor(red: 250, green: 200, blue: 60), width: 4, casing: .init(color: .brick, width: 7))
    private static let path = LineSymbol(color: .brick, width: 2, cap: .butt, dashes: [6, 3])
    private static let border = LineSymbol(color: .leaf, width: 1)

    private static let symbols: [Legend.Symbol] = [
        Legend.Symbol(
            kind: .mark,
            style: Style(marker: .shape(ShapeMarker(shape: .pin, radius: 8, fill: FillSymbol(color: .brick)))),
            text: "Lookout"),
        Legend.Symbol(
            kind: .mark,
            style: Style(marker: .shape(ShapeMarker(radius: 5, fill: FillSymbol(color: .sea), stroke: border))),
            text: "Well"),
        Legend.Symbol(kind: .line, style: Style(stroke: road), text: "Road"),
        Legend.Symbol(kind: .line, style: Style(stroke: path), text: "Footpath"),
        Legend.Symbol(
            kind: .area,
            style: Style(stroke: border, fill: FillSymbol(color: MapColor(red: 190, green: 222, blue: 170))),
            text: "Wood"),
    ]

    /// MapServer's own legend of a layer.
    private static func capture() throws -> PixelBuffer {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "PortolanServicesTests/Fixtures/mapserver/legend.png")
        return try ImageDecoders.standard.decode([UInt8](Data(contentsOf: file)))
    }

    private static let entries: [Legend.Entry] = [
        .init(layer: "walk", title: "Walk round the lake", content: .symbols([symbols[2]], moreCount: 0)),
        .init(layer: "sights", title: "Sights and ways", content: .symbols(symbols, moreCount: 3)),
        .init(layer: "wms", title: "Populated places", content: .image(url: "legend")),
        .init(layer: "wms", title: "Relief", content: .titleOnly),
    ]

    private static func paint(
        _ entries: [Legend.Entry], _ scene: SampleScene, images: [String: PixelBuffer] = [:]
    ) throws -> PixelBuffer {
        var scene = scene
        scene.images = images
        return try scene.paint([], legend: Legend(entries: entries))
    }

    @Test func `a legend lists the layers from top to bottom`() throws {
        let scene = FurniturePainterTests.scene(420, 340, Furniture())
        try Golden.check(Self.paint(Self.entries, scene, images: ["legend": Self.capture()]), "legend")
    }

    @Test func `a legend does not overlap other furniture`() throws {
        let furniture = Furniture(
            attribution: "© OpenStreetMap contributors · Instituto Geográfico", title: "Zaragoza",
            infoBar: Furniture.InfoBar(title: "Walk", facts: ["3.2 km"]), showsNorthArrow: true, showsScaleBar: true)
        let scene = FurniturePainterTests.scene(420, 400, furniture)
        let image = try Self.capture()
        let with = try Self.paint(Self.entries.reversed().suffix(3), scene, images: ["legend": image])
        try Golden.check(with, "legend-furniture")
    }

    @Test func `a long legend continues in another column, and entries without room are counted`() throws {
        let wide = FurniturePainterTests.scene(760, 150, Furniture())
        try Golden.check(Self.paint(Self.entries, wide, images: ["legend": Self.capture()]), "legend-columns")
        let small = FurniturePainterTests.scene(240, 130, Furniture())
        try Golden.check(Self.paint(Self.entries, small, images: ["legend": Self.capture()]), "legend-more")
    }

    @Test func `a legend scales with the pixel ratio, and samples have the opacity of their layer`() throws {
        var scene = FurniturePainterTests.scene(200, 190, Furniture())
        scene.pixelRatio = 2
        let icon = try SampleScene.color(.sea, 20, 20)
        let entries: [Legend.Entry] = [
            .init(layer: "a", title: "Woods", opacity: 0.4, content: .symbols([Self.symbols[4]], moreCount: 0)),
            .init(layer: "b", title: "Lakes", content: .image(url: "icon")),
            .init(layer: "c", title: "Places", content: .image(url: "legend")),
        ]
        try Golden.check(
            Self.paint(entries, scene, images: ["icon": icon, "legend": Self.capture()]), "legend-2x")
    }

    @Test func `an entry with a missing image keeps its title`() throws {
        let scene = FurniturePainterTests.scene(200, 80, Furniture())
        let missing = try Self.paint([.init(layer: "a", title: "A", content: .image(url: "gone"))], scene)
        let bare = try Self.paint([.init(layer: "a", title: "A", content: .titleOnly)], scene)
        let none = try Self.paint([], scene)
        #expect(isSame(missing, bare))
        #expect(!isSame(bare, none))
    }

    @Test(arguments: [(4.0, 24.0, 48), (6, 60, 64)])
    func `markers have the size they have on the map, or are all reduced alike`(
        _ small: Double, _ large: Double, _ width: Int
    ) throws {
        let marks = [small, large].map { radius in
            Legend.Symbol(
                kind: .mark,
                style: Style(marker: .shape(ShapeMarker(radius: radius, fill: FillSymbol(color: .brick)))))
        }
        let entry = Legend.Entry(layer: "a", title: "A", content: .symbols(marks, moreCount: 0))
        let picture = try Self.paint([entry], FurniturePainterTests.scene(300, 300, Furniture()))
        let rows = (0..<300).map { y in (0..<300).count { picture[$0, y] == Pixel(.brick) } }
        let widths = rows.split(separator: 0).compactMap { $0.max() }
        #expect(widths.count == 2)
        #expect(abs((widths.last ?? 0) - width) <= 2, "\(widths)")
        #expect(abs(Double(widths.first ?? 0) - Double(width) * small / large) <= 2, "\(widths)")
    }

    @Test func `extreme titles, images and sizes never crash`() throws {
        let long = String(repeating: "word ", count: 20_000)
        let tall = try SampleScene.color(.sea, 2, 3000), broad = try SampleScene.color(.sea, 3000, 2)
        let huge = Legend.Symbol(
            kind: .mark, style: Style(marker: .shape(ShapeMarker(radius: 5000, fill: FillSymbol(color: .sea)))))
        let odd = Legend.Symbol(kind: .line, style: Style(stroke: LineSymbol(color: .sea, width: -3)))
        let entries: [Legend.Entry] = [
            .init(layer: "a", title: long, content: .image(url: "tall")),
            .init(layer: "b", title: "", content: .image(url: "broad")),
            .init(layer: "c", title: long, content: .symbols([huge, odd], moreCount: .max)),
        ]
        for (width, height) in [(1, 1), (30, 30), (96, 64), (3, 200), (400, 20), (400, 300)] {
            let scene = FurniturePainterTests.scene(width, height, Furniture(attribution: "x", title: "y"))
            let picture = try Self.paint(entries, scene, images: ["tall": tall, "broad": broad])
            #expect(picture.size == ImageSize(width: width, height: height))
        }
    }

    /// The panel is at the right, within the allowed share of the picture.
    @Test func `a legend leaves the left half of the map free`() throws {
        let scene = FurniturePainterTests.scene(300, 200, Furniture())
        let entries = (0..<40).map {
            Legend.Entry(layer: "\($0)", title: "A layer with many words \($0)", content: .titleOnly)
        }
        let picture = try Self.paint(entries, scene)
        let isFree = (0..<200).allSatisfy { y in (0..<140).allSatisfy { picture[$0, y] == Pixel(scene.background) } }
        #expect(isFree)
        #expect(picture[280, 100] == Pixel(.white))
    }

    @Test(arguments: [
        (MapColor.white, Furniture.Theme.light), (MapColor(red: 250, green: 250, blue: 245), .light),
        (MapColor(red: 36, green: 40, blue: 44), .dark),
    ])
    func `a sample in the colour of the panel has a darker or lighter background`(
        color: MapColor, theme: Furniture.Theme
    ) throws {
        func picture(_ color: MapColor) throws -> PixelBuffer {
            let line = Legend.Symbol(kind: .line, style: Style(stroke: LineSymbol(color: color, width: 3)))
            let legend = Legend(entries: [.init(layer: "a", title: "A", content: .symbols([line], moreCount: 0))])
            var scene = SampleScene(width: 160, height: 80)
            scene.furniture = Furniture(theme: theme)
            return try scene.paint([Scene.Layer](), legend: legend)
        }
        let shade = Pixel(
            theme == .dark ? MapColor(red: 110, green: 110, blue: 110) : MapColor(red: 150, green: 150, blue: 150))
        #expect(try picture(color).pixels.contains(shade.bits))
        #expect(try !picture(MapColor(red: 200, green: 0, blue: 0)).pixels.contains(shade.bits))
    }
}

private func isSame(_ one: PixelBuffer, _ other: PixelBuffer) -> Bool {
    one.size == other.size
        && (0..<one.height).allSatisfy { y in (0..<one.width).allSatisfy { one[$0, y] == other[$0, y] } }
}
#endif
