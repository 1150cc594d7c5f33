package import PortolanCodecs
package import PortolanRaster

/// Writes a drawing as an SVG document (SVG 1.1, with the attribute `paint-order` of SVG 2).
///
/// A picture pixel is a unit of the document's coordinates.
package struct SVGTarget: DocumentTarget {
    private var size: ImageSize
    private let options: SVGOptions
    private var writer = SVGWriter()
    private var depth = 1
    private var identifiers = SVGIdentifiers()
    /// The identifiers of images in the document.
    private var images: [PixelBuffer: String] = [:]
    private var tiles = AdjacentTiles()
    /// The failure of encoding an image.
    private var failure: CodecError?

    /// Begins a document.
    ///
    /// - Parameters:
    ///   - size: the size in picture pixels.
    ///   - pixelRatio: the number of picture pixels per document pixel on a screen.
    ///   - paper: the physical size, or `nil` for a size in CSS pixels.
    ///   - title: the document title, or `nil`.
    package init(
        size: ImageSize, pixelRatio: Double = 1, paper: PaperSize? = nil, title: String? = nil,
        options: SVGOptions = SVGOptions()
    ) {
        self.size = size
        self.options = options
        writer.add(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
            """)
        if let paper {
            attribute("width", paper.width, unit: "mm")
            attribute("height", paper.height, unit: "mm")
        } else {
            attribute("width", Double(size.width) / pixelRatio)
            attribute("height", Double(size.height) / pixelRatio)
        }
        writer.add(" viewBox=\"0 0 \(size.width) \(size.height)\">\n")
        if let title, !title.isEmpty {
            writer.add(" <title>")
            writer.add(escaping: title)
            writer.add("</title>\n")
        }
    }

    /// Ends the document.
    ///
    /// - Throws: ``CodecError`` if an image could not be encoded.
    package consuming func finish() throws(CodecError) -> [UInt8] {
        flush()
        writer.add("</svg>\n")
        if let failure { throw failure }
        return writer.bytes
    }

    /// Writes what `body` paints as the map of a page, in a document of its own, which clips it.
    package mutating func place<E: Error>(
        _ layout: PageLayout, _ body: (inout Self) throws(E) -> Void
    ) throws(E) {
        flush()
        let (width, height) = (layout.map.width, layout.map.height)
        begin("<svg x=\"\(layout.x)\" y=\"\(layout.y)\" width=\"\(width)\" height=\"\(height)\"")
        writer.add(" viewBox=\"0 0 \(width) \(height)\">\n")
        depth += 1
        let outer = size
        size = layout.map
        defer {
            flush()
            depth -= 1
            size = outer
            begin("</svg>\n")
        }
        try body(&self)
    }

    /// Writes a path with a fill.
    package mutating func fill(_ path: Path, rule: Path.FillRule, color: MapColor) {
        guard color.alpha > 0 else { return }
        shape(path) { target in
            target.attribute("fill", color)
            if rule != .nonZero { target.writer.add(" fill-rule=\"evenodd\"") }
            if rule == .evenOddSharp { target.writer.add(" shape-rendering=\"crispEdges\"") }
        }
    }

    /// Writes a path with a stroke.
    package mutating func stroke(_ path: Path, style: StrokeStyle, color: MapColor) {
        guard color.alpha > 0, style.width > 0 else { return }
        shape(path) { target in
            target.writer.add(" fill=\"none\"")
            target.attributes(of: style, color)
        }
    }

    /// Writes an image at whole pixels.
    ///
    /// Adjacent images are combined, so that no seam is visible when they are enlarged.
    package mutating func draw(_ image: PaintImage, atX x: Int, y: Int, opacity: Double) {
        guard opacity > 0 else { return }
        guard link(of: image) == nil else {
            return draw(
                image, transform: .translation(x: Double(x), y: Double(y)), opacity: opacity, edges: .clamped)
        }
        let tile = AdjacentTiles.Tile(image: image.pixels, x: x, y: y)
        if !tiles.adjoin(tile, opacity) { flush() }
        tiles.add(tile, opacity)
    }

    /// Writes an image with a transform.
    package mutating func draw(
        _ image: PaintImage, transform: AffineTransform, opacity: Double, edges: PaintImage.Edges
    ) {
        guard opacity > 0, transform.inverse != nil else { return }
        flush()
        write(image, transform, opacity)
    }

    /// Writes text as the options state.
    package mutating func draw(_ text: ShapedText, color: MapColor, halo: ShapedText.Halo?) {
        let halo = halo.flatMap { $0.color.alpha > 0 && $0.width > 0 ? $0 : nil }
        guard color.alpha > 0 || halo != nil else { return }
        if options.text == .text, !text.runs.isEmpty {
            flush()
            for run in text.runs { write(run, of: text.font, color, halo) }
            return
        }
        shape(text.outline) { target in
            target.attribute("aria-label", text.text)
            target.attributes(ofLetters: color, halo)
        }
        drawColorGlyphs(of: text, color: color)
    }

    /// Writes a group, with its name as its identifier.
    package mutating func group<E: Error>(_ group: PaintGroup, _ body: (inout Self) throws(E) -> Void) throws(E) {
        guard group.opacity < 1 || group.clip != nil || group.name != nil else { return try body(&self) }
        flush()
        var clip: String?
        if let path = group.clip {
            let name = identifiers.make("clip")
            begin("<clipPath id=\"\(name)\"><path d=\"")
            writer.add(path)
            writer.add(group.clipRule == .evenOdd ? "\" clip-rule=\"evenodd\"/></clipPath>\n" : "\"/></clipPath>\n")
            clip = name
        }
        let start = writer.bytes.count
        begin("<g")
        if let name = group.name { writer.add(" id=\"\(identifiers.make(name))\"") }
        if group.opacity < 1 { attribute("opacity", max(group.opacity, 0), decimals: 3) }
        if let clip { writer.add(" clip-path=\"url(#\(clip))\"") }
        writer.add(">\n")
        depth += 1
        let first = writer.bytes.count
        defer {
            flush()
            depth -= 1
            if writer.bytes.count > first { begin("</g>\n") } else { writer.cut(to: start) }
        }
        try body(&self)
    }

    private mutating func begin(_ text: String) {
        writer.add(String(repeating: " ", count: depth))
        writer.add(text)
    }

    /// Writes a path with the attributes that `attributes` adds, unless the path is empty.
    private mutating func shape(_ path: Path, _ attributes: (inout Self) -> Void) {
        flush()
        let start = writer.bytes.count
        begin("<path d=\"")
        guard writer.add(path) else { return writer.cut(to: start) }
        writer.add("\"")
        attributes(&self)
        writer.add("/>\n")
    }
}

// Attributes.
extension SVGTarget {
    private mutating func attribute(_ name: String, _ value: Double, decimals: Int = 2, unit: String = "") {
        writer.add(" \(name)=\"")
        writer.add(value, decimals: decimals)
        writer.add("\(unit)\"")
    }

    private mutating func attribute(_ name: String, _ text: String) {
        writer.add(" \(name)=\"")
        writer.add(escaping: text)
        writer.add("\"")
    }

    /// Writes `fill` or `stroke` with its opacity.
    private mutating func attribute(_ name: String, _ color: MapColor) {
        writer.add(" \(name)=\"\(Self.hex(color))\"")
        if color.alpha < 255 { attribute("\(name)-opacity", Double(color.alpha) / 255, decimals: 3) }
    }

    private static func hex(_ color: MapColor) -> String {
        let channels = [color.red, color.green, color.blue]
        let isShort = channels.allSatisfy { $0 >> 4 == $0 & 15 }
        return channels.reduce(into: "#") { text, channel in
            if !isShort { text += String(channel >> 4, radix: 16) }
            text += String(channel & 15, radix: 16)
        }
    }

    private mutating func attributes(of style: StrokeStyle, _ color: MapColor) {
        attribute("stroke", color)
        if style.width != 1 { attribute("stroke-width", style.width, decimals: 3) }
        if style.cap != .butt { writer.add(" stroke-linecap=\"\(style.cap == .round ? "round" : "square")\"") }
        if style.join != .miter { writer.add(" stroke-linejoin=\"\(style.join == .round ? "round" : "bevel")\"") }
        if style.join == .miter, style.miterLimit != 4 {
            attribute("stroke-miterlimit", style.miterLimit >= 1 ? style.miterLimit : 1, decimals: 3)
        }
        let sum = style.dashes.reduce(0, +)
        guard style.dashes.allSatisfy({ $0 >= 0 }), sum.isFinite, sum >= 0.1 else { return }
        writer.add(" stroke-dasharray=\"")
        writer.add(style.dashes, decimals: 3)
        writer.add("\"")
        if style.dashPhase != 0, style.dashPhase.isFinite {
            attribute("stroke-dashoffset", style.dashPhase, decimals: 3)
        }
    }

    /// Writes the colours of letters, with the halo's stroke below their fill.
    private mutating func attributes(ofLetters color: MapColor, _ halo: ShapedText.Halo?) {
        if color.alpha > 0 { attribute("fill", color) } else { writer.add(" fill=\"none\"") }
        guard let halo else { return }
        attributes(of: halo.style, halo.color)
        if color.alpha > 0 { writer.add(" paint-order=\"stroke\"") }
    }

    /// Writes the transform of an element with its own origin.
    private mutating func place(_ transform: AffineTransform) {
        let t = transform
        if t.a == 1, t.b == 0, t.c == 0, t.d == 1 {
            if t.tx != 0 { attribute("x", t.tx, decimals: 3) }
            if t.ty != 0 { attribute("y", t.ty, decimals: 3) }
            return
        }
        writer.add(" transform=\"matrix(")
        writer.add([t.a, t.b, t.c, t.d], decimals: 8)
        writer.add(" ")
        writer.add([t.tx, t.ty], decimals: 3)
        writer.add(")\"")
    }
}

// Text and images.
extension SVGTarget {
    private mutating func write(
        _ run: ShapedText.Run, of font: ShapedText.Font, _ color: MapColor, _ halo: ShapedText.Halo?
    ) {
        guard run.text.contains(where: { !$0.isWhitespace }) else { return }
        begin("<text")
        place(run.transform)
        let names = font.families.map { name in
            let bare = name.filter { $0 != "'" && $0 != "\"" }
            return ["serif", "sans-serif", "monospace"].contains(bare) ? bare : "'\(bare)'"
        }
        attribute("font-family", names.joined(separator: ", "))
        attribute("font-size", font.size)
        if font.isBold { writer.add(" font-weight=\"bold\"") }
        if font.isItalic { writer.add(" font-style=\"italic\"") }
        if run.text.unicodeScalars.count > 1, run.advance > 0 {
            // In another font, the text keeps its width.
            attribute("textLength", run.advance)
            writer.add(" lengthAdjust=\"spacingAndGlyphs\"")
        }
        attributes(ofLetters: color, halo)
        writer.add(">")
        writer.add(escaping: run.text)
        writer.add("</text>\n")
    }

    /// Writes the collected tiles.
    private mutating func flush() {
        guard let (image, x, y, opacity) = tiles.take(on: size) else { return }
        write(PaintImage(image), .translation(x: Double(x), y: Double(y)), opacity)
    }

    /// Writes an image: the address of a linked one, a large one inline, and a small one, which may be repeated, once
    /// for all its positions.
    private mutating func write(_ image: PaintImage, _ transform: AffineTransform, _ opacity: Double) {
        let link = link(of: image), isLarge = image.pixels.size.pixelCount > Self.largestShared
        guard link == nil, !isLarge else {
            begin("<image")
            place(transform)
            return content(of: image, link: link, opacity: opacity)
        }
        let name = images[image.pixels] ?? identifiers.make("image")
        if images.updateValue(name, forKey: image.pixels) == nil {
            begin("<defs><image id=\"\(name)\"")
            content(of: image, link: nil, opacity: 1)
            writer.cut(to: writer.bytes.count - 1)
            writer.add("</defs>\n")
        }
        begin("<use")
        place(transform)
        if opacity < 1 { attribute("opacity", opacity, decimals: 3) }
        writer.add(" xlink:href=\"#\(name)\"/>\n")
    }

    /// The largest number of pixels of an image that is written once for all its positions.
    private static let largestShared = 128 * 128

    /// Writes the rest of an image element: its size, and its pixels or address.
    private mutating func content(of image: PaintImage, link: String?, opacity: Double) {
        attribute("width", Double(image.pixels.width))
        attribute("height", Double(image.pixels.height))
        if opacity < 1 { attribute("opacity", opacity, decimals: 3) }
        writer.add(" preserveAspectRatio=\"none\" xlink:href=\"")
        if let link {
            writer.add(escaping: link)
        } else {
            writer.add("data:image/png;base64,")
            do { writer.add(base64: try PNGEncoder.encode(image.pixels)) } catch { failure = failure ?? error }
        }
        writer.add("\"/>\n")
    }

    /// The address of a linked image in the document, or `nil` if the image must be embedded.
    private func link(of image: PaintImage) -> String? {
        guard options.images != .embedded, let address = image.address, let colon = address.firstIndex(of: ":")
        else { return nil }
        switch address[..<colon].lowercased() {
        case "http", "https":
            let authority = address[colon...].dropFirst(3).prefix { !"/?#".contains($0) }
            return authority.contains("@") ? nil : address
        case "file": return options.images == .linkedWithFiles ? address : nil
        default: return nil
        }
    }
}
