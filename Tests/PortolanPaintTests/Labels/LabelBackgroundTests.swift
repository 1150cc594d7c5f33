#if Text
import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct LabelBackgroundTests {
    static let sand = MapColor(red: 255, green: 244, blue: 200)

    static func label(padding: Double = 3, outline: Bool = true, color: MapColor = sand) -> LabelSymbol {
        LabelCollectorTests.label {
            $0.background = LabelSymbol.Background(color: color, padding: padding)
            if !outline { $0.outline = nil }
        }
    }

    private static var scene: SampleScene {
        var scene = SampleScene(width: 220, height: 150)
        scene.background = MapColor(red: 150, green: 180, blue: 150)
        return scene
    }

    private static func point(_ x: Double, _ y: Double, _ name: String, _ symbol: LabelSymbol) -> Scene.StyledFeature {
        SampleScene.styled(
            .point(Coordinate(x: x, y: y)), Style(marker: LabelCollectorTests.dot, label: symbol),
            properties: ["name": .string(name)])
    }

    private static func line(_ places: [(Double, Double)], _ name: String, _ symbol: LabelSymbol) -> Scene.StyledFeature
    {
        SampleScene.styled(
            .lineString(SampleScene.places(places)), Style(stroke: LineSymbol(color: .sea, width: 2), label: symbol),
            properties: ["name": .string(name)])
    }

    @Test func `a background is drawn behind point, line and fixed labels, under their halo`() throws {
        let curve = (0...24).map { step in
            let t = Double(step) / 24
            return (-100 + 200 * t, -20 - 60 * (t - 0.5) * (t - 0.5) * 2)
        }
        var fixed = Self.label(padding: 5)
        fixed.placement = .fixed
        fixed.template = "two\nlines, aligned"
        fixed.horizontalAlignment = .right
        let translucent = Self.label(outline: false, color: MapColor(red: 20, green: 30, blue: 60, alpha: 120))
        let picture = try Self.scene.paint([
            Self.point(-60, 55, "ace", Self.label()), Self.point(10, 55, "Ágy", Self.label(outline: false)),
            Self.point(100, 20, "fixed", fixed), Self.line(curve, "Gentle Curve Road", Self.label()),
            Self.line([(-100, -65), (100, -50)], "شارع المَلِك", Self.label(padding: 2)),
            Self.line([(-100, 0), (-30, 35)], "See through", translucent),
        ])
        try Golden.check(picture, "labels-background")
    }

    @Test func `a background may have a border`() throws {
        let scene = Self.scene, rim = LabelSymbol.Outline(color: .white, width: 2)
        var label = LabelSymbol(template: "10", color: .white, size: 14, weight: 700, offsetY: 20)
        label.placement = .fixed
        label.background = .init(color: .sea, padding: 4, cornerRadius: 5, border: rim)
        let picture = try scene.paint([Self.point(0, 0, "", label)])
        let row = (0..<110).map { picture[$0, 99] }
        // From outside: the ground, the rim, the box.
        let white = try #require(row.firstIndex(of: Pixel(.white))), sea = try #require(row.firstIndex(of: Pixel(.sea)))
        #expect(row.prefix(white - 1).allSatisfy { $0 == row[0] })
        #expect((white + 1...white + 3).contains(sea))
        try Golden.check(picture, "labels-rim")
    }

    @Test func `of two labels whose backgrounds would overlap, one is left out`() throws {
        func picture(_ padding: Double) throws -> PixelBuffer {
            func fixed(_ y: Double, _ name: String) -> Scene.StyledFeature {
                var symbol = Self.label(padding: padding, outline: false)
                symbol.placement = .fixed
                return SampleScene.styled(
                    .point(Coordinate(x: 0, y: y)), Style(label: symbol), properties: ["name": .string(name)])
            }
            return try Self.scene.paint([fixed(10, "One"), fixed(-10, "Two")])
        }
        func rows(_ picture: PixelBuffer) -> Int {
            let paper = picture[0, 0]
            let inked = (0..<150).map { y in (0..<220).contains { picture[$0, y] != paper } }
            return zip(inked, [false] + inked).filter { $0 && !$1 }.count
        }
        #expect(try rows(picture(1)) == 2)
        let wide = try picture(8)
        #expect(rows(wide) == 1)
        // The box of the first alone: letters 11 pixels high, eight pixels above and below.
        let height = (0..<150).count { wide[110, $0] != wide[0, 0] }
        #expect(height >= 26)
        #expect(height <= 29)
    }

    @Test(arguments: [(Double.nan, 0), (-.infinity, 0), (-5, 0), (.infinity, 1e9), (1e300, 1e9)])
    func `an invalid padding is replaced by the nearest valid one`(_ padding: Double, _ nearest: Double) throws {
        func picture(_ padding: Double) throws -> PixelBuffer {
            try Self.scene.paint([
                Self.point(0, 0, "a", Self.label(padding: padding)),
                Self.line([(-90, 0), (90, 10)], "Some Road", Self.label(padding: padding)),
            ])
        }
        #expect(try picture(padding) == picture(nearest))
    }
}
#endif
