/// A colour in sRGB with straight (not premultiplied) 8-bit channels.
public struct MapColor: Hashable, Sendable {
    /// Red, 0 to 255.
    public var red: UInt8
    /// Green, 0 to 255.
    public var green: UInt8
    /// Blue, 0 to 255.
    public var blue: UInt8
    /// Opacity, 0 (clear) to 255 (opaque).
    public var alpha: UInt8

    /// Creates a colour from straight channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Opaque black.
    public static let black = MapColor(red: 0, green: 0, blue: 0)
    /// Opaque white.
    public static let white = MapColor(red: 255, green: 255, blue: 255)
    /// Fully transparent.
    public static let clear = MapColor(red: 0, green: 0, blue: 0, alpha: 0)

    /// Returns the colour with its opacity multiplied by `opacity`, which is clamped to 0 through 1.
    public func withOpacity(_ opacity: Double) -> MapColor {
        let factor = opacity >= 0 ? min(opacity, 1) : 0
        var copy = self
        copy.alpha = UInt8((Double(alpha) * factor + 0.5).rounded(.down))
        return copy
    }

    /// The colour without its opacity as `#rrggbb`.
    package var hexText: String {
        "#" + [red, green, blue].map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
    }

    /// The colour in CSS syntax: `#rrggbb`, or `#rrggbbaa` if it is not opaque.
    package var cssText: String {
        alpha == 255 ? hexText : hexText + String(0x100 + Int(alpha), radix: 16).dropFirst()
    }

    /// Whether the colour is too light for white text.
    package var isLight: Bool { 299 * Int(red) + 587 * Int(green) + 114 * Int(blue) > 180_000 }
}

extension MapColor {
    /// Parses a colour in the syntax of CSS Color 4, or returns `nil` for invalid text.
    ///
    /// It accepts in any case: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()` and `rgba()` with commas or with spaces
    /// and an optional slash, numbers or percentages, the named colours and `transparent`. Channels out of range are
    /// clamped.
    public init?(css: String) {
        let text = css.lowercased().trimmingSpaces
        if text.first == "#" {
            self.init(hexadecimal: text.dropFirst())
        } else if text.hasSuffix(")"), let open = text.firstIndex(of: "("), ["rgb", "rgba"].contains(text[..<open]) {
            self.init(arguments: text[text.index(after: open)...].dropLast())
        } else if text == "transparent" {
            self = .clear
        } else if let value = Self.named[String(text)] {
            self.init(
                red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
                blue: UInt8(truncatingIfNeeded: value))
        } else {
            return nil
        }
    }

    private init?(hexadecimal digits: Substring) {
        let values = digits.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        guard values.count == digits.utf8.count else { return nil }
        switch values.count {
        case 3, 4:
            self.init(
                red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17,
                alpha: values.count == 4 ? values[3] * 17 : 255)
        case 6, 8:
            self.init(
                red: values[0] * 16 + values[1], green: values[2] * 16 + values[3], blue: values[4] * 16 + values[5],
                alpha: values.count == 8 ? values[6] * 16 + values[7] : 255)
        default: return nil
        }
    }

    private init?(arguments: Substring) {
        var parts: [Substring]
        if arguments.contains(",") {
            parts = arguments.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmingSpaces)
        } else {
            let halves = arguments.split(separator: "/", omittingEmptySubsequences: false)
            parts = halves[0].split(whereSeparator: \.isWhitespace)
            guard parts.count == 3, halves.count <= 2 else { return nil }
            if halves.count == 2 { parts.append(halves[1].trimmingSpaces) }
        }
        guard parts.count == 3 || parts.count == 4,
            let red = Self.channel(parts[0], of: 255), let green = Self.channel(parts[1], of: 255),
            let blue = Self.channel(parts[2], of: 255),
            let alpha = parts.count == 4 ? Self.channel(parts[3], of: 1) : 255
        else { return nil }
        self.init(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Parses a number from 0 to `full`, or a percentage, as a byte.
    private static func channel(_ text: Substring, of full: Double) -> UInt8? {
        let isPercentage = text.last == "%"
        let digits = isPercentage ? text.dropLast() : text
        // `Double` also parses infinities and hexadecimal numbers.
        guard digits.utf8.allSatisfy({ "0123456789+-.e".utf8.contains($0) }), let number = Double(digits),
            number.isFinite
        else { return nil }
        return UInt8(min(max(number / (isPercentage ? 100 : full), 0), 1) * 255 + 0.5)
    }
}

extension StringProtocol {
    /// The text without leading and trailing white space.
    fileprivate var trimmingSpaces: SubSequence {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return self[startIndex..<startIndex] }
        return self[first...last]
    }
}
