package import PortolanPlan
package import PortolanRaster
package import PortolanText

/// Writes drawings as pages of a PDF document (PDF 1.7, ISO 32000-1).
///
/// Content uses picture pixels, y down. Objects are passed on when they are complete: content in pieces of a megabyte,
/// images when they are drawn, fonts at the end. So the memory does not depend on the size of the document, except for
/// the positions of its objects.
package struct PDFTarget: DocumentTarget {
    let options: PDFOptions
    var file: PDFFile
    var content = PDFContent()
    var fonts: PDFFonts
    private var images = PDFImages()
    private var layers = PDFLayers()
    private var tiles = AdjacentTiles()
    /// The graphics states with opacities in thousandths.
    var states: [Int: Int] = [:]
    /// The forms of marks.
    private var marks: [[Mark.Part]: Int] = [:]
    private let metadata: PDFMetadata
    private let tree: Int
    private var pages = PDFPages()
    /// The page in progress.
    private var page: Page?
    /// The first failure.
    private var failure: (any Error)?

    /// A page in progress.
    private struct Page {
        /// The size of its content in pixels.
        var size: ImageSize
        /// Points per pixel.
        let scale: Double
        /// The width and height in points.
        let points: (width: Double, height: Double)
        var registration: PDFRegistration?
        /// The box of the map in pixels, if it is not the whole page.
        var mapBox: Rectangle?
        var links: [PDFPages.Link] = []
    }

    /// The size of content that is moved to a stream of its own, in bytes.
    private static let largestContent = 1 << 20
    /// The number of pixels of adjacent images that are combined.
    private static let largestTiles = 1 << 24
    /// CSS pixels have 1/96 inch, points 1/72 inch (CSS Values and Units, section 6.2).
    private static let pointsPerPixel = 0.75
    /// The longest side of a page in units (ISO 32000-1, annex C).
    private static let longestSide = 14400.0

    /// Begins a document.
    ///
    /// - Parameters:
    ///   - fonts: the fonts that shape its text.
    ///   - title: the document title, or `nil`.
    ///   - rights: the attribution, or `nil`.
    ///   - add: the receiver of the bytes.
    package init(
        fonts: FontBook, title: String? = nil, rights: String? = nil, options: PDFOptions = PDFOptions(),
        _ add: @escaping ([UInt8]) throws -> Void
    ) {
        self.options = options
        self.fonts = PDFFonts(fonts)
        metadata = PDFMetadata(title: title, rights: rights, time: options.creationTime)
        file = PDFFile(add)
        tree = file.reserve()
    }

    /// Begins a page.
    ///
    /// - Parameters:
    ///   - size: the size in picture pixels.
    ///   - pixelRatio: the number of picture pixels per CSS pixel.
    package mutating func beginPage(size: ImageSize, pixelRatio: Double = 1) {
        let scale = Self.pointsPerPixel / pixelRatio
        page = Page(size: size, scale: scale, points: (Double(size.width) * scale, Double(size.height) * scale))
        content = PDFContent()
    }

    /// Begins a page of paper around a view of a map.
    package mutating func beginPage(_ layout: PageLayout, around viewport: Viewport) {
        page = Page(
            size: layout.size, scale: 72 / layout.dotsPerInch, points: layout.points,
            registration: PDFRegistration(viewport), mapBox: layout.mapBox)
        content = PDFContent()
    }

    /// Makes a rectangle of the page, in its pixels, lead to another page, which may be written later.
    package mutating func link(_ box: Rectangle, toPage index: Int) {
        page?.links.append(PDFPages.Link(box: box, target: .page(index)))
    }

    /// Makes a rectangle of the page, in its pixels, lead to an address.
    package mutating func link(_ box: Rectangle, to address: String) {
        page?.links.append(PDFPages.Link(box: box, target: .address(address)))
    }

    /// Writes what `body` paints as the map of a page, clipped, with its top left pixel as the origin.
    package mutating func place<E: Error>(
        _ layout: PageLayout, _ body: (inout Self) throws(E) -> Void
    ) throws(E) {
        flush()
        let outer = content, size = page?.size
        content = PDFContent()
        page?.size = layout.map
        defer {
            flush()
            let inner = content
            content = outer
            if !inner.bytes.isEmpty {
                // Its box clips it.
                let number = write(inner, "")
                content.add("q 1 0 0 1 \(layout.x) \(layout.y) cm ")
                content.add("/\(content.resources.use(.xObject, number)) Do Q\n")
            }
            if let size { page?.size = size }
        }
        try body(&self)
    }

    /// Begins a page with a view of a map, which is registered if its coordinate system has an EPSG code.
    package mutating func beginPage(_ viewport: Viewport) {
        beginPage(size: viewport.imageSize, pixelRatio: viewport.pixelRatio)
        page?.registration = PDFRegistration(viewport)
    }

    /// Ends the page.
    ///
    /// - Parameters:
    ///   - title: its entry in the outline of the document, or `nil` for none.
    ///   - label: its label, or `nil` for its number.
    package mutating func endPage(title: String? = nil, label: String? = nil) {
        flush()
        guard let page else { return }
        // Patterns refer to the coordinates of the form that they are used in.
        if !content.bytes.isEmpty { move() }
        self.page = nil
        let (width, height) = page.points, scale = page.scale
        // Larger pages have larger units.
        let unit = max((max(width, height) / Self.longestSide).rounded(.up), 1)
        func number(_ points: Double) -> String { PDFText.number(points / unit, decimals: 3) }
        func corners(_ box: Rectangle) -> String {
            [box.minX * scale, height - box.maxY * scale, box.maxX * scale, height - box.minY * scale].map(number)
                .joined(separator: " ")
        }
        let wide = number(width), high = number(height)
        var outer = PDFContent()
        outer.add(
            AffineTransform(a: scale / unit, b: 0, c: 0, d: -scale / unit, tx: 0, ty: height / unit), "cm")
        let stream = file.add(stream: outer.bytes + content.bytes, "")
        let links = pages.annotations(page.links, corners, &file)
        let registration = page.registration?.entry(box: page.mapBox.map(corners) ?? "0 0 \(wide) \(high)")
        let own = pages.add(title: title, label: label, &file)
        file.write(
            own,
            """
            <</Type/Page/Parent \(tree) 0 R/MediaBox[0 0 \(wide) \(high)]\(unit > 1 ? "/UserUnit \(Int(unit))" : "")\
            /Group<</S/Transparency/CS/DeviceRGB>>/Resources\(content.resources.dictionary)/Contents \(stream) 0 R\
            \(links)\(registration ?? "")>>
            """)
        content = PDFContent()
    }

    /// Ends the document.
    ///
    /// - Throws: ``/PortolanCodecs/CodecError`` if an image cannot be compressed or the document is too large,
    ///   ``/PortolanText/TextError`` if a font is damaged, and errors of the receiver.
    package consuming func finish() throws {
        endPage()
        if let failure { throw failure }
        try fonts.write(to: &file)
        file.write(tree, pages.tree)
        let outline = pages.write(to: &file)
        let layers = self.layers.write(to: &file, isShown: outline.isEmpty)
        let (info, packet) = metadata.write(to: &file)
        let root = file.add(
            """
            <</Type/Catalog/Pages \(tree) 0 R/Metadata \(packet) 0 R/ViewerPreferences<</DisplayDocTitle true>>\
            \(layers)\(outline)>>
            """)
        try file.finish(root: root, info: info)
    }

    /// Writes a filled path.
    ///
    /// Opaque areas with common borders get a thin stroke of their colour, so that no seams are visible between them.
    package mutating func fill(_ path: Path, rule: Path.FillRule, color: MapColor) {
        guard color.alpha > 0 else { return }
        flush()
        content.setFill(color, &file, &states)
        let isJoined = color.alpha == 255 && (rule == .evenOddJoined || rule == .evenOddSharp)
        if isJoined {
            content.setStroke(StrokeStyle(width: Self.seamWidth, join: .bevel), color, &file, &states)
        }
        guard content.add(path) else { return }
        content.add((isJoined ? "B" : "f") + (rule == .nonZero ? "\n" : "*\n"))
        split()
    }

    /// The width of the stroke around areas with common borders, in pixels.
    private static let seamWidth = 0.5

    /// Writes a stroked path.
    package mutating func stroke(_ path: Path, style: StrokeStyle, color: MapColor) {
        guard color.alpha > 0, style.width > 0, style.width.isFinite else { return }
        flush()
        content.setStroke(style, color, &file, &states)
        guard content.add(path) else { return }
        content.add("S\n")
        split()
    }

    /// Writes an image at whole pixels; adjacent images are combined.
    package mutating func draw(_ image: PaintImage, atX x: Int, y: Int, opacity: Double) {
        guard opacity > 0 else { return }
        let tile = AdjacentTiles.Tile(image: image.pixels, x: x, y: y)
        if !tiles.adjoin(tile, opacity) || tiles.pixelCount > Self.largestTiles && !tiles.isPattern { flush() }
        tiles.add(tile, opacity)
    }

    /// Writes an image with a transform.
    package mutating func draw(
        _ image: PaintImage, transform: AffineTransform, opacity: Double, edges: PaintImage.Edges
    ) {
        guard opacity > 0, transform.inverse != nil else { return }
        flush()
        write(image.pixels, transform, opacity)
    }

    /// Writes a mark once, and refers to it at each point.
    package mutating func draw(_ mark: Mark, at places: [Point]) {
        let boxes = mark.parts.compactMap(\.bounds)
        guard let first = boxes.first else { return }
        flush()
        let box = boxes.dropFirst().reduce(first) { $0.union($1) }
        let number =
            marks[mark.parts]
            ?? form(box) { target in
                for part in mark.parts {
                    switch part {
                    case .fill(let path, let rule, let color): target.fill(path, rule: rule, color: color)
                    case .stroke(let path, let style, let color): target.stroke(path, style: style, color: color)
                    }
                }
            }
        marks[mark.parts] = number
        let name = content.resources.use(.xObject, number)
        for place in places where place.x.isFinite && place.y.isFinite {
            content.add("q 1 0 0 1 ")
            content.add([place.x, place.y], "cm /\(name) Do Q")
            split()
        }
    }

    /// Writes a group: named ones as layers, translucent ones as transparency groups.
    package mutating func group<E: Error>(_ group: PaintGroup, _ body: (inout Self) throws(E) -> Void) throws(E) {
        flush()
        let before = content.bytes.count, start = content.start, saved = content.state
        if let name = group.name {
            let number = layers.begin(name, &file)
            content.add("/OC /\(content.resources.use(.layer, number)) BDC\n")
        }
        if let clip = group.clip {
            content.add("q\n")
            if !content.add(clip) { content.add("0 0 0 0 re\n") }
            content.add(group.clipRule == .nonZero ? "W n\n" : "W* n\n")
        }
        content.start = content.bytes.count
        let first = content.bytes.count
        defer {
            let isEmpty = content.bytes.count == first
            content.start = start
            if isEmpty {
                content.cut(to: before)
                content.state = saved
            } else {
                if group.clip != nil {
                    content.add("Q\n")
                    content.state = saved
                }
                if group.name != nil { content.add("EMC\n") }
            }
            if group.name != nil { layers.end(isEmpty: isEmpty) }
            split()
        }
        guard group.opacity < 1 else {
            defer { flush() }
            return try body(&self)
        }
        guard group.opacity > 0 else { return }
        let outer = content
        content = PDFContent()
        defer {
            flush()
            let inner = content
            content = outer
            if !inner.bytes.isEmpty {
                let number = write(inner, "/Group<</S/Transparency/I true/CS/DeviceRGB>>")
                content.setAlpha(group.opacity, &file, &states)
                content.add("/\(content.resources.use(.xObject, number)) Do\n")
            }
        }
        try body(&self)
    }
}

