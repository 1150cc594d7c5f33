import PortolanRaster

/// Numbers of documents, rounded to a fixed number of decimals, so that the same calls give the same bytes on every
/// machine.
enum DecimalText {
    /// The limit in units of the last decimal, which is far outside any picture.
    private static let farthest = 0x1p52

    /// Returns a number in units of the last decimal.
    static func units(_ value: Double, decimals: Int) -> Int {
        var power = 1.0
        for _ in 0..<decimals { power *= 10 }
        return value.isNaN ? 0 : Int(min(max(value * power, -farthest), farthest).rounded())
    }

    /// Returns a coordinate in units of the last decimal, clamped to the range that drawing libraries support.
    static func coordinate(_ coordinate: Double, decimals: Int) -> Int {
        units(min(max(coordinate, -8e6), 8e6), decimals: decimals)
    }
}

extension [UInt8] {
    /// Appends a whole number of units of the last decimal in its shortest form.
    mutating func append(_ units: Int, decimals: Int) {
        if units < 0 { append(0x2D) }
        var rest = units.magnitude, decimals = decimals
        while decimals > 0, rest % 10 == 0 {
            rest /= 10
            decimals -= 1
        }
        let start = count
        var written = 0
        repeat {
            if written == decimals, written > 0 {
                append(0x2E)
                // A zero before the decimal point is redundant.
                if rest == 0 { break }
            }
            append(0x30 + UInt8(rest % 10))
            rest /= 10
            written += 1
        } while rest > 0 || written <= decimals && decimals > 0
        self[start...].reverse()
    }
}

extension Path.Element {
    var isMove: Bool { if case .move = self { true } else { false } }

    var isFinite: Bool {
        func isFinite(_ point: Point) -> Bool { point.x.isFinite && point.y.isFinite }
        return switch self {
        case .move(let point), .line(let point): isFinite(point)
        case .quad(let control, let end): isFinite(control) && isFinite(end)
        case .cubic(let first, let second, let end): isFinite(first) && isFinite(second) && isFinite(end)
        case .close: true
        }
    }
}
