import PortolanFeatures

/// A node of a compiled expression.
protocol ExpressionNode: Sendable {
    /// The type of its value.
    var type: ExpressionValue.ValueType { get }
    /// The child expressions.
    var children: [any ExpressionNode] { get }
    /// The inputs on which its value depends, besides its children.
    var dependence: Dependence { get }
    /// Evaluates the expression.
    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue
    /// Evaluates an expression of type number, without boxing the value.
    func number(_ context: ExpressionContext) throws(EvaluationError) -> Double
    /// Evaluates an expression of type boolean.
    func flag(_ context: ExpressionContext) throws(EvaluationError) -> Bool
}

/// The inputs on which the value of an expression depends, besides its arguments.
struct Dependence: OptionSet, Sendable {
    let rawValue: UInt8
    /// The feature, or its state.
    static let feature = Dependence(rawValue: 1)
    static let zoom = Dependence(rawValue: 2)
    /// The feature state, in addition.
    static let state = Dependence(rawValue: 8)
    /// The feature identifier, in addition.
    static let identity = Dependence(rawValue: 16)
    /// The feature coordinates, in addition.
    static let shape = Dependence(rawValue: 32)
    /// All properties of the feature, or properties with computed names, in addition.
    static let allProperties = Dependence(rawValue: 64)
    /// Any other input, which prevents constant folding.
    static let other = Dependence(rawValue: 4)
}

extension ExpressionNode {
    var dependence: Dependence { [] }

    /// The inputs on which the value depends, including its children.
    var totalDependence: Dependence { children.reduce(dependence) { $0.union($1.totalDependence) } }

    func number(_ context: ExpressionContext) throws(EvaluationError) -> Double {
        let value = try evaluate(context)
        guard case .number(let number) = value else {
            throw EvaluationError(path: [], reason: .type(wanted: .number, found: value.type))
        }
        return number
    }

    func flag(_ context: ExpressionContext) throws(EvaluationError) -> Bool { try evaluate(context).isTrue }

    func string(_ context: ExpressionContext) throws(EvaluationError) -> String {
        let value = try evaluate(context)
        guard case .string(let text) = value else {
            throw EvaluationError(path: [], reason: .type(wanted: .string, found: value.type))
        }
        return text
    }

    /// Whether the value can be computed at compile time.
    ///
    /// Constant arguments have already become literals, except for the nodes that type inference wraps around them.
    var isConstant: Bool {
        if self is LiteralNode { return true }
        if let variable = self as? VariableNode { return variable.bound.isConstant }
        guard totalDependence.isEmpty else { return false }
        let isAnnotation = self is AssertionNode || self is CoercionNode
        return children.allSatisfy { isAnnotation ? $0.isConstant : $0 is LiteralNode }
    }
}

/// A literal, or a constant that was computed at compile time.
struct LiteralNode: ExpressionNode {
    let type: ExpressionValue.ValueType
    let value: ExpressionValue
    private let number: Double?
    var children: [any ExpressionNode] { [] }

    init(_ value: ExpressionValue, type: ExpressionValue.ValueType? = nil) {
        self.value = value
        self.type = type ?? value.type
        number = value.numberValue
    }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue { value }

    func number(_ context: ExpressionContext) throws(EvaluationError) -> Double {
        guard let number else { throw EvaluationError(path: [], reason: .type(wanted: .number, found: type)) }
        return number
    }
}

/// `let`: the bound expressions are evaluated wherever their variables are used.
struct LetNode: ExpressionNode {
    let bindings: [any ExpressionNode]
    let result: any ExpressionNode
    var type: ExpressionValue.ValueType { result.type }
    var children: [any ExpressionNode] { bindings + [result] }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        try result.evaluate(context)
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count >= 4 else { return parser.wrongCount("3 or more arguments", arguments) }
        var names: [String: ExpressionParser.Binding] = [:]
        var bindings: [any ExpressionNode] = []
        for index in stride(from: 1, to: arguments.count - 1, by: 2) {
            guard let name = arguments[index].stringValue,
                name.utf8.allSatisfy({
                    (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_")
                })
            else { return parser.fail(.malformed(wanted: "a name of letters, digits and '_'"), at: index) }
            let before = parser.count
            guard let value = parser.read(arguments[index + 1], at: index + 1) else { return nil }
            bindings.append(value)
            names[name] = ExpressionParser.Binding(node: value, count: parser.count - before)
        }
        let last = arguments.count - 1
        guard let result = parser.binding(names, { $0.read(arguments[last], at: last, expected) }) else { return nil }
        return LetNode(bindings: bindings, result: result)
    }
}

/// `var`.
struct VariableNode: ExpressionNode {
    let bound: any ExpressionNode
    var type: ExpressionValue.ValueType { bound.type }
    // Its dependences are counted at the binding.
    var children: [any ExpressionNode] { [] }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        try bound.evaluate(context)
    }

    func number(_ context: ExpressionContext) throws(EvaluationError) -> Double { try bound.number(context) }
}