// Images and forms.
extension PDFTarget {
    /// Writes the collected images: a repeated one as a pattern, others as one image.
    mutating func flush() {
        guard let page else { return }
        guard tiles.isPattern else {
            if let (image, x, y, opacity) = tiles.take(on: page.size) {
                write(image, .translation(x: Double(x), y: Double(y)), opacity)
            }
            return
        }
        let opacity = tiles.opacity, all = tiles.takeAll()
        guard let first = all.first, let number = number(of: first.image) else { return }
        let width = first.image.width, height = first.image.height
        var cell = PDFContent()
        cell.add("\(width) 0 0 \(-height) 0 \(height) cm /\(cell.resources.use(.xObject, number)) Do")
        let pattern = file.add(
            stream: cell.bytes,
            """
            /Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 \(width) \(height)]/XStep \(width)\
            /YStep \(height)/Matrix[1 0 0 1 \(first.x) \(first.y)]/Resources\(cell.resources.dictionary)
            """)
        content.setAlpha(opacity, &file, &states)
        content.state.fill = nil
        content.add("/Pattern cs /\(content.resources.use(.pattern, pattern)) scn\n")
        for tile in all { content.add("\(tile.x) \(tile.y) \(width) \(height) re\n") }
        content.add("f\n")
        split()
    }

