import PortolanFeatures
import PortolanWeb

/// Reads an expression and checks the types of its parts; what is constant is computed at once.
struct ExpressionParser {
    /// What is put around an expression whose type is only known when a feature is there.
    enum Annotation {
        case assertion
        case coercion
        case none
    }

    typealias Reader =
        @Sendable (
            [PropertyValue], ExpressionValue.ValueType?, inout ExpressionParser
        ) -> (any ExpressionNode)?

    /// How many expressions may stand inside one another.
    static let maximumDepth = 48
    /// How many expressions one may be made of: one stop each kilometre of a long line.
    static let maximumCount = 50_000

    /// What a variable stands for, and of how many expressions that is made.
    struct Binding {
        let node: any ExpressionNode
        let count: Int
    }

    private(set) var errors: [StyleExpressionError.Problem] = []
    private(set) var path: [Int] = []
    private var scopes: [[String: Binding]] = []
    private var depth = 0
    /// How many expressions were read; what a variable stands for is evaluated wherever it stands, and so counts each time.
    private(set) var count = 0

    /// Reads the argument at a place of the expression being read.
    mutating func read(
        _ value: PropertyValue, at place: Int, _ expected: ExpressionValue.ValueType? = nil,
        _ annotation: Annotation? = nil
    ) -> (any ExpressionNode)? {
        path.append(place)
        defer { path.removeLast() }
        return read(value, expected, annotation)
    }

    /// Reads an expression.
    mutating func read(
        _ value: PropertyValue, _ expected: ExpressionValue.ValueType?, _ annotation: Annotation? = nil
    ) -> (any ExpressionNode)? {
        count += 1
        guard count <= Self.maximumCount, depth < Self.maximumDepth else {
            return fail(.tooLarge(limit: count > Self.maximumCount ? Self.maximumCount : Self.maximumDepth))
        }
        depth += 1
        defer { depth -= 1 }
        var arguments: [PropertyValue]
        switch value {
        case .null, .bool, .integer, .number, .string: arguments = [.string("literal"), value]
        case .object: return fail(.malformed(wanted: "an expression, or [\"literal\", {...}] for an object"))
        case .array(let items): arguments = items
        }
        guard let first = arguments.first else {
            return fail(.malformed(wanted: "an expression name, or [\"literal\", []] for an empty list"))
        }
        guard let name = first.stringValue else {
            return fail(.malformed(wanted: "an expression name, or [\"literal\", [...]] for a list"), at: 0)
        }
        guard let reader = Self.readers[name] else {
            let near = NearName.nearest(to: name, in: Self.readers.keys.sorted())
            return fail(.unknownOperator(name, near: near), at: 0)
        }
        guard let node = reader(arguments, expected, &self) else { return nil }
        return annotated(node, expected, annotation).flatMap { folded($0) }
    }

    /// The node, made sure to be of the type asked for, or `nil` where it can never be.
    private mutating func annotated(
        _ node: any ExpressionNode, _ expected: ExpressionValue.ValueType?, _ annotation: Annotation?
    ) -> (any ExpressionNode)? {
        guard let expected else { return node }
        let usual: Annotation
        switch (expected, node.type) {
        case (.string, .value), (.number, .value), (.boolean, .value), (.object, .value), (.array, .value):
            usual = .assertion
        case (.projectionDefinition, .string), (.projectionDefinition, .array), (.projectionDefinition, .value),
            (.color, .value), (.color, .string), (.formatted, .value), (.formatted, .string),
            (.resolvedImage, .value), (.resolvedImage, .string),
            (.padding, .value), (.padding, .number), (.padding, .array),
            (.numberArray, .value), (.numberArray, .number), (.numberArray, .array),
            (.colorArray, .value), (.colorArray, .string), (.colorArray, .array),
            (.variableAnchorOffsetCollection, .value), (.variableAnchorOffsetCollection, .array):
            usual = .coercion
        default: return check(node.type, is: expected) ? node : nil
        }
        switch annotation ?? usual {
        case .assertion: return AssertionNode(type: expected, arguments: [node], path: path)
        case .coercion: return CoercionNode(type: expected, arguments: [node], path: path)
        case .none: return node
        }
    }

    /// What can be computed at once as its value; pictures cannot, since which there are is not known yet.
    private mutating func folded(_ node: any ExpressionNode) -> (any ExpressionNode)? {
        guard !(node is LiteralNode), node.type != .resolvedImage, node.isConstant else { return node }
        do {
            return LiteralNode(try node.evaluate(ExpressionContext()), type: node.type)
        } catch {
            return fail(.evaluation(error.reason))
        }
    }

