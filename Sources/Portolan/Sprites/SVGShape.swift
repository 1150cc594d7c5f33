import PortolanRaster

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The basic shapes of SVG (SVG 2, clause 10).
enum SVGShape {
    /// Returns the outline of a shape, or `nil` if the element is none.
    static func path(_ name: String, _ attributes: [String: String]) -> Path? {
        func length(_ key: String) -> Double { attributes[key].flatMap(SVGLength.pixels) ?? 0 }
        func optional(_ key: String) -> Double? { attributes[key].flatMap(SVGLength.pixels) }
        func points(closed: Bool) -> Path {
            let numbers = SVGPathData.numbers(attributes["points"] ?? "")
            let points = stride(from: 0, to: numbers.count - 1, by: 2).map {
                Point(x: numbers[$0], y: numbers[$0 + 1])
            }
            return points.count > 1 ? .polyline(points, closed: closed) : Path()
        }
        switch name {
        case "path": return SVGPathData.path(attributes["d"] ?? "")
        case "rect":
            let width = length("width"), height = length("height")
            guard width > 0, height > 0 else { return Path() }
            let rx = min(optional("rx") ?? optional("ry") ?? 0, width / 2)
            let ry = min(optional("ry") ?? optional("rx") ?? 0, height / 2)
            guard rx > 0, ry > 0 else {
                return .rectangle(x: length("x"), y: length("y"), width: width, height: height)
            }
            // Corners of circles, stretched to ellipses.
            let stretch = ry / rx
            return Path.roundedRectangle(x: 0, y: 0, width: width, height: height / stretch, radius: rx).transformed(
                by: AffineTransform.scale(x: 1, y: stretch).then(.translation(x: length("x"), y: length("y"))))
        case "circle", "ellipse":
            let rx = optional(name == "circle" ? "r" : "rx") ?? optional("ry") ?? 0
            let ry = optional(name == "circle" ? "r" : "ry") ?? rx
            guard rx > 0, ry > 0 else { return Path() }
            return Path.circle(center: Point(x: 0, y: 0), radius: 1).transformed(
                by: AffineTransform.scale(x: rx, y: ry).then(.translation(x: length("cx"), y: length("cy"))))
        case "line":
            return .polyline([Point(x: length("x1"), y: length("y1")), Point(x: length("x2"), y: length("y2"))])
        case "polyline": return points(closed: false)
        case "polygon": return points(closed: true)
        default: return nil
        }
    }
}

/// The attribute `transform` (CSS Transforms 1, clause 8).
enum SVGTransform {
    /// Reads a list of transforms up to the first error.
    static func read(_ text: String) -> AffineTransform {
        var rest = text[...], transform = AffineTransform.identity
        while let open = rest.firstIndex(of: "("), let close = rest[open...].firstIndex(of: ")") {
            let name = SVGLook.trimmed(String(rest[..<open].filter { $0 != "," }))
            let numbers = SVGPathData.numbers(String(rest[rest.index(after: open)..<close]))
            guard let step = step(name, numbers) else { break }
            // The last one is applied first.
            transform = step.then(transform)
            rest = rest[rest.index(after: close)...]
        }
        return transform
    }

    private static func step(_ name: String, _ numbers: [Double]) -> AffineTransform? {
        switch (name, numbers.count) {
        case ("matrix", 6):
            AffineTransform(
                a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4], ty: numbers[5])
        case ("translate", 1), ("translate", 2):
            .translation(x: numbers[0], y: numbers.count > 1 ? numbers[1] : 0)
        case ("scale", 1), ("scale", 2): .scale(x: numbers[0], y: numbers.last ?? 1)
        case ("rotate", 1): rotation(numbers[0])
        case ("rotate", 3):
            AffineTransform.translation(x: -numbers[1], y: -numbers[2]).then(rotation(numbers[0])).then(
                .translation(x: numbers[1], y: numbers[2]))
        case ("skewX", 1): AffineTransform(a: 1, b: 0, c: tangent(numbers[0]), d: 1, tx: 0, ty: 0)
        case ("skewY", 1): AffineTransform(a: 1, b: tangent(numbers[0]), c: 0, d: 1, tx: 0, ty: 0)
        default: nil
        }
    }

    private static func rotation(_ degrees: Double) -> AffineTransform {
        let angle = degrees * .pi / 180
        return AffineTransform(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), tx: 0, ty: 0)
    }

    private static func tangent(_ degrees: Double) -> Double { tan(degrees * .pi / 180) }
}
