public import PortolanFeatures

/// The values that a style property accepts (MapLibre Style Specification, the `v8.json` reference).
///
/// ```swift
/// let opacity = PropertySpecification(.number, default: 1)
/// let expression = try StyleExpression(["get", "opacity"], for: opacity)
/// ```
public struct PropertySpecification: Hashable, Sendable {
    /// The kinds of value.
    public indirect enum Kind: Hashable, Sendable {
        /// Any value.
        case any
        /// A number.
        case number
        /// A text.
        case string
        /// True or false.
        case boolean
        /// A colour.
        case color
        /// One of a set of keywords.
        case word([String])
        /// A list of values of one kind, possibly of fixed length.
        case array(Kind, count: Int?)
        /// A text with formatted sections.
        case formatted
        /// The name of an image.
        case resolvedImage
        /// Distances from the sides of a box.
        case padding
        /// A list of numbers, or a single number.
        case numberArray
        /// A list of colours, or a single colour.
        case colorArray
        /// Anchors, each with an offset.
        case variableAnchorOffsetCollection
        /// The name of a projection, or a transition between two.
        case projectionDefinition
    }

    /// The kind of value.
    public var kind: Kind
    /// The default value, or `nil`.
    public var defaultValue: PropertyValue?
    /// Whether it can depend on the zoom.
    public var dependsOnZoom: Bool
    /// Whether it can depend on features.
    public var dependsOnFeatures: Bool
    /// Whether its values can be interpolated.
    public var isInterpolated: Bool
    /// Whether `{name}` in a text is replaced by a feature property.
    public var hasTokens: Bool

    /// Creates a specification.
    ///
    /// By default, the property can depend on the zoom and on features.
    public init(
        _ kind: Kind, default defaultValue: PropertyValue? = nil, dependsOnZoom: Bool = true,
        dependsOnFeatures: Bool = true, isInterpolated: Bool = false, hasTokens: Bool = false
    ) {
        self.kind = kind
        self.defaultValue = defaultValue
        self.dependsOnZoom = dependsOnZoom
        self.dependsOnFeatures = dependsOnFeatures
        self.isInterpolated = isInterpolated
        self.hasTokens = hasTokens
    }

    /// The specification of a filter.
    static let filter = PropertySpecification(.boolean, default: false)

    /// The required type of an expression, or `nil` for any.
    var type: ExpressionValue.ValueType? { kind.type }
}

extension PropertySpecification.Kind {
    /// The required type of an expression, or `nil` for any.
    var type: ExpressionValue.ValueType? {
        switch self {
        case .any: nil
        case .number: .number
        case .string, .word: .string
        case .boolean: .boolean
        case .color: .color
        case .array(let item, let count): .array(item.type ?? .value, count: count)
        case .formatted: .formatted
        case .resolvedImage: .resolvedImage
        case .padding: .padding
        case .numberArray: .numberArray
        case .colorArray: .colorArray
        case .variableAnchorOffsetCollection: .variableAnchorOffsetCollection
        case .projectionDefinition: .projectionDefinition
        }
    }

    /// The operator that asserts the kind, for legacy functions.
    var assertion: String {
        switch self {
        case .color: "to-color"
        case .array: "array"
        case .any: "value"
        default: type?.description ?? "value"
        }
    }
}
