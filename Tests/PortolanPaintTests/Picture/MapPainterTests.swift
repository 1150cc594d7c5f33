import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Synchronization
import TestHelpers
import Testing

@Suite struct MapPainterTests {
    @Test func `an empty scene is the background`() throws {
        var scene = SampleScene()
        scene.background = MapColor(red: 10, green: 20, blue: 30, alpha: 128)
        #expect(try scene.paint([Scene.Layer]()) == SampleScene.color(scene.background, 96, 64))
    }

    @Test func `later layers are drawn above earlier ones`() throws {
        func step(_ color: MapColor) -> Scene.Layer {
            SampleScene.step([
                SampleScene.styled(
                    .point(Coordinate(x: 0, y: 0)),
                    Style(
                        marker: .shape(ShapeMarker(shape: .square, radius: 10, fill: FillSymbol(color: color)))))
            ])
        }
        #expect(try SampleScene().paint([step(.brick), step(.sea)])[48, 32] == Pixel(.sea))
        #expect(try SampleScene().paint([step(.sea), step(.brick)])[48, 32] == Pixel(.brick))
    }

    @Test func `a cancelled picture is not painted further, and its scene stays complete`() throws {
        let scene = SampleScene(),
            step = SampleScene.step(
                (0..<2_000).map { index in
                    SampleScene.styled(
                        .point(Coordinate(x: Double(index % 90) - 45, y: Double(index / 90) - 12)),
                        Style(marker: .shape(ShapeMarker(shape: .square, radius: 2, fill: FillSymbol(color: .brick)))))
                })
        let plan = Scene(
            viewport: try scene.viewport(), background: .white, layers: [step, step], legend: nil)
        func picture(_ patience: Int) throws -> (picture: MapPicture, questions: Int) {
            let asked = Mutex(0)
            let painter = MapPainter(scene: plan, images: [:], fonts: SampleScene.fonts, furniture: Furniture()) {
                asked.withLock {
                    $0 += 1
                    return $0 <= patience
                }
            }
            return (try painter.paint(), asked.withLock(\.self))
        }
        let whole = try picture(.max), none = try picture(0), some = try picture(4)
        #expect(whole.questions > 16, "once a layer, and once for every few hundred features")
        #expect(try none.picture.image == SampleScene.color(.white, 96, 64))
        #expect(some.picture.image != whole.picture.image)
        #expect(some.picture.image != none.picture.image)
        #expect(some.questions < whole.questions)
        #expect(try some.picture.painter.svg(SVGOptions()) == whole.picture.painter.svg(SVGOptions()))
    }

    @Test func `the same scene gives the same picture`() throws {
        var scene = SampleScene()
        scene.furniture = Furniture(attribution: "© A", title: "T", showsNorthArrow: true)
        let features = [
            SampleScene.styled(
                .lineString(SampleScene.places([(-40, -20), (40, 20)])),
                Style(stroke: LineSymbol(color: .brick, width: 3)))
        ]
        #expect(try scene.paint(features) == scene.paint(features))
    }

    @Test(arguments: [1.0, 0.6]) func `the picture does not depend on the number of threads`(opacity: Double) throws {
        var generator = SeededGenerator(seed: 5), scene = SampleScene()
        func place() -> Coordinate {
            Coordinate(x: .random(in: -70...70, using: &generator), y: .random(in: -50...50, using: &generator))
        }
        // More than the features of one drawing, of each kind, in turn.
        let features = (0..<1200).map { index in
            let color = [MapColor.brick, .leaf, .sea][index % 3].withOpacity(0.7)
            let places = (0..<4).map { _ in place() }
            return switch index % 4 {
            case 0: SampleScene.styled(.polygon([places + places.prefix(1)]), Style(fill: FillSymbol(color: color)))
            case 1:
                SampleScene.styled(
                    .lineString(places), Style(stroke: LineSymbol(color: color, width: 3, dashes: [6, 3])))
            case 2:
                SampleScene.styled(
                    .lineString(places),
                    Style(
                        stroke: LineSymbol(color: color, width: 2, casing: LineSymbol.Casing(color: .white, width: 4)))
                )
            default:
                SampleScene.styled(
                    .point(places[0]),
                    Style(marker: .shape(ShapeMarker(shape: .star, radius: 6, fill: FillSymbol(color: color)))))
            }
        }
        let reference = try scene.paint(features, opacity: opacity)
        for threads in [2, 3, 7] {
            scene.threads = threads
            #expect(try scene.paint(features, opacity: opacity) == reference, "\(threads)")
        }
    }
}
