import PortolanRaster

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads the path data of SVG (SVG 2, clause 9.3), and lists of numbers in attributes.
struct SVGPathData {
    /// The most segments of a path; the rest is left out.
    private static let segmentLimit = 100_000

    private let bytes: [UInt8]
    private var position = 0

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// Returns the path up to the first error, as the standard asks.
    static func path(_ text: String) -> Path {
        var reader = SVGPathData(text)
        return reader.path()
    }

    /// Returns the numbers of a list up to the first error.
    static func numbers(_ text: String) -> [Double] {
        var reader = SVGPathData(text), numbers: [Double] = []
        while numbers.count < segmentLimit, let number = reader.number() { numbers.append(number) }
        return numbers
    }

    // MARK: - Commands

    private mutating func path() -> Path {
        var path = Path(), current = Point(x: 0, y: 0), start = current
        // The last control point, if the last command was a curve of that kind.
        var cubicControl: Point?, quadControl: Point?
        var command: UInt8 = 0, isOpen = false
        while path.elementCount < Self.segmentLimit {
            skipSeparators()
            guard position < bytes.count else { break }
            if Self.isLetter(bytes[position]) {
                command = bytes[position]
                position += 1
            } else if command == 0 || command | 0x20 == UInt8(ascii: "z") {
                break
            }
            let isRelative = command & 0x20 != 0, kind = command | 0x20
            guard isOpen || kind == UInt8(ascii: "m") || kind == UInt8(ascii: "z") else { break }
            func point(_ x: Double, _ y: Double) -> Point {
                isRelative ? Point(x: current.x + x, y: current.y + y) : Point(x: x, y: y)
            }
            var newCubic: Point?, newQuad: Point?
            switch kind {
            case UInt8(ascii: "m"):
                guard let to = numbers(2) else { return path }
                current = point(to[0], to[1])
                start = current
                path.move(to: current)
                isOpen = true
                // Further coordinates are lines.
                command = isRelative ? UInt8(ascii: "l") : UInt8(ascii: "L")
            case UInt8(ascii: "z"):
                if isOpen { path.close() }
                current = start
            case UInt8(ascii: "l"):
                guard let to = numbers(2) else { return path }
                current = point(to[0], to[1])
                path.line(to: current)
            case UInt8(ascii: "h"):
                guard let to = numbers(1) else { return path }
                current.x = isRelative ? current.x + to[0] : to[0]
                path.line(to: current)
            case UInt8(ascii: "v"):
                guard let to = numbers(1) else { return path }
                current.y = isRelative ? current.y + to[0] : to[0]
                path.line(to: current)
            case UInt8(ascii: "c"):
                guard let to = numbers(6) else { return path }
                let second = point(to[2], to[3]), end = point(to[4], to[5])
                path.cubic(control1: point(to[0], to[1]), control2: second, to: end)
                (newCubic, current) = (second, end)
            case UInt8(ascii: "s"):
                guard let to = numbers(4) else { return path }
                let second = point(to[0], to[1]), end = point(to[2], to[3])
                path.cubic(control1: Self.mirrored(cubicControl, at: current), control2: second, to: end)
                (newCubic, current) = (second, end)
            case UInt8(ascii: "q"):
                guard let to = numbers(4) else { return path }
                let control = point(to[0], to[1]), end = point(to[2], to[3])
                path.quad(control: control, to: end)
                (newQuad, current) = (control, end)
            case UInt8(ascii: "t"):
                guard let to = numbers(2) else { return path }
                let control = Self.mirrored(quadControl, at: current), end = point(to[0], to[1])
                path.quad(control: control, to: end)
                (newQuad, current) = (control, end)
            case UInt8(ascii: "a"):
                guard let arc = arc() else { return path }
                let end = point(arc.x, arc.y)
                Self.append(arc, from: current, to: end, path: &path)
                current = end
            default: return path
            }
            (cubicControl, quadControl) = (newCubic, newQuad)
        }
        return path
    }

    private static func mirrored(_ control: Point?, at point: Point) -> Point {
        control.map { Point(x: 2 * point.x - $0.x, y: 2 * point.y - $0.y) } ?? point
    }

    // MARK: - Arcs

    private struct Arc {
        let radiusX: Double, radiusY: Double, degrees: Double
        let isLarge: Bool, isClockwise: Bool
        let x: Double, y: Double
    }

