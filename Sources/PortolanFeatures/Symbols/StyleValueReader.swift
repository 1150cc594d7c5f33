internal import PortolanRaster
import PortolanWeb

/// Reads the values of style keys in an object, with a warning for each invalid one.
///
/// Numbers may be written as texts (with or without `px`), and flags as texts, as in old files.
struct StyleValueReader {
    let values: Properties
    /// The name of the feature in warnings.
    let feature: String?
    /// The text before a key in warnings, such as `style.default.`.
    let keyPrefix: String
    var warnings: [MapWarning] = []

    init(_ values: Properties, feature: String?, keyPrefix: String = "") {
        self.values = values
        self.feature = feature
        self.keyPrefix = keyPrefix
    }

    mutating func warn(_ key: String, _ message: String) {
        warnings.append(MapWarning(feature: feature, key: keyPrefix + key, message: message))
    }

    /// Returns the value of a key, or `nil` if it is absent or null.
    private func present(_ key: String) -> PropertyValue? {
        guard let value = values[key], value != .null else { return nil }
        return value
    }

    private mutating func reject(_ key: String, _ wanted: String) {
        let found = values[key]?.displayText.map { "'\($0.prefix(60))'" } ?? "this value"
        warnings.append(MapWarning(feature: feature, key: keyPrefix + key, value: found, isNot: wanted))
    }

    mutating func text(_ key: String) -> String? {
        guard let value = present(key) else { return nil }
        if let text = value.displayText { return text }
        reject(key, "a string")
        return nil
    }

    /// Returns whether the value of a key is the word `none`.
    func isNone(_ key: String) -> Bool { values[key]?.stringValue?.lowercased() == "none" }

    mutating func color(_ key: String) -> MapColor? {
        guard let value = present(key) else { return nil }
        // A number is not a colour, as 16711680 would be red. Six digits may have been converted to a number earlier.
        let isNumber = value.stringValue == nil && value.displayText?.utf8.count != 6
        if let text = value.displayText, !isNumber {
            if let color = MapColor(css: text) { return color }
            // simplestyle-spec 1.1 allows colours without the number sign.
            let isHexadecimal = text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20)
            }
            if isHexadecimal, let color = MapColor(css: "#" + text) { return color }
        }
        reject(key, "a colour such as #ee9900 or navy")
        return nil
    }

    mutating func number(_ key: String, in range: ClosedRange<Double> = -1e6...1e6) -> Double? {
        guard let value = present(key) else { return nil }
        var number = value.doubleValue
        if number == nil, var text = value.stringValue?[...] {
            if text.lowercased().hasSuffix("px") { text = text.dropLast(2) }
            number = Double(text)
        }
        guard let number, number.isFinite else {
            reject(key, "a number")
            return nil
        }
        guard range.contains(number) else {
            reject(key, "between \(JSONNumber.text(range.lowerBound)) and \(JSONNumber.text(range.upperBound))")
            return nil
        }
        return number
    }

    /// Returns a size in pixels, zero or more.
    mutating func size(_ key: String) -> Double? { number(key, in: 0...10_000) }

    mutating func opacity(_ key: String) -> Double? { number(key, in: 0...1) }

    mutating func flag(_ key: String) -> Bool? {
        guard let value = present(key) else { return nil }
        if let flag = value.looseBool { return flag }
        reject(key, "true or false")
        return nil
    }

    /// Returns the meaning of one of several words, ignoring case.
    mutating func word<Meaning>(_ key: String, _ words: [(String, Meaning)]) -> Meaning? {
        guard let text = text(key)?.lowercased() else { return nil }
        for (word, meaning) in words where word == text { return meaning }
        reject(key, "one of " + words.map(\.0).joined(separator: ", "))
        return nil
    }

    mutating func dashStyle(_ key: String) -> LineSymbol.DashStyle? {
        guard let value = present(key) else { return nil }
        let style: LineSymbol.DashStyle?
        if let list = value.arrayValue {
            let pixels = list.compactMap(\.doubleValue)
            style = pixels.count == list.count ? LineSymbol.DashStyle(pixels: pixels) : nil
        } else {
            style = value.displayText.flatMap { LineSymbol.DashStyle($0) }
        }
        if style == nil { reject(key, "solid, dot, dash, dashdot, longdash, longdashdot or a list of pixels") }
        return style
    }
}

extension PropertyValue {
    /// The flag, written as `true`, `"true"`, 1 or `"1"` in old files, or `nil` for other values.
    var looseBool: Bool? {
        switch self {
        case .bool(let flag): flag
        case .integer(1): true
        case .integer(0): false
        case .string(let text):
            switch text.lowercased() {
            case "true", "1", "yes": true
            case "false", "0", "no": false
            default: nil
            }
        default: nil
        }
    }
}
