import PortolanPlan
import PortolanRaster
import PortolanText

// The title: where it covers the fewest marks.
extension FurniturePainter {
    /// Returns the distance by which the title moves so that it is centred above a map beside the legend: a map with empty
    /// space around.
    func titleShift(beside panel: LegendPainter.Panel) throws(TextError) -> Double {
        guard furniture.hasTitle, panel.box.minX > width / 2, let content = content(),
            var extent = content.extent
        else { return 0 }
        if let edge = SpherePainter(viewport: viewport).box { extent = extent.union(edge) }
        let margin = 2 * content.side, picture = Rectangle(viewport.imageSize)
        guard picture.grown(by: -margin).encloses(extent), extent.maxX < panel.box.minX else { return 0 }
        let box = try titlePanel(on: viewport.imageSize).box, least = 10 * pixelRatio - box.minX
        let shift = max((extent.minX + extent.maxX) / 2 - (box.minX + box.maxX) / 2, least).rounded()
        let own = try ownBoxes(on: viewport.imageSize).filter { $0 != box }, moved = box.moved(x: shift, y: 0)
        return shift < -margin && !own.contains(where: moved.overlaps) ? shift : 0
    }

    var titlePainter: TitlePainter {
        TitlePainter(
            title: furniture.title, subtitle: furniture.subtitle, fonts: fonts, theme: theme, pixelRatio: pixelRatio)
    }

    /// The panel of the title: at the centre of the top, unless it covers fewer marks, or less of the layers, at a side;
    /// in a lower corner only if it covers several marks everywhere at the top.
    func titlePanel(on size: ImageSize) throws(TextError) -> TitlePainter.Panel {
        let panels = try topTitlePanels(width: Double(size.width))
        guard let marks = marks() else { return panels[0] }
        let others = try cornerBoxes(on: size)
        let free = panels.dropFirst().filter { panel in !others.contains { panel.box.overlaps($0) } }
        let places = Array(panels.prefix(1)) + free
        guard marks.markCount(in: panels[0].box) == 0 else {
            let best = PictureContent.clearest(places) { marks.markCount(in: $0.box) }
            guard marks.markCount(in: best.box) > Self.fewMarks else { return best }
            return lowerTitle(panels[0], clearOf: marks) ?? best
        }
        guard let content = content() else { return panels[0] }
        let clear = places.filter { marks.markCount(in: $0.box) == 0 }
        return clear[PictureContent.choice(of: clear.map { content.weight(in: $0.box) })]
    }

    /// Returns the panel of the title in a lower corner without marks, or `nil` if both have some.
    private func lowerTitle(_ panel: TitlePainter.Panel, clearOf marks: PictureContent) -> TitlePainter.Panel? {
        guard insetPictures.isEmpty, furniture.panel == nil, furniture.footHeight == 0 else { return nil }
        let places = [true, false].map { isRight in
            var panel = panel
            let margin = Self.arrowMargin * pixelRatio, y = height - Self.titleLift * pixelRatio - panel.box.height
            let x = isRight ? width - margin - panel.box.width : margin
            panel.box = panel.box.moved(x: x - panel.box.minX, y: y - panel.box.minY)
            return panel
        }
        let clear = places.filter { $0.box.minX >= 0 && $0.box.minY > height / 2 && marks.markCount(in: $0.box) == 0 }
        guard !clear.isEmpty, let content = content() else { return clear.first }
        return clear[PictureContent.choice(of: clear.map { content.weight(in: $0.box) })]
    }

    /// The number of cells of the content with marks below a title, about those of three small marks, up to which it
    /// stays at the top.
    private static let fewMarks = 20
    /// The height of a title in a lower corner above the foot, so that scale bar and attribution have room below it.
    private static let titleLift = 48.0

    /// The panels of the title at the centre, at the left and at the right of the top.
    func topTitlePanels(width: Double) throws(TextError) -> [TitlePainter.Panel] {
        try titlePainter.panels(
            below: top(), width: width, corner: furniture.showsNorthArrow ? Self.arrowSpan * pixelRatio : 0)
    }
}
