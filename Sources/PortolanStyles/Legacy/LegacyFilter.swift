import PortolanFeatures

/// The filter syntax that preceded expressions (MapLibre Style Specification, Deprecations, Other filter).
enum LegacyFilter {
    private enum Syntax {
        case expression
        case legacy
        /// The meaning is the same in both syntaxes.
        case either
    }

    /// Whether a filter is an expression rather than a legacy filter.
    static func isExpression(_ filter: PropertyValue) -> Bool { syntax(filter, depth: 0) != .legacy }

    private static func syntax(_ filter: PropertyValue, depth: Int) -> Syntax {
        if filter.boolValue != nil { return .either }
        guard let items = filter.arrayValue, let name = items.first, depth < ExpressionParser.maximumDepth else {
            return .legacy
        }
        switch name.stringValue {
        case "has":
            guard items.count > 1, !["$id", "$type"].contains(items[1].stringValue) else { return .legacy }
            return items.count == 2 ? .either : .expression
        case "in":
            return items.count >= 3 && (items[1].stringValue == nil || items[2].arrayValue != nil)
                ? .expression : .legacy
        case "!in", "!has", "none": return .legacy
        case "==", "!=", ">", ">=", "<", "<=":
            return items.count != 3 || items[1].arrayValue != nil || items[2].arrayValue != nil
                ? .expression : .legacy
        case "any", "all":
            let parts = items.dropFirst().map { syntax($0, depth: depth + 1) }
            return parts.contains(.expression) ? .expression : parts.contains(.legacy) ? .legacy : .either
        default: return .expression
        }
    }

    /// Converts a legacy filter to an expression.
    ///
    /// A comparison of different types is false, not an error.
    static func expression(_ filter: PropertyValue) throws(StyleExpressionError) -> PropertyValue {
        try expression(filter, depth: 0)
    }

    private static func expression(_ filter: PropertyValue, depth: Int) throws(StyleExpressionError) -> PropertyValue {
        func fault(_ reason: StyleExpressionError.Problem.Reason) -> StyleExpressionError {
            StyleExpressionError(errors: [StyleExpressionError.Problem(path: [], reason: reason)])
        }
        guard depth < ExpressionParser.maximumDepth / 2 else {
            throw fault(.tooLarge(limit: ExpressionParser.maximumDepth / 2))
        }
        if filter == .null || filter.boolValue != nil { return filter == .null ? true : filter }
        guard let items = filter.arrayValue, let name = items.first?.stringValue else {
            throw fault(.malformed(wanted: "a filter"))
        }
        if items.count == 1 { return .bool(name != "any") }
        func children() throws(StyleExpressionError) -> [PropertyValue] {
            var children: [PropertyValue] = []
            for item in items.dropFirst() { children.append(try expression(item, depth: depth + 1)) }
            return children
        }
        switch name {
        case "all", "any": return .array([.string(name)] + (try children()))
        case "none": return ["!", .array(["any"] + (try children()))]
        default: break
        }
        guard let key = items[1].stringValue else { throw fault(.malformed(wanted: "a property name")) }
        switch name {
        case "==", "!=", "<", "<=", ">", ">=":
            guard items.count == 3 else { throw fault(.argumentCount(wanted: "2 arguments", found: items.count - 1)) }
            return comparison(name, key, items[2])
        case "in": return membership(key, items.dropFirst(2))
        case "!in": return ["!", membership(key, items.dropFirst(2))]
        case "has": return presence(key)
        case "!has": return ["!", presence(key)]
        default: throw fault(.unknownOperator(name, near: nil))
        }
    }

    private static func source(_ key: String) -> PropertyValue {
        switch key {
        case "$type": ["geometry-type"]
        case "$id": ["id"]
        default: ["get", .string(key)]
        }
    }

    private static func presence(_ key: String) -> PropertyValue {
        switch key {
        case "$type": true
        case "$id": ["!=", ["id"], .null]
        default: ["has", .string(key)]
        }
    }

    private static func comparison(_ name: String, _ key: String, _ value: PropertyValue) -> PropertyValue {
        switch name {
        // A missing property does not equal null.
        case "==" where value == .null && key != "$id": return ["all", presence(key), ["==", source(key), value]]
        case "!=" where value == .null && key != "$id":
            return ["any", ["!", presence(key)], ["!=", source(key), value]]
        case "==", "!=": return [.string(name), source(key), value]
        default: break
        }
        let type: PropertyValue
        switch value {
        case .string: type = "string"
        case .integer, .number: type = "number"
        default: return false
        }
        return ["case", ["==", ["typeof", source(key)], type], [.string(name), source(key), value], false]
    }

    private static func membership(_ key: String, _ values: ArraySlice<PropertyValue>) -> PropertyValue {
        guard !values.isEmpty else { return false }
        let texts = values.compactMap(\.stringValue), numbers = values.compactMap(\.integerValue)
        // Values of one type are looked up in constant time.
        if texts.count == values.count {
            return ["match", source(key), .array(Set(texts).sorted().map(PropertyValue.string)), true, false]
        }
        if numbers.count == values.count {
            return ["match", source(key), .array(Set(numbers).sorted().map(PropertyValue.integer)), true, false]
        }
        return .array(["any"] + values.map { ["==", source(key), $0] })
    }
}
