import PortolanFeatures
import PortolanWeb

/// A class of features that an expression distinguishes, and their value.
package struct ExpressionClass: Sendable {
    /// A stop of an interpolated value.
    package struct Stop: Sendable {
        /// The number at the stop.
        package let number: Double
        /// Further values at even distances up to the next stop; none at the last one.
        package let onward: [ExpressionValue]
    }

    /// The description of the class for a legend: `1,000 – 5,000`, `wood, scrub`, `≥ 10`.
    ///
    /// A class without one is omitted; a stop without one has no tick.
    package var text: String
    /// The value of the expression for the class.
    package let value: ExpressionValue
    /// Whether numbers define the class.
    package var isOfNumbers = false
    /// The stop, if values are interpolated up to the next class.
    package var stop: Stop?
    /// Whether the condition of the class has no description.
    var isUnknown = false
}

extension StyleExpression {
    /// Returns the classes of features with different values, in the order of the expression: the ranges of a `step`,
    /// the stops of an `interpolate`, the labels of a `match`, the comparisons of a `case`.
    ///
    /// - Parameters:
    ///   - titles: the descriptions of the classes, in their order; ignored if there are more or fewer classes.
    ///   - language: the language of numbers, or `nil` for English.
    /// - Returns: an empty list if the value is the same for all features, or depends on them in another manner.
    package func classes(
        _ context: ExpressionContext, titles: [String]? = nil, language: LabelLanguage? = nil
    ) -> [ExpressionClass] {
        guard !isFeatureConstant else { return [] }
        var classes = ClassReader(context: context, language: language).classes(of: node, depth: 0) ?? []
        if let titles, titles.count == classes.count {
            for (place, title) in titles.enumerated() { classes[place].text = title }
        } else if classes.contains(where: \.isUnknown) {
            return []
        }
        return classes
    }
}

/// Extracts the classes from the branches of an expression.
private struct ClassReader {
    /// The zoom, without a feature.
    let context: ExpressionContext
    let language: LabelLanguage?
    private let format: DecimalFormat
    private static let deepest = 8
    /// The number of values for each interval of an interpolation.
    private static let samples = 8

    init(context: ExpressionContext, language: LabelLanguage?) {
        self.context = context
        self.language = language
        format = DecimalFormat(locale: language?.tag)
    }

    /// The classes of a node whose value depends on features, or `nil` if they cannot be determined.
    func classes(of node: any ExpressionNode, depth: Int) -> [ExpressionClass]? {
        guard depth < Self.deepest else { return nil }
        switch node {
        case let node as LetNode: return classes(of: node.result, depth: depth + 1)
        case let node as VariableNode: return classes(of: node.bound, depth: depth + 1)
        case let node as CoercionNode: return node.arguments.first.flatMap { classes(of: $0, depth: depth + 1) }
        case let node as AssertionNode: return node.arguments.first.flatMap { classes(of: $0, depth: depth + 1) }
        case let node as CoalesceNode: return node.arguments.first.flatMap { classes(of: $0, depth: depth + 1) }
        case let node as StepNode: return classes(of: node, depth)
        case let node as InterpolateNode: return classes(of: node, depth)
        case let node as MatchNode: return classes(of: node)
        case let node as CaseNode: return classes(of: node, depth)
        default: return nil
        }
    }

    /// The value of a node if it is the same for all features at the zoom, otherwise `nil`.
    private func value(of node: any ExpressionNode) -> ExpressionValue? {
        guard !node.totalDependence.contains(.feature) else { return nil }
        return try? node.evaluate(context)
    }

    private func classes(of step: StepNode, _ depth: Int) -> [ExpressionClass]? {
        let inputs = step.stops.inputs, outputs = step.stops.outputs
        if let input = value(of: step.input)?.numberValue {
            return outputs[inputs.lastIndex { $0 <= input } ?? 0].classed(by: self, depth)
        }
        return gathered(outputs) { place in
            if place == 0 { return inputs.count > 1 ? "< \(text(inputs[1]))" : "" }
            guard place + 1 < inputs.count else { return "≥ \(text(inputs[place]))" }
            return "\(text(inputs[place])) – \(text(inputs[place + 1]))"
        }
    }

