public import PortolanFeatures
import PortolanWeb

/// A value of an expression.
public enum ExpressionValue: Hashable, Sendable {
    /// Nothing.
    case null
    /// True or false.
    case boolean(Bool)
    /// A number.
    case number(Double)
    /// A text.
    case string(String)
    /// A colour.
    case color(StyleColor)
    /// A list.
    case array([ExpressionValue])
    /// Named values.
    case object(Properties)
    /// A text comparison.
    case collator(ExpressionValue.Collator)
    /// A text with formatted sections.
    case formatted(ExpressionValue.FormattedText)
    /// The name of an image.
    case image(ExpressionValue.ResolvedImage)
    /// Distances from the top, right, bottom and left of a box.
    case padding([Double])
    /// A list of numbers, or a single number.
    case numberArray([Double])
    /// A list of colours, or a single colour.
    case colorArray([StyleColor])
    /// Anchors, each with an offset.
    case anchorOffsets([ExpressionValue.AnchorOffset])
    /// A transition between two projections.
    case projection(from: String, to: String, transition: Double)

    /// Converts a property value.
    public init(_ value: PropertyValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .boolean(flag)
        case .integer(let number): self = .number(Double(number))
        case .number(let number): self = .number(number)
        case .string(let text): self = .string(text)
        case .array(let items): self = .array(items.map(ExpressionValue.init))
        case .object(let members): self = .object(members)
        }
    }

    /// The type of the value.
    ///
    /// A list of different types has items of type `value`.
    public var type: ExpressionValue.ValueType {
        switch self {
        case .null: return .null
        case .boolean: return .boolean
        case .number: return .number
        case .string: return .string
        case .color: return .color
        case .array(let items):
            let types = Set(items.map(\.type))
            // Nested lists are distinguished by kind, not by their items.
            guard let type = types.first, types.count == 1, items.count == 1 || type.item == nil else {
                return .array(.value, count: items.count)
            }
            return .array(type, count: items.count)
        case .object: return .object
        case .collator: return .collator
        case .formatted: return .formatted
        case .image: return .resolvedImage
        case .padding: return .padding
        case .numberArray: return .numberArray
        case .colorArray: return .colorArray
        case .anchorOffsets: return .variableAnchorOffsetCollection
        case .projection: return .projectionDefinition
        }
    }

    /// The number, or `nil` for other values.
    public var numberValue: Double? { if case .number(let number) = self { number } else { nil } }

    /// The text, or `nil` for other values.
    public var stringValue: String? { if case .string(let text) = self { text } else { nil } }

    /// The truth value, or `nil` for other values.
    public var booleanValue: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

    /// The colour, or `nil` for other values.
    public var colorValue: StyleColor? { if case .color(let color) = self { color } else { nil } }

    /// The list, or `nil` for other values.
    public var arrayValue: [ExpressionValue]? { if case .array(let items) = self { items } else { nil } }

    /// The numbers of a numeric list, or `nil` for other values.
    public var numbers: [Double]? {
        switch self {
        case .padding(let numbers), .numberArray(let numbers): return numbers
        case .array(let items):
            let numbers = items.compactMap(\.numberValue)
            return numbers.count == items.count ? numbers : nil
        default: return nil
        }
    }
}

extension ExpressionValue {
    /// The value as a property value.
    ///
    /// Colours, formatted texts and similar values become text.
    package var propertyValue: PropertyValue {
        switch self {
        case .null: .null
        case .boolean(let flag): .bool(flag)
        case .number(let number):
            // As in documents, whole numbers are integers.
            Int(exactly: number).map(PropertyValue.integer) ?? .number(number)
        case .string(let text): .string(text)
        case .array(let items): .array(items.map(\.propertyValue))
        case .object(let members): .object(members)
        default: .string(text)
        }
    }

    /// Whether the value is truthy: not null, false, 0, NaN, or an empty text.
    var isTrue: Bool {
        switch self {
        case .null: false
        case .boolean(let flag): flag
        case .number(let number): number != 0 && !number.isNaN
        case .string(let text): !text.isEmpty
        default: true
        }
    }

    /// The value as a text, as returned by `to-string`.
    public var text: String {
        switch self {
        case .null: ""
        case .boolean(let flag): flag ? "true" : "false"
        case .number(let number): NumberText.text(number)
        case .string(let text): text
        case .color(let color): color.cssText
        case .formatted(let text): text.text
        case .image(let image): image.name
        case .projection(let from, let to, 1) where from == to: from
        default: json
        }
    }

    /// The value as a number, or `nil` if it cannot be converted (ECMA-262, ToNumber).
    var asNumber: Double? {
        switch self {
        case .null: 0
        case .boolean(let flag): flag ? 1 : 0
        case .number(let number): number.isNaN ? nil : number
        case .string(let text): NumberText.number(text)
        case .array(let items): items.isEmpty ? 0 : items.count == 1 ? NumberText.number(items[0].text) : nil
        default: nil
        }
    }

    /// The value as JSON.
    var json: String {
        func list(_ texts: some Sequence<String>) -> String { "[" + texts.joined(separator: ",") + "]" }
        func number(_ value: Double) -> String { value.isFinite ? NumberText.text(value) : "null" }
        func quoted(_ text: String) -> String { String(decoding: GeoJSONWriter.json(.string(text)), as: UTF8.self) }
        func member(_ value: PropertyValue) -> String { ExpressionValue(value).json }
        switch self {
        case .null: return "null"
        case .number(let value): return number(value)
        case .string(let text): return quoted(text)
        case .array(let items): return list(items.map(\.json))
        case .object(let members):
            return "{" + members.map { quoted($0.name) + ":" + member($0.value) }.joined(separator: ",") + "}"
        case .padding(let values), .numberArray(let values): return list(values.map(number))
        case .colorArray(let colors): return list(colors.map { quoted($0.cssText) })
        case .anchorOffsets(let offsets):
            return list(offsets.map { "\(quoted($0.anchor)),[\(number($0.x)),\(number($0.y))]" })
        case .projection(let from, let to, let transition):
            return list([quoted(from), quoted(to), number(transition)])
        case .collator: return "{}"
        case .boolean, .color, .formatted, .image: return text
        }
    }
}
