#if Text
import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct LabelBorderTests {
    private static var scene: SampleScene { SampleScene(width: 240, height: 160) }

    private static func inked(_ picture: PixelBuffer) -> (columns: [Int], rows: [Int]) {
        var columns: Set<Int> = [], rows: Set<Int> = []
        for y in 0..<picture.height {
            for x in 0..<picture.width where picture[x, y].red < 200 {
                columns.insert(x)
                rows.insert(y)
            }
        }
        return (columns.sorted(), rows.sorted())
    }

    private static func fixed(_ x: Double, _ y: Double, _ text: String) -> Scene.StyledFeature {
        SampleScene.styled(.point(Coordinate(x: x, y: y)), Style(label: LabelSymbol(template: text)))
    }

    @Test func `a fixed label at the border is moved inwards whole, by up to half its size`() throws {
        let middle = try Self.inked(Self.scene.paint([Self.fixed(0, 0, "HHHH")]))
        let (width, height) = (middle.columns.count, middle.rows.count)
        for (x, y) in [(119.0, 0.0), (-119, 0), (0, 79), (0, -79), (119, 79)] {
            let moved = try Self.inked(Self.scene.paint([Self.fixed(x, y, "HHHH")]))
            #expect(moved.columns.count == width && moved.rows.count == height, "\(x), \(y)")
        }
        // A label whose middle lies outside is left out, as is one wider than the picture.
        #expect(try Self.inked(Self.scene.paint([Self.fixed(125, 0, "HHHH")])).columns.isEmpty)
        let long = String(repeating: "H", count: 60)
        #expect(try Self.inked(Self.scene.paint([Self.fixed(0, 0, long)])).columns.isEmpty)
    }

    static let furniture: [(Furniture, String)] = [
        (Furniture(attribution: "© Everybody who made this map and its data"), "attribution"),
        (Furniture(title: "A title"), "title"), (Furniture(infoBar: Furniture.InfoBar(title: "Bar")), "info bar"),
        (Furniture(showsNorthArrow: true), "north arrow"), (Furniture(showsScaleBar: true), "scale bar"),
    ]

    @Test(arguments: furniture)
    func `no free label overlaps furniture`(_ furniture: Furniture, _ name: String) throws {
        var features: [Scene.StyledFeature] = []
        for x in stride(from: -110.0, through: 110, by: 20) {
            for y in stride(from: -75.0, through: 75, by: 10) {
                let symbol = LabelSymbol(
                    template: "\(Int(x + 500)).\(Int(y + 500))", color: .brick, size: 8, placement: .free)
                features.append(SampleScene.styled(.point(Coordinate(x: x, y: y)), Style(label: symbol)))
            }
        }
        let bare = try Self.scene.paint(features)
        var scene = Self.scene
        scene.furniture = furniture
        let alone = try scene.paint([]), both = try scene.paint(features)
        let paper = Pixel(.white)
        var covered = 0
        for y in 0..<160 {
            for x in 0..<240 where alone[x, y] != paper {
                // Under the furniture there is nothing: it looks as it does without labels.
                #expect(both[x, y] == alone[x, y], "\(name) at \(x), \(y)")
                if bare[x, y] != paper { covered += 1 }
            }
        }
        #expect(covered > 20, "labels would be there otherwise")
        #expect(both != alone)
    }
}
#endif
