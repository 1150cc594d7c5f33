import PortolanFeatures

extension ExpressionValue.ValueType {
    /// The type that an operator expects of its outputs: the expected one, or `nil` if the first output decides.
    static func output(for expected: ExpressionValue.ValueType?) -> ExpressionValue.ValueType? {
        expected == .value ? nil : expected
    }
}

/// `case`.
struct CaseNode: ExpressionNode {
    let type: ExpressionValue.ValueType
    let branches: [(test: any ExpressionNode, output: any ExpressionNode)]
    let otherwise: any ExpressionNode
    var children: [any ExpressionNode] { branches.flatMap { [$0.test, $0.output] } + [otherwise] }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        try chosen(context).evaluate(context)
    }

    func number(_ context: ExpressionContext) throws(EvaluationError) -> Double {
        try chosen(context).number(context)
    }

    private func chosen(_ context: ExpressionContext) throws(EvaluationError) -> any ExpressionNode {
        for branch in branches where try branch.test.flag(context) { return branch.output }
        return otherwise
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count >= 4 else { return parser.wrongCount("3 or more arguments", arguments) }
        guard arguments.count.isMultiple(of: 2) else {
            return parser.wrongCount("an odd number of arguments", arguments)
        }
        var type = ExpressionValue.ValueType.output(for: expected)
        var branches: [(any ExpressionNode, any ExpressionNode)] = []
        for place in stride(from: 1, to: arguments.count - 1, by: 2) {
            guard let test = parser.read(arguments[place], at: place, .boolean),
                let output = parser.read(arguments[place + 1], at: place + 1, type)
            else { return nil }
            branches.append((test, output))
            type = type ?? output.type
        }
        let last = arguments.count - 1
        guard let otherwise = parser.read(arguments[last], at: last, type) else { return nil }
        return CaseNode(type: type ?? otherwise.type, branches: branches, otherwise: otherwise)
    }
}

/// `match`: a branch by label, looked up in constant time.
struct MatchNode: ExpressionNode {
    enum Label: Hashable, Sendable {
        case number(Double)
        case string(String)
    }

    let type: ExpressionValue.ValueType
    let input: any ExpressionNode
    let branches: [Label: Int]
    let outputs: [any ExpressionNode]
    let otherwise: any ExpressionNode
    var children: [any ExpressionNode] { [input] + outputs + [otherwise] }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        try chosen(context).evaluate(context)
    }

    func number(_ context: ExpressionContext) throws(EvaluationError) -> Double {
        try chosen(context).number(context)
    }

    private func chosen(_ context: ExpressionContext) throws(EvaluationError) -> any ExpressionNode {
        let place: Int? =
            switch try input.evaluate(context) {
            case .number(let number): branches[.number(number)]
            case .string(let text): branches[.string(text)]
            default: nil
            }
        return place.map { outputs[$0] } ?? otherwise
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count >= 5 else { return parser.wrongCount("4 or more arguments", arguments) }
        guard !arguments.count.isMultiple(of: 2) else {
            return parser.wrongCount("an even number of arguments", arguments)
        }
        var type = ExpressionValue.ValueType.output(for: expected)
        var inputType: ExpressionValue.ValueType?
        var branches: [Label: Int] = [:]
        var outputs: [any ExpressionNode] = []
        for place in stride(from: 2, to: arguments.count - 1, by: 2) {
            let labels = arguments[place].arrayValue ?? [arguments[place]]
            guard !labels.isEmpty else { return parser.fail(.malformed(wanted: "one or more labels"), at: place) }
            for value in labels {
                let label: Label
                if let text = value.stringValue {
                    label = .string(text)
                } else if let number = value.doubleValue, number == number.rounded(),
                    number.magnitude < 9_007_199_254_740_992
                {
                    label = .number(number)
                } else {
                    return parser.fail(.malformed(wanted: "strings or whole numbers as labels"), at: place)
                }
                let labelType = ExpressionValue(value).type
                guard parser.check(labelType, is: inputType ?? labelType, at: place) else { return nil }
                inputType = labelType
                guard branches.updateValue(outputs.count, forKey: label) == nil else {
                    return parser.fail(.repeatedLabel, at: place)
                }
            }
            // Errors in an output are reported at the index of its labels.
            guard let output = parser.read(arguments[place + 1], at: place, type) else { return nil }
            type = type ?? output.type
            outputs.append(output)
        }
        guard let input = parser.read(arguments[1], at: 1, .value) else { return nil }
        let last = arguments.count - 1
        guard let otherwise = parser.read(arguments[last], at: last, type) else { return nil }
        if input.type != .value, let inputType, !parser.check(input.type, is: inputType, at: 1) { return nil }
        return MatchNode(
            type: type ?? otherwise.type, input: input, branches: branches, outputs: outputs, otherwise: otherwise)
    }
}

/// `coalesce`: the first value that is not null; for images, the first that the sprite contains.
struct CoalesceNode: ExpressionNode {
    let type: ExpressionValue.ValueType
    let arguments: [any ExpressionNode]
    var children: [any ExpressionNode] { arguments }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        var missing: ExpressionValue.ResolvedImage?
        for argument in arguments {
            let value = try argument.evaluate(context)
            if case .image(let image) = value, !image.isAvailable {
                missing = missing ?? image
            } else if value != .null {
                return value
            }
        }
        // The first missing image is returned, so that it can be reported.
        return missing.map { .string($0.name) } ?? .null
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count >= 2 else { return parser.wrongCount("1 or more arguments", arguments) }
        var type = ExpressionValue.ValueType.output(for: expected)
        var nodes: [any ExpressionNode] = []
        for place in arguments.indices.dropFirst() {
            // Type annotations apply to the result, not to each argument.
            guard let node = parser.read(arguments[place], at: place, type, ExpressionParser.Annotation.none) else {
                return nil
            }
            type = type ?? node.type
            nodes.append(node)
        }
        let isUnsure = expected.map { wanted in nodes.contains { !$0.type.isSubtype(of: wanted) } } ?? false
        return CoalesceNode(type: isUnsure ? .value : type ?? .value, arguments: nodes)
    }
}
