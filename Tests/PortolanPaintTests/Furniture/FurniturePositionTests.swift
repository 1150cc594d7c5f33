#if Text
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanWeb
import Testing

@testable import PortolanPaint

@Suite struct FurniturePositionTests {
    private typealias Corner = PaintedInset.Corner

    private static let size = (width: 400, height: 300)
    private static let legend = Legend(entries: [
        .init(
            layer: "f", title: "Wells",
            content: .symbols(
                [
                    Legend.Symbol(kind: .mark, style: Style(marker: disc), text: "deep"),
                    Legend.Symbol(kind: .area, style: Style(fill: FillSymbol(color: .leaf)), text: "wood"),
                ], moreCount: 0))
    ])
    private static let disc = MarkerSymbol.shape(ShapeMarker(radius: 6, fill: FillSymbol(color: .brick)))

    /// A third of the picture in a corner, in coordinates of the map.
    private static func part(_ corner: Corner) -> (x: ClosedRange<Double>, y: ClosedRange<Double>) {
        (corner.isLeft ? -195...(-65) : 65...195, corner.isTop ? 45...145 : -145...(-45))
    }

    private static func marks(in corners: [Corner]) -> [Scene.StyledFeature] {
        corners.flatMap { corner in
            let (xs, ys) = part(corner)
            return stride(from: xs.lowerBound, through: xs.upperBound, by: 26).flatMap { x in
                stride(from: ys.lowerBound, through: ys.upperBound, by: 25).map { y in
                    SampleScene.styled(.point(Coordinate(x: x, y: y)), Style(marker: disc))
                }
            }
        }
    }

    private static func lines(in corners: [Corner]) -> [Scene.StyledFeature] {
        corners.map { corner in
            let (xs, ys) = part(corner)
            let line = (0..<12).map { number in
                Coordinate(x: number % 2 == 0 ? xs.lowerBound : xs.upperBound, y: ys.lowerBound + 9 * Double(number))
            }
            return SampleScene.styled(.lineString(line), Style(stroke: LineSymbol(color: .sea, width: 1)))
        }
    }

    private static func painter(
        _ features: [Scene.StyledFeature], ratio: Double = 1, insets: [PaintedInset] = [],
        _ change: (inout Furniture) -> Void = { _ in }
    ) throws -> MapPainter {
        var scene = SampleScene(width: size.width, height: size.height)
        scene.pixelRatio = ratio
        var furniture = Furniture()
        change(&furniture)
        return MapPainter(
            scene: Scene(
                viewport: try scene.viewport(), background: FurniturePainterTests.land,
                layers: [SampleScene.step(features)], legend: legend),
            images: [:], fonts: SampleScene.fonts, furniture: furniture, insets: insets)
    }

    /// The corner with a pixel of an opaque panel.
    private static func corner(of painter: MapPainter) throws -> Corner? {
        let image = try painter.paint().image, aside = image.width * 20 / 400
        let corners = Corner.allCases.filter { corner in
            corner != .automatic
                && image[
                    corner.isLeft ? aside : image.width - 1 - aside, corner.isTop ? aside : image.height - 1 - aside]
                    == Pixel(.white)
        }
        return corners.count == 1 ? corners[0] : nil
    }

    @Test(
        arguments: [
            ([], .topRight), ([.bottomLeft], .topRight), ([.topRight], .bottomLeft),
            ([.topRight, .bottomLeft], .bottomRight), ([.topRight, .bottomLeft, .bottomRight], .topLeft),
        ] as [([PaintedInset.Corner], PaintedInset.Corner)])
    func `a legend is where it covers the fewest marks and lines, and otherwise at the top right`(
        taken: [PaintedInset.Corner], corner: PaintedInset.Corner
    ) throws {
        #expect(try Self.corner(of: Self.painter(Self.marks(in: taken))) == corner)
        #expect(try Self.corner(of: Self.painter(Self.lines(in: taken))) == corner)
        #expect(try Self.corner(of: Self.painter(Self.marks(in: taken), ratio: 2)) == corner)
    }

    @Test func `a legend is between two corners if it covers much in all of them`() throws {
        let corners: [Corner] = [.topLeft, .topRight, .bottomLeft, .bottomRight]
        let painter = try Self.painter(Self.marks(in: corners)), image = try painter.paint().image
        #expect(try Self.corner(of: painter) == nil)
        #expect(image[image.width - 20, image.height / 2] == Pixel(.white))
        // There is no better place in a picture full of marks.
        let full = (0..<12).flatMap { row in
            (0..<16).map { column in
                let place = Coordinate(x: 25 * Double(column) - 190, y: 25 * Double(row) - 140)
                return SampleScene.styled(.point(place), Style(marker: Self.disc))
            }
        }
        #expect(try Self.corner(of: Self.painter(full)) == .topRight)
    }