    private mutating func arc() -> Arc? {
        guard let radii = numbers(3), let isLarge = flag(), let isClockwise = flag(), let end = numbers(2) else {
            return nil
        }
        return Arc(
            radiusX: abs(radii[0]), radiusY: abs(radii[1]), degrees: radii[2], isLarge: isLarge,
            isClockwise: isClockwise, x: end[0], y: end[1])
    }

    /// Appends an arc as cubic curves of at most a quarter (SVG 2, annex B.2.4).
    private static func append(_ arc: Arc, from start: Point, to end: Point, path: inout Path) {
        guard start != end else { return }
        guard arc.radiusX > 0, arc.radiusY > 0 else { return path.line(to: end) }
        let angle = arc.degrees * .pi / 180, cosine = cos(angle), sine = sin(angle)
        let dx = (start.x - end.x) / 2, dy = (start.y - end.y) / 2
        let x = cosine * dx + sine * dy, y = cosine * dy - sine * dx
        var (rx, ry) = (arc.radiusX, arc.radiusY)
        let excess = x * x / (rx * rx) + y * y / (ry * ry)
        if excess > 1 {
            rx *= excess.squareRoot()
            ry *= excess.squareRoot()
        }
        let below = rx * rx * y * y + ry * ry * x * x
        var factor = (max(rx * rx * ry * ry - below, 0) / below).squareRoot()
        if arc.isLarge == arc.isClockwise { factor = -factor }
        let centerX = factor * rx * y / ry, centerY = -factor * ry * x / rx
        let middle = Point(
            x: cosine * centerX - sine * centerY + (start.x + end.x) / 2,
            y: sine * centerX + cosine * centerY + (start.y + end.y) / 2)
        let first = atan2((y - centerY) / ry, (x - centerX) / rx)
        var sweep = atan2((-y - centerY) / ry, (-x - centerX) / rx) - first
        if arc.isClockwise, sweep < 0 { sweep += 2 * .pi }
        if !arc.isClockwise, sweep > 0 { sweep -= 2 * .pi }
        guard sweep.isFinite, middle.x.isFinite, middle.y.isFinite else { return path.line(to: end) }
        let count = max(Int((abs(sweep) / (.pi / 2)).rounded(.up)), 1), step = sweep / Double(count)
        let arm = 4.0 / 3 * tan(step / 4)
        func place(_ u: Double, _ v: Double) -> Point {
            Point(
                x: middle.x + cosine * rx * u - sine * ry * v, y: middle.y + sine * rx * u + cosine * ry * v)
        }
        for piece in 0..<count {
            let a = first + Double(piece) * step, b = a + step
            path.cubic(
                control1: place(cos(a) - arm * sin(a), sin(a) + arm * cos(a)),
                control2: place(cos(b) + arm * sin(b), sin(b) - arm * cos(b)),
                to: piece == count - 1 ? end : place(cos(b), sin(b)))
        }
    }

    // MARK: - Tokens

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private mutating func skipSeparators() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0C, 0x0D, UInt8(ascii: ",")].contains(bytes[position]) {
            position += 1
        }
    }

    private mutating func numbers(_ count: Int) -> [Double]? {
        var numbers: [Double] = []
        for _ in 0..<count {
            guard let number = number() else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    /// Reads 0 or 1, which needs no separator after it.
    private mutating func flag() -> Bool? {
        skipSeparators()
        guard position < bytes.count, bytes[position] == 0x30 || bytes[position] == 0x31 else { return nil }
        defer { position += 1 }
        return bytes[position] == 0x31
    }

    private mutating func number() -> Double? {
        skipSeparators()
        let start = position
        _ = take("+-")
        var count = digits()
        if take(".") { count += digits() }
        guard count > 0 else {
            position = start
            return nil
        }
        let mantissa = position
        // An 'e' without digits belongs to a unit.
        if take("eE") {
            _ = take("+-")
            if digits() == 0 { position = mantissa }
        }
        guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }

    /// Skips digits and returns their number.
    private mutating func digits() -> Int {
        let begin = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
        return position - begin
    }

    /// Skips one of some characters, if it is next.
    private mutating func take(_ characters: String) -> Bool {
        guard position < bytes.count, characters.utf8.contains(bytes[position]) else { return false }
        position += 1
        return true
    }
}
