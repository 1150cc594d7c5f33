import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct FeaturePainterTests {
    static func road(_ color: MapColor) -> Style {
        Style(stroke: LineSymbol(color: color, width: 6, casing: .init(color: .black, width: 10)))
    }

    static let square = [(-20.0, -20.0), (20, -20), (20, 20), (-20, 20), (-20, -20)]

    @Test func `crossing lines merge above all casings`() throws {
        let picture = try SampleScene().paint([
            SampleScene.styled(.lineString(SampleScene.places([(-40, -20), (40, 20)])), Self.road(.white)),
            SampleScene.styled(.lineString(SampleScene.places([(-40, 22), (0, 0), (38, -24)])), Self.road(.white)),
        ])
        // Where the roads meet there is no casing: the first road's white goes through.
        #expect(picture[48, 32] == Pixel(.white))
        #expect(picture[56, 28] == Pixel(.white))
        try Golden.check(picture, "casing")
    }

    @Test func `a polygon's hole shows what is below`() throws {
        let hole = [(-8.0, -8.0), (8, -8), (8, 8), (-8, 8), (-8, -8)]
        // Both rings turn the same way: files wind their rings as they like.
        let style = Style(
            stroke: LineSymbol(color: .black, width: 2), fill: FillSymbol(color: MapColor.leaf.withOpacity(0.5)))
        let picture = try SampleScene().paint([
            SampleScene.styled(.polygon([SampleScene.places(Self.square), SampleScene.places(hole)]), style)
        ])
        #expect(picture[48, 32] == Pixel(.white))
        #expect(picture[34, 32] != Pixel(.white))
        try Golden.check(picture, "polygon-hole")
    }

    @Test func `the parts of a multipolygon do not cut holes into each other`() throws {
        let other = Self.square.map { ($0.0 / 2 + 18, $0.1 / 2 + 14) }
        let geometry = Geometry.multiPolygon([
            [SampleScene.places(Self.square.map { ($0.0 - 14, $0.1) })], [SampleScene.places(other)],
        ])
        let style = Style(stroke: LineSymbol(color: .black, width: 1), fill: FillSymbol(color: .leaf))
        let picture = try SampleScene().paint([SampleScene.styled(geometry, style)])
        try Golden.check(picture, "multipolygon")
        let overlapping = Geometry.multiPolygon([[SampleScene.places(Self.square)], [SampleScene.places(Self.square)]])
        let plain = try SampleScene().paint([SampleScene.styled(overlapping, Style(fill: FillSymbol(color: .leaf)))])
        #expect(plain[48, 32] == Pixel(.leaf))
    }

    @Test func `areas are drawn below lines and lines below markers, in any order`() throws {
        let dot = Style(marker: .shape(ShapeMarker(radius: 6, fill: FillSymbol(color: .brick))))
        let picture = try SampleScene().paint([
            SampleScene.styled(.point(Coordinate(x: 0, y: 0)), dot),
            SampleScene.styled(
                .lineString(SampleScene.places([(-40, 0), (40, 0)])), Style(stroke: LineSymbol(color: .sea, width: 4))),
            SampleScene.styled(.polygon([SampleScene.places(Self.square)]), Style(fill: FillSymbol(color: .leaf))),
        ])
        #expect(picture[48, 32] == Pixel(.brick))
        #expect(picture[62, 32] == Pixel(.sea))
        #expect(picture[48, 20] == Pixel(.leaf))
    }

    @Test func `an area smaller than a pixel keeps its border and its coverage`() throws {
        func ring(_ side: Double) -> Geometry {
            .polygon([SampleScene.places([(0.5, 0.5), (0.5 + side, 0.5), (0.5 + side, 0.5 + side), (0.5, 0.5)])])
        }
        let border = Style(stroke: LineSymbol(color: .black, width: 2))
        for side in [0.001, 0.02, 0.15] {
            let picture = try SampleScene().paint([SampleScene.styled(ring(side), border)])
            #expect(picture[48, 31].red < 128 && picture[44, 31] == Pixel(.white), "\(side)")
        }
        // Half of a square of 0.18 pixels is 4 of 255.
        let filled = try SampleScene().paint([SampleScene.styled(ring(0.18), Style(fill: FillSymbol(color: .black)))])
        #expect((250...252).contains(filled[48, 31].red))
    }

    @Test func `opacity applies to a layer as a whole`() throws {
        let style = Style(stroke: LineSymbol(color: .black, width: 12, cap: .butt))
        let picture = try SampleScene().paint(
            [
                SampleScene.styled(.lineString(SampleScene.places([(-40, 0), (40, 0)])), style),
                SampleScene.styled(.lineString(SampleScene.places([(0, -28), (0, 28)])), style),
            ], opacity: 0.5)
        // Half of black over white, everywhere the same: 255 − 128.
        #expect(picture[48, 32] == picture[20, 32])
        #expect(picture[48, 32] == picture[48, 10])
        #expect(abs(Int(picture[48, 32].red) - 127) <= 1)
        try Golden.check(picture, "opacity-group")
    }

    @Test func `features are drawn in each copy of the world`() throws {
        let style = Style(
            stroke: LineSymbol(color: .black, width: 1),
            marker: .shape(ShapeMarker(shape: .star, radius: 7, fill: FillSymbol(color: .brick))))
        var scene = SampleScene(width: 96, height: 24)
        scene.resolution = 40_075_016.68557849 / 32
        let world = 40_075_016.68557849
        let picture = try scene.paint([
            SampleScene.step(
                [SampleScene.styled(.point(Coordinate(x: 0, y: 0)), style)], shifts: [-world, 0, world])
        ])
        for column in [16, 48, 80] { #expect(picture[column, 12] == Pixel(.brick)) }
        for y in 0..<24 { for x in 0..<32 { #expect(picture[x, y] == picture[x + 32, y]) } }
        try Golden.check(picture, "world-copies")
    }

    #if Text
    @Test func `at pixel ratio 2 everything is twice as large`() throws {
        var scene = SampleScene(width: 48, height: 32)
        scene.pixelRatio = 2
        let style = Style(
            stroke: LineSymbol(color: .sea, width: 3, dashes: [6, 5]),
            marker: .shape(ShapeMarker(radius: 5, fill: FillSymbol(color: .brick))),
            label: LabelSymbol(template: "${name}", size: 9, verticalAlignment: .top, offsetY: 4))
        let features = [
            SampleScene.styled(.lineString(SampleScene.places([(-20, -10), (0, 8), (20, -10)])), style),
            SampleScene.styled(.point(Coordinate(x: 0, y: 4)), style, properties: ["name": "Zz"]),
        ]
        let picture = try scene.paint(features)
        #expect(picture.size == ImageSize(width: 96, height: 64))
        try Golden.check(picture, "pixel-ratio-2")
    }
    #endif

    @Test func `geometry outside the picture is clipped without a trace`() throws {
        let far = 1e7
        let style = Style(
            stroke: LineSymbol(color: .black, width: 4), fill: FillSymbol(color: .leaf))
        let around = SampleScene.places([(-far, -far), (far, -far), (far, far), (-far, far), (-far, -far)])
        let picture = try SampleScene().paint([SampleScene.styled(.polygon([around]), style)])
        #expect(picture == (try SampleScene.color(.leaf, 96, 64)))
    }

    /// Styles that no file should hold, but that one may.
    @Test func `extreme numbers in styles and coordinates never crash`() throws {
        let numbers: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, 1e-300, 0, -5, 1e9]
        for number in numbers {
            let label = LabelSymbol(
                template: "x", size: number, offsetX: number, offsetY: number,
                outline: .init(color: .white, width: number))
            let stroke = LineSymbol(
                color: .black, width: number, dashes: [number, 3], casing: .init(color: .white, width: number))
            let icon = IconMarker(
                source: .url("i"), width: number, height: 3, offsetX: number, offsetY: number, opacity: number,
                rotation: number, scale: number)
            let shape = ShapeMarker(
                shape: .pin, radius: number, fill: FillSymbol(color: .black), stroke: stroke, rotation: number)
            var scene = SampleScene(width: 32, height: 32)
            scene.images = ["i": try SampleScene.color(.brick, 4, 4)]
            let style = Style(stroke: stroke, fill: FillSymbol(color: .leaf), marker: .icon(icon), label: label)
            let place = Coordinate(x: number, y: 1)
            _ = try scene.paint([
                SampleScene.styled(.point(Coordinate(x: 1, y: 1)), style, icon: "i", isSelected: true),
                SampleScene.styled(.point(place), style, icon: "i", isSelected: true),
                SampleScene.styled(.point(Coordinate(x: 1, y: 1)), Style(marker: .shape(shape)), isSelected: true),
                SampleScene.styled(.lineString([place, Coordinate(x: 3, y: 3), Coordinate(x: 0, y: number)]), style),
                SampleScene.styled(
                    .polygon([[place, Coordinate(x: 3, y: 3), Coordinate(x: 0, y: number), place]]), style),
            ])
        }
    }

    @Test func `a long line is drawn like its parts`() throws {
        // A zigzag through the view and out of it.
        var places: [(Double, Double)] = []
        for index in 0..<40000 {
            let x = Double(index % 200) - 100 + Double(index) * 1e-4
            places.append((x, Double(index / 200) * 8 - 800 + (index.isMultiple(of: 2) ? 0.3 : -0.3)))
        }
        let style = Style(stroke: LineSymbol(color: .black, width: 1.5))
        let whole = try SampleScene().paint([SampleScene.styled(.lineString(SampleScene.places(places)), style)])
        let parts = stride(from: 0, to: places.count - 1, by: 5000).map { start in
            SampleScene.places(Array(places[start..<min(start + 5001, places.count)]))
        }
        let pieces = try SampleScene().paint([SampleScene.styled(.multiLineString(parts), style)])
        // Parts meet beyond the view.
        #expect(whole == pieces)
        #expect(Set(whole.pixels).count > 10)
    }

    @Test func `many points of one feature are drawn like those of many features`() throws {
        var places: [(Double, Double)] = []
        for index in 0..<70000 { places.append((Double(index % 300) / 3 - 50, Double(index / 300) / 3.7 - 32)) }
        let style = Style(
            marker: .shape(ShapeMarker(radius: 2, fill: FillSymbol(color: MapColor.leaf.withOpacity(0.1)))))
        let one = try SampleScene().paint([SampleScene.styled(.multiPoint(SampleScene.places(places)), style)])
        let many = try SampleScene().paint(
            SampleScene.places(places).map { SampleScene.styled(.point($0), style) })
        #expect(one == many)
        let children = SampleScene.places(places).map { Geometry.point($0) }
        #expect(try SampleScene().paint([SampleScene.styled(.collection(children), style)]) == one)
    }
}
