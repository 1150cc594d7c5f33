import PortolanFeatures

/// Converts expressions of the Filter Encoding (OGC 09-026) and functions of Symbology Encoding (OGC 05-077r4, clause
/// 11.6) to MapLibre expressions.
enum SLDExpression {
    /// The functions with a corresponding operator, and their argument counts.
    private static let numeric: [String: (name: String, count: Int)] = [
        "abs": ("abs", 1), "acos": ("acos", 1), "asin": ("asin", 1), "atan": ("atan", 1), "ceil": ("ceil", 1),
        "cos": ("cos", 1), "floor": ("floor", 1), "log": ("ln", 1), "max": ("max", 2), "min": ("min", 2),
        "modulo": ("%", 2), "pi": ("pi", 0), "pow": ("^", 2), "rint": ("round", 1), "round": ("round", 1),
        "sin": ("sin", 1), "sqrt": ("sqrt", 1), "tan": ("tan", 1),
    ]
    private static let comparisons = [
        "equalTo": "==", "notEqual": "!=", "greaterThan": ">", "greaterEqualThan": ">=", "lessThan": "<",
        "lessEqualThan": "<=", "greaterThanOrEqualTo": ">=", "lessThanOrEqualTo": "<=", "equal": "==",
    ]
    private static let arithmetic = ["Add": "+", "Sub": "-", "Mul": "*", "Div": "/"]

    /// The value of an element of any type.
    static func value(_ element: SLDElement) throws(SLDFault) -> PropertyValue {
        if let sign = arithmetic[element.name] {
            let operands = element.children
            guard operands.count == 2 else { throw SLDFault("\(element.name) without two operands", element) }
            return .array([.string(sign), try number(operands[0]), try number(operands[1])])
        }
        switch element.name {
        case "PropertyName", "ValueReference": return ["get", .string(element.text)]
        case "Literal":
            return element.children.isEmpty ? literal(element.rawText) : try parameter(element)
        case "Function": return try function(element)
        case "Categorize": return try categorize(element)
        case "Interpolate": return try interpolate(element)
        case "Recode": return try recode(element)
        default: throw SLDFault(element.name, element)
        }
    }

    /// The value of a parameter: its text, or its elements joined with the text between them.
    static func parameter(_ element: SLDElement) throws(SLDFault) -> PropertyValue {
        let children = element.children
        guard !children.isEmpty else { return literal(element.text) }
        if children.count == 1, element.text.isEmpty { return try value(children[0]) }
        var items: [PropertyValue] = ["concat"]
        for part in element.parts {
            switch part {
            case .text(let text):
                let words = SLDElement.trimmed(text)
                if !words.isEmpty { items.append(.string(words)) }
            case .verbatim(let text): items.append(.string(text))
            case .element(let child): items.append(try text(child))
            }
        }
        return .array(items)
    }

    /// The value as a text; empty if a property is missing.
    static func text(_ element: SLDElement) throws(SLDFault) -> PropertyValue {
        if element.name == "Literal", element.children.isEmpty {
            let isVerbatim = element.parts.contains { if case .verbatim = $0 { true } else { false } }
            return .string(isVerbatim ? element.verbatimText : unindented(element.rawText))
        }
        return ["to-string", try value(element)]
    }

    /// A text without the line breaks and indentation next to its tags.
    private static func unindented(_ text: String) -> String {
        func indentation(_ letters: some Collection<Character>) -> Int {
            guard let end = letters.firstIndex(where: { $0 != " " && $0 != "\t" }), letters[end].isNewline else {
                return 0
            }
            return letters.distance(from: letters.startIndex, to: end) + 1
        }
        guard text.count > 1 else { return text }
        let kept = text.dropLast(indentation(text.reversed()))
        // A text of white space only is kept as it is.
        return String(kept.contains { !$0.isWhitespace } ? kept.dropFirst(indentation(kept)) : kept)
    }

    /// The value as a number; 0 if it is invalid.
    static func number(_ element: SLDElement) throws(SLDFault) -> PropertyValue {
        numeric(try value(element), otherwise: 0)
    }

