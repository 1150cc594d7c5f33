#if Text
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import Testing

@testable import PortolanPaint

@Suite struct LabelCollectorTests {
    static func label(_ change: (inout LabelSymbol) -> Void = { _ in }) -> LabelSymbol {
        var symbol = LabelSymbol(
            template: "${name}", size: 11, outline: .init(color: .white, width: 1.5), placement: .free)
        change(&symbol)
        return symbol
    }

    static let dot = MarkerSymbol.shape(ShapeMarker(radius: 3, fill: FillSymbol(color: .brick)))

    static func point(
        _ x: Double, _ y: Double, _ name: String, marker: MarkerSymbol? = dot, priority: PropertyValue? = nil
    ) -> Scene.StyledFeature {
        var properties: Properties = ["name": .string(name)]
        if let priority { properties["labelPriority"] = priority }
        return SampleScene.styled(
            .point(Coordinate(x: x, y: y)), Style(marker: marker, label: label()), properties: properties)
    }

    static func line(_ places: [(Double, Double)], _ name: String) -> Scene.StyledFeature {
        SampleScene.styled(
            .lineString(SampleScene.places(places)),
            Style(stroke: LineSymbol(color: MapColor(red: 170, green: 200, blue: 240), width: 7), label: label()),
            properties: ["name": .string(name)])
    }

    static func area(_ places: [(Double, Double)], _ name: String) -> Scene.StyledFeature {
        SampleScene.styled(
            .polygon([SampleScene.places(places + places.prefix(1))]),
            Style(
                fill: FillSymbol(color: MapColor(red: 200, green: 225, blue: 190)), label: label { $0.outline = nil }),
            properties: ["name": .string(name)])
    }

    private static var scene: SampleScene {
        var scene = SampleScene(width: 200, height: 120)
        scene.background = MapColor(red: 235, green: 232, blue: 225)
        return scene
    }

    @Test func `crowded labels avoid each other and all points, and one without room is left out`() throws {
        let names = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight"]
        let offsets: [(Double, Double)] = [
            (0, 0), (18, 4), (-14, 8), (4, 20), (-3, -20), (24, -14), (-22, -10), (12, -34),
        ]
        let points = zip(names, offsets).map { Self.point($1.0, $1.1, $0) }
        try Golden.check(Self.scene.paint(points), "labels-heap")
    }

    @Test func `each of the four sides is used if the better ones are occupied`() throws {
        // Blocks are placed on the sides that come first, one more for each picture in the row.
        var features: [Scene.StyledFeature] = []
        let block = MarkerSymbol.shape(ShapeMarker(shape: .square, radius: 1.5, fill: FillSymbol(color: .sea)))
        let sides: [(Double, Double)] = [(18, 0), (-18, 0), (0, 10)]
        for number in 0..<4 {
            let x = Double(number) * 96 - 144
            features.append(Self.point(x, 0, "Site \(number + 1)"))
            for side in sides.prefix(number) {
                features.append(
                    SampleScene.styled(.point(Coordinate(x: x + side.0, y: side.1)), Style(marker: block)))
            }
        }
        var scene = Self.scene
        (scene.width, scene.height) = (400, 60)
        try Golden.check(scene.paint(features), "labels-sides")
    }

