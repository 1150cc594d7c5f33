import PortolanFeatures
import PortolanRaster
import PortolanXML

/// The extension elements of a line or point during reading.
struct GPXExtensions {
    /// The namespace of GDAL, whose elements become properties.
    static let propertyNamespace = "http://osgeo.org/gdal"
    /// The maximum number of texts of one line or point.
    private static let limit = 256

    /// The properties, as written by GDAL and ``GPXWriter``.
    private(set) var properties: Properties = [:]
    /// The texts of all other elements by path: names without prefixes, separated by slashes.
    ///
    /// Repeated paths become lists.
    private(set) var texts: Properties = [:]
    private var open: [(name: String, property: (name: String, type: String?)?, hasChildren: Bool)] = []

    var isEmpty: Bool { properties.isEmpty && texts.isEmpty }

    mutating func begin(_ tag: inout some XMLTag & ~Copyable, _ document: Span<UInt8>) {
        if !open.isEmpty { open[open.count - 1].hasChildren = true }
        let name = tag.qualifiedName
        let isProperty = open.isEmpty && name.namespace == Self.propertyNamespace
        let property =
            isProperty ? (tag.attribute("name", of: document) ?? name.local, tag.attribute("type", of: document)) : nil
        open.append((name.local, property, false))
    }

    mutating func end(text: String?) {
        guard let element = open.popLast(), !element.hasChildren, properties.count + texts.count < Self.limit else {
            return
        }
        if let property = element.property {
            properties[property.name] = Self.value(text ?? "", property.type)
        } else if let text {
            let path = (open.map(\.name) + [element.name]).joined(separator: "/")
            switch texts[path] {
            case nil: texts[path] = .string(text)
            case .array(let values)? where values.count < Self.limit: texts[path] = .array(values + [.string(text)])
            case .array?: break
            case let first?: texts[path] = .array([first, .string(text)])
            }
        }
    }

    private static func value(_ text: String, _ type: String?) -> PropertyValue {
        let limits = FeatureLimits(maximumByteCount: 1 << 20)
        guard type == "json", let value = try? JSONReader.value(bytes: Array(text.utf8), limits: limits) else {
            return .string(text)
        }
        return value
    }

    /// The texts by the last name of their paths, with numbers converted.
    var values: Properties {
        var values = properties
        for text in texts {
            guard let words = text.value.stringValue else { continue }
            let name = text.name.split(separator: "/").last.map(String.init) ?? text.name
            values[name] = Int(words).map { .integer($0) } ?? words.decimalValue.map { .number($0) } ?? text.value
        }
        return values
    }

    /// Adds the style: the keys of the route dialect for a line, simplestyle's pin colour for a point.
    ///
    /// `gpx_style` takes precedence over Garmin's track colour, and that over the colours of OsmAnd and Locus.
    func addStyle(to properties: inout Properties, isPoint: Bool) {
        if isPoint {
            if let color = foreignColor { properties["marker-color"] = .string(color.hexText) }
        } else if let lineStyle {
            properties["style"] = ["default": .object(lineStyle)]
        }
    }

    private func text(_ paths: String...) -> String? {
        paths.lazy.compactMap { path in
            switch texts[path] {
            case .string(let text)?: text
            // Of several, the last is used.
            case .array(let texts)?: texts.last?.stringValue
            default: nil
            }
        }.first
    }

    /// The style of a line, or `nil` without style extensions.
    var lineStyle: Properties? {
        var style: Properties = [:]
        if let color = text("line/color").flatMap({ Self.color($0) }) ?? garminColor ?? foreignColor {
            style["strokeColor"] = .string(color.hexText)
            if color.alpha < 255 {
                style["strokeOpacity"] = .number((Double(color.alpha) / 255 * 1000).rounded() / 1000)
            }
        }
        if let opacity = text("line/opacity")?.decimalValue, (0...1).contains(opacity) {
            style["strokeOpacity"] = .number(opacity)
        }
        if let width = text("line/width")?.decimalValue, width > 0, width <= 100 {
            // Millimetres are converted at 96 pixels per inch of 25.4 mm.
            style["strokeWidth"] = .number((width * 96 / 25.4 * 100).rounded() / 100)
        } else if let width = text("width", "lsWidth", "style/lsWidth").flatMap({ Self.widths[$0] ?? $0.decimalValue }),
            width > 0, width <= 100
        {
            style["strokeWidth"] = .number(width)
        }
        if let cap = text("line/linecap"), ["butt", "round", "square"].contains(cap) {
            style["strokeLinecap"] = .string(cap)
        }
        return style.isEmpty ? nil : style
    }

