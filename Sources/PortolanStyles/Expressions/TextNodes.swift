import PortolanFeatures
import PortolanWeb

/// `format`: a text with formatted sections.
struct FormatNode: ExpressionNode {
    struct Section: Sendable {
        let content: any ExpressionNode
        var scale: (any ExpressionNode)?
        var font: (any ExpressionNode)?
        var color: (any ExpressionNode)?
        var align: (any ExpressionNode)?

        var children: [any ExpressionNode] { [content] + [scale, font, color, align].compactMap(\.self) }
    }

    let sections: [Section]
    var type: ExpressionValue.ValueType { .formatted }
    var children: [any ExpressionNode] { sections.flatMap(\.children) }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        var result = ExpressionValue.FormattedText(sections: [])
        for section in sections {
            let align = try section.align?.evaluate(context).stringValue
            let content = try section.content.evaluate(context)
            if case .image(let image) = content {
                result.sections.append(
                    ExpressionValue.FormattedText.Section(text: "", image: image, verticalAlign: align))
                continue
            }
            result.sections.append(
                ExpressionValue.FormattedText.Section(
                    text: content.text, scale: try section.scale?.number(context),
                    fontStack: try section.font?.evaluate(context).arrayValue?.map(\.text).joined(separator: ","),
                    color: try section.color?.evaluate(context).colorValue, verticalAlign: align))
        }
        return .formatted(result)
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count >= 2 else { return parser.wrongCount("1 or more arguments", arguments) }
        if arguments[1].objectValue != nil || arguments[1] == .null {
            return parser.fail(.malformed(wanted: "a string or an image as the first section"))
        }
        var sections: [Section] = []
        var mayBeOptions = false
        for argument in arguments.dropFirst() {
            if mayBeOptions, let options = argument.objectValue, let last = sections.indices.last {
                mayBeOptions = false
                guard read(options, into: &sections[last], &parser) else { return nil }
                continue
            }
            guard let content = parser.read(argument, at: 1, .value) else { return nil }
            switch content.type {
            case .string, .value, .null, .resolvedImage: sections.append(Section(content: content))
            default: return parser.fail(.type(wanted: .string, found: content.type))
            }
            mayBeOptions = true
        }
        return FormatNode(sections: sections)
    }

    private static func read(
        _ options: Properties, into section: inout Section, _ parser: inout ExpressionParser
    ) -> Bool {
        if let value = options["font-scale"] {
            section.scale = parser.read(value, at: 1, .number)
            if section.scale == nil { return false }
        }
        if let value = options["text-font"] {
            section.font = parser.read(value, at: 1, .array(.string, count: nil))
            if section.font == nil { return false }
        }
        if let value = options["text-color"] {
            section.color = parser.read(value, at: 1, .color)
            if section.color == nil { return false }
        }
        if let value = options["vertical-align"] {
            if let word = value.stringValue, !["bottom", "center", "top"].contains(word) {
                return parser.fail(.malformed(wanted: "bottom, center or top")) ?? false
            }
            section.align = parser.read(value, at: 1, .string)
            if section.align == nil { return false }
        }
        return true
    }
}

/// `image`: the name of an image, and whether the sprite contains it.
struct ImageNode: ExpressionNode {
    let name: any ExpressionNode
    var type: ExpressionValue.ValueType { .resolvedImage }
    var children: [any ExpressionNode] { [name] }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        let name = try name.string(context)
        guard !name.isEmpty else { return .null }
        return .image(
            ExpressionValue.ResolvedImage(name: name, isAvailable: context.availableImages?.contains(name) ?? false))
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count == 2 else { return parser.wrongCount("1 argument", arguments) }
        guard let name = parser.read(arguments[1], at: 1, .string) else {
            return parser.fail(.malformed(wanted: "an image name"))
        }
        return ImageNode(name: name)
    }
}

