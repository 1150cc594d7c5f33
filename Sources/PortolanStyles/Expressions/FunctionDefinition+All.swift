import PortolanFeatures

extension FunctionDefinition {
    /// The functions by name.
    static let all: [String: FunctionDefinition] = {
        var all = texts.merging(ofFeatures) { first, _ in first }.merging(colors) { first, _ in first }
        for operation in ArithmeticNode.Operation.allCases {
            all[operation.rawValue] = FunctionDefinition(operation.signatures) { arguments, _ in
                ArithmeticNode(operation: operation, children: arguments)
            }
        }
        for (name, operation) in [("all", LogicNode.Operation.all), ("any", .any)] {
            // There are two forms for two arguments, which an error lists.
            all[name] = FunctionDefinition([.fixed([.boolean, .boolean]), .many(.boolean)]) { arguments, _ in
                LogicNode(operation: operation, children: arguments)
            }
        }
        all["!"] = FunctionDefinition([.fixed([.boolean])]) { arguments, _ in
            LogicNode(operation: .not, children: arguments)
        }
        return all
    }()

    /// The functions of features, the zoom and the map state.
    private static let ofFeatures: [String: FunctionDefinition] = [
        "get": FunctionDefinition([.fixed([.string]), .fixed([.string, .object])]) { arguments, _ in
            PropertyNode(isQuestion: false, name: arguments[0], object: arguments.dropFirst().first)
        },
        "has": FunctionDefinition([.fixed([.string]), .fixed([.string, .object])]) { arguments, _ in
            PropertyNode(isQuestion: true, name: arguments[0], object: arguments.dropFirst().first)
        },
        "zoom": FunctionDefinition([.fixed([])]) { _, _ in ZoomNode() },
        "properties": FunctionDefinition(.object, .fixed([]), dependence: [.feature, .allProperties]) {
            _, context, _ in
            .object(context.properties)
        },
        "geometry-type": FunctionDefinition(.string, .fixed([]), dependence: .feature) { _, context, _ in
            context.geometryType.map(ExpressionValue.string) ?? .null
        },
        "id": FunctionDefinition(.value, .fixed([]), dependence: [.feature, .identity]) { _, context, _ in
            context.id.map { ExpressionValue($0.propertyValue) } ?? .null
        },
        "feature-state": FunctionDefinition(.value, .fixed([.string]), dependence: [.feature, .state]) {
            values, context, _ in
            context.state[values[0].text].map(ExpressionValue.init) ?? .null
        },
        "heatmap-density": FunctionDefinition(.number, .fixed([]), dependence: .other) { _, context, _ in
            .number(context.heatmapDensity)
        },
        "line-progress": FunctionDefinition(.number, .fixed([]), dependence: .other) { _, context, _ in
            .number(context.lineProgress)
        },
        "elevation": FunctionDefinition(.number, .fixed([]), dependence: .other) { _, context, _ in
            .number(context.elevation)
        },
        "accumulated": FunctionDefinition(.value, .fixed([]), dependence: .other) { _, context, _ in
            context.accumulated
        },
        "error": FunctionDefinition(.error, .fixed([.string]), dependence: .other) {
            (values, _, path) throws(EvaluationError) in
            throw EvaluationError(path: path, reason: .stated(values[0].text))
        },
        "typeof": FunctionDefinition(.string, .fixed([.value])) { values, _, _ in
            .string(values[0].type.description)
        },
    ]

    /// The longest text that an expression can produce, in bytes.
    static let textLimit = 1 << 20

    private static func text(
        _ parts: [String], by separator: String, _ path: [Int]
    ) throws(EvaluationError) -> ExpressionValue {
        let length = parts.reduce(0) { $0 + $1.utf8.count + separator.utf8.count }
        guard length <= textLimit + separator.utf8.count else { throw EvaluationError(path: path, reason: .tooLarge) }
        return .string(parts.joined(separator: separator))
    }

    /// The text functions.
    private static let texts: [String: FunctionDefinition] = [
        "upcase": FunctionDefinition(.string, .fixed([.string])) { values, _, _ in
            .string(values[0].text.uppercased())
        },
        "downcase": FunctionDefinition(.string, .fixed([.string])) { values, _, _ in
            .string(values[0].text.lowercased())
        },
        "concat": FunctionDefinition(.string, .many(.value)) { (values, _, path) throws(EvaluationError) in
            try text(values.map(\.text), by: "", path)
        },
        "join": FunctionDefinition(.string, .fixed([.array(.string, count: nil), .string])) {
            (values, _, path) throws(EvaluationError) in
            try text((values[0].arrayValue ?? []).map(\.text), by: values[1].text, path)
        },
        "split": FunctionDefinition(.array(.string, count: nil), .fixed([.string, .string])) { values, _, _ in
            let text = values[0].text, mark = values[1].text
            guard !mark.isEmpty else { return .array(text.unicodeScalars.map { .string(String($0)) }) }
            var parts: [ExpressionValue] = [], start = text.startIndex
            for range in text.ranges(of: mark) {
                parts.append(.string(String(text[start..<range.lowerBound])))
                start = range.upperBound
            }
            return .array(parts + [.string(String(text[start...]))])
        },
        // All scripts are supported.
        "is-supported-script": FunctionDefinition(.boolean, .fixed([.string]), dependence: .other) { _, _, _ in
            .boolean(true)
        },
        "resolved-locale": FunctionDefinition(.string, .fixed([.collator])) { values, _, _ in
            if case .collator(let collator) = values[0] { .string(collator.locale ?? "") } else { .null }
        },
    ]

    /// The colour functions.
    private static let colors: [String: FunctionDefinition] = [
        "rgb": FunctionDefinition(.color, .fixed([.number, .number, .number])) {
            (values, _, path) throws(EvaluationError) in try color(values, path)
        },
        "rgba": FunctionDefinition(.color, .fixed([.number, .number, .number, .number])) {
            (values, _, path) throws(EvaluationError) in try color(values, path)
        },
        "to-rgba": FunctionDefinition(.array(.number, count: 4), .fixed([.color])) { values, _, _ in
            guard case .color(let color) = values[0] else { return .null }
            let channels = [color.red * 255, color.green * 255, color.blue * 255, color.alpha]
            return .array(channels.map(ExpressionValue.number))
        },
    ]

    private static func color(_ values: [ExpressionValue], _ path: [Int]) throws(EvaluationError) -> ExpressionValue {
        let numbers = values.compactMap(\.numberValue)
        guard numbers.count == values.count,
            let color = StyleColor(
                red: numbers[0], green: numbers[1], blue: numbers[2], opacity: numbers.count > 3 ? numbers[3] : 1)
        else { throw EvaluationError(path: path, reason: .colorRange) }
        return .color(color)
    }
}