    @Test func `a label may be on four sides of its mark and at four corners, without touching it`() throws {
        let text = try #require(
            try LabelText(
                "Site", symbol: Self.label(), fonts: SampleScene.fonts, glyphs: nil, pixelRatio: 1, isOneLine: false))
        let mark = Rectangle(minX: 47, minY: 47, maxX: 53, maxY: 53), point = Point(x: 50, y: 50)
        let places = PointPositions(text: text, halo: 1.5, gap: 4).places(around: mark, at: point)
        let boxes = try places.map { try #require($0.candidate.bounds) }
        #expect(boxes.allSatisfy { !$0.overlaps(mark) && $0.distance(to: mark) < 8 })
        let sides = boxes.map { box in
            [box.center.x < 44 ? -1 : box.center.x > 56 ? 1 : 0, box.center.y < 44 ? -1 : box.center.y > 56 ? 1 : 0]
        }
        #expect(sides == [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 1], [-1, -1], [-1, 1]])
        #expect(
            places.map { $0.candidate.clearance > 0 } == Array(repeating: false, count: 4)
                + Array(repeating: true, count: 4))
    }

    @Test func `a label follows its line and is never upside down`() throws {
        let curve = (0...24).map { step in
            let t = Double(step) / 24
            return (-90 + 180 * t, 48 - 60 * (t - 0.5) * (t - 0.5) * 2)
        }
        let lower = curve.map { ($0.0, -$0.1 + 12) }
        let picture = try Self.scene.paint([
            Self.line(curve, "Gentle Curve Road"), Self.line(lower.reversed(), "Running Backwards"),
            Self.line([(-80, -55), (-60, -20), (-90, 10)], "Too Sharp Here"),
        ])
        try Golden.check(picture, "labels-lines")
    }

    @Test func `labels on vertical lines read upwards in both directions`() throws {
        let up = try Self.scene.paint([Self.line([(0, -50), (0, 50)], "Upwards")])
        let down = try Self.scene.paint([Self.line([(0, 50), (0, -50)], "Upwards")])
        #expect(up == down)
        try Golden.check(up, "label-upright-line")
    }

    @Test func `joined letters are rotated as a whole, and marks stay with their letters`() throws {
        let bowl = (-6...6).map { step in
            let t = Double(step)
            return (t * 14, t * t / 2 - 50)
        }
        let picture = try Self.scene.paint([
            Self.line([(-90, -30), (0, 10), (90, 50)], "شارع المَلِك"),
            Self.line(bowl, "Cafe\u{301} Na\u{308}r Ho\u{308}he"),
        ])
        try Golden.check(picture, "labels-scripts")
    }

    @Test func `Arabic is joined right to left, Indic vowels are reordered, and marks are positioned`() throws {
        let words = [
            "क्षि दिल्ली कर्नाटक", "श्री राष्ट्रीय", "مُحَمَّد العربية", "شارع 12 قلعة", "Cafe\u{301} Ho\u{308}he Si\u{302}n", "किं A مح",
        ]
        var scene = SampleScene(width: 300, height: 240)
        scene.background = Self.scene.background
        let picture = try scene.paint(
            words.enumerated().map { number, word in
                let symbol = LabelSymbol(
                    template: word, size: 26, outline: number % 2 == 1 ? .init(color: .white, width: 2) : nil)
                let place = Coordinate(x: 0, y: 100 - 40 * Double(number))
                return SampleScene.styled(.point(place), Style(label: symbol))
            })
        try Golden.check(picture, "labels-shaping")
    }

    @Test func `a long line is labelled repeatedly`() throws {
        var scene = SampleScene(width: 900, height: 40)
        scene.background = Self.scene.background
        try Golden.check(scene.paint([Self.line([(-450, 0), (450, 6)], "Long Road")]), "labels-repeated")
    }

    @Test func `nearby parts of one road are labelled once`() throws {
        func count(_ names: [String], way: Double) throws -> Int {
            let plain = try Self.scene.paint([])
            let bare = names.enumerated().map { number, name in
                SampleScene.styled(
                    .lineString(
                        SampleScene.places([(-60, Double(number) * way - 30), (60, Double(number) * way - 30)])),
                    Style(label: Self.label { $0.outline = nil }), properties: ["name": .string(name)])
            }
            let picture = try Self.scene.paint(bare)
            // Labels one above the other leave rows without ink between them.
            let rows = (0..<120).map { y in (0..<200).contains { picture[$0, y] != plain[$0, y] } }
            return zip(rows, [false] + rows).filter { $0 && !$1 }.count
        }
        #expect(try count(["nnn", "nnn"], way: 40) == 1)
        #expect(try count(["nnn", "nnm"], way: 40) == 2)
    }

    @Test func `areas are labelled inside if the label fits, and across the border if not`() throws {
        let picture = try Self.scene.paint([
            // An L: the middle of its box lies outside.
            Self.area([(-95, -55), (-20, -55), (-20, -35), (-65, -35), (-65, 55), (-95, 55)], "Lake"),
            Self.area([(0, -50), (90, -50), (90, -10), (0, -10)], "Park"),
            Self.area([(0, 10), (12, 10), (12, 50), (0, 50)], "Tower"),
            Self.area([(40, 5), (95, 30), (40, 55), (55, 30)], "Fan"),
        ])
        try Golden.check(picture, "labels-areas")
    }

    @Test func `near the border a label is placed on the side with room`() throws {
        let picture = try Self.scene.paint([
            Self.point(92, 0, "East"), Self.point(-92, 0, "West"), Self.point(0, 52, "North"),
            Self.point(0, -52, "South"), Self.point(92, 52, "Corner"), Self.point(-95, -55, "Low"),
            Self.point(99, -30, "Nothing fits for a text that is so very long"),
        ])
        try Golden.check(picture, "labels-border")
        let fixed = LabelSymbol(template: "Cut")
        let cut = try Self.scene.paint([SampleScene.styled(.point(Coordinate(x: 98, y: 0)), Style(label: fixed))])
        #expect(cut != (try Self.scene.paint([])))
    }

    @Test func `a leader line connects a label without room to its mark, and an area has its name beside it`() throws {
        let crowd = (0..<12).map { number in
            let column = Double(number % 4), row = Double(number / 4)
            return Self.point(-45 + 7 * column, 12 - 8 * row, "Town \(number)", priority: .integer(20 - number))
        }
        let small = Self.area([(45, -45), (75, -45), (75, -30), (45, -30)], "Principality")
        let capital = Self.point(60, -38, "Capital", priority: .integer(30))
        try Golden.check(Self.scene.paint([small, capital] + crowd), "labels-leaders")
    }

    @Test func `of two labels at one position, the one with the higher priority is drawn`() throws {
        let low = Self.point(0, 0, "Low", marker: nil), high = Self.point(0, 0, "High", marker: nil, priority: 2)
        func fixed(_ feature: Scene.StyledFeature, _ priority: Double = 0) -> Scene.StyledFeature {
            SampleScene.styled(
                .point(Coordinate(x: 0, y: 0)),
                Style(
                    label: Self.label {
                        $0.placement = .fixed
                        $0.priority = priority
                    }),
                properties: feature.feature.properties)
        }
        let alone = try Self.scene.paint([fixed(high)])
        #expect(try Self.scene.paint([fixed(low), fixed(high)]) == alone)
        #expect(try Self.scene.paint([fixed(low, 1.5), fixed(high)]) == alone)
        #expect(try Self.scene.paint([fixed(low, 2.5), fixed(high)]) != alone)
        // The upper layer comes first among equals.
        let lowAlone = try Self.scene.paint([fixed(low)])
        #expect(try Self.scene.paint([SampleScene.step([fixed(low)]), SampleScene.step([fixed(high)])]) == alone)
        let equal = Self.point(0, 0, "High", marker: nil)
        #expect(try Self.scene.paint([SampleScene.step([fixed(equal)]), SampleScene.step([fixed(low)])]) == lowAlone)
    }

    @Test func `no layer covers the labels of another, and labels have the opacity of their layer`() throws {
        let cover = SampleScene.styled(
            .polygon([SampleScene.places([(-90, -50), (90, -50), (90, 50), (-90, 50), (-90, -50)])]),
            Style(fill: FillSymbol(color: .leaf)))
        let symbol = Self.label {
            $0.size = 24
            $0.weight = 700
        }
        let name = SampleScene.styled(
            .point(Coordinate(x: 0, y: 0)), Style(label: symbol), properties: ["name": "HIH"])
        let under = try Self.scene.paint([SampleScene.step([name]), SampleScene.step([cover])])
        #expect(try under == Self.scene.paint([SampleScene.step([cover]), SampleScene.step([name])]))
        let faded = try Self.scene.paint([SampleScene.step([name], opacity: 0.5), SampleScene.step([cover])])
        var count = 0
        for y in 0..<120 {
            for x in 0..<200 where under[x, y] == Pixel(.black) {
                count += 1
                // Half of black over the green: the halo does not show through the letters.
                #expect(abs(Int(faded[x, y].green) - 65) <= 1)
                #expect(abs(Int(faded[x, y].red) - 35) <= 1)
            }
        }
        #expect(count > 100)
    }

    @Test(arguments: [(14.0, true), (8, false)])
    func `a number is drawn on its disc, but beside it if the halo would hide the disc`(
        radius: Double, isOn: Bool
    ) throws {
        let disc = MarkerSymbol.shape(ShapeMarker(radius: radius, fill: FillSymbol(color: .sea)))
        let picture = try Self.scene.paint([Self.point(0, 0, "7", marker: disc)])
        var fixed = Self.point(0, 0, "7", marker: disc)
        fixed = SampleScene.styled(
            .point(Coordinate(x: 0, y: 0)), Style(marker: disc, label: Self.label { $0.placement = .fixed }),
            properties: fixed.feature.properties)
        #expect(try (picture == Self.scene.paint([fixed])) == isOn)
    }

    /// Styles that no file should hold, but that one may.
    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e-300, 0, -5, 1e9])
    func `extreme numbers in styles and coordinates never crash the placement`(number: Double) throws {
        let symbol = LabelSymbol(
            template: "x y", size: number, outline: .init(color: .white, width: number), placement: .free,
            priority: number)
        let usual = Self.label { $0.priority = number }
        let shape = ShapeMarker(
            radius: number, fill: FillSymbol(color: .leaf), stroke: LineSymbol(color: .black, width: number))
        let place = Coordinate(x: number, y: 1), far = Coordinate(x: 90, y: number), near = Coordinate(x: -90, y: 3)
        for label in [symbol, usual] {
            let style = Style(marker: .shape(shape), label: label)
            let shapes: [Geometry] = [
                .point(place), .point(near), .multiPoint([place, near]), .lineString([place, near, far]),
                .lineString([near, near]), .polygon([[place, near, far, place]]), .empty(.polygon),
                .collection([.point(near), .lineString([near, far])]),
            ]
            _ = try Self.scene.paint(
                shapes.map { SampleScene.styled($0, style, isSelected: true, properties: ["name": "a b"]) })
        }
    }

    @Test func `extreme texts never crash, on any geometry`() throws {
        let texts = [
            String(repeating: "long ", count: 4000), "a" + String(repeating: "\u{301}", count: 20_000),
            String(repeating: "\n", count: 10_000) + "x", "\u{0}\u{7}", "\u{10FFFF}", "one\ntwo",
            "", "\u{1F600}\u{1F469}\u{200D}\u{1F467}", "\u{94D}ि", "क्षि مح",
        ]
        for text in texts {
            _ = try Self.scene.paint([
                Self.point(0, 0, text), Self.line([(-90, 0), (90, 5)], text),
                Self.area([(-90, -50), (90, -50), (0, 50)], text),
            ])
        }
    }
}
#endif