    private func classes(of curve: InterpolateNode, _ depth: Int) -> [ExpressionClass]? {
        let inputs = curve.stops.inputs, outputs = curve.stops.outputs
        if let input = value(of: curve.input)?.numberValue {
            return outputs[inputs.lastIndex { $0 <= input } ?? 0].classed(by: self, depth)
        }
        guard var classes = gathered(outputs, { text(inputs[$0]) }) else { return nil }
        for place in classes.indices {
            let low = inputs[place], next = place + 1 < inputs.count ? inputs[place + 1] : low
            let shares = next > low ? (1..<Self.samples).map { Double($0) / Double(Self.samples) } : []
            classes[place].stop = ExpressionClass.Stop(
                number: low, onward: shares.compactMap { try? curve.output(at: low + $0 * (next - low), context) })
        }
        return classes
    }

    private func classes(of match: MatchNode) -> [ExpressionClass]? {
        guard value(of: match.input) == nil else { return nil }
        var labels = [[String]](repeating: [], count: match.outputs.count)
        for (label, place) in match.branches {
            switch label {
            case .number(let number): labels[place].append(text(number))
            case .string(let text): labels[place].append(text)
            }
        }
        return gathered(match.outputs + [match.otherwise], areNumbers: false) { place in
            guard place < labels.count else { return LegendPhrases.text(.other, language) }
            let all = labels[place].sorted()
            return all.prefix(4).joined(separator: ", ") + (all.count > 4 ? ", …" : "")
        }
    }

    private func classes(of node: CaseNode, _ depth: Int) -> [ExpressionClass]? {
        var classes: [ExpressionClass] = []
        for (test, output) in node.branches + [(LiteralNode(.boolean(true)), node.otherwise)] {
            guard let value = value(of: output) else {
                guard let inner = self.classes(of: output, depth: depth + 1) else { return nil }
                classes += inner
                continue
            }
            let text = test is LiteralNode ? LegendPhrases.text(.other, language) : words(for: test)
            classes.append(ExpressionClass(text: text ?? "", value: value, isUnknown: text == nil))
        }
        return classes
    }

    /// The description of a condition, or `nil` if it is not a comparison of one property.
    private func words(for test: any ExpressionNode) -> String? {
        if let property = test as? PropertyNode { return property.title.map { "with \($0)" } }
        guard let test = test as? ComparisonNode, let value = value(of: test.right), value != .null else { return nil }
        let text = value.numberValue.map(text) ?? value.text
        switch test.operation {
        case .equal: return text
        case .notEqual: return "not \(text)"
        case .less: return "< \(text)"
        case .lessOrEqual: return "≤ \(text)"
        case .greater: return "> \(text)"
        case .greaterOrEqual: return "≥ \(text)"
        }
    }

    /// The outputs with their descriptions, or `nil` if an output depends on features.
    private func gathered(
        _ outputs: [any ExpressionNode], areNumbers: Bool = true, _ text: (Int) -> String
    ) -> [ExpressionClass]? {
        var classes: [ExpressionClass] = []
        for (place, output) in outputs.enumerated() {
            guard let value = value(of: output) else { return nil }
            classes.append(ExpressionClass(text: text(place), value: value, isOfNumbers: areNumbers))
        }
        return classes
    }

    /// A number in the format of the language.
    private func text(_ number: Double) -> String {
        // Numbers far from 1 are shorter with an exponent.
        guard number == 0 || (1e-9...1e15).contains(number.magnitude) else {
            return ExpressionValue.number(number).text
        }
        return format.text(number)
    }
}

extension ExpressionNode {
    /// The classes of a zoom branch.
    fileprivate func classed(by reader: ClassReader, _ depth: Int) -> [ExpressionClass]? {
        reader.classes(of: self, depth: depth + 1)
    }
}

extension PropertyNode {
    /// The name of the property.
    fileprivate var title: String? { (name as? LiteralNode)?.value.stringValue }
}