/// `global-state`.
struct GlobalStateNode: ExpressionNode {
    let name: String
    var type: ExpressionValue.ValueType { .value }
    var children: [any ExpressionNode] { [] }
    // The value is equal for all features and zooms, but unknown when a style is compiled.
    var dependence: Dependence { .other }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        context.globalState[name].map(ExpressionValue.init) ?? .null
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count == 2 else { return parser.wrongCount("1 argument", arguments) }
        guard let name = arguments[1].stringValue else {
            return parser.fail(.malformed(wanted: "a state property name"))
        }
        return GlobalStateNode(name: name)
    }
}

/// `number-format`.
struct NumberFormatNode: ExpressionNode {
    let value: any ExpressionNode
    let locale: (any ExpressionNode)?
    let currency: (any ExpressionNode)?
    let unit: (any ExpressionNode)?
    let minimumFraction: (any ExpressionNode)?
    let maximumFraction: (any ExpressionNode)?
    var type: ExpressionValue.ValueType { .string }
    var children: [any ExpressionNode] {
        [value] + [locale, currency, unit, minimumFraction, maximumFraction].compactMap(\.self)
    }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        var measure = DecimalFormat.Measure.none, word = ""
        if let currency {
            word = try currency.string(context)
            measure = .currency(word.uppercased())
        } else if let unit {
            word = try unit.string(context)
            measure = .unit(word)
        }
        let format = DecimalFormat(
            locale: try locale?.string(context), measure: measure,
            minimumFraction: try minimumFraction?.number(context),
            maximumFraction: try maximumFraction?.number(context))
        guard let format else { throw EvaluationError(path: [], reason: .word(word)) }
        return .string(format.text(try value.number(context)))
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count == 3 else { return parser.wrongCount("2 arguments", arguments) }
        guard let value = parser.read(arguments[1], at: 1, .number) else { return nil }
        guard let options = arguments[2].objectValue else {
            return parser.fail(.malformed(wanted: "an options object"))
        }
        var read: [String: any ExpressionNode] = [:]
        for (name, type) in [
            ("locale", ExpressionValue.ValueType.string), ("currency", .string), ("unit", .string),
            ("min-fraction-digits", .number), ("max-fraction-digits", .number),
        ] {
            guard let option = options[name] else { continue }
            guard let node = parser.read(option, at: 1, type) else { return nil }
            read[name] = node
        }
        if read["currency"] != nil, read["unit"] != nil {
            return parser.fail(.malformed(wanted: "either a currency or a unit"))
        }
        return NumberFormatNode(
            value: value, locale: read["locale"], currency: read["currency"], unit: read["unit"],
            minimumFraction: read["min-fraction-digits"],
            maximumFraction: read["max-fraction-digits"])
    }
}

/// `collator`.
struct CollatorNode: ExpressionNode {
    let isCaseSensitive: any ExpressionNode
    let isDiacriticSensitive: any ExpressionNode
    let locale: (any ExpressionNode)?
    var type: ExpressionValue.ValueType { .collator }
    var children: [any ExpressionNode] {
        [isCaseSensitive, isDiacriticSensitive] + (locale.map { [$0] } ?? [])
    }
    var dependence: Dependence { .other }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        .collator(
            ExpressionValue.Collator(
                isCaseSensitive: try isCaseSensitive.flag(context),
                isDiacriticSensitive: try isDiacriticSensitive.flag(context), locale: try locale?.string(context)))
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count == 2 else { return parser.wrongCount("1 argument", arguments) }
        guard let options = arguments[1].objectValue else {
            return parser.fail(.malformed(wanted: "an options object"))
        }
        guard let isCaseSensitive = parser.read(options["case-sensitive"] ?? .bool(false), at: 1, .boolean),
            let isDiacriticSensitive = parser.read(options["diacritic-sensitive"] ?? .bool(false), at: 1, .boolean)
        else { return nil }
        var locale: (any ExpressionNode)?
        if let option = options["locale"] {
            locale = parser.read(option, at: 1, .string)
            if locale == nil { return nil }
        }
        return CollatorNode(
            isCaseSensitive: isCaseSensitive, isDiacriticSensitive: isDiacriticSensitive, locale: locale)
    }
}
