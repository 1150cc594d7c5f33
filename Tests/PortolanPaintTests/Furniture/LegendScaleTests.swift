#if Text
import PortolanFeatures
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

/// Scales in legends: ramps of colours, and discs.
@Suite struct LegendScaleTests {
    private static let ramp = Legend.Scale(steps: [
        .init(value: 0, color: MapColor(red: 255, green: 255, blue: 204), text: "0"),
        .init(value: 0.02, color: MapColor(red: 240, green: 249, blue: 185), text: "10"),
        .init(value: 0.5, color: MapColor(red: 65, green: 182, blue: 196), text: "500"),
        .init(value: 1, color: MapColor(red: 8, green: 29, blue: 88), text: "1.000"),
    ])
    private static let discs = Legend.Scale(steps: [
        .init(value: 6, text: "50.000"), .init(value: 13, text: "250.000"), .init(value: 27, text: "1.000.000"),
    ])
    private static let marker = ShapeMarker(
        radius: 27, fill: FillSymbol(color: .brick), stroke: LineSymbol(color: .white, width: 1))

    private static func line(_ width: Double, _ text: String) -> Legend.Symbol {
        Legend.Symbol(kind: .line, style: Style(stroke: LineSymbol(color: .sea, width: width)), text: text)
    }

    private static let entries: [Legend.Entry] = [
        .init(
            layer: "cities", title: "Einwohner",
            content: .symbols(
                [Legend.Symbol(kind: .discs, style: Style(marker: .shape(marker)), scale: discs)], moreCount: 0)),
        .init(
            layer: "density", title: "Je km²",
            content: .symbols(
                [
                    Legend.Symbol(kind: .ramp, style: Style(), scale: ramp),
                    Legend.Symbol(kind: .area, style: Style(fill: FillSymbol(color: .leaf)), text: "keine Daten"),
                ], moreCount: 0)),
        .init(
            layer: "flows", title: "Flows",
            content: .symbols([line(2, "20"), line(9, "90"), line(40, "400")], moreCount: 0)),
    ]

    @Test(arguments: [(1.0, "legend-scales"), (2, "legend-scales-2x")])
    func `discs are one in another, ramps have ticks, and widths are compared`(_ ratio: Double, _ name: String) throws {
        var scene = FurniturePainterTests.scene(220, 400, Furniture())
        scene.pixelRatio = ratio
        try Golden.check(scene.paint([], legend: Legend(entries: Self.entries)), name)
    }

    @Test func `discs have their sizes, and touch at the bottom`() throws {
        let scene = FurniturePainterTests.scene(220, 160, Furniture())
        let picture = try scene.paint([], legend: Legend(entries: [Self.entries[0]]))
        let rows = (0..<160).map { y in (0..<220).count { picture[$0, y] == Pixel(.brick) } }
        let filled = rows.indices.filter { rows[$0] > 0 }
        // 54 pixels without the half of the outline on both sides.
        #expect(abs((filled.last ?? 0) - (filled.first ?? 0) - 52) <= 1)
    }

    @Test func `the colours of density are at least 80 pixels long, the densest at the top`() throws {
        let heat = HeatmapSymbol(ramp: [.init(density: 0, color: .sea), .init(density: 1, color: .brick)])
        let entry = Legend.Entry(
            layer: "a", title: "Visitors",
            content: .symbols([Legend.Symbol(kind: .heat, style: Style(), heat: heat)], moreCount: 0))
        let scene = FurniturePainterTests.scene(220, 200, Furniture())
        let picture = try scene.paint([], legend: Legend(entries: [entry]))
        let colors = (0..<84).map { row -> Pixel in
            let mixed = heat.components(at: (Double(row) + 0.5) / 84) * 255
            return Pixel(
                MapColor(red: UInt8(mixed.x.rounded()), green: UInt8(mixed.y.rounded()), blue: UInt8(mixed.z.rounded()))
            )
        }
        // A column of the ramp, from the bottom to the top.
        let column = (0..<220).first { x in (0..<200).contains { picture[x, $0] == colors[83] } }
        let x = try #require(column)
        let top = try #require((0..<200).first { picture[x, $0] == colors[83] })
        #expect((0..<84).map { picture[x, top + 83 - $0] } == colors)
    }

    @Test func `crowded ticks keep a distance`() throws {
        let steps = (0...7).map { Legend.Scale.Step(value: Double($0) / 1000, color: .sea, text: "\($0)") }
        let scale = Legend.Scale(steps: steps + [.init(value: 1, color: .leaf, text: "1000")])
        let entry = Legend.Entry(
            layer: "a", title: "A",
            content: .symbols([Legend.Symbol(kind: .ramp, style: Style(), scale: scale)], moreCount: 0))
        let scene = FurniturePainterTests.scene(160, 260, Furniture())
        try Golden.check(scene.paint([], legend: Legend(entries: [entry])), "legend-crowded")
    }

    @Test func `odd scales never crash`() throws {
        let scales: [Legend.Scale] = [
            .init(steps: []), .init(steps: [.init(value: 0, text: "0")]), .init(steps: [.init(value: 1e9, text: "1")]),
            .init(steps: [.init(value: 0.5, color: .sea, text: "a"), .init(value: 0.5, color: .leaf, text: "b")]),
            .init(steps: (0..<500).map { .init(value: Double($0), color: .sea, text: "\($0)") }),
        ]
        for scale in scales {
            for kind in [Legend.Symbol.Kind.ramp, .discs] {
                let symbol = Legend.Symbol(kind: kind, style: Style(marker: .shape(Self.marker)), scale: scale)
                let entry = Legend.Entry(layer: "a", title: "A", content: .symbols([symbol, symbol], moreCount: 0))
                let scene = FurniturePainterTests.scene(160, 90, Furniture())
                _ = try scene.paint([], legend: Legend(entries: [entry]))
            }
        }
    }
}
#endif