    @Test func `a legend stays in a stated corner, and in a moving picture`() throws {
        let marks = Self.marks(in: [.topRight])
        #expect(try Self.corner(of: Self.painter(marks) { $0.legendCorner = .topRight }) == .topRight)
        #expect(try Self.corner(of: Self.painter([]) { $0.legendCorner = .bottomRight }) == .bottomRight)
        #expect(try Self.corner(of: Self.painter(marks) { $0.isSteady = true }) == .topRight)
    }

    @Test func `a legend avoids the edge of the globe`() throws {
        let resolution = 6_378_137 / 240.0
        // The middle of the globe is at (150, 200), and its edge runs through the top right corner.
        let view = try Viewport(
            center: Coordinate(x: 50 * resolution, y: 50 * resolution),
            resolution: #require(Resolution(unitsPerPixel: resolution)),
            size: SampleScene.size(Self.size.width, Self.size.height), crs: CRS("ortho:lon=0,lat=0"))
        let painter = MapPainter(
            scene: Scene(viewport: view, background: FurniturePainterTests.land, layers: [], legend: Self.legend),
            images: [:], fonts: SampleScene.fonts, furniture: Furniture())
        #expect(try Self.corner(of: painter) == .bottomLeft)
    }

    @Test func `a scale bar has a panel, whatever is below it`() throws {
        func pixel(_ features: [Scene.StyledFeature]) throws -> Pixel {
            let image = try Self.painter(features) { $0.showsScaleBar = true }.paint().image
            // Beside the text, above the bar.
            return image[20, 300 - 22]
        }
        #expect(try pixel([]) == Pixel(.white))
        #expect(try pixel(Self.marks(in: [.bottomLeft, .bottomRight])) == Pixel(.white))
    }

