import PortolanRaster

/// A growing SVG document: numbers, path data, escaped text and base64.
///
/// Numbers are rounded to a fixed number of decimals and written in their shortest form, so that the same calls give
/// the same bytes on every machine.
struct SVGWriter {
    private(set) var bytes: [UInt8] = []

    /// The number of decimals of coordinates: a hundredth of a pixel is invisible.
    private static let decimals = 2

    /// Adds text without escaping.
    mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Removes everything after the first `count` bytes.
    mutating func cut(to count: Int) { bytes.removeLast(bytes.count - count) }

    /// Adds text with XML special characters escaped, and invalid characters omitted.
    mutating func add(escaping text: String) {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x26: add("&amp;")
            case 0x3C: add("&lt;")
            case 0x3E: add("&gt;")
            case 0x22: add("&quot;")
            case 0x09, 0x0A, 0x0D: bytes.append(0x20)
            case 0..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF: break
            case ..<0x7F: bytes.append(UInt8(scalar.value))
            default: add(String(scalar))
            }
        }
    }

    /// Adds a number with at most `decimals` digits after the point.
    mutating func add(_ value: Double, decimals: Int = Self.decimals) {
        bytes.append(DecimalText.units(value, decimals: decimals), decimals: decimals)
    }

    /// Adds numbers separated by spaces.
    mutating func add(_ values: [Double], decimals: Int) {
        for (number, value) in values.enumerated() {
            if number > 0 { bytes.append(0x20) }
            add(value, decimals: decimals)
        }
    }

    /// A coordinate in units of the last decimal, clamped to the range that drawing libraries support.
    private static func units(_ coordinate: Double) -> Int {
        DecimalText.coordinate(coordinate, decimals: decimals)
    }

    /// Adds path data: the beginning of each subpath in absolute coordinates, the rest relative to the current point.
    ///
    /// - Returns: whether any data was added. Subpaths with a coordinate that is not finite are omitted.
    @discardableResult
    mutating func add(_ path: Path) -> Bool {
        let elements = path.elements, start = bytes.count
        var pen = Pen()
        var index = elements.startIndex
        while index < elements.endIndex {
            var end = index, isFinite = true
            repeat {
                isFinite = isFinite && elements[end].isFinite
                end += 1
            } while end < elements.endIndex && !elements[end].isMove
            if isFinite { for element in elements[index..<end] { add(element, &pen) } }
            index = end
        }
        return bytes.count > start
    }

    /// The end of the last path command, in units of the last decimal.
    private struct Pen {
        var x = 0
        var y = 0
        var startX = 0
        var startY = 0
        var command: UInt8 = 0
    }

    private mutating func add(_ element: Path.Element, _ pen: inout Pen) {
        switch element {
        case .move(let point):
            (pen.x, pen.y, pen.command) = (0, 0, 0)
            add("M", [point], &pen)
            (pen.startX, pen.startY) = (pen.x, pen.y)
        case .line(let point):
            let x = Self.units(point.x), y = Self.units(point.y)
            if y == pen.y, x != pen.x {
                add("h", x - pen.x, &pen)
                pen.x = x
            } else if x == pen.x, y != pen.y {
                add("v", y - pen.y, &pen)
                pen.y = y
            } else {
                add("l", [point], &pen)
            }
        case .quad(let control, let end): add("q", [control, end], &pen)
        case .cubic(let first, let second, let end): add("c", [first, second, end], &pen)
        case .close:
            bytes.append(0x7A)
            (pen.x, pen.y, pen.command) = (pen.startX, pen.startY, 0x7A)
        }
    }

    /// Adds a command with its points; the last one becomes the current point.
    private mutating func add(_ command: Unicode.Scalar, _ points: [Point], _ pen: inout Pen) {
        let (x, y) = (pen.x, pen.y)
        for point in points {
            let nextX = Self.units(point.x), nextY = Self.units(point.y)
            add(command, nextX - x, &pen)
            if nextY >= y { bytes.append(0x20) }
            bytes.append(nextY - y, decimals: Self.decimals)
            (pen.x, pen.y) = (nextX, nextY)
        }
    }

    /// Adds a number of a command, preceded by the command letter if it differs from the previous one.
    private mutating func add(_ command: Unicode.Scalar, _ units: Int, _ pen: inout Pen) {
        let letter = UInt8(ascii: command)
        if pen.command != letter {
            bytes.append(letter)
            pen.command = letter
        } else if units >= 0 {
            bytes.append(0x20)
        }
        bytes.append(units, decimals: Self.decimals)
    }

    /// Adds bytes as base64 (RFC 4648, clause 4).
    mutating func add(base64 data: [UInt8]) {
        bytes.reserveCapacity(bytes.count + (data.count + 2) / 3 * 4)
        for start in stride(from: 0, to: data.count, by: 3) {
            let count = min(3, data.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(data[start + offset]) : 0) }
            for digit in 0..<4 {
                bytes.append(digit <= count ? Self.digits[Int(group >> (18 - 6 * UInt32(digit)) & 63)] : 0x3D)
            }
        }
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