    private mutating func write(_ image: PixelBuffer, _ transform: AffineTransform, _ opacity: Double) {
        guard let number = number(of: image) else { return }
        content.setAlpha(opacity, &file, &states)
        // An image is a unit square with y up.
        let width = Double(image.width), height = Double(image.height)
        let square = AffineTransform(a: width, b: 0, c: 0, d: -height, tx: 0, ty: height)
        content.add("q ")
        content.add(square.then(transform), "cm")
        content.add("/\(content.resources.use(.xObject, number)) Do Q\n")
        split()
    }

    private mutating func number(of image: PixelBuffer) -> Int? {
        guard failure == nil, file.failure == nil else { return nil }
        do { return try images.number(of: image, in: &file) } catch {
            failure = error
            return nil
        }
    }

    /// Writes what `body` paints as a form, and returns its object number.
    private mutating func form(_ box: Rectangle, _ body: (inout Self) -> Void) -> Int {
        let outer = content
        content = PDFContent()
        body(&self)
        let inner = content
        content = outer
        return write(inner, "", box: box)
    }

    /// Writes content as a form with further entries, and returns its object number.
    private mutating func write(_ content: PDFContent, _ entries: String, box: Rectangle? = nil) -> Int {
        var bounds = "0 0 \(page?.size.width ?? 0) \(page?.size.height ?? 0)"
        if let box {
            bounds = [box.minX - 1, box.minY - 1, box.maxX + 1, box.maxY + 1].map { PDFText.number($0) }
                .joined(separator: " ")
        }
        return file.add(
            stream: content.bytes,
            "/Type/XObject/Subtype/Form/BBox[\(bounds)]\(entries)/Resources\(content.resources.dictionary)")
    }

    /// Moves content to a form if it is large.
    mutating func split() {
        if content.bytes.count - content.start > Self.largestContent { move() }
    }

    /// Moves the content since the last clip or layer to a form.
    private mutating func move() {
        var part = PDFContent()
        part.resources = content.resources
        part.add(content.takeTail())
        let number = write(part, "")
        content.add("/\(content.resources.use(.xObject, number)) Do\n")
    }
}
