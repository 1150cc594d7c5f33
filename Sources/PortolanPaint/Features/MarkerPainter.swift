import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// Draws a mark at a point: a shape or an icon.
struct MarkerPainter {
    /// Picture pixels per style pixel.
    let pixelRatio: Double

    /// The fallback for a missing icon: the mark of a feature without a style.
    static let standIn = Style.standard.marker ?? .shape(ShapeMarker(radius: 6, fill: FillSymbol(color: .black)))

    /// Returns the marker that can be drawn: an icon without an image is replaced by the fallback.
    static func drawable(_ marker: MarkerSymbol, image: PixelBuffer?) -> MarkerSymbol {
        if case .icon = marker, image == nil { standIn } else { marker }
    }

    /// Returns a shape relative to the marked point.
    func mark(_ marker: ShapeMarker) -> Mark {
        let turn = AffineTransform.rotation(degrees: marker.rotation).then(.scale(x: pixelRatio, y: pixelRatio))
        let outline = MarkerOutline.path(of: marker.shape, radius: marker.radius).transformed(by: turn)
        var parts: [Mark.Part] = []
        if let halo = marker.halo {
            let style = StrokeStyle(width: 2 * halo.width * pixelRatio, join: .round)
            parts.append(.stroke(outline, style, halo.color))
        }
        // A beak is drawn below, with a border around it.
        if let beak = beak(of: marker, turn) {
            if let stroke = marker.stroke {
                let border = stroke.strokeStyle(scale: pixelRatio, width: 2 * stroke.width)
                parts.append(.stroke(beak, border, stroke.color))
            }
            if let fill = marker.fill { parts.append(.fill(beak, .nonZero, fill.color)) }
        }
        if marker.blur > 0, marker.shape == .circle { return Mark(fadingParts(of: marker)) }
        if let fill = marker.fill { parts.append(.fill(outline, .nonZero, fill.color)) }
        if let stroke = marker.stroke {
            parts.append(.stroke(outline, stroke.strokeStyle(scale: pixelRatio), stroke.color))
        }
        if marker.shape == .pin {
            let head = Point(x: 0, y: -2 * marker.radius)
            let symbol = symbolParts(of: marker, center: head, turn)
            // The eye distinguishes a pin from a drop.
            let eye = Path.circle(center: head, radius: marker.radius * 0.38)
            parts += symbol.isEmpty ? [.fill(eye.transformed(by: turn), .nonZero, .white)] : symbol
        } else if marker.shape.hasRoom {
            parts += symbolParts(of: marker, center: Point(x: 0, y: 0), turn)
        }
        return Mark(parts)
    }

    /// A blurred disc and its border, which is as wide as it fades into the disc.
    private func fadingParts(of marker: ShapeMarker) -> [Mark.Part] {
        let border = marker.stroke?.width ?? 0, whole = (marker.radius + border / 2) * pixelRatio
        let blur = marker.blur * whole, inner = whole - border * pixelRatio
        func disc(_ radius: Double, _ color: MapColor) -> Mark.Part {
            .fill(Path.circle(center: Point(x: 0, y: 0), radius: radius), .nonZero, color)
        }
        guard let stroke = marker.stroke else {
            return (marker.fill.map { Fading.disc($0.color, radius: whole, blur: blur) } ?? []).map(disc)
        }
        // The border is visible from where the disc has faded.
        let rim = Fading.disc(stroke.color, radius: whole, blur: blur).map(disc)
        return rim + (marker.fill.map { Fading.disc($0.color, radius: inner, blur: blur) } ?? []).map(disc)
    }

    /// The symbol in a marker, white or, on light colours, dark; empty without a symbol.
    private func symbolParts(of marker: ShapeMarker, center: Point, _ turn: AffineTransform) -> [Mark.Part] {
        let size = marker.radius * 1.3
        guard let symbol = marker.symbol, let drawn = PinSymbolOutline(symbol, size: size, center: center) else {
            return []
        }
        let color = marker.fill?.color.isLight == true ? MapColor(red: 0x33, green: 0x33, blue: 0x33) : .white
        let stroke = StrokeStyle(width: size / 8 * pixelRatio, cap: .round, join: .round)
        let parts: [Mark.Part] = [
            .fill(drawn.areas.transformed(by: turn), .evenOdd, color),
            .stroke(drawn.lines.transformed(by: turn), stroke, color),
        ]
        return zip(parts, [drawn.areas, drawn.lines]).compactMap { $1.isEmpty ? nil : $0 }
    }

    /// The outline of a marker's beak, or `nil`.
    private func beak(of marker: ShapeMarker, _ turn: AffineTransform) -> Path? {
        guard marker.shape.hasRoom, let beak = marker.beak else { return nil }
        return MarkerOutline.beak(beak, of: marker.shape, radius: marker.radius)?.transformed(by: turn)
    }

