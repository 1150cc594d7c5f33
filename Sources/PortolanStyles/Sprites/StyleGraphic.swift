import PortolanFeatures
import PortolanGeo
package import PortolanRaster

/// A picture of a style that is not in a sprite: a drawn mark, or a picture with its own address.
package struct StyleGraphic: Hashable, Sendable {
    /// The content.
    package enum Content: Hashable, Sendable {
        /// A mark.
        case mark(GraphicMark)
        /// A picture at an address, as written in the style.
        case picture(address: String)
    }

    /// The free space around a picture, in style pixels.
    struct Margin: Hashable, Sendable {
        let top: Double
        let right: Double
        let bottom: Double
        let left: Double

        /// Creates a margin from one to four lengths, as in CSS; `nil` for an empty list.
        init?(_ sides: [Double]) {
            guard let first = sides.first else { return nil }
            top = first
            right = sides.count > 1 ? sides[1] : first
            bottom = sides.count > 2 ? sides[2] : first
            left = sides.count > 3 ? sides[3] : right
        }
    }

    /// The name by which layers draw it.
    package private(set) var name: String
    package let content: Content
    /// The drawn height in style pixels, or `nil` for the height of the picture.
    package let height: Double?
    /// The free space at its right.
    package let gap: Double
    /// The rotation about its middle, in degrees clockwise.
    let turn: Double
    /// The free space around it, or `nil`.
    private var margin: Margin?
    /// The number of vertical repetitions.
    private var count = 1

    /// Returns the picture with a margin.
    func surrounded(by margin: Margin?) -> StyleGraphic {
        guard let margin else { return self }
        var graphic = self
        graphic.margin = margin
        graphic.name += " within \(margin.top) \(margin.right) \(margin.bottom) \(margin.left)"
        return graphic
    }

    /// Returns the picture with vertical repetitions.
    func stacked(_ count: Int) -> StyleGraphic {
        var graphic = self
        graphic.count = max(count, 1)
        graphic.name += " \(count) times"
        return graphic
    }

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

    /// Returns the sprite of a mark for a pixel ratio, or `nil` for other content.
    package func sprite(pixelRatio: Double) -> Sprite? {
        guard case .mark(let mark) = content, let height else { return nil }
        let side = Int((height * pixelRatio).rounded()), free = Int((gap * pixelRatio).rounded())
        guard side > 0, let size = ImageSize(width: side + free, height: side) else { return nil }
        let ratio = Double(side) / height, image = mark.drawn(side: side, scale: ratio, in: size)
        return arranged(image, ratio: ratio).map { Sprite(name, image: $0, pixelRatio: ratio) }
    }

    /// The picture with its margin and repetitions, or `nil` if that is too large.
    private func arranged(_ image: PixelBuffer, ratio: Double) -> PixelBuffer? {
        guard margin != nil || count > 1 else { return image }
        func pixels(_ length: Double?) -> Int { Int(((length ?? 0) * ratio).rounded()) }
        let top = pixels(margin?.top), left = pixels(margin?.left)
        let width = left + image.width + pixels(margin?.right), height = top + image.height + pixels(margin?.bottom)
        guard width * height * count <= 1 << 22, let size = ImageSize(width: width, height: height * count) else {
            return nil
        }
        var canvas = Canvas(size: size)
        for number in 0..<count { canvas.copy(image, atX: left, y: number * height + top) }
        return canvas.buffer
    }

    /// Whether its sprite has different pixels than the picture.
    package var makesPicture: Bool {
        gap > 0 || turn.remainder(dividingBy: 360) != 0 || margin != nil || count > 1
    }

    /// Returns the sprite of a received picture.
    package func sprite(image: PixelBuffer) -> Sprite? {
        let ratio = height.map { Double(image.height) / $0 } ?? 1
        guard ratio > 0, ratio.isFinite, let turned = turned(image), let image = arranged(turned, ratio: ratio) else {
            return nil
        }
        let free = Int(min((gap * ratio).rounded(), 4_096))
        guard free > 0 else { return Sprite(name, image: image, pixelRatio: ratio) }
        guard let size = ImageSize(width: image.width + free, height: image.height) else { return nil }
        var canvas = Canvas(size: size)
        canvas.copy(image, atX: 0, y: 0)
        return Sprite(name, image: canvas.buffer, pixelRatio: ratio)
    }

    /// The rotated picture in its bounding box.
    private func turned(_ image: PixelBuffer) -> PixelBuffer? {
        guard turn.remainder(dividingBy: 360) != 0 else { return image }
        let width = Double(image.width), height = Double(image.height)
        let (cosine, sine) = Bearing.axes(degrees: turn)
        let rotation = AffineTransform.translation(x: -width / 2, y: -height / 2)
            .then(AffineTransform(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0))
        let corners = Path.rectangle(x: 0, y: 0, width: width, height: height).transformed(by: rotation)
        // Rounded down slightly, so that a quarter turn does not enlarge the picture.
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
            x: 0, y: 0, size: image.size, pixelRatio: pixelRatio, isDistanceField: false)
        self.init(id: Self.defaultID, index: SpriteIndex(entries: [name: entry]), image: image)
    }
}

