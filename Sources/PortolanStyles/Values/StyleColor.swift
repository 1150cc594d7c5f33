public import PortolanRaster
import PortolanWeb

/// An sRGB colour with straight, unrounded channels, as used by expressions.
public struct StyleColor: Hashable, Sendable {
    /// Red, 0 to 1.
    public var red: Double
    /// Green, 0 to 1.
    public var green: Double
    /// Blue, 0 to 1.
    public var blue: Double
    /// Opacity, 0 (clear) to 1 (opaque).
    public var alpha: Double

    /// Creates a colour.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Converts a colour with 8 bits per channel.
    public init(_ color: MapColor) {
        self.init(
            red: Double(color.red) / 255, green: Double(color.green) / 255, blue: Double(color.blue) / 255,
            alpha: Double(color.alpha) / 255)
    }

    /// The colour rounded to 8 bits per channel.
    public var color: MapColor {
        func channel(_ value: Double) -> UInt8 { UInt8((min(max(value, 0), 1) * 255).rounded()) }
        return MapColor(red: channel(red), green: channel(green), blue: channel(blue), alpha: channel(alpha))
    }

    /// The colour as `rgba(r,g,b,a)`, with the first three channels as whole numbers up to 255.
    var cssText: String {
        let channels = [red, green, blue].map { NumberText.text(($0 * 255 + 0.5).rounded(.down)) }
        return "rgba(\(channels.joined(separator: ",")),\(NumberText.text(alpha)))"
    }

    /// Creates a colour from red, green and blue from 0 to 255 and an opacity from 0 to 1, or `nil` if one is out of
    /// range.
    init?(red: Double, green: Double, blue: Double, opacity: Double) {
        guard [red, green, blue].allSatisfy({ $0 >= 0 && $0 <= 255 }), opacity >= 0, opacity <= 1 else { return nil }
        self.init(red: red / 255, green: green / 255, blue: blue / 255, alpha: opacity)
    }
}

extension StyleColor {
    /// Reads a CSS colour as the specification allows: named colours, `#` with 3, 4, 6 or 8 digits, and `rgb()`,
    /// `rgba()`, `hsl()`, `hsla()` with commas, or with spaces and an optional slash (CSS Color 4).
    ///
    /// ```swift
    /// let blue = StyleColor(css: "hsl(210, 60%, 40%)")
    /// ```
    public init?(css text: String) {
        guard text.utf8.count <= 256 else { return nil }
        let word = text.lowercased().filter { !$0.isNewline }
        if let call = ColorCall(word) {
            guard let color = call.color else { return nil }
            self = color
        } else if let color = MapColor(css: word) {
            self.init(color)
        } else {
            return nil
        }
    }
}

/// A colour in function notation with three or four arguments.
private struct ColorCall {
    private let name: Substring
    private let arguments: [(value: Double, unit: Substring)]
    private let isOfOneKind: Bool

    /// Parses the notation, or returns `nil` if it is not a function.
    init?(_ text: String) {
        var word = text[...]
        while word.first == " " { word.removeFirst() }
        while word.last == " " { word.removeLast() }
        guard word.last == ")", let open = word.firstIndex(of: "(") else { return nil }
        name = word[..<open]
        var rest = word[word.index(after: open)...].dropLast()
        var arguments: [(Double, Substring)] = []
        var marks = ""
        var isWellFormed = true
        while isWellFormed {
            rest = rest.drop { $0 == " " }
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || "e.+-".contains($0)) }
            var end = digits.endIndex
            // The `e` of an exponent belongs to the number, that of `deg` does not.
            while end > rest.startIndex, Double(rest[..<end]) == nil { end = rest.index(before: end) }
            guard end > rest.startIndex, let value = Double(rest[..<end]), value.isFinite else {
                isWellFormed = false
                break
            }
            rest = rest[end...]
            let unit = rest.prefix { $0 == "%" || $0.isLetter }
            arguments.append((value, unit))
            rest = rest[unit.endIndex...]
            let trimmed = rest.drop { $0 == " " }
            guard let next = trimmed.first else { break }
            if next == "," || next == "/" {
                marks.append(next)
                rest = trimmed.dropFirst()
            } else if rest.first == " " {
                marks.append(" ")
            } else {
                isWellFormed = false
            }
        }
        self.arguments = arguments
        isOfOneKind = isWellFormed && ["  ", "  /", ",,", ",,,"].contains(marks)
    }

    var color: StyleColor? {
        guard isOfOneKind else { return nil }
        var alpha = 1.0
        if arguments.count == 4 {
            guard arguments[3].unit.isEmpty || arguments[3].unit == "%" else { return nil }
            alpha = min(max(arguments[3].unit == "%" ? arguments[3].value / 100 : arguments[3].value, 0), 1)
        }
        let units = arguments.prefix(3).map(\.unit), values = arguments.prefix(3).map(\.value)
        switch name {
        case "rgb", "rgba":
            guard units.allSatisfy({ $0 == "%" }) || units.allSatisfy(\.isEmpty) else { return nil }
            let channels = values.map { min(max($0 / (units[0].isEmpty ? 255 : 100), 0), 1) }
            return StyleColor(red: channels[0], green: channels[1], blue: channels[2], alpha: alpha)
        case "hsl", "hsla":
            guard units[0].isEmpty || units[0] == "deg", units[1] == "%", units[2] == "%" else { return nil }
            return .hsl(
                hue: values[0], saturation: min(max(values[1], 0), 100) / 100,
                lightness: min(max(values[2], 0), 100) / 100, alpha: alpha)
        default: return nil
        }
    }
}