    /// OsmAnd's names of widths, in pixels.
    private static let widths = ["thin": 3.0, "medium": 5, "bold": 8]

    private var garminColor: MapColor? {
        text("TrackExtension/DisplayColor", "RouteExtension/DisplayColor")
            .flatMap { Self.colors[$0.lowercased()] }.flatMap { Self.color($0) }
    }

    /// The colour of OsmAnd or Locus Map.
    private var foreignColor: MapColor? {
        text("color", "lsColorBase", "style/lsColorBase", "trackColor").flatMap { Self.color($0) }
    }

    /// Parses a colour: six digits are red, green and blue; eight have the opacity first.
    private static func color(_ text: String) -> MapColor? {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6 || digits.utf8.count == 8, digits.allSatisfy(\.isHexDigit),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        let alpha = digits.utf8.count == 8 ? UInt8(value >> 24) : 255
        return MapColor(
            red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255), alpha: alpha)
    }

    /// Garmin's sixteen colours (GpxExtensions v3, `DisplayColor_t`); `Transparent` is omitted.
    private static let colors = [
        "black": "#000000", "darkred": "#8b0000", "darkgreen": "#008b00", "darkyellow": "#b5b820",
        "darkblue": "#00008b", "darkmagenta": "#8b008b", "darkcyan": "#008b8b", "lightgray": "#cccccc",
        "darkgray": "#444444", "red": "#ff0000", "green": "#00ff00", "yellow": "#ffff00",
        "blue": "#0000ff", "magenta": "#ff00ff", "cyan": "#00ffff", "white": "#ffffff",
    ]
}

/// The attributes of track points in addition to their positions, one column per attribute.
struct GPXColumns {
    /// The maximum number of columns.
    private static let limit = 32

    private var columns: [(name: String, values: [PropertyValue])] = []

    /// Records the attributes of a point.
    mutating func set(_ words: GPXWords, at index: Int) {
        if let time = words.time { set("times", .string(time), at: index) }
        guard !words.extensions.isEmpty else { return }
        for value in words.extensions.values { set(value.name, value.value, at: index) }
    }

    private mutating func set(_ name: String, _ value: PropertyValue, at index: Int) {
        let known = columns.firstIndex { $0.name == name }
        guard let column = known ?? (columns.count < Self.limit ? columns.count : nil) else { return }
        if known == nil { columns.append((name, [])) }
        let missing = index - columns[column].values.count
        if missing > 0 { columns[column].values += repeatElement(.null, count: missing) }
        if missing >= 0 { columns[column].values.append(value) }
    }

    /// Removes the points from an index on.
    mutating func cut(to count: Int) {
        for column in columns.indices where columns[column].values.count > count {
            columns[column].values.removeSubrange(count...)
        }
    }

    /// Returns the columns as lists, or as lists of lists for several parts; `nil` if none exist.
    func properties(partEnds: [Int]) -> Properties? {
        var properties: Properties = [:]
        for (name, values) in columns where values.contains(where: { $0 != .null }) {
            var start = 0
            let parts = partEnds.map { end -> PropertyValue in
                defer { start = end }
                let held = values[min(start, values.count)..<min(end, values.count)]
                return .array(held + Array(repeating: .null, count: end - start - held.count))
            }
            if let first = parts.first { properties[name] = parts.count > 1 ? .array(parts) : first }
        }
        return properties.isEmpty ? nil : properties
    }
}
