public import PortolanFeatures

/// What values a property of a style takes (MapLibre Style Specification, the `v8.json` reference).
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
        /// One of some words.
        case word([String])
        /// A list of values of one kind, of a length that may be fixed.
        case array(Kind, count: Int?)
        /// A text in sections.
        case formatted
        /// The name of a picture.
        case resolvedImage
        /// Distances from the sides of a box.
        case padding
        /// A list of numbers, of which one may stand alone.
        case numberArray
        /// A list of colours, of which one may stand alone.
        case colorArray
        /// Anchors, each with an offset.
        case variableAnchorOffsetCollection
        /// The name of a projection, or two between which the map is.
        case projectionDefinition
    }

    /// The kind of value.
    public var kind: Kind
    /// What counts where nothing is said, or `nil` for nothing.
    public var defaultValue: PropertyValue?
    /// Whether it may depend on zoom.
    public var dependsOnZoom: Bool
    /// Whether it may depend on features.
    public var dependsOnFeatures: Bool
    /// Whether there are values between two values.
    public var isInterpolated: Bool
    /// Whether `{name}` in a text stands for a property of the feature.
    public var hasTokens: Bool

    /// Makes a specification; a property depends on all that it may unless told.
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

    /// Of a filter: whether a feature is drawn.
    static let filter = PropertySpecification(.boolean, default: false)

    /// The type that an expression for it must have, or `nil` for any.
    var type: ExpressionValue.ValueType? { kind.type }
}

extension PropertySpecification.Kind {
    /// The type that an expression of this kind must have, or `nil` for any.
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

    /// The name of the operator that asserts the kind, as functions of old use it.
    var assertion: String {
        switch self {
        case .color: "to-color"
        case .array: "array"
        case .any: "value"
        default: type?.description ?? "value"
        }
    }
}
