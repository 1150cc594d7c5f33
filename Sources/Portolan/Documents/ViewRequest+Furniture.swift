import PortolanPaint
package import PortolanPlan
import PortolanText

extension ViewRequest {
    /// The view that is asked for; where it is fitted to features, title and legend do not cover them.
    ///
    /// - Parameter view: the view without regard to them.
    /// - Throws: ``ViewRequestError``.
    package func viewport(
        for layers: [MapLayer], in view: Viewport, clearOf title: String?, showsLegend: Bool,
        configuration: RendererConfiguration
    ) throws(ViewRequestError) -> Viewport {
        guard box == nil, center == nil, title != nil || showsLegend else { return view }
        var clear = self
        let fonts = FontBook(fonts: configuration.fonts, usesSystemFonts: configuration.usesSystemFonts)
        (clear.top, clear.right) = Furniture.insets(
            of: layers, in: view, title: title, hasBar: foot > 0, showsLegend: showsLegend, fonts: fonts)
        return try clear.view(of: layers)
    }
}

extension Furniture {
    /// How many view pixels at the top and at the right title and legend cover; none where text cannot be set.
    static func insets(
        of layers: [MapLayer], in view: Viewport, title: String?, hasBar: Bool, showsLegend: Bool, fonts: FontBook
    ) -> (top: Int, right: Int) {
        let plan = MapPlanner(viewport: view, showsLegend: showsLegend).plan(showsLegend ? layers : [])
        let furniture = Furniture(title: title, infoBar: hasBar ? InfoBar(title: "") : nil)
        let painter = FurniturePainter(furniture: furniture, fonts: fonts, viewport: view, legend: plan.legend)
        guard let insets = try? painter.insets() else { return (0, 0) }
        return (
            Int((insets.top / view.pixelRatio).rounded(.up)), Int((insets.right / view.pixelRatio).rounded(.up))
        )
    }
}