    /// Draws an icon at a sub-pixel position.
    func paint(_ marker: IconMarker, image: PixelBuffer, at point: Point, into drawing: inout Drawing) {
        let image = marker.tint.map { image.multiplied(by: $0) } ?? image
        let transform = placement(of: marker, image: image).then(.translation(x: point.x, y: point.y))
        drawing.draw(image, transform: transform, opacity: marker.opacity, edges: .smooth)
    }

    /// The transform from an icon's pixels to the picture's, relative to the marked point.
    private func placement(of marker: IconMarker, image: PixelBuffer) -> AffineTransform {
        let size = marker.drawnSize(of: image.size), offset = marker.topLeftOffset(of: image.size)
        return AffineTransform.scale(
            x: size.width / Double(image.width), y: size.height / Double(image.height)
        )
        .then(.translation(x: offset.x, y: offset.y))
        .then(.rotation(degrees: marker.rotation))
        .then(.scale(x: pixelRatio, y: pixelRatio))
    }

    /// Returns the box of a marker relative to the marked point, in picture pixels, or `nil` if nothing is drawn.
    func extent(of marker: MarkerSymbol, image: PixelBuffer?) -> Rectangle? {
        switch Self.drawable(marker, image: image) {
        case .shape(let shape):
            guard shape.fill != nil || shape.stroke != nil else { return nil }
            let turn = AffineTransform.rotation(degrees: shape.rotation)
                .then(.scale(x: pixelRatio, y: pixelRatio))
            var outline = MarkerOutline.path(of: shape.shape, radius: shape.radius).transformed(by: turn)
            if let beak = beak(of: shape, turn) { outline.append(beak) }
            let border = max(
                max(shape.stroke?.width ?? 0, 0) * (shape.beak == nil ? 0.5 : 1), shape.halo?.width ?? 0)
            return outline.boundingRectangle?.grown(by: border * pixelRatio)
        case .icon(let icon):
            guard let image else { return nil }
            return Rectangle(image.size).bounds(after: placement(of: icon, image: image))
        }
    }

    /// Returns the height of a marker above its point, in picture pixels.
    func height(of marker: MarkerSymbol, image: PixelBuffer?) -> Double {
        switch Self.drawable(marker, image: image) {
        case .shape(let shape): (shape.shape == .pin ? 3 : 1) * shape.radius * pixelRatio
        case .icon(let icon): image.map { -icon.topLeftOffset(of: $0.size).y * pixelRatio } ?? 0
        }
    }

    /// Draws the mark of a selected point: an arrow that points down at the content below it.
    func paintSelection(
        size: Double, color: MapColor, above point: Point, reach: Double, into drawing: inout Drawing
    ) {
        let arrow = selectionOutline(size: size, above: point, reach: reach)
        drawing.stroke(arrow, style: StrokeStyle(width: 3 * pixelRatio, join: .round), color: .white)
        drawing.fill(arrow, color: color)
    }

    /// Returns the outline of the mark of a selected point.
    func selectionOutline(size: Double, above point: Point, reach: Double) -> Path {
        let side = size * pixelRatio, tip = point.y - reach - 2 * pixelRatio
        return Path.polyline(
            [
                Point(x: point.x, y: tip), Point(x: point.x - side * 0.62, y: tip - side * 0.72),
                Point(x: point.x - side * 0.22, y: tip - side * 0.72),
                Point(x: point.x - side * 0.22, y: tip - side * 1.4),
                Point(x: point.x + side * 0.22, y: tip - side * 1.4),
                Point(x: point.x + side * 0.22, y: tip - side * 0.72),
                Point(x: point.x + side * 0.62, y: tip - side * 0.72),
            ], closed: true)
    }
}

extension AffineTransform {
    /// Returns a rotation about the origin, clockwise on the screen, and exact for quarter turns.
    static func rotation(degrees: Double) -> AffineTransform {
        let (cosine, sine) = Bearing.axes(degrees: degrees)
        return AffineTransform(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
    }

    /// Returns a rotation about a point.
    static func rotation(degrees: Double, about point: Point) -> AffineTransform {
        translation(x: -point.x, y: -point.y).then(.rotation(degrees: degrees))
            .then(.translation(x: point.x, y: point.y))
    }
}

extension ShapeMarker.Shape {
    /// Whether a symbol fits in the middle, and a beak at the side.
    fileprivate var hasRoom: Bool { self == .circle || self == .square || self == .roundedSquare }
}

extension LineSymbol {
    /// Returns the stroke of the line, with lengths multiplied by `scale`.
    func strokeStyle(scale: Double, width: Double? = nil) -> StrokeStyle {
        StrokeStyle(
            width: (width ?? self.width) * scale, cap: cap, join: join, miterLimit: miterLimit,
            dashes: dashes.map { $0 * scale })
    }
}
