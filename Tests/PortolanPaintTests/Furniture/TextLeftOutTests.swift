#if !Text && !canImport(CoreText)
import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import PortolanText
import PortolanWeb
import Testing

/// Pictures in a build without the trait `Text`.
@Suite struct TextLeftOutTests {
    private static let texts = Furniture(
        attribution: "© A", title: "A walk", notice: Furniture.Notice("Closed"),
        infoBar: Furniture.InfoBar(title: "Walk"),
        showsScaleBar: true)

    private func picture(_ layers: [Scene.Layer], _ furniture: Furniture) throws -> MapPicture {
        var scene = SampleScene()
        scene.furniture = furniture
        let drawn = Scene(
            viewport: try scene.viewport(), background: .white, layers: layers, legend: nil)
        return try MapPainter(scene: drawn, images: [:], fonts: SampleScene.fonts, furniture: furniture).paint()
    }

    private static let labelled = [-20.0, 20].map { x in
        SampleScene.step([
            SampleScene.styled(.point(Coordinate(x: x, y: 0)), Style(label: LabelSymbol(template: "Town", size: 20)))
        ])
    }

    @Test func `furniture is left out with one warning that names the trait and its packages`() throws {
        let picture = try picture([], Self.texts)
        #expect(picture.warnings.map(\.code) == [.notBuiltIn])
        let warning = try #require(picture.warnings.first)
        #expect(warning.effect == .omitted && !warning.isLoss)
        #expect(warning.message.contains("--traits Text") && warning.message.contains("libharfbuzz-dev"))
        #expect(picture.isComplete)
        #expect(try picture.image.pixels == self.picture([], Furniture()).image.pixels)
    }

    @Test func `labels of several layers are left out with one warning, and are not losses`() throws {
        let picture = try picture(Self.labelled, Self.texts)
        #expect(picture.warnings.map(\.code) == [.notBuiltIn])
        #expect(picture.labelLosses.values.allSatisfy { $0.count == 0 })
    }

    @Test func `a picture without text has no warning`() throws {
        #expect(try picture([], Furniture()).warnings.isEmpty)
    }

    @Test func `a north arrow and graticule lines are drawn without letters`() throws {
        let bare = try picture([], Furniture())
        for furniture in [Furniture(showsNorthArrow: true), Furniture(graticule: .degrees(0.0001))] {
            let picture = try picture([], furniture)
            #expect(picture.image.pixels != bare.image.pixels)
            #expect(picture.warnings.map(\.code) == [.notBuiltIn])
        }
    }
}
#endif
