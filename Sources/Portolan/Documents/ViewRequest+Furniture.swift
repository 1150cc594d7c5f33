import PortolanPaint
import PortolanPlan
import PortolanRaster
import PortolanText

extension ViewRequest {
    /// Returns the requested view.
    ///
    /// If it is fitted to features, title and legend do not cover them: the legend is in a corner that the features leave
    /// free, or beside or above them, whichever makes the map larger. Scale bar and attribution do not cover marks.
    ///
    /// - Parameters:
    ///   - view: the view without space for furniture.
    ///   - options: the elements of the picture.
    /// - Throws: ``ViewRequestError``.
    package func viewport(
        for layers: [MapLayer], in view: Viewport, clearOf options: RenderOptions, configuration: RendererConfiguration
    ) throws(ViewRequestError) -> Viewport {
        guard box == nil, center == nil else { return view }
        let fonts = FontBook(fonts: configuration.fonts, usesSystemFonts: configuration.usesSystemFonts)
        let (request, fitted) = try clearOfTitleAndLegend(layers, view, options, fonts)
        let mayHaveAttribution =
            switch options.attribution {
            case .automatic: layers.contains { $0.attribution?.isEmpty == false }
            case .text(let text): !text.isEmpty
            case .none: false
            }
        guard options.showsScaleBar || mayHaveAttribution else { return fitted }
        var furniture = Furniture(showsScaleBar: options.showsScaleBar)
        furniture.scaleBarUnits = options.scaleBarUnits
        let plan = MapPlanner(viewport: fitted).plan(layers)
        switch options.attribution {
        case .automatic:
            let credits = try? plan.credits(on: surroundings, fonts: fonts)
            furniture.attribution = credits?.attributions.joined(separator: " · ")
        case .text(let text): furniture.attribution = text
        case .none: break
        }
        let painter = FurniturePainter(
            furniture: furniture, fonts: fonts, viewport: fitted, marks: { MapPainter.marks(of: plan.scene) })
        guard let covered = try? painter.coveringHeight(above: request.foot), covered > 0 else { return fitted }
        var above = request
        above.foot += (covered / fitted.pixelRatio).rounded(.up)
        return try above.view(of: layers)
    }

    /// Returns the part of a view that shows images, if it is fitted to them, in picture pixels.
    private func images(of layers: [MapLayer], in view: Viewport) -> Rectangle? {
        guard let fitted = try? box(fitting: layers), !fitted.isOfFeatures else { return nil }
        let box = fitted.box
        let corners = [box.minX, box.maxX].flatMap { x in
            [box.minY, box.maxY].map { view.imagePixel(of: Coordinate(x: x, y: $0)) }
        }
        return Path.polyline(corners).boundingRectangle
    }

    /// Returns the request with space for title and legend, and its view.
    private func clearOfTitleAndLegend(
        _ layers: [MapLayer], _ view: Viewport, _ options: RenderOptions, _ fonts: FontBook
    ) throws(ViewRequestError) -> (ViewRequest, Viewport) {
        let showsLegend = options.showsLegend, legendCorner = options.legendCorner
        guard options.title != nil || options.subtitle != nil || showsLegend else { return (self, view) }
        var furniture = Furniture(title: options.title, subtitle: options.subtitle)
        furniture.legendCorner = legendCorner.painted
        func painter(in view: Viewport) -> FurniturePainter {
            let plan = MapPlanner(viewport: view, showsLegend: showsLegend).plan(showsLegend ? layers : [])
            return FurniturePainter(
                furniture: furniture, fonts: fonts, viewport: view, legend: plan.legend,
                content: { MapPainter.content(of: plan.scene) })
        }
        guard let room = try? painter(in: view).room(foot: foot) else { return (self, view) }
        func pixels(_ length: Double, _ limit: Int) -> Int {
            // At least half of each side is left for the content.
            min(Int((length / view.pixelRatio).rounded(.up)), limit / 2)
        }
        var clear = self
        clear.top = pixels(room.title, view.size.height)
        let whole = try clear.view(of: layers)
        guard let legend = room.legend else { return (clear, whole) }
        var beside = clear, above = clear
        let wide = pixels(Double(view.imageSize.width) - legend.minX, view.size.width)
        let high = pixels(legend.maxY, view.size.height)
        if legendCorner.painted.isLeft { beside.left += wide } else { beside.right = wide }
        if [.bottomLeft, .bottomRight].contains(legendCorner) {
            above.foot += Double(high)
        } else {
            above.top = max(clear.top, high)
        }
        let views = [(beside, try beside.view(of: layers)), (above, try above.view(of: layers))]
        let largest = views[views[1].1.resolution < views[0].1.resolution ? 1 : 0]
        guard legendCorner != .topRight else { return largest }
        // A map that is not much larger is not worth covering its edge.
        let isSlight = whole.resolution.unitsPerPixel * 1.25 >= largest.1.resolution.unitsPerPixel
        let images = images(of: layers, in: whole)
        let isClear = (try? painter(in: whole).legendIsClear(ofEdge: isSlight, images: images)) ?? false
        return isClear ? (clear, whole) : largest
    }
}

extension Furniture {
    /// Returns the view pixels that title and legend cover at the top and right; zero if text cannot be drawn.
    ///
    /// At most half of each side, to leave space for the content.
    static func insets(
        of layers: [MapLayer], in view: Viewport, title: String?, subtitle: String? = nil, foot: Double,
        showsLegend: Bool, fonts: FontBook
    ) -> (top: Int, right: Int) {
        let plan = MapPlanner(viewport: view, showsLegend: showsLegend).plan(showsLegend ? layers : [])
        let furniture = Furniture(title: title, subtitle: subtitle)
        let painter = FurniturePainter(furniture: furniture, fonts: fonts, viewport: view, legend: plan.legend)
        guard let insets = try? painter.insets(foot: foot) else { return (0, 0) }
        return (
            min(Int((insets.top / view.pixelRatio).rounded(.up)), view.size.height / 2),
            min(Int((insets.right / view.pixelRatio).rounded(.up)), view.size.width / 2)
        )
    }
}