    @Test func `an inset without a stated corner covers the fewest marks, and another one is reported`() throws {
        let small = try SampleScene(width: 80, height: 60).viewport()
        let content = MapPainter(
            scene: Scene(viewport: small, background: .brick, layers: []), images: [:], fonts: SampleScene.fonts,
            furniture: Furniture())
        func result(_ corner: PaintedInset.Corner, _ taken: [PaintedInset.Corner]) throws -> (Corner?, [String]) {
            let inset = content.inset(at: corner, outlines: [], hasLabels: false)
            let painter = try Self.painter(Self.marks(in: taken), insets: [inset]) { $0.legendCorner = .topRight }
            let picture = try painter.paint(), image = picture.image
            let found = Corner.allCases.first {
                $0 != .automatic
                    && image[$0.isLeft ? 14 : image.width - 15, $0.isTop ? 14 : image.height - 15] == Pixel(.brick)
            }
            return (found, picture.warnings.map(\.message))
        }
        #expect(try result(.automatic, []) == (.bottomRight, []))
        #expect(try result(.automatic, [.bottomRight]) == (.topLeft, []))
        #expect(try result(.bottomLeft, [.topLeft]) == (.bottomLeft, []))
        let warning = "the inset at bottom-left covers parts of the layers; "
        #expect(
            try result(.bottomLeft, [.bottomLeft])
                == (.bottomLeft, [warning + "at=top-left covers hardly anything"]))
        let (_, warnings) = try result(.bottomLeft, [.topLeft, .topRight, .bottomLeft, .bottomRight])
        #expect(warnings == [warning + "show a larger extent"])
    }

    @Test func `the warning about an inset over marks names a size that fits`() throws {
        let small = try SampleScene(width: 80, height: 60).viewport()
        let content = MapPainter(
            scene: Scene(viewport: small, background: .brick, layers: []), images: [:], fonts: SampleScene.fonts,
            furniture: Furniture())
        let inset = content.inset(at: .bottomLeft, outlines: [], hasLabels: false)
        let mark = SampleScene.styled(.point(Coordinate(x: -125, y: -100)), Style(marker: Self.disc))
        let warnings = try Self.painter([mark], insets: [inset]) { $0.legendCorner = .topRight }.paint().warnings
        #expect(
            warnings.map(\.message) == [
                "the inset at bottom-left covers parts of the layers; at=top-left covers hardly anything, and size=15% fits in this corner"
            ])
    }

    @Test func `a scale bar is beside an inset in its corner`() throws {
        let small = try SampleScene(width: 80, height: 60).viewport()
        let content = MapPainter(
            scene: Scene(viewport: small, background: .brick, layers: []), images: [:], fonts: SampleScene.fonts,
            furniture: Furniture())
        let inset = content.inset(at: .bottomLeft, outlines: [], hasLabels: false)
        let image = try Self.painter([], insets: [inset]) { $0.showsScaleBar = true }.paint().image
        #expect(image[14, 300 - 15] == Pixel(.brick))
        // The bar, 14 pixels above the bottom and right of the inset.
        #expect((95...120).contains { image[$0, 300 - 14] == Pixel(Furniture.Theme.light.ink) })
    }

    @Test func `a title is centred above a map beside the legend`() throws {
        func left(_ features: [Scene.StyledFeature]) throws -> Int? {
            let image = try Self.painter(features) { $0.title = "Wells" }.paint().image
            return (0..<image.width).first { image[$0, 20] == Pixel(.white) }
        }
        let square = [(-150.0, -80.0), (50, -80), (50, 80), (-150, 80)].map { Coordinate(x: $0.0, y: $0.1) }
        let whole = try #require(try left([]))
        let island = SampleScene.styled(.polygon([square + [square[0]]]), Style(fill: FillSymbol(color: .leaf)))
        // The middle of the square is 50 pixels left of that of the picture.
        #expect(try left([island]) == whole - 50)
    }

    @Test(arguments: [([Corner](), 0.5), ([.topLeft], 0.5), ([.topRight], 0.5)])
    func `a title is at the centre if no mark is there`(corners: [PaintedInset.Corner], share: Double) throws {
        #expect(try Self.titleShare(Self.marks(in: corners)) == share)
    }

    @Test func `a title over marks is at the side where it covers fewer`() throws {
        let middle = stride(from: -40.0, through: 40, by: 20).map { x in
            SampleScene.styled(.point(Coordinate(x: x, y: 128)), Style(marker: Self.disc))
        }
        #expect(try Self.titleShare(middle) == 0)
        #expect(try Self.titleShare(middle + Self.marks(in: [.topLeft])) == 1)
        // Where all places have as many marks, the usual one is the best.
        let corners: [Corner] = [.topLeft, .topRight, .bottomLeft, .bottomRight]
        #expect(try Self.titleShare(middle + Self.marks(in: corners)) == 0.5)
    }

    @Test func `a title that covers many marks everywhere at the top is in a lower corner without marks`() throws {
        let row = stride(from: -190.0, through: 190, by: 15).map { x in
            SampleScene.styled(.point(Coordinate(x: x, y: 128)), Style(marker: Self.disc))
        }
        for (corners, isLow) in [([], true), ([.bottomLeft], true), ([.bottomLeft, .bottomRight], false)]
            as [([Corner], Bool)]
        {
            let image = try Self.painter(row + Self.marks(in: corners)) {
                $0.title = "Wells"
                $0.legendCorner = .topLeft
            }.paint().image
            // Between the top and the bottom of a panel at the right.
            #expect((image[image.width - 28, 300 - 60] == Pixel(.white)) == isLow, "\(corners)")
        }
    }

    /// The place of the panel of a title between the left and the right, in halves.
    private static func titleShare(_ features: [Scene.StyledFeature]) throws -> Double {
        let image = try painter(features) {
            $0.title = "Wells"
            $0.legendCorner = .bottomLeft
        }.paint().image
        let white = (0..<image.width).filter { image[$0, 12] == Pixel(.white) }
        let first = try #require(white.first), last = try #require(white.last)
        return first < 20 ? 0 : last > image.width - 20 ? 1 : 0.5
    }

    @Test(arguments: [([Corner](), true), ([.bottomLeft], false), ([.bottomLeft, .bottomRight], true)])
    func `a scale bar over marks is at the other side if there are fewer`(
        corners: [PaintedInset.Corner], isLeft: Bool
    ) throws {
        let image = try Self.painter(Self.marks(in: corners)) {
            $0.showsScaleBar = true
            $0.legendCorner = .topLeft
        }.paint().image
        let ink = Pixel(Furniture.Theme.light.ink)
        let bar = (0..<image.width).filter { image[$0, 300 - 14] == ink }
        #expect(bar.contains { $0 < 60 } == isLeft && bar.contains { $0 > 340 } == !isLeft)
    }

    @Test func `a moving picture has its title and scale bar at their usual places`() throws {
        let marks = Self.marks(in: [.bottomLeft])
        let image = try Self.painter(marks) {
            $0.showsScaleBar = true
            $0.isSteady = true
        }.paint().image
        #expect((0..<60).contains { image[$0, 300 - 14] == Pixel(Furniture.Theme.light.ink) })
    }

    @Test(arguments: [([PaintedInset.Corner](), false), ([.topLeft], false), ([.bottomLeft, .bottomRight], true)])
    func `the height of a scale bar counts if it covers marks`(
        corners: [PaintedInset.Corner], isCovering: Bool
    ) throws {
        let view = try SampleScene(width: Self.size.width, height: Self.size.height).viewport()
        let scene = Scene(
            viewport: view, background: FurniturePainterTests.land,
            layers: [SampleScene.step(Self.marks(in: corners))])
        let painter = FurniturePainter(
            furniture: Furniture(showsScaleBar: true), fonts: SampleScene.fonts, viewport: view,
            marks: { MapPainter.marks(of: scene) })
        let height = try painter.coveringHeight(above: 0)
        #expect(isCovering ? (25...60).contains(height) : height == 0)
    }
}
#endif
