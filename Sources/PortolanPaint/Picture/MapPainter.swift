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
        var canvas = Canvas(size: plan.viewport.imageSize, background: plan.background)
        let (warnings, lacksLegend) = try paint(on: &canvas)
        return MapPicture(image: canvas.buffer, warnings: warnings, lacksLegend: lacksLegend, painter: self)
    }

    /// The picture as an SVG document.
    ///
    /// - Throws: ``TextError`` when text is to be drawn and cannot be, ``CodecError`` when an image cannot be encoded.
    /// - Complexity: O(shapes in view + pixels of the images).
    package func svg(_ options: SVGOptions) throws -> [UInt8] {
        let viewport = plan.viewport
        var target = SVGTarget(
            size: viewport.imageSize, pixelRatio: viewport.pixelRatio, title: furniture.title, options: options)
        target.fill(Path(Rectangle(viewport.imageSize)), color: plan.background)
        _ = try paint(on: &target, keepingImagesApart: options.images != .embedded)
        return try target.finish()
    }

    /// Paints into any target: layer over layer, the labels, the furniture.
    ///
    /// - Parameter keepingImagesApart: whether each image of a mosaic is drawn by itself, as one that is linked must be.
    /// - Returns: what could not be painted as it should be, and whether a wanted legend had no room.
    private func paint(
        on canvas: inout some PaintTarget, keepingImagesApart: Bool = false
    ) throws(TextError) -> (warnings: [String], lacksLegend: Bool) {
        var missing = MissingCharacters()
        for step in plan.steps {
            switch step.content {
            case .mosaics(let mosaics):
                var drawing = Drawing()
                for mosaic in mosaics {
                    MosaicPainter(
                        mosaic: mosaic, viewport: plan.viewport, images: images, transparent: step.transparentColor,
                        keepsImagesApart: keepingImagesApart
                    ).paint(into: &drawing, opacity: step.opacity)
                }
                canvas.group(PaintGroup(name: step.layer)) { $0.paint(drawing, threads: threads) }
            case .features(let features):
                paint(features, as: PaintGroup(name: step.layer, opacity: step.opacity), on: &canvas)
            }
        }
        let furniturePainter = FurniturePainter(
            furniture: furniture, fonts: fonts, viewport: plan.viewport, legend: plan.legend, images: images)
        try paintLabels(on: &canvas, clearOf: furniturePainter, &missing)
        try canvas.group(PaintGroup(name: "furniture")) { (target) throws(TextError) in
            try furniturePainter.paint(on: &target)
        }
        try furniturePainter.noteMissingCharacters(&missing)
        let legend = try furniturePainter.legendFinding(on: plan.viewport.imageSize)
        return (missing.warnings + [legend.warning].compactMap(\.self), legend.isMissing)
    }

    /// Paints the shapes of features; a layer fades as a whole.
    private func paint(_ step: FeatureStep, as group: PaintGroup, on canvas: inout some PaintTarget) {
        guard !step.features.isEmpty else { return }
        let painter = FeaturePainter(step: step, viewport: plan.viewport, images: images)
        canvas.group(group) { target in
            painter.forEachDrawing(threads: threads) { target.paint($0, threads: threads) }
        }
    }

    /// Paints the labels of all layers on top, so that no layer's shapes cover another's labels.
    private func paintLabels(
        on canvas: inout some PaintTarget, clearOf furniture: FurniturePainter, _ missing: inout MissingCharacters
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
            // A label fades with its layer, its letters and their halo as one.
            canvas.group(PaintGroup(name: "\(names[layer])-labels", opacity: opacity)) { target in
                for label in own { painter.paint(label, on: &target) }
            }
        }
    }
}
