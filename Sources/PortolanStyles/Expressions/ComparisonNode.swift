import PortolanFeatures

/// `==`, `!=`, `<`, `<=`, `>`, `>=`.
///
/// Texts are compared by UTF-16 code units or by a collator.
struct ComparisonNode: ExpressionNode {
    enum Operation: String, Sendable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="

        var isOrder: Bool { self != .equal && self != .notEqual }

        func holds(_ order: ComparisonOrder) -> Bool {
            switch self {
            case .equal: order == .same
            case .notEqual: order != .same
            case .less: order == .before
            case .lessOrEqual: order == .before || order == .same
            case .greater: order == .after
            case .greaterOrEqual: order == .after || order == .same
            }
        }

        func compares(_ type: ExpressionValue.ValueType) -> Bool {
            switch type {
            case .string, .number, .value: true
            case .boolean, .null: !isOrder
            default: false
            }
        }
    }

    let operation: Operation
    let left: any ExpressionNode
    let right: any ExpressionNode
    let collator: (any ExpressionNode)?
    let path: [Int]
    private let areNumbers: Bool

    init(
        operation: Operation, left: any ExpressionNode, right: any ExpressionNode, collator: (any ExpressionNode)?,
        path: [Int]
    ) {
        self.operation = operation
        self.left = left
        self.right = right
        self.collator = collator
        self.path = path
        areNumbers = left.type == .number && right.type == .number && collator == nil
    }

    var type: ExpressionValue.ValueType { .boolean }
    var children: [any ExpressionNode] { [left, right] + (collator.map { [$0] } ?? []) }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        .boolean(try flag(context))
    }

    func flag(_ context: ExpressionContext) throws(EvaluationError) -> Bool {
        if areNumbers {
            return operation.holds(ComparisonOrder(try left.number(context), try right.number(context)))
        }
        let first = try left.evaluate(context), second = try right.evaluate(context)
        if case .string(let a) = first, case .string(let b) = second {
            guard let collator else {
                if !operation.isOrder { return (a == b) == (operation == .equal) }
                return operation.holds(ComparisonOrder(a, b))
            }
            guard case .collator(let rule) = try collator.evaluate(context) else { return false }
            return operation.holds(rule.order(a, b))
        }
        guard operation.isOrder else { return (first == second) == (operation == .equal) }
        guard case .number(let a) = first, case .number(let b) = second else {
            throw EvaluationError(path: path, reason: .order(first.type, second.type))
        }
        return operation.holds(ComparisonOrder(a, b))
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard (3...4).contains(arguments.count), let name = arguments[0].stringValue,
            let operation = Operation(rawValue: name)
        else { return parser.wrongCount("2 or 3 arguments", arguments) }
        guard var left = parser.read(arguments[1], at: 1, .value) else { return nil }
        guard operation.compares(left.type) else { return parser.fail(.notComparable(left.type, by: name), at: 1) }
        guard var right = parser.read(arguments[2], at: 2, .value) else { return nil }
        guard operation.compares(right.type) else { return parser.fail(.notComparable(right.type, by: name), at: 2) }
        if left.type != right.type, left.type != .value, right.type != .value {
            return parser.fail(.differentTypes(left.type, right.type))
        }
        if operation.isOrder {
            if left.type == .value, right.type != .value {
                left = AssertionNode(type: right.type, arguments: [left], path: parser.path)
            } else if right.type == .value, left.type != .value {
                right = AssertionNode(type: left.type, arguments: [right], path: parser.path)
            }
        }
        var collator: (any ExpressionNode)?
        if arguments.count == 4 {
            let texts: [ExpressionValue.ValueType] = [.string, .value]
            guard texts.contains(left.type) || texts.contains(right.type) else {
                return parser.fail(.notComparable(left.type, by: "collator"))
            }
            collator = parser.read(arguments[3], at: 3, .collator)
            if collator == nil { return nil }
        }
        return ComparisonNode(operation: operation, left: left, right: right, collator: collator, path: parser.path)
    }
}
