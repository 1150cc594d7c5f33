import PortolanFeatures
import PortolanWeb

/// Parses an expression, checks the types of its parts, and folds constants.
struct ExpressionParser {
    /// The wrapping of an expression whose type is only known at evaluation.
    enum Annotation {
        case assertion
        case coercion
        case none
    }

    typealias Reader =
        @Sendable (
            [PropertyValue], ExpressionValue.ValueType?, inout ExpressionParser
        ) -> (any ExpressionNode)?

    /// The largest nesting depth.
    static let maximumDepth = 48
    /// The largest number of nodes: a stop for each kilometre of a long line.
    static let maximumCount = 50_000

    /// The expression bound to a variable, and its number of nodes.
    struct Binding {
        let node: any ExpressionNode
        let count: Int
    }

    /// The language of names, or `nil` if they are read as stated.
    let language: LabelLanguage?
    /// Whether a name is read in the language.
    private(set) var readsLocalNames = false
    private(set) var errors: [StyleExpressionError.Problem] = []
    private(set) var path: [Int] = []
    private var scopes: [[String: Binding]] = []
    private var depth = 0
    /// The number of parsed nodes.
    ///
    /// A bound expression is evaluated wherever its variable is used, and is counted each time.
    private(set) var count = 0

    init(language: LabelLanguage? = nil) { self.language = language }

    /// Parses the argument at an index of the current expression.
    mutating func read(
        _ value: PropertyValue, at place: Int, _ expected: ExpressionValue.ValueType? = nil,
        _ annotation: Annotation? = nil
    ) -> (any ExpressionNode)? {
        path.append(place)
        defer { path.removeLast() }
        return read(value, expected, annotation)
    }

    /// Parses an expression.
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
        guard var node = reader(arguments, expected, &self) else { return nil }
        if let language, let property = node as? PropertyNode, let local = LocalNameNode(property, in: language) {
            node = local
            readsLocalNames = true
        }
        return annotated(node, expected, annotation).flatMap { folded($0) }
    }

    /// The node, converted to the required type if necessary, or `nil` if that is impossible.
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

    /// Replaces a constant expression by its value.
    ///
    /// Images are not folded, because the available ones are not known yet.
    private mutating func folded(_ node: any ExpressionNode) -> (any ExpressionNode)? {
        guard !(node is LiteralNode), node.type != .resolvedImage, node.isConstant else { return node }
        do {
            return LiteralNode(try node.evaluate(ExpressionContext()), type: node.type)
        } catch {
            return fail(.evaluation(error.reason))
        }
    }

    /// Parses with additional variables.
    mutating func binding(
        _ names: [String: Binding], _ read: (inout ExpressionParser) -> (any ExpressionNode)?
    ) -> (any ExpressionNode)? {
        scopes.append(names)
        defer { scopes.removeLast() }
        return read(&self)
    }

    /// The expression bound to a variable.
    mutating func bound(to name: String) -> (any ExpressionNode)? {
        for scope in scopes.reversed() {
            guard let binding = scope[name] else { continue }
            count += binding.count
            return binding.node
        }
        return nil
    }

    /// Parses without recording errors, which are returned instead.
    mutating func attempt<Result>(
        _ read: (inout ExpressionParser) -> Result
    ) -> (result: Result, errors: [StyleExpressionError.Problem]) {
        let kept = errors
        errors = []
        let result = read(&self)
        defer { errors = kept }
        return (result, errors)
    }

    /// Adds the errors of an attempt.
    mutating func add(_ more: [StyleExpressionError.Problem]) { errors += more }

    /// Records an error at the current position, or at that of an argument.
    mutating func fail<Node>(_ reason: StyleExpressionError.Problem.Reason, at places: Int...) -> Node? {
        note(reason, at: places)
        return nil
    }

    private mutating func note(_ reason: StyleExpressionError.Problem.Reason, at places: [Int]) {
        errors.append(StyleExpressionError.Problem(path: path + places, reason: reason))
    }

    /// Records that an operator has too few or too many arguments.
    mutating func wrongCount<Node>(_ wanted: String, _ arguments: [PropertyValue]) -> Node? {
        fail(.argumentCount(wanted: wanted, found: arguments.count - 1))
    }

    /// Whether a type is the required one; records an error if not.
    mutating func check(
        _ type: ExpressionValue.ValueType, is wanted: ExpressionValue.ValueType, at places: Int...
    ) -> Bool {
        guard !type.isSubtype(of: wanted) else { return true }
        note(.type(wanted: wanted, found: type), at: places)
        return false
    }
}

extension ExpressionParser {
    /// The parsers of all operators.
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
        // An empty list matches any required item type.
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
