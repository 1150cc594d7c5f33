import PortolanFeatures
import PortolanGeo
package import PortolanRaster

/// A picture of a style that stands in no sprite: a mark that is drawn, or a picture that is to be had by itself.
package struct StyleGraphic: Hashable, Sendable {
    /// What it shows.
    package enum Content: Hashable, Sendable {
        /// A mark.
        case mark(GraphicMark)
        /// A picture at an address, as the style writes it.
        case picture(address: String)
    }

    /// The name by which layers draw it.
    package let name: String
    package let content: Content
    /// How high it is drawn, in pixels of the style, or `nil` for the size that a picture has.
    package let height: Double?
    /// How much is left free at its right.
    package let gap: Double
    /// How far a picture is turned about its middle, in degrees clockwise.
    let turn: Double

    init(_ content: Content, height: Double?, gap: Double = 0, turn: Double = 0) {
        self.turn = turn
        self.content = content
        self.height = height
        self.gap = gap
        let words: String =
            switch content {
            case .mark(let mark): mark.name
            case .picture(let address): address
            }
        let size = height.map { " \($0) high" } ?? "", free = gap > 0 ? ", \(gap) apart" : ""
        name = words + size + free + (turn == 0 ? "" : " turned by \(turn)")
    }

    /// The sprite of a mark as it is drawn for a pixel ratio; `nil` for what is no mark.
    package func sprite(pixelRatio: Double) -> Sprite? {
        guard case .mark(let mark) = content, let height else { return nil }
        let side = Int((height * pixelRatio).rounded()), free = Int((gap * pixelRatio).rounded())
        guard side > 0, let size = ImageSize(width: side + free, height: side) else { return nil }
        return Sprite(
            name, image: mark.drawn(side: side, scale: Double(side) / height, in: size),
            pixelRatio: Double(side) / height)
    }

    /// Whether the sprite of a picture has pixels of its own.
    package var makesPicture: Bool { gap > 0 || turn.remainder(dividingBy: 360) != 0 }

    /// The sprite of a picture that has come.
    package func sprite(image: PixelBuffer) -> Sprite? {
        let ratio = height.map { Double(image.height) / $0 } ?? 1
        guard ratio > 0, ratio.isFinite, let image = turned(image) else { return nil }
        let free = Int(min((gap * ratio).rounded(), 4_096))
        guard free > 0 else { return Sprite(name, image: image, pixelRatio: ratio) }
        guard let size = ImageSize(width: image.width + free, height: image.height) else { return nil }
        var canvas = Canvas(size: size)
        canvas.copy(image, atX: 0, y: 0)
        return Sprite(name, image: canvas.buffer, pixelRatio: ratio)
    }

    /// The picture turned about its middle, in the smallest box around it.
    private func turned(_ image: PixelBuffer) -> PixelBuffer? {
        guard turn.remainder(dividingBy: 360) != 0 else { return image }
        let width = Double(image.width), height = Double(image.height)
        let (cosine, sine) = Bearing.axes(degrees: turn)
        let rotation = AffineTransform.translation(x: -width / 2, y: -height / 2)
            .then(AffineTransform(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0))
        let corners = Path.rectangle(x: 0, y: 0, width: width, height: height).transformed(by: rotation)
        // A hair less, so that a quarter of a turn takes no pixel more.
        guard let box = corners.boundingRectangle,
            let size = ImageSize(
                width: Int((box.width - 1e-6).rounded(.up)), height: Int((box.height - 1e-6).rounded(.up)))
        else { return nil }
        var canvas = Canvas(size: size)
        let middle = AffineTransform.translation(x: Double(size.width) / 2, y: Double(size.height) / 2)
        canvas.draw(PaintImage(image), transform: rotation.then(middle), opacity: 1, edges: .smooth)
        return canvas.buffer
    }
}

extension Sprite {
    fileprivate init(_ name: String, image: PixelBuffer, pixelRatio: Double) {
        let entry = SpriteIndex.Entry(
            x: 0, y: 0, size: image.size, pixelRatio: pixelRatio, isDistanceField: false, hasStretchedParts: false)
        self.init(id: Self.defaultID, index: SpriteIndex(entries: [name: entry]), image: image)
    }
}

