/// A layer of a style: which features it draws, between which zooms, and how.
public struct StyleLayer: Sendable {
    /// The types of layer that are drawn.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// One colour under all.
        case background
        /// Areas.
        case fill
        /// Lines, and the borders of areas.
        case line
        /// Discs at points.
        case circle
        /// Texts and pictures.
        case symbol
    }

    /// The name, of which there is one in a style.
    public let id: String
    /// What it draws.
    public let kind: Kind
    /// The name of its source, or `nil` for a background and where the style is for one source alone.
    public let source: String?
    /// The name of the layer in its source, or `nil`.
    public let sourceLayer: String?
    /// From which zoom on it is drawn.
    public let minimumZoom: Double
    /// From which zoom on it is drawn no more.
    public let maximumZoom: Double
    /// Whether it is drawn at all.
    public let isVisible: Bool
    /// Which features it draws, or `nil` for all.
    public let filter: StyleExpression?
    let properties: [StyleKey: StyleExpression]

    /// Whether it is drawn at a zoom.
    public func isDrawn(at zoom: Double) -> Bool { isVisible && zoom >= minimumZoom && zoom < maximumZoom }

    /// Whether the filter lets a feature through.
    public func matches(_ context: ExpressionContext) -> Bool { filter?.matches(context) ?? true }

    /// Whether the style says something of a property.
    public func states(_ key: StyleKey) -> Bool { properties[key] != nil }

    /// Whether its features are drawn alike at all zooms.
    var isZoomConstant: Bool {
        (filter?.isZoomConstant ?? true) && properties.values.allSatisfy(\.isZoomConstant)
    }

    /// Whether all features are drawn alike at a zoom, by the properties given.
    func isUniform(_ keys: some Sequence<StyleKey>) -> Bool {
        keys.allSatisfy { properties[$0]?.isFeatureConstant ?? true }
    }
}

/// The values of a layer's properties for a feature at a zoom; what has none is its default.
struct StyleValues {
    let layer: StyleLayer
    var context: ExpressionContext
    /// The first failure of each property.
    private(set) var failures: [StyleKey: EvaluationError] = [:]

    init(_ layer: StyleLayer, _ context: ExpressionContext) {
        self.layer = layer
        self.context = context
    }

    /// The value, or the default, or `nil` where there is neither.
    mutating func value(_ key: StyleKey) -> ExpressionValue? {
        if let expression = layer.properties[key] {
            do throws(EvaluationError) {
                let value = try expression.evaluate(context)
                if let word = key.refusedWord(of: value) {
                    throw EvaluationError(path: [], reason: .word(word))
                }
                if value != .null, value.numberValue?.isFinite ?? true { return value }
            } catch {
                if failures[key] == nil { failures[key] = error }
            }
        }
        return key.defaultValue
    }

    mutating func number(_ key: StyleKey, in range: ClosedRange<Double> = -1e6...1e6) -> Double {
        min(max(value(key)?.numberValue ?? 0, range.lowerBound), range.upperBound)
    }

    mutating func color(_ key: StyleKey, opacity: StyleKey) -> StyleColor? {
        guard var color = value(key)?.colorValue else { return nil }
        color.alpha *= number(opacity, in: 0...1)
        return color.alpha > 0 ? color : nil
    }

    mutating func word(_ key: StyleKey) -> String { value(key)?.stringValue ?? "" }

    mutating func numbers(_ key: StyleKey) -> [Double] { value(key)?.numbers ?? [] }
}

extension StyleKey {
    /// The default as a value of the property's type.
    var defaultValue: ExpressionValue? { Self.defaults[self] }

    private static let defaults: [StyleKey: ExpressionValue] = {
        var defaults: [StyleKey: ExpressionValue] = [:]
        for key in allCases {
            let specification = key.facts.specification
            guard let value = specification.defaultValue, let type = specification.type else { continue }
            let plain = ExpressionValue(value)
            defaults[key] = plain.type.isSubtype(of: type) ? plain : CoercionNode.converted(plain, to: type)
        }
        return defaults
    }()

    /// The text that is none of the property's words, or `nil` where all is well.
    func refusedWord(of value: ExpressionValue) -> String? {
        guard case .word(let choices) = facts.specification.kind, let word = value.stringValue,
            !choices.contains(word)
        else { return nil }
        return word
    }
}
