package import PortolanPlan
package import PortolanRaster
package import PortolanText

/// Paints a plan whose images have come: layer over layer, then the labels of all layers, then the furniture.
package struct MapPainter {
    private let plan: DrawPlan
    private let images: [String: PixelBuffer]
    private let fonts: FontBook
    private let furniture: Furniture
    private let threads: Int

    /// Makes a painter.
    ///
    /// - Parameters:
    ///   - images: what has come of the plan's addresses; what is missing leaves a hole.
    ///   - threads: how many threads may paint at the same time; the picture does not depend on it.
    package init(
        plan: DrawPlan, images: [String: PixelBuffer], fonts: FontBook, furniture: Furniture, threads: Int = 1
    ) {
        self.plan = plan
        self.images = images
        self.fonts = fonts
        self.furniture = furniture
        self.threads = threads
    }

    /// The picture.
    ///
    /// - Throws: ``TextError`` when text is to be drawn and cannot be.
    package func paint() throws(TextError) -> MapPicture {
        var missing = MissingCharacters()
        var canvas = Canvas(size: plan.viewport.imageSize, background: plan.background)
        for step in plan.steps {
            switch step.content {
            case .mosaics(let mosaics):
                var drawing = Drawing()
                for mosaic in mosaics {
                    MosaicPainter(
                        mosaic: mosaic, viewport: plan.viewport, images: images, transparent: step.transparentColor,
                        threads: threads
                    ).paint(into: &drawing, opacity: step.opacity)
                }
                canvas.paint(drawing, threads: threads)
            case .features(let features):
                paint(features, opacity: step.opacity, on: &canvas)
            }
        }
        let furniturePainter = FurniturePainter(
            furniture: furniture, fonts: fonts, viewport: plan.viewport, legend: plan.legend, images: images)
        try paintLabels(on: &canvas, clearOf: furniturePainter, &missing)
        try furniturePainter.paint(on: &canvas)
        try furniturePainter.noteMissingCharacters(&missing)
        let legend = try furniturePainter.legendFinding(on: canvas.size)
        return MapPicture(
            image: canvas.buffer, warnings: missing.warnings + [legend.warning].compactMap(\.self),
            lacksLegend: legend.isMissing)
    }

    private func paint(_ step: FeatureStep, opacity: Double, on canvas: inout Canvas) {
        guard !step.features.isEmpty else { return }
        let painter = FeaturePainter(step: step, viewport: plan.viewport, images: images)
        guard opacity < 1 else {
            return painter.forEachDrawing(threads: threads) { canvas.paint($0, threads: threads) }
        }
        // The layer fades as a whole: where its features overlap, one does not show through the other.
        var sheet = Canvas(size: canvas.size)
        painter.forEachDrawing(threads: threads) { sheet.paint($0, threads: threads) }
        canvas.draw(sheet.buffer, atX: 0, y: 0, opacity: opacity)
    }

    /// Paints the labels of all layers on top, so that no layer's shapes cover another's labels.
    private func paintLabels(
        on canvas: inout Canvas, clearOf furniture: FurniturePainter, _ missing: inout MissingCharacters
    ) throws(TextError) {
        var layers: [FeatureStep] = [], opacities: [Double] = [], names: [String] = []
        for step in plan.steps {
            guard case .features(let features) = step.content, step.opacity > 0 else { continue }
            layers.append(features)
            opacities.append(step.opacity)
            names.append(step.layer)
        }
        let labels = try LabelCollector.placedLabels(
            layers, viewport: plan.viewport, images: images, fonts: fonts, furniture: furniture)
        for label in labels {
            for line in label.text.lines { missing.add(line.missingScalars, of: "layer '\(names[label.layer])'") }
        }
        let painter = LabelPainter(pixelRatio: plan.viewport.pixelRatio)
        for (layer, opacity) in opacities.enumerated() {
            let own = labels.filter { $0.layer == layer }
            guard !own.isEmpty else { continue }
            guard opacity < 1 else {
                for label in own { painter.paint(label, on: &canvas) }
                continue
            }
            // A label fades with its layer, its letters and their halo as one.
            var sheet = Canvas(size: canvas.size)
            for label in own { painter.paint(label, on: &sheet) }
            canvas.draw(sheet.buffer, atX: 0, y: 0, opacity: opacity)
        }
    }
}
