#if Text
import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct LabelPainterTests {
    @Test func `labels have a halo, a weight, an alignment and several lines`() throws {
        var scene = SampleScene(width: 160, height: 96)
        scene.background = MapColor(red: 120, green: 160, blue: 120)
        func label(
            _ text: String, _ x: Double, _ y: Double, _ h: LabelSymbol.HorizontalAlignment,
            _ v: LabelSymbol.VerticalAlignment, weight: Int = 400
        ) -> [Scene.StyledFeature] {
            let symbol = LabelSymbol(
                template: text, size: 12, weight: weight, horizontalAlignment: h, verticalAlignment: v,
                outline: .init(color: .white, width: 2))
            let dot = ShapeMarker(radius: 1.5, fill: FillSymbol(color: .brick))
            return [
                SampleScene.styled(.point(Coordinate(x: x, y: y)), Style(marker: .shape(dot))),
                SampleScene.styled(.point(Coordinate(x: x, y: y)), Style(label: symbol)),
            ]
        }
        let picture = try scene.paint(
            label("left", -70, 34, .left, .middle) + label("right", 70, 34, .right, .middle)
                + label("middle", 0, 34, .center, .middle) + label("top", -50, 8, .center, .top)
                + label("bottom", 0, 8, .center, .bottom) + label("Bold", 50, 8, .center, .middle, weight: 700)
                + label("two\nlines", 0, -28, .center, .middle))
        try Golden.check(picture, "labels")
    }

    private static func spans(_ parts: [(Int, (inout LabelSymbol.Span) -> Void)]) -> [LabelSymbol.Span] {
        parts.map { length, change in
            var span = LabelSymbol.Span(length: length)
            change(&span)
            return span
        }
    }

    @Test func `text spans have their own colours, sizes and weights, rotated and along a line`() throws {
        var scene = SampleScene(width: 160, height: 96)
        scene.background = MapColor(red: 120, green: 160, blue: 120)
        var symbol = LabelSymbol(
            template: "Main road\nlarge 12", size: 12, outline: .init(color: .white, width: 1.5), isPlain: true)
        symbol.spans = Self.spans([
            (5, { $0.color = .brick }), (5, { $0.weight = 700 }), (6, { $0.scale = 1.5 }), (2, { $0.color = .brick }),
        ])
        var turned = symbol, bent = symbol
        turned.rotation = 30
        turned.outline = nil
        bent.placement = .free
        bent.template = "Main road"
        bent.spans = Array(symbol.spans.prefix(1)) + Self.spans([(4, { $0.scale = 1.5 })])
        let line = SampleScene.places([(-70, -40), (-30, -20), (10, -28), (70, -30)])
        let picture = try scene.paint([
            SampleScene.styled(.point(Coordinate(x: -35, y: 22)), Style(label: symbol)),
            SampleScene.styled(.point(Coordinate(x: 40, y: 14)), Style(label: turned)),
            SampleScene.styled(.lineString(line), Style(label: bent)),
        ])
        try Golden.check(picture, "label-spans")
    }

    @Test(arguments: [[7], [3, 4], [1, 1, 5], [2, 3], [9], [-1, 8]])
    func `spans without style or with wrong lengths have no effect`(lengths: [Int]) throws {
        var symbol = LabelSymbol(template: "one two", size: 14, isPlain: true)
        let plain = try SampleScene().paint([SampleScene.styled(.point(Coordinate(x: 0, y: 0)), Style(label: symbol))])
        symbol.spans = lengths.map { LabelSymbol.Span(length: $0) }
        #expect(
            try SampleScene().paint([SampleScene.styled(.point(Coordinate(x: 0, y: 0)), Style(label: symbol))]) == plain
        )
    }

    @Test func `a blank text and a text of size zero are not drawn`() throws {
        for symbol in [LabelSymbol(template: " \n\t "), LabelSymbol(template: "x", size: 0)] {
            let picture = try SampleScene().paint([
                SampleScene.styled(.point(Coordinate(x: 0, y: 0)), Style(label: symbol))
            ])
            #expect(picture == (try SampleScene.color(.white, 96, 64)))
        }
    }

    /// A label comes from a file; it must not cost the picture.
    @Test func `extreme texts never crash`() throws {
        let texts = [
            String(repeating: "long ", count: 4000), "a" + String(repeating: "\u{301}", count: 20_000),
            String(repeating: "\n", count: 10_000) + "x", "\u{0}\u{7}", "\u{10FFFF}",
        ]
        for text in texts {
            _ = try SampleScene().paint([
                SampleScene.styled(.point(Coordinate(x: 0, y: 0)), Style(label: LabelSymbol(template: text)))
            ])
        }
    }

    @Test func `a line is labelled at its middle, an area at the middle of its bounding box`() throws {
        let label = Style(label: LabelSymbol(template: "●", size: 12))
        let line = try SampleScene().paint([
            SampleScene.styled(.lineString(SampleScene.places([(-45, -30), (20, 10), (45, 30)])), label)
        ])
        let point = try SampleScene().paint([SampleScene.styled(.point(Coordinate(x: 20, y: 10)), label)])
        #expect(line == point)
        let area = try SampleScene().paint([
            SampleScene.styled(.polygon([SampleScene.places([(0, 0), (40, 0), (40, 20), (0, 20), (0, 0)])]), label)
        ])
        #expect(area == point)
    }
}
#endif
