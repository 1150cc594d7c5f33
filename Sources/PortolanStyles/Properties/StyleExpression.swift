public import PortolanFeatures

/// An expression of the MapLibre Style Specification, checked and compiled once for evaluation over many features.
///
/// ```swift
/// let width = try StyleExpression(
///     ["interpolate", ["linear"], ["zoom"], 5, 1, 15, 12], for: PropertySpecification(.number))
/// let value = try width.evaluate(ExpressionContext(zoom: 10))
/// ```
///
/// Stop functions, legacy filters and texts with `{tokens}` are converted to expressions. An expression has at most
/// 50,000 nodes, nested at most 48 deep. Constant parts are computed at compile time.
public struct StyleExpression: Sendable {
    let node: any ExpressionNode
    /// The text for features without a name in the language of labels, or `nil` if the language makes no difference.
    private let stated: (any ExpressionNode)?
    /// The inputs on which the value depends.
    private let dependence: Dependence

    /// Whether the value is the same for all features.
    public var isFeatureConstant: Bool { !dependence.contains(.feature) }

    /// Whether the value is the same at all zooms.
    public var isZoomConstant: Bool { !dependence.contains(.zoom) }

    /// The type of the values.
    public var type: ExpressionValue.ValueType { node.type }

    /// The value if it depends on no input, otherwise `nil`.
    public var constant: ExpressionValue? { (node as? LiteralNode)?.value }

    /// Whether a list is an expression rather than a literal: whether it begins with the name of an operator.
    static func isExpression(_ items: [PropertyValue]) -> Bool {
        items.first?.stringValue.map { ExpressionParser.readers[$0] != nil } ?? false
    }

    /// Whether the value depends on the feature state, which documents do not contain.
    var dependsOnState: Bool { dependence.contains(.state) }

    /// Whether the value depends on the identifiers of features.
    var dependsOnIdentity: Bool { dependence.contains(.identity) || dependsOnState }

    /// Whether the value depends on the coordinates of features.
    var dependsOnShape: Bool { dependence.contains(.shape) }

    /// The feature properties on which the value depends, or `nil` if their names are computed.
    package var propertyNames: Set<String>? {
        guard !dependence.contains(.allProperties) else { return nil }
        var names: Set<String> = []
        func add(_ node: any ExpressionNode) {
            if let property = node as? PropertyNode, property.object == nil, let name = property.literal {
                names.insert(name)
            }
            node.children.forEach(add)
        }
        add(node)
        return names
    }

    /// Compiles the value of a property: an expression, a stop function, or a literal.
    ///
    /// - Throws: ``StyleExpressionError`` with the position in the expression and the error.
    /// - Complexity: O(*n*) in the nodes of the expression.
    public init(_ value: PropertyValue, for specification: PropertySpecification) throws(StyleExpressionError) {
        try self.init(value, for: specification, language: nil)
    }

    /// Compiles the value of a property, which reads names in a language.
    init(
        _ value: PropertyValue, for specification: PropertySpecification, language: LabelLanguage?
    ) throws(StyleExpressionError) {
        var json = value
        if let function = value.objectValue {
            json = try LegacyFunction(function, for: specification).expression()
        }
        try self.init(json: json, specification, language)
        try check(specification)
    }

    /// Compiles a filter in expression syntax or in the legacy syntax.
    ///
    /// - Throws: ``StyleExpressionError`` with the position in the filter and the error.
    public init(filter: PropertyValue) throws(StyleExpressionError) {
        let json = LegacyFilter.isExpression(filter) ? filter : try LegacyFilter.expression(filter)
        try self.init(json: json, .filter)
    }

