package import PortolanPlan
package import PortolanRaster
package import PortolanText
import PortolanWeb

/// Paints a scene whose resources have arrived: the layers in order, then the labels of all layers, then the furniture.
package struct MapPainter {
    let scene: Scene
    private let images: [Resource.ID: PixelBuffer]
    /// The images that are decoded each time they are painted.
    private let stored: [Resource.ID: StoredImage]
    /// The icons of features and the images of the legend, by address.
    let symbols: [NamedURL: PixelBuffer]
    /// The resources of the images, for targets that link them.
    private let resources: [Resource]
    let fonts: FontBook
    private let furniture: Furniture
    /// The page around the map, or `nil` for the map alone.
    private let page: PrintPage?
    private let insets: [PaintedInset]
    private let measured = MeasuredContent()
    private let measuredMarks = MeasuredContent()
    let threads: Int
    let memory: MemoryBudget?
    /// The placed labels, or `nil` to place them here.
    private let labels: PlacedLabels?
    /// Whether the lines of grids are above all layers, for pictures whose layers are kept without them.
    private let hasGridAbove: Bool
    private(set) var isWanted: @Sendable () -> Bool
    /// Whether it is an inset, whose edge cuts marks of points that thus have no names.
    private var isInset = false
    /// The distance from the edge of an inset within which points have no name, in view pixels.
    private static let insetEdge = 4.0
    /// The rows that are painted, or `nil` for the whole picture.
    private var rows: Range<Int>?

    /// Creates a painter.
    ///
    /// - Parameters:
    ///   - images: the received resources of the scene; missing ones leave holes.
    ///   - stored: the received images that are decoded each time they are painted.
    ///   - resources: the resources of the images, for an SVG that links them.
    ///   - threads: the number of threads; the picture does not depend on it.
    ///   - page: the page around the map, or `nil` for the map alone.
    ///   - insets: the pictures of other extents over the map.
    ///   - labels: the placed labels, or `nil` for those of the scene.
    ///   - memory: the budget to which the letters of labels are charged, or `nil`.
    ///   - hasGridAbove: whether the lines of grids are above all layers, for layers that are kept for another view.
    ///   - isWanted: checked every few hundred features. Once it returns `false`, painting stops and the picture is
    ///     incomplete.
    package init(
        scene: Scene, images: [Resource.ID: PixelBuffer], stored: [Resource.ID: StoredImage] = [:],
        resources: [Resource] = [], fonts: FontBook, furniture: Furniture, page: PrintPage? = nil,
        insets: [PaintedInset] = [], threads: Int = 1, labels: PlacedLabels? = nil,
        memory: MemoryBudget? = nil, hasGridAbove: Bool = false,
        while isWanted: @escaping @Sendable () -> Bool = { true }
    ) {
        self.labels = labels
        self.hasGridAbove = hasGridAbove
        self.memory = memory
        self.isWanted = isWanted
        self.resources = resources
        self.images = images
        self.stored = stored
        self.fonts = fonts
        var furniture = furniture
        furniture.hasDegreesAtFrame = page?.frame == .degrees
        self.furniture = furniture
        self.page = page
        self.insets = insets
        self.threads = threads
        var symbols: [NamedURL: PixelBuffer] = [:]
        for (id, image) in images {
            switch id.item {
            case .icon(let address), .legend(let address): symbols[address] = image
            case .tile, .map, .other: break
            }
        }
        self.symbols = symbols
        self.scene = WholeMarks(
            viewport: scene.viewport, others: page?.others ?? [], images: symbols
        ).scene(scene)
    }

    /// Paints the picture.
    ///
    /// - Throws: ``TextError`` if text must be drawn and cannot be.
    package func paint() throws(TextError) -> MapPicture {
        guard threads > 1 else { return try paint(over: paintLayers()) }
        // Layers are painted on this thread, where cancellation is known.
        let (layers, labels) = Concurrent.both({ paintLayers() }, { [self] in placement() })
        return try paint(over: layers, labels)
    }

    /// Paints the layers without labels and furniture.
    ///
    /// - Parameter below: the layers below these, or `nil` for the background alone.
    package func paintLayers(over below: PixelBuffer? = nil) -> PixelBuffer {
        guard let below else {
            return paintLayers(on: { Canvas(size: scene.viewport.imageSize, background: $0) }).buffer
        }
        var canvas = Canvas(below)
        paint(scene.layers[...], over: &canvas)
        return canvas.buffer
    }

    /// Paints the layers on a canvas created for the background.
    private func paintLayers(on canvas: (_ background: MapColor) -> Canvas) -> Canvas {
        let (background, layers) = ground
        var canvas = canvas(background)
        paintSphere(on: &canvas)
        paint(layers, over: &canvas)
        return canvas
    }

    /// Paints layers on a canvas.
    private func paint(_ layers: ArraySlice<Scene.Layer>, over canvas: inout Canvas) {
        guard threads > 1 else { return paint(layers, on: &canvas, linking: nil) }
        ThreadedCanvas.paint(on: &canvas, threads: threads) { paint(layers, on: &$0, linking: nil) }
    }

    /// Paints labels on a canvas.
    private func paint(_ labels: PlacedLabels, over canvas: inout Canvas) {
        let painter = labelPainter(asPixels: true)
        guard threads > 1 else { return labels.paint(on: &canvas, by: painter) }
        ThreadedCanvas.paint(on: &canvas, threads: threads) { labels.paint(on: &$0, by: painter) }
    }

    /// The colour below everything, and the layers above it; a first layer that covers everything is that colour.
    private var ground: (MapColor, ArraySlice<Scene.Layer>) {
        var layers = scene.layers[...]
        guard let ground = layers.first?.groundColor else { return (scene.background, layers) }
        layers[0].nodes.removeFirst()
        return (ground, layers)
    }

    /// Fills the earth's disc or sheet, if a colour is set for it.
    private func paintSphere(on canvas: inout some PaintTarget) {
        guard let color = scene.sphere, color.alpha > 0 else { return }
        SpherePainter(viewport: scene.viewport).fill(color, on: &canvas)
    }

    /// Paints the layers in some rows of the picture.
    func paintLayers(rows: Range<Int>) -> Canvas {
        var painter = self
        painter.rows = rows
        return painter.paintLayers { Canvas(size: scene.viewport.imageSize, rows: rows, background: $0) }
    }

    /// Completes a picture whose layers have been painted, in place if their buffer is uniquely referenced.
    package func paint(over layers: consuming PixelBuffer) throws(TextError) -> MapPicture {
        try paint(over: layers, placement())
    }

    private func paint(
        over layers: consuming PixelBuffer, _ placement: Result<Placement, TextError>
    ) throws(TextError) -> MapPicture {
        let placement = try placement.get(), labels = placement.labels
        var missing = placement.missing
        var canvas = Canvas(layers)
        paintOutlines(on: &canvas)
        paint(labels, over: &canvas)
        let furniture = furniturePainter(in: scene.viewport), ground = canvas.buffer
        try paint(furniture, on: &canvas)
        return try MapPicture(
            .pixels(canvas.buffer, ground: ground), labels, finding(of: furniture, &missing), forLater,
            page: paintedPage())
    }

    /// The labels of the picture, and the characters that they lack.
    private struct Placement {
        let labels: PlacedLabels
        let missing: MissingCharacters
    }

    private func placement() -> Result<Placement, TextError> {
        Result { () throws(TextError) in
            var missing = MissingCharacters()
            let labels = try placedLabels(clearOf: furniturePainter(in: scene.viewport), &missing)
            return Placement(labels: labels, missing: missing)
        }
    }

    /// Places labels and furniture of a picture that is painted in bands of rows.
    package func paintInBands() throws(TextError) -> MapPicture {
        var missing = MissingCharacters(), furnished = Drawing()
        let furniture = furniturePainter(in: scene.viewport)
        let labels = try placedLabels(clearOf: furniture, &missing)
        try paint(furniture, on: &furnished)
        let bands = BandedPicture(painter: forLater, labels: labels, furniture: furnished)
        return try MapPicture(
            .bands(bands), labels, finding(of: furniture, &missing), forLater, page: paintedPage())
    }

    /// The painter for later calls, which are not subject to cancellation.
    private var forLater: MapPainter {
        var painter = self
        painter.isWanted = { true }
        return painter
    }

    /// Adds furniture to a picture of another view.
    ///
    /// - Parameter ground: the picture without furniture.
    package func furnish(_ ground: PixelBuffer, in viewport: Viewport) throws(TextError) -> PixelBuffer {
        var canvas = Canvas(ground)
        try furniturePainter(in: viewport).paint(on: &canvas)
        return canvas.buffer
    }

    /// Returns the legend alone, in its natural size or that of `size`, or `nil` if the scene has none, or it is empty.
    ///
    /// - Throws: ``TextError`` if text cannot be drawn.
    package func legendPicture(within size: ImageSize, exact: Bool) throws(TextError) -> PixelBuffer? {
        try furniturePainter(in: scene.viewport).legendPicture(within: size, exact: exact)
    }

    /// Returns the picture as an SVG document.
    ///
    /// - Throws: ``TextError`` if text must be drawn and cannot be, ``CodecError`` if an image cannot be encoded.
    /// - Complexity: O(shapes in view + pixels of the images).
    package func svg(_ options: SVGOptions) throws -> [UInt8] {
        let viewport = scene.viewport, layout = pageLayout
        var target = SVGTarget(
            size: layout?.size ?? viewport.imageSize, pixelRatio: viewport.pixelRatio, paper: layout?.paper,
            title: furniture.title, options: options)
        _ = try paintDocument(on: &target, linking: options.images == .embedded ? nil : addresses)
        return try target.finish()
    }

    /// Passes the picture as a PDF document of one page to a closure in pieces.
    ///
    /// - Throws: ``TextError`` if text must be drawn and cannot be, ``CodecError`` if an image cannot be compressed or the
    ///   document is too large, and errors of `add`.
    /// - Complexity: O(shapes in view + pixels of the images).
    package func pdf(_ options: PDFOptions, _ add: @escaping ([UInt8]) throws -> Void) throws {
        var target = PDFTarget(
            fonts: fonts, title: furniture.title, rights: furniture.rights ?? furniture.attribution,
            options: options, add)
        try addPage(to: &target)
        try target.finish()
    }

    /// Writes the picture as the next page of a PDF document.
    ///
    /// - Parameters:
    ///   - title: its entry in the outline of the document, or `nil` for none.
    ///   - label: its label, or `nil` for its number.
    package func addPage(to target: inout PDFTarget, title: String? = nil, label: String? = nil) throws {
        if let pageLayout {
            target.beginPage(pageLayout, around: scene.viewport)
        } else {
            target.beginPage(scene.viewport)
        }
        for link in try paintDocument(on: &target, linking: nil) { target.link(link.box, toPage: link.page) }
        let (x, y) = pageLayout.map { (Double($0.x), Double($0.y)) } ?? (0, 0)
        for link in try furniturePainter(in: scene.viewport).attributionLinks() {
            target.link(link.box.moved(x: x, y: y), to: link.address)
        }
        target.endPage(title: title, label: label)
    }

    /// Paints the map, and the page around it.
    ///
    /// - Returns: the areas of the page that lead to other pages.
    private func paintDocument(
        on target: inout some DocumentTarget, linking addresses: [Resource.ID: String]?
    ) throws(TextError) -> [PagePainter.Link] {
        guard let page, let layout = pageLayout, let painter = try pagePainter() else {
            try paintMap(on: &target, linking: addresses)
            return []
        }
        target.fill(Path(Rectangle(layout.size)), color: color(of: page))
        try target.place(layout) { (target) throws(TextError) in
            try paintMap(on: &target, linking: addresses)
        }
        var links: [PagePainter.Link] = []
        try target.group(PaintGroup(name: "page")) { (target) throws(TextError) in
            links = try painter.paint(on: &target)
        }
        return links
    }

    private func paintMap(
        on target: inout some PaintTarget, linking addresses: [Resource.ID: String]?, hasLabels: Bool = true
    ) throws(TextError) {
        let (background, layers) = ground
        target.fill(Path(Rectangle(scene.viewport.imageSize)), color: background)
        paintSphere(on: &target)
        paint(layers, on: &target, linking: addresses)
        paintOutlines(on: &target)
        var missing = MissingCharacters()
        let furniture = furniturePainter(in: scene.viewport)
        if hasLabels {
            try placedLabels(clearOf: furniture, &missing).paint(on: &target, by: labelPainter(asPixels: false))
        }
        try paint(furniture, on: &target)
    }

    /// Returns the picture as an inset of another one.
    ///
    /// - Parameters:
    ///   - outlines: lines over it in its picture pixels, such as the extent of the other picture.
    ///   - hasLabels: whether the labels of the layers are drawn.
    package func inset(at corner: PaintedInset.Corner, outlines: [[Point]], hasLabels: Bool) -> PaintedInset {
        var painter = self
        painter.isInset = true
        return PaintedInset(size: scene.viewport.imageSize, corner: corner) { [painter] (x, y) throws(TextError) in
            var target = MovedDrawing(x: x, y: y)
            try painter.paintMap(on: &target, linking: nil, hasLabels: hasLabels)
            // Symbols have half their size; the outline must be visible.
            let ratio = 2 * scene.viewport.pixelRatio
            for outline in outlines {
                let path = Path.polyline(outline, closed: true)
                target.stroke(path, style: StrokeStyle(width: 3.5 * ratio), color: MapColor.white.withOpacity(0.8))
                target.stroke(
                    path, style: StrokeStyle(width: 1.6 * ratio), color: MapColor(red: 200, green: 30, blue: 40))
            }
            return target.drawing
        }
    }

    /// Draws the outlines of the pages of an atlas on its overview.
    func paintOutlines(on canvas: inout some PaintTarget) {
        guard let page else { return }
        PagePainter.paintOutlines(of: page, pixelRatio: scene.viewport.pixelRatio, on: &canvas)
    }

    /// The layout of the page, or `nil` without one.
    private var pageLayout: PageLayout? { page.map { PageLayout($0, around: scene.viewport) } }

    private var theme: Furniture.Theme {
        furniture.theme ?? .matching(scene.layers.first?.groundColor ?? scene.background)
    }

    /// The colour of the margins: without a stated one that of the theme on screens, and white on paper.
    private func color(of page: PrintPage) -> MapColor { page.color ?? (page.paper == nil ? theme.panel : .white) }

    private func pagePainter() throws(TextError) -> PagePainter? {
        guard let page, let layout = pageLayout else { return nil }
        var painter = PagePainter(
            page: page, layout: layout, viewport: scene.viewport, fonts: fonts, theme: theme, color: color(of: page))
        painter.graticule = furniture.graticule
        if !page.neighbors.isEmpty || !page.outlines.isEmpty {
            func onPage(_ boxes: [Rectangle]) -> [Rectangle] {
                boxes.map { $0.moved(x: Double(layout.x), y: Double(layout.y)) }
            }
            painter.taken = onPage(try furniturePainter(in: scene.viewport).boxes(on: scene.viewport.imageSize))
            let marked = markedBoxes()
            (painter.symbols, painter.routes) = (onPage(marked.symbols), onPage(marked.routes))
        }
        return painter
    }

    /// The page around the pixels of the map, or `nil` without one.
    private func paintedPage() throws(TextError) -> PaintedPage? {
        guard let painter = try pagePainter() else { return nil }
        var drawing = Drawing()
        _ = try painter.paint(on: &drawing)
        return PaintedPage(layout: painter.layout, color: painter.color, drawing: drawing)
    }

    /// The addresses of images, from which the target chooses those that it links.
    private var addresses: [Resource.ID: String] {
        Dictionary(
            resources.compactMap { resource in
                if case .url(let address) = resource.location { (resource.id, address.text) } else { nil }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Paints the layers in order.
    ///
    /// - Parameter addresses: the addresses of linkable images, or `nil` if the target links none.
    private func paint(
        _ layers: ArraySlice<Scene.Layer>, on canvas: inout some PaintTarget, linking addresses: [Resource.ID: String]?
    ) {
        let traced = TracedPicture()
        let grid = hasGrid && !hasGridAbove ? GridPlace(in: scene, images: symbols) : nil
        if let grid, grid.layer == nil { paintGrid(on: &canvas) }
        var number = layers.startIndex
        while number < layers.endIndex {
            let first = layers[number], rest = layers[number...]
            let run = rest.prefix(first.group == nil ? 1 : rest.count).prefix { $0.group?.name == first.group?.name }
            let isHere = grid?.layer.map { (number..<number + run.count).contains($0) } ?? false
            number += run.count
            guard let group = first.group else {
                paint(
                    first.nodes, of: first, opacity: first.opacity, linking: addresses, traced,
                    around: isHere ? grid : nil, on: &canvas)
                continue
            }
            canvas.group(PaintGroup(name: group.name, opacity: group.opacity)) { target in
                for layer in run {
                    paint(layer.nodes, of: layer, opacity: layer.opacity, linking: addresses, traced, on: &target)
                }
            }
            // A group fades as a whole.
            if isHere { paintGrid(on: &canvas) }
        }
    }

    /// Whether there are lines of a graticule or of a frame.
    private var hasGrid: Bool { furniture.graticule != nil || (page?.frame ?? .degrees) != .degrees }

    private func paintGrid(on canvas: inout some PaintTarget) {
        let painter = furniturePainter(in: scene.viewport)
        canvas.group(PaintGroup(name: "grid")) { painter.paintLines(on: &$0) }
    }

    private func furniturePainter(in viewport: Viewport) -> FurniturePainter {
        FurniturePainter(
            furniture: furniture, fonts: fonts, viewport: viewport, legend: scene.legend, images: symbols,
            insets: insets, ground: scene.layers.first?.groundColor ?? scene.background, includesLines: hasGridAbove,
            content: { content }, marks: { marks }
        ) { page?.frame.map { FrameTicks($0, of: viewport).lines } ?? [] }
    }

    /// The parts of the picture that marks take.
    private var marks: PictureContent? {
        furniture.isSteady
            ? nil
            : measuredMarks.content {
                ContentMeter.content(of: scene, images: symbols, passes: [.marks], while: isWanted)
            }
    }

    /// The parts of the picture that its layers take.
    private var content: PictureContent? {
        furniture.isSteady
            ? nil : measured.content { ContentMeter.content(of: scene, images: symbols, while: isWanted) }
    }

    private func paint(_ furniture: FurniturePainter, on canvas: inout some PaintTarget) throws(TextError) {
        try canvas.group(PaintGroup(name: "furniture")) { (target) throws(TextError) in
            try furniture.paint(on: &target)
        }
    }

    /// Returns warnings about furniture and labels, and whether a requested legend has no room.
    private func finding(
        of furniture: FurniturePainter, _ missing: inout MissingCharacters
    ) throws(TextError) -> (warnings: [MapWarning], lacksLegend: Bool) {
        try furniture.noteMissingCharacters(&missing)
        let legend = try furniture.legendFinding(on: scene.viewport.imageSize)
        let legendWarning = legend.warning.map { MapWarning(.legend, message: $0) }
        let omitted = try furniture.omittedInsetCount(on: scene.viewport.imageSize)
        let insetWarning =
            omitted == 0
            ? nil : MapWarning(.inset, message: "no room for \(omitted) of \(insets.count) insets; make them smaller")
        let covering = try furniture.insetFindings(on: scene.viewport.imageSize)
        return (
            missing.warnings + [legendWarning, insetWarning].compactMap(\.self) + covering, legend.isMissing
        )
    }

    /// Paints the nodes of a layer.
    ///
    /// Images are collected, so that several mosaics are painted together.
    ///
    /// - Parameter grid: the place of the lines of a grid among the nodes, or `nil` if it is elsewhere.
    private func paint(
        _ nodes: [Scene.Node], of layer: Scene.Layer, opacity: Double, linking addresses: [Resource.ID: String]?,
        _ traced: TracedPicture, around grid: GridPlace? = nil, on canvas: inout some PaintTarget
    ) {
        var mosaics = Drawing()
        func paintMosaics(on canvas: inout some PaintTarget) {
            guard !mosaics.isEmpty else { return }
            canvas.group(PaintGroup(name: layer.name)) { $0.paint(mosaics, threads: threads) }
            mosaics = Drawing()
        }
        // The areas of the layer may be the background, which has been painted.
        if let grid, grid.nodesAbove >= nodes.count { paintGrid(on: &canvas) }
        for (number, node) in nodes.enumerated() where isWanted() {
            let isBelowGrid = grid.map { nodes.count - 1 - number == $0.nodesAbove } ?? false
            switch node {
            case .mosaic(let mosaic):
                MosaicPainter(
                    mosaic: mosaic, viewport: scene.viewport, images: images, stored: stored,
                    transparent: layer.transparentColor, threads: threads, addresses: addresses, rows: rows
                ).paint(into: &mosaics, opacity: opacity)
            case .features(let features):
                paintMosaics(on: &canvas)
                let group = PaintGroup(name: layer.name, opacity: opacity)
                guard isBelowGrid, grid?.isInside ?? false else {
                    paint(features, as: group, traced, on: &canvas)
                    break
                }
                paint(features, as: group, in: [.areas], traced, on: &canvas)
                paintGrid(on: &canvas)
                paint(features, as: group, in: [.casings, .lines, .marks], traced, on: &canvas)
                continue
            case .points(let points):
                paintMosaics(on: &canvas)
                canvas.group(PaintGroup(name: layer.name, opacity: opacity)) { target in
                    PointPainter(step: points, viewport: scene.viewport, rows: rows).paint(
                        on: &target, threads: threads)
                }
            case .group(let own, let nodes):
                paintMosaics(on: &canvas)
                canvas.group(PaintGroup(name: layer.name, opacity: min(max(own, 0), 1) * opacity)) { target in
                    paint(nodes, of: layer, opacity: 1, linking: addresses, traced, on: &target)
                }
            }
            guard isBelowGrid else { continue }
            paintMosaics(on: &canvas)
            paintGrid(on: &canvas)
        }
        paintMosaics(on: &canvas)
    }

    /// Paints the shapes of features.
    ///
    /// A layer fades as a whole.
    private func paint(
        _ step: Scene.FeatureStep, as group: PaintGroup,
        in passes: Set<FeaturePainter.Pass> = Set(FeaturePainter.Pass.allCases), _ traced: TracedPicture,
        on canvas: inout some PaintTarget
    ) {
        guard !step.isEmpty else { return }
        let painter = FeaturePainter(step: step, viewport: scene.viewport, images: symbols, traced: traced)
        canvas.group(group) { target in
            guard step.hasShapes else { return }
            painter.forEachDrawing(in: passes, threads: threads, while: isWanted) { target.paint($0, threads: threads) }
        }
    }
}

extension MapPainter {
    /// Returns the placed labels of all layers.
    ///
    /// They are drawn last, so that no shapes cover labels of another layer.
    func placedLabels(
        clearOf furniture: FurniturePainter, _ missing: inout MissingCharacters
    ) throws(TextError) -> PlacedLabels {
        guard isWanted() else { return PlacedLabels() }
        if let labels {
            labels.note(&missing)
            return labels
        }
        return try placedLabels(clearOf: furniture, in: nil, &missing)
    }

    /// Returns the labels of a cell that the view shows with a margin.
    ///
    /// - Parameters:
    ///   - margin: the margin of the view around the cell, in picture pixels.
    ///   - reach: the distance by which a label may extend beyond the cell, in picture pixels.
    /// - Throws: ``TextError`` if text cannot be set.
    package func cellLabels(margin: Int, reach: Int) throws(TextError) -> (labels: CellLabels, areComplete: Bool) {
        let size = scene.viewport.imageSize, margin = Double(margin)
        let frame = Rectangle(size, margin: -margin)
        var missing = MissingCharacters()
        let placed = try placedLabels(
            clearOf: furniturePainter(in: scene.viewport), in: LabelCollector.Cell(frame: frame, margin: margin),
            &missing)
        let labels = CellLabels(
            placed, of: size, margin: margin, reach: Double(reach), pixelRatio: scene.viewport.pixelRatio)
        return (labels, placed.areComplete)
    }

    private func placedLabels(
        clearOf furniture: FurniturePainter, in cell: LabelCollector.Cell?, _ missing: inout MissingCharacters
    ) throws(TextError) -> PlacedLabels {
        var steps: [Scene.FeatureStep] = [], opacities: [Double] = [], names: [String] = []
        for layer in scene.layers where layer.opacity > 0 {
            for step in layer.nodes.flatMap(\.featureSteps) {
                steps.append(step)
                opacities.append(layer.opacity * (layer.group?.opacity ?? 1))
                names.append(layer.name)
            }
        }
        var kept: [Rectangle] = []
        if let layout = pageLayout, let painter = try pagePainter() {
            kept = try painter.markBoxes().map { $0.moved(x: -Double(layout.x), y: -Double(layout.y)) }
        }
        if let graticule = furniture.graticulePainter {
            kept += try graticule.labelBoxes(clearOf: furniture.boxes(on: scene.viewport.imageSize))
        }
        let result = try LabelCollector.placedLabels(
            steps, viewport: scene.viewport, images: symbols, fonts: fonts, furniture: furniture, kept: kept,
            omitsRoutePlaces: !(page?.outlines.isEmpty ?? true), isOnPaper: page != nil, cell: cell,
            edge: isInset ? Self.insetEdge * scene.viewport.pixelRatio : 0, memory: memory)
        let labels = PlacedLabels(result, of: steps, names, opacities)
        labels.note(&missing)
        return labels
    }

    /// Returns the label painter.
    ///
    /// - Parameter asPixels: whether the target has pixels.
    func labelPainter(asPixels: Bool) -> LabelPainter {
        LabelPainter(pixelRatio: scene.viewport.pixelRatio, fonts: fonts, usesMasks: asPixels)
    }
}
