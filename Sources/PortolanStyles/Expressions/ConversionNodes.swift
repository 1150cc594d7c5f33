import PortolanFeatures

/// `string`, `number`, `boolean`, `object`, `array`: the first argument of the type.
struct AssertionNode: ExpressionNode {
    let type: ExpressionValue.ValueType
    let arguments: [any ExpressionNode]
    let path: [Int]
    var children: [any ExpressionNode] { arguments }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        var found = ExpressionValue.ValueType.null
        for argument in arguments {
            let value = try argument.evaluate(context)
            found = value.type
            if found.isSubtype(of: type) { return value }
        }
        throw EvaluationError(path: path, reason: .type(wanted: type, found: found))
    }

    private static let named: [String: ExpressionValue.ValueType] = [
        "string": .string, "number": .number, "boolean": .boolean, "object": .object,
    ]

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count >= 2, let name = arguments[0].stringValue else {
            return parser.wrongCount("1 or more arguments", arguments)
        }
        var first = 1
        let type: ExpressionValue.ValueType
        if let simple = named[name] {
            type = simple
        } else {
            var item = ExpressionValue.ValueType.value, count: Int?
            if arguments.count > 2 {
                guard let word = arguments[1].stringValue, let wanted = named[word], wanted != .object else {
                    return parser.fail(.malformed(wanted: "string, number or boolean as the item type"), at: 1)
                }
                item = wanted
                first += 1
            }
            if arguments.count > 3 {
                count = arguments[2].integerValue
                guard arguments[2] == .null || count ?? -1 >= 0 else {
                    return parser.fail(.malformed(wanted: "a whole number of items"), at: 2)
                }
                first += 1
            }
            type = .array(item, count: count)
        }
        var nodes: [any ExpressionNode] = []
        for place in first..<arguments.count {
            guard let node = parser.read(arguments[place], at: place, .value) else { return nil }
            nodes.append(node)
        }
        return AssertionNode(type: type, arguments: nodes, path: parser.path)
    }
}

/// `to-string`, `to-number`, `to-boolean`, `to-color`, and implicit conversions by properties: the first argument that
/// can be converted to the type.
struct CoercionNode: ExpressionNode {
    let type: ExpressionValue.ValueType
    let arguments: [any ExpressionNode]
    let path: [Int]
    var children: [any ExpressionNode] { arguments }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        var value = ExpressionValue.null
        for argument in arguments {
            value = try argument.evaluate(context)
            if let result = Self.converted(value, to: type) { return result }
        }
        throw EvaluationError(path: path, reason: .conversion(value.text, to: type))
    }

    /// A value converted to another type, or `nil` if that is impossible.
    static func converted(_ value: ExpressionValue, to type: ExpressionValue.ValueType) -> ExpressionValue? {
        switch type {
        case .string: return .string(value.text)
        case .boolean: return .boolean(value.isTrue)
        case .number: return value.asNumber.map(ExpressionValue.number)
        case .formatted:
            if case .formatted = value { return value }
            return .formatted(ExpressionValue.FormattedText(value.text))
        case .resolvedImage:
            let name = value.text
            return name.isEmpty ? .null : .image(ExpressionValue.ResolvedImage(name: name, isAvailable: false))
        case .color: return color(value).map(ExpressionValue.color)
        case .padding:
            if case .padding = value { return value }
            return sides(value).map(ExpressionValue.padding)
        case .numberArray:
            if case .numberArray = value { return value }
            return (value.numberValue.map { [$0] } ?? value.numbers).map(ExpressionValue.numberArray)
        case .colorArray:
            if case .colorArray = value { return value }
            if let single = value.stringValue { return StyleColor(css: single).map { .colorArray([$0]) } }
            guard let items = value.arrayValue else { return nil }
            let colors = items.compactMap { $0.stringValue.flatMap(StyleColor.init(css:)) }
            return colors.count == items.count ? .colorArray(colors) : nil
        case .variableAnchorOffsetCollection:
            if case .anchorOffsets = value { return value }
            return anchorOffsets(value).map(ExpressionValue.anchorOffsets)
        case .projectionDefinition:
            switch value {
            case .string, .projection: return value
            case .array(let items):
                guard items.count == 3, items[0].stringValue != nil, items[1].stringValue != nil,
                    items[2].numberValue != nil
                else { return nil }
                return value
            default: return nil
            }
        default: return nil
        }
    }

    private static func color(_ value: ExpressionValue) -> StyleColor? {
        switch value {
        case .color(let color): return color
        case .string(let text): return StyleColor(css: text)
        case .array(let items):
            let numbers = items.compactMap(\.numberValue)
            guard numbers.count == items.count, (3...4).contains(numbers.count) else { return nil }
            let alpha = numbers.count > 3 ? numbers[3] : 1
            guard
                var color = StyleColor(red: numbers[0], green: numbers[1], blue: numbers[2], opacity: alpha)
            else { return nil }
            // Unlike those of rgba(), the channels of a list are already multiplied by the opacity.
            if alpha > 0 {
                color.red /= alpha
                color.green /= alpha
                color.blue /= alpha
            }
            return color
        default: return nil
        }
    }

    /// The four sides that one to four numbers denote, as in CSS.
    private static func sides(_ value: ExpressionValue) -> [Double]? {
        if let number = value.numberValue { return [number, number, number, number] }
        guard let list = value.numbers else { return nil }
        switch list.count {
        case 1: return [list[0], list[0], list[0], list[0]]
        case 2: return [list[0], list[1], list[0], list[1]]
        case 3: return [list[0], list[1], list[2], list[1]]
        case 4: return list
        default: return nil
        }
    }

    private static func anchorOffsets(_ value: ExpressionValue) -> [ExpressionValue.AnchorOffset]? {
        guard let items = value.arrayValue, !items.isEmpty, items.count.isMultiple(of: 2) else { return nil }
        var offsets: [ExpressionValue.AnchorOffset] = []
        for place in stride(from: 0, to: items.count, by: 2) {
            guard let anchor = items[place].stringValue, ExpressionValue.AnchorOffset.anchors.contains(anchor),
                let offset = items[place + 1].numbers, offset.count == 2
            else { return nil }
            offsets.append(ExpressionValue.AnchorOffset(anchor: anchor, x: offset[0], y: offset[1]))
        }
        return offsets
    }

    private static let named: [String: ExpressionValue.ValueType] = [
        "to-string": .string, "to-number": .number, "to-boolean": .boolean, "to-color": .color,
    ]

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count >= 2, let name = arguments[0].stringValue, let type = named[name] else {
            return parser.wrongCount("1 or more arguments", arguments)
        }
        if type == .string || type == .boolean, arguments.count != 2 {
            return parser.wrongCount("1 argument", arguments)
        }
        var nodes: [any ExpressionNode] = []
        for place in 1..<arguments.count {
            guard let node = parser.read(arguments[place], at: place, .value) else { return nil }
            nodes.append(node)
        }
        return CoercionNode(type: type, arguments: nodes, path: parser.path)
    }
}