/// A mark of a Styled Layer Descriptor that fills areas or follows lines.
package struct GraphicMark: Hashable, Sendable {
    /// The shapes: those of the standard, and the hatches of servers.
    enum Shape: String, CaseIterable {
        case square, circle, triangle, star, cross, x
        // Shapes of QGIS.
        case diamond, pentagon, hexagon, octagon, arrow, rectangle
        case equilateralTriangle = "equilateral_triangle"
        case arrowhead = "filled_arrowhead"
        case openArrowhead = "arrowhead"
        case semicircle = "semi_circle"
        case openArrow = "shape://oarrow"
        case closedArrow = "shape://carrow"
        case verticalLine = "shape://vertline"
        case horizontalLine = "shape://horline"
        case slash = "shape://slash"
        case backslash = "shape://backslash"
        case dot = "shape://dot"
        case plus = "shape://plus"
        case times = "shape://times"

        /// Finds a shape by name.
        ///
        /// QGIS writes GeoServer's names without `shape://`.
        init?(named name: String) {
            guard let shape = Self(rawValue: name) ?? Self(rawValue: "shape://" + (name == "line" ? "vertline" : name))
            else { return nil }
            self = shape
        }

        /// Whether it consists of strokes only.
        fileprivate var isOpen: Bool {
            switch self {
            case .verticalLine, .horizontalLine, .slash, .backslash, .plus, .times, .openArrow, .openArrowhead: true
            default: false
            }
        }
    }

    let shape: Shape
    let fill: MapColor?
    let stroke: MapColor?
    let strokeWidth: Double
    /// In degrees clockwise.
    let rotation: Double

    fileprivate var name: String {
        func text(_ color: MapColor?) -> String {
            color.map { "rgba(\($0.red),\($0.green),\($0.blue),\($0.alpha))" } ?? "none"
        }
        return "\(shape.rawValue) \(text(fill)) \(text(stroke)) \(strokeWidth) \(rotation)"
    }

    /// Draws it into a square at the left of a picture.
    ///
    /// Hatches continue between adjacent pictures.
    fileprivate func drawn(side: Int, scale: Double, in size: ImageSize) -> PixelBuffer {
        var canvas = Canvas(size: size)
        let side = Double(side), width = strokeWidth * scale
        let middle = Point(x: side / 2, y: side / 2)
        // Half of the border is outside the shape, and needs space.
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
        /// Returns a regular polygon with a corner at the top.
        func regular(_ count: Int, turn: Double = 0) -> Path {
            closed(
                (0..<count).map { number in
                    let angle = Double(number) * 2 * Double.pi / Double(count) + turn
                    return (Libm.sine(angle), -Libm.cosine(angle))
                })
        }
        // The corners of a picture show the stroke ends of its neighbours.
        let rising: [(Double, Double, Double, Double)] = [(-1, 1, 1, -1), (-2, 0, 0, -2), (0, 2, 2, 0)]
        let falling = rising.map { (-$0.0, $0.1, -$0.2, $0.3) }
        let arm = 0.3
        switch shape {
        case .circle: return .circle(center: middle, radius: radius)
        case .dot: return .circle(center: middle, radius: radius / 2)
        case .square: return closed([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        case .triangle: return closed([(0, -1), (1, 1), (-1, 1)])
        case .diamond: return closed([(0, -1), (1, 0), (0, 1), (-1, 0)])
        case .rectangle: return closed([(-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5)])
        case .equilateralTriangle: return regular(3)
        case .pentagon: return regular(5)
        case .hexagon: return regular(6)
        case .octagon: return regular(8, turn: Double.pi / 8)
        case .arrow:
            return closed([(0, -1), (0.5, -0.5), (0.25, -0.5), (0.25, 1), (-0.25, 1), (-0.25, -0.5), (-0.5, -0.5)])
        case .arrowhead: return closed([(0, 0), (-1, -1), (-1, 1)])
        case .semicircle:
            return closed(
                (0...16).map { number in
                    let angle = Double(number) * Double.pi / 16
                    return (-Libm.cosine(angle), -Libm.sine(angle))
                })
        case .openArrow: return line([(-1, -0.5, 0, 0), (0, 0, -1, 0.5)])
        case .openArrowhead: return line([(-1, -1, 0, 0), (0, 0, -1, 1)])
        case .closedArrow: return closed([(-1, -0.5), (0, 0), (-1, 0.5)])
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
