import PortolanFeatures
import PortolanGeo

/// The stops of a `step` or `interpolate`: ascending inputs and their outputs.
struct Stops: Sendable {
    let inputs: [Double]
    let outputs: [any ExpressionNode]

    /// The index of the last stop at or before an input that is between the first and the last.
    func place(of input: Double) -> Int {
        var low = 0, high = inputs.count - 1
        while low + 1 < high {
            let middle = (low + high) / 2
            if inputs[middle] <= input { low = middle } else { high = middle }
        }
        return low
    }

    /// Parses pairs of input and output.
    ///
    /// The first output of a step has no input.
    static func read(
        _ arguments: [PropertyValue], from start: Int, isStep: Bool, type: inout ExpressionValue.ValueType?,
        _ parser: inout ExpressionParser
    )
        -> Stops?
    {
        var inputs: [Double] = [], outputs: [any ExpressionNode] = []
        for place in stride(from: start, to: arguments.count, by: 2) {
            let isFirst = isStep && place == start
            guard let input = isFirst ? -.infinity : arguments[place].doubleValue else {
                return parser.fail(.malformed(wanted: "a number as the input of a stop"), at: place)
            }
            if let last = inputs.last, last >= input { return parser.fail(.unorderedStops, at: place) }
            guard let output = parser.read(arguments[place + 1], at: place + 1, type) else { return nil }
            type = type ?? output.type
            inputs.append(input)
            outputs.append(output)
        }
        return Stops(inputs: inputs, outputs: outputs)
    }
}

/// `step`.
struct StepNode: ExpressionNode {
    let type: ExpressionValue.ValueType
    let input: any ExpressionNode
    let stops: Stops
    var children: [any ExpressionNode] { [input] + stops.outputs }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        try chosen(context).evaluate(context)
    }

    func number(_ context: ExpressionContext) throws(EvaluationError) -> Double {
        try chosen(context).number(context)
    }

    private func chosen(_ context: ExpressionContext) throws(EvaluationError) -> any ExpressionNode {
        let value = try input.number(context), last = stops.inputs.count - 1
        return stops.outputs[value >= stops.inputs[last] ? last : stops.place(of: value)]
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
        guard let input = parser.read(arguments[1], at: 1, .number) else { return nil }
        var type = ExpressionValue.ValueType.output(for: expected)
        guard let stops = Stops.read(arguments, from: 1, isStep: true, type: &type, &parser) else { return nil }
        return StepNode(type: type ?? .value, input: input, stops: stops)
    }
}

/// `interpolate`, `interpolate-hcl`, `interpolate-lab`.
struct InterpolateNode: ExpressionNode {
    /// The interpolation between two stops.
    enum Curve: Hashable, Sendable {
        /// 1 is linear.
        case exponential(base: Double)
        case bezier(CubicBezier)

        func part(_ input: Double, from lower: Double, to upper: Double) -> Double {
            let way = upper - lower, gone = input - lower
            switch self {
            case .exponential(1): return way == 0 ? 0 : gone / way
            case .exponential(let base):
                return way == 0 ? 0 : (Libm.power(base, gone) - 1) / (Libm.power(base, way) - 1)
            case .bezier(let curve): return way == 0 ? 0 : curve.y(at: gone / way)
            }
        }
    }

    let type: ExpressionValue.ValueType
    let curve: Curve
    let space: ColorSpace
    let input: any ExpressionNode
    let stops: Stops
    let path: [Int]
    var children: [any ExpressionNode] { [input] + stops.outputs }

    /// The position of an input: at a stop, or at a fraction of the interval to the next.
    private func place(of value: Double) -> (index: Int, part: Double?) {
        let last = stops.inputs.count - 1
        guard last > 0 else { return (0, nil) }
        if !(value > stops.inputs[0]) { return (0, nil) }
        if value >= stops.inputs[last] { return (last, nil) }
        let index = stops.place(of: value)
        return (index, curve.part(value, from: stops.inputs[index], to: stops.inputs[index + 1]))
    }

    func number(_ context: ExpressionContext) throws(EvaluationError) -> Double {
        let (index, part) = try place(of: input.number(context))
        let from = try stops.outputs[index].number(context)
        guard let part else { return from }
        return from + part * (try stops.outputs[index + 1].number(context) - from)
    }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        try output(at: input.number(context), context)
    }

    /// Returns the output of an input.
    func output(at input: Double, _ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        let (index, part) = place(of: input)
        let from = try stops.outputs[index].evaluate(context)
        guard let part else { return from }
        let to = try stops.outputs[index + 1].evaluate(context)
        guard let value = from.interpolated(to: to, at: part, in: space) else {
            throw EvaluationError(path: path, reason: .interpolation)
        }
        return value
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count > 1, let words = arguments[1].arrayValue, let word = words.first else {
            return parser.fail(.malformed(wanted: "the interpolation type"), at: 1)
        }
        let curve: Curve
        switch word.stringValue {
        case "linear": curve = .exponential(base: 1)
        case "exponential":
            guard words.count > 1, let base = words[1].doubleValue else {
                return parser.fail(.malformed(wanted: "a number as the base"), at: 1, 1)
            }
            curve = .exponential(base: base)
        case "cubic-bezier":
            let points = words.dropFirst().compactMap(\.doubleValue)
            guard words.count == 5, points.count == 4, points.allSatisfy({ (0...1).contains($0) }) else {
                return parser.fail(.malformed(wanted: "four numbers from 0 to 1"), at: 1)
            }
            curve = .bezier(CubicBezier(x1: points[0], y1: points[1], x2: points[2], y2: points[3]))
        default: return parser.fail(.malformed(wanted: "linear, exponential or cubic-bezier"), at: 1, 0)
        }
        guard arguments.count >= 5 else { return parser.wrongCount("4 or more arguments", arguments) }
        guard !arguments.count.isMultiple(of: 2) else {
            return parser.wrongCount("an even number of arguments", arguments)
        }
        guard let input = parser.read(arguments[2], at: 2, .number) else { return nil }
        var type = ExpressionValue.ValueType.output(for: expected)
        let space: ColorSpace =
            switch arguments[0].stringValue {
            case "interpolate-hcl": .hcl
            case "interpolate-lab": .lab
            default: .rgb
            }
        if space != .rgb, expected != .colorArray { type = .color }
        guard let stops = Stops.read(arguments, from: 3, isStep: false, type: &type, &parser) else { return nil }
        guard let type, type.isInterpolatable else { return parser.fail(.notInterpolatable(type ?? .value)) }
        return InterpolateNode(
            type: type, curve: curve, space: space, input: input, stops: stops, path: parser.path)
    }
}
