public import PortolanFeatures

/// An expression of the MapLibre Style Specification, checked and compiled once for evaluation over many features.
///
/// Functions of stops, filters of old and texts with `{tokens}` are read too; they become expressions. An expression is made
/// of at most 50,000 parts, at most 48 inside one another; what is constant in it is computed while it is read.
public struct StyleExpression: Sendable {
    let node: any ExpressionNode
    /// Whether the value is the same for all features.
    public let isFeatureConstant: Bool
    /// Whether the value is the same at all zooms.
    public let isZoomConstant: Bool

    /// The type of the values.
    public var type: ExpressionValue.ValueType { node.type }

    /// The value, where it is the same for all features and zooms, and nothing else decides it; `nil` otherwise.
    public var constant: ExpressionValue? { (node as? LiteralNode)?.value }

    /// Whether a list is an expression, and not a plain value: whether it begins with the name of an operator.
    static func isExpression(_ items: [PropertyValue]) -> Bool {
        items.first?.stringValue.map { ExpressionParser.readers[$0] != nil } ?? false
    }

    /// Whether the value depends on the state of features, which documents do not have.
    var dependsOnState: Bool { node.totalDependence.contains(.state) }

    /// Whether the value depends on the identifiers of features.
    var dependsOnIdentity: Bool { node.totalDependence.contains(.identity) || dependsOnState }

    /// Whether the value depends on the coordinates of features.
    var dependsOnShape: Bool { node.totalDependence.contains(.shape) }

    /// The names of the properties of features that the value depends on, or `nil` if they are computed.
    var propertyNames: Set<String>? {
        guard !node.totalDependence.contains(.allProperties) else { return nil }
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

    /// Compiles the value of a property: an expression, a function of stops, or a plain value.
    ///
    /// - Throws: ``StyleExpressionError`` with the place in the expression and what is wrong there.
    /// - Complexity: O(*n*) in the parts of the expression.
    public init(_ value: PropertyValue, for specification: PropertySpecification) throws(StyleExpressionError) {
        var json = value
        if let function = value.objectValue {
            json = try LegacyFunction(function, for: specification).expression()
        }
        try self.init(json: json, specification)
        try check(specification)
    }

    /// Compiles a filter, in the syntax of expressions or in that of old.
    ///
    /// - Throws: ``StyleExpressionError`` with the place in the filter and what is wrong there.
    public init(filter: PropertyValue) throws(StyleExpressionError) {
        let json = LegacyFilter.isExpression(filter) ? filter : try LegacyFilter.expression(filter)
        try self.init(json: json, .filter)
    }

    /// Compiles an expression whose syntax is that of today, wherever zoom stands in it.
    init(json: PropertyValue, _ specification: PropertySpecification) throws(StyleExpressionError) {
        var parser = ExpressionParser()
        let annotation: ExpressionParser.Annotation? = specification.kind == .string ? .coercion : nil
        guard let node = parser.read(json, specification.type, annotation) else {
            throw StyleExpressionError(errors: parser.errors)
        }
        self.node = node
        let dependence = node.totalDependence
        isFeatureConstant = !dependence.contains(.feature)
        isZoomConstant = !dependence.contains(.zoom)
    }

    /// Whether the expression depends on nothing that the property cannot depend on; a filter may depend on zoom anywhere.
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

    /// The value for a feature at a zoom.
    ///
    /// - Throws: ``EvaluationError`` with the place in the expression and what is wrong there; a style then takes the
    ///   property's default.
    public func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        try node.evaluate(context)
    }

    /// Whether a filter lets a feature through; one that fails does not.
    public func matches(_ context: ExpressionContext) -> Bool {
        (try? node.flag(context)) ?? false
    }
}

/// The one `step` or `interpolate` that may have zoom as its input.
private enum ZoomCurve {
    struct Fault: Error {
        let reason: StyleExpressionError.Problem.Reason
    }

    /// The curve of an expression, or `nil` when zoom is nowhere an input.
    static func find(in node: any ExpressionNode) throws(Fault) -> (any ExpressionNode)? {
        try search(node)?.node
    }

    private struct Found {
        let node: any ExpressionNode
        /// How far down the tree it was met, in the order of the walk; tells two curves apart.
        let place: Int
    }

    private static func search(_ node: any ExpressionNode) throws(Fault) -> Found? {
        var count = 0
        return try search(node, &count)
    }

    private static func search(_ node: any ExpressionNode, _ count: inout Int) throws(Fault) -> Found? {
        count += 1
        let place = count
        // A curve may stand inside `let` and `coalesce`, and nowhere else.
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
