import PortolanWeb

/// A parsed label template: texts, and properties whose values are inserted.
package struct LabelTemplate: Hashable, Sendable {
    /// A piece of a template.
    package enum Part: Hashable, Sendable {
        /// A literal text.
        case text(String)
        /// The first of several properties that has a value, as a number in a format if one is stated.
        case value([String], NumberPattern?)
    }

    /// The maximum length of a result in bytes.
    ///
    /// Far fewer letters are drawn.
    private static let byteLimit = 1 << 16

    /// The pieces in order.
    package let parts: [Part]
    /// The language of formatted numbers, or `nil` for English.
    package let language: String?
    /// The formats of the parts.
    private let formats: [DecimalFormat?]

    /// Creates a template of pieces.
    package init(_ parts: [Part], language: String? = nil) {
        self.parts = parts
        self.language = language
        formats = parts.map { part in
            if case .value(_, let pattern?) = part { pattern.format(language) } else { nil }
        }
    }

    /// Parses the template of a label.
    package init(_ label: LabelSymbol) {
        guard label.isPlain else {
            self.init(label.template, language: label.language)
            return
        }
        self.init([.text(label.template)])
    }

    /// Parses a template in which `${name}` is replaced by a property value, `${name:es|name}` by the first of two, and
    /// `${population:,.0f}` by a number in a format.
    package init(_ template: String, language: String? = nil) {
        var parts: [Part] = [], rest = template[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            parts.append(.text(String(rest[..<start.lowerBound])))
            let content = rest[start.upperBound..<end]
            let (name, text) = Self.divided(content)
            let pattern = text.flatMap { NumberPattern($0) }
            parts.append(.value(Self.alternatives(pattern == nil ? content : name), pattern))
            rest = rest[rest.index(after: end)...]
        }
        self.init(parts + [.text(String(rest))], language: language)
    }

    /// The properties, in the order of the template.
    package var properties: [String] {
        parts.flatMap { part in if case .value(let names, _) = part { names } else { [String]() } }
    }

    /// Whether numbers are written in a format.
    package var hasFormats: Bool { formats.contains { $0 != nil } }

    /// The template in the notation of ``init(_:language:)``.
    package var text: String {
        parts.reduce(into: "") { text, part in
            switch part {
            // An empty placeholder separates the signs of one.
            case .text(let own): text += own.replacing("${", with: "$${}{")
            case .value(let all, let pattern):
                // A text with bars is parsed into its names again.
                let names = all.count > 1 ? all.filter { !$0.utf8.contains(UInt8(ascii: "|")) } : all
                text += "${" + names.joined(separator: "|") + (pattern.map { ":\($0.text)" } ?? "") + "}"
            }
        }
    }

    /// Returns the template with other properties in place of some.
    package func replacing(_ names: (String) -> [String]) -> LabelTemplate {
        LabelTemplate(
            parts.map { part in
                guard case .value(let own, let pattern) = part else { return part }
                return .value(own.flatMap(names), pattern)
            }, language: language)
    }

    /// The name and the format of a placeholder, which the last colon separates.
    static func divided(_ content: Substring) -> (name: Substring, format: Substring?) {
        guard let colon = content.lastIndex(of: ":") else { return (content, nil) }
        return (content[..<colon], content[content.index(after: colon)...])
    }

    /// The names of a placeholder: the whole text, and those between bars.
    static func alternatives(_ text: Substring) -> [String] {
        let whole = String(text)
        guard text.utf8.contains(UInt8(ascii: "|")) else { return [whole] }
        return [whole] + text.split(separator: "|").map(String.init)
    }

    // MARK: - Values

    /// Returns the text for a feature as a number, or `nil` if it is not one.
    ///
    /// A double minus sign cancels out.
    package func number(for properties: Properties) -> Double? {
        let text = text(for: properties).text
        guard let number = Double(text.starts(with: "--") ? String(text.dropFirst(2)) : text), number.isFinite else {
            return nil
        }
        return number
    }

    /// The text of the first of several properties that has one.
    private static func value(
        of names: [String], _ pattern: NumberPattern?, _ format: DecimalFormat?, in properties: Properties
    ) -> String {
        for name in names {
            guard let value = properties[name], let text = value.displayText, !text.isEmpty else { continue }
            guard let pattern, let format, let number = value.readableNumber else { return text }
            return pattern.text(number, format)
        }
        return ""
    }

    /// Returns the text for a feature, with missing properties empty, and whether it was truncated.
    ///
    /// A value that is not a number is inserted as it is, also if a format is stated.
    package func text(for properties: Properties) -> (text: String, isCut: Bool) {
        var result = ""
        /// Appends as much of a text as the limit allows, and returns whether it was complete.
        func add(_ text: String) -> Bool {
            let room = Self.byteLimit - result.utf8.count
            guard text.utf8.count > room else {
                result += text
                return true
            }
            var end = text.utf8.index(text.startIndex, offsetBy: room)
            while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
            result.unicodeScalars += text.unicodeScalars[..<end]
            return false
        }
        for (part, format) in zip(parts, formats) {
            let text =
                switch part {
                case .text(let text): text
                case .value(let names, let pattern): Self.value(of: names, pattern, format, in: properties)
                }
            guard add(text) else { return (result, true) }
        }
        return (result, false)
    }
}

extension PropertyValue {
    /// The finite number that the value is, also as a text, or `nil`.
    package var readableNumber: Double? {
        let number: Double? =
            switch self {
            case .integer, .number: doubleValue
            case .string(let text): NumberText.number(text)
            case .bool, .null, .array, .object: nil
            }
        guard let number, number.isFinite else { return nil }
        if case .string(let text) = self, text.allSatisfy(\.isWhitespace) { return nil }
        return number
    }
}