    static func numeric(_ value: PropertyValue, otherwise: Double) -> PropertyValue {
        value.doubleValue != nil ? value : ["to-number", value, .number(otherwise)]
    }

    /// A text as a number if it is one, otherwise as a text.
    static func literal(_ text: String) -> PropertyValue {
        if let number = Double(SLDElement.trimmed(text)), number.isFinite { return .number(number) }
        return .string(text)
    }

    private static func function(_ element: SLDElement) throws(SLDFault) -> PropertyValue {
        let name = element.attribute("name") ?? "", arguments = element.children
        func need(_ count: Int) throws(SLDFault) {
            guard arguments.count == count else {
                throw SLDFault("function \(name) with \(arguments.count) arguments", element)
            }
        }
        if let (sign, count) = numeric[name] {
            try need(count)
            var items: [PropertyValue] = [.string(sign)]
            for argument in arguments { items.append(try number(argument)) }
            return .array(items)
        }
        if let sign = comparisons[name] {
            try need(2)
            return SLDFilter.comparison(sign, try value(arguments[0]), try value(arguments[1]))
        }
        switch name {
        case "between":
            try need(3)
            let item = try value(arguments[0])
            return [
                "all", SLDFilter.comparison(">=", item, try value(arguments[1])),
                SLDFilter.comparison("<=", item, try value(arguments[2])),
            ]
        case "in", "in2", "in3", "in4", "in5", "in6", "in7", "in8", "in9", "in10":
            guard let first = arguments.first else { throw SLDFault("function in without arguments", element) }
            var items: [PropertyValue] = ["any"]
            let item = try value(first)
            for argument in arguments.dropFirst() {
                items.append(SLDFilter.comparison("==", item, try value(argument)))
            }
            return .array(items)
        case "isNull":
            try need(1)
            return ["==", try value(arguments[0]), .null]
        case "not":
            try need(1)
            return ["!", try value(arguments[0])]
        case "Categorize":
            guard arguments.count >= 2, arguments.count % 2 == 0 else {
                throw SLDFault("Categorize with \(arguments.count) arguments", element)
            }
            var items: [PropertyValue] = ["step", try number(arguments[0])]
            for argument in arguments.dropFirst() { items.append(try value(argument)) }
            return .array(items)
        case "Recode": return try recode(arguments, element)
        case "Interpolate": return try interpolate(arguments, element)
        case "if_then_else":
            try need(3)
            return ["case", ["to-boolean", try value(arguments[0])], try value(arguments[1]), try value(arguments[2])]
        case "strLength":
            try need(1)
            return ["length", try text(arguments[0])]
        case "strToUpperCase", "strToLowerCase":
            try need(1)
            return [name == "strToUpperCase" ? "upcase" : "downcase", try text(arguments[0])]
        case "strConcat", "Concatenate", "concatenate":
            var items: [PropertyValue] = ["concat"]
            for argument in arguments { items.append(try text(argument)) }
            return .array(items)
        case "strSubstring":
            try need(3)
            return ["slice", try text(arguments[0]), try number(arguments[1]), try number(arguments[2])]
        case "parseDouble", "parseInt", "parseLong":
            try need(1)
            return try number(arguments[0])
        case "strMatches":
            try need(2)
            guard arguments[1].name == "Literal",
                let test = SLDFunctions.matches(try value(arguments[0]), arguments[1].text)
            else { throw SLDFault("function strMatches with this pattern", element) }
            return test
        case "numberFormat":
            guard arguments.count == 2 || arguments.count == 3, arguments[0].name == "Literal",
                let text = SLDFunctions.formatted(try number(arguments[1]), arguments[0].text)
            else { throw SLDFault("function numberFormat with this pattern", element) }
            return text
        case "startAngle", "endAngle":
            // The function applies to the feature's own geometry; the result becomes a property.
            try need(1)
            return ["get", .string(name == "startAngle" ? GeometryChange.startAngle : GeometryChange.endAngle)]
        case "env":
            // The value on the server is unknown; the second argument is the default.
            guard arguments.count == 2 else { throw SLDFault("function env without a default", element) }
            return try value(arguments[1])
        default: throw SLDFault("function \(name.isEmpty ? "without a name" : name)", element)
        }
    }

