package import PortolanPlan
package import PortolanRaster
package import PortolanText

/// Paints a scene whose images have come: layer over layer, then the labels of all layers, then the furniture.
package struct MapPainter {
    private let scene: Scene
    private let images: [ResourceID: PixelBuffer]
    /// The icons of features and the images of the legend, by their addresses.
    private let symbols: [String: PixelBuffer]
    private let fonts: FontBook
    private let furniture: Furniture
    private let threads: Int

    /// Makes a painter.
    ///
    /// - Parameters:
    ///   - images: what has come of the scene's resources; what is missing leaves a hole.
    ///   - threads: how many threads may paint at the same time; the picture does not depend on it.
    package init(
        scene: Scene, images: [ResourceID: PixelBuffer], fonts: FontBook, furniture: Furniture, threads: Int = 1
    ) {
        self.scene = scene
        self.images = images
        self.fonts = fonts
        self.furniture = furniture
        self.threads = threads
        var symbols: [String: PixelBuffer] = [:]
        for (id, image) in images {
            switch id.item {
            case .icon(let address), .legend(let address): symbols[address] = image
            case .tile, .map, .other: break
            }
        }
        self.symbols = symbols
    }

    /// The picture.
    ///
    /// - Throws: ``TextError`` when text is to be drawn and cannot be.
    package func paint() throws(TextError) -> MapPicture {
        var missing = MissingCharacters()
        var canvas = Canvas(size: scene.viewport.imageSize, background: scene.background)
        for layer in scene.layers { paint(layer.nodes, of: layer, opacity: layer.opacity, on: &canvas) }
        let furniturePainter = FurniturePainter(
            furniture: furniture, fonts: fonts, viewport: scene.viewport, legend: scene.legend, images: symbols)
        try paintLabels(on: &canvas, clearOf: furniturePainter, &missing)
        try furniturePainter.paint(on: &canvas)
        try furniturePainter.noteMissingCharacters(&missing)
        let legend = try furniturePainter.legendFinding(on: canvas.size)
        return MapPicture(
            image: canvas.buffer,
            warnings: missing.warnings + [legend.warning].compactMap { $0.map { MapWarning(.legend, message: $0) } },
            lacksLegend: legend.isMissing)
    }

    private func paint(_ nodes: [SceneNode], of layer: SceneLayer, opacity: Double, on canvas: inout Canvas) {
        var mosaics = Drawing()
        for node in nodes {
            if case .mosaic(let mosaic) = node {
                MosaicPainter(
                    mosaic: mosaic, viewport: scene.viewport, images: images, transparent: layer.transparentColor
                ).paint(into: &mosaics, opacity: opacity)
                continue
            }
            canvas.paint(mosaics, threads: threads)
            mosaics = Drawing()
            switch node {
            case .mosaic: break
            case .features(let features): paint(features, opacity: opacity, on: &canvas)
            case .group(let own, let nodes):
                var sheet = Canvas(size: canvas.size)
                paint(nodes, of: layer, opacity: 1, on: &sheet)
                canvas.draw(sheet.buffer, atX: 0, y: 0, opacity: min(max(own, 0), 1) * opacity)
            }
        }
        canvas.paint(mosaics, threads: threads)
    }

    private func paint(_ step: FeatureStep, opacity: Double, on canvas: inout Canvas) {
        guard !step.isEmpty else { return }
        let painter = FeaturePainter(step: step, viewport: scene.viewport, images: symbols)
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
        for layer in scene.layers where layer.opacity > 0 {
            for features in layer.nodes.flatMap(\.featureSteps) {
                layers.append(features)
                opacities.append(layer.opacity)
                names.append(layer.name)
            }
        }
        let labels = try LabelCollector.placedLabels(
            layers, viewport: scene.viewport, images: symbols, fonts: fonts, furniture: furniture)
        for label in labels {
            for line in label.text.lines { missing.add(line.missingScalars, of: .layer(names[label.layer])) }
        }
        let painter = LabelPainter(pixelRatio: scene.viewport.pixelRatio)
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
