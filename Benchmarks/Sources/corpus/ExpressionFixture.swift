import Foundation
import PortolanFeatures
import PortolanStyles

/// A fixture of the MapLibre style specification: an expression, its inputs, and the expected results.
enum ExpressionFixture {
    private static let rootKey = "layers[0].paint.some-property"

    @Sendable static func line(_ sample: Sample) -> Line? {
        guard sample.fileName == "test.json" else { return nil }
        let level: ExpressionLevel, faults: [String]
        if let fixture = (try? JSONReader.value(bytes: sample.bytes))?.objectValue,
            let expression = fixture["expression"], let expected = fixture["expected"]?.objectValue
        {
            level = ExpressionLevel(of: expression)
            faults = self.faults(fixture, expression, expected)
        } else {
            (level, faults) = (.outside, ["not a valid fixture"])
        }
        var members: Properties = [
            "fixture": .string(sample.name), "level": .string(level.rawValue), "passed": .bool(faults.isEmpty),
        ]
        if let fault = faults.first { members["fault"] = .string(fault) }
        return Line(members: members)
    }

    /// Returns the differences from the expected results.
    private static func faults(_ fixture: Properties, _ value: PropertyValue, _ expected: Properties) -> [String] {
        let compiled = expected["compiled"]?.objectValue ?? [:]
        let specification = PropertySpecification(fixture: fixture["propertySpec"]?.objectValue ?? [:])
        let expression: StyleExpression
        do { expression = try StyleExpression(value, for: specification) } catch {
            let keys = (compiled["errors"]?.arrayValue ?? []).map { $0.objectValue?["key"]?.stringValue ?? "" }
            guard compiled["result"] == "error" else { return ["it should compile: \(error)"] }
            return keys == error.errors.map(\.key) ? [] : ["errors should be at \(keys), not \(error)"]
        }
        guard compiled["result"] == "success" else { return ["it should not compile: \(compiled)"] }
        var faults: [String] = []
        for (name, found) in [
            ("type", PropertyValue.string(expression.type.description)),
            ("isFeatureConstant", .bool(expression.isFeatureConstant)),
            ("isZoomConstant", .bool(expression.isZoomConstant)),
        ] where compiled[name] != found {
            faults.append("\(name) should be \(compiled[name] ?? .null), not \(found)")
        }
        let inputs = fixture["inputs"]?.arrayValue ?? [], outputs = expected["outputs"]?.arrayValue ?? []
        if inputs.count != outputs.count { faults.append("\(outputs.count) outputs for \(inputs.count) inputs") }
        for (place, (input, wanted)) in zip(inputs, outputs).enumerated() {
            let context = ExpressionContext(
                fixture: input, globalState: fixture["globalState"]?.objectValue ?? [:],
                isOnGrid: value.arrayValue?.first == "distance")
            if let fault = fault(expression, context, wanted) { faults.append("output \(place): \(fault)") }
        }
        return faults
    }

    private static func fault(
        _ expression: StyleExpression, _ context: ExpressionContext, _ wanted: PropertyValue
    ) -> String? {
        let words = wanted.objectValue?["error"]?.stringValue
        do {
            let found = try expression.evaluate(context).fixtureValue
            if let words { return "it should fail with \(words), not give \(found)" }
            return found.isNear(wanted) ? nil : "it should be \(wanted), not \(found)"
        } catch {
            guard let words else { return "it should be \(wanted), not fail: \(error)" }
            // The text before the first colon is the position of the error.
            return words.prefix { $0 != ":" } == rootKey + error.key
                ? nil : "it should be \(words), not at \(error.key)"
        }
    }
}

/// The part of the specification that a fixture requires.
enum ExpressionLevel: String {
    case must
    case should
    case outside

    private static let mustOperators: Set<String> = Set(
        """
        literal get has id geometry-type properties zoom == != < <= > >= ! all any in case match coalesce step interpolate \
        + - * / % ^ min max abs round floor ceil to-string to-number to-boolean to-color typeof string number boolean \
        array concat upcase downcase length at slice index-of rgb rgba let var
        """.split(separator: " ").map(String.init))
    private static let shouldOperators: Set<String> = Set(
        """
        interpolate-hcl interpolate-lab ln log2 log10 ln2 pi e sqrt sin cos tan asin acos atan format image \
        number-format join split collator within distance object to-rgba resolved-locale
        """.split(separator: " ").map(String.init))
    private static let otherOperators: Set<String> = [
        "feature-state", "global-state", "semiliteral", "heatmap-density", "elevation", "line-progress", "accumulated",
        "is-supported-script", "error",
    ]

    init(of expression: PropertyValue) {
        var found: Set<String> = []
        Self.collect(expression, into: &found)
        self =
            found.isSubset(of: Self.mustOperators)
            ? .must : found.isSubset(of: Self.mustOperators.union(Self.shouldOperators)) ? .should : .outside
    }

    private static func collect(_ value: PropertyValue, into found: inout Set<String>) {
        if let function = value.objectValue {
            // The colour space of a legacy function corresponds to a current operator.
            if let space = function["colorSpace"]?.stringValue { found.insert("interpolate-" + space) }
            for member in function { collect(member.value, into: &found) }
        }
        guard let items = value.arrayValue else { return }
        if let name = items.first?.stringValue {
            if mustOperators.contains(name) || shouldOperators.contains(name) || otherOperators.contains(name) {
                found.insert(name)
            }
            if name == "literal" { return }
        }
        for item in items { collect(item, into: &found) }
    }
}
