import PortolanRaster

/// The appearance of an SVG element: the properties that icons use, inherited from its parents.
struct SVGLook {
    /// What fills or strokes a shape.
    enum Paint {
        case none
        case color(MapColor)
        /// The value of `color`.
        case current
    }

    var color = MapColor.black
    var fill = Paint.color(.black), stroke = Paint.none
    var fillOpacity = 1.0, strokeOpacity = 1.0
    var fillRule = Path.FillRule.nonZero
    var strokeStyle = StrokeStyle(width: 1)
    var isVisible = true
    // These are not inherited.
    var opacity = 1.0
    var isDisplayed = true

    /// The look that the children of an element inherit.
    var inherited: SVGLook {
        var look = self
        (look.opacity, look.isDisplayed) = (1, true)
        return look
    }

    /// Applies a property.
    ///
    /// - Returns: the value if it has no effect here, such as a gradient.
    mutating func apply(_ name: String, _ text: String) -> String? {
        let value = Self.trimmed(text)
        if value == "inherit" { return nil }
        func opacity() -> Double? {
            let number = SVGPathData.numbers(value).first.map { value.hasSuffix("%") ? $0 / 100 : $0 }
            return number.map { min(max($0, 0), 1) }
        }
        switch name {
        case "fill": return Self.apply(value, to: &fill)
        case "stroke": return Self.apply(value, to: &stroke)
        case "color": color = MapColor(css: value) ?? color
        case "fill-opacity": fillOpacity = opacity() ?? fillOpacity
        case "stroke-opacity": strokeOpacity = opacity() ?? strokeOpacity
        case "opacity": self.opacity = opacity() ?? self.opacity
        case "fill-rule": fillRule = value == "evenodd" ? .evenOdd : .nonZero
        case "stroke-width": strokeStyle.width = max(SVGLength.pixels(value) ?? strokeStyle.width, 0)
        case "stroke-linecap": strokeStyle.cap = value == "round" ? .round : value == "square" ? .square : .butt
        case "stroke-linejoin": strokeStyle.join = value == "round" ? .round : value == "bevel" ? .bevel : .miter
        case "stroke-miterlimit": strokeStyle.miterLimit = max(SVGPathData.numbers(value).first ?? 4, 1)
        case "stroke-dasharray": strokeStyle.dashes = value == "none" ? [] : SVGPathData.numbers(value)
        case "stroke-dashoffset": strokeStyle.dashPhase = SVGLength.pixels(value) ?? 0
        case "display": isDisplayed = value != "none"
        case "visibility": isVisible = value == "visible"
        case "clip-path", "mask", "filter", "marker-start", "marker-mid", "marker-end":
            return value == "none" ? nil : value
        default: break
        }
        return nil
    }

    private static func apply(_ value: String, to paint: inout Paint) -> String? {
        if value == "none" || value == "transparent" {
            paint = .none
        } else if value.lowercased() == "currentcolor" {
            paint = .current
        } else if value.hasPrefix("url(") {
            // A colour after the reference is its fallback.
            let rest = value.drop { $0 != ")" }.dropFirst()
            var fallback = Paint.none
            if !rest.allSatisfy(\.isWhitespace) { _ = apply(trimmed(String(rest)), to: &fallback) }
            paint = fallback
            return value
        } else if let color = MapColor(css: value) {
            paint = .color(color)
        } else {
            return value
        }
        return nil
    }

    static func trimmed(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Returns the colour of a paint with an opacity, or `nil` if nothing is painted.
    private func color(of paint: Paint, _ opacity: Double) -> MapColor? {
        switch paint {
        case .none: nil
        case .color(let color): color.withOpacity(opacity)
        case .current: color.withOpacity(opacity)
        }
    }

    /// The colour that fills shapes, or `nil`.
    var fillColor: MapColor? { color(of: fill, fillOpacity) }
    /// The colour of strokes, or `nil`.
    var strokeColor: MapColor? { strokeStyle.width > 0 ? color(of: stroke, strokeOpacity) : nil }
}

/// Lengths in attributes of SVG, in pixels.
enum SVGLength {
    private static let units: [(suffix: String, pixels: Double)] = [
        ("px", 1), ("pt", 4.0 / 3), ("pc", 16), ("mm", 96 / 25.4), ("cm", 96 / 2.54), ("in", 96), ("em", 16),
        ("rem", 16),
    ]

    /// Returns a length, or `nil` for a percentage or an invalid one.
    static func pixels(_ text: String) -> Double? {
        let value = SVGLook.trimmed(text).lowercased()
        guard let number = SVGPathData.numbers(value).first, !value.hasSuffix("%") else { return nil }
        return number * (units.last { value.hasSuffix($0.suffix) }?.pixels ?? 1)
    }
}
