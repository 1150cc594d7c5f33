import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct LabelPainterTests {
    @Test func `labels have halo, weight, alignment and several lines`() throws {
        var scene = Scene(width: 160, height: 96)
        scene.background = Color(red: 120, green: 160, blue: 120)
        func label(
            _ text: String, _ x: Double, _ y: Double, _ h: LabelSymbol.HorizontalAlignment,
            _ v: LabelSymbol.VerticalAlignment, weight: Int = 400
        ) -> [StyledFeature] {
            let symbol = LabelSymbol(
                template: text, size: 12, weight: weight, horizontalAlignment: h, verticalAlignment: v,
                outline: .init(color: .white, width: 2))
            let dot = ShapeMarker(radius: 1.5, fill: FillSymbol(color: .brick))
            return [
                Scene.styled(.point(Coordinate(x: x, y: y)), Style(marker: .shape(dot))),
                Scene.styled(.point(Coordinate(x: x, y: y)), Style(label: symbol)),
            ]
        }
        let picture = try scene.paint(
            label("left", -70, 34, .left, .middle) + label("right", 70, 34, .right, .middle)
                + label("middle", 0, 34, .center, .middle) + label("top", -50, 8, .center, .top)
                + label("bottom", 0, 8, .center, .bottom) + label("Bold", 50, 8, .center, .middle, weight: 700)
                + label("two\nlines", 0, -28, .center, .middle))
        try Golden.check(picture, "labels")
    }

    @Test func `a text of blanks or of no size is none`() throws {
        for symbol in [LabelSymbol(template: " \n\t "), LabelSymbol(template: "x", size: 0)] {
            let picture = try Scene().paint([Scene.styled(.point(Coordinate(x: 0, y: 0)), Style(label: symbol))])
            #expect(picture == (try Scene.color(.white, 96, 64)))
        }
    }

    /// A label comes from a file; it must not cost the picture.
    @Test func `no text costs the picture`() throws {
        let texts = [
            String(repeating: "long ", count: 4000), "a" + String(repeating: "\u{301}", count: 20_000),
            String(repeating: "\n", count: 10_000) + "x", "\u{0}\u{7}", "\u{10FFFF}",
        ]
        for text in texts {
            _ = try Scene().paint([
                Scene.styled(.point(Coordinate(x: 0, y: 0)), Style(label: LabelSymbol(template: text)))
            ])
        }
    }

    @Test func `a line has its label at its middle, an area at the middle of its box`() throws {
        let label = Style(label: LabelSymbol(template: "●", size: 12))
        let line = try Scene().paint([
            Scene.styled(.lineString(Scene.places([(-45, -30), (20, 10), (45, 30)])), label)
        ])
        let point = try Scene().paint([Scene.styled(.point(Coordinate(x: 20, y: 10)), label)])
        #expect(line == point)
        let area = try Scene().paint([
            Scene.styled(.polygon([Scene.places([(0, 0), (40, 0), (40, 20), (0, 20), (0, 0)])]), label)
        ])
        #expect(area == point)
    }
}
