import PortolanGeo

/// Arithmetic operators and numeric functions.
struct ArithmeticNode: ExpressionNode {
    enum Operation: String, CaseIterable, Sendable {
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divide = "/"
        case remainder = "%"
        case power = "^"
        case minimum = "min"
        case maximum = "max"
        case sqrt, abs, floor, ceil, round, ln, log2, log10, sin, cos, tan, asin, acos, atan, ln2, pi, e

        var signatures: [FunctionDefinition.Signature] {
            switch self {
            case .plus, .times, .minimum, .maximum: [.many(.number)]
            case .minus: [.fixed([.number, .number]), .fixed([.number])]
            case .divide, .remainder, .power: [.fixed([.number, .number])]
            case .ln2, .pi, .e: [.fixed([])]
            default: [.fixed([.number])]
            }
        }
    }

    let operation: Operation
    let children: [any ExpressionNode]
    var type: ExpressionValue.ValueType { .number }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        .number(try number(context))
    }

    func number(_ context: ExpressionContext) throws(EvaluationError) -> Double {
        switch operation {
        case .plus: return try reduced(context, 0, +)
        case .times: return try reduced(context, 1, *)
        case .minimum: return try reduced(context, .infinity) { $0.isNaN || $1.isNaN ? .nan : min($0, $1) }
        case .maximum: return try reduced(context, -.infinity) { $0.isNaN || $1.isNaN ? .nan : max($0, $1) }
        case .ln2: return 0.693147180559945309417
        case .pi: return Double.pi
        case .e: return 2.718281828459045235360
        default: break
        }
        let first = try children[0].number(context)
        switch operation {
        case .minus where children.count == 1: return -first
        case .minus: return first - (try children[1].number(context))
        case .divide: return first / (try children[1].number(context))
        case .remainder: return first.truncatingRemainder(dividingBy: try children[1].number(context))
        case .power: return Libm.power(first, try children[1].number(context))
        case .sqrt: return first.squareRoot()
        case .abs: return Swift.abs(first)
        case .floor: return first.rounded(.down)
        case .ceil: return first.rounded(.up)
        case .round: return first.rounded(.toNearestOrAwayFromZero)
        case .ln: return Libm.logarithm(first)
        case .log2: return Libm.logarithm(first) / 0.693147180559945309417
        case .log10: return Libm.logarithm(first) / 2.302585092994045684018
        case .sin: return Libm.sine(first)
        case .cos: return Libm.cosine(first)
        case .tan: return Libm.tangent(first)
        case .asin: return Libm.arcSine(first)
        case .acos: return Libm.arcCosine(first)
        default: return Libm.arcTangent(first)
        }
    }

    private func reduced(
        _ context: ExpressionContext, _ start: Double, _ combine: (Double, Double) -> Double
    ) throws(EvaluationError) -> Double {
        var result = start
        for child in children { result = combine(result, try child.number(context)) }
        return result
    }
}
