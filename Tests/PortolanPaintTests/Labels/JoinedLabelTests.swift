#if Text
import PortolanFeatures
import PortolanGeo
import PortolanRaster
import Testing

@testable import PortolanPaint

/// Names of streets that are cut into many lines.
@Suite struct JoinedLabelTests {
    private static func points(_ pairs: [(Double, Double)]) -> [Point] { pairs.map { Point(x: $0.0, y: $0.1) } }

    static let cases: [(String, lines: [[(Double, Double)]], joined: [[(Double, Double)]])] = [
        ("end to end", [[(0, 0), (1, 0)], [(1, 0), (2, 0)]], [[(0, 0), (1, 0), (2, 0)]]),
        ("the other way round", [[(1, 0), (0, 0)], [(1, 0), (2, 0)]], [[(2, 0), (1, 0), (0, 0)]]),
        (
            "at both ends", [[(1, 0), (2, 0)], [(3, 0), (2, 0)], [(0, 0), (1, 0)]], [[(0, 0), (1, 0), (2, 0), (3, 0)]]
        ),
        ("apart", [[(0, 0), (1, 0)], [(1.5, 0), (2, 0)]], [[(0, 0), (1, 0)], [(1.5, 0), (2, 0)]]),
        ("around a corner", [[(0, 0), (1, 0)], [(1, 0), (1, 1)]], [[(0, 0), (1, 0)], [(1, 0), (1, 1)]]),
        (
            "the straightest of several", [[(0, 0), (1, 0)], [(1, 0), (2, 1)], [(1, 0), (2, 0)]],
            [[(0, 0), (1, 0), (2, 0)], [(1, 0), (2, 1)]]
        ),
        ("a ring", [[(0, 0), (1, 0), (1, 1), (0, 0)]], [[(0, 0), (1, 0), (1, 1), (0, 0)]]),
        ("a point", [[(0, 0)], [(0, 0), (0, 0)]], [[(0, 0), (0, 0)]]),
    ]

    @Test(arguments: cases)
    func `lines are joined where they meet without a sharp turn`(
        _ name: String, _ lines: [[(Double, Double)]], _ joined: [[(Double, Double)]]
    ) {
        #expect(JoinedLines(lines.map(Self.points)).joined.map(\.points) == joined.map(Self.points), "\(name)")
    }

    private static func inked(_ picture: PixelBuffer) -> Int { picture.pixels.count { $0 & 0xFF < 0x80 } }

    private static func street(_ parts: Int, joins: Bool, text: String = "Esplanadi") throws -> PixelBuffer {
        var label = LabelSymbol(template: text, size: 12, placement: .free, repetition: 300)
        label.joinsLines = joins
        let width = 180.0 / Double(parts)
        let features = (0..<parts).map { number in
            let x = -90 + Double(number) * width
            return SampleScene.styled(.lineString(SampleScene.places([(x, 0), (x + width, 0)])), Style(label: label))
        }
        return try SampleScene(width: 200, height: 40).paint(features)
    }

    @Test func `a street of many short lines is labelled once, like one long line`() throws {
        let whole = try Self.street(1, joins: true)
        #expect(Self.inked(whole) > 50)
        #expect(try Self.street(6, joins: true) == whole)
        #expect(try Self.inked(Self.street(6, joins: false)) == 0)
    }

    @Test func `a text is not repeated within three fifths of the repetition distance`() throws {
        func count(_ distance: Double) throws -> Int {
            var label = LabelSymbol(template: "I", size: 12, placement: .free, repetition: 300)
            label.joinsLines = true
            let features = [0, distance].map { y in
                SampleScene.styled(.lineString(SampleScene.places([(-20, y), (20, y)])), Style(label: label))
            }
            let picture = try SampleScene(width: 60, height: 500).paint(features)
            return (0..<500).count { y in (0..<60).contains { picture[$0, y].red < 200 } }
        }
        let one = try count(170)
        #expect(one > 0)
        #expect(try count(190) == 2 * one)
    }

    @Test(arguments: [(0.0, 5.0, 3.0), (90.0, 3.0, -5.0)])
    func `translations of text and icon are relative to the map or to the picture`(
        _ rotation: Double, _ x: Double, _ y: Double
    ) throws {
        func box(
            _ text: LabelSymbol.Translation, _ icon: LabelSymbol.Translation
        ) throws -> (text: Rectangle, icon: Rectangle) {
            var label = LabelSymbol(template: "H", color: .brick, size: 12)
            label.translation = text
            label.offsetX = 20
            var mark = LabelSymbol.Icon(.shape(ShapeMarker(radius: 4, fill: FillSymbol(color: .sea))))
            mark.translation = icon
            label.icon = mark
            let picture = try SampleScene(rotation: rotation).paint([
                SampleScene.styled(.point(Coordinate(x: 0, y: 0)), Style(label: label))
            ])
            func box(_ isInside: (Pixel) -> Bool) -> Rectangle {
                var box: Rectangle?
                for y in 0..<picture.height {
                    for x in 0..<picture.width where isInside(picture[x, y]) {
                        let own = Rectangle(minX: Double(x), minY: Double(y), maxX: Double(x + 1), maxY: Double(y + 1))
                        box = box?.union(own) ?? own
                    }
                }
                return box ?? Rectangle(minX: 0, minY: 0, maxX: 0, maxY: 0)
            }
            return (box { Int($0.red) > Int($0.blue) + 60 }, box { Int($0.blue) > Int($0.red) + 60 })
        }
        typealias Translation = LabelSymbol.Translation
        let still = try box(Translation(), Translation())
        let moved = try box(Translation(x: 5, y: 3, isOnMap: true), Translation(x: -4, y: 2))
        #expect(moved.text == still.text.moved(x: x, y: y))
        #expect(moved.icon == still.icon.moved(x: -4, y: 2))
    }

    @Test func `a text that the border moves does not overlap its icon`() throws {
        var label = LabelSymbol(template: "Hotel Arthur", color: .brick, size: 12)
        label.anchors = [.init(horizontal: .center, vertical: .bottom, offsetX: 0, offsetY: -8)]
        label.icon = LabelSymbol.Icon(.shape(ShapeMarker(radius: 7, fill: FillSymbol(color: .sea))))
        func redCount(_ y: Double) throws -> Int {
            let place = SampleScene.styled(.point(Coordinate(x: 0, y: y)), Style(label: label))
            return try SampleScene(width: 160, height: 80).paint([place]).pixels.count { pixel in
                Int(pixel & 0xFF) > Int(pixel >> 16 & 0xFF) + 60
            }
        }
        #expect(try redCount(0) > 20)
        // Fifteen pixels below the upper border there is no room for the text above the icon.
        #expect(try redCount(25) == 0)
    }
}
#endif
