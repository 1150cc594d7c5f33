import PortolanFeatures

/// An operator with fixed argument types.
struct FunctionDefinition: Sendable {
    /// The argument types of one form of an operator.
    enum Signature: Sendable {
        case fixed([ExpressionValue.ValueType])
        case many(ExpressionValue.ValueType)

        func allows(_ count: Int) -> Bool { if case .fixed(let types) = self { types.count == count } else { true } }

        func type(at place: Int) -> ExpressionValue.ValueType {
            switch self {
            case .fixed(let types): types[place]
            case .many(let type): type
            }
        }

        var text: String {
            switch self {
            case .fixed(let types): "(\(types.map(\.description).joined(separator: ", ")))"
            case .many(let type): "(\(type)...)"
            }
        }
    }

    let signatures: [Signature]
    /// Creates the node from arguments of the correct types, and its path.
    let make: @Sendable ([any ExpressionNode], [Int]) -> any ExpressionNode

    init(_ signatures: [Signature], make: @escaping @Sendable ([any ExpressionNode], [Int]) -> any ExpressionNode) {
        self.signatures = signatures
        self.make = make
    }

    /// Defines a function of its argument values.
    init(
        _ type: ExpressionValue.ValueType, _ signature: Signature, dependence: Dependence = [],
        _ body: @escaping FunctionNode.Body
    ) {
        self.init([signature]) { arguments, path in
            FunctionNode(type: type, children: arguments, dependence: dependence, path: path, body: body)
        }
    }

    /// Parses a call with the form that has the given number of arguments, or records an error that lists the forms.
    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard let name = arguments.first?.stringValue, let definition = all[name] else { return nil }
        let count = arguments.count - 1
        let fitting = definition.signatures.filter { $0.allows(count) }
        if let signature = fitting.first {
            let (nodes, errors) = parser.attempt { parser in
                definition.arguments(arguments, signature, &parser)
            }
            if let nodes { return definition.make(nodes, parser.path) }
            // If several forms have this number of arguments, the error lists them all, unless it is deeper inside.
            let isOfTypes = errors.allSatisfy { error in
                if case .type = error.reason { error.path.count == parser.path.count + 1 } else { false }
            }
            guard fitting.count > 1, isOfTypes else {
                parser.add(errors)
                return nil
            }
        }
        var found: [ExpressionValue.ValueType] = []
        for place in arguments.indices.dropFirst() {
            guard let node = parser.read(arguments[place], at: place) else { return nil }
            found.append(node.type)
        }
        let told = fitting.isEmpty ? definition.signatures : fitting
        return parser.fail(.signature(wanted: told.map(\.text), found: found))
    }

    private func arguments(
        _ arguments: [PropertyValue], _ signature: Signature, _ parser: inout ExpressionParser
    )
        -> [any ExpressionNode]?
    {
        var nodes: [any ExpressionNode] = []
        for place in arguments.indices.dropFirst() {
            guard let node = parser.read(arguments[place], at: place, signature.type(at: place - 1)) else { return nil }
            nodes.append(node)
        }
        return nodes
    }
}

/// A call of a function of its argument values.
struct FunctionNode: ExpressionNode {
    /// Computes the value from those of the arguments; the path is the position of the call.
    typealias Body =
        @Sendable (
            _ values: [ExpressionValue], _ context: ExpressionContext, _ path: [Int]
        ) throws(EvaluationError) -> ExpressionValue

    let type: ExpressionValue.ValueType
    let children: [any ExpressionNode]
    let dependence: Dependence
    let path: [Int]
    let body: Body

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        var values: [ExpressionValue] = []
        values.reserveCapacity(children.count)
        for child in children { values.append(try child.evaluate(context)) }
        return try body(values, context, path)
    }
}

/// `get` and `has`, for feature properties or an object.
struct PropertyNode: ExpressionNode {
    let isQuestion: Bool
    let name: any ExpressionNode
    let object: (any ExpressionNode)?
    /// The name, unless it is computed.
    let literal: String?

    init(isQuestion: Bool, name: any ExpressionNode, object: (any ExpressionNode)?) {
        self.isQuestion = isQuestion
        self.name = name
        self.object = object
        literal = (name as? LiteralNode)?.value.stringValue
    }

    var type: ExpressionValue.ValueType { isQuestion ? .boolean : .value }
    var children: [any ExpressionNode] { object.map { [name, $0] } ?? [name] }
    var dependence: Dependence { object != nil ? [] : literal == nil ? [.feature, .allProperties] : .feature }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        let key: String
        if let literal { key = literal } else { key = try name.string(context) }
        let found: PropertyValue?
        if let object {
            guard case .object(let members) = try object.evaluate(context) else {
                return isQuestion ? .boolean(false) : .null
            }
            found = members[key]
        } else {
            found = context.properties[key]
        }
        return isQuestion ? .boolean(found != nil) : found.map(ExpressionValue.init) ?? .null
    }
}

/// `zoom`.
struct ZoomNode: ExpressionNode {
    var type: ExpressionValue.ValueType { .number }
    var children: [any ExpressionNode] { [] }
    var dependence: Dependence { .zoom }
    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue { .number(context.zoom) }
    func number(_ context: ExpressionContext) throws(EvaluationError) -> Double { context.zoom }
}

/// `all`, `any` and `!`, with short-circuit evaluation.
struct LogicNode: ExpressionNode {
    enum Operation: Sendable {
        case all
        case any
        case not
    }

    let operation: Operation
    let children: [any ExpressionNode]
    var type: ExpressionValue.ValueType { .boolean }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        .boolean(try flag(context))
    }

    func flag(_ context: ExpressionContext) throws(EvaluationError) -> Bool {
        switch operation {
        case .all:
            for child in children where !(try child.flag(context)) { return false }
            return true
        case .any:
            for child in children where try child.flag(context) { return true }
            return false
        case .not: return !(try children[0].flag(context))
        }
    }
}