    /// Reads with more variables.
    mutating func binding(
        _ names: [String: Binding], _ read: (inout ExpressionParser) -> (any ExpressionNode)?
    ) -> (any ExpressionNode)? {
        scopes.append(names)
        defer { scopes.removeLast() }
        return read(&self)
    }

    /// What a variable is bound to.
    mutating func bound(to name: String) -> (any ExpressionNode)? {
        for scope in scopes.reversed() {
            guard let binding = scope[name] else { continue }
            count += binding.count
            return binding.node
        }
        return nil
    }

    /// Reads without keeping the errors, which are given beside.
    mutating func attempt<Result>(
        _ read: (inout ExpressionParser) -> Result
    ) -> (result: Result, errors: [StyleExpressionError.Problem]) {
        let kept = errors
        errors = []
        let result = read(&self)
        defer { errors = kept }
        return (result, errors)
    }

    /// Adds errors that an attempt gave.
    mutating func add(_ more: [StyleExpressionError.Problem]) { errors += more }

    /// Notes an error at this place, or at an argument's.
    mutating func fail<Node>(_ reason: StyleExpressionError.Problem.Reason, at places: Int...) -> Node? {
        note(reason, at: places)
        return nil
    }

    private mutating func note(_ reason: StyleExpressionError.Problem.Reason, at places: [Int]) {
        errors.append(StyleExpressionError.Problem(path: path + places, reason: reason))
    }

    /// Notes that an operator has too few or too many arguments.
    mutating func wrongCount<Node>(_ wanted: String, _ arguments: [PropertyValue]) -> Node? {
        fail(.argumentCount(wanted: wanted, found: arguments.count - 1))
    }

    /// Whether a type is that asked for; notes an error when it is not.
    mutating func check(
        _ type: ExpressionValue.ValueType, is wanted: ExpressionValue.ValueType, at places: Int...
    ) -> Bool {
        guard !type.isSubtype(of: wanted) else { return true }
        note(.type(wanted: wanted, found: type), at: places)
        return false
    }
}

extension ExpressionParser {
    /// The readers of all operators.
    static let readers: [String: Reader] = {
        var readers: [String: Reader] = [
            "literal": readLiteral, "let": LetNode.read, "var": readVariable, "semiliteral": SemiliteralNode.read,
            "at": AtNode.read, "in": ContainsNode.read, "index-of": IndexNode.read, "length": LengthNode.read,
            "slice": SliceNode.read, "case": CaseNode.read, "match": MatchNode.read, "coalesce": CoalesceNode.read,
            "step": StepNode.read, "format": FormatNode.read, "image": ImageNode.read, "collator": CollatorNode.read,
            "number-format": NumberFormatNode.read, "global-state": GlobalStateNode.read,
            "within": WithinNode.read, "distance": DistanceNode.read,
        ]
        for name in ["string", "number", "boolean", "object", "array"] { readers[name] = AssertionNode.read }
        for name in ["to-string", "to-number", "to-boolean", "to-color"] { readers[name] = CoercionNode.read }
        for name in ["==", "!=", "<", "<=", ">", ">="] { readers[name] = ComparisonNode.read }
        for name in ["interpolate", "interpolate-hcl", "interpolate-lab"] { readers[name] = InterpolateNode.read }
        for name in FunctionDefinition.all.keys { readers[name] = FunctionDefinition.read }
        return readers
    }()

    private static let readLiteral: Reader = { arguments, expected, parser in
        guard arguments.count == 2 else { return parser.wrongCount("1 argument", arguments) }
        let value = ExpressionValue(arguments[1])
        // An empty list is one of what is asked for.
        if case .array(let items) = value, items.isEmpty, let expected, case .array(_, let count) = expected,
            count ?? 0 == 0
        {
            return LiteralNode(value, type: expected)
        }
        return LiteralNode(value)
    }

    private static let readVariable: Reader = { arguments, _, parser in
        guard arguments.count == 2, let name = arguments[1].stringValue else {
            return parser.fail(.malformed(wanted: "a variable name"))
        }
        guard let bound = parser.bound(to: name) else { return parser.fail(.unknownVariable(name), at: 1) }
        return VariableNode(bound: bound)
    }
}
