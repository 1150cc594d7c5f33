import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct MarkerPainterTests {
    @Test func `marker shapes can be told apart`() throws {
        let features = ShapeMarker.Shape.allCases.filter { ![.roundedSquare, .arrow, .flag].contains($0) }.enumerated()
            .map {
                number, shape in
                let marker = ShapeMarker(
                    shape: shape, radius: 9, fill: FillSymbol(color: .brick),
                    stroke: LineSymbol(color: .black, width: 1))
                return SampleScene.styled(
                    .point(Coordinate(x: Double(number) * 26 - 78, y: shape == .pin ? -16 : 0)),
                    Style(marker: .shape(marker)))
            }
        try Golden.check(SampleScene(width: 192, height: 48).paint(features), "marker-shapes")
    }

    @Test func `discs and squares can have symbols, and beaks in any direction`() throws {
        let shapes: [ShapeMarker.Shape] = [.circle, .square, .roundedSquare]
        let features = shapes.enumerated().flatMap { row, shape in
            (0..<9).map { column in
                let marker = ShapeMarker(
                    shape: shape, radius: 12, fill: FillSymbol(color: column == 8 ? .white : .brick),
                    stroke: LineSymbol(color: column == 8 ? .black : .white, width: 2),
                    symbol: PinSymbol(["bus", "rail", "t"][row]),
                    beak: column == 8 ? nil : .init(direction: Double(column) * 45 + (row == 1 ? 10 : 0)))
                let place = Coordinate(x: Double(column) * 50 - 200, y: 50 - Double(row) * 50)
                return SampleScene.styled(.point(place), Style(marker: .shape(marker)))
            }
        }
        let ground = SampleScene.styled(
            .polygon([
                [(-240, -90), (240, -90), (240, 90), (-240, 90), (-240, -90)].map { Coordinate(x: $0.0, y: $0.1) }
            ]),
            Style(fill: FillSymbol(color: MapColor(red: 0xD8, green: 0xE2, blue: 0xD0))))
        try Golden.check(SampleScene(width: 460, height: 160).paint([ground] + features), "marker-badges")
    }

    @Test func `stars and pins have no beak`() throws {
        for shape in [ShapeMarker.Shape.star, .cross, .x, .triangle, .pin] {
            let plain = ShapeMarker(shape: shape, radius: 9, fill: FillSymbol(color: .brick))
            var pointed = plain
            pointed.beak = .init(direction: 90)
            func paint(_ marker: ShapeMarker) throws -> PixelBuffer {
                try SampleScene(width: 64, height: 64).paint([
                    SampleScene.styled(.point(Coordinate(x: 0, y: 0)), Style(marker: .shape(marker)))
                ])
            }
            #expect(try paint(plain) == paint(pointed))
        }
    }

    @Test func `every symbol is drawn in the head of its pin`() throws {
        let names = PinSymbol.allNames + ["10", "42", "99"]
        func place(_ number: Int) -> Coordinate {
            Coordinate(x: Double(number % 22) * 29 - 304, y: 190 - Double(number / 22) * 42)
        }
        let features = names.enumerated().map { number, name in
            let fill: MapColor = number % 5 == 4 ? MapColor(red: 250, green: 220, blue: 90) : .brick
            let marker = ShapeMarker(
                shape: .pin, radius: 12, fill: FillSymbol(color: fill), stroke: LineSymbol(color: .white, width: 1.5),
                symbol: PinSymbol(name))
            return SampleScene.styled(.point(place(number)), Style(marker: .shape(marker)))
        }
        #expect(features.count == names.count)
        #expect(names.count > 200)
        let picture = try SampleScene(width: 660, height: 460).paint(features)
        try Golden.check(picture, "pin-symbols")
        let plain = try SampleScene(width: 660, height: 460).paint(
            names.indices.map { number in
                let marker = ShapeMarker(
                    shape: .pin, radius: 12, fill: FillSymbol(color: .brick),
                    stroke: LineSymbol(color: .white, width: 1.5))
                return SampleScene.styled(.point(place(number)), Style(marker: .shape(marker)))
            })
        #expect(picture != plain)
    }

    @Test func `a shape is rotated clockwise`() throws {
        let features = [0.0, 90, 180, 45].enumerated().map { number, rotation in
            let marker = ShapeMarker(
                shape: .triangle, radius: 10, fill: FillSymbol(color: .sea), rotation: rotation)
            return SampleScene.styled(
                .point(Coordinate(x: Double(number) * 24 - 36, y: 0)), Style(marker: .shape(marker)))
        }
        let picture = try SampleScene(width: 96, height: 32).paint(features)
        // The tip of the second points east, that of the third down.
        #expect(picture[36 + 6, 16] == Pixel(.sea))
        #expect(picture[36 - 6, 16] == Pixel(.white))
        #expect(picture[60, 16 + 6] == Pixel(.sea))
        #expect(picture[60, 16 - 6] == Pixel(.white))
        try Golden.check(picture, "marker-rotation")
    }

    /// A flag: red above, blue below, a white column at the left.
    static func flag() throws -> PixelBuffer {
        var image = try SampleScene.color(.brick, 8, 8)
        for y in 0..<8 {
            for x in 0..<8 { if y > 3 { image[x, y] = Pixel(.sea) } }
            image[0, y] = Pixel(.black)
        }
        return image
    }

    static func icon(_ change: (inout IconMarker) -> Void) -> Style {
        var icon = IconMarker(source: .url("i"))
        change(&icon)
        return Style(marker: .icon(icon))
    }

    @Test(arguments: ["i", nil])
    func `a missing icon is drawn as the default marker`(address: String?) throws {
        let scene = SampleScene(), place = Coordinate(x: 3, y: 2)
        let missing = try scene.paint([SampleScene.styled(.point(place), Self.icon { $0.scale = 3 }, icon: address)])
        #expect(try missing == scene.paint([SampleScene.styled(.point(place), .standard)]))
        #expect(try missing != scene.paint([]))
    }

    #if Text
    @Test func `labels avoid the marker that replaces an icon`() throws {
        let label = LabelSymbol(template: "x")
        let scene = SampleScene(), place = Coordinate(x: 0, y: 0)
        var missing = Self.icon { _ in }, standard = Style.standard
        missing.label = label
        standard.label = label
        #expect(
            try scene.paint([SampleScene.styled(.point(place), missing, icon: "i")])
                == scene.paint([SampleScene.styled(.point(place), standard)]))
    }
    #endif

    @Test func `an icon at whole pixels is copied unchanged`() throws {
        var scene = SampleScene()
        scene.images = ["i": try Self.flag()]
        let picture = try scene.paint([
            SampleScene.styled(.point(Coordinate(x: 0, y: 0)), Self.icon { _ in }, icon: "i")
        ])
        for y in 0..<8 { for x in 0..<8 { #expect(try picture[44 + x, 28 + y] == Self.flag()[x, y]) } }
        #expect(picture[43, 30] == Pixel(.white))
        #expect(picture[52, 30] == Pixel(.white))
    }

    @Test func `an icon has its anchor, offset, size, scale and rotation`() throws {
        var scene = SampleScene()
        scene.images = ["i": try Self.flag()]
        let marked = Style(marker: .shape(ShapeMarker(radius: 1, fill: FillSymbol(color: .black))))
        let icons: [(Double, Double, Style)] = [
            (-36, 14, Self.icon { $0.anchor = .bottom }),
            (
                -12, 14,
                Self.icon {
                    $0.offsetX = 4; $0.offsetY = -4
                }
            ),
            (12, 14, Self.icon { $0.scale = 2 }),
            (
                36, 14,
                Self.icon {
                    $0.width = 16; $0.height = 8
                }
            ),
            (-36, -14, Self.icon { $0.rotation = 90 }),
            (
                -12, -14,
                Self.icon {
                    $0.rotation = 30; $0.scale = 2
                }
            ),
            (
                12, -14,
                Self.icon {
                    $0.opacity = 0.4; $0.scale = 2
                }
            ),
            (
                36, -14,
                Self.icon {
                    $0.anchor = .bottom; $0.rotation = 45; $0.scale = 1.5
                }
            ),
        ]
        let picture = try scene.paint(
            icons.map { SampleScene.styled(.point(Coordinate(x: $0.0, y: $0.1)), $0.2, icon: "i") }
                + icons.map { SampleScene.styled(.point(Coordinate(x: $0.0, y: $0.1)), marked) })
        try Golden.check(picture, "icon")
        // Turned clockwise by 90°, the black column at the left comes to the top.
        #expect(picture[12 - 3, 46 - 4] == Pixel(.black))
    }

    @Test func `the selection mark points at the top of the selected feature`() throws {
        let disc = Style(
            marker: .shape(ShapeMarker(radius: 6, fill: FillSymbol(color: .sea), stroke: nil)))
        let pin = Style(marker: .shape(ShapeMarker(shape: .pin, radius: 6, fill: FillSymbol(color: .sea))))
        var scene = SampleScene()
        scene.images = ["i": try Self.flag()]
        let picture = try scene.paint([
            SampleScene.styled(.point(Coordinate(x: -30, y: -10)), disc, isSelected: true),
            SampleScene.styled(.point(Coordinate(x: 0, y: -20)), pin, isSelected: true),
            SampleScene.styled(
                .point(Coordinate(x: 30, y: -10)), Self.icon { $0.anchor = .bottom }, icon: "i", isSelected: true),
        ])
        try Golden.check(picture, "selection")
    }

    /// Prepared marks are drawn at sixteenths of a pixel, where they equal the exact ones.
    @Test func `the markers of thousands of features are drawn in the same order as those of few`() throws {
        var scene = SampleScene()
        scene.images = ["i": try Self.flag()]
        let looks = [(5.0, MapColor.brick), (3.0, .sea)].map { radius, color in
            Style(
                marker: .shape(
                    ShapeMarker(
                        radius: radius, fill: FillSymbol(color: color), stroke: LineSymbol(color: .black, width: 1))))
        }
        let features = (0..<2600).map { number in
            let place = Coordinate(
                x: Double(number * 7919 % 1600) / 16 - 50, y: Double(number * 104_729 % 1100) / 16 - 34)
            return number % 97 == 0
                ? SampleScene.styled(.point(place), Self.icon { _ in }, icon: "i")
                : SampleScene.styled(.point(place), looks[number % 7 < 3 ? 0 : 1], isSelected: number % 89 == 0)
        }
        let many = try scene.paint(features)
        scene.threads = 3
        #expect(try scene.paint(features) == many)
        let few = try scene.paint(
            stride(from: 0, to: features.count, by: 900).map {
                SampleScene.step(Array(features[$0..<min($0 + 900, features.count)]))
            })
        for y in 0..<many.height {
            for x in 0..<many.width {
                let a = many[x, y], b = few[x, y]
                #expect(abs(Int(a.red) - Int(b.red)) <= 2 && abs(Int(a.blue) - Int(b.blue)) <= 2, "\(x) \(y)")
            }
        }
    }
}
