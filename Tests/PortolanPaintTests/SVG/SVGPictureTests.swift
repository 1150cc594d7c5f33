import Foundation
import PortolanCodecs
import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import TestHelpers
import Testing

/// SVG documents drawn by librsvg, beside our own pixels.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/rsvg-convert"), "rsvg-convert is missing"))
struct SVGPictureTests {
    /// The most by which a channel may differ on average, of 255: smooth edges differ a little from library to library.
    private static let tolerance = 1.5

    private static func check(
        _ svg: [UInt8], _ expected: PixelBuffer, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "map.svg"), picture = folder.appending(path: "map.png")
        try Data(svg).write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/rsvg-convert")
        process.arguments = [
            "-w", "\(expected.width)", "-h", "\(expected.height)", "-o", picture.path, file.path,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(name)", sourceLocation: sourceLocation)
        let actual = try ImageDecoders.standard.decode([UInt8](Data(contentsOf: picture)))
        try #require(actual.size == expected.size, sourceLocation: sourceLocation)
        var sum = 0
        for (one, other) in zip(actual.pixels, expected.pixels) where one != other {
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                sum += abs(Int(one >> shift & 255) - Int(other >> shift & 255))
            }
        }
        let mean = Double(sum) / Double(4 * expected.pixels.count)
        guard mean > tolerance else { return }
        Attachment.record(svg, named: "\(name).svg", sourceLocation: sourceLocation)
        Attachment.record(try PNGEncoder.encode(expected), named: "\(name).png", sourceLocation: sourceLocation)
        Issue.record("\(name): the mean difference is \(mean)", sourceLocation: sourceLocation)
    }

    /// Paints the same as an SVG and as pixels.
    private func compare(_ name: String, _ size: ImageSize, _ paint: (inout Drawing) throws -> Void) throws {
        var drawing = Drawing(), target = SVGTarget(size: size), canvas = Canvas(size: size, background: .white)
        drawing.fill(Path(Rectangle(size)), color: .white)
        try paint(&drawing)
        canvas.paint(drawing)
        target.paint(drawing)
        try Self.check(target.finish(), canvas.buffer, name)
    }

    @Test func `SVG lines have the same caps, joins and dashes as the raster picture`() throws {
        for (name, dashes) in [("solid", []), ("dashed", [17.0, 12]), ("dotted", [0, 13])] {
            try compare("strokes-\(name)", SampleScene.size(210, 216)) { drawing in
                for (column, cap) in StrokeSheetTests.caps.enumerated() {
                    for (row, join) in StrokeSheetTests.joins.enumerated() {
                        let place = AffineTransform.translation(x: Double(column) * 70, y: Double(row) * 54)
                        for path in [StrokeSheetTests.zigzag, StrokeSheetTests.ring] {
                            drawing.stroke(
                                path.transformed(by: place),
                                style: StrokeStyle(
                                    width: 9, cap: cap, join: join.0, miterLimit: join.limit, dashes: dashes,
                                    dashPhase: -5),
                                color: MapColor.sea.withOpacity(0.7))
                        }
                    }
                }
            }
        }
    }

    @Test func `SVG groups have the same opacity, clips and fill rules as the raster picture`() throws {
        try compare("groups", SampleScene.size(120, 80)) { drawing in
            var rings = Path.circle(center: Point(x: 40, y: 40), radius: 35)
            rings.append(.circle(center: Point(x: 44, y: 42), radius: 20))
            drawing.fill(rings, rule: .evenOdd, color: .leaf)
            drawing.fill(rings.transformed(by: .translation(x: 42, y: 0)), color: MapColor.sea.withOpacity(0.4))
            drawing.group(PaintGroup(name: "a", opacity: 0.6, clip: rings, clipRule: .evenOdd)) { drawing in
                drawing.fill(.rectangle(x: 0, y: 0, width: 60, height: 80), color: .brick)
                drawing.group(PaintGroup(opacity: 0.5)) {
                    $0.stroke(
                        .rectangle(x: 9, y: 9, width: 70, height: 60), style: StrokeStyle(width: 9), color: .black)
                }
            }
        }
    }

    @Test func `SVG images have the same positions, scaled, rotated and warped`() throws {
        var picture = PixelBuffer(size: try SampleScene.size(48, 40))
        for y in 0..<40 {
            for x in 0..<48 {
                let wave: Double = sin(Double(x) / 7) * cos(Double(y) / 9)
                let red = UInt8(128 + 100 * wave)
                picture[x, y] = Pixel(MapColor(red: red, green: UInt8(5 * x), blue: UInt8(6 * y)))
            }
        }
        let nodes = (0..<16).map { index -> Point? in
            let column = Double(index % 4), row = Double(index / 4)
            return Point(x: column * 15 + row, y: row * 13)
        }
        let mesh = try #require(WarpMesh(originX: 90, originY: 70, spacing: 16, columns: 4, rows: 4, sources: nodes))
        try compare("images", SampleScene.size(150, 130)) { (drawing: inout Drawing) in
            drawing.draw(picture, atX: -9, y: -5)
            drawing.draw(picture, atX: 39, y: -5)
            drawing.draw(
                picture, transform: AffineTransform(a: 1.3, b: 0, c: 0, d: 1.1, tx: 4.3, ty: 50.6), opacity: 0.7)
            drawing.draw(picture, transform: AffineTransform(a: 0.8, b: 0.6, c: -0.6, d: 0.8, tx: 100, ty: 10))
            drawing.draw(picture, through: mesh, opacity: 0.9)
        }
    }

    #if Text
    /// A map with all that one has.
    static func map(_ change: (inout SampleScene) -> Void = { _ in }) throws -> MapPainter {
        var scene = SampleScene(width: 320, height: 240)
        scene.background = MapColor(red: 235, green: 232, blue: 225)
        scene.furniture = Furniture(
            attribution: "© Nobody & sons", title: "Roads",
            infoBar: Furniture.InfoBar(title: "Walk", facts: ["3.2 km"]),
            showsNorthArrow: true, showsScaleBar: true, graticule: .automatic)
        change(&scene)
        let road = Style(
            stroke: LineSymbol(color: .white, width: 6, casing: .init(color: .brick, width: 9)),
            label: LabelCollectorTests.label())
        let wood = Style(
            stroke: LineSymbol(color: .leaf, width: 1, dashes: [4, 2]),
            fill: FillSymbol(color: MapColor.leaf.withOpacity(0.5)))
        let square = [(-90.0, -60.0), (90, -60), (90, 60), (-90, 60), (-90, -60)]
        let hole = square.map { ($0.0 / 3, $0.1 / 3) }
        var icon = try SampleScene.color(.sea, 12, 12)
        for index in 2..<10 { icon[index, 6] = Pixel(.white) }
        scene.images = ["icon": icon]
        let marker = MarkerSymbol.icon(IconMarker(source: .url("icon")))
        let features = [
            SampleScene.styled(.polygon([SampleScene.places(square), SampleScene.places(hole)]), wood),
            SampleScene.styled(
                .lineString(SampleScene.places([(-150, -40), (-60, 20), (40, 0), (150, 50)])), road,
                properties: ["name": .string("Sinuous Road")]),
            LabelCollectorTests.point(-20, -50, "Málaga"), LabelCollectorTests.point(60, 40, "Two\nlines"),
            SampleScene.styled(.point(Coordinate(x: 20, y: 70)), Style(marker: marker), icon: "icon", isSelected: true),
            SampleScene.styled(.point(Coordinate(x: 60.4, y: -70.3)), Style(marker: marker), icon: "icon"),
            SampleScene.styled(
                .point(Coordinate(x: -110, y: 30)),
                Style(marker: .shape(ShapeMarker(shape: .pin, radius: 8, fill: FillSymbol(color: .brick))))),
        ]
        let legend = Legend(entries: [
            .init(
                layer: "f", title: "Roads", opacity: 0.5,
                content: .symbols([Legend.Symbol(kind: .line, style: road, text: "Road")], moreCount: 0))
        ])
        let layers = [SampleScene.step(features), SampleScene.step([features[0]], opacity: 0.4)]
        let map = Scene(
            viewport: try scene.viewport(), background: scene.background, layers: layers, legend: legend)
        return MapPainter(
            scene: map, images: SampleScene.resources(scene.images), fonts: SampleScene.fonts,
            furniture: scene.furniture)
    }

    @Test(arguments: [(1.0, 0.0), (2, 0), (1, 30)])
    func `a complete map looks the same as SVG and as a raster picture`(pixelRatio: Double, rotation: Double) throws {
        let painter = try Self.map {
            $0.pixelRatio = pixelRatio
            $0.rotation = rotation
        }
        try Self.check(painter.svg(SVGOptions()), painter.paint().image, "map-\(pixelRatio)x-\(rotation)")
    }

    @Test func `the same map gives the same SVG document`() throws {
        let once = try Self.map().svg(SVGOptions(text: .text)), again = try Self.map().svg(SVGOptions(text: .text))
        #expect(once == again)
        let text = try #require(String(validating: once, as: UTF8.self))
        #expect(text.contains(">© Nobody &amp; sons</text>"))
        #expect(text.contains("<g id=\"furniture\">"))
        #expect(text.contains(">Sinuous Road</text>") == false, "a bent label is written letter by letter")
    }
    #endif
}