    /// `Recode(value, key, result, …)`, as written by GeoServer in documents of version 1.0.
    private static func recode(
        _ arguments: [SLDElement], _ element: SLDElement
    ) throws(SLDFault) -> PropertyValue {
        guard arguments.count >= 3, arguments.count % 2 == 1 else {
            throw SLDFault("Recode with \(arguments.count) arguments", element)
        }
        var items: [PropertyValue] = ["match", try text(arguments[0])], keys: Set<String> = []
        for place in stride(from: 1, to: arguments.count, by: 2) {
            guard arguments[place].name == "Literal" else {
                throw SLDFault("Recode with keys that are not literals", element)
            }
            guard keys.insert(arguments[place].text).inserted else { continue }
            items += [.string(arguments[place].text), try value(arguments[place + 1])]
        }
        return .array(items + [try value(arguments[2])])
    }

    /// `Interpolate(value, datum, result, …, color or numeric, linear)`, as written by GeoServer in documents of
    /// version 1.0.
    private static func interpolate(
        _ arguments: [SLDElement], _ element: SLDElement
    ) throws(SLDFault) -> PropertyValue {
        var arguments = arguments[...], method: PropertyValue = ["linear"]
        while let last = arguments.last, last.name == "Literal",
            ["color", "numeric", "linear", "cosine", "cubic"].contains(last.text)
        {
            if !["color", "numeric"].contains(last.text) { method = try Self.method(last.text, element) }
            arguments.removeLast()
        }
        guard arguments.count >= 3, arguments.count % 2 == 1 else {
            throw SLDFault("Interpolate with \(arguments.count) arguments", element)
        }
        var items: [PropertyValue] = ["interpolate", method, try number(arguments[0])]
        for argument in arguments.dropFirst() { items.append(try value(argument)) }
        return .array(items)
    }

    /// The interpolation between two points (OGC 05-077r4, clause 11.6.4).
    private static func method(_ mode: String, _ element: SLDElement) throws(SLDFault) -> PropertyValue {
        switch mode {
        case "linear": return ["linear"]
        // Approximates half a cosine wave to a hundredth.
        case "cosine": return ["cubic-bezier", 0.3642, 0, 0.6358, 1]
        default: throw SLDFault("Interpolate with the mode '\(mode.prefix(20))'", element)
        }
    }

    private static func lookup(_ element: SLDElement) throws(SLDFault) -> PropertyValue {
        guard let lookup = element.child("LookupValue") else {
            throw SLDFault("\(element.name) without LookupValue", element)
        }
        return try parameter(lookup)
    }

    private static func categorize(_ element: SLDElement) throws(SLDFault) -> PropertyValue {
        var items: [PropertyValue] = ["step", numeric(try lookup(element), otherwise: 0)]
        for child in element.children where child.name == "Value" || child.name == "Threshold" {
            items.append(try parameter(child))
        }
        return .array(items)
    }

    private static func interpolate(_ element: SLDElement) throws(SLDFault) -> PropertyValue {
        let method = try method(element.attribute("mode") ?? "linear", element)
        var items: [PropertyValue] = ["interpolate", method, numeric(try lookup(element), otherwise: 0)]
        for point in element.children("InterpolationPoint") {
            guard let data = point.child("Data"), let value = point.child("Value") else {
                throw SLDFault("InterpolationPoint without Data and Value", point)
            }
            items += [try parameter(data), try parameter(value)]
        }
        return .array(items)
    }

    private static func recode(_ element: SLDElement) throws(SLDFault) -> PropertyValue {
        var items: [PropertyValue] = ["match", ["to-string", try lookup(element)]], first: PropertyValue?
        for item in element.children("MapItem") {
            guard let data = item.child("Data"), let value = item.child("Value") else {
                throw SLDFault("MapItem without Data and Value", item)
            }
            let result = try parameter(value)
            first = first ?? result
            items += [.string(data.text), result]
        }
        guard let first else { throw SLDFault("Recode without MapItem", element) }
        return .array(items + [element.attribute("fallbackValue").map(literal) ?? first])
    }
}
