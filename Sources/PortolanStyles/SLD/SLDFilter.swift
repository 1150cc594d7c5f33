import PortolanFeatures

/// Converts filters of the Filter Encoding (OGC 02-059, 04-095, 09-026) to MapLibre filters.
enum SLDFilter {
    private static let comparisons = [
        "PropertyIsEqualTo": "==", "PropertyIsNotEqualTo": "!=", "PropertyIsLessThan": "<",
        "PropertyIsLessThanOrEqualTo": "<=", "PropertyIsGreaterThan": ">", "PropertyIsGreaterThanOrEqualTo": ">=",
    ]

    /// The filter in an element `Filter`, or `nil` for one that accepts everything.
    static func filter(_ element: SLDElement) throws(SLDFault) -> PropertyValue? {
        let children = element.children
        guard !children.isEmpty else { return nil }
        if children.allSatisfy({ identifier(of: $0) != nil }) {
            return [
                "in", ["to-string", ["id"]],
                ["literal", .array(children.compactMap { identifier(of: $0).map { .string($0) } })],
            ]
        }
        guard children.count == 1 else { throw SLDFault("Filter with several conditions", element) }
        return try condition(children[0])
    }

    private static func identifier(of element: SLDElement) -> String? {
        switch element.name {
        case "FeatureId": element.attribute("fid")
        case "GmlObjectId": element.attribute("id")
        case "ResourceId": element.attribute("rid")
        default: nil
        }
    }

    private static func condition(_ element: SLDElement) throws(SLDFault) -> PropertyValue {
        let operands = element.children
        func need(_ count: Int) throws(SLDFault) {
            guard operands.count == count else {
                throw SLDFault("\(element.name) with \(operands.count) operands", element)
            }
        }
        if let sign = comparisons[element.name] {
            try need(2)
            let left = try SLDExpression.value(operands[0]), right = try SLDExpression.value(operands[1])
            return comparison(sign, left, right, ignoresCase: element.attribute("matchCase") == "false")
        }
        switch element.name {
        case "And", "Or":
            var items: [PropertyValue] = [element.name == "And" ? "all" : "any"]
            for operand in operands { items.append(try condition(operand)) }
            return .array(items)
        case "Not":
            try need(1)
            return ["!", try condition(operands[0])]
        case "PropertyIsNull", "PropertyIsNil":
            try need(1)
            return ["==", try SLDExpression.value(operands[0]), .null]
        case "PropertyIsBetween":
            guard let item = operands.first, let low = element.child("LowerBoundary")?.children.first,
                let high = element.child("UpperBoundary")?.children.first
            else { throw SLDFault("PropertyIsBetween without boundaries", element) }
            let value = try SLDExpression.value(item)
            return [
                "all", comparison(">=", value, try SLDExpression.value(low)),
                comparison("<=", value, try SLDExpression.value(high)),
            ]
        case "PropertyIsLike": return try like(element)
        case "Function": return ["to-boolean", try SLDExpression.value(element)]
        default: throw SLDFault(element.name, element)
        }
    }

    /// A comparison of untyped values: numeric if one side is a number.
    ///
    /// Comparisons with missing values are false.
    static func comparison(
        _ sign: String, _ left: PropertyValue, _ right: PropertyValue, ignoresCase: Bool = false
    ) -> PropertyValue {
        // Truth values are compared as such.
        if let flag = right.stringValue, flag == "true" || flag == "false", isCondition(left) {
            return [.string(sign), left, .bool(flag == "true")]
        }
        let isNumber = left.doubleValue != nil || right.doubleValue != nil
        // A text that is not a number is replaced by a number beyond all others, so that the comparison fails.
        let never: Double = sign == "<" || sign == "<=" ? 1.7e308 : -1.7e308
        func side(_ value: PropertyValue) -> PropertyValue {
            if isNumber { return SLDExpression.numeric(value, otherwise: never) }
            let text: PropertyValue = value.stringValue != nil ? value : ["to-string", value]
            return ignoresCase ? ["downcase", text] : text
        }
        var items: [PropertyValue] = ["all"]
        for value in [left, right] where value.arrayValue?.first == "get" { items.append(["!=", value, .null]) }
        var test: PropertyValue = [.string(sign), side(left), side(right)]
        if !isNumber, sign.first == "<" || sign.first == ">", left.stringValue == nil, right.stringValue == nil {
            // Two properties are compared numerically if both are numbers.
            test = [
                "case", ["all", ["==", ["typeof", left], "number"], ["==", ["typeof", right], "number"]],
                [.string(sign), ["to-number", left, 0], ["to-number", right, 0]], test,
            ]
        }
        return items.count == 1 ? test : .array(items + [test])
    }

    private static func isCondition(_ value: PropertyValue) -> Bool {
        ["all", "any", "!", "==", "!=", "<", "<=", ">", ">="].contains(value.arrayValue?.first?.stringValue ?? "")
    }

    /// A pattern with wild cards at its ends, or one between a prefix and a suffix.
    private static func like(_ element: SLDElement) throws(SLDFault) -> PropertyValue {
        guard element.children.count == 2, let item = element.children.first, let pattern = element.child("Literal")
        else {
            throw SLDFault("PropertyIsLike without a property and a string", element)
        }
        let wild = (element.attribute("wildCard") ?? "*").first, single = (element.attribute("singleChar") ?? "?").first
        let escape = (element.attribute("escapeChar") ?? element.attribute("escape") ?? "\\").first
        var pieces = [""], isEscaped = false
        for character in pattern.text {
            if isEscaped {
                pieces[pieces.count - 1].append(character)
                isEscaped = false
            } else if character == escape {
                isEscaped = true
            } else if character == wild {
                pieces.append("")
            } else if character == single {
                throw SLDFault("PropertyIsLike with a single-character wildcard", element)
            } else {
                pieces[pieces.count - 1].append(character)
            }
        }
        let ignoresCase = element.attribute("matchCase") == "false"
        if ignoresCase { pieces = pieces.map { $0.lowercased() } }
        guard let test = matching(try SLDExpression.value(item), pieces, ignoresCase: ignoresCase) else {
            throw SLDFault("PropertyIsLike with wildcards between characters", element)
        }
        return test
    }

    /// Returns a condition that a value consists of pieces with anything between them, or `nil` if it cannot be
    /// expressed.
    static func matching(_ value: PropertyValue, _ pieces: [String], ignoresCase: Bool) -> PropertyValue? {
        let text: PropertyValue = ignoresCase ? ["downcase", ["to-string", value]] : ["to-string", value]
        // The result of a function is never missing.
        var conditions: [PropertyValue] = ["all"]
        if value.arrayValue?.first == "get" { conditions.append(["!=", value, .null]) }
        guard pieces.count > 1, let first = pieces.first, let last = pieces.last else {
            return .array(conditions + [["==", text, .string(pieces.first ?? "")]])
        }
        let middle = pieces.dropFirst().dropLast().filter { !$0.isEmpty }
        guard middle.count < 2, middle.isEmpty || first.isEmpty && last.isEmpty else { return nil }
        let least = Double(first.count + last.count)
        conditions.append([">=", ["length", text], .number(least)])
        if let piece = middle.first { conditions.append(["in", .string(piece), text]) }
        if !first.isEmpty { conditions.append(["==", ["slice", text, 0, .integer(first.count)], .string(first)]) }
        if !last.isEmpty { conditions.append(["==", ["slice", text, .integer(-last.count)], .string(last)]) }
        return .array(conditions)
    }
}
