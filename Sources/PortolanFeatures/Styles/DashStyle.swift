/// How a line is broken, before its width is known.
public enum DashStyle: Hashable, Sendable {
    /// Not broken.
    case solid
    /// Dots as long as one pixel, four widths apart.
    case dot
    /// Dashes of four widths, four widths apart.
    case dash
    /// A dash and a dot by turns.
    case dashDot
    /// Dashes of eight widths.
    case longDash
    /// A long dash and a dot by turns.
    case longDashDot
    /// Pixels drawn and left out by turns.
    case pixels([Double])

    /// Reads a value of `strokeDashstyle`: a name, or pixels separated by spaces or commas; `nil` when it is neither.
    public init?(_ text: String) {
        switch text.lowercased() {
        case "solid", "": self = .solid
        case "dot": self = .dot
        case "dash": self = .dash
        case "dashdot": self = .dashDot
        case "longdash": self = .longDash
        case "longdashdot": self = .longDashDot
        default:
            var pixels: [Double] = []
            for part in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
                guard let length = Double(part) else { return nil }
                pixels.append(length)
            }
            self.init(pixels: pixels)
        }
    }

    /// Makes a dash style from pixels, or `nil` when one is negative or not finite, or their sum is not above zero.
    public init?(pixels: [Double]) {
        guard pixels.count <= 64, pixels.allSatisfy({ $0 >= 0 && $0 <= 1e6 }), pixels.reduce(0, +) > 0 else {
            return nil
        }
        self = .pixels(pixels)
    }

    /// Pixels drawn and left out by turns on a line of a width; empty for a solid line.
    public func dashes(width: Double) -> [Double] {
        switch self {
        case .solid: []
        case .dot: [1, 4 * width]
        case .dash: [4 * width, 4 * width]
        case .dashDot: [4 * width, 4 * width, 1, 4 * width]
        case .longDash: [8 * width, 4 * width]
        case .longDashDot: [8 * width, 4 * width, 1, 4 * width]
        case .pixels(let pixels): pixels
        }
    }
}
