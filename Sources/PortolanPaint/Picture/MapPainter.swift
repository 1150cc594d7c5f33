package import PortolanPlan
package import PortolanRaster
package import PortolanText
package import PortolanWeb

/// Paints a scene whose images have come: layer over layer, then the labels of all layers, then the furniture.
package struct MapPainter {
    private let scene: Scene
    private let images: [ResourceID: PixelBuffer]
    /// The icons of features and the images of the legend, by their addresses.
    private let symbols: [NamedURL: PixelBuffer]
    /// What the images are, for targets that link them.
    private let resources: [Resource]
    private let fonts: FontBook
    private let furniture: Furniture
    private let threads: Int
    private let memory: MemoryBudget?
    private var isWanted: @Sendable () -> Bool

    /// Makes a painter.
    ///
    /// - Parameters:
    ///   - images: what has come of the scene's resources; what is missing leaves a hole.
    ///   - resources: what the images are, for an SVG that links them.
    ///   - threads: how many threads may paint at the same time; the picture does not depend on it.
    ///   - memory: what the letters of labels are charged to, or `nil` for nothing.
    ///   - isWanted: asked every few hundred features; once it says no, nothing more is painted, and the picture is of no use.
    package init(
        scene: Scene, images: [ResourceID: PixelBuffer], resources: [Resource] = [], fonts: FontBook,
        furniture: Furniture, threads: Int = 1, memory: MemoryBudget? = nil,
        while isWanted: @escaping @Sendable () -> Bool = { true }
    ) {
        self.memory = memory
        self.isWanted = isWanted
        self.resources = resources
        self.scene = scene
        self.images = images
        self.fonts = fonts
        self.furniture = furniture
        self.threads = threads
        var symbols: [NamedURL: PixelBuffer] = [:]
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
    package func paint() throws(TextError) -> MapPicture { try paint(over: paintLayers()) }

    /// The layers alone, without labels and furniture.
    ///
    /// - Parameter below: the layers under these; the background alone when `nil`.
    package func paintLayers(over below: PixelBuffer? = nil) -> PixelBuffer {
        var layers = scene.layers[...], background = scene.background
        // What covers all at first is the background.
        if below == nil, let ground = layers.first?.groundColor {
            background = ground
            layers[0].nodes.removeFirst()
        }
        var canvas = below.map { Canvas($0) } ?? Canvas(size: scene.viewport.imageSize, background: background)
        paint(layers, on: &canvas, linking: nil)
        return canvas.buffer
    }

    /// The picture, of which the layers have been painted; they are painted on in place where nobody else holds them.
    package func paint(over layers: consuming PixelBuffer) throws(TextError) -> MapPicture {
        var canvas = Canvas(layers), missing = MissingCharacters()
        let furniture = furniturePainter(in: scene.viewport)
        let (losses, symbols) = try paintLabels(on: &canvas, asPixels: true, clearOf: furniture, &missing)
        let ground = canvas.buffer
        let finding = try paint(furniture, on: &canvas, &missing)
        // What is asked of the picture later is for others.
        var painter = self
        painter.isWanted = { true }
        return MapPicture(
            image: canvas.buffer, ground: ground, warnings: losses + finding.warnings,
            lacksLegend: finding.lacksLegend, symbols: symbols, painter: painter)
    }

    /// A picture that is to show another view, with its furniture.
    ///
    /// - Parameter ground: the picture without furniture.
    package func furnish(_ ground: PixelBuffer, in viewport: Viewport) throws(TextError) -> PixelBuffer {
        var canvas = Canvas(ground)
        try furniturePainter(in: viewport).paint(on: &canvas)
        return canvas.buffer
    }

    /// The legend alone, as large as what it says or all of `size`; `nil` where the scene has none, or it says nothing.
    ///
    /// - Throws: ``TextError`` when text cannot be drawn.
    package func legendPicture(within size: ImageSize, exact: Bool) throws(TextError) -> PixelBuffer? {
        try furniturePainter(in: scene.viewport).legendPicture(within: size, exact: exact)
    }

    /// The picture as an SVG document.
    ///
    /// - Throws: ``TextError`` when text is to be drawn and cannot be, ``CodecError`` when an image cannot be encoded.
    /// - Complexity: O(shapes in view + pixels of the images).
    package func svg(_ options: SVGOptions) throws -> [UInt8] {
        let viewport = scene.viewport
        var target = SVGTarget(
            size: viewport.imageSize, pixelRatio: viewport.pixelRatio, title: furniture.title, options: options)
        target.fill(Path(Rectangle(viewport.imageSize)), color: scene.background)
        paint(scene.layers[...], on: &target, linking: options.images == .embedded ? nil : addresses)
        var missing = MissingCharacters()
        let furniture = furniturePainter(in: scene.viewport)
        _ = try paintLabels(on: &target, asPixels: false, clearOf: furniture, &missing)
        _ = try paint(furniture, on: &target, &missing)
        return try target.finish()
    }

    /// The addresses of images; the target decides which of them it links.
    private var addresses: [ResourceID: String] {
        Dictionary(
            resources.compactMap { resource in
                if case .url(let address) = resource.location { (resource.id, address.text) } else { nil }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Paints layer over layer.
    ///
    /// - Parameter addresses: those by which the target may link images, or `nil` when it links none.
    private func paint(
        _ layers: ArraySlice<SceneLayer>, on canvas: inout some PaintTarget, linking addresses: [ResourceID: String]?
    ) {
        var rest = layers
        let traced = TracedPicture()
        while let first = rest.first {
            let run = rest.prefix(first.group == nil ? 1 : rest.count).prefix { $0.group?.name == first.group?.name }
            rest.removeFirst(run.count)
            guard let group = first.group else {
                paint(first.nodes, of: first, opacity: first.opacity, linking: addresses, traced, on: &canvas)
                continue
            }
            canvas.group(PaintGroup(name: group.name, opacity: group.opacity)) { target in
                for layer in run {
                    paint(layer.nodes, of: layer, opacity: layer.opacity, linking: addresses, traced, on: &target)
                }
            }
        }
    }

    private func furniturePainter(in viewport: Viewport) -> FurniturePainter {
        FurniturePainter(
            furniture: furniture, fonts: fonts, viewport: viewport, legend: scene.legend, images: symbols)
    }

    /// Paints the furniture.
    ///
    /// - Returns: what could not be painted as it should be, and whether a wanted legend had no room.
    private func paint(
        _ furniturePainter: FurniturePainter, on canvas: inout some PaintTarget, _ missing: inout MissingCharacters
    ) throws(TextError) -> (warnings: [MapWarning], lacksLegend: Bool) {
        try canvas.group(PaintGroup(name: "furniture")) { (target) throws(TextError) in
            try furniturePainter.paint(on: &target)
        }
        try furniturePainter.noteMissingCharacters(&missing)
        let legend = try furniturePainter.legendFinding(on: scene.viewport.imageSize)
        let legendWarning = legend.warning.map { MapWarning(.legend, message: $0) }
        return (missing.warnings + [legendWarning].compactMap(\.self), legend.isMissing)
    }

    /// Paints the nodes of a layer; images are gathered, so that several mosaics are painted in one go.
    private func paint(
        _ nodes: [SceneNode], of layer: SceneLayer, opacity: Double, linking addresses: [ResourceID: String]?,
        _ traced: TracedPicture, on canvas: inout some PaintTarget
    ) {
        var mosaics = Drawing()
        func paintMosaics(on canvas: inout some PaintTarget) {
            guard !mosaics.isEmpty else { return }
            canvas.group(PaintGroup(name: layer.name)) { $0.paint(mosaics, threads: threads) }
            mosaics = Drawing()
        }
        for node in nodes where isWanted() {
            switch node {
            case .mosaic(let mosaic):
                MosaicPainter(
                    mosaic: mosaic, viewport: scene.viewport, images: images, transparent: layer.transparentColor,
                    threads: threads, addresses: addresses
                ).paint(into: &mosaics, opacity: opacity)
            case .features(let features):
                paintMosaics(on: &canvas)
                paint(features, as: PaintGroup(name: layer.name, opacity: opacity), traced, on: &canvas)
            case .points(let points):
                paintMosaics(on: &canvas)
                canvas.group(PaintGroup(name: layer.name, opacity: opacity)) { target in
                    PointPainter(step: points, viewport: scene.viewport).paint(on: &target, threads: threads)
                }
            case .group(let own, let nodes):
                paintMosaics(on: &canvas)
                canvas.group(PaintGroup(name: layer.name, opacity: min(max(own, 0), 1) * opacity)) { target in
                    paint(nodes, of: layer, opacity: 1, linking: addresses, traced, on: &target)
                }
            }
        }
        paintMosaics(on: &canvas)
    }

    /// Paints the shapes of features; a layer fades as a whole.
    private func paint(
        _ step: FeatureStep, as group: PaintGroup, _ traced: TracedPicture, on canvas: inout some PaintTarget
    ) {
        guard !step.isEmpty else { return }
        let painter = FeaturePainter(step: step, viewport: scene.viewport, images: symbols, traced: traced)
        canvas.group(group) { target in
            guard step.hasShapes else { return }
            painter.forEachDrawing(threads: threads, while: isWanted) { target.paint($0, threads: threads) }
        }
    }

    /// Paints the labels of all layers on top, so that no layer's shapes cover another's labels.
    ///
    /// - Returns: what is to be said of labels that were cut off or left out, and those of styles, the topmost last.
    private func paintLabels(
        on canvas: inout some PaintTarget, asPixels: Bool, clearOf furniture: FurniturePainter,
        _ missing: inout MissingCharacters
    ) throws(TextError) -> (warnings: [MapWarning], symbols: [PlacedSymbol]) {
        guard isWanted() else { return ([], []) }
        var layers: [FeatureStep] = [], opacities: [Double] = [], names: [String] = []
        for layer in scene.layers where layer.opacity > 0 {
            for features in layer.nodes.flatMap(\.featureSteps) {
                layers.append(features)
                opacities.append(layer.opacity * (layer.group?.opacity ?? 1))
                names.append(layer.name)
            }
        }
        let result = try LabelCollector.placedLabels(
            layers, viewport: scene.viewport, images: symbols, fonts: fonts, furniture: furniture, memory: memory)
        let labels = result.placed
        for label in labels {
            for line in label.text?.lines ?? [] { missing.add(line.missingScalars, of: .layer(names[label.layer])) }
        }
        let painter = LabelPainter(pixelRatio: scene.viewport.pixelRatio, fonts: fonts, usesMasks: asPixels)
        var numbers = [[Int]](repeating: [], count: layers.count)
        for number in labels.indices { numbers[labels[number].layer].append(number) }
        for (layer, opacity) in opacities.enumerated() where !numbers[layer].isEmpty {
            let own = numbers[layer]
            // A label fades with its layer, its letters and their halo as one.
            canvas.group(PaintGroup(name: "\(names[layer])-labels", opacity: opacity)) { target in
                let markers = MarkerPainter(pixelRatio: scene.viewport.pixelRatio)
                for number in own { labels[number].icon?.paint(on: &target, markers) }
                for number in own { painter.paint(labels[number], on: &target) }
            }
        }
        let symbols = numbers.joined().compactMap { number -> PlacedSymbol? in
            let label = labels[number], content = layers[label.layer].content
            guard content.source.sheet != nil else { return nil }
            return PlacedSymbol(
                layer: names[label.layer], content: content.source.contentID, feature: label.feature, boxes: label.boxes
            )
        }
        let warnings = withExtendedLifetime(result.charge) {
            zip(names, result.losses).flatMap { name, losses in
                [
                    (losses.cut, "of its labels have more than 65,536 bytes and were cut off"),
                    (losses.unset, "of its labels were left out: there is no memory for them in the budget"),
                ].filter { $0.0 > 0 }.map { MapWarning(.limited, layer: name, message: "\($0) \($1)") }
            }
        }
        return (warnings, symbols)
    }
}

/// A painted map, and what a person should know about it.
package struct MapPicture {
    /// The pixels.
    package let image: PixelBuffer
    /// The pixels without furniture.
    package let ground: PixelBuffer
    /// What could not be painted as it should be.
    package let warnings: [MapWarning]
    /// Whether a legend is wanted and there is something to explain, but no room for it.
    package let lacksLegend: Bool
    /// The texts and icons of styles that have got a place, the topmost last.
    package let symbols: [PlacedSymbol]
    /// What painted it and can paint it again into other targets.
    package let painter: MapPainter

    package init(
        image: PixelBuffer, ground: PixelBuffer, warnings: [MapWarning], lacksLegend: Bool,
        symbols: [PlacedSymbol] = [], painter: MapPainter
    ) {
        self.symbols = symbols
        self.ground = ground
        self.painter = painter
        self.lacksLegend = lacksLegend
        self.image = image
        self.warnings = warnings
    }
}