    /// Compiles an expression in the current syntax, with zoom at any position.
    init(
        json: PropertyValue, _ specification: PropertySpecification, _ language: LabelLanguage? = nil
    ) throws(StyleExpressionError) {
        var parser = ExpressionParser(language: language)
        let annotation: ExpressionParser.Annotation? = specification.kind == .string ? .coercion : nil
        guard let node = parser.read(json, specification.type, annotation) else {
            throw StyleExpressionError(errors: parser.errors)
        }
        self.node = node
        if parser.readsLocalNames {
            var plain = ExpressionParser()
            stated = plain.read(json, specification.type, annotation)
        } else {
            stated = nil
        }
        dependence = node.totalDependence
    }

    /// Checks that the expression only depends on inputs allowed for the property.
    ///
    /// A filter may use zoom at any position.
    private func check(_ specification: PropertySpecification) throws(StyleExpressionError) {
        func fault(_ reason: StyleExpressionError.Problem.Reason) -> StyleExpressionError {
            StyleExpressionError(errors: [StyleExpressionError.Problem(path: [], reason: reason)])
        }
        if !isFeatureConstant, !specification.dependsOnFeatures { throw fault(.featureNotAllowed) }
        if !isZoomConstant, !specification.dependsOnZoom { throw fault(.zoomNotAllowed) }
        let curve: (any ExpressionNode)?
        do { curve = try ZoomCurve.find(in: node) } catch { throw fault(error.reason) }
        if curve == nil, !isZoomConstant { throw fault(.zoomMisplaced) }
        if curve is InterpolateNode, !specification.isInterpolated { throw fault(.interpolationNotAllowed) }
    }

    /// Returns the value for a feature at a zoom.
    ///
    /// - Throws: ``EvaluationError`` with the position in the expression and the error. A style then uses the default
    ///   of the property.
    public func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        let value = try node.evaluate(context)
        guard let stated, value.isBlankText else { return value }
        return try stated.evaluate(context)
    }

    /// Whether the value reads names in the language of labels.
    var readsLocalNames: Bool { stated != nil }

    /// Returns whether a filter accepts a feature; `false` if evaluation fails.
    public func matches(_ context: ExpressionContext) -> Bool {
        (try? node.flag(context)) ?? false
    }
}

/// The single `step` or `interpolate` that may have zoom as its input.
private enum ZoomCurve {
    struct Fault: Error {
        let reason: StyleExpressionError.Problem.Reason
    }

    /// The curve of an expression, or `nil` if zoom is not an input.
    static func find(in node: any ExpressionNode) throws(Fault) -> (any ExpressionNode)? {
        try search(node)?.node
    }

    private struct Found {
        let node: any ExpressionNode
        /// The order in which it was visited, to distinguish two curves.
        let place: Int
    }

    private static func search(_ node: any ExpressionNode) throws(Fault) -> Found? {
        var count = 0
        return try search(node, &count)
    }

    private static func search(_ node: any ExpressionNode, _ count: inout Int) throws(Fault) -> Found? {
        count += 1
        let place = count
        // A curve may only be nested in `let` and `coalesce`.
        var isTransparent = false
        var result: Found?
        switch node {
        case let step as StepNode where step.input is ZoomNode: result = Found(node: node, place: place)
        case let curve as InterpolateNode where curve.input is ZoomNode: result = Found(node: node, place: place)
        case is LetNode, is CoalesceNode: isTransparent = true
        default: break
        }
        let last = node.children.count - 1
        for (index, child) in node.children.enumerated() {
            guard let found = try search(child, &count) else { continue }
            if result != nil { throw Fault(reason: .severalZoomCurves) }
            guard isTransparent, !(node is LetNode) || index == last else { throw Fault(reason: .zoomMisplaced) }
            result = found
        }
        return result
    }
}

extension ExpressionValue {
    /// Whether the value is a text without a letter or an image.
    fileprivate var isBlankText: Bool {
        switch self {
        case .null: true
        case .string(let text): text.allSatisfy(\.isWhitespace)
        case .formatted(let text): text.sections.allSatisfy { $0.image == nil && $0.text.allSatisfy(\.isWhitespace) }
        default: false
        }
    }
}