/// A mark of a Styled Layer Descriptor, as areas and lines are filled with.
package struct GraphicMark: Hashable, Sendable {
    /// The shapes: those of the standard, and the hatches that servers add to them.
    enum Shape: String, CaseIterable {
        case square, circle, triangle, star, cross, x
        case verticalLine = "shape://vertline"
        case horizontalLine = "shape://horline"
        case slash = "shape://slash"
        case backslash = "shape://backslash"
        case dot = "shape://dot"
        case plus = "shape://plus"
        case times = "shape://times"

        /// The shape of a name: QGIS writes those of GeoServer without `shape://`.
        init?(named name: String) {
            guard let shape = Self(rawValue: name) ?? Self(rawValue: "shape://" + (name == "line" ? "vertline" : name))
            else { return nil }
            self = shape
        }

        /// Whether it is nothing but strokes.
        fileprivate var isOpen: Bool {
            switch self {
            case .verticalLine, .horizontalLine, .slash, .backslash, .plus, .times: true
            default: false
            }
        }
    }

    let shape: Shape
    let fill: Color?
    let stroke: Color?
    let strokeWidth: Double
    /// In degrees clockwise.
    let rotation: Double

    fileprivate var name: String {
        func text(_ color: Color?) -> String {
            color.map { "rgba(\($0.red),\($0.green),\($0.blue),\($0.alpha))" } ?? "none"
        }
        return "\(shape.rawValue) \(text(fill)) \(text(stroke)) \(strokeWidth) \(rotation)"
    }

    /// Draws it into a square at the left of a picture; hatches go on from one picture to the next.
    fileprivate func drawn(side: Int, scale: Double, in size: ImageSize) -> PixelBuffer {
        var canvas = Canvas(size: size)
        let side = Double(side), width = strokeWidth * scale
        let middle = Point(x: side / 2, y: side / 2)
        // A border lies half outside the shape, and must find room.
        let radius = max(side / 2 - (stroke == nil || shape.isOpen ? 0 : width / 2), 0.5)
        let path = outline(middle: middle, radius: radius)
        if let fill, !shape.isOpen { canvas.fill(path, rule: .nonZero, color: fill) }
        if let stroke, width > 0 {
            canvas.stroke(path, style: StrokeStyle(width: width, cap: shape.isOpen ? .square : .butt), color: stroke)
        }
        return canvas.buffer
    }

    private func outline(middle: Point, radius: Double) -> Path {
        let angle = rotation * Double.pi / 180, sine = Libm.sine(angle), cosine = Libm.cosine(angle)
        func place(_ x: Double, _ y: Double) -> Point {
            Point(x: middle.x + (x * cosine - y * sine) * radius, y: middle.y + (x * sine + y * cosine) * radius)
        }
        func line(_ lines: [(Double, Double, Double, Double)]) -> Path {
            var path = Path()
            for line in lines {
                path.move(to: place(line.0, line.1))
                path.line(to: place(line.2, line.3))
            }
            return path
        }
        func closed(_ points: [(Double, Double)]) -> Path {
            .polyline(points.map { place($0.0, $0.1) }, closed: true)
        }
        // The corners of a picture show the ends of its neighbours' strokes.
        let rising: [(Double, Double, Double, Double)] = [(-1, 1, 1, -1), (-2, 0, 0, -2), (0, 2, 2, 0)]
        let falling = rising.map { (-$0.0, $0.1, -$0.2, $0.3) }
        let arm = 0.3
        switch shape {
        case .circle: return .circle(center: middle, radius: radius)
        case .dot: return .circle(center: middle, radius: radius / 2)
        case .square: return closed([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        case .triangle: return closed([(0, -1), (1, 1), (-1, 1)])
        case .star:
            return closed(
                (0..<10).map { number in
                    let angle = Double(number) * Double.pi / 5, length = number % 2 == 0 ? 1 : 0.382
                    return (Libm.sine(angle) * length, -Libm.cosine(angle) * length)
                })
        case .cross, .x:
            let plus: [(Double, Double)] = [
                (-arm, -1), (arm, -1), (arm, -arm), (1, -arm), (1, arm), (arm, arm), (arm, 1), (-arm, 1), (-arm, arm),
                (-1, arm), (-1, -arm), (-arm, -arm),
            ]
            guard shape == .x else { return closed(plus) }
            let half = 0.5.squareRoot()
            return closed(plus.map { (($0.0 - $0.1) * half, ($0.0 + $0.1) * half) })
        case .verticalLine: return line([(0, -1, 0, 1)])
        case .horizontalLine: return line([(-1, 0, 1, 0)])
        case .slash: return line(rising)
        case .backslash: return line(falling)
        case .plus: return line([(0, -1, 0, 1), (-1, 0, 1, 0)])
        case .times: return line(rising + falling)
        }
    }
}
